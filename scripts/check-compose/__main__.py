"""Runs docker-compose.yml with podman-compose: nginx, three replicas and Redis in containers, and checks what they do.

    sudo make check-compose

Builds the image first if the sources have changed since, in the storage of check-image. Images that cannot be pulled are
built from Debian's packages. Everything runs in a network namespace of its own, which has ports and bridges to itself and
no way out. Exits 1 if a check fails.
"""
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILDING = SOURCE / "scripts/check-image"
sys.path += [str(BUILDING), str(SOURCE / "scripts/lib")]

import composition  # noqa: E402
import image  # noqa: E402
import origin  # noqa: E402
from checks import Checks  # noqa: E402
from engine import Engine  # noqa: E402

ENTERED = "HEADROOM_CHECK_COMPOSE_ENTERED"
# The engine's name server is known by a file in /run/containers: one of another network would be taken for ours. On hosts
# with both versions of control groups the engine uses the first, which has the controller of memory.
PREPARE = """
mkdir -p /run/containers && mount -t tmpfs none /run/containers
if mountpoint -q /sys/fs/cgroup/unified; then umount -l /sys/fs/cgroup/unified; fi
ip link set lo up
exec "$@"
"""


def enter_namespace():
    """Builds the images with the host's network, and restarts this program in a network of its own."""
    if os.geteuid() != 0:
        sys.exit("check-compose makes networks, so it needs root: sudo make check-compose")
    if os.environ.get(ENTERED) is None:
        needed = composition.pulled(SOURCE / "docker-compose.yml")
        subprocess.run([sys.executable, "-B", str(BUILDING / "image.py"), *needed], check=True)
        os.environ[ENTERED] = "1"
        command = ["unshare", "--mount", "--net", "sh", "-c", PREPARE, "sh", sys.executable, "-B", *sys.argv]
        os.execvp(command[0], command)


def main():
    enter_namespace()
    engine = Engine(image.FOLDER)
    engine.run("tag", image.IMAGE, composition.IMAGE)
    failed = []
    with origin.serving(SOURCE / "docs/pictures/scene.jpg") as port:
        composed = composition.Composition(engine, SOURCE, pathlib.Path(sys.prefix) / "bin/podman-compose")
        for sentence, check in Checks(composed, port).all():
            try:
                print(f"ok      {sentence}: {check()}", flush=True)
            except (AssertionError, OSError) as reason:
                failed.append(sentence)
                print(f"FAILED  {sentence}: {reason}", flush=True)
                if len(failed) > 2:
                    break
        if failed:
            composed.run("down", "--volumes")
    sys.exit(1 if failed else 0)


main()

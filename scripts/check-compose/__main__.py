"""Runs docker-compose.yml with podman-compose (nginx, three replicas and Redis in containers) and checks its behaviour.

    sudo make check-compose

If the sources have changed, it first builds the container image, in the storage of check-image. Container images that cannot
be pulled are built from Debian's packages. Everything runs in a separate network namespace, with its own ports and bridges and
no route to other networks. Exits 1 if a check fails.
"""
import pathlib
import re
import subprocess
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(SCRIPTS / "check-image"), str(SCRIPTS / "lib")]

import image
import report
import service
from checks import Checks
from composition import FILE, IMAGE, Composition
from engine import Engine, enter_namespace

# The engine locates its name server through a file in /run/containers. It must not find the name server of another
# network there. On hosts with both versions of control groups, the engine uses version 1, which has the memory
# controller.
PREPARE = """
mkdir -p /run/containers && mount -t tmpfs none /run/containers
if mountpoint -q /sys/fs/cgroup/unified; then umount -l /sys/fs/cgroup/unified; fi
ip link set lo up
"""


class Origin(service.Handler):
    """Serves an image at every path."""

    def do_GET(self):
        self.respond(200, (service.IMAGES / "scene.jpg").read_bytes(), Cache_Control="max-age=600")


def build():
    """Builds Headroom's container image and the tagged images of a registry, with the host's network."""
    needed = re.findall(r"^ +image: (\S+:\S+)", FILE.read_text(), re.MULTILINE)
    subprocess.run([sys.executable, "-B", SCRIPTS / "check-image/image.py", *needed], check=True)


enter_namespace(PREPARE, "--net", before=build)
engine = Engine(image.FOLDER)
engine.run("tag", image.IMAGE, IMAGE)
port = service.origin(Origin, "0.0.0.0").rpartition(":")[2]
composed = Composition(engine, pathlib.Path(sys.prefix) / "bin/podman-compose")
report.each(Checks(composed, port).all())
if report.FAILED:
    composed.run("down", "--volumes")
report.end()

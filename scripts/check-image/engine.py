"""podman with separate storage, in a separate mount namespace."""
import json
import os
import pathlib
import subprocess
import sys

ENTERED = "HEADROOM_CHECK_IMAGE_ENTERED"
# Engines need a pure version 2 of control groups; a mixed hierarchy is hidden from them, and no group is created.
HIDE_OLD_CGROUPS = """
if [ "$(stat -f -c %T /sys/fs/cgroup)" != cgroup2fs ]; then
    awk '$2 ~ "^/sys/fs/cgroup" { print $2 }' /proc/self/mounts | sort -r | xargs -r -n 1 umount -l
    mount -t cgroup2 none /sys/fs/cgroup
fi
exec "$@"
"""


def enter_namespace():
    """Restarts this program in a private mount namespace that ends with it."""
    if os.geteuid() != 0:
        sys.exit("check-image mounts file systems, so it needs root: sudo make check-image")
    if os.environ.get(ENTERED) is None:
        os.environ[ENTERED] = "1"
        command = ["unshare", "--mount", "sh", "-c", HIDE_OLD_CGROUPS, "sh", sys.executable, "-B", *sys.argv]
        os.execvp(command[0], command)


class Engine:
    def __init__(self, folder: pathlib.Path):
        temporary = folder / "tmp"
        temporary.mkdir(parents=True, exist_ok=True)
        self.environment = os.environ | {"TMPDIR": str(temporary)}
        self.options = [
            "--root", str(folder / "storage"), "--runroot", str(folder / "run"), "--storage-driver", "overlay",
            "--cgroup-manager", "cgroupfs", "--runtime", "crun", "--events-backend", "none",
        ]

    def run(self, *arguments, check=True, show=False, raw=False, **options):
        """Runs podman; its standard output is in the result unless it is shown, as bytes if it is raw."""
        capture = {} if show else {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": not raw}
        result = subprocess.run(["podman", *self.options, *arguments], env=self.environment, **capture, **options)
        if check and result.returncode != 0:
            sys.exit(f"podman {arguments[0]} failed: {'see above' if show else result.stderr}")
        return result

    def build(self, *arguments):
        """Builds an image, with the host's network and without control groups."""
        self.run(
            "build", "--isolation", "chroot", "--format", "docker", "--pull=never", "--layers=false", "--network", "host",
            *arguments, show=True,
        )

    def inspect(self, kind: str, name: str) -> dict:
        return json.loads(self.run(kind, "inspect", name).stdout)[0]

    def has_image(self, name: str) -> bool:
        return self.run("image", "exists", name, check=False).returncode == 0

    def inside(self, image: str, *command) -> str:
        """The output of a program of the image."""
        return self.run("run", "--rm", *CONFINED, "--entrypoint", command[0], image, *command[1:]).stdout


# Without them podman raises the limits, which a machine may forbid.
LIMITS = ["--cgroups", "disabled", "--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"]

# The same restrictions as deploy/kubernetes and docker-compose.yml: no writable file system, no capability, no new
# privileges. The engine's own seccomp profile applies as well. Host networking is used, so that no bridge is needed.
CONFINED = [
    "--read-only", "--read-only-tmpfs=false", "--cap-drop", "all", "--security-opt", "no-new-privileges",
    "--network", "host", *LIMITS,
]
# As a newcomer runs it.
ALONE = ["--network", "none", *LIMITS]

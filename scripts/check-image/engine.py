"""podman with separate storage, in a separate mount namespace."""
import json
import os
import subprocess
import sys

import report

ENTERED = "HEADROOM_CHECK_ENTERED"
# Engines require control groups of version 2 only. A mixed hierarchy is hidden from them, and no group is created.
WITHOUT_OLD_GROUPS = """
if [ "$(stat -f -c %T /sys/fs/cgroup)" != cgroup2fs ]; then
    awk '$2 ~ "^/sys/fs/cgroup" { print $2 }' /proc/self/mounts | sort -r | xargs -r -n 1 umount -l
    mount -t cgroup2 none /sys/fs/cgroup
fi
"""
# Without these options, podman raises the limits, which a machine may forbid.
LIMITS = ["--cgroups", "disabled", "--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"]
# The same restrictions as in deploy/kubernetes and docker-compose.yml: no writable file system, no capability, no new privileges.
# The engine's own seccomp profile also applies. Containers use the host's network, so that no bridge is needed.
CONFINED = [
    "--read-only", "--read-only-tmpfs=false", "--cap-drop", "all", "--security-opt", "no-new-privileges",
    "--network", "host", *LIMITS,
]
# The default options of the engine, as for a new user.
ALONE = ["--network", "none", *LIMITS]


def enter_namespace(prepare, *options, before=lambda: None):
    """Restarts this program, after shell commands, in a mount namespace and in the namespaces of the options."""
    if os.geteuid() != 0:
        report.skip("mounting file systems and creating networks requires root: sudo make …")
    if ENTERED not in os.environ:
        before()
        os.environ[ENTERED] = "1"
        shell = ["sh", "-c", f'{prepare}exec "$@"', "sh", sys.executable, "-B", *sys.argv]
        os.execvp("unshare", ["unshare", "--mount", *options, *shell])


class Engine:
    def __init__(self, folder):
        temporary = folder / "tmp"
        temporary.mkdir(parents=True, exist_ok=True)
        self.environment = os.environ | {"TMPDIR": str(temporary)}
        self.options = [
            "--root", str(folder / "storage"), "--runroot", str(folder / "run"), "--storage-driver", "overlay",
            "--cgroup-manager", "cgroupfs", "--runtime", "crun", "--events-backend", "none",
        ]

    def run(self, *arguments, check=True, text=True, **options):
        """Runs podman; the result contains its output, as bytes if it is not text."""
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        result = subprocess.run(["podman", *self.options, *arguments], check=False, env=self.environment, text=text, **options)
        if check and result.returncode != 0:
            sys.exit(f"podman {arguments[0]} failed: {result.stderr or 'see above'}")
        return result

    def build(self, *arguments, **options):
        """Builds an image with the network of the host, without control groups."""
        common = ["--isolation", "chroot", "--format", "docker", "--pull=never", "--layers=false", "--network", "host"]
        return self.run("build", *common, *arguments, **{"stdout": None, "stderr": None, **options})

    def inspect(self, kind, name):
        return json.loads(self.run(kind, "inspect", name).stdout)[0]

    def has_image(self, name):
        return self.run("image", "exists", name, check=False).returncode == 0

    def inside(self, image, *command):
        """Returns the output of a program in the image."""
        return self.run("run", "--rm", *CONFINED, "--entrypoint", command[0], image, *command[1:]).stdout

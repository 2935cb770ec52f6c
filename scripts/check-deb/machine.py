"""A machine of Debian's packages that boots systemd in namespaces of its own, with a network that has the loopback alone."""
import pathlib
import shutil
import subprocess
import sys
import time

NAME = "headroom-check"


class Machine:
    """`systemd-nspawn --boot` of a folder; at the end of a `with` block it is shut down."""

    def __init__(self, root: pathlib.Path):
        self.root = root

    def __enter__(self):
        command = [
            "systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--boot", "--console=pipe",
            "--machine", NAME, "--directory", self.root,
        ]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"})
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            self.leader = self.child()
            if self.leader and self.run("systemctl", "is-system-running", check=False).stdout.strip() in ("running", "degraded"):
                return self
            time.sleep(0.2)
        sys.exit("check-deb: systemd does not boot in systemd-nspawn here")

    def child(self):
        """The process that is number 1 in the machine."""
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/children"):
            for child in task.read_text().split():
                if pathlib.Path(f"/proc/{child}/comm").read_text().strip() == "systemd":
                    return child
        return None

    def run(self, *command, check=True):
        """Runs a program in the machine."""
        done = subprocess.run(["nsenter", "--target", self.leader, "--all", "--root", "--wd", "--", *command],
                              capture_output=True, text=True, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"})
        assert not check or done.returncode == 0, f"{' '.join(command)}: {done.stdout[-1500:]}{done.stderr[-1500:]}"
        return done

    def curl(self, *arguments):
        """Runs the curl of this host in the machine's network; its output as bytes, and the status of the response."""
        done = subprocess.run(["nsenter", "--target", self.leader, "--net", "--", "curl", "--silent", "--show-error", "--max-time", "30",
                               "--write-out", "%{stderr}%{http_code}", *arguments], capture_output=True)
        return done.stdout, done.stderr.decode().strip()

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()


def unpack(archive: pathlib.Path, root: pathlib.Path):
    """Unpacks a bare system."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    subprocess.check_call(["tar", "-C", root, "-xf", archive])


def in_root(root: pathlib.Path, *command):
    """Runs a program of a system that is not booted, with this host's network."""
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    done = subprocess.run(["chroot", root, *command], capture_output=True, text=True,
                          env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"})
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout[-1500:]}{done.stderr[-1500:]}"
    return done.stdout

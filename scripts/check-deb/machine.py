"""A machine of Debian packages that boots systemd in separate namespaces. Its network has only the loopback interface."""
import pathlib
import shutil
import subprocess

import report
import service

ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}


class Machine:
    """Runs `systemd-nspawn --boot` on a folder, and shuts the machine down at the end of a `with` block."""

    def __init__(self, root):
        self.root = root

    def __enter__(self):
        command = [
            "systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--boot", "--console=pipe",
            "--machine", "headroom-check", "--directory", self.root,
        ]
        environment = {"PATH": ENVIRONMENT["PATH"], "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        env=environment)
        service.wait_until(self.is_running, "systemd boots in systemd-nspawn", pause=0.2)
        return self

    def is_running(self):
        # The process with ID 1 in the machine.
        found = [pid for pid in service.children(self.process.pid)
                 if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == "systemd"]
        self.leader = found and str(found[0])
        return found and self.run("systemctl", "is-system-running", check=False) in ("running", "degraded")

    def run(self, *command, check=True):
        """Returns the output of a program in the machine."""
        inside = ["nsenter", "--target", self.leader, "--all", "--root", "--wd", "--", *command]
        done = subprocess.run(inside, check=False, capture_output=True, text=True, env=ENVIRONMENT)
        assert not check or done.returncode == 0, f"{' '.join(command)}: {done.stdout[-1500:]}{done.stderr[-1500:]}"
        return done.stdout.strip()

    def curl(self, *arguments):
        """Runs this host's curl in the machine's network; returns its output as bytes and the status of the response."""
        curl = "curl --silent --show-error --max-time 30 --write-out %{stderr}%{http_code}".split()
        inside = ["nsenter", "--target", self.leader, "--net", "--", *curl, *arguments]
        done = subprocess.run(inside, check=False, capture_output=True)
        return done.stdout, done.stderr.decode().strip()

    def __exit__(self, *_):
        service.end(self.process, 60)


def in_root(root, *command):
    """Runs a program of a system that is not booted, in this host's network."""
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    report.output("chroot", root, *command, env=ENVIRONMENT)

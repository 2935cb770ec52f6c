"""What drills need of this machine: namespaces, control groups, small disks; each says when it may not be had."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time

GROUPS = pathlib.Path("/sys/fs/cgroup")


class Skipped(Exception):
    """A drill that this machine does not allow; the text says why."""


def needs_root(what: str) -> None:
    if os.geteuid() != 0:
        raise Skipped(f"{what} needs root")


class ControlGroup:
    """Half a core and some memory, in version 1 or 2; removed at the end of the block."""

    def __init__(self, name: str, megabytes: int | None = None):
        needs_root("a control group")
        self.version = 2 if (GROUPS / "cgroup.controllers").exists() else 1
        quota = {"cpu.cfs_period_us": 100_000, "cpu.cfs_quota_us": 50_000}
        limits = {"cpu": {"cpu.max": "50000 100000"} if self.version == 2 else quota}
        if megabytes:
            limits["memory"] = {"memory.max" if self.version == 2 else "memory.limit_in_bytes": megabytes << 20}
        self.folders = {}
        try:
            for controller, values in limits.items():
                folder = GROUPS / name if self.version == 2 else GROUPS / controller / name
                folder.mkdir(exist_ok=True)
                self.folders[controller] = folder
                for file, value in values.items():
                    (folder / file).write_text(str(value))
        except OSError as error:
            self.remove()
            raise Skipped(f"a control group may not be made: {error}")

    def __enter__(self) -> "ControlGroup":
        return self

    def __exit__(self, *_) -> None:
        self.remove()

    def remove(self) -> None:
        for folder in set(self.folders.values()):
            for _ in range(50):
                with contextlib.suppress(OSError):
                    folder.rmdir()
                    break
                time.sleep(0.1)

    def add(self, process: int) -> None:
        """Moves a process with all its threads."""
        for folder in set(self.folders.values()):
            (folder / "cgroup.procs").write_text(str(process))

    def command(self, command: list[str]) -> list[str]:
        """A command that begins in the group."""
        joins = " && ".join(f"echo $$ > {folder}/cgroup.procs" for folder in set(self.folders.values()))
        return ["sh", "-c", f'{joins} && exec "$@"', "sh", *command]

    def kills(self) -> int:
        """Processes that the kernel has killed for lack of memory."""
        file = self.folders["memory"] / ("memory.events" if self.version == 2 else "memory.oom_control")
        return sum(int(line.split()[1]) for line in file.read_text().splitlines() if line.startswith("oom_kill "))


class HalfACore:
    """Halves a process' time: by a control group, else by stopping it for half of each tenth of a second."""

    def __init__(self, process: subprocess.Popen):
        self.process, self.group, self.ended = process, None, threading.Event()
        try:
            self.group = ControlGroup("headroom-drill-half")
            self.group.add(process.pid)
        except Skipped:
            self.thread = threading.Thread(target=self.run)
            self.thread.start()

    @property
    def means(self) -> str:
        return f"control group, version {self.group.version}" if self.group else "stopped for half of the time"

    def run(self) -> None:
        while not self.ended.is_set():
            self.process.send_signal(signal.SIGSTOP)
            time.sleep(0.05)
            self.process.send_signal(signal.SIGCONT)
            time.sleep(0.05)

    def end(self) -> None:
        """Before the process ends; its group is removed afterwards."""
        self.ended.set()
        if not self.group:
            self.thread.join()


@contextlib.contextmanager
def small_disk(folder: pathlib.Path, megabytes: int):
    """A file system of that size at a folder."""
    needs_root("a file system")
    folder.mkdir(parents=True, exist_ok=True)
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], capture_output=True, text=True)
    if made.returncode:
        raise Skipped(f"a file system may not be mounted: {made.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def with_resolver(address: str, folder: pathlib.Path, command: list[str]) -> list[str]:
    """A command with a name server of its own, in a mount namespace."""
    needs_root("a name server")
    if not shutil.which("unshare"):
        raise Skipped("unshare is not installed")
    file = folder / "resolv.conf"
    file.write_text(f"nameserver {address}\noptions timeout:1 attempts:1\n")
    return ["unshare", "-m", "sh", "-c", f'mount --bind {file} /etc/resolv.conf && exec "$@"', "sh", *command]

"""What drills need of this machine: namespaces, control groups, small disks; each says when it may not be had."""

import contextlib
import os
import pathlib
import subprocess
import time

GROUPS = pathlib.Path("/sys/fs/cgroup")


class Skipped(Exception):
    """A drill that this machine does not allow; the text says why."""


def needs_root(what: str) -> None:
    if os.geteuid() != 0:
        raise Skipped(f"{what} needs root")


class ControlGroup(contextlib.AbstractContextManager):
    """Half a core and some memory, in version 1 or 2; removed at the end of the block."""

    def __init__(self, name: str, megabytes: int | None = None):
        needs_root("a control group")
        self.version = 2 if (GROUPS / "cgroup.controllers").exists() else 1
        quota = {"cpu.max": "50000 100000"} if self.version == 2 else {"cpu.cfs_quota_us": 50_000}
        limits = {"cpu": quota}
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

    def around(self, command: list[str]) -> list[str]:
        """A command that begins in the group."""
        joins = " && ".join(f"echo $$ > {folder}/cgroup.procs" for folder in set(self.folders.values()))
        return ["sh", "-c", f'{joins} && exec "$@"', "sh", *command]

    def kills(self) -> int:
        """Processes that the kernel has killed for lack of memory."""
        file = self.folders["memory"] / ("memory.events" if self.version == 2 else "memory.oom_control")
        return sum(int(line.split()[1]) for line in file.read_text().splitlines() if line.startswith("oom_kill "))


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
    file = folder / "resolv.conf"
    file.write_text(f"nameserver {address}\noptions timeout:1 attempts:1\n")
    return ["unshare", "-m", "sh", "-c", f'mount --bind {file} /etc/resolv.conf && exec "$@"', "sh", *command]

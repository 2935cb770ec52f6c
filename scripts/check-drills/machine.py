"""Resources of this machine for drills: namespaces, control groups and small disks. An unavailable resource raises an
error."""
import contextlib
import functools
import os
import pathlib
import subprocess

import service

GROUPS = pathlib.Path("/sys/fs/cgroup")


class Skipped(Exception):
    """The error for a drill that cannot run on this machine; its text is the reason."""


def needs_root(what):
    if os.geteuid() != 0:
        raise Skipped(f"{what} needs root")


class ControlGroup(contextlib.AbstractContextManager):
    """Creates a control group of version 1 or 2 with half a core and some memory; removes it at the end of the block."""

    def __init__(self, name, megabytes=None):
        needs_root("a control group")
        self.is_new = (GROUPS / "cgroup.controllers").exists()
        limits = {("cpu", "cpu.max"): "50000 100000"} if self.is_new else {("cpu", "cpu.cfs_quota_us"): 50_000}
        if megabytes:
            limits["memory", "memory.max" if self.is_new else "memory.limit_in_bytes"] = megabytes << 20
        self.folders = {}
        try:
            for (controller, file), value in limits.items():
                folder = GROUPS / name if self.is_new else GROUPS / controller / name
                folder.mkdir(exist_ok=True)
                self.folders[controller] = folder
                (folder / file).write_text(str(value))
        except OSError as error:
            self.__exit__()
            raise Skipped(f"cannot create a control group: {error}") from error

    def __exit__(self, *_):
        for folder in set(self.folders.values()):
            service.wait_until(functools.partial(removed, folder), f"{folder} is removed", 5, 0.1)

    def add(self, process):
        """Moves a process with all its threads."""
        for folder in set(self.folders.values()):
            (folder / "cgroup.procs").write_text(str(process))

    def around(self, command):
        """Returns a command that runs the given command in the group."""
        joins = " && ".join(f"echo $$ > {folder}/cgroup.procs" for folder in set(self.folders.values()))
        return ["sh", "-c", f'{joins} && exec "$@"', "sh", *command]

    def kills(self):
        """Returns the number of processes that the kernel has killed for lack of memory."""
        file = self.folders["memory"] / ("memory.events" if self.is_new else "memory.oom_control")
        return sum(int(line.split()[1]) for line in file.read_text().splitlines() if line.startswith("oom_kill "))


def removed(group):
    with contextlib.suppress(OSError):
        group.rmdir()
    return not group.exists()


@contextlib.contextmanager
def small_disk(folder, megabytes):
    """Mounts a file system of the given size at a folder."""
    needs_root("a file system")
    folder.mkdir(parents=True, exist_ok=True)
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], check=False, capture_output=True, text=True)
    if made.returncode:
        raise Skipped(f"cannot mount a file system: {made.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def with_resolver(address, folder, command):
    """Returns a command that runs the given command with a separate name server, in a mount namespace."""
    needs_root("a name server")
    file = folder / "resolv.conf"
    file.write_text(f"nameserver {address}\noptions timeout:1 attempts:1\n")
    return ["unshare", "-m", "sh", "-c", f'mount --bind {file} /etc/resolv.conf && exec "$@"', "sh", *command]

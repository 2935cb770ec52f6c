"""Control groups of version 1 or 2, which limit the processor time and the memory of processes."""

import contextlib
import functools
import os
import pathlib

import service

GROUPS = pathlib.Path("/sys/fs/cgroup")
# The period of a limit of processor time, in microseconds.
PERIOD = 100_000


class Skipped(Exception):
    """The error if this machine lacks a resource; its text is the reason."""


def needs_root(what):
    if os.geteuid() != 0:
        raise Skipped(f"{what} needs root")


class ControlGroup(contextlib.AbstractContextManager):
    """Creates a control group with a number of cores and some memory; removes it at the end of the block."""

    def __init__(self, name, megabytes=None, cores=0.5):
        needs_root("a control group")
        self.is_new = (GROUPS / "cgroup.controllers").exists()
        quota = round(cores * PERIOD)
        if self.is_new:
            limits = {("cpu", "cpu.max"): f"{quota} {PERIOD}"}
        else:
            limits = {("cpu", "cpu.cfs_period_us"): f"{PERIOD}", ("cpu", "cpu.cfs_quota_us"): f"{quota}"}
        if megabytes:
            limits["memory", "memory.max" if self.is_new else "memory.limit_in_bytes"] = f"{megabytes << 20}"
        self.folders = {}
        try:
            for (controller, file), value in limits.items():
                folder = GROUPS / name if self.is_new else GROUPS / controller / name
                folder.mkdir(exist_ok=True)
                self.folders[controller] = folder
                (folder / file).write_text(value)
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

"""Processor time and memory of this process' descendants, also of those that end."""

import os
import pathlib
import resource
import threading
import time

TICKS = os.sysconf("SC_CLK_TCK")


def descendants() -> set[int]:
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
    found = {os.getpid()}
    while more := {number for number, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {os.getpid()}


class Usage:
    """Watches all descendants until the end of a block: wall clock, processor seconds, and memory at its largest.

    Processor seconds are the larger of two lower bounds: of a process that ends between two looks, the first bound lacks
    the time since the first of them; the second lacks processes for which their parent did not wait.
    """

    PAUSE = 0.1

    def __init__(self) -> None:
        self.seconds = self.processor = self.megabytes = 0.0
        self._times: dict[int, int] = {}
        self._before: dict[int, int] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Usage":
        self._look()
        self._before = dict(self._times)
        self._waited = self._waited_for()
        self._start = time.monotonic()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._look()
        self.seconds = time.monotonic() - self._start
        self._over.set()
        self._thread.join()
        seen = sum(ticks - self._before.get(number, 0) for number, ticks in self._times.items()) / TICKS
        self.processor = max(seen, self._waited_for() - self._waited)

    @staticmethod
    def _waited_for() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def _watch(self) -> None:
        while not self._over.wait(self.PAUSE):
            self._look()

    def _look(self) -> None:
        kilobytes = 0
        for number in descendants():
            process = pathlib.Path("/proc", str(number))
            try:
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                self._times[number] = int(fields[11]) + int(fields[12])
                lines = (process / "smaps_rollup").read_text().splitlines()
                kilobytes += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
            except (OSError, StopIteration):
                continue
        self.megabytes = max(self.megabytes, kilobytes / 1024)

"""Finds and kills processes below this one."""
import ctypes
import os
import pathlib
import random
import signal
import threading
import time


def adopt():
    """Makes this process the parent of those below it whose parents end (PR_SET_CHILD_SUBREAPER)."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def descendants():
    """The processes below this one: number and command line."""
    parents, commands = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                commands[int(entry.name)] = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except (OSError, ValueError):
                continue
    found = {os.getpid()}
    while more := {number for number, parent in parents.items() if parent in found} - found:
        found |= more
    return {number: commands[number] for number in found - {os.getpid()}}


class Killer:
    """Kills processes that `chooses` accepts, one at a time, while the body of a `with` runs."""

    def __init__(self, chooses, most, pause=1.0):
        self._chooses, self._most, self._pause = chooses, most, pause
        self.killed = []
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while len(self.killed) < self._most and not self._done.wait(self._pause):
            found = [number for number, command in descendants().items()
                     if number not in self.killed and self._chooses(number, command)]
            if found:
                number = random.choice(found)
                try:
                    os.kill(number, signal.SIGKILL)
                except ProcessLookupError:
                    continue
                self.killed.append(number)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()


def is_work(headroom):
    return lambda number, command: len(command) > 1 and command[0] == headroom and command[1] == "work"


def runs_work(headroom):
    """Processes with a child that is a `headroom work`: the Python worker of an actor."""
    def chooses(number, command):
        children = pathlib.Path(f"/proc/{number}/task").glob("*/children")
        try:
            numbers = {int(each) for path in children for each in path.read_text().split()}
        except OSError:
            return False
        found = descendants()
        return any(is_work(headroom)(each, found.get(each, [])) for each in numbers)
    return chooses


def is_executor(_, command):
    return any("CoarseGrainedExecutorBackend" in word for word in command)


def ended(chooses, seconds=180):
    """Whether all processes that `chooses` accepts end in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        alive = [number for number, command in descendants().items() if chooses(number, command) and not is_zombie(number)]
        if not alive:
            return True
        time.sleep(0.5)
    return False


def is_zombie(number):
    try:
        return pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def kill_driver(process, chooses, pause):
    """Kills a driver, and what it started, a while after the first process that `chooses` accepts begins."""
    while process.poll() is None and not any(chooses(*each) for each in descendants().items()):
        time.sleep(0.1)
    time.sleep(pause)
    was_running = process.poll() is None
    # Spark's driver is a process of Java below that of Python.
    drivers = [process.pid, *(number for number, command in descendants().items()
                              if any("SparkSubmit" in word for word in command))]
    for number in drivers:
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            continue
    process.wait()
    return was_running

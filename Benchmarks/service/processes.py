"""Server processes: starts them on a free port, measures them while they run, and ends them at the end of a block."""

import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import sys
import threading
import time
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))
from service import TICKS, ticks


class Unavailable(Exception):
    """The error if a compared program is not installed or does not start; its text is the reason."""


def family(pid):
    """Returns the folders in /proc of a process and of its descendants."""
    found, new = [], [pid]
    while new:
        found.append(pathlib.Path("/proc", str(new.pop())))
        for children in found[-1].glob("task/*/children"):
            with contextlib.suppress(OSError):
                new += map(int, children.read_text().split())
    return found


def megabytes(process, file, field):
    """Returns the content of a file in /proc for a process."""
    lines = (process / file).read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024


class Server:
    """A running server, with all processes that it has started."""

    def __init__(self, process, base):
        self.process, self.base = process, base

    def processor_seconds(self):
        return sum(map(ticks, family(self.process.pid))) / TICKS

    def forget_peak(self):
        for process in family(self.process.pid):
            (process / "clear_refs").write_text("5")

    def peak_megabytes(self):
        """The sum of the maximum resident memory of each process since the last `forget_peak`."""
        return sum(megabytes(process, "status", "VmHWM:") for process in family(self.process.pid))

    def resident_megabytes(self):
        """The current resident memory of all processes, with shared memory counted once."""
        return sum(megabytes(process, "smaps_rollup", "Pss:") for process in family(self.process.pid))


class Usage(threading.Thread):
    """Measures a server, or all descendants of this process, until the end of a block: wall clock time, processor seconds, and the
    maximum and the mean resident memory, with shared memory counted once.

    Processor seconds are the larger of two lower bounds. The first bound omits the time between the last sample of a
    process and its end. The second bound omits processes whose parent did not wait.
    """

    def __init__(self, server=None):
        super().__init__(daemon=True)
        self.server, self.pause, self.is_over = server, 0.02 if server else 0.1, threading.Event()
        self.seconds = self.processor = self.megabytes = self.sum = 0.0
        self.samples = 0
        self.ticks = {}

    def __enter__(self):
        self.sample()
        self.before, self.waited, self.begin = dict(self.ticks), self.waited_for(), time.monotonic()
        self.start()
        return self

    def __exit__(self, *_):
        self.sample()
        self.seconds = time.monotonic() - self.begin
        self.is_over.set()
        self.join()
        seen = sum(count - self.before.get(process, 0) for process, count in self.ticks.items()) / TICKS
        self.processor = max(seen, self.waited_for() - self.waited)

    @staticmethod
    def waited_for():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def run(self):
        while not self.is_over.wait(self.pause):
            self.sample()

    def sample(self):
        total = 0
        for process in family(self.server.process.pid) if self.server else family(os.getpid())[1:]:
            # A process may end in the meantime.
            with contextlib.suppress(OSError):
                self.ticks[process] = ticks(process)
                total += megabytes(process, "smaps_rollup", "Pss:")
        self.megabytes = max(self.megabytes, total)
        self.sum += total
        self.samples += 1

    @property
    def mean_megabytes(self):
        return self.sum / self.samples


@contextlib.contextmanager
def server(command, port, ready, **options):
    """Runs a server until the end of the block; the block starts when the server responds at the path `ready`."""
    base = f"http://127.0.0.1:{port}"
    # Uses a separate process group, which is ended as a whole, because some servers do not end the processes that they
    # started.
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    try:
        process = subprocess.Popen(command, **{**quiet, **options})
    except OSError as error:
        raise Unavailable(f"`{command[0]}` cannot be started: {error.strerror}") from error
    try:
        await_answer(process, base + ready)
        yield Server(process, base)
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(30)
        # Ends the rest of the group, which may still process requests of clients that are gone.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def await_answer(process, url, pause=0.1, seconds=60):
    """Waits until the server responds with success."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise Unavailable(f"`{process.args[0]}` ended with status {process.returncode}")
        with contextlib.suppress(OSError):
            return urllib.request.urlopen(url, timeout=5).close()
        time.sleep(pause)
    raise Unavailable(f"`{process.args[0]}` did not respond within {seconds:.0f} s")

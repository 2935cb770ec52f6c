"""Server processes: started on a free port, measured while they run, ended at the end of a block."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import typing
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))
from service import free_port  # noqa: E402, F401


class Unavailable(Exception):
    """A peer is not installed or does not start; the text says why."""


class Server:
    """A running server, with all processes that it has started."""

    def __init__(self, process: subprocess.Popen[bytes], base: str):
        self.process, self.base = process, base

    def processes(self) -> list[pathlib.Path]:
        """The folders below /proc of the server's process and of its descendants."""
        found, new = [], [self.process.pid]
        while new:
            pid = new.pop()
            found.append(pathlib.Path("/proc", str(pid)))
            for children in found[-1].glob("task/*/children"):
                with contextlib.suppress(OSError):
                    new += [int(child) for child in children.read_text().split()]
        return found

    def processor_seconds(self) -> float:
        """User and system time so far."""
        ticks = 0
        for process in self.processes():
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def forget_peak(self) -> None:
        for process in self.processes():
            (process / "clear_refs").write_text("5")

    def peak_megabytes(self) -> float:
        """The resident memory of each process at its largest since the last `forget_peak`, added up."""
        return self._megabytes("status", "VmHWM:")

    def resident_megabytes(self) -> float:
        """The resident memory of all processes now, with what they share counted once."""
        return self._megabytes("smaps_rollup", "Pss:")

    def _megabytes(self, file: str, field: str) -> float:
        """What a file in /proc says of each process, added up."""
        kilobytes = 0
        for process in self.processes():
            for line in (process / file).read_text().splitlines():
                if line.startswith(field):
                    kilobytes += int(line.split()[1])
        return kilobytes / 1024


class ResidentPeak(threading.Thread):
    """Watches the resident memory of a server until the end of a block."""

    SECONDS = 0.02

    def __init__(self, server: Server) -> None:
        super().__init__(daemon=True)
        self.server, self.megabytes, self.is_over = server, 0.0, threading.Event()

    def run(self) -> None:
        while not self.is_over.wait(self.SECONDS):
            # A process may end between two looks.
            with contextlib.suppress(OSError):
                self.megabytes = max(self.megabytes, self.server.resident_megabytes())

    def __enter__(self) -> "ResidentPeak":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over.set()
        self.join()


@contextlib.contextmanager
def server(command: list[str], port: int, ready: str, **options: typing.Any) -> typing.Iterator[Server]:
    """Runs a server until the end of the block, which begins when it answers at the path `ready`."""
    base = f"http://127.0.0.1:{port}"
    # A group of its own, which is ended as a whole: not every server takes along the processes that it has started.
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    try:
        process = subprocess.Popen(command, **{**quiet, **options})
    except OSError as error:
        raise Unavailable(f"`{command[0]}` cannot be started: {error.strerror}")
    try:
        await_answer(process, base + ready)
        yield Server(process, base)
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(30)
    # Whatever is left of the group, which may still be busy with requests that nobody waits for.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def await_answer(process: subprocess.Popen[bytes], url: str, pause: float = 0.1, seconds: float = 60) -> None:
    """Returns when the server answers with success."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise Unavailable(f"`{process.args[0]}` ended with status {process.returncode}")
        with contextlib.suppress(OSError):
            urllib.request.urlopen(url, timeout=5).close()
            return
        time.sleep(pause)
    raise Unavailable(f"`{process.args[0]}` did not answer within {seconds:.0f} s")

"""Finds and kills descendants of this process."""
import contextlib
import ctypes
import pathlib
import random
import subprocess
import sys
import threading
import time

import psutil
import pyarrow.parquet as pq
from rows import EXECUTABLE, check, compare


def adopt():
    """Makes this process the parent of orphaned descendants (PR_SET_CHILD_SUBREAPER)."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def is_work(process):
    return process.cmdline()[:2] == [str(EXECUTABLE), "work"]


def runs_work(process):
    """Returns whether a process has a child `headroom work`, like the Python worker of an actor."""
    return any(is_work(child) for child in process.children())


def is_executor(process):
    return "CoarseGrainedExecutorBackend" in " ".join(process.cmdline())


def running(chooses):
    """Returns the descendants of this process that `chooses` accepts."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if process.status() != psutil.STATUS_ZOMBIE and chooses(process):
                found.append(process)
    return found


@contextlib.contextmanager
def killer(chooses, most, pause=1.0, kill=psutil.Process.kill):
    """Kills processes that `chooses` accepts, one at a time, while the body of a `with` block runs; the body gets their list."""
    killed, over = [], threading.Event()

    def run():
        while len(killed) < most and not over.wait(pause):
            if found := [process for process in running(chooses) if process not in killed]:
                process = random.choice(found)
                with contextlib.suppress(psutil.NoSuchProcess):
                    kill(process)
                    killed.append(process)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


def timed(name, crop, expected, killing=None):
    """Compares the rows that `crop` returns, while processes are killed."""
    start = time.monotonic()
    with killing or contextlib.nullcontext() as killed:
        rows = crop()
    compare(name, rows, expected, f"{time.monotonic() - start:.1f} s" + (f", {len(killed)} killed" if killed else ""))
    if killed is not None:
        check(f"{name}: a process was killed", bool(killed))


def check_driver(engine, source, expected, folder):
    """Kills a driver one second after it starts its first `headroom work`, and runs it again. The driver is a module of
    this check."""
    name, out = f"{engine.capitalize()}, driver killed", folder / f"{engine}-driver"
    command = [sys.executable, pathlib.Path(__file__).parent / f"on_{engine}.py", source, out, folder]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while first.poll() is None and not running(is_work):
        time.sleep(0.1)
    time.sleep(1)
    check(f"{name}: it was running", first.poll() is None)
    # Spark's driver is a Java process below the Python process.
    for process in running(lambda each: each.pid == first.pid or "SparkSubmit" in " ".join(each.cmdline())):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    first.wait()
    until = time.monotonic() + 180
    while (alive := running(lambda each: is_work(each) or is_executor(each))) and time.monotonic() < until:
        time.sleep(0.5)
    check(f"{name}: no process is left", not alive)
    start = time.monotonic()
    second = subprocess.run(command, check=False, capture_output=True, text=True)
    check(f"{name}: it runs again", second.returncode == 0, second.stderr[-2000:] if second.returncode else "")
    if second.returncode == 0:
        compare(name, pq.read_table(out).to_pylist(), expected, f"{time.monotonic() - start:.1f} s")

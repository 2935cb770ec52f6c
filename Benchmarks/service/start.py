"""Measures the duration of a start, and the time until the only worker is replaced after it is killed."""

import contextlib
import os
import signal
import socket
import statistics
import subprocess
import time
import urllib.request

import page
import processes
import service

REQUEST = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
# The interval between two checks, in seconds.
PAUSE = 0.0005
# The minimum lifetime of a worker in seconds: a worker that exits sooner counts as failing to start, and its successor must wait.
SHORTEST_LIFE = 1.1
# The maximum wait for the spare worker, in seconds. Programs without a spare worker are measured as well.
MAX_SPARE_WAIT = 5


def measure(program, runs):
    starts, successors = zip(*(_once(program) for _ in range(runs)))
    rows = [
        ("the service, to a 200 from `/readyz`", starts),
        ("`headroom --version`: libraries and the command line", [_version(program) for _ in range(runs)]),
        ("the successor of a killed worker, to its count in `/metrics`", successors),
    ]
    head = [f"milliseconds, of {runs} runs", "shortest", "median", "longest"]
    return page.table(head, [[name, *_figures(times)] for name, times in rows])


def _figures(times):
    return [f"{1000 * time:.1f}" for time in (min(times), statistics.median(times), max(times))]


def _version(program):
    start = time.monotonic()
    subprocess.run([program, "--version"], stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


def _once(program):
    """Returns the seconds of a start, and the seconds until a killed worker has a successor."""
    port = service.free_port()
    start = time.monotonic()
    process = subprocess.Popen(
        [program, "serve", "--workers", "1", "--port", str(port)], env=service.own_environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(port, process, "200")
        ready = time.monotonic()
        # The spare worker starts later than the worker.
        worker = service.children(service.service_of(process.pid))[0]
        time.sleep(SHORTEST_LIFE)
        end = time.monotonic() + MAX_SPARE_WAIT
        while 'worker="spare"' not in _metrics(port) and time.monotonic() < end:
            time.sleep(0.1)
        os.kill(worker, signal.SIGKILL)
        killed = time.monotonic()
        while "\nheadroom_worker_restarts_total 1\n" not in _metrics(port):
            if time.monotonic() > killed + 30:
                raise processes.Unavailable(f"{program}: the killed worker has no successor")
            time.sleep(PAUSE)
        return ready - start, time.monotonic() - killed
    finally:
        process.terminate()
        process.wait()


def _wait(port, process, status):
    """Waits until `/readyz` responds with a status."""
    end = time.monotonic() + 30
    while _status(port) != status:
        if process.poll() is not None or time.monotonic() > end:
            raise processes.Unavailable(f"{process.args[0]}: /readyz does not respond with {status}")
        time.sleep(PAUSE)


def _metrics(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as response:
        return response.read().decode()


def _status(port):
    """Returns the status of `/readyz`; an empty text if the service does not listen."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(REQUEST)
        return connection.recv(64).decode("latin-1").partition(" ")[2][:3]
    return ""

"""How long it takes from the start of the process to a 200 from `/readyz`."""

import contextlib
import socket
import statistics
import subprocess
import time

import page
import processes
import service

REQUEST = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def measure(program, runs):
    times = sorted(_once(program) for _ in range(runs))
    head = ["milliseconds to a 200 from `/readyz`", "shortest", "median", "longest"]
    figures = [f"{time * 1000:.1f}" for time in (times[0], statistics.median(times), times[-1])]
    return page.table(head, [[f"of {runs} starts", *figures]])


def _once(program):
    port = service.free_port()
    start = time.monotonic()
    command = [program, "serve", "--port", str(port)]
    process = subprocess.Popen(
        command, env=service.own_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not _is_ready(port):
            if process.poll() is not None or time.monotonic() > start + 30:
                raise processes.Unavailable(f"{program} does not start")
            time.sleep(0.0005)
        return time.monotonic() - start
    finally:
        process.terminate()
        process.wait()


def _is_ready(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(REQUEST)
        return connection.recv(64).startswith(b"HTTP/1.1 200 ")
    return False

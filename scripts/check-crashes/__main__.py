"""Repeatedly kills the service process by a signal under load, and counts the requests that clients lose.

    scripts/check-crashes [PROGRAM] [--rounds N] [--page docs/contributing/architecture.md]

Fifty clients send requests as fast as they can, first on persistent connections, then with a new connection for each
request. Exits 1 if a connection is refused, if the number of failed requests exceeds the number of requests in
progress, or if the service does not respond within a second.
"""
import argparse
import functools
import os
import pathlib
import signal
import socket
import statistics
import sys
import threading
import time

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SCRIPTS / "lib"), str(SCRIPTS.parent / "Benchmarks" / "service")]
import page
from report import check, end
from service import EXECUTABLE, Service, children, process_status, wait_until

CLIENTS = 50
# Seconds between two signals. The interval is so long that the parent does not delay the next start.
PAUSE = 1.5
HEAD = ["connections", "signal", "crashes", "requests", "failed", "failed of each crash", "refused connections",
        "ms to the first response: median", "longest"]


class Client(threading.Thread):
    """Sends requests one after the other until the load ends; records failures by the start time of the request."""

    def __init__(self, port, ended, is_kept):
        super().__init__(daemon=True)
        self.port, self.ended, self.is_kept = port, ended, is_kept
        self.responses, self.failures, self.refused = [], [], 0

    def run(self):
        connection = None
        while not self.ended.is_set():
            start = time.monotonic()
            try:
                connection = connection or socket.create_connection(("127.0.0.1", self.port), 10)
            except OSError:
                self.refused += 1
                continue
            if self.ask(connection):
                self.responses.append(time.monotonic())
            else:
                self.failures.append(start)
            if not self.is_kept or self.failures[-1:] == [start]:
                connection.close()
                connection = None

    def ask(self, connection):
        field = b"" if self.is_kept else b"Connection: close\r\n"
        try:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + field + b"\r\n")
            response = b""
            while not response.endswith(b"ok\n"):
                part = connection.recv(4096)
                if not part:
                    return False
                response += part
            return response.startswith(b"HTTP/1.1 200 ")
        except OSError:
            return False


def load(program, number, is_kept, rounds):
    """Measures a row of the table: crashes under load."""
    with Service(program, "--workers", "1") as started:
        ended = threading.Event()
        clients = [Client(started.port, ended, is_kept) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        times = []
        for _ in range(rounds):
            time.sleep(PAUSE)
            process = started.pid
            crash = time.monotonic()
            os.kill(process, number)
            response = wait_until(functools.partial(first_response, clients, crash, process), "a response", 10, 0.002)
            times.append((response - crash) * 1000)
        time.sleep(PAUSE)
        ended.set()
        for client in clients:
            client.join(15)
        failed, refused = sum(len(client.failures) for client in clients), sum(client.refused for client in clients)
        responses = sum(len(client.responses) for client in clients)
        status = started.stop()
    name, kind = signal.Signals(number).name, "kept" if is_kept else "one for each request"
    what = f"{name}, connections {kind}"
    check(f"{what}: no connection is refused", refused == 0, refused)
    check(f"{what}: only requests in progress fail", failed <= CLIENTS * rounds, f"{failed} of {failed + responses}")
    check(f"{what}: a response within a second", max(times) < 1000, f"{max(times):.0f} ms")
    check(f"{what}: the service stops with 0", status == 0, status)
    return [kind, name, str(rounds), f"{responses + failed:,}", str(failed), f"{failed / rounds:.1f}", str(refused),
            f"{statistics.median(times):.0f}", f"{max(times):.0f}"]


def first_response(clients, crash, process):
    """Returns the time of the new process's first response; a socket may still contain responses of the crashed process."""
    if pathlib.Path(f"/proc/{process}/exe").exists():
        return None
    # Clients read a response that was already sent within a few milliseconds.
    later = [time for client in clients for time in client.responses[-2000:] if time > crash + 0.01]
    return min(later, default=None)


def parent(program):
    """Returns the memory of the parent, in MiB."""
    with Service(program, "--workers", "1") as started:
        lines = process_status(pathlib.Path(f"/proc/{started.process.pid}/status").read_text())
        rollup = dict(line.split(":") for line in
                      pathlib.Path(f"/proc/{started.process.pid}/smaps_rollup").read_text().splitlines()[1:])
        resident, shared = (int(text.split()[0]) / 1024 for text in (lines["VmRSS"], rollup["Pss"]))
        private = sum(int(rollup[name].split()[0]) for name in ("Private_Clean", "Private_Dirty")) / 1024
        check("the parent has one thread and one child", lines["Threads"] == "1" and len(children(started.process.pid)) == 1)
    return f"{resident:.1f} MiB resident, {shared:.1f} with shared pages counted once, {private:.1f} private"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default=str(EXECUTABLE))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--page", type=pathlib.Path, help="a page with a placeholder for the table")
    options = parser.parse_args()
    rows = [load(options.program, number, is_kept, options.rounds)
            for number in (signal.SIGILL, signal.SIGSEGV, signal.SIGKILL) for is_kept in (False, True)]
    table = page.table(HEAD, rows)
    print(table)
    print("The parent:", parent(options.program))
    if options.page:
        page.insert(options.page, "crashes", table)
    end()


main()

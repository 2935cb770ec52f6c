"""Measures when proxies close idle connections to the service, and compares the times with docs/proxies.md.

The service must close its idle connections later (--idle-timeout), otherwise some requests fail.
"""
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import fleet
import proxies
import service

PAGE = service.ROOT / "docs/proxies.md"
# The rows of the page, by the name of the proxy.
ROWS = {"nginx": "nginx", "Varnish": "Varnish", "squid": "squid", "HAProxy": "HAProxy", "Apache": "Apache httpd",
        "Traffic Server": "Apache Traffic Server"}
# The maximum wait in seconds: more than each measured time of the page. Envoy's hour is not measured.
MAX_SECONDS = 140
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain\r\nCache-Control: no-store\r\n\r\nok"


class Backend:
    """A server that never closes connections, and records when the proxy closes them."""

    def __init__(self):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        # Times of requests, and idle times of closed connections.
        self.requests, self.idle, self.opened = [], [], 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection = self.server.accept()[0]
            self.opened += 1
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        data, last = b"", time.monotonic()
        try:
            while part := connection.recv(65536):
                data += part
                while b"\r\n\r\n" in data:
                    data = data.partition(b"\r\n\r\n")[2]
                    connection.sendall(ANSWER)
                    last = time.monotonic()
                    self.requests.append(last)
        except OSError:
            pass
        # Connections without a request are not in the pool.
        if self.requests:
            self.idle.append(time.monotonic() - last)


def documented(name):
    """Returns the seconds in the row of a proxy, for nginx the time in deploy/nginx.conf; nil for words."""
    row = next(line for line in PAGE.read_text().splitlines() if line.startswith(f"| {ROWS[name]} |"))
    pattern = r"(\d+) s in \[deploy" if name == "nginx" else r"^\s*(\d+) s\b"
    found = re.search(pattern, row.split("|")[2])
    return int(found[1]) if found else None


def waits(kind, folder):
    """Sends some requests through a proxy, and waits until it closes its connections."""
    backend = Backend()
    # The end of Apache's time is visible only in the next request, so it is short.
    proxy = kind(folder, backend.port, "ttl=3" if kind is proxies.Apache else "")
    with fleet.running(proxy):
        for number in range(3):
            assert service.ask(proxy.port, f"/frame?{number}")[0] == 200
        if kind is proxies.Apache:
            return apache(proxy, backend)
        begin, before = time.monotonic(), len(backend.idle)
        while len(backend.idle) == before and time.monotonic() < begin + MAX_SECONDS:
            time.sleep(0.1)
        idle = backend.idle[-1] if len(backend.idle) > before else None
    expected = documented(kind.name)
    said = f"closed after {idle:.0f} s" if idle is not None else f"open after {MAX_SECONDS} s"
    # Proxies check their connections at intervals of up to five seconds.
    assert idle is not None and expected is not None and abs(idle - expected) <= 6, f"{said}, the page: {expected} s"
    return said


def apache(proxy, backend):
    """Apache does not close a connection after `ttl`, but opens a new one for the next request."""
    opened = backend.opened
    for number in range(3):
        service.ask(proxy.port, f"/frame?again={number}")
    assert backend.opened == opened, "connections are not reused"
    time.sleep(float(proxy.settings.removeprefix("ttl=")) + 1)
    service.ask(proxy.port, "/frame?later")
    assert backend.opened == opened + 1, "a connection was reused after ttl"
    return "not reused after ttl"


def checks(found, folder):
    """One check per proxy; all proxies wait at the same time."""
    kinds = [kind for kind in found if kind.name in ROWS]
    pool = ThreadPoolExecutor(len(kinds))
    running = {kind.name: pool.submit(waits, kind, folder / f"idle-{kind.__name__.lower()}") for kind in kinds}
    return {f"idle connections of {name}": future.result for name, future in running.items()}

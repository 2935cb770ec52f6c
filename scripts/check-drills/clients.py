"""Clients that request one thing after another, and what they got."""

import collections
import concurrent.futures
import contextlib
import http.client
import threading
import time


class Clients:
    """Threads that send requests until the end of the block; `ask` makes a method, a path and a body."""

    good = (200,)

    def __init__(self, port: int, ask, threads: int = 4, pause: float = 0):
        self.port, self.ask, self.pause = port, ask, pause
        self.statuses, self.longest, self.count = collections.Counter(), 0.0, 0
        self.lock, self.ended = threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self.run, daemon=True) for _ in range(threads)]

    def __enter__(self) -> "Clients":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def run(self) -> None:
        while not self.ended.is_set():
            with self.lock:
                number, self.count = self.count, self.count + 1
            self.record(*send(self.port, *self.ask(number)))
            self.ended.wait(self.pause)

    def record(self, status, seconds: float) -> None:
        with self.lock:
            self.statuses[status] += 1
            self.longest = max(self.longest, 1000 * seconds)

    requests = property(lambda self: sum(self.statuses.values()))
    lost = property(lambda self: sum(count for status, count in self.statuses.items() if status not in self.good))


def send(port: int, method: str, path: str, body: bytes | None = None):
    """The status of a response, or the name of an error, and the seconds until its end."""
    begin = time.monotonic()
    try:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            connection.request(method, path, body)
            answer = connection.getresponse()
            answer.read()
            status = answer.status
    except (OSError, http.client.HTTPException) as error:
        status = type(error).__name__
    return status, time.monotonic() - begin


def at_once(port: int, requests: list) -> Clients:
    """Sends all requests at the same time, and waits for all."""
    clients = Clients(port, None, threads=0)
    with concurrent.futures.ThreadPoolExecutor(len(requests)) as pool:
        list(pool.map(lambda request: clients.record(*send(port, *request)), requests))
    return clients

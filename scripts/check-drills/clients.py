"""Clients that request one thing after another, and what they got."""

import collections
import contextlib
import http.client
import threading
import time


class Clients:
    """Threads that send requests until the end of the block; `ask` makes a method, a path and a body, `good` are statuses."""

    def __init__(self, port: int, ask, threads: int = 4, good=(200,), pause: float = 0):
        self.port, self.ask, self.good, self.pause = port, ask, good, pause
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
            time.sleep(self.pause)

    def record(self, status, seconds: float) -> None:
        with self.lock:
            self.statuses[status] += 1
            self.longest = max(self.longest, 1000 * seconds)

    @property
    def requests(self) -> int:
        return sum(self.statuses.values())

    @property
    def lost(self) -> int:
        return sum(count for status, count in self.statuses.items() if status not in self.good)


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
    """Sends all requests at the same moment, and waits for all."""
    clients, barrier = Clients(port, None, threads=0), threading.Barrier(len(requests))

    def run(request) -> None:
        barrier.wait()
        clients.record(*send(port, *request))

    threads = [threading.Thread(target=run, args=(request,)) for request in requests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return clients

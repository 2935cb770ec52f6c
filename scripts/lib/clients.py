"""Clients that request one crop after another during an event, and the outcomes of their requests."""
import collections
import concurrent.futures
import http.client
import threading
import time

import service


class Clients:
    """Threads that send requests until the block ends; `ask` creates a path, and optionally a body, from a number."""

    def __init__(self, port, ask, threads=4, pause=0.0, good=(200,)):
        self.port, self.ask, self.pause, self.good = port, ask, pause, good
        self.statuses, self.longest, self.count = collections.Counter(), 0.0, 0
        self.lock, self.ended = threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self.run, daemon=True) for _ in range(threads)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def run(self):
        while not self.ended.is_set():
            with self.lock:
                number, self.count = self.count, self.count + 1
            self.send(*self.ask(number))
            self.ended.wait(self.pause)

    def send(self, path, body=None):
        """Counts the status of a response, or the name of an error."""
        begin = time.monotonic()
        try:
            status, _, response = service.ask(self.port, path, body)
            if status == 200 and not service.is_jpeg(response):
                status = "no JPEG"
        except (OSError, http.client.HTTPException) as error:
            status = type(error).__name__
        with self.lock:
            self.statuses[status] += 1
            # Milliseconds.
            self.longest = max(self.longest, 1000 * (time.monotonic() - begin))

    def at_once(self, requests):
        """Sends all requests at the same time, and waits for all."""
        with concurrent.futures.ThreadPoolExecutor(len(requests)) as pool:
            list(pool.map(lambda request: self.send(*request), requests))
        return self

    @property
    def requests(self):
        return sum(self.statuses.values())

    @property
    def lost(self):
        return sum(count for status, count in self.statuses.items() if status not in self.good)

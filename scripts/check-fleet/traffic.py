"""Distinct pictures, URLs of their crops, and background load."""

import concurrent.futures
import contextlib
import dataclasses
import http.client
import pathlib
import threading
import time
import urllib.parse

import load

DRAWN = ["scene.jpg", "row.jpg", "portrait.jpg"]
# The fastest detection, which gives the most requests.
CROP = "/frame?aspect=1:1&width=300&accuracy=low"


def draw(source: pathlib.Path, target: pathlib.Path, count: int) -> list[str]:
    """Writes `count` pictures of similar cost and different bytes; returns their names."""
    target.mkdir(parents=True)
    names = []
    for number in range(count):
        name = f"{number}.jpg"
        write(target / name, source / DRAWN[number % len(DRAWN)], number)
        names.append(name)
    return names


def write(target: pathlib.Path, drawn: pathlib.Path, number: int) -> None:
    """A JPEG with its number in a comment (ITU-T T.81 §B.2.4.5), so that caches distinguish it."""
    data = drawn.read_bytes()
    comment = f"picture {number}".encode()
    target.write_bytes(data[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + data[2:])


def crop(origin: str, name: str, **parameters) -> str:
    """The path of a crop of a picture of the origin."""
    url = urllib.parse.quote(f"http://{origin}/{name}", safe="")
    return f"{CROP}&url={url}" + "".join(f"&{key}={value}" for key, value in parameters.items())


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The results of requests during an event."""

    requests: int
    failures: int
    per_second: float
    p99: float
    longest: float

    def __str__(self) -> str:
        return f"{self.requests:,} requests, {self.failures} failed, p99 {self.p99:.0f} ms, longest {self.longest:.0f} ms"


class Uploads:
    """Clients that post one picture after the other until the end of the block."""

    def __init__(self, port: int, picture: bytes, clients: int = 2):
        self.port, self.picture = port, picture
        self.sent, self.failures, self.longest = 0, [], 0.0
        self.lock, self.ended = threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self.post) for _ in range(clients)]

    def __enter__(self) -> "Uploads":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def post(self) -> None:
        while not self.ended.is_set():
            failure, begin = None, time.monotonic()
            try:
                with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
                    connection.request("POST", CROP, self.picture)
                    answer = connection.getresponse()
                    body = answer.read()
                    if answer.status != 200 or not body.startswith(b"\xff\xd8"):
                        failure = f"{answer.status} {body[:100]!r}"
            except (OSError, http.client.HTTPException) as error:
                failure = repr(error)
            with self.lock:
                self.sent += 1
                self.longest = max(self.longest, 1000 * (time.monotonic() - begin))
                if failure:
                    self.failures.append(failure)


def while_loaded(
    front, paths: list[str], picture: bytes, seconds: float, events, connections: int = 8, uploads: int = 2
) -> Outcome:
    """Requests the paths and posts the picture for the given time; runs the events, pairs of a time and a function."""
    with concurrent.futures.ThreadPoolExecutor(1) as background, Uploads(front.port, picture, uploads) as uploads:
        asked = background.submit(load.send, front.base, paths, connections=connections, seconds=seconds)
        begin = time.monotonic()
        for moment, event in events:
            time.sleep(max(0, begin + moment - time.monotonic()))
            event()
        result = asked.result()
    for failure in uploads.failures[:3]:
        print(f"        an upload failed: {failure}")
    return Outcome(
        result.requests + uploads.sent, result.failures + len(uploads.failures), result.per_second, result.p99,
        max(result.longest, uploads.longest),
    )


def get(port: int, path: str, headers: dict[str, str] = {}, address: str = "127.0.0.1"):
    """Status, headers and body of one request, from one of this host's addresses."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(address, 0))
    with contextlib.closing(connection):
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def nginx_status(fields) -> str:
    """nginx's entry in Cache-Status, to which every cache on the path adds one (RFC 9211)."""
    members = ",".join(fields.get_all("Cache-Status", [])).split(",")
    return next((member.strip() for member in members if member.strip().startswith("nginx;")), "")

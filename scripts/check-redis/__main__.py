#!/usr/bin/env python3
"""Measures response times while Redis is available, full, hanging, down or restarting, compared with a service without it.

    scripts/check-redis [PROGRAM] [--seconds N] [--rounds N] [--page docs/caching.md]

One client alternates between a crop in memory and a crop of a new picture, which needs three lookups in Redis. Exits 1 if
a request fails, or if requests are delayed by more than 20 ms: the p99 by that much compared with no Redis, or the
longest in every round. Needs nginx and redis-server.
"""
import argparse
import contextlib
import dataclasses
import http.client
import pathlib
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import typing
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks" / "service"))
import contenders  # noqa: E402
import origin  # noqa: E402
import page  # noqa: E402
import processes  # noqa: E402

MOST_DELAY = 20.0
# Interval at which Redis is stopped and resumed, or killed and started, in the states with repeated disturbances.
PERIOD = 0.7
FILES = 4000


class Redis:
    """A redis-server without persistence."""

    def __init__(self, *options: str):
        self.port, self.options = processes.free_port(), options
        self.start()

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--save", "", "--appendonly", "no", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as probe:
                probe.sendall(b"PING\r\n")
                if probe.recv(5) == b"+PONG":
                    return
            time.sleep(0.01)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

    def hang(self, on: bool = True) -> None:
        self.process.send_signal(signal.SIGSTOP if on else signal.SIGCONT)


def hang_now_and_then(redis: Redis, ended: threading.Event) -> None:
    while not ended.wait(PERIOD):
        redis.hang()
        ended.wait(PERIOD)
        redis.hang(False)


def restart_now_and_then(redis: Redis, ended: threading.Event) -> None:
    while not ended.wait(PERIOD):
        redis.stop()
        ended.wait(PERIOD / 2)
        redis.start()


@dataclasses.dataclass
class State:
    name: str
    options: list[str] = dataclasses.field(default_factory=list)
    has_redis: bool = True
    """Run once the service has used Redis."""
    begin: typing.Callable[[Redis], None] = lambda redis: None
    """Run repeatedly in a thread of its own."""
    disturb: typing.Callable[[Redis, threading.Event], None] | None = None


STATES = [
    State("no Redis", has_redis=False),
    State("well"),
    State("full", ["--maxmemory", "1", "--maxmemory-policy", "noeviction"]),
    State("hanging", begin=Redis.hang),
    State("hanging now and then", disturb=hang_now_and_then),
    State("gone", begin=Redis.stop),
    State("restarted now and then", disturb=restart_now_and_then),
]


class Client:
    def __init__(self, base: str):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(base).netloc, timeout=30)
        self.connection.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, path: str) -> float:
        """Milliseconds to a response, which must be successful."""
        begin = time.perf_counter()
        self.connection.request("GET", path)
        answer = self.connection.getresponse()
        answer.read()
        if answer.status != 200:
            sys.exit(f"{answer.status} for {path}")
        return (time.perf_counter() - begin) * 1000


def measure(program: str, state: State, host: str, seconds: float) -> tuple[list[float], list[float]]:
    """The times of cached crops and of new ones."""
    def path(number: int) -> str:
        source = urllib.parse.quote(f"http://{host}/{number}.jpg", safe="")
        return f"/frame?url={source}&aspect=1:1&width=100&accuracy=low"

    kept, new = [], []
    redis = Redis(*state.options) if state.has_redis else None
    ended = threading.Event()
    disturber = None
    try:
        options = ["--redis", f"redis://127.0.0.1:{redis.port}"] if redis else []
        with contenders.headroom(program, *options, caches=[]) as server:
            client = Client(server.base)
            for number in range(20):
                client.ask(path(number))
            if redis:
                state.begin(redis)
                if state.disturb:
                    disturber = threading.Thread(target=state.disturb, args=(redis, ended))
                    disturber.start()
            end = time.monotonic() + seconds
            for number in range(20, FILES):
                kept.append(client.ask(path(0)))
                new.append(client.ask(path(number)))
                if time.monotonic() > end:
                    break
    finally:
        ended.set()
        if disturber:
            disturber.join()
        if redis:
            redis.stop()
    return kept, new


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default=str(ROOT / ".build/release/headroom"))
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--page", type=pathlib.Path, help="a page with a placeholder for the table")
    options = parser.parse_args()
    rounds: dict[str, list[tuple[list[float], list[float]]]] = {state.name: [] for state in STATES}
    with contextlib.ExitStack() as running:
        folder = pathlib.Path(running.enter_context(tempfile.TemporaryDirectory()))
        (folder / "run").mkdir()
        picture = (ROOT / "docs" / "pictures" / "portrait.jpg").read_bytes()
        for number in range(FILES):
            # Bytes after a JPEG's end do not change the picture, but its digest.
            (folder / f"{number}.jpg").write_bytes(picture + number.to_bytes(4, "big"))
        host = running.enter_context(origin.nginx(folder, folder / "run", cache_control="max-age=3600"))
        for _ in range(options.rounds):
            for state in STATES:
                rounds[state.name].append(measure(options.program, state, host, options.seconds))
    rows, is_slow = [], False
    usual = rounds["no Redis"]
    for state in STATES:
        cells = [state.name]
        for kind in range(2):
            times = [time for one in rounds[state.name] for time in one[kind]]
            others = [time for one in usual for time in one[kind]]
            longest = min(max(one[kind]) for one in rounds[state.name])
            is_slow = is_slow or percentile(times, 0.99) > percentile(others, 0.99) + MOST_DELAY
            is_slow = is_slow or longest > min(max(one[kind]) for one in usual) + MOST_DELAY
            cells += [f"{statistics.median(times):.1f}", f"{percentile(times, 0.99):.1f}", f"{longest:.1f}"]
        rows.append(cells + [f"{sum(len(one[1]) for one in rounds[state.name]):,}"])
    head = ["Redis", "cached: p50", "p99", "maximum", "new: p50", "p99", "maximum", "requests of each"]
    table = page.table(head, rows)
    print(table)
    if options.page:
        page.insert(options.page, "redis", table)
    sys.exit(f"Requests are delayed by more than {MOST_DELAY:.0f} ms." if is_slow else 0)


if __name__ == "__main__":
    main()

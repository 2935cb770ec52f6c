"""Measures response times while Redis is available, full, hanging, down or restarting, compared with a service without it.

    scripts/check-redis [PROGRAM] [--seconds N] [--rounds N] [--page docs/caching.md] [--rented] [--replies]

One client alternates between a crop in memory and a crop of a new image, which needs three lookups in Redis. Exits 1 if a
request fails, or if requests are delayed by more than 20 ms: in the p99 compared with a service without Redis, or in the longest
request of every round.

Before the measurement, it checks TLS and Sentinel (rented.py), and wrong and late replies (replies.py). With --rented
or --replies, it runs only that check. It needs openssl; without --replies, it also needs nginx and redis-server.
"""
import argparse
import collections
import contextlib
import http.client
import pathlib
import statistics
import sys
import tempfile
import threading
import time
import urllib.parse

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SCRIPTS / "lib"), str(SCRIPTS.parent / "Benchmarks" / "service")]
import contenders
import fleet
import origin
import page
import rented
import replies
import report
import service

MAX_DELAY = 20.0
# The interval between disturbances, in seconds. In a disturbance, Redis is stopped and resumed, or killed and
# restarted.
PERIOD = 0.7
FILES = 4000
HEAD = ["Redis", "cached: p50", "p99", "maximum", "new: p50", "p99", "maximum", "requests of each"]


def hang_now_and_then(redis, ended):
    while not ended.wait(PERIOD):
        redis.pause()
        ended.wait(PERIOD)
        redis.resume()


def restart_now_and_then(redis, ended):
    while not ended.wait(PERIOD):
        redis.stop()
        ended.wait(PERIOD / 2)
        redis.start()


# Disturbances of Redis, which start in a separate thread after the service has used Redis.
STATES = {
    "no Redis": None,
    "healthy": lambda redis, ended: None,
    "full": lambda redis, ended: None,
    "hanging": lambda redis, ended: redis.pause(),
    "hanging at intervals": hang_now_and_then,
    "stopped": lambda redis, ended: redis.stop(),
    "restarting at intervals": restart_now_and_then,
}


def measure(program, state, host, folder, seconds):
    """Returns the milliseconds of cached crops and of new crops."""
    kept, new, ended = [], [], threading.Event()
    redis = fleet.Redis(folder, *(["--maxmemory", "1", "--maxmemory-policy", "noeviction"] if state == "full" else []))
    with contextlib.ExitStack() as running:
        options = []
        if state != "no Redis":
            redis.start()
            running.callback(redis.stop)
            options = ["--redis", redis.url]
        server = running.enter_context(contenders.headroom(program, *options, caches=[]))
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(server.base).netloc, timeout=30)

        def ask(number):
            source = urllib.parse.quote(f"http://{host}/{number}.jpg", safe="")
            begin = time.perf_counter()
            connection.request("GET", f"/frame?url={source}&aspect=1:1&width=100&accuracy=low")
            response = connection.getresponse()
            response.read()
            if response.status != 200:
                sys.exit(f"{response.status} for image {number}")
            return (time.perf_counter() - begin) * 1000

        for number in range(20):
            ask(number)
        if STATES[state]:
            disturber = threading.Thread(target=STATES[state], args=(redis, ended))
            disturber.start()
            running.callback(disturber.join)
            running.callback(ended.set)
        end = time.monotonic() + seconds
        for number in range(20, FILES):
            kept.append(ask(0))
            new.append(ask(number))
            if time.monotonic() > end:
                break
    return kept, new


def figures(rounds):
    """Returns the median and the 99th percentile of all rounds, and the maximum time of the best round."""
    times = sorted(time for one in rounds for time in one)
    return statistics.median(times), times[min(len(times) - 1, int(len(times) * 0.99))], min(map(max, rounds))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default=str(service.EXECUTABLE))
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--page", type=pathlib.Path, help="a page with a placeholder for the table")
    parser.add_argument("--rented", action="store_true", help="check TLS and Sentinel only")
    parser.add_argument("--replies", action="store_true", help="check wrong and late replies only")
    options = parser.parse_args()
    rounds = collections.defaultdict(list)
    with contextlib.ExitStack() as running:
        folder = pathlib.Path(running.enter_context(tempfile.TemporaryDirectory()))
        (folder / "run").mkdir()
        (folder / "replies").mkdir()
        if not options.rented:
            replies.run(options.program, folder / "replies")
        if options.replies or report.FAILED:
            report.end()
        image = (service.IMAGES / "portrait.jpg").read_bytes()
        for number in range(FILES):
            # Bytes after the end of a JPEG change its digest, but not the image.
            (folder / f"{number}.jpg").write_bytes(image + number.to_bytes(4, "big"))
        host = running.enter_context(origin.nginx(folder, folder / "run", cache_control="max-age=3600"))
        (folder / "rented").mkdir()
        rented.run(options.program, folder / "rented", host)
        if options.rented or report.FAILED:
            report.end()
        for _ in range(options.rounds):
            for state in STATES:
                rounds[state].append(measure(options.program, state, host, folder / "run", options.seconds))
    rows, is_slow = [], False
    for state, measured in rounds.items():
        cells = []
        for times, usual in zip(zip(*measured), zip(*rounds["no Redis"])):
            found = figures(times)
            is_slow = is_slow or any(time > limit + MAX_DELAY for time, limit in zip(found[1:], figures(usual)[1:]))
            cells += [f"{time:.1f}" for time in found]
        rows.append([state, *cells, f"{sum(len(new) for _, new in measured):,}"])
    table = page.table(HEAD, rows)
    print(table)
    if options.page:
        page.insert(options.page, "redis", table)
    sys.exit(f"Requests are delayed by more than {MAX_DELAY:.0f} ms." if is_slow else 0)


if __name__ == "__main__":
    main()

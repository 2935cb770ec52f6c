#!/usr/bin/env python3
"""Sends many mixed requests to a service and checks that none is lost and that memory stays constant.

    scripts/soak/mixed.py [--requests 10000] [--concurrency 32] [--pictures DIR] [--headroom .build/release/headroom]

Starts `headroom serve` on a free port, posts every picture in DIR with changing parameters, and prints the responses by
status, the rate, the times, and the service's resident memory over the run. A request is lost if it gets no response, or
one that is neither a success nor a problem with a reason. Exits 1 if one is lost, or if memory grows. The first fifth of
the requests warm up the memory that is kept for later pictures (docs/limits.md). After that, memory is constant if both
hold, each within a tenth:

- at rest, after allocators have released the memory of requests, it is the same after the last request as after the
  warm-up, which excludes leaks;
- under load, the median over the last third of the requests equals that over the third before it.
"""
import argparse
import collections
import http.client
import json
import pathlib
import random
import statistics
import sys
import threading
import time

sys.path.append(f"{sys.path[0]}/../lib")
import service  # noqa: E402

# The tolerance for constant memory.
TOLERANCE = 1.1
ASPECTS = ["16:9", "1:1", "9:16", "4:5", "3:1", "1.91:1"]
TARGETS = [
    lambda r: f"/frame?aspect={r.choice(ASPECTS)}&width={r.choice([120, 400, 900])}",
    lambda r: f"/frame?aspect={r.choice(ASPECTS)}&zoom={r.random():.2f}&quality={r.randint(40, 95)}",
    lambda r: f"/frame?aspect={','.join(r.sample(ASPECTS, 3))}&format=json",
    lambda r: f"/frame?gravity={r.choice(['center', 'largest', 'point:0.3,0.7'])}&aspect=1:1&format=png&width=200",
    lambda r: "/faces?accuracy=low",
]


class Soak:
    def __init__(self, options, tried):
        self.options, self.tried, self.port = options, tried, tried.port
        self.pictures = [p.read_bytes() for p in sorted(options.pictures.rglob("*")) if p.is_file()]
        self.lock = threading.Lock()
        self.sent, self.lost, self.due = 0, 0, 0
        self.statuses, self.times, self.memory = collections.Counter(), [], []

    def client(self, seed):
        source = random.Random(seed)
        connection = None
        while True:
            with self.lock:
                if self.sent == self.due:
                    return
                self.sent += 1
                if self.sent % (self.options.requests // 20) == 0:
                    self.memory.append((self.sent, self.tried.resident_mib()))
            connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            begin = time.monotonic()
            try:
                connection.request("POST", source.choice(TARGETS)(source), source.choice(self.pictures))
                answer = connection.getresponse()
                body = answer.read()
                good = bool(body) if answer.status == 200 else "detail" in json.loads(body)
                if answer.will_close:
                    connection.close()
                    connection = None
            except (OSError, http.client.HTTPException, ValueError) as error:
                print(f"lost: {error!r}", file=sys.stderr)
                good, answer, connection = False, None, None
            with self.lock:
                self.times.append(time.monotonic() - begin)
                self.statuses[answer.status if answer else "none"] += 1
                self.lost += not good

    def run(self, due):
        """Continues until the given number of requests; returns the seconds."""
        self.due = due
        begin = time.monotonic()
        clients = [threading.Thread(target=self.client, args=(i,)) for i in range(self.options.concurrency)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--pictures", type=pathlib.Path, default=service.PICTURES)
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    options = parser.parse_args()
    # No request is refused for lack of time, however slow the host is.
    tried = service.Service(options.headroom, "--queue-timeout", "600")
    try:
        soak = Soak(options, tried)
        seconds = soak.run(options.requests // 5)
        rested_before = tried.rested_mib()
        seconds += soak.run(options.requests)
        rested_after = tried.rested_mib()
    finally:
        code = tried.stop()
    times = sorted(soak.times)
    third = len(soak.memory) // 3
    resident = [mib for _, mib in soak.memory]
    early, late = statistics.median(resident[third:2 * third]), statistics.median(resident[2 * third:])
    print(f"pictures {len(soak.pictures)}  requests {soak.sent}  lost {soak.lost}  statuses {dict(soak.statuses)}")
    print(f"{soak.sent / seconds:.0f} requests/s  median {statistics.median(times) * 1e3:.0f} ms  "
          f"p99 {times[int(len(times) * 0.99)] * 1e3:.0f} ms  exit code {code}")
    print("resident MiB: " + "  ".join(f"{sent}: {mib:.0f}" for sent, mib in soak.memory))
    rules = {
        f"none of {soak.sent} lost": soak.lost == 0,
        f"memory at rest {rested_before:.0f} MiB after the warm-up, {rested_after:.0f} MiB at the end":
            rested_after <= rested_before * TOLERANCE,
        f"memory under load {early:.0f} MiB in the second third, {late:.0f} MiB in the last": late <= early * TOLERANCE,
        "clean exit": code == 0,
    }
    for rule, holds in rules.items():
        print(f"{'holds ' if holds else 'BROKEN'} {rule}")
    sys.exit(0 if all(rules.values()) else 1)


main()

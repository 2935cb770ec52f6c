#!/usr/bin/env python3
"""Sends many mixed requests to a service, and checks that no request is lost and that memory stays constant.

    scripts/soak/mixed.py [--requests 10000] [--concurrency 32] [--images DIR] [--headroom .build/release/headroom]

Starts `headroom serve` on a free port, posts every image in DIR with changing parameters, and prints the responses by status,
the rate, the durations, and the service's resident memory during the run. A request is lost if it gets no response, or a response
that is neither a success nor a problem with a reason. Exits 1 if a request is lost, or if memory grows.

The first fifth of the requests warms up the memory that the service reuses for later images (docs/limits.md). Then the
memory is constant if two conditions hold, each within a tenth:

- at rest, after allocators have released the memory of requests, the memory after the last request equals the memory
  after the warm-up, which rules out leaks;
- under load, the median over the last third of the requests equals the median over the second third.
"""
import asyncio
import pathlib
import random
import statistics
import sys
import time

import client
from client import report, service

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
        self.options, self.tried, self.clients = options, tried, client.Client(tried.port)
        self.images = [p.read_bytes() for p in sorted(options.images.rglob("*")) if p.is_file()]
        self.sent, self.lost, self.times, self.memory = 0, 0, [], []

    async def one(self, source, due):
        while self.sent < due:
            self.sent += 1
            if self.sent % (self.options.requests // 20) == 0:
                self.memory.append((self.sent, self.tried.resident_mib()))
            begin = time.monotonic()
            request = client.post(source.choice(TARGETS)(source), source.choice(self.images))
            status, response = await self.clients.ask(request)
            self.times.append(time.monotonic() - begin)
            body = response.partition(b"\r\n\r\n")[2]
            if not (body if status == 200 else b'"detail"' in body):
                print(f"lost: {status} {response[:300]}", file=sys.stderr)
                self.lost += 1

    def run(self, due):
        """Continues until the given number of requests; returns the seconds."""
        async def all_clients():
            self.clients.idle = []
            await asyncio.gather(*(self.one(random.Random(seed), due) for seed in range(self.options.concurrency)))
        begin = time.monotonic()
        asyncio.run(all_clients())
        return time.monotonic() - begin


def main():
    options = client.options(__doc__, requests=10_000, concurrency=32, images=pathlib.Path(service.IMAGES))
    # With this timeout, no request is rejected on a slow host.
    with client.tried(options.headroom, "--queue-timeout", 600) as tried:
        soak = Soak(options, tried)
        seconds = soak.run(options.requests // 5)
        rested_before = tried.rested_mib()
        seconds += soak.run(options.requests)
        rested_after = tried.rested_mib()
        third, resident = len(soak.memory) // 3, [mib for _, mib in soak.memory]
        early, late = statistics.median(resident[third:2 * third]), statistics.median(resident[2 * third:])
        print(f"images {len(soak.images)}  requests {soak.sent}  lost {soak.lost}  "
              f"statuses {dict(soak.clients.statuses)}")
        print(f"{soak.sent / seconds:.0f} requests/s  median {client.percentile(soak.times, 0.5):.0f} ms  "
              f"p99 {client.percentile(soak.times, 0.99):.0f} ms")
        print("resident MiB: " + "  ".join(f"{sent}: {mib:.0f}" for sent, mib in soak.memory))
        report.check(f"no request of {soak.sent} is lost", soak.lost == 0)
        report.check(f"memory at rest {rested_before:.0f} MiB after the warm-up, {rested_after:.0f} MiB at the end",
                     rested_after <= rested_before * TOLERANCE)
        report.check(f"memory under load {early:.0f} MiB in the second third, {late:.0f} MiB in the last",
                     late <= early * TOLERANCE)


main()

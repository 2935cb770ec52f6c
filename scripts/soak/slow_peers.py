#!/usr/bin/env python3
"""Attacks a service with slow readers, stalled uploads and slow origins, and measures the effect on good clients.

    scripts/soak/slow_peers.py [--seconds 300] [--calm 30] [--headroom .build/release/headroom]

Good clients send requests at a constant rate, first alone, then at the same time as the attackers. The attackers use
other addresses, and reconnect whenever they are disconnected:

- readers request responses of some MB and read 1 KiB per second,
- uploads send 4 MiB of a body of 5 MiB, and then one byte per second,
- origins send a byte of an image per second; others send 4 MiB of a source, and then nothing.

Prints the results of each side, with the rows of docs/contributing/load-tests.md at the end. Exits 1 if a rule is violated: a
good client gets no image, its p99 is more than twice the p99 without attackers, or memory still grows in the last third of the
time.

On a virtual machine, the host may withhold the processors for longer than a request takes. Requests during a period
with `steal` in /proc/stat are not counted. The number of counted requests is printed.
"""
import asyncio
import bisect
import collections
import concurrent.futures
import itertools
import multiprocessing
import os
import pathlib
import statistics
import time
import urllib.request

import client
from client import MIB, SCENE, report

ADDRESSES = {"good": "127.0.0.2", "readers": "127.0.0.3", "uploads": "127.0.0.4", "origins": "127.0.0.5"}
# The addresses of the origins. They differ, because the limit per host must leave slots for other hosts.
GOOD_ORIGIN, SLOW_ORIGIN, READERS_ORIGIN = "127.0.0.10", "127.0.0.11", "127.0.0.12"
# The number of concurrent attackers of each kind.
ATTACKERS = {"readers": 100, "uploads": 64, "origins": 96}
# The interval between two requests of a good client. The four good clients together use a quarter of the capacity of
# one processor.
PAUSE = 0.15
# The 64 uploads of 4 MiB are twice this limit.
UPLOAD_MEMORY_MIB = 128
SENT, DECLARED = 4 * MIB, 5 * MIB
# The tolerance for growth of memory between the second and the last third, because allocators release memory with a
# delay.
TOLERANCE = 0.1
JPEG_BEGINNING = b"\xff\xd8\xff\xe0\0\x10JFIF\0"


async def good_clients(port, origin, numbers, seconds):
    """Starts well-behaved clients; returns them by the kind of their requests."""
    kinds = {kind: client.Client(port, ADDRESSES["good"]) for kind in ("uploads", "by URL")}
    end = time.monotonic() + seconds

    async def one(index):
        await asyncio.sleep(PAUSE * index / 4)
        while time.monotonic() < end:
            due = time.monotonic() + PAUSE
            if index % 2:
                await kinds["uploads"].ask(client.post(f"/frame?aspect=1:1&width={300 + next(numbers) % 100}", SCENE))
            else:
                await kinds["by URL"].ask(client.get(f"/frame?aspect=1:1&width=400&url={origin}{next(numbers)}.jpg"))
            await asyncio.sleep(max(0, due - time.monotonic()))
    await asyncio.gather(*(one(index) for index in range(4)))
    return kinds


class Attackers:
    """The attackers, which occupy resources for as long as possible. They run in a separate process, so that they do not delay the
    measured clients."""

    def __init__(self, port, large, seconds):
        self.port, self.large, self.end, self.open = port, large, time.monotonic() + seconds, collections.Counter()
        self.kinds = {"readers": self.read_slowly, "uploads": self.send_slowly, "origins": self.fetch_slowly}
        # For each kind: the number of connections, their outcomes, their durations in seconds, and the number of open
        # connections over time.
        self.results: dict[str, dict] = {kind: {"begun": 0, "ends": collections.Counter(), "held": [], "there": []} for kind in self.kinds}

    @classmethod
    def work(cls, *arguments):
        # Lowers the priority, so that the attackers do not take processor time from the service.
        os.nice(10)
        attackers = cls(*arguments)
        asyncio.run(attackers.run())
        return attackers.results

    def sample(self):
        for kind, result in self.results.items():
            result["there"].append(self.open[kind])

    async def run(self):
        self.slow_origin = await client.start_origin(client.drip(DECLARED, SENT), SLOW_ORIGIN)
        self.origin = await client.start_origin(client.whole(lambda: self.large), READERS_ORIGIN)
        sampling = asyncio.ensure_future(client.repeat(self.sample, 1))
        await asyncio.gather(*(self.come(kind, number) for kind in self.kinds for number in range(ATTACKERS[kind])))
        sampling.cancel()

    async def come(self, kind, number):
        """Runs one attacker, which reconnects repeatedly."""
        result = self.results[kind]
        # Starts are spread over time, because a burst of connections would be a different attack.
        await asyncio.sleep(number / ATTACKERS[kind] * 5)
        while time.monotonic() < self.end:
            begin = time.monotonic()
            try:
                with await client.connect(self.port, ADDRESSES[kind], receive_buffer=4096) as sock:
                    self.open[kind] += 1
                    result["begun"] += 1
                    try:
                        status = await self.kinds[kind](sock, number)
                    finally:
                        self.open[kind] -= 1
            except OSError:
                status = "cut off"
            if time.monotonic() < self.end:
                result["ends"][status] += 1
                # A client that is rejected immediately has occupied no resources.
                if status != 503:
                    result["held"].append(time.monotonic() - begin)
            # A rejected client waits before it reconnects.
            await asyncio.sleep(2)

    async def read_slowly(self, sock, number):
        loop = asyncio.get_running_loop()
        # The images differ, so that no cache shares their bytes. The crops are lossless, so that they cost memory and
        # not time.
        version = f"{number}-{time.monotonic_ns()}"
        target = f"/frame?losslessCrop=true&gravity=center&aspect=1:1&v={version}&url={self.origin}large"
        await loop.sock_sendall(sock, client.get(target))
        first = await loop.sock_recv(sock, 1024)
        if not first:
            return "cut off"
        status = int(first[9:12])
        if status != 200:
            return status
        while time.monotonic() < self.end:
            await asyncio.sleep(1)
            if not await loop.sock_recv(sock, 1024):
                return "cut off"
        return status

    async def send_slowly(self, sock, number):
        loop = asyncio.get_running_loop()
        response = asyncio.ensure_future(loop.sock_recv(sock, 1024))
        try:
            await loop.sock_sendall(sock, client.begun_post("/frame", DECLARED) + JPEG_BEGINNING)
            for _ in range(SENT >> 16):
                await loop.sock_sendall(sock, bytes(1 << 16))
            while time.monotonic() < self.end and not response.done():
                await asyncio.wait([response], timeout=1)
                if not response.done():
                    await loop.sock_sendall(sock, b"x")
            return int(response.result()[9:12] or 0) if response.done() else "ours"
        finally:
            response.cancel()

    async def fetch_slowly(self, sock, number):
        loop = asyncio.get_running_loop()
        name = "large" if number % 4 == 0 else "drip"
        target = f"/frame?aspect=1:1&url={self.slow_origin}{name}-{number}-{time.monotonic_ns()}.jpg"
        await loop.sock_sendall(sock, client.get(target))
        response = await loop.sock_recv(sock, 1024)
        return int(response[9:12]) if response else "cut off"


class Host:
    """Records the times at which the host of a virtual machine withheld processor time, in samples of 20 ms."""

    def __init__(self):
        self.ends, self.steals = [], []

    def sample(self):
        with pathlib.Path("/proc/stat").open() as file:
            self.steals.append(int(file.readline().split()[8]))
        self.ends.append(time.monotonic())

    def took(self, begin, end):
        """Returns whether the host withheld processor time between two times."""
        first = max(0, bisect.bisect_left(self.ends, begin) - 1)
        last = min(len(self.ends) - 1, bisect.bisect_left(self.ends, end))
        return self.steals[last] > self.steals[first]

    def undisturbed(self, load):
        """Returns the durations, in seconds, of a client's requests during which the host withheld no processor time."""
        return [spent for spent, end in zip(load.times, load.finished) if not self.took(end - spent, end)]


def noisy_image(port):
    """Returns a JPEG with many bytes and few pixels: cropping it takes little time, and its bytes exceed the kernel's buffers."""
    target = f"http://127.0.0.1:{port}/frame?gravity=center&aspect=1:1&format=jpeg&quality=100"
    return urllib.request.urlopen(target, client.noise(800)).read()


async def run(tried, options):
    large = await asyncio.to_thread(noisy_image, tried.port)
    print(f"the response to a slow reader has {len(large) / MIB:.1f} MiB")
    origin, numbers = await client.start_origin(client.whole(lambda: SCENE), GOOD_ORIGIN), itertools.count()
    host, memory = Host(), []
    sampling = [asyncio.ensure_future(client.repeat(host.sample, 0.02))]
    await good_clients(tried.port, origin, numbers, options.calm / 4)
    calm = await good_clients(tried.port, origin, numbers, options.calm)
    calm_memory = tried.resident_mib()
    sampling.append(asyncio.ensure_future(client.repeat(lambda: memory.append(tried.resident_mib()), 1)))
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as apart:
        coming = asyncio.get_running_loop().run_in_executor(apart, Attackers.work, tried.port, large, options.seconds)
        busy = await good_clients(tried.port, origin, numbers, options.seconds)
        attackers = await coming
    # Waits, so that the last sample is after the last request.
    await asyncio.sleep(0.1)
    for task in sampling:
        task.cancel()

    third = len(memory) // 3
    early, late = statistics.median(memory[third:2 * third]), statistics.median(memory[-third:])
    rows = []
    for kind, load in busy.items():
        alone, beside = host.undisturbed(calm[kind]), host.undisturbed(load)
        before, after = client.percentile(alone, 0.99), client.percentile(beside, 0.99)
        total = sum(load.statuses.values())
        bad = total - load.statuses[200]
        print(f"good {kind:<8} {total} sent, {dict(load.statuses)}; p99 {before:.0f} ms alone ({len(alone)} counted), "
              f"{after:.0f} ms with attackers ({len(beside)} counted), slowest {client.percentile(beside, 1):.0f} ms")
        for status, response in load.bad[:2]:
            print(f"  {status} {response[-200:]!r}")
        report.check(f"good clients' {kind} lose nothing, {bad} of {total}", bad == 0)
        report.check(f"p99 of their {kind} is within twice the p99 without attackers, {after:.0f} of {2 * before:.0f} ms",
                     after <= 2 * before)
        rows.append(f"| good clients' {kind} | p99 {before:.0f} ms alone, {after:.0f} ms with attackers; "
                    f"{bad} of {total} lost |")
    for kind, what in attackers.items():
        ends = ", ".join(f"{end} for {count}" for end, count in what["ends"].items()) or "none"
        usual = f"{statistics.median(what['held']):.1f} s" if what["held"] else "the whole time"
        there = statistics.median(what["there"][len(what["there"]) // 3:])
        # The attackers must be disconnected before they receive everything. A run in which they never connected would
        # prove nothing.
        report.check(f"{kind} connected {what['begun']} times", what["begun"] >= ATTACKERS[kind])
        rows.append(f"| {kind} | {ATTACKERS[kind]} try to connect at a time, {there:.0f} are connected; each for {usual}; "
                    f"ended as {ends} |")
    report.check(f"memory is flat, {early:.0f} and {late:.0f} MiB", late <= early * (1 + TOLERANCE))
    rows.append(f"| memory of the service and its workers | {calm_memory:.0f} MiB calm, {early:.0f} and {late:.0f} MiB with "
                f"attackers, {max(memory):.0f} MiB at most |")
    print("\n".join(["| | |", "| --- | --- |", *rows]))


def main():
    options = client.options(__doc__, seconds=300.0, calm=30.0)
    settings = ["--allow-private-sources", "--max-upload-memory", UPLOAD_MEMORY_MIB]
    with client.tried(options.headroom, *settings) as tried:
        asyncio.run(run(tried, options))


if __name__ == "__main__":
    main()

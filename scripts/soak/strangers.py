#!/usr/bin/env python3
"""Runs slow readers, stalled uploads and slow origins against a service, and measures the effect on good clients.

    scripts/soak/strangers.py [--seconds 300] [--without uploads,readers,origins] [--headroom .build/release/headroom]

Good clients send requests at a constant rate, first alone and then together with the attackers, which use other addresses
and reconnect whenever they are disconnected:

- readers request responses of some MB and read 1 KiB per second,
- uploads send 4 MiB of a body of 5 and then a byte per second,
- origins send a byte of a picture per second; others send 4 MiB of a source, and then nothing.

Prints the results of each side, the rows of docs/load.md last, and exits 1 if a rule is violated: a good client gets no
picture, its p99 is more than twice that without attackers, or memory still grows in the last third of the time.

On a virtual machine, the host may take the processors away for longer than a request takes. The times of requests during
which it did so (`steal` in /proc/stat) are not counted; the number of the others is printed.
"""
import argparse
import asyncio
import bisect
import collections
import concurrent.futures
import functools
import itertools
import multiprocessing
import os
import socket
import statistics
import sys
import time
import urllib.request

sys.path.append(f"{sys.path[0]}/../lib")
import client  # noqa: E402
import service  # noqa: E402
import slow  # noqa: E402

ADDRESSES = {"good": "127.0.0.2", "readers": "127.0.0.3", "uploads": "127.0.0.4", "origins": "127.0.0.5"}
# The addresses of the origins: the limit per host must leave room for other hosts.
GOOD_ORIGIN, SLOW_ORIGIN, READERS_ORIGIN = "127.0.0.10", "127.0.0.11", "127.0.0.12"
# The number of concurrent attackers of each kind.
STRANGERS = {"readers": 100, "uploads": 64, "origins": 96}
# The interval of a good client's requests, of which there are four: a quarter of the capacity of one processor.
PAUSE = 0.15
# In addition, 64 uploads of 4 MiB are twice the limit.
UPLOAD_MEMORY_MIB = 128
SENT, DECLARED = 4 << 20, 5 << 20
# The tolerance of memory between the second and the last third, because allocators release memory with a delay.
TOLERANCE = 0.1
MIB = 1 << 20
JPEG_BEGINNING = b"\xff\xd8\xff\xe0\0\x10JFIF\0"


async def serve(file, reader, writer):
    """A well-behaved origin."""
    try:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(file) + file)
        await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def drip(reader, writer):
    """An origin that sends only the beginning of a picture."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % DECLARED)
        if b"/large" in head.split(b"\r\n", 1)[0]:
            for _ in range(SENT >> 16):
                writer.write(bytes(1 << 16))
                await writer.drain()
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(1)
    except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
        pass
    finally:
        writer.close()


async def start_origin(serve, address):
    """The beginning of the URLs of an origin, percent-encoded."""
    server = await asyncio.start_server(serve, address, 0)
    return f"http%3A%2F%2F{address}%3A{server.sockets[0].getsockname()[1]}%2F", server


class Good:
    """Well-behaved clients, and the results of their requests, by kind."""

    def __init__(self, port, origin, picture):
        self.port, self.origin, self.picture, self.numbers = port, origin, picture, itertools.count()
        self.clear()

    def clear(self):
        self.kinds = {kind: client.Client(self.port, ADDRESSES["good"]) for kind in ("uploads", "by URL")}

    async def ask(self, kind):
        number = next(self.numbers)
        if kind == "uploads":
            request = client.post(f"/frame?aspect=1:1&width={300 + number % 100}", self.picture)
        else:
            request = client.get(f"/frame?aspect=1:1&width=400&url={self.origin}{number}.jpg")
        await self.kinds[kind].ask(request)

    async def run(self, seconds):
        self.clear()
        end = time.monotonic() + seconds

        async def one(index):
            await asyncio.sleep(PAUSE * index / 4)
            while time.monotonic() < end:
                due = time.monotonic() + PAUSE
                await self.ask("uploads" if index % 2 else "by URL")
                await asyncio.sleep(max(0, due - time.monotonic()))
        await asyncio.gather(*(one(index) for index in range(4)))
        return self.kinds


class Strangers:
    """The attackers, which occupy resources for as long as they may; in a separate process, so that they do not delay the
    clients whose times are measured."""

    def __init__(self, port, large, seconds, kinds):
        self.port, self.large, self.kinds = port, large, kinds
        self.end = time.monotonic() + seconds
        self.begun, self.statuses = collections.Counter(), collections.defaultdict(collections.Counter)
        self.held, self.open, self.samples = collections.defaultdict(list), collections.Counter(), []

    @classmethod
    def work(cls, *arguments):
        """Their results, by kind."""
        # The load of the load generator is not that of the service.
        os.nice(10)
        strangers = cls(*arguments)
        asyncio.run(strangers.run())
        return {kind: {
            "begun": strangers.begun[kind], "ends": dict(strangers.statuses[kind]), "held": strangers.held[kind],
            "there": [sample.get(kind, 0) for sample in strangers.samples],
        } for kind in strangers.kinds}

    async def watch(self):
        while True:
            self.samples.append(dict(self.open))
            await asyncio.sleep(1)

    async def run(self):
        self.slow_origin, slow_server = await start_origin(drip, SLOW_ORIGIN)
        self.origin, server = await start_origin(functools.partial(serve, self.large), READERS_ORIGIN)
        actions = {"readers": self.read_slowly, "uploads": self.send_slowly, "origins": self.fetch_slowly}
        watching = asyncio.ensure_future(self.watch())
        await asyncio.gather(*(self.repeat(kind, actions[kind], number)
                               for kind in self.kinds for number in range(STRANGERS[kind])))
        watching.cancel()
        slow_server.close()
        server.close()

    async def repeat(self, kind, action, number):
        # Spread over time, because a burst of connections is another attack.
        await asyncio.sleep(number / STRANGERS[kind] * 5)
        while time.monotonic() < self.end:
            begin = time.monotonic()
            sock = None
            try:
                sock = await self.connect(kind)
                self.open[kind] += 1
                self.begun[kind] += 1
                try:
                    status = await action(sock, number)
                finally:
                    self.open[kind] -= 1
            except OSError:
                status = "cut off"
            finally:
                if sock:
                    sock.close()
            if time.monotonic() < self.end:
                self.statuses[kind][status] += 1
                # A client that is refused at once has occupied nothing.
                if status != 503:
                    self.held[kind].append(time.monotonic() - begin)
            # A refused client reconnects.
            await asyncio.sleep(2)

    async def connect(self, kind):
        sock = socket.socket()
        sock.setblocking(False)
        # The kernel's buffers are not the service's memory.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.bind((ADDRESSES[kind], 0))
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", self.port))
        return sock

    async def read_slowly(self, sock, number):
        loop = asyncio.get_running_loop()
        # Different pictures, so that no cache shares the bytes; lossless crops, so that the cost is memory and not time.
        version = f"{number}-{time.monotonic_ns()}"
        target = f"/frame?lossless=true&gravity=center&aspect=1:1&v={version}&url={self.origin}large"
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
        answer = asyncio.ensure_future(loop.sock_recv(sock, 1024))
        head = f"POST /frame HTTP/1.1\r\nHost: soak\r\nContent-Length: {DECLARED}\r\n\r\n".encode()
        try:
            await loop.sock_sendall(sock, head + JPEG_BEGINNING)
            for _ in range(SENT >> 16):
                await loop.sock_sendall(sock, bytes(1 << 16))
            while time.monotonic() < self.end and not answer.done():
                await asyncio.wait([answer], timeout=1)
                if not answer.done():
                    await loop.sock_sendall(sock, b"x")
            return int(answer.result()[9:12] or 0) if answer.done() else "ours"
        finally:
            answer.cancel()

    async def fetch_slowly(self, sock, number):
        loop = asyncio.get_running_loop()
        name = "large" if number % 4 == 0 else "drip"
        target = f"/frame?aspect=1:1&url={self.slow_origin}{name}-{number}-{time.monotonic_ns()}.jpg"
        await loop.sock_sendall(sock, client.get(target))
        answer = await loop.sock_recv(sock, 1024)
        return int(answer[9:12]) if answer else "cut off"


async def watch(tried, samples):
    while True:
        samples.append(tried.resident_mib())
        await asyncio.sleep(1)


class Host:
    """The times at which the host of a virtual machine took processor time away, in samples of 20 ms."""

    def __init__(self):
        self.ends, self.steals = [], []

    async def watch(self):
        while True:
            with open("/proc/stat") as file:
                self.steals.append(int(file.readline().split()[8]))
            self.ends.append(time.monotonic())
            await asyncio.sleep(0.02)

    def took(self, begin, end):
        """Whether it did between two times."""
        first = max(0, bisect.bisect_left(self.ends, begin) - 1)
        last = min(len(self.ends) - 1, bisect.bisect_left(self.ends, end))
        return self.steals[last] > self.steals[first]

    def undisturbed(self, load):
        """The times of a client's requests during which it did not, in seconds."""
        return [spent for spent, end in zip(load.times, load.finished) if not self.took(end - spent, end)]


def large_picture(port, scene, width=5000):
    """A JPEG of some MB, of which the kernel's buffers hold only a part."""
    target = f"http://127.0.0.1:{port}/frame?aspect=1:1&gravity=center&width={width}&enlarge=true&quality=100"
    return urllib.request.urlopen(target, scene).read()


def noisy_picture(port, side=800):
    """A JPEG of many bytes and few pixels: to cut it takes little time, and its bytes more than the kernel's buffers hold."""
    target = f"http://127.0.0.1:{port}/frame?gravity=center&aspect=1:1&format=jpeg&quality=100"
    return urllib.request.urlopen(target, slow.noise(side)).read()


async def run(tried, options):
    scene = (service.PICTURES / "scene.jpg").read_bytes()
    large = await asyncio.to_thread(noisy_picture, tried.port)
    print(f"the response to a slow reader has {len(large) / MIB:.1f} MiB")
    origin, _ = await start_origin(functools.partial(serve, scene), GOOD_ORIGIN)
    good, host = Good(tried.port, origin, scene), Host()
    watching_host = asyncio.ensure_future(host.watch())
    await good.run(options.calm / 4)
    calm = await good.run(options.calm)
    calm_memory = tried.resident_mib()
    kinds = [kind for kind in STRANGERS if kind not in options.without.split(",")]
    memory = []
    watching = asyncio.ensure_future(watch(tried, memory))
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as apart:
        coming = asyncio.get_running_loop().run_in_executor(
            apart, Strangers.work, tried.port, large, options.seconds, kinds)
        busy = await good.run(options.seconds)
        strangers = await coming
    watching.cancel()
    # The last request ends before the last sample.
    await asyncio.sleep(0.1)
    watching_host.cancel()

    third = len(memory) // 3
    early, late = statistics.median(memory[third:2 * third]), statistics.median(memory[-third:])
    rules, rows = {}, []
    for kind, load in busy.items():
        alone, beside = host.undisturbed(calm[kind]), host.undisturbed(load)
        before, after = client.percentile(alone, 0.99), client.percentile(beside, 0.99)
        bad = sum(count for status, count in load.statuses.items() if status != 200)
        total = sum(load.statuses.values())
        print(f"good {kind:<8} {total} asked, {dict(load.statuses)}; p99 {before:.0f} ms alone ({len(alone)} counted), "
              f"{after:.0f} ms beside strangers ({len(beside)} counted), slowest {client.percentile(beside, 1):.0f} ms")
        for status, answer in load.bad[:2]:
            print(f"  {status} {answer[-200:]!r}")
        rules[f"good clients' {kind} lose nothing, {bad} of {total}"] = bad == 0
        rules[f"p99 of their {kind} is within twice that of calm, {after:.0f} of {2 * before:.0f} ms"] = after <= 2 * before
        rows.append(f"| good clients' {kind} | p99 {before:.0f} ms alone, {after:.0f} ms beside strangers; "
                    f"{bad} of {total} lost |")
    for kind, what in strangers.items():
        ends = ", ".join(f"{end} for {count}" for end, count in what["ends"].items()) or "none"
        usual = f"{statistics.median(what['held']):.1f} s" if what["held"] else "the whole time"
        there = statistics.median(what["there"][len(what["there"]) // 3:])
        print(f"{kind:<13} {what['begun']} begun, {there:.0f} there at a time, each for {usual}; ended as {ends}")
        rows.append(f"| {kind} | {STRANGERS[kind]} want to be there at a time, {there:.0f} are; each for {usual}; "
                    f"ended as {ends} |")
    print(f"memory        {calm_memory:.0f} MiB calm; beside strangers {early:.0f} MiB in the second third, "
          f"{late:.0f} MiB in the last, {max(memory):.0f} MiB at most")
    rules[f"memory is flat, {early:.0f} and {late:.0f} MiB"] = late <= early * (1 + TOLERANCE)
    rows.append(f"| memory of the service and its workers | {calm_memory:.0f} MiB calm, {early:.0f} and {late:.0f} MiB beside "
                f"strangers, {max(memory):.0f} MiB at most |")
    # They are to be cut off, and not to have everything; but a try in which they were never there would show nothing.
    for kind, what in strangers.items():
        rules[f"{kind} were there, {what['begun']} times"] = what["begun"] >= STRANGERS[kind]
    print("\n".join(["| | |", "| --- | --- |", *rows]))
    return rules


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--calm", type=float, default=30, help="seconds without strangers before")
    parser.add_argument("--without", default="", help="kinds of strangers that stay away")
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    options = parser.parse_args()
    tried = service.Service(options.headroom, "--allow-private-sources", "--max-upload-memory", str(UPLOAD_MEMORY_MIB))
    try:
        rules = asyncio.run(run(tried, options))
    finally:
        code = tried.stop()
    rules["stopped in order"] = code == 0
    for rule, holds in rules.items():
        print(f"{'holds ' if holds else 'BROKEN'} {rule}")
    sys.exit(0 if all(rules.values()) else 1)


if __name__ == "__main__":
    main()

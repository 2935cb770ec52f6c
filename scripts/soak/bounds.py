#!/usr/bin/env python3
"""Fills every kind of memory that untrusted input can use at the same time, and compares the total with the sum of the
bounds.

    scripts/soak/bounds.py [--headroom .build/release/headroom]

The bounds come from the table "Memory that untrusted input can use" in docs/limits.md. They are set so low that they
are reached within a minute. Each kind stays full until all kinds are full. Exits 1 if a kind was not filled, if a kind
was no longer full at the end, or if the resident set of the service and its workers grew by more than the sum.
"""
import asyncio
import itertools
import re
import socket
import urllib.request

import client
import slow_peers
from client import MIB, SCENE, report

SETTINGS = {
    "--max-upload-memory": 64, "--cache-sources": 32, "--cache-detections": 1, "--cache-results": 32, "--max-memory": 256,
    "--max-unsent-memory": 48, "--max-source-memory": 48, "--max-source-bytes": 8 * MIB,
    "--workers": 2, "--max-connections": 700, "--fetch-slots": 16, "--fetch-slots-per-host": 0, "--queue": 64,
    # The timeouts are long, so that the memory stays in use until the end.
    "--header-timeout": 300, "--body-timeout": 300, "--write-timeout": 300, "--fetch-timeout": 300, "--queue-timeout": 300,
}
# The metric of each kind, and the settings that bound it.
GAUGES = {
    "uploads": ("headroom_http_body_bytes", ["--max-upload-memory"]),
    "unsent responses": ("headroom_http_unsent_bytes", ["--max-unsent-memory"]),
    "sources in hand": ("headroom_source_bytes", ["--max-source-memory"]),
    "caches": ("headroom_cache_bytes", ["--cache-sources", "--cache-results"]),
}
# Counts as full, because the next body, response or source may be larger than the remaining budget.
FULL = 0.75
# Constants from docs/limits.md.
READ_AHEAD_KIB, HEADER_KIB, KEPT_OF_WORKER_MIB = 64, 24, 20
# Memory that allocators keep between used blocks, as a fraction of the sum, and the base memory of a busy service.
ALLOCATORS, BASE_MIB = 0.15, 24


# The MiB of each kind that clients can fill with the settings above.
BOUNDS = {
    "uploads": SETTINGS["--max-upload-memory"],
    "connections": SETTINGS["--max-connections"] * (READ_AHEAD_KIB + HEADER_KIB) / 1024,
    "caches": sum(SETTINGS[name] for name in ("--cache-sources", "--cache-detections", "--cache-results")),
    "images in work": SETTINGS["--max-memory"],
    "idle workers": SETTINGS["--workers"] * KEPT_OF_WORKER_MIB,
    "unsent responses": SETTINGS["--max-unsent-memory"],
    "sources in hand": SETTINGS["--max-source-memory"],
}


class Filling:
    """Fills one kind after the other, and keeps it full; each method returns whether it succeeded, and a description."""

    def __init__(self, tried, origin, slow_origin):
        self.tried, self.origin, self.slow_origin, self.held = tried, origin, slow_origin, []

    async def metric(self, name):
        def ask():
            return urllib.request.urlopen(f"{self.tried.base}/metrics").read().decode()
        text = await asyncio.to_thread(ask)
        return sum(float(value) for value in re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", text, re.MULTILINE))

    def large_crop(self, number, more=""):
        """Returns the target of a lossless crop, which takes little time."""
        return client.get(f"/frame?aspect=1:1&losslessCrop=true&gravity=center{more}&url={self.origin}{number}.jpg")

    async def until(self, count, begin, has_happened):
        """Starts requests until an event happens to one of them, up to a maximum; returns the numbers of requests and
        events."""
        begun, happened = [], 0
        while len(begun) < count and not happened:
            begun.append(await begin(len(begun)))
            await asyncio.sleep(0.2)
            happened = sum(map(has_happened, begun))
        return len(begun), happened

    async def caches(self):
        """Fills the caches of sources and results by URL; an entry has the maximum size for a cache."""
        ask = client.Client(self.tried.port, "127.0.0.2")

        async def some(first):
            for number in range(first, 60, 4):
                await ask.ask(self.large_crop(number))
        await asyncio.gather(*(some(first) for first in range(4)))
        held = await self.metric("headroom_cache_bytes") / MIB
        allowed = SETTINGS["--cache-sources"] + SETTINGS["--cache-results"]
        return held >= 0.8 * allowed, f"{held:.0f} MiB, {dict(ask.statuses)}"

    async def unsent(self):
        """Requests large responses and reads nothing, until the first clients are disconnected."""
        async def begin(number):
            # The service stores only the bytes that the kernel does not accept. These images differ from the images
        # above, so that no two responses share bytes.
            return await self.send("127.0.0.6", self.large_crop(number, f"&v=unsent-{number}"), receive_buffer=4096)
        begun, cut = await self.until(4 * SETTINGS["--max-unsent-memory"], begin, is_cut_off)
        return cut > 0, f"{begun} started, {cut} disconnected"

    async def sources(self):
        """Starts fetches whose origin stops before the end, until a further fetch is rejected."""
        # Waits until the earlier fetches have ended, because otherwise the next fetches would be rejected.
        while await self.metric("headroom_source_bytes"):
            await asyncio.sleep(0.2)

        async def begin(number):
            request = client.get(f"/frame?aspect=1:1&url={self.slow_origin}large-{number}.jpg")
            return await self.send("127.0.0.7", request)
        begun, refused = await self.until(SETTINGS["--fetch-slots"], begin, is_refused)
        return refused > 0, f"{begun} started, {refused} rejected"

    async def connections(self):
        """Opens connections that send a long request, and then pipeline as many requests as the service reads ahead."""
        more = b"GET /healthz HTTP/1.1\r\nHost: soak\r\nX: " + b"x" * 8000 + b"\r\n\r\n"
        count = SETTINGS["--max-connections"] - len(self.held) - 100
        for number in range(count):
            # An incomplete body blocks the following requests; an incomplete header is also buffered.
            await self.send(f"127.0.{3 + number // 200}.1", more[:-4] + b"y" * 7000 if number % 2 else (
                client.begun_post("/frame", 100_000) + bytes(60_000)))
        return True, f"{count} connections"

    async def uploads(self):
        """Sends almost complete bodies until they are rejected."""
        whole, sent, refused = 5 * MIB, 4 * MIB, 0
        for number in range(SETTINGS["--max-upload-memory"] * MIB // sent + 4):
            sock = await self.send("127.0.0.4" if number % 2 else "127.0.0.8",
                                   client.begun_post("/frame", whole) + SCENE[:64] + bytes(sent))
            # A rejected client has received a response, and the service discards its further input.
            await asyncio.sleep(0.05)
            refused += sock is None or is_refused(sock)
        return refused > 0, f"{refused} refused"

    async def work(self):
        """Sends more concurrent images than the memory allows."""
        target = "/frame?aspect=1:1&gravity=center&format=jpeg&width=3600&enlarge=true"
        ask = client.Client(self.tried.port, "127.0.0.5")
        working, most = asyncio.gather(*(ask.ask(client.post(target, SCENE)) for _ in range(8))), 0
        while not working.done():
            most = max(most, await self.metric("headroom_inflight_bytes"))
            await asyncio.sleep(0.1)
        return most > 0, f"{most / MIB:.0f} MiB admitted at most"

    async def full(self):
        """Compares each counted kind with its bound; returns the kinds that are no longer full, and a description of all."""
        missing, words = [], []
        for kind, (gauge, settings) in GAUGES.items():
            mib = await self.metric(gauge) / MIB
            most = sum(SETTINGS[setting] for setting in settings)
            words.append(f"{kind} {mib:.0f} of {most}")
            if mib < FULL * most:
                missing.append(kind)
        return missing, ", ".join(words)

    async def send(self, address, data, receive_buffer=None):
        """Returns the socket of a new connection, which is kept open; None if the kernel did not accept all data."""
        sock = await client.connect(self.tried.port, address, receive_buffer)
        self.held.append(sock)
        try:
            await asyncio.wait_for(asyncio.get_running_loop().sock_sendall(sock, data), 2)
            return sock
        except (TimeoutError, OSError):
            return None


def is_cut_off(sock):
    return sock is not None and sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0


def is_refused(sock):
    try:
        return sock is not None and b" 503 " in sock.recv(64, socket.MSG_PEEK)
    except OSError:
        return False


async def run(tried):
    target = f"{tried.base}/frame?aspect=1:1&gravity=center&width=3600&enlarge=true&quality=100"
    # A JPEG of some MB.
    image = await asyncio.to_thread(lambda: urllib.request.urlopen(target, SCENE).read())
    numbers = itertools.count()
    # The bytes differ each time, because the key of cached detections depends on the bytes.
    respond = client.whole(lambda: image + next(numbers).to_bytes(8, "big"), "Cache-Control: max-age=3600")
    origin = await client.start_origin(respond, slow_peers.GOOD_ORIGIN)
    slow_origin = await client.start_origin(client.drip(slow_peers.DECLARED), slow_peers.SLOW_ORIGIN)
    filling = Filling(tried, origin, slow_origin)
    await client.Client(tried.port).ask(client.post("/faces", SCENE))
    seen = [tried.memory_mib()]
    looking = asyncio.ensure_future(client.repeat(lambda: seen.append(tried.memory_mib()), 0.1))
    # The kinds that stay full only for a short time come last.
    for kind in (filling.caches, filling.unsent, filling.sources, filling.connections, filling.uploads, filling.work):
        good, words = await kind()
        report.check(f"{kind.__name__} were filled: {words}", good)
        seen.append(tried.memory_mib())
        now = seen[-1]
        print(f"{kind.__name__:<12} service {now['service']:4.0f} MiB, workers {now['workers']:4.0f} MiB", flush=True)
    looking.cancel()
    missing, words = await filling.full()
    report.check(f"all of them were full at the end: {words} MiB", not missing)
    most, total = max(seen, key=lambda kinds: sum(kinds.values())), sum(BOUNDS.values())
    for name, kinds in {"initially": seen[0], "at most": most, "limits": BOUNDS}.items():
        print(f"{name:<12} " + "  ".join(f"{kind} {mib:.0f}" for kind, mib in kinds.items())
              + f"; {sum(kinds.values()):.0f} MiB in total")
    grown, limit = sum(most.values()) - sum(seen[0].values()), total * (1 + ALLOCATORS) + BASE_MIB
    report.check(f"memory grew by {grown:.0f} MiB, of {limit:.0f} MiB", grown <= limit)


def main():
    options = client.options(__doc__)
    settings = itertools.chain(*SETTINGS.items())
    with client.tried(options.headroom, "--allow-private-sources", *settings) as tried:
        asyncio.run(run(tried))


main()

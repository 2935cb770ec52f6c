#!/usr/bin/env python3
"""Fills every kind of memory that strangers can make a service hold, all at once, and compares it with the sum of the bounds.

    scripts/soak/bounds.py [--headroom .build/release/headroom]

The bounds are those of the table "What strangers can make it hold" of docs/limits.md, set low enough to be reached in a
minute. Each kind stays full until all of them are. Exits 1 when a kind was not filled, or was no longer full at the end,
or when the resident set of the service and its workers grew by more than the sum.
"""
import argparse
import asyncio
import itertools
import re
import socket
import sys
import urllib.request

sys.path.append(f"{sys.path[0]}/../lib")
import client  # noqa: E402
import service  # noqa: E402
import strangers  # noqa: E402

MIB = 1 << 20
SETTINGS = {
    "--max-upload-memory": 64, "--cache-sources": 32, "--cache-detections": 1, "--cache-results": 32, "--max-memory": 256,
    "--max-unsent-memory": 48, "--max-source-memory": 48, "--max-source-bytes": 8 * MIB,
    "--workers": 2, "--max-connections": 700, "--fetch-slots": 16, "--fetch-slots-per-host": 0, "--queue": 64,
    # What is held stays until the end.
    "--header-timeout": 300, "--body-timeout": 300, "--write-timeout": 300, "--fetch-timeout": 300, "--queue-timeout": 300,
}
# What metrics say of a kind, and the settings that bound it.
GAUGES = {
    "uploads": ("headroom_http_body_bytes", ["--max-upload-memory"]),
    "unsent answers": ("headroom_http_unsent_bytes", ["--max-unsent-memory"]),
    "sources in hand": ("headroom_source_bytes", ["--max-source-memory"]),
    "caches": ("headroom_cache_bytes", ["--cache-sources", "--cache-results"]),
}
# The next body, answer or source may be larger than what is left.
FULL = 0.75
# Of docs/limits.md: constants.
READ_AHEAD_KIB, HEADER_KIB, KEPT_OF_WORKER_MIB = 64, 24, 20
# Memory that allocators keep between used blocks, as a share of the sum, and the memory of serving at all.
ALLOCATORS, BASE_MIB = 0.15, 24


def bounds():
    """MiB of each kind that clients can fill, for the settings above."""
    return {
        "uploads": SETTINGS["--max-upload-memory"],
        "connections": SETTINGS["--max-connections"] * (READ_AHEAD_KIB + HEADER_KIB) / 1024,
        "caches": sum(SETTINGS[name] for name in ("--cache-sources", "--cache-detections", "--cache-results")),
        "pictures in work": SETTINGS["--max-memory"],
        "idle workers": SETTINGS["--workers"] * KEPT_OF_WORKER_MIB,
        "unsent answers": SETTINGS["--max-unsent-memory"],
        "sources in hand": SETTINGS["--max-source-memory"],
    }


class Filling:
    """Fills one kind after the other, and keeps it full."""

    def __init__(self, tried, origin, slow_origin):
        self.tried, self.origin, self.slow_origin, self.held = tried, origin, slow_origin, []
        self.loop = asyncio.get_running_loop()
        self.picture = (service.PICTURES / "scene.jpg").read_bytes()

    def metric(self, name):
        text = urllib.request.urlopen(f"http://127.0.0.1:{self.tried.port}/metrics").read().decode()
        return sum(float(value) for value in re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", text, re.M))

    async def caches(self):
        """Sources and results by URL; the size of an entry is the largest share of a cache."""
        ask = client.Client(self.tried.port, "127.0.0.2")

        async def some(first):
            for number in range(first, 60, 4):
                # Lossless crops, so that filling takes little time.
                target = f"/frame?aspect=1:1&lossless=true&gravity=center&url={self.origin}{number}.jpg"
                await ask.ask(client.get(target))
        await asyncio.gather(*(some(first) for first in range(4)))
        held = await asyncio.to_thread(self.metric, "headroom_cache_bytes") / MIB
        allowed = SETTINGS["--cache-sources"] + SETTINGS["--cache-results"]
        return held >= 0.8 * allowed, f"{held:.0f} MiB, {dict(ask.statuses)}"

    async def unsent(self):
        """Clients that ask for large answers and read nothing, until the first of them are cut off."""
        begun, cut = [], 0
        for number in range(4 * SETTINGS["--max-unsent-memory"]):
            # What the kernel takes is not the service's to hold. Others than those above, so that each has its own bytes.
            sock = await self.connect("127.0.0.6", receive_buffer=4096)
            target = f"/frame?aspect=1:1&lossless=true&gravity=center&v=unsent-{number}&url={self.origin}{number}.jpg"
            await self.send(sock, client.get(target))
            begun.append(sock)
            await asyncio.sleep(0.2)
            if cut := sum(map(self.is_cut_off, begun)):
                break
        return cut > 0, f"{len(begun)} begun, {cut} cut off"

    def is_cut_off(self, sock):
        return sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0

    async def sources(self):
        """Fetches whose origin stops before the end, until another one is refused."""
        # Those of the clients above must have ended, because they would be refused in place of these.
        while await asyncio.to_thread(self.metric, "headroom_source_bytes"):
            await asyncio.sleep(0.2)
        begun, refused = [], 0
        for number in range(SETTINGS["--fetch-slots"]):
            sock = await self.connect("127.0.0.7")
            await self.send(sock, client.get(f"/frame?aspect=1:1&url={self.slow_origin}large-{number}.jpg"))
            begun.append(sock)
            await asyncio.sleep(0.2)
            if refused := sum(map(self.is_refused, begun)):
                break
        return refused > 0, f"{len(begun)} begun, {refused} refused"

    def is_refused(self, sock):
        try:
            return b" 503 " in sock.recv(64, socket.MSG_PEEK)
        except OSError:
            return False

    async def connections(self):
        """Each sends a long request, and pipelines as many more as are read ahead."""
        more = b"GET /healthz HTTP/1.1\r\nHost: soak\r\nX: " + b"x" * 8000 + b"\r\n\r\n"
        count = SETTINGS["--max-connections"] - len(self.held) - 100
        for number in range(count):
            sock = await self.connect(f"127.0.{3 + number // 200}.1")
            # An incomplete body blocks what follows; an incomplete header is buffered as well.
            await self.send(sock, more[:-4] + b"y" * 7000 if number % 2 else (
                b"POST /frame HTTP/1.1\r\nHost: soak\r\nContent-Length: 100000\r\n\r\n" + bytes(60_000)))
        return True, f"{count} connections"

    async def uploads(self):
        """Almost complete bodies, until they are refused."""
        whole, sent, refused = 5 * MIB, 4 * MIB, 0
        for number in range(SETTINGS["--max-upload-memory"] * MIB // sent + 4):
            sock = await self.connect("127.0.0.4" if number % 2 else "127.0.0.8")
            head = f"POST /frame HTTP/1.1\r\nHost: soak\r\nContent-Length: {whole}\r\n\r\n".encode()
            if not await self.send(sock, head + self.picture[:64] + bytes(sent)):
                refused += 1
                continue
            # A refused client has a response, and its further input is discarded.
            await asyncio.sleep(0.05)
            refused += self.is_refused(sock)
        return refused > 0, f"{refused} refused"

    async def work(self):
        """More concurrent pictures than the memory allows."""
        target = "/frame?aspect=1:1&gravity=center&format=jpeg&width=3600&enlarge=true"
        ask = client.Client(self.tried.port, "127.0.0.5")
        most = 0

        async def look():
            nonlocal most
            while True:
                most = max(most, await asyncio.to_thread(self.metric, "headroom_inflight_bytes"))
                await asyncio.sleep(0.1)
        looking = asyncio.ensure_future(look())
        await asyncio.gather(*(ask.ask(client.post(target, self.picture)) for _ in range(8)))
        looking.cancel()
        return most > 0, f"{most / MIB:.0f} MiB admitted at most"

    async def full(self):
        """How full each kind is whose bytes are counted; those that are no longer full, and words about all."""
        missing, words = [], []
        for kind, (gauge, settings) in GAUGES.items():
            mib = await asyncio.to_thread(self.metric, gauge) / MIB
            most = sum(SETTINGS[setting] for setting in settings)
            words.append(f"{kind} {mib:.0f} of {most}")
            if mib < FULL * most:
                missing.append(kind)
        return missing, ", ".join(words)

    async def connect(self, address, receive_buffer=None):
        sock = socket.socket()
        sock.setblocking(False)
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.bind((address, 0))
        await self.loop.sock_connect(sock, ("127.0.0.1", self.tried.port))
        self.held.append(sock)
        return sock

    async def send(self, sock, data):
        """Whether the kernel accepted all of it."""
        try:
            await asyncio.wait_for(self.loop.sock_sendall(sock, data), 2)
            return True
        except (OSError, asyncio.TimeoutError):
            return False


async def run(tried):
    picture = await asyncio.to_thread(strangers.large_picture, tried.port, (service.PICTURES / "scene.jpg").read_bytes(), 3600)

    numbers = itertools.count()

    async def serve(reader, writer):
        try:
            await reader.readuntil(b"\r\n\r\n")
            head = b"HTTP/1.1 200 OK\r\nConnection: close\r\nCache-Control: max-age=3600\r\nContent-Length: %d\r\n\r\n"
            # Different bytes each time, because they are the key of detections.
            writer.write(head % (len(picture) + 8) + picture + next(numbers).to_bytes(8, "big"))
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    origin, _ = await strangers.start_origin(serve, strangers.GOOD_ORIGIN)
    slow_origin, _ = await strangers.start_origin(strangers.drip, strangers.SLOW_ORIGIN)
    filling = Filling(tried, origin, slow_origin)
    await client.Client(tried.port).ask(client.post("/faces", filling.picture))
    first, most = tried.memory_mib(), {}
    rules = {}

    async def look():
        nonlocal most
        while True:
            now = tried.memory_mib()
            most = max(most, now, key=lambda kinds: sum(kinds.values()))
            await asyncio.sleep(0.1)
    looking = asyncio.ensure_future(look())
    # What is held for a short time comes last.
    for kind in (filling.caches, filling.unsent, filling.sources, filling.connections, filling.uploads, filling.work):
        good, words = await kind()
        rules[f"{kind.__name__} were filled: {words}"] = good
        now = tried.memory_mib()
        print(f"{kind.__name__:<12} {words:<28} service {now['service']:4.0f} MiB, workers {now['workers']:4.0f} MiB", flush=True)
    looking.cancel()
    missing, words = await filling.full()
    rules[f"all of them were full at the end: {words} MiB"] = not missing
    total = sum(bounds().values())
    grown = sum(most.values()) - sum(first.values())
    print("initially    " + "  ".join(f"{kind} {mib:.0f}" for kind, mib in first.items()) + " MiB")
    print("at most      " + "  ".join(f"{kind} {mib:.0f}" for kind, mib in most.items()) + " MiB")
    print("limits       " + "  ".join(f"{kind} {mib:.0f}" for kind, mib in bounds().items()) + f"; {total:.0f} MiB in total")
    limit = total * (1 + ALLOCATORS) + BASE_MIB
    rules[f"memory grew by {grown:.0f} MiB, of {limit:.0f} MiB"] = grown <= limit
    return rules


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    options = parser.parse_args()
    settings = [str(word) for setting in SETTINGS.items() for word in setting]
    tried = service.Service(options.headroom, "--allow-private-sources", *settings)
    try:
        rules = asyncio.run(run(tried))
    finally:
        code = tried.stop()
    rules["clean exit"] = code == 0
    for rule, holds in rules.items():
        print(f"{'holds ' if holds else 'BROKEN'} {rule}")
    sys.exit(0 if all(rules.values()) else 1)


main()

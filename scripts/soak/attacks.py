#!/usr/bin/env python3
"""Tests attacks by few clients: slow origins, idle connections, decompression bombs, and killed workers and services.

    scripts/soak/attacks.py [--connections 5000] [--bombs 1000] [--headroom .build/release/headroom]

Prints the cost of each, and exits 1 if other clients are not served meanwhile.
"""
import argparse
import asyncio
import collections
import os
import pathlib
import signal
import struct
import sys
import time
import zlib

sys.path.append(f"{sys.path[0]}/../lib")
import client  # noqa: E402
import service  # noqa: E402

RULES = {}


def rule(text, holds):
    RULES[text] = holds
    print(f"{'holds ' if holds else 'BROKEN'} {text}", flush=True)


async def rate(port, seconds=3, source=None):
    """Successful requests per second of two clients."""
    picture = (service.PICTURES / "scene.jpg").read_bytes()
    load = client.Client(port, source)
    await load.closed_loop([client.post("/frame?aspect=1:1&width=400", picture)], 2, seconds)
    return len(load.times) / seconds, load


async def slow_origin(tried, alone):
    """An origin that sends a byte per second occupies every fetch slot, but no worker."""
    async def drip(reader, writer):
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while True:
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(1)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    origin = await asyncio.start_server(drip, "127.0.0.1", 0)
    place = origin.sockets[0].getsockname()[1]
    fetches = client.Client(tried.port, "127.0.0.2")
    request = client.get(f"/frame?aspect=1:1&url=http%3A%2F%2F127.0.0.1%3A{place}%2Fa.jpg")
    waiting = [asyncio.ensure_future(fetches.ask(request)) for _ in range(200)]
    await asyncio.sleep(0.5)
    meanwhile, load = await rate(tried.port)
    await asyncio.gather(*waiting)
    origin.close()
    print(f"slow origin: 200 fetches at a byte per second ended as {dict(fetches.statuses)}; "
          f"{meanwhile:.0f}/s of others meanwhile, {alone:.0f}/s alone")
    rule("slow origins occupy no worker", not load.bad and meanwhile >= 0.7 * alone)
    rule("fetches end as 503 or 504", set(fetches.statuses) <= {503, 504})


async def idle_connections(tried, alone, count):
    """Idle connections from many addresses; they may stay until the header timeout."""
    before = tried.resident_mib()
    loop = asyncio.get_running_loop()
    held = []
    for number in range(count):
        local = (f"127.1.{number // 200}.{number % 200 + 1}", 0)
        held.append((await loop.create_connection(client.Connection, "127.0.0.1", tried.port, local_addr=local))[0])
    with_them = tried.resident_mib()
    meanwhile, load = await rate(tried.port, 3)
    print(f"idle: {count} connections, {(with_them - before) * 1024 / count:.1f} KiB each; {meanwhile:.0f}/s meanwhile")
    rule(f"{count} idle connections do not affect others", not load.bad and meanwhile >= 0.7 * alone)
    deadline = time.monotonic() + 30
    while any(not t.is_closing() for t in held) and time.monotonic() < deadline:
        await asyncio.sleep(0.5)
    rule("all are closed at the header timeout", all(t.is_closing() for t in held))


def bombs():
    """Small files that declare huge pictures."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    def png(width, height, content=100_000):
        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(bytes(content), 9)) + chunk(b"IEND", b""))

    sof = struct.pack(">HHBHHB", 0xFFC0, 17, 8, 65500, 65500, 3) + bytes([1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0])
    jpeg = b"\xff\xd8" + sof + b"\xff\xda" + bytes(2000)
    vp8x = b"VP8X" + struct.pack("<I", 10) + bytes([0, 0, 0, 0]) + (16_383).to_bytes(3, "little") * 2
    webp = b"RIFF" + struct.pack("<I", 4 + len(vp8x)) + b"WEBP" + vp8x
    return {"png": png(60_000, 60_000), "strip": png(65_535, 1), "jpeg": jpeg, "webp": webp,
            # Within the pixel limit: must be decoded to detect that it is truncated or empty.
            "cut": png(7000, 7000), "full": png(7000, 7000, 7000 * (3 * 7000 + 1))}


async def bombard(tried, count):
    before, most, times = tried.resident_mib(), 0, collections.defaultdict(list)
    statuses = collections.Counter()
    load = client.Client(tried.port)
    files = bombs()
    names = [name for name in files if name != "full"]
    # One in fifty of those that are really decoded, which takes the time of 49 megapixels.
    for number in range(count):
        name = "full" if number % 50 == 49 else names[number % len(names)]
        begin = time.monotonic()
        status, _ = await load.ask(client.post("/faces", files[name]))
        times[name].append(time.monotonic() - begin)
        statuses[name, status] += 1
        if number % 10 == 9:
            most = max(most, tried.resident_mib())
    print(f"bombs: {count}, memory {before:.0f} MiB, {most:.0f} at most, {tried.resident_mib():.0f} after")
    for name in files:
        found = {status: n for (kind, status), n in statuses.items() if kind == name}
        print(f"  {name:<7} {len(files[name]):>7} bytes  p50 {client.percentile(times[name], .5):6.2f} ms  "
              f"p99 {client.percentile(times[name], .99):6.2f} ms  {found}")
    rule("every bomb gets 415, 422 or 200", {s for _, s in statuses} <= {415, 422, 200})
    rule("bombs with false declarations take less than 50 ms",
         all(client.percentile(times[name], .5) < 50 for name in ("png", "jpeg", "webp")))
    meanwhile, load = await rate(tried.port)
    rule("the service still works", not load.bad and meanwhile > 0)


async def killed_workers(tried):
    """Workers are killed under load: each costs its own request and no other."""
    picture = (service.PICTURES / "scene.jpg").read_bytes()
    load = client.Client(tried.port)
    # Different pictures, because the picture of a killed worker may be refused for a while.
    requests = [client.post("/frame?aspect=1:1&width=400", picture + bytes([n & 255, n >> 8])) for n in range(2000)]
    running = asyncio.ensure_future(load.closed_loop(requests, 6, 12))
    killed = 0
    while not running.done():
        await asyncio.wait([running], timeout=1)
        for pid in tried.workers()[:1]:
            os.kill(pid, signal.SIGKILL)
            killed += 1
    await asyncio.sleep(2)
    lost = sum(load.statuses.values()) - load.statuses[200]
    print(f"killed: {killed} workers under load; statuses {dict(load.statuses)}")
    rule("no more requests are lost than workers were killed", lost <= killed)
    rule("they were replaced", len(tried.workers()) >= 1)
    after, load = await rate(tried.port)
    rule("the service works after that", not load.bad and after > 0)


def is_running(pid):
    """Whether a process exists and has not ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def killed_service(executable):
    """A service is killed under load: no process of it remains, and another one serves at its port."""
    killed = service.Service(executable)
    workers = killed.workers()
    picture = (service.PICTURES / "scene.jpg").read_bytes()
    load = client.Client(killed.port)
    running = asyncio.ensure_future(load.closed_loop([client.post("/frame?aspect=1:1&width=400", picture)], 6, 2))
    await asyncio.sleep(1)
    killed.process.kill()
    begin = time.monotonic()
    while any(map(is_running, workers)) and time.monotonic() < begin + 5:
        await asyncio.sleep(0.005)
    gone = time.monotonic() - begin
    killed.process.wait()
    await running
    begin = time.monotonic()
    successor = service.Service(executable, port=killed.port)
    try:
        status, _ = await client.Client(successor.port).ask(client.post("/faces", picture))
        ready = time.monotonic() - begin
    finally:
        code = successor.stop()
    print(f"killed: a service under load, {len(load.times)} requests completed before; its {len(workers)} workers ended after "
          f"{gone * 1e3:.0f} ms; another one at its port responded {ready * 1e3:.0f} ms after its start")
    rule("no worker outlives a service that was killed", workers and not any(map(is_running, workers)))
    rule("another service serves at its port", status == 200 and code == 0)


async def run(tried, options):
    await rate(tried.port)
    alone, _ = await rate(tried.port)
    await slow_origin(tried, alone)
    await idle_connections(tried, alone, options.connections)
    await bombard(tried, options.bombs)
    await killed_workers(tried)
    await killed_service(options.headroom)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=5000)
    parser.add_argument("--bombs", type=int, default=1000)
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    options = parser.parse_args()
    tried = service.Service(options.headroom, "--allow-private-sources", "--max-connections", str(options.connections + 1000))
    try:
        asyncio.run(run(tried, options))
    finally:
        code = tried.stop()
    rule("clean exit", code == 0)
    sys.exit(0 if all(RULES.values()) else 1)


main()

#!/usr/bin/env python3
"""Tests attacks by few clients: slow origins, idle connections and decompression bombs.

    scripts/soak/attacks.py [--connections 5000] [--bombs 1000] [--headroom .build/release/headroom]

Prints the cost of each attack, and exits 1 if other clients are not served during an attack.
"""
import asyncio
import collections
import struct
import time

import client
from client import report

CROP = client.post("/frame?aspect=1:1&width=400", client.SCENE)


async def rate(port):
    """Returns the successful requests per second of two clients, and whether all responses were correct."""
    load = client.Client(port)
    await load.closed_loop([CROP], 2, 3)
    return len(load.times) / 3, not load.bad


async def slow_origin(tried, alone):
    """Checks an origin that sends one byte per second: it occupies every fetch slot, but no worker."""
    origin = await client.start_origin(client.drip(declared=100_000), "127.0.0.1")
    fetches = client.Client(tried.port, "127.0.0.2")
    request = client.get(f"/frame?aspect=1:1&url={origin}a.jpg")
    waiting = [asyncio.ensure_future(fetches.ask(request)) for _ in range(200)]
    await asyncio.sleep(0.5)
    meanwhile, good = await rate(tried.port)
    await asyncio.gather(*waiting)
    print(f"slow origin: 200 fetches at a byte per second ended as {dict(fetches.statuses)}; "
          f"{meanwhile:.0f}/s of other clients in the meantime, {alone:.0f}/s alone")
    report.check("slow origins occupy no worker", good and meanwhile >= 0.7 * alone)
    report.check("fetches end as 503 or 504", set(fetches.statuses) <= {503, 504})


async def idle_connections(tried, alone, count):
    """Checks idle connections from many addresses; they may stay open only until the header timeout."""
    before = tried.resident_mib()
    loop = asyncio.get_running_loop()
    held = []
    for number in range(count):
        local = (f"127.1.{number // 200}.{number % 200 + 1}", 0)
        held.append((await loop.create_connection(client.Connection, "127.0.0.1", tried.port, local_addr=local))[0])
    with_them = tried.resident_mib()
    meanwhile, good = await rate(tried.port)
    print(f"idle: {count} connections, {(with_them - before) * 1024 / count:.1f} KiB each; {meanwhile:.0f}/s in the meantime")
    report.check(f"{count} idle connections do not affect others", good and meanwhile >= 0.7 * alone)
    deadline = time.monotonic() + 30
    while any(not t.is_closing() for t in held) and time.monotonic() < deadline:
        await asyncio.sleep(0.5)
    report.check("all are closed at the header timeout", all(t.is_closing() for t in held))


def bombs():
    """Checks small files that declare huge images."""
    def png(width, height, content=100_000):
        return client.png(width, height, bytes(content))

    sof = struct.pack(">HHBHHB", 0xFFC0, 17, 8, 65500, 65500, 3) + bytes([1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0])
    vp8x = b"VP8X" + struct.pack("<I", 10) + bytes([0, 0, 0, 0]) + (16_383).to_bytes(3, "little") * 2
    return {
        "png": png(60_000, 60_000), "strip": png(65_535, 1), "jpeg": b"\xff\xd8" + sof + b"\xff\xda" + bytes(2000),
        "webp": b"RIFF" + struct.pack("<I", 4 + len(vp8x)) + b"WEBP" + vp8x,
        # Within the pixel limit; decoding must detect that the file is truncated or empty.
        "cut": png(7000, 7000), "full": png(7000, 7000, 7000 * (3 * 7000 + 1)),
    }


async def bombard(tried, count):
    before, most, files, load = tried.resident_mib(), 0, bombs(), client.Client(tried.port)
    times, statuses, names = collections.defaultdict(list), collections.Counter(), list(files)[:-1]
    # Only every fiftieth of the bombs that are decoded completely is sent, because each takes the time of 49
    # megapixels.
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
    report.check("every bomb gets 415, 422 or 200", {s for _, s in statuses} <= {415, 422, 200})
    report.check("bombs with false declarations take less than 50 ms",
                 all(client.percentile(times[name], .5) < 50 for name in ("png", "jpeg", "webp")))
    meanwhile, good = await rate(tried.port)
    report.check("the service still works", good and meanwhile > 0)


async def run(tried, options):
    await rate(tried.port)
    alone, _ = await rate(tried.port)
    await slow_origin(tried, alone)
    await idle_connections(tried, alone, options.connections)
    await bombard(tried, options.bombs)


def main():
    options = client.options(__doc__, connections=5000, bombs=1000)
    limit = options.connections + 1000
    with client.tried(options.headroom, "--allow-private-sources", "--max-connections", limit) as tried:
        asyncio.run(run(tried, options))


main()

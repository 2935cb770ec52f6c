#!/usr/bin/env python3
"""Asks ten times what a service can do for a minute, and looks at what it answers, and how soon it is itself again.

    scripts/soak/overload.py [--seconds 60] [--factor 10] [--headroom .build/release/headroom]

Exits 1 when a rule of docs/load.md is broken: an answer is neither good nor a 503 with Retry-After, the p99 of accepted
requests is above three times the unloaded p99 plus what the queue may take, memory grows by more than a fifth, health
is not answered, or throughput is not back within a second.
"""
import argparse
import asyncio
import os
import statistics
import sys
import time

import client
import service

QUEUE = 64
# Seconds, as by default.
QUEUE_TIMEOUT = 10


async def health(port, answers, stop):
    """Asks how the service is, twice a second."""
    probe = client.Client(port, "127.0.0.9")
    while not stop.is_set():
        begin = time.monotonic()
        status, _ = await probe.ask(client.get("/healthz"))
        answers.append((status, time.monotonic() - begin))
        await asyncio.sleep(0.5)


async def run(options, tried):
    picture = (service.PICTURES / "scene.jpg").read_bytes()
    requests = [client.post(f"/frame?aspect={a}&width=400", picture) for a in ("16:9", "1:1", "9:16", "4:5")]
    workers = len(tried.workers())
    load = client.Client(tried.port)
    await load.closed_loop(requests, workers, 2)

    load.clear()
    await load.closed_loop(requests, 1, 5)
    alone = load.times
    load.clear()
    clients = 2 * workers
    await load.closed_loop(requests, clients, 10)
    capacity = len(load.times) / 10
    busy, bad = load.times, load.bad
    bound = min(QUEUE / capacity, QUEUE_TIMEOUT) * 1e3
    print(f"unloaded       p50 {client.percentile(alone, .5):.1f} ms  p99 {client.percentile(alone, .99):.1f} ms")
    print(f"{clients} clients      {capacity:.0f}/s  p50 {client.percentile(busy, .5):.1f} ms  "
          f"p99 {client.percentile(busy, .99):.1f} ms  bound of the queue {bound:.0f} ms")

    load.clear()
    answers, stop = [], asyncio.Event()
    probing = asyncio.ensure_future(health(tried.port, answers, stop))
    memory = []
    offered = asyncio.ensure_future(load.open_loop(requests, capacity * options.factor, options.seconds))
    while not offered.done():
        await asyncio.wait([offered], timeout=1)
        memory.append(tried.resident_mib())
    sent, rest = offered.result()
    offered_rate = sent / options.seconds
    accepted, refused = load.statuses[200], load.statuses[503]
    p99 = client.percentile(load.times, .99)
    bad += load.bad
    print(f"{offered_rate:.0f}/s offered  {accepted / options.seconds:.0f}/s accepted  {refused} refused  "
          f"p50 {client.percentile(load.times, .5):.0f} ms  p99 {p99:.0f} ms  other answers {len(load.bad)}")

    # What still waits is part of the work that is done now.
    over = time.monotonic()
    load.clear()
    await load.closed_loop(requests, clients, 5)
    seconds = [sum(1 for t in load.finished if n <= t - over < n + 1) for n in range(1, 5)]
    again = statistics.median(seconds)
    stop.set()
    await probing
    await asyncio.wait(rest or [asyncio.ensure_future(asyncio.sleep(0))], timeout=60)
    bad += load.bad
    early, late = (statistics.median(part) for part in (memory[3:len(memory) // 2], memory[len(memory) // 2:]))
    slowest = max(t for _, t in answers) * 1e3
    print(f"after the end  {again:.0f}/s (by second: {seconds})")
    print(f"memory         {early:.0f} MiB, then {late:.0f} MiB   health: {len(answers)} answers, slowest {slowest:.0f} ms")

    limit = 3 * client.percentile(alone, .99) + bound
    return {
        f"{sent} answers good or 503 (bad: {bad[:3]})": not bad,
        f"p99 of accepted {p99:.0f} ms within {limit:.0f} ms": p99 <= limit,
        f"offered at least {options.factor * 0.9:.1f} times capacity": offered_rate >= capacity * options.factor * 0.9,
        f"at least 70 % of capacity served meanwhile": accepted / options.seconds >= 0.7 * capacity,
        f"memory flat": late <= early * 1.2,
        f"health always answered": all(status == 200 for status, _ in answers),
        f"throughput back in the second second, {seconds[0]}/s": seconds[0] >= 0.8 * capacity,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--factor", type=float, default=10)
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    options = parser.parse_args()
    # Every client of this machine has one address.
    tried = service.Service(options.headroom, "--max-connections-per-address", "0", "--queue", str(QUEUE))
    try:
        print(f"load average before {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")
        rules = asyncio.run(run(options, tried))
    finally:
        code = tried.stop()
    rules["stopped in order"] = code == 0
    for rule, holds in rules.items():
        print(f"{'holds ' if holds else 'BROKEN'} {rule}")
    sys.exit(0 if all(rules.values()) else 1)


main()

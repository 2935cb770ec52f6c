#!/usr/bin/env python3
"""Sends ten times the capacity of a service for a minute, and checks its responses and its recovery.

    scripts/soak/overload.py [--seconds 60] [--factor 10] [--connections own|kept] [--headroom .build/release/headroom]

Each request uses a new connection, or a persistent connection like the requests of a CDN. Exits 1 if a rule of
docs/contributing/load-tests.md is violated:

- a response is neither good nor a 503 with Retry-After;
- the p99 of accepted requests exceeds three times the unloaded p99 plus the queue timeout;
- throughput drops too far, or has not recovered within a second;
- the health check fails;
- memory exceeds its bounds. Under load, the bound is the initial memory plus the memory of connections and queue. Afterwards, at
  rest, the bound is the initial memory at rest plus a tenth and 8 MiB.

The load generator is Benchmarks/OpenLoop, which `make soak` builds.
"""
import contextlib
import json
import os
import subprocess
import threading
import time
import urllib.request

import client
from client import report, service

GENERATOR = service.ROOT / ".build/bench/open-loop"
IMAGE = service.IMAGES / "scene.jpg"
PATHS = [f"/frame?aspect={aspect}&width=400" for aspect in ("16:9", "1:1", "9:16", "4:5")]
QUEUE = 64
# The memory of a connection with read-ahead and header (docs/limits.md), and the memory that allocators in the service
# and in two workers retain under load.
CONNECTION_BYTES, KEPT_MIB = 88 << 10, 24
# Default settings, in seconds.
QUEUE_TIMEOUT = 10
# The minimum fraction of capacity under overload: the service must shed load and not collapse. The load generator uses
# the same processors. For both programs, a new connection costs more than the request.
SERVED = {"own": 0.3, "kept": 0.5}


@contextlib.contextmanager
def watched(tried, healthy, memory):
    """Checks health and memory twice per second; `healthy` gets the duration of each health check in seconds, None if it failed."""
    is_over = threading.Event()

    def watch():
        while not is_over.wait(0.5):
            begin = time.monotonic()
            try:
                urllib.request.urlopen(f"{tried.base}/healthz", timeout=10).read()
                healthy.append(time.monotonic() - begin)
            except OSError:
                healthy.append(None)
            memory.append(tried.memory_mib())
    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    yield
    is_over.set()
    watching.join()


def run(options, tried):
    def begin_load(kind, number, seconds):
        words = [GENERATOR, tried.port, kind, number, seconds, options.connections, IMAGE, *PATHS]
        return subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, text=True)

    def load(kind, number, seconds):
        return json.loads(begin_load(kind, number, seconds).communicate()[0])

    clients = 2 * tried.worker_count()
    load("clients", clients, 2)
    alone, most = load("clients", 1, 5), load("clients", clients, 10)
    capacity = most["good"] / 10
    before = tried.resident_mib()
    rested_before = tried.rested_mib()
    print(f"unloaded       p50 {alone['good_ms']['p50']:.1f} ms  p99 {alone['good_ms']['p99']:.1f} ms")
    print(f"{clients} clients      {capacity:.0f}/s  p50 {most['good_ms']['p50']:.1f} ms  p99 {most['good_ms']['p99']:.1f} ms")

    healthy, memory = [], []
    with watched(tried, healthy, memory):
        flood = begin_load("rate", capacity * options.factor, options.seconds)
        time.sleep(options.seconds)
        # This also processes the requests that are still waiting.
        after = load("clients", clients, 5)
        over = json.loads(flood.communicate()[0])
    rested_after = tried.rested_mib()

    offered = over["sent"] / options.seconds
    accepted = sum(over["good_by_second"][:int(options.seconds)]) / options.seconds
    good, refused, seconds = over["good_ms"], over["refused_ms"], after["good_by_second"][:4]
    highest = max(memory, key=lambda kinds: sum(kinds.values()))
    peak = sum(highest.values())
    bound = before + (over["max_connections"] * CONNECTION_BYTES + QUEUE * IMAGE.stat().st_size) / client.MIB + KEPT_MIB
    slowest = max((time for time in healthy if time), default=0)
    kinds = "  ".join(f"{kind} {mib:.0f}" for kind, mib in highest.items())
    print(f"""\
offered        {offered:.0f}/s, {over['sent']} in total, on {over['connections']} connections, \
{over['max_connections']} at the same time
accepted       {accepted:.0f}/s  p50 {good['p50']:.0f} ms  p99 {good['p99']:.0f} ms   \
a full queue is {QUEUE / max(accepted, 1) * 1e3:.0f} ms of work
rejected       {over['refused']}  p50 {refused['p50']:.1f} ms  p99 {refused['p99']:.0f} ms
other          {over['other']} responses, {over['unanswered']} missing {over['examples']}
generator      {over['processor'] / options.seconds:.0%} of a processor, at most {over['latest_ms']:.0f} ms late
after the end  by second {seconds}
memory         {before:.0f} MiB before, {peak:.0f} MiB at most ({kinds}); at rest {rested_before:.0f} MiB before, \
{rested_after:.0f} MiB after
health         {len(healthy)} responses, slowest {slowest * 1e3:.0f} ms""")

    limit, least = 3 * alone["good_ms"]["p99"] + QUEUE_TIMEOUT * 1e3, SERVED[options.connections]
    check = report.check
    check(f"{over['sent']} responses good or 503", over["other"] + over["unanswered"] == 0)
    check(f"p99 of accepted {good['p99']:.0f} ms within {limit:.0f} ms", good["p99"] <= limit)
    check(f"offered at least {options.factor * 0.9:.1f} times capacity", offered >= capacity * options.factor * 0.9)
    check(f"at least {least:.0%} of capacity served under load, {accepted / capacity:.0%}", accepted >= least * capacity)
    check(f"memory under load {peak:.0f} MiB within {bound:.0f} MiB", peak <= bound)
    check(f"memory at rest {rested_before:.0f} MiB before, {rested_after:.0f} MiB after",
          rested_after <= rested_before * 1.1 + 8)
    check("health check always succeeds within a second", None not in healthy and slowest < 1)
    check(f"throughput back in the second second, {seconds[1]}/s", seconds[1] >= 0.8 * capacity)


def main():
    options = client.options(__doc__, seconds=60.0, factor=10.0, connections="own")
    # All clients on this host have the same address.
    with client.tried(options.headroom, "--max-connections-per-address", 0, "--queue", QUEUE) as tried:
        print(f"load average before {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")
        run(options, tried)


main()

#!/usr/bin/env python3
"""Offers ten times the capacity of a service for a minute, and checks its responses and its recovery.

    scripts/soak/overload.py [--seconds 60] [--factor 10] [--connections own|kept] [--headroom .build/release/headroom]

Each request uses a connection of its own, or a kept one like a CDN. Exits 1 if a rule of docs/load.md is violated: a
response is neither good nor a 503 with Retry-After, the p99 of accepted requests exceeds three times the unloaded p99 plus
the queue timeout, throughput drops too far, the health check fails, throughput has not recovered within a second, or
memory exceeds its bounds: under load the initial memory plus that of connections and queue; afterwards, at rest, the
initial memory at rest, a tenth, and 8 MiB. The load generator is Benchmarks/OpenLoop, which `make soak` builds.
"""
import argparse
import json
import os
import subprocess
import sys
import threading
import time
import urllib.request

sys.path.append(f"{sys.path[0]}/../lib")
import service  # noqa: E402

GENERATOR = service.ROOT / ".build/bench/open-loop"
PICTURE = service.PICTURES / "scene.jpg"
PATHS = [f"/frame?aspect={aspect}&width=400" for aspect in ("16:9", "1:1", "9:16", "4:5")]
QUEUE = 64
# Memory of a connection, read-ahead and header (docs/limits.md), and the memory that the allocators of the service and of
# two workers keep under load.
CONNECTION_BYTES, KEPT_MIB = 88 << 10, 24
# Default settings, in seconds.
QUEUE_TIMEOUT = 10
# The minimum share of capacity under overload: the service must shed load and not collapse. The load generator shares the
# processors with it, and a new connection for each request costs both sides more than the request.
SERVED = {"own": 0.3, "kept": 0.5}


class Load:
    """A run of the load generator."""

    def __init__(self, port, kind, number, seconds, connections):
        words = [GENERATOR, port, kind, number, seconds, connections, PICTURE, *PATHS]
        self.process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, text=True)

    def result(self):
        return json.loads(self.process.communicate()[0])


class Watch(threading.Thread):
    """Checks health and memory twice a second."""

    def __init__(self, tried):
        super().__init__(daemon=True)
        self.tried, self.times, self.failures, self.memory, self.is_over = tried, [], 0, [], threading.Event()
        self.start()

    def run(self):
        while not self.is_over.wait(0.5):
            begin = time.monotonic()
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.tried.port}/healthz", timeout=10).read()
            except OSError:
                self.failures += 1
            self.times.append(time.monotonic() - begin)
            self.memory.append(self.tried.memory_mib())


def run(options, tried):
    def load(kind, number, seconds):
        return Load(tried.port, kind, number, seconds, options.connections)

    clients = 2 * len(tried.workers())
    load("clients", clients, 2).result()
    alone = load("clients", 1, 5).result()
    most = load("clients", clients, 10).result()
    capacity = most["good"] / 10
    before = tried.resident_mib()
    rested_before = tried.rested_mib()
    print(f"unloaded       p50 {alone['good_ms']['p50']:.1f} ms  p99 {alone['good_ms']['p99']:.1f} ms")
    print(f"{clients} clients      {capacity:.0f}/s  p50 {most['good_ms']['p50']:.1f} ms  p99 {most['good_ms']['p99']:.1f} ms")

    watch = Watch(tried)
    flood = load("rate", capacity * options.factor, options.seconds)
    time.sleep(options.seconds)
    # Requests that still wait are part of the work now.
    after = load("clients", clients, 5).result()
    over = flood.result()
    watch.is_over.set()
    watch.join()
    rested_after = tried.rested_mib()

    offered, accepted = over["sent"] / options.seconds, sum(over["good_by_second"][:int(options.seconds)]) / options.seconds
    good, refused = over["good_ms"], over["refused_ms"]
    print(f"offered        {offered:.0f}/s, {over['sent']} in total, on {over['connections']} connections, "
          f"{over['most_connections']} at the same time")
    print(f"accepted       {accepted:.0f}/s  p50 {good['p50']:.0f} ms  p99 {good['p99']:.0f} ms   "
          f"a full queue is {QUEUE / max(accepted, 1) * 1e3:.0f} ms of work")
    print(f"refused        {over['refused']}  p50 {refused['p50']:.1f} ms  p99 {refused['p99']:.0f} ms")
    print(f"other          {over['other']} responses, {over['unanswered']} missing {over['examples']}")
    print(f"generator      {over['processor'] / options.seconds * 100:.0f} % of a processor, late by {over['latest_ms']:.0f} ms at most")
    seconds = after["good_by_second"][:4]
    highest = max(watch.memory, key=lambda kinds: sum(kinds.values()))
    peak = sum(highest.values())
    bound = before + (over["most_connections"] * CONNECTION_BYTES + QUEUE * PICTURE.stat().st_size) / 2**20 + KEPT_MIB
    print(f"after the end  by second {seconds}")
    kinds = "  ".join(f"{kind} {mib:.0f}" for kind, mib in highest.items())
    print(f"memory         {before:.0f} MiB before, {peak:.0f} MiB at most ({kinds}); at rest {rested_before:.0f} MiB before, "
          f"{rested_after:.0f} MiB after")
    print(f"health         {len(watch.times)} responses, slowest {max(watch.times) * 1e3:.0f} ms")

    limit = 3 * alone["good_ms"]["p99"] + QUEUE_TIMEOUT * 1e3
    return {
        f"{over['sent']} responses good or 503": over["other"] + over["unanswered"] == 0,
        f"p99 of accepted {good['p99']:.0f} ms within {limit:.0f} ms": good["p99"] <= limit,
        f"offered at least {options.factor * 0.9:.1f} times capacity": offered >= capacity * options.factor * 0.9,
        f"at least {SERVED[options.connections]:.0%} of capacity served meanwhile, {accepted / capacity:.0%}":
            accepted >= SERVED[options.connections] * capacity,
        f"memory meanwhile {peak:.0f} MiB within {bound:.0f} MiB": peak <= bound,
        f"memory at rest {rested_before:.0f} MiB before, {rested_after:.0f} MiB after": rested_after <= rested_before * 1.1 + 8,
        "health check always succeeds within a second": watch.failures == 0 and max(watch.times) < 1,
        f"throughput back in the second second, {seconds[1]}/s": seconds[1] >= 0.8 * capacity,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--factor", type=float, default=10)
    parser.add_argument("--connections", choices=("own", "kept"), default="own")
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    options = parser.parse_args()
    # All clients of this host have one address.
    tried = service.Service(options.headroom, "--max-connections-per-address", "0", "--queue", str(QUEUE))
    try:
        print(f"load average before {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")
        rules = run(options, tried)
    finally:
        code = tried.stop()
    rules["clean exit"] = code == 0
    for rule, holds in rules.items():
        print(f"{'holds ' if holds else 'BROKEN'} {rule}")
    sys.exit(0 if all(rules.values()) else 1)


main()

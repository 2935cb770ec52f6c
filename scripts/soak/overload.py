#!/usr/bin/env python3
"""Asks ten times what a service can do for a minute, and looks at what it answers, and how soon it is itself again.

    scripts/soak/overload.py [--seconds 60] [--factor 10] [--connections own|kept] [--headroom .build/release/headroom]

Each request has a connection of its own, or a kept one as a CDN would. Exits 1 when a rule of docs/load.md is broken: an
answer is neither good nor a 503 with Retry-After, the p99 of accepted requests is above three times the unloaded p99 plus
the time that a request may wait, much less is served than without, memory grows by more than a fifth, health is not answered, or
throughput is not back within a second. The program that asks is Benchmarks/OpenLoop, which `make soak` builds.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import threading
import time
import urllib.request

import service

GENERATOR = service.ROOT / ".build/bench/open-loop"
PICTURE = service.PICTURES / "scene.jpg"
PATHS = [f"/frame?aspect={aspect}&width=400" for aspect in ("16:9", "1:1", "9:16", "4:5")]
QUEUE = 64
# Seconds, as by default.
QUEUE_TIMEOUT = 10
# The share of its capacity that a service has to go on with, so that it sheds load and does not collapse. Those who ask
# share the processors with it, and a new connection for each request costs either side more than the request.
SERVED = {"own": 0.3, "kept": 0.5}


class Load:
    """A run of the generator."""

    def __init__(self, port, kind, number, seconds, connections):
        words = [GENERATOR, port, kind, number, seconds, connections, PICTURE, *PATHS]
        self.process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, text=True)

    def result(self):
        return json.loads(self.process.communicate()[0])


class Watch(threading.Thread):
    """Asks how the service is, twice a second, and looks at its memory."""

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
            self.memory.append(self.tried.resident_mib())


def run(options, tried):
    def load(kind, number, seconds):
        return Load(tried.port, kind, number, seconds, options.connections)

    clients = 2 * len(tried.workers())
    load("clients", clients, 2).result()
    alone = load("clients", 1, 5).result()
    most = load("clients", clients, 10).result()
    capacity = most["good"] / 10
    print(f"unloaded       p50 {alone['good_ms']['p50']:.1f} ms  p99 {alone['good_ms']['p99']:.1f} ms")
    print(f"{clients} clients      {capacity:.0f}/s  p50 {most['good_ms']['p50']:.1f} ms  p99 {most['good_ms']['p99']:.1f} ms")

    watch = Watch(tried)
    flood = load("rate", capacity * options.factor, options.seconds)
    time.sleep(options.seconds)
    # What still waits is part of the work that is done now.
    after = load("clients", clients, 5).result()
    over = flood.result()
    watch.is_over.set()
    watch.join()

    offered, accepted = over["sent"] / options.seconds, sum(over["good_by_second"][:int(options.seconds)]) / options.seconds
    good, refused = over["good_ms"], over["refused_ms"]
    print(f"offered        {offered:.0f}/s, {over['sent']} in all, on {over['connections']} connections, "
          f"{over['most_connections']} at the same time")
    print(f"accepted       {accepted:.0f}/s  p50 {good['p50']:.0f} ms  p99 {good['p99']:.0f} ms   "
          f"a full queue is {QUEUE / max(accepted, 1) * 1e3:.0f} ms of work")
    print(f"refused        {over['refused']}  p50 {refused['p50']:.1f} ms  p99 {refused['p99']:.0f} ms")
    print(f"other          {over['other']} answers, {over['unanswered']} without {over['examples']}")
    print(f"who asks       {over['processor'] / options.seconds * 100:.0f} % of a processor, late by {over['latest_ms']:.0f} ms at most")
    seconds = after["good_by_second"][:4]
    half = len(watch.memory) // 2
    early, late = (statistics.median(part) for part in (watch.memory[3:half], watch.memory[half:]))
    print(f"after the end  by second {seconds}")
    print(f"memory         {early:.0f} MiB, then {late:.0f} MiB")
    print(f"health         {len(watch.times)} answers, slowest {max(watch.times) * 1e3:.0f} ms")

    limit = 3 * alone["good_ms"]["p99"] + QUEUE_TIMEOUT * 1e3
    return {
        f"{over['sent']} answers good or 503": over["other"] + over["unanswered"] == 0,
        f"p99 of accepted {good['p99']:.0f} ms within {limit:.0f} ms": good["p99"] <= limit,
        f"offered at least {options.factor * 0.9:.1f} times capacity": offered >= capacity * options.factor * 0.9,
        f"at least {SERVED[options.connections]:.0%} of capacity served meanwhile, {accepted / capacity:.0%}":
            accepted >= SERVED[options.connections] * capacity,
        "memory flat": late <= early * 1.2,
        "health always answered, within a second": watch.failures == 0 and max(watch.times) < 1,
        f"throughput back in the second second, {seconds[1]}/s": seconds[1] >= 0.8 * capacity,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--factor", type=float, default=10)
    parser.add_argument("--connections", choices=("own", "kept"), default="own")
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    options = parser.parse_args()
    # Every client of this machine has one address.
    tried = service.Service(options.headroom, "--max-connections-per-address", "0", "--queue", str(QUEUE))
    try:
        print(f"load average before {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")
        rules = run(options, tried)
    finally:
        code = tried.stop()
    rules["stopped in order"] = code == 0
    for rule, holds in rules.items():
        print(f"{'holds ' if holds else 'BROKEN'} {rule}")
    sys.exit(0 if all(rules.values()) else 1)


main()

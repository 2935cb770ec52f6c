"""The throughput of one, two and three replicas with one worker each."""
import collections
import statistics

import load
import page
import processes
import traffic

CONNECTIONS = 24
HEAD = [
    "replicas", "crops a second", "÷ one replica", "p99", "processor time a crop", "crops a second with a core for each",
]


def processor_seconds(replicas):
    """Returns the user and system time that replicas and their workers have used so far."""
    return sum(processes.Server(replica.process, "").processor_seconds() for replica in replicas)


def measure(fronts, replicas, origin, rounds, seconds):
    """Returns a table by the number of replicas, and the failures of all rounds. Each front has one replica more than
    the previous one."""
    measured, failures = collections.defaultdict(list), 0
    for number in range(rounds + 1):
        for count, front in enumerate(fronts, 1):
            before = processor_seconds(replicas[:count])
            paths = [f"{path}&quality={60 + n // traffic.IMAGE_COUNT}" for n, path in enumerate(traffic.new_crops(origin, 5000))]
            result = load.send(front.base, paths, connections=CONNECTIONS, seconds=seconds if number else 1)
            failures += result.failures
            spent = processor_seconds(replicas[:count]) - before
            # The first round is a warm-up and is not counted.
            if number:
                measured[count].append((result.per_second, result.p99, 1000 * spent / max(1, result.requests)))
    rows = []
    for count, results in measured.items():
        speed, p99, cost = map(statistics.median, zip(*results))
        ratio = statistics.median(some[0] / one[0] for some, one in zip(results, measured[1]))
        costs = [f"{cost:.2f} ms", f"{1000 * count / cost:.0f}"]
        rows.append([f"{count}", f"{speed:.0f}", f"{ratio:.2f}", f"{p99:.0f} ms", *costs])
    return page.table(HEAD, rows), failures

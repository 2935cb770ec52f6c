"""The throughput of one, two and three replicas with one worker each."""

import pathlib
import statistics

import fleet
import load
import page
import traffic

CONNECTIONS = 24


def measure(fleets: list[list[fleet.Replica]], fronts: list[fleet.Front], paths: list[str], rounds: int, seconds: float):
    """A table by the number of replicas, and the failures of all rounds."""
    per_second: dict[int, list[float]] = {}
    processor: dict[int, list[float]] = {}
    p99: dict[int, list[float]] = {}
    failures, turn = 0, 0
    for number in range(rounds + 1):
        for replicas, front in zip(fleets, fronts):
            count = len(replicas)
            before = sum(replica.server.processor_seconds() for replica in replicas)
            # Another v in each round, so that no cache has the response.
            turn += 1
            asked = [f"{path}&v={turn}" for path in paths]
            result = load.send(front.base, asked, connections=CONNECTIONS, seconds=seconds if number else 1)
            failures += result.failures
            if number == 0:
                continue
            spent = sum(replica.server.processor_seconds() for replica in replicas) - before
            per_second.setdefault(count, []).append(result.per_second)
            processor.setdefault(count, []).append(1000 * spent / max(1, result.requests))
            p99.setdefault(count, []).append(result.p99)
    rows = []
    for count in per_second:
        ratio = statistics.median(a / b for a, b in zip(per_second[count], per_second[1]))
        cost = statistics.median(processor[count])
        rows.append([
            str(count), f"{statistics.median(per_second[count]):.0f}", f"{ratio:.2f}", f"{statistics.median(p99[count]):.0f} ms",
            f"{cost:.2f} ms", f"{1000 * count / cost:.0f}",
        ])
    head = [
        "replicas", "crops a second", "÷ one replica", "p99", "processor time a crop", "crops a second with a core for each",
    ]
    return page.table(head, rows), failures


def fronts(folder: pathlib.Path, replicas: list[fleet.Replica]) -> tuple[list[list[fleet.Replica]], list[fleet.Front]]:
    """An nginx for the first replica, the first two, and so on."""
    fleets = [replicas[:count] for count in range(1, len(replicas) + 1)]
    return fleets, [fleet.Front(folder / f"front-{len(chosen)}", chosen) for chosen in fleets]


def paths(origin: str, names: list[str], count: int) -> list[str]:
    return [traffic.crop(origin, names[number % len(names)]) + f"&quality={60 + number // len(names) % 30}" for number in range(count)]

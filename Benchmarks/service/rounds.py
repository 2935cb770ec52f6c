"""Rounds of load on all contenders in turn, so that a machine whose speed drifts is unfair to none."""

import dataclasses
import pathlib
import statistics
import sys
import typing

import contenders
import load
import loop


@dataclasses.dataclass
class Figures:
    """What the rounds of one contender gave for one size of pictures."""

    name: str
    # Of each round: pictures a second, and milliseconds.
    per_second: list[float] = dataclasses.field(default_factory=list)
    processor: list[float] = dataclasses.field(default_factory=list)
    p50: list[float] = dataclasses.field(default_factory=list)
    p99: list[float] = dataclasses.field(default_factory=list)
    # Of all rounds.
    megabytes: float = 0
    failures: int = 0

    def ratio(self, other: "Figures") -> float:
        """How many times as many pictures a second as the other, round by round."""
        return statistics.median(a / b for a, b in zip(self.per_second, other.per_second))


@dataclasses.dataclass(frozen=True)
class Bare:
    """A bare loop with the jobs of one contender."""

    name: str
    program: str
    jobs: pathlib.Path


def measure(
    services: list[contenders.Contender], bare: list[Bare], pictures: list[str], *, rounds: int, connections: int,
    seconds: float,
) -> dict[str, Figures]:
    """Figures by the contenders' names."""
    figures = {entry.name: Figures(entry.name) for entry in [*services, *bare]}
    # Once around first: caches of files are warm then, and whatever is made on first use is there.
    for service in services:
        _ask(service, pictures, figures[service.name], connections=connections, seconds=1)
        figures[service.name] = Figures(service.name)
    for number in range(rounds):
        for service in services:
            _ask(service, pictures, figures[service.name], connections=connections, seconds=seconds)
        for entry in bare:
            rate = loop.run(entry.program, entry.jobs, processes=contenders.AT_ONCE, seconds=seconds)
            figures[entry.name].per_second.append(rate.per_second)
            figures[entry.name].processor.append(rate.milliseconds)
        told = ", ".join(f"{name} {entry.per_second[-1]:.1f}/s" for name, entry in figures.items())
        print(f"  round {number + 1}: {told}", file=sys.stderr, flush=True)
    return figures


def _ask(
    service: contenders.Contender, pictures: list[str], figures: Figures, **options: typing.Any
) -> None:
    service.server.forget_peak()
    before = service.server.processor_seconds()
    # A connection for each request: kept ones would stay with one of two processes, however busy that is.
    paths = [service.path(picture) for picture in pictures]
    result = load.send(service.server.base, paths, headers={"Connection": "close"}, **options)
    spent = service.server.processor_seconds() - before
    figures.per_second.append(result.per_second)
    figures.processor.append(spent / max(1, result.requests) * 1000)
    figures.p50.append(result.p50)
    figures.p99.append(result.p99)
    figures.megabytes = max(figures.megabytes, service.server.peak_megabytes())
    figures.failures += result.failures

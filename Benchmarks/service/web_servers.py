"""The HTTP server alone: a trivial route of Headroom's, FlyingFox's and Hummingbird's, in turn."""

import contextlib
import dataclasses
import os
import statistics
import sys
import typing

import contenders
import load
import page
import processes

ROUTE = "/healthz"
CONNECTIONS = 32
SECONDS = 3.0


@dataclasses.dataclass
class Entry:
    """A server, and requests a second and microseconds of processor time a request of each round."""

    name: str
    server: processes.Server
    per_second: list[float] = dataclasses.field(default_factory=list)
    processor: list[float] = dataclasses.field(default_factory=list)
    p99: list[float] = dataclasses.field(default_factory=list)


@contextlib.contextmanager
def _other(program: str) -> typing.Iterator[processes.Server]:
    port = processes.free_port()
    with processes.server([program, str(port)], port, ROUTE) as server:
        yield server


def measure(headroom: str, folder: str, rounds: int) -> str:
    """A table of all servers that could be built."""
    absent: list[list[str]] = []
    entries: list[Entry] = []
    with contextlib.ExitStack() as running:
        entries.append(Entry("Headroom", running.enter_context(contenders.headroom(headroom))))
        for name, program in [("FlyingFox 0.27.1", "flying-fox-server"), ("Hummingbird 2.28.1", "hummingbird-server")]:
            try:
                server = running.enter_context(_other(os.path.join(folder, program)))
                entries.append(Entry(name, server))
            except processes.Unavailable as reason:
                absent.append([f"{name}: not measured, {reason}", "", "", "", ""])
        for number in range(rounds + 1):
            for entry in entries:
                _ask(entry, isCounted=number > 0)
    rows = []
    for entry in entries:
        ratio = statistics.median(a / b for a, b in zip(entries[0].per_second, entry.per_second))
        rows.append([
            entry.name, f"{statistics.median(entry.per_second):,.0f}", f"{statistics.median(entry.p99):.2f} ms",
            f"{statistics.median(entry.processor):.1f} µs", f"{ratio:.2f}",
        ])
    head = ["", "requests a second", "p99", "processor time a request", "Headroom ÷ it"]
    return page.table(head, rows + absent)


def _ask(entry: Entry, isCounted: bool) -> None:
    before = entry.server.processor_seconds()
    # FlyingFox closes a connection unless it is asked to keep it.
    headers = {"Connection": "keep-alive"}
    seconds = SECONDS if isCounted else 1
    result = load.send(entry.server.base, [ROUTE], connections=CONNECTIONS, seconds=seconds, headers=headers)
    if result.failures:
        print(f"  {entry.name}: {result.failures} requests failed", file=sys.stderr, flush=True)
    if isCounted:
        spent = entry.server.processor_seconds() - before
        entry.per_second.append(result.per_second)
        entry.p99.append(result.p99)
        entry.processor.append(spent / max(1, result.requests) * 1e6)
        print(f"  {entry.name}: {result.per_second:,.0f} requests/s", file=sys.stderr, flush=True)

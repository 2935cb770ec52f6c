"""Load on a server, by wrk or by Benchmarks/OpenLoop, and alternating rounds on several servers."""

import dataclasses
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).parent


@dataclasses.dataclass(frozen=True)
class Load:
    """The outcome of one round of requests; times are in milliseconds."""

    per_second: float
    p50: float = 0
    p99: float = 0
    longest: float = 0
    requests: int = 0
    failures: int = 0
    # Processor time per request, and the maximum megabytes of all processes.
    processor: float = 0
    megabytes: float = 0


def send(base, paths, *, connections, seconds, headers=None):
    """Requests the paths in turn on a fixed number of connections; each connection sends the next request when it has a
    response. A single path is requested as fast as wrk can, because no script runs."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file, tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        file.writelines(f"{path}\n" for path in paths)
        file.flush()
        is_one = len(paths) == 1
        script.write(("" if is_one else (HERE / "load.lua").read_text()) + (HERE / "report.lua").read_text())
        script.flush()
        command = ["wrk", "-t1", f"-c{connections}", f"-d{max(1, round(seconds))}s", "--timeout", "60s", "-s", script.name]
        for name, value in (headers or {}).items():
            command += ["-H", f"{name}: {value}"]
        target = [base + paths[0]] if is_one else [base, "--", file.name]
        run = subprocess.run([*command, *target], check=True, capture_output=True, text=True)
    figures = json.loads(run.stdout.splitlines()[-1])
    good = figures["requests"] - figures["refused"]
    failures = figures["refused"] + figures["failed"]
    times = figures["p50"], figures["p99"], figures["longest"]
    return Load(good / figures["seconds"], *times, figures["requests"], failures)


def measure(server, paths, **options):
    """Sends the same load as `requests`, and also measures the processor time and the memory of the server."""
    server.forget_peak()
    before = server.processor_seconds()
    result = send(server.base, paths, **options)
    spent = server.processor_seconds() - before
    return dataclasses.replace(
        result, processor=1000 * spent / max(1, result.requests), megabytes=server.peak_megabytes())


def at_rate(generator, base, paths, rate, seconds, connections):
    """Sends a number of requests per second, independent of the responses, on new connections (`own`) or on persistent
    connections (`kept`); durations start when a request is due."""
    words = [generator, urllib.parse.urlsplit(base).port, "rate", rate, seconds, connections, "-", *paths]
    told = json.loads(subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout)
    failures = told["sent"] - told["good"]
    if failures:
        print(f"  {base}: {failures} of {told['sent']} requests failed: {told['examples']}", file=sys.stderr, flush=True)
    times = told["good_ms"]
    return Load(rate, times["p50"], times["p99"], times["max"], told["sent"], failures)


def in_turn(works, rounds, seconds, name=""):
    """Returns loads by the names of `works`, which are functions that run for a number of seconds. They run
    alternately, so that a change of the machine's speed affects all of them. The first turn is a short warm-up for
    files and lazy objects, and is not counted."""
    found = {work: [] for work in works}
    for number in range(rounds + 1):
        for work, run in works.items():
            found[work].append(run(seconds if number else 1))
        told = ", ".join(
            f"{work} {loads[-1].per_second:,.1f}/s" + f" ({loads[-1].failures} failures)" * (loads[-1].failures > 0)
            for work, loads in found.items())
        print(f"  {name or 'round'} {number}: {told}", file=sys.stderr, flush=True)
    return {work: loads[1:] for work, loads in found.items()}


def median(loads, field):
    return statistics.median(getattr(load, field) for load in loads)


def ratio(loads, others):
    """Returns the median ratio of the rates of two loads, round by round."""
    return statistics.median(one.per_second / other.per_second for one, other in zip(loads, others))

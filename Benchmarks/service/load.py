"""Requests from a fixed number of connections, each sending the next one when it has its answer, by wrk."""

import dataclasses
import json
import pathlib
import subprocess
import tempfile


@dataclasses.dataclass(frozen=True)
class Load:
    """What one round of requests gave; percentiles are milliseconds."""

    per_second: float
    p50: float
    p99: float
    longest: float
    requests: int
    failures: int


def send(base: str, paths: list[str], *, connections: int, seconds: float, headers: dict[str, str] = {}) -> Load:
    """Asks for the paths in turn; for a single one as fast as wrk can, for it runs no script then."""
    here = pathlib.Path(__file__).parent
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file, tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        file.writelines(f"{path}\n" for path in paths)
        file.flush()
        is_one = len(paths) == 1
        script.write(("" if is_one else (here / "load.lua").read_text()) + (here / "report.lua").read_text())
        script.flush()
        command = ["wrk", "-t1", f"-c{connections}", f"-d{max(1, round(seconds))}s", "--timeout", "60s", "-s", script.name]
        for name, value in headers.items():
            command += ["-H", f"{name}: {value}"]
        target = [base + paths[0]] if is_one else [base, "--", file.name]
        run = subprocess.run([*command, *target], check=True, capture_output=True, text=True)
    figures = json.loads(run.stdout.splitlines()[-1])
    good = figures["requests"] - figures["refused"]
    failures = figures["refused"] + figures["failed"]
    return Load(good / figures["seconds"], figures["p50"], figures["p99"], figures["longest"], figures["requests"], failures)

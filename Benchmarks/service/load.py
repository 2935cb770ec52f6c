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
    requests: int
    failures: int


def send(base: str, paths: list[str], *, connections: int, seconds: float, headers: dict[str, str] = {}) -> Load:
    """Asks for the paths in turn."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(f"{path}\n" for path in paths)
        file.flush()
        script = pathlib.Path(__file__).with_name("load.lua")
        command = ["wrk", "-t1", f"-c{connections}", f"-d{max(1, round(seconds))}s", "--timeout", "60s", "-s", str(script)]
        for name, value in headers.items():
            command += ["-H", f"{name}: {value}"]
        run = subprocess.run([*command, base, "--", file.name], check=True, capture_output=True, text=True)
    figures = json.loads(run.stdout.splitlines()[-1])
    good = figures["requests"] - figures["refused"]
    failures = figures["refused"] + figures["failed"]
    return Load(good / figures["seconds"], figures["p50"], figures["p99"], figures["requests"], failures)

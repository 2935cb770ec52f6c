#!/usr/bin/env python3
"""Runs checks one after another, and prints a table of their outcomes: part of `make check` and `make release-check`.

    scripts/run-checks.py NAME…         targets of the Makefile, such as check-page

Each check writes to .build/checks/NAME.log and has a time limit. Its outcome is one of:

- ran, with the parts that it skipped: lines of its log that start with "skipped"
- skipped, with the reason: it exited with status 77 because something cannot be installed or is not allowed
- failed

Only checks can be skipped: lint and tests fail if something is missing. Exits 1 if a check failed.
"""

import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOGS = ROOT / ".build" / "checks"

# Time limits in minutes. They are several times the durations on two cores.
LIMIT = 20
LIMITS = {
    "check-arm64": 40,
    "check-compose": 40,
    "check-deb": 40,
    "check-drills": 40,
    "check-engines": 40,
    "check-example": 60,
    "check-fills": 60,
    "check-fleet": 40,
    "check-image": 90,
    "check-slim": 60,
    "check-tarball": 60,
    "test-release": 120,
    "wheel": 60,
}

# The message that make prints if a target exited with the status of a skipped test in Automake.
SKIPPED = re.compile(r"^make(\[\d+\])?: \*\*\* \[.*\] Error 77$", re.MULTILINE)


@dataclasses.dataclass
class Result:
    """The outcome of a check."""

    name: str
    word: str
    reason: str
    seconds: float

    def line(self, width: int) -> str:
        """Returns a row of the table."""
        minutes, seconds = divmod(round(self.seconds), 60)
        return f"{self.name:{width}}  {self.word:8} {minutes:3}:{seconds:02}  {self.reason}".rstrip()


def ended(process: subprocess.Popen, minutes: float) -> bool:
    """Waits for a process; kills it and its descendants after a time limit, or if this program is interrupted."""
    try:
        process.wait(minutes * 60)
        return True
    except subprocess.TimeoutExpired:
        return False
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def outcome(name: str, status: int, log: str) -> tuple[str, str]:
    """Returns the word and the reason for a status and the output of make."""
    if status == 0:
        parts = dict.fromkeys(line.removeprefix("skipped ") for line in log.splitlines() if line.startswith("skipped "))
        return "ran", f"without {'; without '.join(parts)}" if parts else ""
    if name.startswith("check-") and SKIPPED.search(log):
        words = [line for line in log.splitlines() if line and not line.startswith("make")]
        return "skipped", f"because {re.sub('^(skipped|headroom): ', '', words[-1])}" if words else ""
    return "failed", ""


def run(name: str) -> Result:
    """Runs a target, and prints the end of its output if it fails."""
    print(f"{name} …", flush=True)
    path = LOGS / f"{name}.log"
    limit = LIMITS.get(name, LIMIT)
    begin = time.monotonic()
    with path.open("w") as output:
        # The caller has already built the program.
        command = ["make", "--no-print-directory", "-o", "build", name]
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        in_time = ended(process, limit)
    seconds = time.monotonic() - begin
    log = path.read_text(errors="replace")
    word, reason = outcome(name, process.returncode, log) if in_time else ("failed", f"after {limit} minutes")
    if word == "failed":
        print("".join(f"    {line}\n" for line in log.splitlines()[-20:]), flush=True)
        reason = f"{reason} {path.relative_to(ROOT)}".lstrip()
    return Result(name, word, reason, seconds)


def main() -> None:
    names = sys.argv[1:]
    if not names:
        sys.exit(__doc__)
    LOGS.mkdir(parents=True, exist_ok=True)
    results = [run(name) for name in names]
    width = max(map(len, names))
    print("\n" + "\n".join(result.line(width) for result in results))
    counts = {word: sum(result.word == word for result in results) for word in ("ran", "skipped", "failed")}
    print(f"\n{', '.join(f'{count} {word}' for word, count in counts.items())}")
    sys.exit(counts["failed"] > 0)


main()

#!/usr/bin/env python3
"""Prints how long the Swift files below Sources are; CONTRIBUTING.md says how long they should be. Never fails.

    scripts/report-sizes.py [BRANCH]        lists short and long files that BRANCH, by default main, does not have
"""
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHORT, LONG = 40, 400


def added(branch):
    """Swift files that a branch does not have; none if there is no such branch."""
    command = ["git", "diff", "--name-only", "--no-renames", "--diff-filter=A", f"{branch}...", "--", "Sources/*.swift"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()


def main():
    lines = {str(path.relative_to(ROOT)): len(path.read_bytes().splitlines())
             for path in (ROOT / "Sources").rglob("*.swift")}
    unusual = {path: count for path, count in lines.items() if count <= SHORT or count > LONG}
    long = sum(count > LONG for count in unusual.values())
    print(f"report-sizes: {len(lines)} Swift files, {sum(lines.values())} lines, median {statistics.median(lines.values()):g}; "
          f"{len(unusual) - long} have up to {SHORT} lines, {long} more than {LONG}")
    for path in added(sys.argv[1] if len(sys.argv) > 1 else "main"):
        if path in unusual:
            print(f"report-sizes: {path} is new and has {unusual[path]} lines; is there a reason?")


main()

"""Checks the Python programs of scripts, Benchmarks and Tools with ruff and mypy: part of `make lint`.

mypy checks one program at a time, because modules of different programs have the same names. pyproject.toml contains the rules
of both tools; the packages in Clients have separate rules.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(sys.executable).parent
FOLDERS = ["scripts", "Benchmarks", "Tools", "Fuzzers"]
# The folders from which programs import shared modules, like their sys.path.
SHARED = ["scripts/lib", "Benchmarks/service", "scripts/check-image", "scripts/check-arm64", "Tools/FaceNetWeights"]


def modules():
    """Returns the files of each program: all files of a folder, or a single file of scripts."""
    paths = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *(f"{folder}/*.py" for folder in FOLDERS)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    found: dict[str, list[str]] = {}
    for path in filter(lambda path: (ROOT / path).exists(), paths):
        folder = str(pathlib.PurePosixPath(path).parent)
        found.setdefault(path if folder == "scripts" else folder, []).append(path)
    return found


def types(program, paths):
    """Returns mypy's reports about a program."""
    command = [PROGRAMS / "mypy", "--no-error-summary", "--cache-dir", ROOT / ".build" / "mypy" / program, *paths]
    environment = {**os.environ, "MYPYPATH": ":".join(folder for folder in SHARED if folder != program)}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    return (done.stdout + done.stderr).splitlines()


def main():
    failed = subprocess.run([PROGRAMS / "ruff", "check", "--quiet", *FOLDERS], cwd=ROOT, check=False).returncode
    programs = modules()
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        # Problems in modules of several programs are reported once.
        lines = {line for each in pool.map(types, programs, programs.values()) for line in each}
    for line in sorted(lines):
        print(line)
    if failed or lines:
        sys.exit("lint: ruff and mypy found problems")
    print(f"lint: ruff and mypy found no problems in {sum(map(len, programs.values()))} Python files")


main()

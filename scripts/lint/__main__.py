"""Checks the Python programs of scripts, Benchmarks and Tools with ruff and mypy: part of `make lint`.

mypy checks one program at a time, because their modules have the same names. pyproject.toml has the rules of both; the
packages in Clients have their own.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(sys.executable).parent
FOLDERS = ["scripts", "Benchmarks", "Tools", "Fuzzers"]
# Where programs look for modules of others, as their sys.path does.
SHARED = ["scripts/lib", "Benchmarks/service", "scripts/check-image", "scripts/check-arm64", "Tools/FaceNetWeights"]


def modules():
    """The files of each program: those of a folder, and each file of scripts."""
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
    """What mypy reports of a program."""
    command = [PROGRAMS / "mypy", "--no-error-summary", "--cache-dir", ROOT / ".build" / "mypy" / program, *paths]
    environment = {**os.environ, "MYPYPATH": ":".join(folder for folder in SHARED if folder != program)}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    return (done.stdout + done.stderr).splitlines()


def main():
    failed = subprocess.run([PROGRAMS / "ruff", "check", "--quiet", *FOLDERS], cwd=ROOT, check=False).returncode
    programs = modules()
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        # Modules of several programs are reported once.
        lines = {line for each in pool.map(types, programs, programs.values()) for line in each}
    for line in sorted(lines):
        print(line)
    if failed or lines:
        sys.exit("lint: findings of ruff and mypy")
    print(f"lint: ruff and mypy have no findings in {sum(map(len, programs.values()))} files of Python")


main()

"""Compiles Headroom's C and C++ for arm64 and runs the detector's kernels under QEMU.

    scripts/check-arm64 [--counts [--size 320x240]]

- All C and C++ code of Package.swift is compiled with Debian's arm64 headers and linked with the arm64 libraries.
- Each stage of each instruction set, on x86-64 and on arm64, must equal the plain kernels bit for bit. The detections,
  landmarks and network outputs of both processors must also be equal.
- All calls in the system call filter must exist on arm64, except calls that arm64 never had.

With --counts, it only prints the instructions per pixel on both processors under QEMU.
"""
import argparse
import pathlib
import platform
import re
import subprocess
import sys

from compiling import CHECKS, KERNELS, LIBRARIES, ROOT, TARGETS, C, Compiler, face_network, kernels
from packages import unpack

FOLDER = ROOT / ".build/arm64"
# arm64 does not have time(2), and uses clock_gettime(2).
NEVER_ON_ARM64 = 1
FACE_IMAGES, SUBJECT_IMAGES = "80", "12"


def build(name: str, words: list[str], wanted) -> tuple[Compiler, dict, pathlib.Path]:
    compiler = Compiler(FOLDER / name, words)
    targets = {target: compiler.target_objects(target) for target in wanted}
    return compiler, targets, kernels(compiler, targets)


def check_kernels(programs: dict, words: list[str]) -> int:
    """Runs the comparisons on both processors; returns the number of failures."""
    failures, lines = 0, {}
    for name, command in programs.items():
        done = subprocess.run([*command, *words], check=False, capture_output=True, text=True)
        lines[name] = done.stdout.splitlines()
        failures += done.returncode != 0
        print(f"{name}: {len(lines[name])} lines, {done.stderr.strip()}")
    here, there = lines.values()
    different = [pair for pair in zip(here, there, strict=True) if pair[0] != pair[1]]
    for one, other in different:
        print(f"x86-64 {one}\narm64  {other}")
    print(f"{len(different)} lines differ between the processors")
    return failures + len(different)


def check_filter(compiler: Compiler, targets: dict, run: list[str]) -> int:
    words = [f"-I{C}/CSandbox/include", f"-I{C}/CLinux/include"]
    program = compiler.link("filter", [compiler.object(CHECKS / "Filter.c", words), *targets["CLinux"]], ["-lseccomp"])
    done = subprocess.run([*run, str(program)], check=False, capture_output=True, text=True)
    missing = done.stdout.count("# missing here")
    calls = set(re.findall(r'# filter for syscall "(\w+)"', done.stdout))
    right = done.returncode == 0 and "arch aarch64" in done.stdout and missing == NEVER_ON_ARM64 and "time" not in calls
    print(f"filter: {len(calls)} system calls of arm64, {missing} that arm64 lacks{'' if right else ': WRONG'}")
    return not right


def count(programs: dict, size: str):
    """Prints instructions per pixel: the difference between two detections and one."""
    own = Compiler(FOLDER / "count", [])
    plugin = own.link("count.so", [own.object(CHECKS / "CountPlugin.c", [])], ["-shared"])
    for (name, command), sets in zip(
        programs.items(), (["dlib-baseline", "dlib", "plain", "sse4", "avx2"], ["dlib", "plain", "neon", "neon-dot"])
    ):
        for instructions in sets:
            counted = []
            for times in "12":
                command_line = [command[0], "-plugin", str(plugin), *command[1:], "run", instructions, *size.split("x"), times]
                done = subprocess.run(command_line, capture_output=True, text=True, check=True)
                counted.append(int(re.findall(r"instructions: (\d+)", done.stderr)[0]))
            pixels = int(re.findall(r": (\d+) pixels", done.stdout)[0])
            print(f"{name:7} {instructions:14} {(counted[1] - counted[0]) / pixels:7.1f} instructions per pixel", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--size", default="320x240")
    options = parser.parse_args()
    if platform.machine() != "x86_64":
        sys.exit("check-arm64 must run on x86-64, because it compares arm64 with x86-64")

    root = unpack(FOLDER / "debian")
    own, parts, here = build("x86_64", [], [*KERNELS, "CFaceNet"])
    words = ["--target=aarch64-linux-gnu", f"--sysroot={root}"]
    compiler, targets, there = build("aarch64", words, KERNELS if options.counts else TARGETS)
    run = ["qemu-aarch64", "-L", str(root)]
    if options.counts:
        count({"x86-64": ["qemu-x86_64", "-cpu", "max", str(here)], "arm64": [*run, str(there)]}, options.size)
        return 0

    objects = [one for parts in targets.values() for one in parts]
    # Linked as a program, because Debian's libdlib.a cannot be linked into a shared library.
    compiler.link("all", objects, ["-nostartfiles", "-Wl,-e,hr_hog_detect", *LIBRARIES.split()])
    print(f"compiled: {len(objects)} files for arm64, linked with Debian's libraries")
    failures = check_kernels({"x86-64": [str(here)], "arm64": [*run, str(there)]}, ["check"])
    networks = {"x86-64": [str(face_network(own, parts))], "arm64": [*run, str(face_network(compiler, targets))]}
    failures += check_kernels(networks, ["check", FACE_IMAGES])
    subjects = {name: [*command[:-1], command[-1].replace("face-network", "subject-network")] for name, command in networks.items()}
    failures += check_kernels(subjects, ["check", SUBJECT_IMAGES])
    # The minimum of arm64: no dot products.
    least = [run[0], "-cpu", "cortex-a53", *run[1:], str(there), "run", "best", "320", "240", "1"]
    chosen = subprocess.run(least, check=False, capture_output=True, text=True).stdout.split(" ")[0]
    print(f"a Cortex-A53 uses {chosen}")
    failures += chosen != "neon"
    failures += check_filter(compiler, targets, run)
    print("failed" if failures else "passed")
    return 1 if failures else 0


sys.exit(main())

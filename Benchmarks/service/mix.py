"""Sources as people upload them: kinds of files one by one, and all of them together at a fixed rate of requests.

A third are progressive JPEGs. The others are JPEGs as phones write them, some without subsampling, screenshots as PNG, WebP,
AVIF, and HEIC if the corpus has files. libvips is measured beside Headroom, also where it wins.
"""

import contextlib
import http.client
import pathlib
import queue
import statistics
import sys
import threading
import time
import typing

import contenders
import load
import origin
import page
import processes

CONNECTIONS = 4
SECONDS = 4.0
# Shares of the highest rate.
SHARES = [0.5, 0.8, 0.95]
# Requests that may be in progress, beyond which their sender would be late.
SENDERS = 64


class Kind(typing.NamedTuple):
    """Files of one kind: how many of each dozen, and what libvips writes them with."""

    name: str
    count: int
    suffix: str
    options: dict[str, typing.Any]
    megapixels: list[float]


KINDS = [
    Kind("JPEG, progressive, 4:2:0, 85", 3, ".jpg", {"Q": 85, "interlace": True, "subsample_mode": "on"}, [0.5, 2, 12]),
    Kind("JPEG, progressive, 4:4:4, 92", 1, ".jpg", {"Q": 92, "interlace": True, "subsample_mode": "off"}, [2]),
    Kind("JPEG, 4:2:0, 85 to 95", 3, ".jpg", {"Q": 90, "subsample_mode": "on"}, [2, 3, 12]),
    Kind("JPEG, 4:4:4, 99", 1, ".jpg", {"Q": 99, "subsample_mode": "off"}, [3]),
    Kind("PNG, screenshot", 1, ".png", {}, [2]),
    Kind("WebP, 80", 1, ".webp", {"Q": 80}, [2]),
    Kind("AVIF, 50", 1, ".avif", {"Q": 50, "compression": "av1", "effort": 2}, [2]),
    Kind("HEIC", 1, ".heic", {}, [12]),
]


def prepare(folder: pathlib.Path, photographs: list[pathlib.Path], heics: list[pathlib.Path]) -> dict[str, list[str]]:
    """Writes the files that are not there yet; gives their names by kind, without kinds that have none."""
    import pyvips

    folder.mkdir(parents=True, exist_ok=True)
    made: dict[str, list[str]] = {}
    number = 0
    for kind in KINDS:
        names = []
        for index in range(kind.count):
            name = f"{len(made)}-{index}{kind.suffix}"
            names.append(name)
            number += 1
            if (folder / name).exists():
                continue
            if kind.suffix == ".heic":
                if not heics:
                    names.pop()
                    break
                (folder / name).write_bytes(heics[index % len(heics)].read_bytes())
                continue
            picture = pyvips.Image.new_from_file(str(photographs[number % len(photographs)])).autorot()
            pixels = kind.megapixels[index % len(kind.megapixels)] * 1e6
            picture = picture.resize((pixels / (picture.width * picture.height)) ** 0.5)
            if kind.suffix == ".png":
                picture = _screenshot(picture)
            options = dict(kind.options)
            if kind.name.endswith("85 to 95"):
                options["Q"] = [85, 90, 95][index]
            picture.write_to_file(str(folder / name), strip=True, **options)
        if names:
            made[kind.name] = names
    return made


def _screenshot(picture: typing.Any) -> typing.Any:
    """A page with the picture at a quarter of its size and lines of text."""
    import pyvips

    sheet = (pyvips.Image.black(picture.width, picture.height, bands=3) + 245).cast("uchar").copy(interpretation="srgb")
    small = picture.resize(0.5)
    sheet = sheet.insert(small, picture.width // 4, picture.height // 8)
    words = pyvips.Image.text("The quick brown fox jumps over the lazy dog. " * 12, width=picture.width * 3 // 4, dpi=120)
    ink = words.invert().bandjoin([words.invert(), words.invert()]).copy(interpretation="srgb")
    return sheet.insert(ink, picture.width // 8, picture.height * 2 // 3)


def measure(headroom: str, folder: pathlib.Path, photographs: list[pathlib.Path], heics: list[pathlib.Path]) -> str:
    """A table of the kinds, and one of the mix at shares of the highest rate."""
    files = prepare(folder, photographs, heics)
    with contextlib.ExitStack() as running:
        host = running.enter_context(origin.nginx(folder, folder))
        services = running.enter_context(contenders.headrooms(headroom))[:1]
        with contextlib.suppress(processes.Unavailable):
            services += running.enter_context(contenders.vips())
        everything = [f"{host}/{name}" for names in files.values() for name in names]
        kinds = [_kind_row(kind, [f"{host}/{name}" for name in names], services) for kind, names in files.items()]
        kinds.append(_kind_row("all together", everything, services))
        rates = [row for service in services for row in _rate_rows(service, everything)]
    head = ["kind"] + [f"{service.name}: {what}" for service in services for what in ("pictures a second", "CPU time")]
    if len(services) > 1:
        head.append("Headroom ÷ libvips")
    rate_head = ["the mix at a fixed rate", "share", "requests a second", "p50", "p99", "longest", "failures", "peak memory"]
    return page.table(head, kinds) + "\n\n" + page.table(rate_head, rates)


def _kind_row(kind: str, urls: list[str], services: list[contenders.Contender]) -> list[str]:
    rates, cells = [], []
    for service in services:
        before = service.server.processor_seconds()
        result = _closed(service, urls)
        spent = service.server.processor_seconds() - before
        rates.append(result.per_second)
        failed = f", {result.failures} failures" if result.failures else ""
        cells += [f"{result.per_second:.1f}{failed}", f"{spent / max(1, result.requests) * 1000:.1f} ms"]
    print(f"  {kind}: {', '.join(f'{rate:.1f}/s' for rate in rates)}", file=sys.stderr, flush=True)
    ratio = [f"{rates[0] / rates[1]:.2f}" if rates[1] else ""] if len(rates) > 1 else []
    return [kind, *cells, *ratio]


def _closed(service: contenders.Contender, urls: list[str]) -> load.Load:
    paths = [service.path(url) for url in urls]
    return load.send(
        service.server.base, paths, connections=CONNECTIONS, seconds=SECONDS, headers={"Connection": "close"}
    )


def _rate_rows(service: contenders.Contender, urls: list[str]) -> list[list[str]]:
    most = _closed(service, urls).per_second
    rows = []
    for share in SHARES:
        service.server.forget_peak()
        times, failures = _open(service, urls, rate=most * share, seconds=3 * SECONDS)
        cuts = statistics.quantiles(times, n=100)
        rows.append([
            service.name, f"{share:.0%}", f"{most * share:.1f}", f"{cuts[49] * 1000:.0f} ms", f"{cuts[98] * 1000:.0f} ms",
            f"{max(times) * 1000:.0f} ms", str(failures), f"{service.server.peak_megabytes():.0f} MB",
        ])
    return rows


def _open(
    service: contenders.Contender, urls: list[str], *, rate: float, seconds: float
) -> tuple[list[float], int]:
    """Sends requests when they are due, whatever the answers do; times begin when a request is due, as those of wrk2."""
    due: queue.SimpleQueue[tuple[float, str] | None] = queue.SimpleQueue()
    times: list[float] = []
    failures: list[str] = []
    host = service.server.base.removeprefix("http://")

    def sender() -> None:
        while (job := due.get()) is not None:
            moment, path = job
            try:
                connection = http.client.HTTPConnection(host, timeout=60)
                connection.request("GET", path)
                reply = connection.getresponse()
                reply.read()
                connection.close()
                if reply.status != 200:
                    failures.append(path)
            except OSError:
                failures.append(path)
            times.append(time.monotonic() - moment)

    senders = [threading.Thread(target=sender, daemon=True) for _ in range(SENDERS)]
    for thread in senders:
        thread.start()
    start, paths = time.monotonic(), [service.path(url) for url in urls]
    for number in range(max(2, round(rate * seconds))):
        moment = start + number / rate
        time.sleep(max(0, moment - time.monotonic()))
        due.put((moment, paths[number % len(paths)]))
    for _ in senders:
        due.put(None)
    for thread in senders:
        thread.join()
    return times, len(failures)

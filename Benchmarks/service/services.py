"""The running services, each fetching from the same nginx, and the bare loop beside them."""

import contextlib
import pathlib
import statistics
import sys
import typing

import contenders
import load
import loop
import origin
import page
import pictures
import processes
import rounds

COLUMNS = ["pictures a second", "× thumbor", "× bare loops", "p50", "p99", "processor time", "peak memory"]
CONNECTIONS = 4
# For the memory that pictures in work need.
MANY_CONNECTIONS = 16


class Arena:
    """Everything that runs while services are compared."""

    def __init__(self, files: dict[str, list[pathlib.Path]], folder: pathlib.Path, headroom: str, bare: str):
        self.pictures, self.folder, self.bare = files, folder, bare
        self.services: list[contenders.Contender] = []
        self.absent: list[str] = []
        self._headroom = headroom

    @contextlib.contextmanager
    def open(self, *, peers: bool) -> typing.Iterator["Arena"]:
        """Starts nginx and Headroom, and with `peers` every other service that is installed."""
        root = next(iter(self.pictures.values()))[0].parent.parent
        with contextlib.ExitStack() as running:
            self._root, self._host = root, running.enter_context(origin.nginx(root, self.folder))
            self.services += running.enter_context(contenders.headrooms(self._headroom))
            others = {"thumbor": contenders.thumbor, "libvips": contenders.vips} if peers else {}
            for name, start in others.items():
                try:
                    self.services += running.enter_context(start())
                except processes.Unavailable as reason:
                    self.absent.append(f"{name}: not measured, {reason}")
            yield self

    def urls(self, size: str) -> list[str]:
        """The pictures of one size, as HOST:PORT/PATH."""
        return [f"{self._host}/{picture.relative_to(self._root)}" for picture in self.pictures[size]]

    def jobs(self, accuracy: str, size: str) -> pathlib.Path:
        """The jobs of the bare loop that are the work of Headroom's at this accuracy."""
        target = self.folder / f"jobs-{accuracy}-{size}.txt"
        if not target.exists():
            service = self.services[0 if accuracy == "low" else 1]
            paths = [service.path(url) for url in self.urls(size)]
            loop.write_jobs(service.server.base, paths, self.pictures[size], target)
        return target

    def compare(self, count: int, seconds: dict[str, float]) -> str:
        """A table of all contenders for each size."""
        tables = []
        for size in self.pictures:
            print(f" {size}", file=sys.stderr, flush=True)
            loops = [
                rounds.Bare(f"bare loops, passes of `accuracy={accuracy}`", self.bare, self.jobs(accuracy, size))
                for accuracy in ("low", "high")
            ]
            figures = rounds.measure(
                self.services, loops, self.urls(size), rounds=count, connections=CONNECTIONS, seconds=seconds[size]
            )
            rows = _rows(figures) + [[reason, *[""] * 7] for reason in self.absent]
            tables.append(page.table([f"{size}, {pictures.SIZES[size] / 1e6:g} megapixels", *COLUMNS], rows))
        return "\n\n".join(tables)

    def memory(self, seconds: float) -> str:
        """Peak memory of every service with many large pictures at once."""
        rows = []
        for service in self.services:
            service.server.forget_peak()
            paths = [service.path(url) for url in self.urls("large")]
            with processes.ResidentPeak(service.server) as peak:
                result = load.send(
                    service.server.base, paths, connections=MANY_CONNECTIONS, seconds=seconds,
                    headers={"Connection": "close"},
                )
            rows.append([
                service.name, f"{peak.megabytes:.0f} MB", f"{service.server.peak_megabytes():.0f} MB",
                str(result.requests), str(result.failures),
            ])
        rows += [[reason, "", "", "", ""] for reason in self.absent]
        head = [f"{MANY_CONNECTIONS} large pictures at once", "peak memory", "peaks added up", "pictures", "failures"]
        return page.table(head, rows)


def _rows(figures: dict[str, rounds.Figures]) -> list[list[str]]:
    entries = list(figures.values())
    thumbor, loops = figures.get("thumbor"), entries[-2:]
    rows = []
    for number, entry in enumerate(entries):
        ours, bare = number < 2, entry in loops
        rows.append([
            entry.name + (f", {entry.failures} failures" if entry.failures else ""),
            f"{statistics.median(entry.per_second):.1f}",
            f"{entry.ratio(thumbor):.1f}" if thumbor and entry is not thumbor else "",
            f"{entry.ratio(loops[number]):.2f}" if ours else "",
            "" if bare else f"{statistics.median(entry.p50):.0f} ms",
            "" if bare else f"{statistics.median(entry.p99):.0f} ms",
            f"{statistics.median(entry.processor):.1f} ms",
            "" if bare else f"{entry.megabytes:.0f} MB",
        ])
    return rows

"""The running services, which all fetch from the same nginx, and the bare loop for comparison."""

import functools

import contenders
import images
import load
import loop
import origin
import page
import processes

COLUMNS = ["images a second", "× thumbor", "× bare loops", "p50", "p99", "processor time", "peak memory"]
CONNECTIONS = 4
# The number of connections in the measurement of peak memory.
MANY_CONNECTIONS = 16


def ask(service, urls, seconds, connections=CONNECTIONS):
    # Uses a new connection for each request, because a persistent connection would stay with one of the two processes
    # even if this process is busy.
    paths, headers = [service.path(url) for url in urls], {"Connection": "close"}
    return load.measure(service.server, paths, connections=connections, seconds=seconds, headers=headers)


class Arena:
    """All programs that run during the comparison: nginx, Headroom at both accuracies, and some peers."""

    def __init__(self, running, files, folder, headroom, bare, peers=()):
        self.images, self.folder, self.bare, self.absent = files, folder, bare, []
        root = next(iter(files.values()))[0].parent.parent
        host = running.enter_context(origin.nginx(root, folder))
        self.urls = {
            size: [f"{host}/{image.relative_to(root)}" for image in some] for size, some in files.items()}
        self.services = running.enter_context(contenders.headrooms(headroom))
        for name, start in peers:
            try:
                self.services += running.enter_context(start())
            except processes.Unavailable as reason:
                self.absent.append(f"{name}: not measured, {reason}")

    def bare_loops(self, number, size, seconds, count=contenders.AT_ONCE):
        """Returns bare loops with the work of the first or the second service."""
        return loop.run(self.bare, self.jobs(number, size), processes=count, seconds=seconds)

    @functools.cache
    def jobs(self, number, size):
        service, target = self.services[number], self.folder / f"jobs-{number}-{size}.txt"
        loop.write_jobs(service.server.base, map(service.path, self.urls[size]), self.images[size], target)
        return target

    def compare(self, rounds, seconds, head="{size}, {megapixels:g} megapixels"):
        """Returns a table of all contenders for each size; `head` is the first word of each table."""
        tables = []
        for size, urls in self.urls.items():
            works = {service.name: functools.partial(ask, service, urls) for service in self.services}
            loops = ["bare loops, passes of `accuracy=low`", "bare loops, passes of `accuracy=high`"]
            works |= {name: functools.partial(self.bare_loops, number, size) for number, name in enumerate(loops)}
            figures = load.in_turn(works, rounds, seconds[size], size)
            bases = dict(zip(figures, loops))
            thumbor = figures.get("thumbor")
            rows = []
            for name, loads in figures.items():
                failures = sum(one.failures for one in loads)
                rows.append([
                    name + (f", {failures} failures" if failures else ""),
                    f"{load.median(loads, 'per_second'):.1f}",
                    f"{load.ratio(loads, thumbor):.1f}" if thumbor and loads is not thumbor else "",
                    f"{load.ratio(loads, figures[bases[name]]):.2f}" if name in bases else "",
                    *([""] * 2 if name in loops else [f"{load.median(loads, field):.0f} ms" for field in ("p50", "p99")]),
                    f"{load.median(loads, 'processor'):.1f} ms",
                    "" if name in loops else f"{max(one.megabytes for one in loads):.0f} MB",
                ])
            rows += [[reason, *[""] * len(COLUMNS)] for reason in self.absent]
            title = head.format(size=size, megapixels=images.SIZES[size] / 1e6, count=len(urls))
            tables.append(page.table([title, *COLUMNS], rows))
        return "\n\n".join(tables)

    def memory(self, seconds):
        """Returns the peak memory of every service with many concurrent large images."""
        rows = []
        for service in self.services:
            with processes.Usage(service.server) as usage:
                result = ask(service, self.urls["large"], seconds, MANY_CONNECTIONS)
            rows.append([
                service.name, f"{usage.megabytes:.0f} MB", f"{result.megabytes:.0f} MB", str(result.requests),
                str(result.failures),
            ])
        rows += [[reason, "", "", "", ""] for reason in self.absent]
        head = [f"{MANY_CONNECTIONS} large images at once", "peak memory", "peaks added up", "images", "failures"]
        return page.table(head, rows)

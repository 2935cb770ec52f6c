"""Measures the cost of a million crops in processor time and memory, and the speed of Headroom with 1 to 16 workers.

All compared services can read the files, which are a part of the mix. A machine with 16 cores is simulated: a control group limits
the processor time of the service, and each worker adds an equal part to the limit. This shows waits for locks and queues, but not
the limits of a memory bus or of caches.
"""

import contextlib
import sys

import contenders
import control_group
import mix
import origin
import page
import processes
import services

SECONDS = 8.0
# The formats that libvips' build from PyPI and thumbor read.
FORMATS = (".jpg", ".png", ".webp")
WORKERS = [1, 2, 4, 8, 16]
# The cores of each worker. The rest of two cores is for nginx and wrk.
CORES = 0.1
MILLION = 1e6


def measure(headroom, folder, photographs):
    """Returns a table of the services, and a table of the numbers of workers."""
    files = [name for names in mix.prepare(folder, photographs, []).values() for name in names if name.endswith(FORMATS)]
    with origin.nginx(folder, folder) as host:
        urls = [f"{host}/{name}" for name in files]
        return f"{_services(headroom, urls)}\n\n{_scaling(headroom, urls)}"


def _services(headroom, urls):
    rows = []
    with contextlib.ExitStack() as running:
        compared = running.enter_context(contenders.headrooms(headroom))
        for start in (contenders.thumbor, contenders.vips):
            with contextlib.suppress(processes.Unavailable):
                compared += running.enter_context(start())
        for service in compared:
            with processes.Usage(service.server) as usage:
                load = services.ask(service, urls, SECONDS)
            rows.append([
                service.name + (f", {load.failures} failures" if load.failures else ""), f"{load.per_second:.1f}",
                f"{MILLION * load.processor / 1000:,.0f}",
                f"{MILLION / load.per_second * usage.mean_megabytes / 1024:,.0f}" if load.per_second else "",
            ])
            print(f"  {rows[-1]}", file=sys.stderr, flush=True)
    return page.table(["a million crops of the mix", "images a second", "core-seconds", "GiB-seconds"], rows)


def _scaling(headroom, urls):
    rows, first = [], None
    for count in WORKERS:
        cores = CORES * count
        try:
            with (
                control_group.ControlGroup("headroom-bench", cores=cores) as group,
                contenders.headrooms(headroom, workers=count, group=group) as asked,
            ):
                load = services.ask(asked[0], urls, 2 * SECONDS, 2 * count)
        except control_group.Skipped as reason:
            return f"The number of workers was not varied: {reason}."
        first = first or load.per_second
        rows.append([
            str(count), f"{cores:.1f}", f"{load.per_second:.1f}", f"{load.per_second / first / count:.2f}",
            f"{load.p50:.0f} ms", f"{load.p99:.0f} ms",
        ])
        print(f"  {rows[-1]}", file=sys.stderr, flush=True)
    return page.table(["workers", "cores", "images a second", "÷ one worker's, per worker", "p50", "p99"], rows)

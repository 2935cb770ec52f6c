"""Runs the fleet of deploy/ on this host: nginx, three replicas, Redis; loads it, injects failures, and checks the responses.

    make check-fleet [PAGE=docs/operations.md]

Exits 1 if a response failed or a check does not hold. Measurements are printed, and written into the page if one is
given; no minimum speed is required.
"""

import argparse
import contextlib
import pathlib
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(SOURCE / "Benchmarks/service"))

import caching  # noqa: E402
import contenders  # noqa: E402
import failures  # noqa: E402
import fleet  # noqa: E402
import origin  # noqa: E402
import page  # noqa: E402
import rolling  # noqa: E402
import scaling  # noqa: E402
import sharing  # noqa: E402
import staleness  # noqa: E402
import traffic  # noqa: E402

PICTURES = 240


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=str(SOURCE / ".build/release/headroom"))
    parser.add_argument("--rounds", type=int, default=3, help="rounds of the measurement of speed")
    parser.add_argument("--seconds", type=int, default=9, help="seconds of each load, a whole number as wrk wants it")
    parser.add_argument("--restarts", type=int, default=10, help="rounds of restarts of two replicas")
    parser.add_argument("--only", choices=["rolling"], help="runs one part")
    parser.add_argument("--page", type=pathlib.Path, help="a page with placeholders for the tables")
    return parser.parse_args()


class Report:
    def __init__(self):
        self.rows, self.failed = [], 0

    def run(self, checks) -> None:
        for name, check in checks:
            try:
                found = check()
                self.rows.append([name, found])
                print(f"ok      {name}: {found}", flush=True)
            except AssertionError as reason:
                self.failed += 1
                print(f"FAILED  {name}: {reason}", flush=True)

    def table(self) -> str:
        return page.table(["while, or of", "seen at nginx"], self.rows)


def main() -> None:
    options = arguments()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="headroom-fleet-") as temporary, contextlib.ExitStack() as stack:
        folder = pathlib.Path(temporary)
        pictures, run = folder / "pictures", folder / "origin"
        run.mkdir()
        names = traffic.draw(SOURCE / "docs/pictures", pictures, PICTURES)
        # Cached, but revalidated each time, so that a purge is visible at once.
        host = stack.enter_context(origin.nginx(pictures, run, cache_control="no-cache"))
        redis = fleet.Redis(folder)
        stack.enter_context(fleet.running(redis))

        upgraded = rolling.Rolling(
            options.headroom, folder, (SOURCE / "docs/pictures/scene.jpg").read_bytes(), host, names, options.restarts
        )
        with fleet.running(*upgraded.replicas, upgraded.front):
            report.run(upgraded.checks())
        if options.only == "rolling":
            sys.exit(1 if report.failed else 0)

        bare = [fleet.Replica(options.headroom, folder / f"bare-{n}.log", *contenders.NO_CACHES) for n in range(3)]
        fleets, fronts = scaling.fronts(folder, bare)
        with fleet.running(*bare, *fronts):
            paths = scaling.paths(host, names, 5000)
            speeds, failed = scaling.measure(fleets, fronts, paths, options.rounds, options.seconds)
        print(speeds, flush=True)
        report.failed += failed > 0

        replicas = [fleet.Replica(options.headroom, folder / f"{n}.log", "--redis", redis.url) for n in range(3)]
        front = fleet.Front(folder / "front", replicas)
        with fleet.running(*replicas, front):
            drawn = SOURCE / "docs/pictures"
            picture = (drawn / "scene.jpg").read_bytes()
            report.run(sharing.Sharing(replicas, redis, host, names).checks())
            report.run(failures.Failures(front, replicas, redis, picture, host, names, options.seconds).checks())
            report.run(caching.Caching(front, replicas, host, pictures, drawn, options.seconds).checks())
            other = folder / "other-origin"
            other.mkdir()
            with origin.nginx(pictures, other, cache_control=staleness.ORIGIN_SAYS) as short:
                stale = staleness.Staleness(options.headroom, folder, short, names[0])
                with fleet.running(stale.replica, stale.front):
                    report.run(stale.checks())
    if options.page:
        page.insert(options.page, "scaling", speeds)
        page.insert(options.page, "fleet", report.table())
    sys.exit(1 if report.failed else 0)


main()

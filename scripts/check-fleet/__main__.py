"""Runs the fleet of deploy/ on this host (nginx, three replicas and Redis) under load, injects failures, and checks the responses.
Then checks freshness and tags in seven caching proxies (freshness.py), and their idle connections (idle.py).

    make check-fleet [PAGE=docs/contributing/release.md] [ONLY="fleet freshness idle"]

Exits 1 if a response or a check failed. Prints measurements, and writes them into the page if a page is given. No minimum speed
is required.
"""
import argparse
import contextlib
import pathlib
import sys
import tempfile

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(SCRIPTS / "lib"), str(SCRIPTS.parent / "Benchmarks/service")]

import caching
import contenders
import failures
import fleet
import freshness
import idle
import origin
import page
import proxies
import report
import scaling
import service
import staleness
import traffic


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=str(service.EXECUTABLE))
    parser.add_argument("--rounds", type=int, default=3, help="rounds of the measurement of speed")
    parser.add_argument("--seconds", type=int, default=9, help="seconds of each load; wrk requires an integer")
    parser.add_argument("--restarts", type=int, default=10, help="number of rounds in which two replicas are restarted")
    parser.add_argument("--page", type=pathlib.Path, help="a page with placeholders for the tables")
    parser.add_argument("--only", nargs="+", choices=["fleet", "freshness", "idle"], default=["fleet", "freshness", "idle"])
    options = parser.parse_args()
    if "fleet" in options.only:
        check_fleet(options)
    found, missing = proxies.installed()
    for name in missing:
        report.omit(name, "it is not installed")
    with tempfile.TemporaryDirectory(prefix="headroom-proxies-") as temporary:
        folder = pathlib.Path(temporary)
        # Some proxies run as another user.
        folder.chmod(0o755)
        if "freshness" in options.only:
            report.each(freshness.checks(found, options.headroom, folder))
        if "idle" in options.only:
            report.each(idle.checks(found, folder))
    report.end()


def check_fleet(options):
    with tempfile.TemporaryDirectory(prefix="headroom-fleet-") as temporary, contextlib.ExitStack() as stack:

        def folder(name):
            (made := pathlib.Path(temporary, name)).mkdir()
            return made

        def replicas(count, *arguments):
            return [fleet.Replica(options.headroom, *arguments) for _ in range(count)]

        images = folder("images")
        traffic.draw(images)
        # Responses are cached, but revalidated for each request, so that a purge takes effect immediately.
        host = stack.enter_context(origin.nginx(images, folder("origin"), cache_control="no-cache"))
        redis = fleet.Redis(temporary)
        stack.enter_context(fleet.running(redis))

        two = replicas(2)
        front = fleet.Front(folder("front-two"), two)
        with fleet.running(*two, front):
            seen = report.each(failures.restarts(front, two, host, options.restarts))

        bare = replicas(3, *contenders.NO_CACHES)
        fronts = [fleet.Front(folder(f"front-bare-{count}"), bare[:count]) for count in (1, 2, 3)]
        with fleet.running(*bare, *fronts):
            speeds, failed = scaling.measure(fronts, bare, host, options.rounds, options.seconds)
        print(speeds, flush=True)
        report.check("no request of the measurement failed", not failed, failed or "")

        three = replicas(3, "--redis", redis.url)
        front = fleet.Front(folder("front"), three)
        with fleet.running(*three, front):
            seen |= report.each(caching.sharing(three, host))
            seen |= report.each(failures.checks(front, three, redis, host, options.seconds))
            seen |= report.each(caching.checks(front, three, host, images, options.seconds))
            short = stack.enter_context(origin.nginx(images, folder("short"), cache_control=staleness.ORIGIN_SAYS))
            signed = staleness.replica(options.headroom)
            front = fleet.Front(folder("front-signed"), [signed])
            with fleet.running(signed, front):
                seen |= report.each(staleness.checks(options.headroom, front, signed, short))
    if options.page:
        page.insert(options.page, "scaling", speeds)
        rows = [list(row) for row in seen.items()]
        page.insert(options.page, "fleet", page.table(["situation", "result at nginx"], rows))


main()

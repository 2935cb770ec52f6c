"""Causes one failure after another under load, and prints the lost requests, the longest request and the alerts that
fired.

    make check-drills [ONLY="words of a drill"] [PAGE=docs/contributing/release.md]

Exits 1 if a drill lost more requests than allowed. Drills that need root or a control group are reported as skipped if
these are not available. promtool evaluates the alerts of deploy/prometheus/alerts.yml; series.py explains their times.
"""
import argparse
import functools
import pathlib
import sys
import tempfile

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(SCRIPTS / "lib"), str(SCRIPTS.parent / "Benchmarks/service")]

import drills
import page
import report
import series
import service
from control_group import Skipped

HEAD = "drill | requests | lost | longest, ms | alerts, and after how many seconds | seen"


def row(drill):
    try:
        load, alerts, note = drill()
    except Skipped as reason:
        report.omit("a drill", reason)
        return f"— | — | — | — | skipped: {reason}"
    alerts = ", ".join(f"`{alert}` {after}" for alert, after in sorted(alerts.items(), key=lambda item: item[1]))
    return f"{load.requests:,} | {load.lost:,} | {load.longest:.0f} | {alerts or 'none'} | {note or '—'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=str(service.EXECUTABLE))
    parser.add_argument("--only", default="", help="words in the names of the drills to run")
    parser.add_argument("--page", type=pathlib.Path, help="a page with markers for the table")
    options = parser.parse_args()
    if not series.PROMTOOL.exists():
        report.skip("promtool is missing: make promtool")
    with tempfile.TemporaryDirectory(prefix="headroom-drills-") as folder:
        drilled = drills.Drills(options.headroom, pathlib.Path(folder)).all().items()
        rows = report.each({name: functools.partial(row, drill) for name, drill in drilled if options.only in name})
    if options.page and not report.FAILED:
        lines = [HEAD, "--- | ---: | ---: | ---: | --- | ---", *map(" | ".join, rows.items())]
        page.insert(options.page, "drills", "\n".join(f"| {line} |" for line in lines))
    report.end()


main()

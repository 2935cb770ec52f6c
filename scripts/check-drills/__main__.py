"""Breaks one thing after the other under load, and prints what was lost, the longest request, and which alerts fired when.

    make check-drills [ONLY="words of a drill"] [PAGE=docs/operations.md]

Exits with 1 if a drill lost requests that it must not lose. Drills that need root or a control group are skipped without, and
said to be. Alerts are those of deploy/prometheus/alerts.yml, by promtool; see series.py for their times.
"""

import argparse
import pathlib
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(SOURCE / "scripts/check-fleet"), str(SOURCE / "Benchmarks/service")]

import drills  # noqa: E402
import machine  # noqa: E402
import page  # noqa: E402
import series  # noqa: E402

HEAD = ["drill", "requests", "lost", "longest, ms", "alerts, and after how many seconds", "seen"]


def row(name: str, result: drills.Result) -> list[str]:
    alerts = ", ".join(f"`{alert}` {after}" for alert, after in sorted(result.alerts.items(), key=lambda item: item[1]))
    load = result.load
    return [name, f"{load.requests:,}", f"{load.lost:,}", f"{load.longest:.0f}", alerts or "none", result.note or "—"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=str(SOURCE / ".build/release/headroom"))
    parser.add_argument("--only", help="words of the drills to run")
    parser.add_argument("--page", type=pathlib.Path, help="a page with markers for the table")
    options = parser.parse_args()
    if not series.PROMTOOL.exists():
        sys.exit("promtool is missing: make promtool")
    rows, failed = [], 0
    with tempfile.TemporaryDirectory(prefix="headroom-drills-") as folder:
        for name, drill in drills.Drills(options.headroom, pathlib.Path(folder)).all():
            if options.only and options.only not in name:
                continue
            try:
                rows.append(row(name, drill()))
                print("ok      " + " | ".join(rows[-1]), flush=True)
            except machine.Skipped as reason:
                rows.append([name, "—", "—", "—", "—", f"skipped: {reason}"])
                print(f"skipped {name}: {reason}", flush=True)
            except AssertionError as reason:
                failed += 1
                print(f"FAILED  {name}: {reason}", flush=True)
    if options.page and not failed:
        lines = [HEAD, ["---", "---:", "---:", "---:", "---", "---"], *rows]
        page.insert(options.page, "drills", "\n".join("| " + " | ".join(line) + " |" for line in lines))
    sys.exit(1 if failed else 0)


main()

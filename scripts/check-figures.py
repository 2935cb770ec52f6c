#!/usr/bin/env python3
"""Compares the figures of README.md with the tables that `make score` and `make bench` write: part of `make lint`.

    scripts/check-figures.py            exits 1 if the figures in README.md differ
    scripts/check-figures.py --write    updates the figures in README.md
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
MARKS = ("<!-- figures -->\n", "<!-- /figures -->")
# The names of a row in README.md, in the table of make score, and in the table of make bench.
ROWS = (
    ("Headroom", "Headroom, `accuracy=high`", "Headroom, `accuracy=high`"),
    ("Headroom, `accuracy=low`", "Headroom, `accuracy=low`", "Headroom, `accuracy=low`"),
    ("thumbor with its face detectors", "thumbor", "thumbor"),
    ("`smartcrop` of libvips", "libvips", "libvips smartcrop"),
    ("the centre", "the centre", None),
)


def table(page, mark, heading):
    """Returns the rows of a table between marks, by their first cell. Each row maps column headings to cells."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    inside = text.split(f"<!-- {mark} -->")[1].split(f"<!-- /{mark} -->")[0]
    part = next(each for each in inside.strip().split("\n\n") if heading in each.splitlines()[0])
    first, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines()]
    return {row[0]: dict(zip(first, row)) for row in rows}


def row(rows, name):
    """Returns the row whose title is the name, with or without a version."""
    return next(cells for title, cells in rows.items() if title == name or re.match(rf"{re.escape(name)} [\d.]+,", title))


def figures():
    """Returns the table for README.md."""
    score = table("contributing/framing-research.md", "score", "kept")
    speed = table("performance.md", "uploads", "middle")
    lines = ["| crops by | heads kept | images per second |", "| --- | ---: | ---: |"]
    for title, scored, timed in ROWS:
        heads = float(row(score, scored)["heads"]) * 100
        rate = f"{float(row(speed, timed)['images a second']):.0f}" if timed else ""
        lines.append(f"| {title} | {heads:.1f} % | {rate} |")
    return "\n".join(lines) + "\n"


def main():
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(MARKS[0])
    there, after = rest.split(MARKS[1])
    wanted = figures()
    if sys.argv[1:] == ["--write"]:
        README.write_text(before + MARKS[0] + wanted + MARKS[1] + after, encoding="utf-8")
    elif there != wanted:
        sys.exit(f"check-figures: the figures in README.md and docs differ; scripts/check-figures.py --write updates README.md\n{wanted}")
    print(f"check-figures: {len(ROWS)} rows of README.md equal the tables in docs")


main()

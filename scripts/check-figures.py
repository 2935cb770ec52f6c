#!/usr/bin/env python3
"""Holds the figures of README.md to the tables that `make score` and `make bench` write: part of `make lint`.

    scripts/check-figures.py            exits 1 if README.md has other figures
    scripts/check-figures.py --write    writes them
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
MARKS = ("<!-- figures -->\n", "<!-- /figures -->")
# The row of README.md, that of make score, and that of make bench.
ROWS = (
    ("Headroom", "Headroom, `accuracy=high`", "Headroom, `accuracy=high`"),
    ("Headroom, `accuracy=low`", "Headroom, `accuracy=low`", "Headroom, `accuracy=low`"),
    ("thumbor with its face detectors", "thumbor", "thumbor"),
    ("`smartcrop` of libvips", "libvips", "libvips smartcrop"),
    ("the centre", "the middle", None),
)


def table(page, mark, heading):
    """The rows of a table between marks, each by its first cell: cells by the heading of their column."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    inside = text.split(f"<!-- {mark} -->")[1].split(f"<!-- /{mark} -->")[0]
    part = next(each for each in inside.strip().split("\n\n") if heading in each.splitlines()[0])
    first, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines()]
    return {row[0]: dict(zip(first, row)) for row in rows}


def row(rows, name):
    """The row that begins with a name, such as thumbor before its version."""
    return next(cells for title, cells in rows.items() if title == name or re.match(rf"{re.escape(name)} [\d.]+,", title))


def figures():
    """The table of README.md."""
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
        sys.exit(f"check-figures: README.md has other figures than docs; scripts/check-figures.py --write mends it\n{wanted}")
    print(f"check-figures: {len(ROWS)} rows of README.md are those of docs")


main()

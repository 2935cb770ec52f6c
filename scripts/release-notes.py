#!/usr/bin/env python3
"""Prints the notes of a release, a section of CHANGELOG.md, after checking that all versions agree.

    scripts/release-notes.py v0.1.0        the section 0.1.0; fails if the program or a client has another version
    scripts/release-notes.py --unreleased  the section Unreleased, for a test
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
import bundle


def versions():
    """Returns the places that contain a version, with their versions."""
    python = (ROOT / "Clients/python/src/headroom/version.py").read_text()
    chart = (ROOT / "deploy/helm/Chart.yaml").read_text()
    return {
        "HeadroomVersion.swift": bundle.version(),
        "Clients/python": re.findall(r'"(\d[^"]*)"', python)[0],
        "Clients/javascript": json.loads((ROOT / "Clients/javascript/package.json").read_text())["version"],
        "deploy/helm": re.findall(r'^appVersion: "?([^"\n]*)', chart, re.MULTILINE)[0],
    }


def section(name):
    """Returns the text below a heading of CHANGELOG.md, up to the next heading; None if the heading is missing."""
    text = (ROOT / "CHANGELOG.md").read_text()
    found = re.search(rf"^## \[{re.escape(name)}\].*?\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1].strip() + "\n" if found else None


def main():
    if sys.argv[1:] == ["--unreleased"]:
        name = "Unreleased"
    elif len(sys.argv) == 2 and re.fullmatch(r"v\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?", sys.argv[1]):
        name = sys.argv[1][1:]
        wrong = [f"{where} has {version}" for where, version in versions().items() if version != name]
        if wrong:
            sys.exit(f"release-notes: the tag is {sys.argv[1]}, but {', '.join(wrong)}")
    else:
        sys.exit(__doc__)
    text = section(name)
    if not text:
        sys.exit(f"release-notes: CHANGELOG.md has no section {name}")
    sys.stdout.write(text)


main()

#!/usr/bin/env python3
"""Checks that the folders of each target use only the folders before them.

A target's folders are its layers, lowest first. The check reads the names of the types that each folder declares at the
top level, and fails where a file mentions a type of a later folder. Comments and string literals do not count, and
neither do functions and members of extensions. In the table, "." means the files that are in no folder.
"""

import collections
import pathlib
import re
import sys

# Folders in order.
TARGETS = {
    "Caching": ["Memory", "SingleFlight", "Redis"],
    "Framing": ["Rules", "People", "Letterbox", "Attention", "Framer"],
    "HeadroomAPI": [
        "Primitives", "Parameters", "Problems", "Access", "Requests", "HTTPCaching", "Responses", "Stores",
        "Observability", "Service",
    ],
    "HTTPServer": ["Limits", "Sockets", "Parsing", "Handler", "Connection", "."],
    "Imaging": [".", "Planes", "Resampling", "Colour", "Drawing", "Formats"],
    "Pipeline": ["Findings", "Job", "Plan", "Search", "Stages"],
    "Telemetry": ["Logs", "Prometheus"],
    "Workers": ["Admission", "Protocol", "Threads", "Processes", "."],
}

# (target, file, name): why the name is another type than that of the later folder.
ALLOWED = {}

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "Sources"

# Comments and literals, longest delimiters first.
TEXT = re.compile(
    r'/\*.*?\*/|//[^\n]*|(?P<hashes>#*)"""(?:\\.|.)*?"""(?P=hashes)|(?P<marks>#*)"(?:\\.|[^"\\\n])*"(?P=marks)',
    re.DOTALL,
)
DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|private|fileprivate|final|indirect|distributed)\s+)*"
    r"(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)",
    re.MULTILINE,
)
NAME = re.compile(r"(?<!\.)\b[A-Z]\w*\b")


def code(path):
    """A file without its comments and literals."""
    return TEXT.sub(" ", path.read_text())


def layers(target, order):
    """Each file of a target with the number of its layer and its code."""
    ranks = {folder: rank for rank, folder in enumerate(order)}
    root = SOURCES / target
    for path in sorted(root.rglob("*.swift")):
        folder = path.relative_to(root).parts[0] if path.parent != root else "."
        if folder not in ranks:
            sys.exit(f"check-layers: {path.relative_to(SOURCES.parent)} is in no layer of {target}")
        yield path, ranks[folder], code(path)


def check(target, order):
    """One line for each type of a later layer that a file uses."""
    files = list(layers(target, order))
    homes = collections.defaultdict(list)
    for path, rank, text in files:
        for name in DECLARATION.findall(text):
            homes[name].append((rank, path))
    found = set()
    for path, rank, text in files:
        for name in sorted(set(NAME.findall(text))):
            lowest, home = min(homes.get(name, [(rank, path)]))
            if lowest > rank and (target, path.name, name) not in ALLOWED:
                found.add(f"{path.relative_to(SOURCES.parent)} uses {name} of {home.relative_to(SOURCES.parent)}")
    return sorted(found)


def main():
    found = [line for target, order in TARGETS.items() for line in check(target, order)]
    if found:
        print("\n".join(found))
        sys.exit(f"check-layers: {len(found)} uses of a later layer; scripts/check-layers.py has the order")
    print(f"check-layers: the folders of {', '.join(TARGETS)} are in order")


main()

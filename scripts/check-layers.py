#!/usr/bin/env python3
"""Checks that targets depend only on floors below, import only what they declare, and that their folders use only the
folders before them.

The compiler finds a module of the package that a target does not declare, if it happens to be built already.

A target's folders are its layers, lowest first. The check reads the names of the types that each folder declares at the
top level, and fails where a file mentions a type of a later folder. Comments and string literals do not count, and
neither do functions and members of extensions. In the table, "." means the files that are in no folder.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

# The folders of Sources, each with those whose targets its own may depend on. The core needs no HTTP and no processes; the
# service needs none of the three beside it.
FLOORS = {
    "C": [],
    "Support": ["C"],
    "Core": ["C", "Support"],
    "Service": ["C", "Support", "Core"],
    "Addresses": ["C", "Support", "Core", "Service"],
    "Video": ["C", "Support", "Core", "Service"],
    "Batch": ["C", "Support", "Core", "Service"],
    "Program": ["C", "Support", "Core", "Service", "Addresses", "Video", "Batch"],
}

# Folders in order.
TARGETS = {
    "Batch": ["Files", "Jobs", "Objects", "Inputs", "Outputs", "Journal", "Findings", "Run"],
    "Caching": ["Memory", "SingleFlight", "Redis"],
    "FaceDetection": ["Detector", "Landmarks", "Dlib", "HOG", "Network", "."],
    "Fetching": [".", "Addresses", "URLs", "S3", "Files", "Transfer", "Objects", "Queue"],
    "Framing": ["Subjects", "Rules", "People", "Letterbox", "Attention", "Objects", "Framer"],
    "HeadroomAPI": [
        "Primitives", "Playground", "Access", "URLFormats", "Requests", "HTTPCaching", "Responses", "Stores",
        "Observability", "Images", "Service",
    ],
    "HeadroomCLI": ["Platform", "Settings", "Commands", "."],
    "HTTPServer": ["Limits", "Sockets", "Parsing", "Handler", "Connection", "."],
    "Imaging": [
        ".", "Planes", "Resampling", "Colour", "Redaction", "Composition", "Effects", "Placeholders", "Stickers",
        "Drawing", "Animation", "Formats", "Video",
    ],
    "Motion": ["Tracking", "Shots", "Speech", "Path", "Layouts", "Live"],
    "Pipeline": ["Findings", "Job", "Plan", "Search", "Stages"],
    "Requests": ["Text", "Parameters", "Documents", "Problems", "Overlays", "Jobs"],
    "Telemetry": ["Logs", "Prometheus", "OTLP"],
    "Video": ["Frames", "Jobs", "Streams"],
    "Workers": ["Jobs", "Queue", "Protocol", "Threads", "Processes", "."],
}

# (target, file, name): why the name is another type than that of the later folder.
ALLOWED = {}

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
SOURCES = PACKAGE / "Sources"

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
IMPORT = re.compile(r"^(?:@\w+ )?(?:(?:public|package|internal|private|fileprivate) )?import (\w+)", re.MULTILINE)
NAME = re.compile(r"(?<!\.)\b[A-Z]\w*\b")


def code(path):
    """A file without its comments and literals."""
    return TEXT.sub(" ", path.read_text())


def layers(target, order):
    """Each file of a target with the number of its layer and its code."""
    ranks = {folder: rank for rank, folder in enumerate(order)}
    # A floor with one target is its folder.
    root = next(SOURCES.glob(f"*/{target}"), SOURCES / target)
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


def floors(targets):
    """One line for each dependency of a target on a floor that is not below it."""
    homes = {}
    for target in targets:
        parts = pathlib.PurePosixPath(target.get("path", "")).parts
        if len(parts) > 1 and parts[0] == "Sources":
            homes[target["name"]] = parts[1]
    for target in targets:
        floor = homes.get(target["name"])
        if floor is None:
            continue
        if floor not in FLOORS:
            yield f"{target['name']} is in Sources/{floor}, which is no floor"
            continue
        for dependency in target["dependencies"]:
            name = next(iter(dependency.values()))[0]
            below = homes.get(name, floor)
            if below not in [floor, *FLOORS[floor]]:
                yield f"Package.swift: {target['name']} of {floor} depends on {name} of {below}"


def manifest():
    """The targets of Package.swift."""
    dump = subprocess.run(["swift", "package", "dump-package"], cwd=PACKAGE, check=True, capture_output=True).stdout
    return json.loads(dump)["targets"]


def imports(targets):
    """One line for each import of a module of this package that Package.swift does not list for the target, and for
    each file of tests that imports internal declarations, which only debug builds export, and of the program that
    imports Foundation.
    """
    own = {target["name"] for target in targets}
    for target in targets:
        folder = "Tests" if target["type"] == "test" else "Sources"
        root = PACKAGE / target.get("path", f"{folder}/{target['name']}")
        declared = {next(iter(dependency.values()))[0] for dependency in target["dependencies"]}
        for path in sorted(root.rglob("*.swift")):
            text = code(path)
            if "@testable" in text:
                yield f"{path.relative_to(PACKAGE)} has @testable, with which it does not compile in release"
            # One import of the whole of it links 40 MB: CoreFoundation, and ICU with its data.
            if SOURCES in path.parents and "Foundation" in IMPORT.findall(text):
                yield f"{path.relative_to(PACKAGE)} imports Foundation, and FoundationEssentials at most is linked"
            for name in sorted((set(IMPORT.findall(text)) & own) - declared - {target["name"]}):
                yield f"{path.relative_to(PACKAGE)} imports {name}, which Package.swift does not list for {target['name']}"


def forgotten(targets):
    """One line for each folder of tests that is no target, so that its tests never run."""
    names = {target["name"] for target in targets}
    for folder in sorted((PACKAGE / "Tests").glob("*Tests")):
        if folder.name not in names:
            yield f"Tests/{folder.name} is no target of Package.swift"


def main():
    targets = manifest()
    found = [line for target, order in TARGETS.items() for line in check(target, order)]
    found += [*floors(targets), *imports(targets), *forgotten(targets)]
    if found:
        print("\n".join(found))
        sys.exit(f"check-layers: {len(found)} findings; scripts/check-layers.py and Package.swift have the order")
    print(f"check-layers: the floors {', '.join(FLOORS)} and the folders of {', '.join(TARGETS)} are in order")


main()

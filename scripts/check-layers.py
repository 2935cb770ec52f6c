#!/usr/bin/env python3
"""Checks the layers of Sources, the imports of targets, the order of the folders inside a target, and the libraries of HeadroomKit.

A target may depend only on targets of the same layer and of the layers below. A target may import only the modules that
Package.swift lists for it: the compiler also accepts a module that is not listed, if it happens to be built already.

TARGETS lists the folders of each target, lowest first. The check reads the names of the top-level types and free functions
of each folder, and fails if a file uses one of a later folder. The same applies to members of extensions whose names are
declared only once in Sources. The check ignores comments and string literals. In the table, "." means the files outside all
folders.

A program that crops images with HeadroomKit links the libraries of all targets that HeadroomKit depends on. The check computes
this set from Package.swift, and fails if it differs from KIT_LIBRARIES.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

# The layers, which are the folders of Sources, each with the lower layers that its targets may depend on. The core needs no
# HTTP and no network. The service needs none of Addresses, Video and Batch.
LAYERS = {
    "C": [],
    "Support": ["C"],
    "Core": ["C", "Support"],
    "Service": ["C", "Support", "Core"],
    "Addresses": ["C", "Support", "Core", "Service"],
    "Video": ["C", "Support", "Core", "Service"],
    "Batch": ["C", "Support", "Core", "Service"],
    "Program": ["C", "Support", "Core", "Service", "Addresses", "Video", "Batch"],
}

# The folders of each target, lowest first.
TARGETS = {
    "Batch": ["Files", "Jobs", "Objects", "Inputs", "Outputs", "Journal", "Findings", "Run"],
    "Caching": ["Memory", "SingleFlight", "Stores", "Redis"],
    "FaceDetection": ["Detector", "Landmarks", "Dlib", "HOG", "Network", "."],
    "Fetching": [".", "Addresses", "URLs", "S3", "Files", "Transfer", "Objects", "Queue"],
    "Framing": ["Subjects", "Rules", "People", "Letterbox", "Attention", "Objects", "Framer"],
    "HeadroomAPI": [
        "Primitives", "Playground", "Problems", "Access", "URLFormats", "Requests", "HTTPCaching", "Responses", "Stores",
        "Observability", "Images", "Service",
    ],
    "HeadroomCLI": ["Platform", "Settings", "Commands", "."],
    "HTTPServer": ["Limits", "Sockets", "Parsing", "Handler", "Connection", "."],
    "Imaging": [
        ".", "Planes", "Resampling", "Colour", "Redaction", "Composition", "Effects", "Placeholders", "Stickers",
        "Drawing", "Animation", "Formats", "RawFrames",
    ],
    "Motion": ["Tracking", "Shots", "Path"],
    "Pipeline": ["Findings", "Job", "Plan", "Search", "Stages"],
    "Requests": ["Text", "Parameters", "Documents", "Overlays", "Jobs"],
    "Telemetry": ["Logs", "Prometheus", "OTLP"],
    "Video": ["Containers", "Planning", "Frames", "Jobs", "Streams", "Reframe"],
    "Workers": ["Jobs", "Queue", "Protocol", "Converters", "Threads", "Processes", "."],
}

# Maps (target, file, name) to the reason why the name does not refer to the type in the later folder.
ALLOWED = {}

# The libraries that HeadroomKit links, with all traits: the module maps of Sources/C/System, linked libraries without a module
# map, and products of other packages.
KIT_LIBRARIES = {
    # Formats, scaling and colour.
    "CAVIF", "CDE265", "CDeflate", "CGIF", "CJPEG", "CJXL", "CLCMS2", "CPNG", "CTIFF", "CWebP", "CZimg",
    "avif", "gif", "jxl", "webpmux",
    # dlib's detector, and the mathematics of the networks.
    ":libdlib.a", "m",
    # The sandbox of worker processes: Cropper(isolation: .processes).
    "CSeccomp",
    # A worker process logs its exit.
    "Logging",
}  # fmt: skip

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
FUNCTION = re.compile(r"^(?:package |public )?func\s+(\w+)", re.MULTILINE)
CALL = re.compile(r"(?<![.\w])([a-z]\w*)\s*[({]")
EXTENSION = re.compile(r"^(?:package |public )?extension\s[^\n]*\{$.*?^\}", re.MULTILINE | re.DOTALL)
MEMBER = re.compile(r"^    (?:@\w+(?:\([^)]*\))?\s+)*(?:(?!private|fileprivate)\w+\s+)*(?:func|var|let)\s+(\w+)", re.MULTILINE)
DECLARED = re.compile(r"\b(?:func|var|let|case)\s+(\w+)")
ACCESS = re.compile(r"\.(\w+)")


def code(path):
    """Returns a file without its comments and literals."""
    return TEXT.sub(" ", path.read_text())


def ranked(target, order):
    """Yields each file of a target with the position of its folder and its code."""
    ranks = {folder: rank for rank, folder in enumerate(order)}
    # The folder of a layer with a single target is also the folder of this target.
    root = next(SOURCES.glob(f"*/{target}"), SOURCES / target)
    for path in sorted(root.rglob("*.swift")):
        folder = path.relative_to(root).parts[0] if path.parent != root else "."
        if folder not in ranks:
            sys.exit(f"check-layers: {path.relative_to(SOURCES.parent)} is in a folder that {target} does not list")
        yield path, ranks[folder], code(path)


def declared():
    """Returns the number of declarations of each name in Sources, with local variables."""
    return collections.Counter(name for path in SOURCES.rglob("*.swift") for name in DECLARED.findall(code(path)))


def check(target, order, counts):
    """Returns one line for each type, function or member of a later folder that a file uses."""
    files = list(ranked(target, order))
    homes, members = collections.defaultdict(list), collections.defaultdict(list)
    for path, rank, text in files:
        for name in DECLARATION.findall(text) + FUNCTION.findall(text):
            homes[name].append((rank, path))
        for extension in EXTENSION.findall(text):
            for name in MEMBER.findall(extension):
                if counts[name] == 1:
                    members[name].append((rank, path))
    found = set()
    for path, rank, text in files:
        types, accessed = {*NAME.findall(text), *CALL.findall(text)}, set(ACCESS.findall(text))
        for name, known in [*((each, homes) for each in types), *((each, members) for each in accessed)]:
            lowest, home = min(known.get(name, [(rank, path)]))
            if lowest > rank and (target, path.name, name) not in ALLOWED:
                found.add(f"{path.relative_to(SOURCES.parent)} uses {name} of {home.relative_to(SOURCES.parent)}")
    return sorted(found)


def layers(targets):
    """Yields one line for each dependency of a target on a layer that is not below it."""
    homes = {}
    for target in targets:
        parts = pathlib.PurePosixPath(target.get("path", "")).parts
        if len(parts) > 1 and parts[0] == "Sources":
            homes[target["name"]] = parts[1]
    for target in targets:
        layer = homes.get(target["name"])
        if layer is None:
            continue
        if layer not in LAYERS:
            yield f"{target['name']} is in Sources/{layer}, which is not a layer"
            continue
        for dependency in target["dependencies"]:
            name = next(iter(dependency.values()))[0]
            below = homes.get(name, layer)
            if below not in [layer, *LAYERS[layer]]:
                yield f"Package.swift: {target['name']} of {layer} depends on {name} of {below}"


def manifest():
    """Returns the targets of Package.swift."""
    dump = subprocess.run(["swift", "package", "dump-package"], cwd=PACKAGE, check=True, capture_output=True).stdout
    return json.loads(dump)["targets"]


def imports(targets):
    """Yields one line for each forbidden import: a module of this package that Package.swift does not list for the
    target; the internal declarations of a target, which only debug builds export; and Foundation in the program.
    """
    own = {target["name"] for target in targets}
    for target in targets:
        folder = "Tests" if target["type"] == "test" else "Sources"
        root = PACKAGE / target.get("path", f"{folder}/{target['name']}")
        declared = {next(iter(dependency.values()))[0] for dependency in target["dependencies"]}
        for path in sorted(root.rglob("*.swift")):
            text = code(path)
            if "@testable" in text:
                yield f"{path.relative_to(PACKAGE)} uses @testable, which does not compile in release builds"
            # A single import of Foundation links 40 MB: CoreFoundation, and ICU with its data.
            if SOURCES in path.parents and "Foundation" in IMPORT.findall(text):
                yield f"{path.relative_to(PACKAGE)} imports Foundation; import FoundationEssentials instead"
            for name in sorted((set(IMPORT.findall(text)) & own) - declared - {target["name"]}):
                yield f"{path.relative_to(PACKAGE)} imports {name}, which Package.swift does not list for {target['name']}"


def linked(target, targets):
    """Returns the libraries and products that a target and all its dependencies link."""
    by_name = {each["name"]: each for each in targets}
    found, seen, rest = set(), set(), [target]
    while rest:
        name = rest.pop()
        if name in seen:
            continue
        seen.add(name)
        # A name that is not a target of this package is a product of another package.
        if name not in by_name or by_name[name]["type"] == "system":
            found.add(name)
            continue
        kinds = [setting["kind"] for setting in by_name[name]["settings"]]
        found.update(kind["linkedLibrary"]["_0"] for kind in kinds if "linkedLibrary" in kind)
        rest += [next(iter(dependency.values()))[0] for dependency in by_name[name]["dependencies"]]
    return found


def kit(targets):
    """Yields one line for each library that HeadroomKit links and KIT_LIBRARIES does not contain, or the other way round."""
    found = linked("HeadroomKit", targets)
    for name in sorted(found - KIT_LIBRARIES):
        yield f"HeadroomKit links {name}; remove the dependency, or add it to KIT_LIBRARIES with its reason"
    for name in sorted(KIT_LIBRARIES - found):
        yield f"HeadroomKit does not link {name}; remove it from KIT_LIBRARIES"


def forgotten(targets):
    """Yields one line for each folder of tests that is not a target, because its tests would never run."""
    names = {target["name"] for target in targets}
    for folder in sorted((PACKAGE / "Tests").glob("*Tests")):
        if folder.name not in names:
            yield f"Tests/{folder.name} is not a target of Package.swift"


def main():
    targets, counts = manifest(), declared()
    found = [line for target, order in TARGETS.items() for line in check(target, order, counts)]
    found += [*layers(targets), *imports(targets), *kit(targets), *forgotten(targets)]
    if found:
        print("\n".join(found))
        sys.exit(f"check-layers: {len(found)} problems; scripts/check-layers.py and Package.swift define the order")
    print(f"check-layers: the layers {', '.join(LAYERS)} and the folders of {', '.join(TARGETS)} are in order")


main()

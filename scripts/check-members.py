#!/usr/bin/env python3
"""Checks that members of extensions and free functions that several files use are in files that are named after them.

A member of an extension that another file uses must be in `Type.swift`, in `Type+Aspect.swift`, or in the file that declares
the type. Members of `[Element]` are in the files of `Array` or of the element. A member that only its own file uses can be
anywhere if it is `private` or `fileprivate`. A free function that another file uses must be in a file that is named after the
function or after a type of its signature: `check(_:) throws(CodecError)` is in `CodecError+Throwing.swift`.

The check reads text without types. A file uses a member if it contains `.name`, or if it contains the name and extends or declares
the type. Members without `package` or `public` are visible only in their target, so only files of the target count. The
check ignores comments, string literals, initialisers, subscripts, and extensions that declare a conformance.
"""

import collections
import pathlib
import re
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
SOURCES = PACKAGE / "Sources"

# Maps (beginning of a path below Sources, type) to the reason why members of the type are in files with other names.
ALLOWED = {
    ("Core/Imaging/Formats", "FormatCodec"): "rows of the table of formats, each next to its decoder",
    ("Addresses", "URLFormatName"): "rows of the list of URL formats, each next to its URL format",
    ("Core/Requests/Parameters/Table", "Parameter"): "rows of the table of parameters",
    ("Service/HeadroomAPI/Service/RouteTable.swift", "Route"): "rows of the table of routes",
    ("Program/HeadroomCLI/Commands/TraitParts.swift", None): "replacements of the parts that a trait adds",
    ("Program/HeadroomCLI/Commands/Serve/StreamSettings.swift", None): "the part that the trait Video adds to the service",
    ("Program/HeadroomCLI/Commands/Serve/URLFormatSettings.swift", None): "the part that the trait Addresses adds",
}  # fmt: skip

# Comments and literals, longest delimiters first.
TEXT = re.compile(
    r'/\*.*?\*/|//[^\n]*|(?P<hashes>#*)"""(?:\\.|.)*?"""(?P=hashes)|(?P<marks>#*)"(?:\\.|[^"\\\n])*"(?P=marks)',
    re.DOTALL,
)
EXTENSION = re.compile(r"^(?P<access>(?:\w+ )?)extension\s+(?P<type>[\w.]+|\[\w+\])(?P<rest>[^{]*)\{", re.MULTILINE)
TYPE = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|final|indirect|nonisolated)\s+)*(?:struct|class|enum|protocol|actor)\s+(\w+)",
    re.MULTILINE,
)
MEMBER = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?P<modifiers>(?:\w+(?:\(\w+\))?\s+)*?)(?:func|var|let)\s+`?(?P<name>\w+)`?"
)
FUNCTION = re.compile(r"^(?:package |public )?func\s+(?P<name>\w+)(?P<signature>[^{]*)", re.MULTILINE)
WORD = re.compile(r"\w+")
ACCESS = re.compile(r"\.(\w+)")


class File:
    """A file of Sources, with the words that decide which members it uses."""

    def __init__(self, path):
        self.path = path.relative_to(PACKAGE)
        self.code = TEXT.sub(lambda match: "\n" * match[0].count("\n") + " ", path.read_text())
        parts = path.relative_to(SOURCES).parts
        self.target = parts[:2] if len(parts) > 2 else parts[:1]
        # The folder of a layer with a single target is also the folder of this target.
        if parts[0] in ("Addresses", "Video"):
            self.target = parts[:1]
        self.words = set(WORD.findall(self.code))
        self.accessed = set(ACCESS.findall(self.code))
        self.types = set(TYPE.findall(self.code))
        self.extended = {base(match["type"]) for match in EXTENSION.finditer(self.code)}

    def uses(self, name, type_name):
        """Returns whether the file uses a member, as far as its words show."""
        return name in self.accessed or (name in self.words and type_name in self.types | self.extended)

    def is_named_after(self, type_name):
        """Returns whether members of a type, such as `HTTPRequest.Method` or `[Plane]`, belong to this file."""
        names = {type_name.strip("[]"), base(type_name), type_name.rsplit(".", 1)[-1]}
        return self.path.stem.split("+")[0] in names or base(type_name) in self.types


def base(type_name):
    """Returns the name of the outermost type: `HTTPRequest` for `HTTPRequest.Method`, `Array` for `[Plane]`."""
    return "Array" if type_name.startswith("[") else type_name.split(".")[0]


def is_allowed(file, type_name):
    path = file.path.relative_to("Sources").as_posix()
    return any(path.startswith(start) and name in (None, base(type_name)) for start, name in ALLOWED)


def members(file):
    """Yields the type, name, visibility and line of each member of an extension that other files can use."""
    for extension in EXTENSION.finditer(file.code):
        rest = re.split(r"\bwhere\b", extension["rest"])[0]
        if "private" in extension["access"] or ":" in rest:
            continue
        depth, number = 1, file.code.count("\n", 0, extension.end())
        for line in file.code[extension.end() :].split("\n"):
            match = MEMBER.match(line) if depth == 1 else None
            if match and "private" not in match["modifiers"].replace("private(set)", ""):
                is_shared = re.search(r"\b(?:package|public)\b", extension["access"] + match["modifiers"])
                yield extension["type"], match["name"], bool(is_shared), number + 1
            depth += line.count("{") - line.count("}")
            if depth <= 0:
                break
            number += 1


def misplaced_members(files):
    """Yields one line for each member of an extension in a file with another name that other files use."""
    for file in files:
        for type_name, name, is_shared, number in members(file):
            if file.is_named_after(type_name) or is_allowed(file, type_name):
                continue
            others = [other for other in files if other is not file and (is_shared or other.target == file.target)]
            users = sum(other.uses(name, base(type_name)) for other in others)
            if users:
                home = f"{base(type_name)}+Aspect.swift"
                yield f"{file.path}:{number}: expected in {home}, or private: {users} files use {type_name}.{name}"


def misplaced_functions(files):
    """Yields one line for each free function that other files use, in a file that is not named after it."""
    users = collections.defaultdict(set)
    for file in files:
        for word in file.words - file.accessed:
            users[word].add(file.path)
    for file in files:
        stem = file.path.stem.split("+")[0]
        for match in FUNCTION.finditer(file.code):
            if stem.lower() in match["name"].lower() or stem in WORD.findall(match["signature"]):
                continue
            others = users[match["name"]] - {file.path}
            if others:
                number = file.code.count("\n", 0, match.start()) + 1
                yield f"{file.path}:{number}: expected in a file that is named after {match['name']} or a type of its signature"


def main():
    files = [File(path) for path in sorted(SOURCES.rglob("*.swift"))]
    found = [*misplaced_members(files), *misplaced_functions(files)]
    if found:
        print("\n".join(found))
        sys.exit(f"check-members: {len(found)} problems; scripts/check-members.py describes the rules")
    count = sum(1 for file in files for _ in members(file))
    print(f"check-members: {count} members of extensions are in files that are named after their types, or only one file uses them")


if __name__ == "__main__":
    main()

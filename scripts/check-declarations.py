#!/usr/bin/env python3
"""Checks that declarations that other targets use have doc comments, and that files are named after shared types.

A doc comment must add information to the name, such as units, coordinate space, range, errors, or the meaning of nil.
Every package or public function, initialiser, subscript and type needs a doc comment, except these:

- members that a protocol of the language or of a package requires, listed in OPERATORS and FOREIGN
- members that a protocol of Sources requires, because the protocol has the doc comment. The type or one of its
  extensions must declare the conformance. Default implementations in protocol extensions are also exempt.

A type that three or more files use must be declared in a file named after the type, such as `Name.swift` or
`Name+Aspect.swift`.
"""

import collections
import pathlib
import re
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent.parent

OPERATORS = {"<", "=="}

# Members that a protocol of the language, swift-log or swift-metrics requires.
FOREIGN = {
    "hash(into:)", "encode(to:)", "init(from:)", "init(stringLiteral:)", "init(rawValue:)",
    "log(event:)", "destroyCounter(_:)", "destroyMeter(_:)", "destroyRecorder(_:)", "destroyTimer(_:)",
}  # fmt: skip

# The minimum number of files that use a shared type.
SHARED = 3

TYPES = r"struct|class|enum|actor|protocol"
DECLARATION = re.compile(
    r"^(?P<indent>\s*)(?:@\w+(?:\([^)]*\))?\s+)*"
    r"(?P<modifiers>(?:(?:package|public|internal|fileprivate|private|static|mutating|nonisolated|final|indirect"
    r"|convenience|required|override)(?:\(\w+\))?\s+|class\s+(?=func\b|subscript\b))*)"
    rf"(?P<kind>func|init|subscript|extension|{TYPES})\b\s*(?P<rest>.*)"
)
NAME = re.compile(r"[\w.`]+|[^\s\w(]+")
WORD = re.compile(r"\b[A-Z]\w*")


class Declaration:
    """A function, initialiser, subscript, type or extension, with its first line."""

    def __init__(self, match, lines, number, owner):
        self.kind = match["kind"]
        self.number = number
        self.owner = owner
        self.indent = len(match["indent"])
        self.modifiers = match["modifiers"].split()
        self.line = lines[number].strip()
        self.head = head(lines, number)
        if self.kind in ("init", "subscript"):
            self.name = self.kind
        else:
            self.name = NAME.findall(match["rest"])[0].strip("`")
        self.label = f"{self.name}({''.join(f'{each}:' for each in labels(self.head))})" if self.is_member else self.name

    @property
    def is_member(self):
        return self.kind in ("func", "init", "subscript")

    @property
    def is_shared(self):
        return "package" in self.modifiers or "public" in self.modifiers

    @property
    def type_name(self):
        """Returns the last part of a type's name, such as `Limits` for `extension Splitter.Limits`."""
        return self.name.rsplit(".", 1)[-1]

    @property
    def protocols(self):
        """Returns the names after the colon of a type or an extension."""
        text = re.split(r"\bwhere\b|\{", self.head)[0]
        return set(WORD.findall(text.split(":", 1)[1])) if ":" in text else set()


def head(lines, number):
    """Returns the text of a declaration up to the opening brace of its body."""
    text, depth = "", 0
    for line in lines[number : number + 40]:
        text += line.strip() + " "
        depth += line.count("(") - line.count(")")
        if depth <= 0 and ("{" in line or not line.rstrip().endswith((",", "->", ":"))):
            break
    return text


def labels(text):
    """Returns the argument labels of a function's head; `_` is an empty label."""
    found, depth, part = [], 0, ""
    for character in text[text.find("(") :].replace("->", "  ") if "(" in text else "":
        if character in "([<{":
            depth += 1
            if depth == 1:
                continue
        if character in ")]>}":
            depth -= 1
            if depth == 0:
                break
        if character == "," and depth == 1:
            found.append(part)
            part = ""
        else:
            part += character
    return [each.split(":")[0].split()[0] for each in [*found, part] if each.strip()]


def declarations(text):
    """Returns the declarations of a file outside functions."""
    lines, owners = text.split("\n"), []
    for number, line in enumerate(lines):
        match = None if line.lstrip().startswith("//") else DECLARATION.match(line)
        if not match:
            continue
        while owners and owners[-1].indent >= len(match["indent"]):
            owners.pop()
        if any(each.is_member for each in owners):
            continue
        owners.append(Declaration(match, lines, number, owners[-1] if owners else None))
        yield owners[-1]


def has_contract(lines, number):
    """Returns whether the line before a declaration and its attributes is a doc comment."""
    number -= 1
    while number >= 0 and lines[number].lstrip().startswith("@"):
        number -= 1
    return number >= 0 and lines[number].lstrip().startswith("///")


class Protocols:
    """The protocols of Sources: their requirements, and the types that conform to them."""

    def __init__(self, texts, files):
        self.requirements = collections.defaultdict(set)
        self.named = collections.defaultdict(set)
        for path, found in files.items():
            lines = texts[path].split("\n")
            for each in found:
                if each.kind == "protocol":
                    self.named[each.name] |= {each.name}
                if not each.is_member:
                    self.named[each.type_name] |= each.protocols
                elif each.owner and each.owner.kind == "protocol" and has_contract(lines, each.number):
                    self.requirements[each.owner.name].add(each.label)

    def require(self, member):
        """Returns whether the member is a requirement of a protocol of its type, or of a protocol that this protocol
        refines."""
        seen, names = set(), {member.owner.type_name} if member.owner else set()
        while names:
            name = names.pop()
            if member.label in self.requirements[name]:
                return True
            seen.add(name)
            names |= self.named[name] - seen
        return False


def without_contract(texts, files):
    """Yields one line for each declaration without a doc comment."""
    protocols = Protocols(texts, files)
    for path, found in files.items():
        lines = texts[path].split("\n")
        for each in found:
            if not each.is_shared or each.kind == "extension" or has_contract(lines, each.number):
                continue
            if each.is_member and (each.name in OPERATORS or each.label in FOREIGN or protocols.require(each)):
                continue
            yield f"{path}:{each.number + 1}: expected a doc comment: {each.line}"


def misplaced(texts, files):
    """Yields one line for each shared type in a file with another name."""
    words = {path: set(WORD.findall(text)) for path, text in texts.items()}
    for path, found in files.items():
        for each in found:
            if each.is_member or each.kind == "extension" or each.owner or {"private", "fileprivate"} & set(each.modifiers):
                continue
            if path.stem == each.name or path.stem.startswith(each.name + "+"):
                continue
            users = sum(each.name in found for other, found in words.items() if other != path)
            if users >= SHARED:
                yield f"{path}:{each.number + 1}: expected in {each.name}.swift, because {users} files use it: {each.line}"


def main():
    paths = sorted((PACKAGE / "Sources").rglob("*.swift"))
    texts = {path.relative_to(PACKAGE): path.read_text() for path in paths}
    files = {path: list(declarations(text)) for path, text in texts.items()}
    found = [*without_contract(texts, files), *misplaced(texts, files)]
    if found:
        print("\n".join(found))
        sys.exit(f"check-declarations: {len(found)} problems; scripts/check-declarations.py describes the rules")
    shared = sum(each.is_shared and each.kind != "extension" for each in sum(files.values(), []))
    print(f"check-declarations: {shared} declarations for other targets have doc comments, and files are named after shared types")


if __name__ == "__main__":
    main()

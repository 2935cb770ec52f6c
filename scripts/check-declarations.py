#!/usr/bin/env python3
"""Checks that declarations for other targets have a contract, and that shared types have a file of their name.

A contract is a doc comment that says what the name does not: units, coordinate space, range, errors, what nil means.
Every package or public function, initialiser, subscript and type needs one, except these:

- members that a protocol of the language or of a package requires, as listed in OPERATORS and FOREIGN
- members that a protocol of Sources requires, where it has the contract. The type, or an extension of it, names the
  protocol; a default in an extension of the protocol counts as well.

A type that three or more files use is declared in a file of its name, or in one such as `Name+Aspect.swift`.
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

# The fewest files that make a type a shared one.
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
    """A function, initialiser, subscript, type or extension, with the line at which it begins."""

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
        """The last part of a type's name: `Limits` of `extension Splitter.Limits`."""
        return self.name.rsplit(".", 1)[-1]

    @property
    def protocols(self):
        """The names after the colon of a type or an extension."""
        text = re.split(r"\bwhere\b|\{", self.head)[0]
        return set(WORD.findall(text.split(":", 1)[1])) if ":" in text else set()


def head(lines, number):
    """The text of a declaration up to the brace that opens its body."""
    text, depth = "", 0
    for line in lines[number : number + 40]:
        text += line.strip() + " "
        depth += line.count("(") - line.count(")")
        if depth <= 0 and ("{" in line or not line.rstrip().endswith((",", "->", ":"))):
            break
    return text


def labels(text):
    """The argument labels of a function's head, `_` for none."""
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
    """The declarations of a file that are not inside of a function."""
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
    """Whether the line before a declaration and its attributes is a doc comment."""
    number -= 1
    while number >= 0 and lines[number].lstrip().startswith("@"):
        number -= 1
    return number >= 0 and lines[number].lstrip().startswith("///")


class Protocols:
    """The protocols of Sources: what they require, and which types name them."""

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
        """Whether a protocol that the member's type names, or one that this refines, requires the member."""
        seen, names = set(), {member.owner.type_name} if member.owner else set()
        while names:
            name = names.pop()
            if member.label in self.requirements[name]:
                return True
            seen.add(name)
            names |= self.named[name] - seen
        return False


def without_contract(texts, files):
    """One line for each declaration without a contract."""
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
    """One line for each shared type in a file of another name."""
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
        sys.exit(f"check-declarations: {len(found)} findings; scripts/check-declarations.py says what is expected")
    shared = sum(each.is_shared and each.kind != "extension" for each in sum(files.values(), []))
    print(f"check-declarations: {shared} declarations for other targets have contracts, and shared types files of their names")


if __name__ == "__main__":
    main()

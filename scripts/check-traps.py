#!/usr/bin/env python3
"""Checks that code that reads external input uses functions that return a result for every input.

Swift ends the process if an index is out of bounds, if an optional is nil before `!`, if a number does not fit, or if a
range ends before it starts. In the service, a single request of this kind would cause an outage. In the folders below,
expressions that can end the process are rejected. Use TotalFunctions, `first`, `dropFirst`, `Int(exactly:)` and `guard`
instead.

An index is accepted if the lines before it compare the index or the number of elements: `guard parts.count == 3`, `while index <
bytes.count`, `for index in …`. If a line is safe for another reason, a comment at its end or on the line before it states the
reason: `// bounded: at most 255`.

The check reads text without types, so it does not find `+`, `-`, `*` and `/` of integers. Numbers are bounded where they are
parsed (docs/contributing/threat-model.md#no-traps-in-the-service-process). HostileAddressTests, HostileParameterTests and the
fuzzers test extreme values.
"""

import pathlib
import re
import sys

FOLDERS = [
    "Addresses",
    "Core/Geometry",
    "Core/Requests",
    "Service/Fetching",
    "Service/HTTPServer",
    "Service/HeadroomAPI",
    "Support/Cryptography",
    "Support/Decompression",
    "Support/Encodings",
    "Support/TotalFunctions",
    "Support/UntrustedText",
    "Video/Containers",
    "Video/Streams",
]

PACKAGE = pathlib.Path(__file__).resolve().parent.parent

MARK = re.compile(r"// bounded: \S+")
COMMENT = re.compile(r"//.*")
CHARACTER = re.compile(r'UInt8\(ascii: ""\)')
LITERAL = re.compile(r'(#*)"(?:\\.|[^"\\\n])*"\1')
# The number of lines before an index that may contain the comparison.
CONTEXT = 8

# Bounds of valid ranges: constants, and numbers of elements.
CONSTANT = r"(?:-?[\d.][\w.]*|\(\d+ << \d+\)|\w*\.(?:max|min|infinity)|(?:Self|[A-Z]\w*)\.\w+|(?:[\w.]+\.)?(?:max|most|longest)[A-Z]\w*|[\w.]+\.count)"

REFUSED = [
    (r"\b(?:try|as)!|[\w)\]]!(?!=)(?=[\s.,)\]?:\[]|$)", "guard or ??"),
    (r"\b(?:fatalError|precondition|preconditionFailure|assertionFailure|assert)\(", "an error"),
    (
        r"\bU?Int(?:8|16|32|64)?\((?!exactly:|clamping:)(?=[^\n]*\.rounded\()|\bU?Int(?:8|16|32|64)?\((?:min|max)\(|\bU?Int\((?!clamping:)[^()\n]*/ \.",
        "Int(clamping:) or Int(exactly:)",
    ),
    (r"\bU?Int(?:8|16|32)\((?!exactly:|clamping:|truncatingIfNeeded:|bitPattern:|ascii:|bigEndian:|littleEndian:|String\(|[A-Z_0-9]+(?:\.rawValue)?\b)", "clamping: or exactly:"),
    (r"^(?!.*\.last\b).*(?:\.remove(?:First|Last)\(|\.remove\(at:)", "popLast or dropFirst"),
    (r"\.(?:dropFirst|dropLast|prefix|suffix|removeFirst|removeLast)\([^()]* - ", "max(0, …)"),
    (r"repeating: .*count: (?!\d+\)|max\(0)", "max(0, …)"),
    (r"\bstride\(.*by: (?!-?\d+\)|max\(1)", "max(1, …)"),
]
# A name in brackets, or text with an operator: an index of a collection, and not the key of a dictionary.
INDEX = re.compile(r"([\w.]*\w|\)|\])\[((?:[ijkn]|index|position|start|end|offset|next|first|last|found|place|\w+[iI]ndex)|\d+|[^\[\]\"]*(?<![.<]) [-+*] [^\[\]]*)\]")
OPERAND = r"(?:[\w.]|\((?:[^()]|\([^()]*\))*\))+"
RANGE = re.compile(rf"({OPERAND}(?: [-+*/] {OPERAND})*) ?\.\.[.<] ?({OPERAND}(?: [-+*/] {OPERAND})*)")


def is_compared(base, index, lines):
    """Returns whether the lines compare an index, or the number of elements that a literal index needs."""
    text = "\n".join(lines)
    if index.isdigit():
        name = re.escape(base.split(".")[-1])
        return bool(re.search(rf"\b{name}\??\.count\b ?(?:==|>|>=|<=|!=)|\b{name}\??\.count\)|{name}\.isEmpty", text))
    names = set(re.findall(r"[a-zA-Z_]\w*", index))
    return any(
        re.search(rf"\bfor (?:\(?{name}\b|.*\b{name}\b.* in)|\b{name}\b[^=\n]* ?[<>]=? |[<>]=? ?{name}\b|[<>]=? .*\b{name}\b|\b{name} [!=]= |let {name}\b.*\b(?:firstIndex|lastIndex|firstRange)|\b{name}\.count\b", text)
        for name in names
    )


def is_ordered(low, high):
    """Returns whether the bounds of a range are constants; tests would detect constants in the wrong order."""
    return bool(re.fullmatch(CONSTANT, high)) and (bool(re.fullmatch(CONSTANT, low)) or high.endswith(".count"))


def findings(path):
    """Yields one line for each expression that can end the process."""
    lines = path.read_text().splitlines()
    codes = [CHARACTER.sub("65", COMMENT.sub("", LITERAL.sub('""', line))) for line in lines]
    for number, (line, code) in enumerate(zip(lines, codes)):
        before = lines[number - 1] if number else ""
        if MARK.search(line) or MARK.search(before):
            continue
        instead = next((instead for pattern, instead in REFUSED if re.search(pattern, code)), None)
        context = codes[max(0, number - CONTEXT) : number]
        for base, index in INDEX.findall(code):
            position = code.find(f"{base}[{index}]")
            if not is_compared(base, index, [*context, code[:position]]):
                instead = instead or "[at:], first, dropFirst or a comparison before it"
        for low, high in RANGE.findall(code):
            if not is_ordered(low, high):
                instead = instead or "a range whose bounds are in order"
        if instead:
            yield f"{path.relative_to(PACKAGE)}:{number + 1}: expected {instead}: {line.strip()}"


def main():
    """Prints the problems; exits 1 if there is a problem."""
    sources = PACKAGE / "Sources"
    patterns = [folder if folder.endswith(".swift") else f"{folder}/**/*.swift" for folder in FOLDERS]
    files = [path for pattern in patterns for path in sorted(sources.glob(pattern))]
    found = [line for path in files for line in findings(path)]
    if found:
        print("\n".join(found))
        sys.exit(f"check-traps: {len(found)} problems; scripts/check-traps.py lists the replacements")
    print(f"check-traps: {len(files)} files that read external input have a result for every input")


main()

#!/usr/bin/env python3
"""Checks that untrusted text is searched, split and compared as bytes.

`String` applies the rules of Unicode: it normalises text, and combines marks, flags and joiners into characters of any
length. A long sequence of marks takes quadratic time, so requests of a few KiB could block the service. In the folders
below, code must use the operations of ByteText, such as `text.bytes.hasPrefix("s3:")`, or of byte collections.

A line is accepted if its text comes from the operator, or is ASCII for another reason. A comment at its end or on the line before
it states the reason: `// trusted: the operator's setting`.
"""

import pathlib
import re
import sys

FOLDERS = ["Addresses", "Core/Imaging/Formats", "Core/Requests", "Service/Fetching", "Service/HTTPServer", "Service/HeadroomAPI", "Video"]

PACKAGE = pathlib.Path(__file__).resolve().parent.parent

MARK = re.compile(r"// trusted: \S+")
COMMENT = re.compile(r"//.*")
LITERAL = re.compile(r'(#*)"(?:\\.|[^"\\\n])*"\1')

# Each forbidden operation, and its replacement. In the searched lines, literals are empty.
BYTES = r"(?<!\bbytes)(?<!\butf8)"
REFUSED = [
    (BYTES + r"\.(?:lowercased|uppercased)\(\)", "bytes.lowercased()"),
    (BYTES + r"\.(?:hasPrefix|hasSuffix)\b", "bytes.hasPrefix and bytes.hasSuffix"),
    (BYTES + r"\.(?:firstRange|range|ranges)\(of: (?!UInt8)", "bytes.firstRange(of:)"),
    (BYTES + r"\.split\((?:separator: (?!UInt8)|whereSeparator|omittingEmptySubsequences)", "bytes.split(separator:)"),
    (BYTES + r"\.split \{", "utf8.split"),
    (BYTES + r'\.(?:contains|replacing|wholeMatch|firstMatch)\(""', "bytes.contains and bytes.replacing"),
    (BYTES + r'\.(?:firstIndex|lastIndex)\(of: ""\)', "utf8.firstIndex(of:)"),
    (BYTES + r'\.(?:prefix|drop|filter|trimmingPrefix)(?:\(while: )? ?\{ \$0 [!=]= ""', "bytes.prefix(before:)"),
    (r"\.components\(separatedBy|\.trimmingCharacters|\.caseInsensitiveCompare|\.localized", "ByteText"),
    # Fields of requests and of origins' responses.
    (r'\bheaders?\[[^\]]*\]\??(?: \?\? "")? [!=]= ""', "bytes =="),
]


def findings(path):
    """Yields one line for each string operation in a file."""
    before = ""
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        code = COMMENT.sub("", LITERAL.sub('""', line))
        if not MARK.search(line) and not MARK.search(before):
            for pattern, instead in REFUSED:
                if re.search(pattern, code):
                    yield f"{path.relative_to(PACKAGE)}:{number}: expected {instead}: {line.strip()}"
                    break
        before = line


def main():
    files = [path for folder in FOLDERS for path in sorted((PACKAGE / "Sources" / folder).rglob("*.swift"))]
    found = [line for path in files for line in findings(path)]
    if found:
        print("\n".join(found))
        sys.exit(f"check-text: {len(found)} problems; scripts/check-text.py lists the replacements")
    print(f"check-text: {len(files)} files of {', '.join(FOLDERS)} handle untrusted text as bytes")


main()

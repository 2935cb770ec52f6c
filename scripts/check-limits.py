#!/usr/bin/env python3
"""Compares the constants in docs/limits.md with the code: part of `make lint`.

The third column of a row names the type or the file with the limit. The file has to exist, and each number in the second column
has to be a constant in it, in any unit: 8 KiB is 8192, 8 * 1024 or 8 << 10, and 0.5 s is 500 milliseconds. The defaults of
settings are compared by check-options.py.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/limits.md"
DECLARATION = re.compile(
    r"^ *(?:(?:package|public|private|fileprivate|final|indirect|static) +)*(?:struct|class|enum|actor|protocol|extension) +([\w.]+)",
    re.MULTILINE)
# A number with an optional unit, outside backticks.
AMOUNT = re.compile(r"(?<![\w.⁰-⁹])(\d+(?:,\d{3})*(?:\.\d+)?)(?: (KiB|MiB|GiB|million|ms|s|min|minutes?|hours?|h|days?)\b)?(?![⁰¹²³⁴-⁹])")
UNITS = {
    "KiB": [1 << 10], "MiB": [1 << 20], "GiB": [1 << 30], "million": [10**6], "ms": [1], "s": [1, 1000], "min": [1, 60, 60_000],
    "minute": [1, 60, 60_000],
    "minutes": [1, 60, 60_000], "hour": [1, 60, 3600, 3_600_000], "hours": [1, 60, 3600, 3_600_000],
    "h": [1, 60, 3600, 3_600_000], "day": [1, 24, 86_400, 86_400_000], "days": [1, 24, 86_400, 86_400_000],
}
# Numbers that are derived from other constants or from a rule, by place.
DERIVED = {
    ("AnimationInfo", "4.6 hours"): "1 ms less than 2²⁴ ms",
    ("AnimationInfo", "11 minutes"): "65,535 hundredths of a second",
    ("BodyReader", "1"): "OneEachOrder",
    ("CompressedFormat", "8 MiB"): "a window log of 23",
    ("CopyrightNotice", "4 KiB"): "four times the bytes of a kept text",
    ("PurgeState", "7,000"): "4 MiB, with the memory of an entry",
    ("RedisConnection", "576 KiB"): "a value of RedisStore and 64 KiB",
    ("Y4MHeader", "0.001"): "a fraction of 1000",
}


def places():
    """Returns the source files, by their names and by the names of the types that they declare."""
    found = collections.defaultdict(set)
    for file in sorted((ROOT / "Sources").rglob("*")):
        if file.suffix not in {".swift", ".c", ".cpp", ".h"} or not file.is_file():
            continue
        found[file.name].add(file)
        if file.suffix == ".swift":
            found[file.stem.partition("+")[0]].add(file)
            for name in DECLARATION.findall(file.read_text(encoding="utf-8")):
                found[name.split(".")[-1]].add(file)
    return found


def constants(text):
    """Returns the numbers in code: literals, and products and shifts of literals."""
    found = set()
    text = re.sub(r"(?<=\d)_(?=\d)", "", text).replace("...", " ").replace("..<", " ")
    for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:e\d+)?", text):
        found.add(float(number))
    for number in re.findall(r"\b0x[0-9A-Fa-f]+\b", text):
        found.add(float(int(number, 16)))
    for product in re.findall(r"(?<![\w.])\d+(?: \* \d+)+", text):
        value = 1
        for factor in product.split(" * "):
            value *= int(factor)
        found.add(float(value))
    for number, shift in re.findall(r"(?<![\w.])(\d+) << (\d+)", text):
        found.add(float(int(number) << min(int(shift), 64)))
    return found


def rows():
    """Yields the line number, the default and the places of each limit."""
    for number, line in enumerate(PAGE.read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and len(cells) == 4:
            # Keeps names of types and files. Settings have neither capitals nor an extension, and variables have
            # underscores.
            names = [name for name in re.findall(r"`([^`]+)`", cells[2]) if re.fullmatch(r"[A-Z][A-Za-z0-9.]+|\w+\.[ch]", name)]
            if names and "`--" not in cells[2]:
                yield number, cells[1], names


def problems():
    every, compared, found = places(), 0, []
    for number, default, names in rows():
        files = set()
        for name in names:
            outer, _, inner = name.rpartition(".")
            own = every.get(name) or every.get(inner) or set()
            if outer and not name.endswith((".c", ".h", ".cpp")):
                own = own & every.get(outer, set())
            if not own:
                found.append(f"docs/limits.md:{number}: Sources have neither a type nor a file {name}")
            files |= own
        known = set().union(*(constants(file.read_text(encoding="utf-8")) for file in files)) if files else set()
        for amount, unit in AMOUNT.findall(re.sub(r"`[^`]*`", "", default)) if files else []:
            text = f"{amount} {unit}".strip()
            if any((name, text) in DERIVED for name in names):
                continue
            compared += 1
            value = float(amount.replace(",", ""))
            if not {round(value * factor, 6) for factor in UNITS.get(unit, [1])} & known:
                found.append(f"docs/limits.md:{number}: {' and '.join(names)} has no constant {text}")
    return found, compared


def main():
    found, compared = problems()
    for problem in found:
        print(problem)
    print(f"check-limits: {len(list(rows()))} rows with constants, {compared} numbers, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

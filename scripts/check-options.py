#!/usr/bin/env python3
"""Compares the options of the program in the pages with its help: part of `make lint`.

A code line that calls `headroom COMMAND` may contain only options of this command. An option in backticks, such as
`--max-pixels`, must belong to a command, or to a program in OTHERS. The help comes from the snapshots of the tests.

If one option of `headroom serve` sets the limit in a row of docs/limits.md, the row must contain the default of this
option.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SNAPSHOTS = ROOT / "Tests" / "HeadroomCLITests" / "Snapshots"
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


def old_names():
    """The options with deprecated names, which the help does not contain."""
    table = (ROOT / "Sources/Core/Requests/Parameters/DeprecatedName.swift").read_text(encoding="utf-8")
    names = re.findall(r'DeprecatedName\(\.(?:parameter|setting), "([A-Za-z-]+)"', table)
    return {"--" + re.sub("[A-Z]", lambda letter: "-" + letter[0].lower(), name) for name in names}


# Options of other programs that the pages name in backticks, by program.
OTHERS = {
    "curl": {"--data-binary", "--fail-with-body"},
    "Prometheus": {"--enable-feature"},
    "docker": {"--cap-drop", "--env", "--publish", "--read-only", "--scale", "--user"},
    "scripts of this repository": {"--check", "--page", "--paths", "--images", "--only", "--names", "--count", "--runs"},
    "swift": {"--static-swift-stdlib", "--disable-index-store", "--traits", "--filter", "--skip-build", "--scratch-path"},
    "pip and Spark": {"--py-files", "--archives", "--target"},
    "deprecated": old_names(),
    # docs/command-line.md states that these options do not exist.
    "absent": {"--url", "--v"},
    "hidden": {"--generate-completion-script", "--experimental-dump-help"},
}


def known():
    """Returns the options of each command, from its help."""
    options = {}
    for file in SNAPSHOTS.glob("*.txt"):
        command = file.stem.removeprefix("headroom").removeprefix("-")
        text = file.read_text().replace("--[no-]", "--no-")
        found = set(OPTION.findall(text))
        # The help shows a flag with an inverse as --allow-x/--no-allow-x, or only with the prefix.
        found |= {option.replace("--no-", "--") for option in found} | {"--help", "--version"}
        options[command] = found
    options[""] |= OTHERS["hidden"]
    return options


def calls(line):
    """Yields the headroom commands in a code line, each with the text of its arguments."""
    for part in re.split(r"[|;&]+", line):
        found = re.search(r"(?:^|[\s/\"'])(?:headroom|\"\$HEADROOM\") +(\w+)?(.*)", part)
        if found and "docker" not in part and "install " not in part:
            yield found[1] or "", re.split(r"\s#\s", found[2])[0]


def problems(name, options):
    every = set().union(*options.values(), *OTHERS.values())
    fenced, pending = False, ""
    for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            pending += line.rstrip("\\") + " "
            if line.endswith("\\"):
                continue
            for command, arguments in calls(pending):
                if command in options:
                    for option in OPTION.findall(arguments):
                        if option not in options[command]:
                            yield f"{name}:{number}: headroom {command} does not have the option {option}"
            pending = ""
        else:
            for code in re.findall(r"`([^`]+)`", line):
                if code.startswith(("--", "headroom ")):
                    for option in OPTION.findall(code):
                        if option not in every:
                            yield f"{name}:{number}: no command has the option {option}"


def defaults():
    """Returns the default of each option of `headroom serve` that has a default, in the form of the help."""
    found = {}
    for entry in re.split(r"^ {2}(?=-)", (SNAPSHOTS / "headroom-serve.txt").read_text(), flags=re.MULTILINE):
        option = OPTION.match(entry)
        text = re.search(r"\(default: ([^()]*)\)", " ".join(entry.split()))
        if option and text:
            found[option[0]] = text[1]
    return found


# A number with its unit. It is either the whole default, or the first of several bounds.
AMOUNT = re.compile(r"([\d,]+)(?: (KiB|MiB|GiB|s|h))?(?=$|[,;] )")
UNITS = {"": 1, "s": 1, "h": 3600, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def limits():
    """Returns the rows of docs/limits.md whose default differs from the option, and the number of compared rows."""
    every, problems, compared = defaults(), [], 0
    for number, line in enumerate((ROOT / "docs/limits.md").read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        option = re.fullmatch(r"`(--[a-z0-9-]+)`", cells[2]) if len(cells) == 4 else None
        amount = AMOUNT.match(cells[1]) if option else None
        if not option or not amount or not every.get(option[1], "").isdigit():
            continue
        compared += 1
        value = int(amount[1].replace(",", ""))
        # Memory options are in mebibytes.
        if int(every[option[1]]) not in {value, value * UNITS[amount[2] or ""]}:
            problems.append(f"docs/limits.md:{number}: {option[1]} is {every[option[1]]}, not {amount[0]}")
    return problems, compared


def main():
    options = known()
    listing = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    # The changelog may name options that were removed.
    pages = [name for name in listing.splitlines() if name != "CHANGELOG.md" and not (ROOT / name).is_symlink()]
    found = [problem for name in pages for problem in problems(name, options)]
    wrong, compared = limits()
    found += wrong
    for problem in found:
        print(problem)
    print(
        f"check-options: {len(pages)} pages, {sum(map(len, options.values()))} options of {len(options)} commands, "
        f"{compared} defaults of limits, {len(found)} problems"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Checks that the types and files named in the pages exist.

A word in backticks such as `FramePlan` must occur in the code, and a path such as `scripts/lib` must be a file or a folder.
Code blocks are not checked.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Names from other projects and their documents.
FOREIGN = {"CacheMaxExpire", "HealthCheckPolicy", "QuerySet", "WxH"}
TYPE = re.compile(r"\b[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+\b")
PLACE = re.compile(r"((?:Sources|Tests|scripts|deploy|Tools|Clients|Examples|Benchmarks|Fuzzers|docs)/[\w./+-]+?)/?")


def main() -> None:
    """Prints each missing name; exits 1 if a name is missing."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
    folders = {str(folder) for name in files for folder in pathlib.PurePath(name).parents}
    pages = sorted(name for name in files if name.endswith(".md"))
    words = {pathlib.PurePath(name).name.split(".")[0] for name in files}
    for name in files - set(pages):
        words |= set(re.findall(r"\w+", (ROOT / name).read_bytes().decode("utf-8", "ignore")))
    missing = []
    for page in pages:
        text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text(), flags=re.MULTILINE | re.DOTALL)
        for quoted in re.findall(r"`([^`\n]+)`", text):
            if re.fullmatch(r"[\w.()]+", quoted):
                missing += [(page, name) for name in TYPE.findall(quoted) if name not in words | FOREIGN]
            place = PLACE.fullmatch(quoted)
            if place and place[1] not in files | folders:
                missing.append((page, place[1]))
    for page, name in missing:
        print(f"{page}: {name} does not exist")
    print(f"check-names: {len(pages)} pages, {len(missing)} problems")
    sys.exit(bool(missing))


main()

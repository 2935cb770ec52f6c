#!/usr/bin/env python3
"""Checks that relative links and anchors in the pages resolve, that paths and file names in backticks exist, and that
the container build includes the targets of symbolic links in Sources.

    scripts/check-links.py [FILE.md ...]      by default every Markdown file of the repository
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
# The prefixes of paths of the repository.
FOLDERS = ("Sources/", "Tests/", "Tools/", "Fuzzers/", "Benchmarks/", "Examples/", "Clients/", "scripts/",
           "deploy/", "docs/")


def tracked() -> list[str]:
    """Returns the files that git tracks, as paths from the root."""
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return listing.stdout.splitlines()


def anchors(page: pathlib.Path) -> set[str]:
    """Returns the anchors that GitHub creates for the headings of a page."""
    found = set()
    for line in page.read_text(encoding="utf-8").splitlines():
        heading = re.match(r"#{1,6} (.*)", line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).strip().lower()
            found.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return found


def without_listings(text: str) -> str:
    """Returns a page without its fenced and indented listings."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return "\n".join(line for line in text.splitlines() if not line.startswith("    "))


def problems(page: pathlib.Path, files: list[str]) -> list[str]:
    """Returns the problems of a page."""
    text = without_listings(page.read_text(encoding="utf-8"))
    found = []
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        goal = (page.parent / path).resolve() if path else page
        if not goal.exists():
            found.append(f"the link target {target} does not exist")
        elif anchor and goal.suffix == ".md" and anchor not in anchors(goal):
            found.append(f"{goal.name} has no heading for #{anchor}")
    names = {pathlib.PurePosixPath(file).name for file in files}
    for code in CODE.findall(text):
        if code.startswith(FOLDERS) and re.fullmatch(r"[\w./+-]+", code):
            if not any(file == code.rstrip("/") or file.startswith(code.rstrip("/") + "/") for file in files):
                found.append(f"{code} does not exist")
        elif re.fullmatch(r"[\w+-]+\.(swift|c|h|py)", code) and code not in names:
            found.append(f"the file {code} does not exist")
    return found


def left_out(files: list[str]) -> list[str]:
    """Returns the targets of symbolic links in Sources that .dockerignore excludes."""
    rules = (ROOT / ".dockerignore").read_text().split()
    links = [ROOT / file for file in files if file.startswith("Sources/") and (ROOT / file).is_symlink()]
    goals = [str(link.resolve().relative_to(ROOT)) for link in links]
    return [goal for goal in goals if goal.split("/")[0] in rules and f"!{goal}" not in rules]


def main() -> int:
    files = tracked()
    # The playground contains symbolic links to pages, which are checked in their own folder.
    pages = sys.argv[1:] or [file for file in files if file.endswith(".md") and not (ROOT / file).is_symlink()]
    count = 0
    for name in pages:
        for problem in problems(ROOT / name, files):
            print(f"{name}: {problem}")
            count += 1
    for goal in left_out(files):
        print(f".dockerignore: excludes {goal}, the target of a symbolic link in Sources")
        count += 1
    print(f"check-links: {len(pages)} pages, {count} problems")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())

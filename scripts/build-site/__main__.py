"""Builds the pages of the repository as a static site with search, in .build/site: `make site`.

README.md becomes the start page, and the tables of docs/README.md become the navigation. llms.txt is generated from both.
Files and folders that pages link to are copied, so that no link leaves the site. mkdocs checks every link and anchor. Exits 1
if a target does not exist.
"""
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".build" / "site"
PAGES, SITE = FOLDER / "pages", FOLDER / "html"
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")


def tracked():
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return {name for name in listing if name and (ROOT / name).is_file()}


def collect():
    """Copies README.md and all pages that links reach from it; returns the pages.

    A linked folder becomes a page that lists its files.
    """
    files = tracked()
    pages, waiting = [], ["README.md"]
    taken = set(waiting)

    def follow(name):
        if name not in taken:
            taken.add(name)
            waiting.append(name)
    while waiting:
        name = waiting.pop(0)
        target = PAGES / ("index.md" if name == "README.md" else name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if not name.endswith(".md"):
            shutil.copy(ROOT / name, target)
            continue
        text = (ROOT / name).read_text(encoding="utf-8")
        here = posixpath.dirname(name)

        def moved(found, here=here):
            link, anchor = found[1], found[2] or ""
            if re.match(r"[a-z]+:", link):
                return found[0]
            goal = posixpath.normpath(posixpath.join(here, link))
            if goal in files:
                follow(goal)
                renamed = "index.md" if goal == "README.md" else goal
                return f"]({posixpath.relpath(renamed, here or '.')}{anchor})"
            inside = sorted(each for each in files if each.startswith(f"{goal}/"))
            if not inside:
                return found[0]
            listing = f"{goal}/README.md"
            if listing in files:
                follow(listing)
                return f"]({posixpath.relpath(listing, here or '.')}{anchor})"
            listing = PAGES / goal / "files.md"
            listing.parent.mkdir(parents=True, exist_ok=True)
            listing.write_text(f"# {goal}\n\n" + "".join(f"- [{each[len(goal) + 1:]}]({each[len(goal) + 1:]})\n" for each in inside))
            for each in inside:
                follow(each)
            return f"]({posixpath.relpath(f'{goal}/files.md', here or '.')})"
        target.write_text(LINK.sub(moved, text), encoding="utf-8")
        pages.append(name)
    return pages


def title(name):
    found = re.search(r"^# (.*)$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    return re.sub(r"[`*]", "", found[1]) if found else name


def table():
    """Yields the rows of the tables in docs/README.md: section, pages and their descriptions."""
    section = ""
    for line in (ROOT / "docs/README.md").read_text(encoding="utf-8").splitlines():
        section = line[3:] if line.startswith("## ") else section
        cells = line.strip("| ").split(" | ")
        names = [posixpath.normpath(posixpath.join("docs", link)) for link, _ in LINK.findall(cells[0])] if len(cells) == 2 else []
        if names:
            yield section, names, cells[1]


def navigation(pages):
    """Returns README.md, then the sections of docs/README.md with their pages, each followed by the pages in its folder."""
    order: list[dict] = [{"Headroom": "index.md"}]
    sections: dict[str, list[dict]] = {}
    listed = {"README.md", "docs/README.md"}
    for section, names, _ in table():
        for name in names:
            folder = posixpath.dirname(name)
            inside = [each for each in pages if name.endswith("/README.md") and posixpath.dirname(each) == folder and each != name]
            entry: list[dict] = [{title(each): each} for each in [name, *inside]]
            sections.setdefault(section, []).append({title(name): entry} if inside else entry[0])
            listed |= {name, *inside}
    order += [{section: entries} for section, entries in sections.items()]
    others = [{title(each): each} for each in sorted(set(pages) - listed)]
    return [*order, {"Other pages": others}] if others else order


def plain(text):
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


def first_sentence(name):
    paragraphs = (ROOT / name).read_text(encoding="utf-8").split("\n\n")
    words = next((each for each in paragraphs if re.match(r"[A-Z`]", each)), "")
    return plain(" ".join(re.split(r"(?<=[.:])\s", words, maxsplit=1)[0].split())).rstrip(".:")


def summary():
    """Returns llms.txt: a description of the project, and each page with its content (llmstxt.org)."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    about = " ".join(re.findall(r"^# .*?\n\n(.*?)\n\n", readme, re.DOTALL)[0].split())
    lines = ["# Headroom", "", f"> {about}", "", "## Documentation", ""]
    lines.append("- [README](index.md): how to run it, examples, routes and parameters")
    current = ""
    for section, names, content in table():
        if section != current:
            lines += ["", f"## {section}", ""]
            current = section
        # A row with several pages has one description for all of them, so each page is described by its own first
        # sentence.
        for name in names:
            text = plain(content) if len(names) == 1 else first_sentence(name)
            lines.append(f"- [{title(name)}]({name}): {text}")
    lines += ["", "## Interface", "", "- [OpenAPI description](openapi.yaml): all routes, parameters and responses"]
    return "\n".join(lines) + "\n"


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    PAGES.mkdir(parents=True)
    pages = collect()
    settings = (pathlib.Path(__file__).parent / "mkdocs.yml").read_text()
    added = yaml.safe_dump({"docs_dir": str(PAGES), "site_dir": str(SITE), "nav": navigation(pages)}, allow_unicode=True)
    (FOLDER / "mkdocs.yml").write_text(f"{settings}\n{added}")
    shutil.copy(ROOT / "Sources/Service/HeadroomAPI/Playground/icon.svg", PAGES)
    (PAGES / "llms.txt").write_text(summary(), encoding="utf-8")
    command = [str(pathlib.Path(sys.executable).parent / "mkdocs"), "build", "--strict", "--config-file", str(FOLDER / "mkdocs.yml")]
    # Without this variable, mkdocs-material prints an advertisement.
    if subprocess.run(command, check=False, cwd=FOLDER, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}).returncode:
        return 1
    # The source of each page, next to the page; llms.txt links to it.
    for name in pages:
        target = SITE / ("index.md" if name == "README.md" else name)
        shutil.copy(PAGES / ("index.md" if name == "README.md" else name), target)
    missing = [name for name in re.findall(r"\]\((\S+)\)", (SITE / "llms.txt").read_text()) if not (SITE / name).is_file()]
    for name in missing:
        print(f"llms.txt: {name} does not exist")
    print(f"build-site: {SITE}/index.html, {len(pages)} pages of the repository, {len(missing)} problems")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

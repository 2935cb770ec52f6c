"""Creates Markdown tables and writes them into a page."""

import pathlib
import re
import sys


def table(head: list[str], rows: list[list[str]]) -> str:
    """Returns a table whose columns, except the first, contain numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def holder(paths: list[pathlib.Path], name: str) -> pathlib.Path:
    """Returns the page that contains the markers with this name."""
    for path in paths:
        if f"<!-- {name} -->" in path.read_text():
            return path
    sys.exit(f"No page has the marker <!-- {name} -->: {', '.join(map(str, paths))}")


def insert(path: pathlib.Path, name: str, text: str) -> None:
    """Replaces the text between the markers of a name."""
    page = path.read_text()
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if begin not in page or end not in page:
        sys.exit(f"{path} does not contain the markers {begin} and {end}.")
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    path.write_text(pattern.sub(lambda _: f"{begin}\n{text}\n{end}", page))

#!/usr/bin/env python3
"""Checks sentences and commit subjects by docs/contributing/words.md.

Reads comments, strings, names of tests and pages. Each area has a budget for hits of refused patterns, which may only
decrease. Hits of advisory patterns are printed for changed lines.

  check-words.py                     fails if an area exceeds its budget, or a subject breaks rule 10
  check-words.py --list [AREA]       prints each hit
  check-words.py --update            lowers the budgets to the current counts
  check-words.py --commits RANGE     checks the subjects of these commits instead of origin/main..HEAD
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUDGET = ROOT / "scripts/words-budget.json"
ALLOWED = ROOT / "scripts/words-allowed.txt"
# Third-party texts, generated files, and the files that contain the patterns.
OMITTED = re.compile(r"^(?:LICENSE|NOTICE|docs/contributing/words\.md|scripts/(?:check-words\.py|words-)|Tests/.*/Snapshots/)")

NOUN = r"(?:service|server|client|program|worker|page|plan|header|field|file|cache|origin|detector|response|request|proxy|log|metric|test)s?"

# Pairs of a replacement and a pattern.
REFUSED = [
    ("repeat the noun", r"\b(?:than|as|to|with|by|from|is|are|of|for) (?:that|those) (?:of|in|from|with|at|by|for)\b"),
    ("repeat the noun", r"\b(?:of|to|with|from|than|for) those\b(?! (?:\w+s)\b)|\bthose[.;,]"),
    ("“maximum” or “minimum”", r"\b[Tt]he (?:most|least|fewest) (?:bytes|pixels|frames|entries|characters|seconds|memory|sources|members|of|for)\b"),
    ("“maximum” or “minimum”", r"\b[Tt]he (?:largest|longest|smallest|greatest) (?:number|size|time|length|share|delay|wait|pause)\b"),
    ("“maximum” or “minimum”", r"\b(?:most|least)[A-Z]\w+"),
    ("a second sentence", r"\b(?:of|by|from|for|at|on|after|under|with|through|to) (?:which|whom)\b"),
    ("“is not a”", r"(?<![Tt]here )\b(?:is|are|was|were) no (?!longer|more|less|other|need|such|larger|smaller|match)[a-z]+"),
    ("the name of the thing", r"(?:^|[.;:,] )[Ww]hat (?:is|are|was|were|a|an|the|they|it|others?|strangers)\b(?![^.]*\?)"),
    ("a noun: amount, number, degree", r"\b(?:^|[.;:] )[Hh]ow (?:much|many|often|long|far|wide)\b(?![^.]*\?)"),
    ("reports, returns, requires, accepts", rf"\b{NOUN} (?:says?|tells?|knows?|asks?|wants?|believes?|hears?|heeds?|minds?)\b"),
    ("reports, returns, requires, accepts", r"\b(?:says|tells|say|tell) (?:so|how|what|why|which|where|whether)\b"),
    ("again, forever, permanently, still", r"\b(?:anew|for ever|for good|nevertheless|altogether|thereby|to and fro|in vain)\b"),
    ("continues", r"\b(?:goes|go|going|went) on\b(?! (?:the|a|to)\b)"),
    ("represents, replaces, fallback", r"\bst(?:and|ood)s? (?:in for|for)\b|\b[Ss]tand-ins?\b|\bin (?:its|their) place\b"),
    ("next to, in addition to", r"\b[Bb]esides?\b"),
    ("own, separate, custom", r"\b(?:of (?:its|their|his|your) own|of ours)\b"),
    ("except", r"\b(?:all|any|every|none|nothing|nobody|no one|everything) but\b"),
    ("users, clients, regardless of", r"\b(?:[Ss]omebody|[Nn]obody|[Aa]nybody|[Ee]verybody|[Ww]hoever|[Ss]trangers?|whatever|no matter)\b"),
    ("image", r"(?<![<-])\b[Pp]ictures?\b(?![>`=-])"),
    ("for example 50 %", r"\bor such as\b|\bsuch as \d+ ?%"),
    ("URL format", r"(?<!--)\b[Gg]rammars?\b(?! of )"),
]

ADVISORY = [
    ("the verb earlier, or two sentences", r"\b(?:is|are|was|were) (?:\w+ ){1,3}that (?:has|have|is|are|does|do|cannot) (?:not|no)\b"),
    ("“has no” → “without” or “lacks”", r"\b(?:has|have|had) (?:no|none|nothing|neither)\b"),
    ("the noun", r"\b(?:the|as) ones? (?:that|of|in|with|which|at)\b"),
    ("“otherwise”, or two sentences", r"[,;:] (?:or )?else\b|\band else\b"),
    ("inside, outside", r"\b(?:in|out)side of\b"),
    ("fix, self-test, authorization", r"\b(?:mend(?:s|ed|ing)?|rehearsals?|grants?|heeds?)\b"),
    ("in progress, unavailable", r"\b(?:in work|out of use|be had|is gone|are gone)\b"),
    ("URL", r"\b(?:short|whole|signed) address(?:es)?\b|\baddress(?:es)? of (?:an image|the image|images|the source|sources?)\b"),
    ("the same word at its place in the sentence", r"\b(?:then|alone|too|there)[.;:]"),
    ("fraction, or a number", r"\b(?:a|the) share of\b"),
    ("a limit: “up to”, “at most”", r"\bas far as\b|\bso (?:many|much|few)\b"),
]

SUBJECT_AREA = re.compile(r"^[A-Z0-9][\w ,/.&+-]*: \S")
WEAK_VERBS = {"say", "tell", "let", "know", "hold", "mend", "believe", "ask", "forget", "bring", "give", "put", "take", "leave", "join", "do", "have"}
MAX_SUBJECT = 65


class Text(NamedTuple):
    """A text and its first line."""

    file: str
    line: int
    text: str


class Hit(NamedTuple):
    """A match of a pattern."""

    file: str
    line: int
    words: str
    instead: str
    sentence: str


def comments(source: str, mark: str) -> Iterator[tuple[int, str]]:
    """Returns blocks of comment lines, each joined to one text, and comments at the end of code lines."""
    block: list[str] = []
    start = 0
    for number, line in enumerate(source.splitlines(), 1):
        stripped = line.strip()
        if re.match(mark, stripped):
            body = re.sub(mark, "", stripped, count=1).strip()
            # A list item, a parameter or an empty line starts a new text.
            if block and (not body or body.startswith("- ")):
                yield start, " ".join(block)
                block = []
            if body:
                if not block:
                    start = number
                block.append(body)
            continue
        if block:
            yield start, " ".join(block)
            block = []
        trailing = re.search(r"\s" + mark + r" +(\S.*)$", line)
        if trailing and line[: trailing.start()].count('"') % 2 == 0:
            yield number, trailing[1]
    if block:
        yield start, " ".join(block)


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Returns string literals of at least four words."""
    for number, line in enumerate(source.splitlines(), 1):
        if not line.lstrip().startswith(("//", "#")):
            for literal in re.findall(r'"((?:\\.|[^"\\])*)"', line):
                if re.search(r"[A-Za-z]{2,} [a-z]+ [a-z]+ [a-z]+", literal) and "</" not in literal:
                    yield number, literal


def markdown(source: str) -> Iterator[tuple[int, str]]:
    """Returns paragraphs, table rows and headings, without code."""
    code = False
    block: list[str] = []
    start = 0
    for number, written in enumerate([*source.splitlines(), ""], 1):
        fence = written.lstrip().startswith("```")
        code = code != fence
        if code:
            continue
        line = "" if fence else written
        alone = line.startswith(("|", "#", "- ", "* ")) or not line.strip()
        if alone and block:
            yield start, " ".join(block)
            block = []
        if line.strip():
            if not block:
                start = number
            block.append(line.strip())
    if block:
        yield start, " ".join(block)


def texts(file: str) -> Iterator[Text]:
    """Returns the texts of a file."""
    path = ROOT / file
    suffix = path.suffix
    if suffix not in {".swift", ".md", ".py", ".sh", ".yaml", ".yml", ".c", ".h", ".cpp", ".hpp", ".js"} and path.name != "Makefile":
        return
    source = path.read_bytes().decode("utf-8", "replace")
    found: list[tuple[int, str]] = []
    if suffix == ".md":
        found += markdown(source)
    elif suffix == ".swift":
        found += comments(source, r"///?")
        found += strings(source)
        for number, line in enumerate(source.splitlines(), 1):
            found += [(number, name) for name in re.findall(r"(?:func|struct|enum) `([^`]* [^`]*)`", line)]
    elif suffix in {".c", ".h", ".cpp", ".hpp", ".js"}:
        found += comments(source, r"(?:///?|/?\*+/?)(?=\s|$)")
    elif file == "openapi.yaml":
        found += [(number, line.strip()) for number, line in enumerate(source.splitlines(), 1)]
    else:
        found += comments(source, "#")
        if suffix == ".py":
            for each in re.finditer(r'"""(.*?)"""', source, re.DOTALL):
                found.append((source.count("\n", 0, each.start()) + 1, " ".join(each[1].split())))
    for place, text in found:
        yield Text(file, place, text)


def area(file: str) -> str:
    """Returns the area of a file; each area has one budget."""
    parts = pathlib.PurePath(file).parts
    if parts[0] == "Sources":
        return "/".join(parts[:3])
    if parts[0] in ("Tests", "docs", "Clients", "Benchmarks", "Fuzzers", "deploy", "Tools", "Examples", "scripts"):
        return "/".join(parts[:2]) if parts[0] == "Tests" or (parts[0] == "docs" and len(parts) > 2) else parts[0]
    return parts[0]


def hits(files: list[str], patterns: list[tuple[str, str]], allowed: list[str]) -> list[Hit]:
    """Returns the matches of the patterns, except allowed sentences."""
    compiled = [(instead, re.compile(pattern)) for instead, pattern in patterns]
    result = []
    for file in files:
        for text in texts(file):
            plain = re.sub(r"``?[^`]*``?|\]\([^)]*\)|\\\([^)]*\)", "`", text.text) if not file.endswith(".swift") or "`" in text.text else text.text
            for sentence in re.split(r"(?<=[.!?]) (?=[A-Z])", plain):
                if any(each in sentence for each in allowed):
                    continue
                for instead, pattern in compiled:
                    found = pattern.search(sentence)
                    if found:
                        result.append(Hit(file, text.line, found[0], instead, sentence))
    return result


def git(*arguments: str) -> str | None:
    """Returns the output of a git command; None if it fails."""
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout if run.returncode == 0 else None


def changed_lines() -> dict[str, set[int]]:
    """Returns the lines changed since origin/main; without origin/main, the uncommitted changes."""
    base = (git("merge-base", "origin/main", "HEAD") or "HEAD").strip()
    lines: dict[str, set[int]] = defaultdict(set)
    file = ""
    for line in (git("diff", "--unified=0", base) or "").splitlines():
        if line.startswith("+++ "):
            file = line[6:]
        hunk = re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)
        if hunk:
            start = int(hunk[1])
            lines[file] |= set(range(start, start + int(hunk[2] or 1)))
    for new in (git("ls-files", "-o", "--exclude-standard") or "").splitlines():
        lines[new] = set(range(1, 100_000))
    return lines


def subject_problems(commits: str) -> list[str]:
    """Returns the problems of the subjects of these commits."""
    listed = git("log", "--no-merges", "--format=%h %s", commits)
    if listed is None:
        print(f"check-words: the commits {commits} are not in this clone, so no subjects are checked")
        return []
    problems = []
    for line in listed.splitlines():
        commit, _, subject = line.partition(" ")
        if subject.startswith(("fixup! ", "squash! ", "Revert ")):
            continue
        if len(subject) > MAX_SUBJECT:
            problems.append(f"{commit}: {len(subject)} characters, at most {MAX_SUBJECT}: {subject}")
        if not SUBJECT_AREA.match(subject):
            problems.append(f"{commit}: expected “Area: verb object”: {subject}")
            continue
        verb = subject.split(": ", 1)[1].split(" ", 1)[0].lower()
        if verb in WEAK_VERBS:
            problems.append(f"{commit}: use a verb with one meaning instead of “{verb}”: {subject}")
        if re.search(r"; |, and (?=[a-z]+ )", subject):
            problems.append(f"{commit}: one change per commit: {subject}")
    return problems


def main() -> None:
    """Prints the problems; exits 1 if there is a problem."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--list", nargs="?", const="", metavar="AREA", help="print each hit, of one area or of all")
    parser.add_argument("--update", action="store_true", help="lower the budgets to the current counts")
    parser.add_argument("--commits", default="origin/main..HEAD", metavar="RANGE", help="commits whose subjects are checked")
    arguments = parser.parse_args()

    listed = git("ls-files", "-co", "--exclude-standard") or ""
    files = sorted({file for file in listed.splitlines() if not OMITTED.match(file) and (ROOT / file).is_file()})
    allowed = [line for line in ALLOWED.read_text().splitlines() if line and not line.startswith("#")] if ALLOWED.exists() else []
    found = hits(files, REFUSED, allowed)
    counts = Counter(area(hit.file) for hit in found)

    if arguments.list is not None:
        for hit in found:
            if hit.file.startswith(arguments.list):
                print(f"{hit.file}:{hit.line}: “{hit.words}” → {hit.instead}: {hit.sentence[:160]}")
        return

    first = not BUDGET.exists()
    budget: dict[str, int] = {} if first else json.loads(BUDGET.read_text())
    if arguments.update:
        lowered = {name: count if first else min(count, budget.get(name, 0)) for name, count in sorted(counts.items())}
        BUDGET.write_text(json.dumps({name: count for name, count in lowered.items() if count}, indent=2) + "\n")
        budget = lowered

    changed = changed_lines()
    failures = 0
    for name, count in sorted(counts.items()):
        allowance = budget.get(name, 0)
        if count > allowance:
            failures += 1
            print(f"check-words: {name} has {count} refused phrases, at most {allowance} are allowed; those in changed lines:")
            for hit in found:
                if area(hit.file) == name and any(line in changed[hit.file] for line in range(hit.line, hit.line + 4)):
                    print(f"  {hit.file}:{hit.line}: “{hit.words}” → {hit.instead}")
    for hit in hits([file for file in files if changed[file]], ADVISORY, allowed):
        if hit.line in changed[hit.file]:
            print(f"advice: {hit.file}:{hit.line}: “{hit.words}” → {hit.instead}")
    problems = subject_problems(arguments.commits)
    for problem in problems:
        print(f"check-words: {problem}")
    below = sum(budget.values()) - sum(counts.values())
    note = f", {below} fewer than allowed: --update lowers the budgets" if below > 0 and not failures else ""
    print(f"check-words: {len(files)} files, {sum(counts.values())} refused phrases{note}, {failures + len(problems)} problems")
    sys.exit(bool(failures or problems))


main()

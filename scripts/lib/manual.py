"""Manual pages and completions, generated from the help of the program.

`headroom --experimental-dump-help` prints the description by swift-argument-parser: commands, options and their help as JSON.
"""
import itertools
import json
import os
import re
import subprocess

import service

# The file names that the shells expect.
COMPLETIONS = {"bash": "headroom", "zsh": "_headroom", "fish": "headroom.fish"}


def printed(program, *arguments):
    return subprocess.check_output([program, *arguments], text=True, env=service.own_environment())


def write_completions(program, folder):
    """Writes the completions for each shell into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for shell, name in COMPLETIONS.items():
        # The shell reads completion files and does not execute them.
        text = printed(program, "--generate-completion-script", shell).removeprefix("#!/bin/bash\n")
        (folder / name).write_text(text)


def write_pages(program, folder, version):
    """Writes headroom.1 and a page for each command into a folder; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    root = json.loads(printed(program, "--experimental-dump-help"))["command"]
    pages = {"headroom": root}
    for each in root["subcommands"]:
        if each["commandName"] != "help" and each.get("shouldDisplay", True):
            pages[f"headroom {each['commandName']}"] = each
    files = []
    for name, command in pages.items():
        others = [other for other in pages if other != name] if command is root else ["headroom"]
        files.append(folder / f"{name.replace(' ', '-')}.1")
        files[-1].write_text("\n".join(page(name, command, version, others)) + "\n")
    return files


def page(name, command, version, others):
    """Returns the lines of the manual page of a command, in the man(7) format."""
    arguments = [each for each in command.get("arguments", []) if each.get("shouldDisplay", True)]
    title, abstract = name.replace(" ", "-"), command["abstract"]
    yield f'.TH "{title.upper()}" "1" "" "Headroom {version}" "User Commands"'
    yield from (".SH NAME", rf"{escaped(title)} \- {escaped(abstract.rstrip('.'))}")
    yield from (".SH SYNOPSIS", synopsis(name, command, arguments))
    yield from (".SH DESCRIPTION", escaped(abstract), *prose(command.get("discussion", "")))
    # Sections in order, each with its positional arguments first.
    titles = list(dict.fromkeys(["", *(each.get("sectionTitle") or "" for each in arguments)]))
    yield ".SH OPTIONS"
    for section in titles:
        some = [each for each in arguments if (each.get("sectionTitle") or "") == section]
        yield from [f'.SS "{escaped(section)}"'] if section else []
        for each in sorted(some, key=lambda each: each["kind"] != "positional"):
            yield from entry(each)
    subcommands = [each for each in command.get("subcommands", []) if each["commandName"] != "help"]
    yield from [".SH COMMANDS"] if subcommands else []
    for each in subcommands:
        yield from (".TP", bold(f"headroom {each['commandName']}"), escaped(each["abstract"]))
    yield from (".SH SEE ALSO", ",\n".join(f"{bold(other.replace(' ', '-'))}(1)" for other in others))


def synopsis(name, command, arguments):
    positional = [each for each in arguments if each["kind"] == "positional"]
    parts = [bold(name)] + ([italic("command")] if command.get("subcommands") else [])
    parts += [f"[{italic('options')}]"] if len(arguments) > len(positional) else []
    for each in positional:
        text = italic(each["valueName"]) + (" ..." if each.get("isRepeating") else "")
        parts.append(f"[{text}]" if each.get("isOptional") else text)
    return " ".join(parts)


def entry(argument):
    """Returns one option, with its names and its help."""
    text, is_option = escaped(argument.get("abstract") or ""), argument["kind"] == "option"
    if argument["kind"] == "positional":
        title = italic(argument["valueName"])
    else:
        title = ", ".join(bold(("--" if name["kind"] == "long" else "-") + name["name"]) for name in argument["names"])
    if is_option:
        title += f" {italic(argument.get('valueName') or 'value')}"
    if is_option and argument.get("defaultValue"):
        text += f" (default: {escaped(argument['defaultValue'])})"
    return [".TP", title, text, *prose(argument.get("discussion") or "")]


def prose(text):
    """Returns the discussion of a command: headings in capitals, indented lines unchanged, and paragraphs."""
    lines = []
    for is_literal, group in itertools.groupby(text.splitlines(), lambda line: bool(re.match(r"  +\S", line))):
        if is_literal:
            lines += [".EX", *map(escaped, group), ".EE"]
            continue
        for line in map(str.strip, group):
            is_heading = re.fullmatch(r"[A-Z][A-Z ]+:?", line)
            lines.append(f".SH {line.rstrip(':')}" if is_heading else escaped(line) or ".PP")
    # A paragraph directly before a heading or at the end is empty.
    kept = [line for line, after in itertools.zip_longest(lines, lines[1:], fillvalue=".PP")
            if line != ".PP" or not after.startswith((".SH", ".PP"))]
    return ([".PP"] if kept and not kept[0].startswith(".") else []) + kept


def bold(text):
    return rf"\fB{escaped(text)}\fR"


def italic(text):
    return rf"\fI{escaped(text)}\fR"


def escaped(text):
    """Returns text in which all control characters of roff are escaped."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga").replace("\n", " ")
    return r"\&" + text if text.startswith(".") else text


def check(files):
    """Raises an error if man prints a warning for a page."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"}
    for file in files:
        command = ["man", "--warnings", "--encoding=utf8", "--local-file", file]
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
        is_good = done.returncode == 0 and not done.stderr.strip() and "NAME" in done.stdout
        assert is_good, f"{file.name}: {done.stderr.strip() or done.stdout[:200]}"

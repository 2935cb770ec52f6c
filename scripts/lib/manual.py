"""Manual pages and completions, from what the program prints about itself.

`headroom --experimental-dump-help` is the description of swift-argument-parser: commands, options and their help as JSON.
"""
import json
import os
import pathlib
import re
import subprocess

# The names of the files that the shells look for.
COMPLETIONS = {"bash": "headroom", "zsh": "_headroom", "fish": "headroom.fish"}


def write_completions(program, folder):
    """Writes the completions for each shell into a folder; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for shell, name in COMPLETIONS.items():
        files.append(folder / name)
        # A completion is read by the shell and not run.
        files[-1].write_text(printed(program, "--generate-completion-script", shell).removeprefix("#!/bin/bash\n"))
    return files


def write_pages(program, folder, version):
    """Writes headroom.1 and a page for each command into a folder; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    root = json.loads(printed(program, "--experimental-dump-help"))["command"]
    commands = [each for each in root["subcommands"] if each["commandName"] != "help" and each.get("shouldDisplay", True)]
    pages = [(["headroom"], root)] + [(["headroom", each["commandName"]], each) for each in commands]
    files = []
    for words, command in pages:
        others = ["-".join(other) for other, _ in pages if other != words] if len(words) == 1 else ["headroom"]
        files.append(folder / f"{'-'.join(words)}.1")
        files[-1].write_text(page(words, command, version, others))
    return files


def printed(program, *arguments):
    # Completions of file names depend on nothing of the environment.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HEADROOM_")}
    return subprocess.run([str(program), *arguments], check=True, capture_output=True, text=True, env=environment).stdout


def page(words, command, version, others):
    """The manual page of one command, in man(7)."""
    name = "-".join(words)
    arguments = [each for each in command.get("arguments", []) if each.get("shouldDisplay", True)]
    lines = [
        f'.TH "{name.upper()}" "1" "" "Headroom {version}" "User Commands"',
        ".SH NAME", rf"{escaped(name)} \- {escaped(command['abstract'].rstrip('.'))}",
        ".SH SYNOPSIS", *synopsis(words, command, arguments),
        ".SH DESCRIPTION", escaped(command["abstract"]), *prose(command.get("discussion", "")),
    ]
    section = None
    titles = ["", *(each["sectionTitle"] for each in arguments if each.get("sectionTitle"))]
    order = {title: number for number, title in reversed(list(enumerate(titles)))}
    for argument in sorted(arguments, key=lambda each: (order[each.get("sectionTitle") or ""], each["kind"] != "positional")):
        title = argument.get("sectionTitle") or ""
        if title != section:
            section = title
            lines += [".SH OPTIONS"] if not any(line == ".SH OPTIONS" for line in lines) else []
            lines += [f'.SS "{escaped(title)}"'] if title else []
        lines += entry(argument)
    if len(words) == 1:
        lines.append(".SH COMMANDS")
        for each in command["subcommands"]:
            if each["commandName"] != "help":
                lines += [".TP", rf"\fB{escaped('headroom ' + each['commandName'])}\fR", escaped(each["abstract"])]
    lines += [".SH SEE ALSO", ",\n".join(rf"\fB{escaped(other)}\fR(1)" for other in others)]
    return "\n".join(lines) + "\n"


def synopsis(words, command, arguments):
    parts = [rf"\fB{escaped(' '.join(words))}\fR"]
    if command.get("subcommands"):
        parts.append(r"\fIcommand\fR")
    if any(each["kind"] != "positional" for each in arguments):
        parts.append(r"[\fIoptions\fR]")
    for each in arguments:
        if each["kind"] == "positional":
            text = rf"\fI{escaped(each['valueName'])}\fR" + (" ..." if each.get("isRepeating") else "")
            parts.append(f"[{text}]" if each.get("isOptional") else text)
    return [" ".join(parts)]


def entry(argument):
    """One option, with its names and its help."""
    if argument["kind"] == "positional":
        title = rf"\fI{escaped(argument['valueName'])}\fR"
    else:
        names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument["names"]]
        title = ", ".join(rf"\fB{escaped(name)}\fR" for name in names)
        if argument["kind"] == "option":
            title += rf" \fI{escaped(argument.get('valueName') or 'value')}\fR"
    text = escaped(argument.get("abstract") or "")
    if argument.get("defaultValue") and argument["kind"] == "option":
        text += rf" (default: {escaped(argument['defaultValue'])})"
    return [".TP", title, text, *(prose(argument["discussion"]) if argument.get("discussion") else [])]


def prose(text):
    """The discussion of a command: headings in capitals, indented lines as they are, and paragraphs."""
    lines, literal = [], False
    for line in text.splitlines():
        indented = line.startswith("  ") and line.strip()
        if bool(indented) != literal:
            lines.append(".EX" if indented else ".EE")
            literal = bool(indented)
        if indented:
            lines.append(escaped(line))
        elif re.fullmatch(r"[A-Z][A-Z ]+:?", line.strip()):
            lines.append(f".SH {line.strip().rstrip(':')}")
        else:
            lines.append(escaped(line.strip()) if line.strip() else ".PP")
    if literal:
        lines.append(".EE")
    # A paragraph before a heading or at an end has no text.
    kept = [line for each, line in enumerate(lines)
            if line != ".PP" or (each + 1 < len(lines) and not lines[each + 1].startswith((".SH", ".PP")))]
    return ([".PP"] if kept and not kept[0].startswith(".") else []) + kept


def escaped(text):
    """Text of which roff understands nothing as its own."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga").replace("\n", " ")
    return r"\&" + text if text.startswith(".") else text


def check(files):
    """Raises an error if a page has something that man warns of."""
    for file in files:
        done = subprocess.run(["man", "--warnings", "--encoding=utf8", "--local-file", str(file)], capture_output=True, text=True,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"})
        warnings = "\n".join(line for line in done.stderr.splitlines() if line.strip())
        if done.returncode or warnings or "NAME" not in done.stdout:
            raise AssertionError(f"{pathlib.Path(file).name}: {warnings or done.stdout[:200]}")

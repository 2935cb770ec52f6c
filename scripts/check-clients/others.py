"""Runs common HTTP clients. Each client sends an image or its URL in every form that a POST accepts."""
import importlib.util
import pathlib
import shutil
import subprocess
import sys

from report import check

FOLDER = pathlib.Path(__file__).resolve().parent / "languages"

# The command of each client, without its arguments; the first word is the program.
CLIENTS: dict[str, list] = {
    "curl": ["sh", FOLDER / "requests.sh"],
    "node, fetch": ["node", FOLDER / "Requests.mjs"],
    "Go, net/http": ["go", "run", FOLDER / "requests.go"],
    "Java, HttpClient": ["java", FOLDER / "Requests.java"],
    "PHP, curl": ["php", FOLDER / "requests.php"],
    "Ruby, net/http": ["ruby", FOLDER / "requests.rb"],
}
LIBRARIES = ["requests", "httpx"]
# The additional component that a program needs, and a command that fails without this component.
PARTS = {"sh": ("curl", ["curl", "--version"]), "php": ("its extension curl", ["php", "-r", "curl_version();"])}


def check_client(name, command, arguments):
    """Runs a client; all of its requests must return an image."""
    done = subprocess.run([str(word) for word in [*command, *arguments]], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=120)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    wrong = [" ".join(row) for row in rows if len(row) != 3 or row[1] != "200" or not row[2].startswith("image/")]
    holds = done.returncode == 0 and len(rows) >= 5 and not wrong
    check(name, holds, f"{len(rows)} requests" if holds else "; ".join(wrong) or done.stdout)


def missing(program):
    """Returns the missing program or component of a client; None if nothing is missing."""
    if not shutil.which(program):
        return program
    if program not in PARTS:
        return None
    part, tried = PARTS[program]
    try:
        return part if subprocess.run(tried, check=False, capture_output=True).returncode else None
    except FileNotFoundError:
        return part


def check_others(service, image, source):
    """Runs every installed client, and reports the others as skipped."""
    arguments = [service, image, source]
    for name, command in CLIENTS.items():
        absent = missing(command[0])
        if absent:
            print(f"skipped {name}: {absent} is not installed")
        else:
            check_client(name, command, arguments)
    for library in LIBRARIES:
        if importlib.util.find_spec(library):
            check_client(f"Python, {library}", [sys.executable, "-B", FOLDER / "requests_library.py", library], arguments)
        else:
            print(f"skipped Python, {library}: the package is not installed")

"""Checks the release workflow without running it, and the scripts that it runs: `make check-release`.

- actionlint and zizmor report no problems.
- Every action is pinned by a commit, and by the same commit everywhere.
- The make targets that the workflow calls exist.
- The release notes come from CHANGELOG.md, and a tag with another version is rejected.
- The bill of materials is valid SPDX and lists all linked libraries.

Steps that only GitHub can run (building there, signing and publishing) are not checked.
"""
import json
import pathlib
import re
import subprocess
import sys

import yaml
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts/lib"))
import bundle
import report

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
TOOLS = pathlib.Path(sys.executable).parent


def linted():
    for tool, *options in (("actionlint",), ("zizmor", "--offline", "--quiet")):
        report.output(TOOLS / tool, *options, *WORKFLOWS, cwd=ROOT)
    return ", ".join(file.name for file in WORKFLOWS)


def pinned():
    commits = {}
    for line in (line for file in WORKFLOWS for line in file.read_text().splitlines() if "uses:" in line):
        found = re.search(r"uses: ([\w./-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)$", line)
        assert found, f"not pinned by a commit with its version: {line.strip()}"
        assert commits.setdefault(found[1], found[2]) == found[2], f"pinned by two commits: {found[1]}"
    return f"{len(commits)} actions"


def called_by(job):
    """Yields the make targets that a job calls, for each value of its matrix."""
    matrix = job.get("strategy", {}).get("matrix", {})
    commands = "\n".join(step.get("run", "") for step in job["steps"])
    for words in re.findall(r"^make (.*)$", commands, re.MULTILINE):
        yield from re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda found: " ".join(matrix[found[1]]), words).split()


def made():
    """Checks that the Makefile has the targets that a workflow calls."""
    targets = set(re.findall(r"^([a-z][a-z0-9-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    jobs = [job for file in WORKFLOWS for job in yaml.safe_load(file.read_text())["jobs"].values()]
    called = {target for job in jobs for target in called_by(job)}
    assert called and called <= targets, f"the Makefile lacks {called - targets}"
    return f"make {' '.join(sorted(called))}"


def noted():
    def notes(which):
        return subprocess.run([sys.executable, ROOT / "scripts/release-notes.py", which], check=False, capture_output=True, text=True)
    unreleased, other, own = notes("--unreleased"), notes("v99.0.0"), notes(f"v{bundle.version()}")
    assert unreleased.returncode == 0 and "### " in unreleased.stdout, unreleased.stderr
    assert other.returncode != 0 and f"has {bundle.version()}" in other.stderr, other.stderr
    said = own.stdout.splitlines()[0] if own.returncode == 0 else own.stderr.strip()
    # The section does not exist before the release, but the versions must always agree.
    assert own.returncode == 0 or said.endswith(f"no section {bundle.version()}"), said
    return f"{len(unreleased.stdout.splitlines())} lines; v{bundle.version()}: {said}"


def listed():
    output = ROOT / ".build/headroom.spdx.json"
    report.output(sys.executable, "-B", ROOT / "scripts/build-sbom", "--output", output)
    messages = validate_full_spdx_document(parse_file(str(output)))
    assert not messages, "\n".join(message.validation_message for message in messages)
    names = {package["name"] for package in json.loads(output.read_text())["packages"]}
    linked = {bundle.owner(path) for path in bundle.linked(ROOT / ".build/release/headroom").values()}
    needed = linked | {"swift-argument-parser", "swift", "yunet"}
    assert needed <= names, f"not listed: {needed - names}"
    return f"SPDX 2.3, {len(names)} packages"


report.each({
    "actionlint and zizmor report no problems": linted,
    "every action is pinned by its commit": pinned,
    "the targets that it calls exist": made,
    "notes come from CHANGELOG.md": noted,
    "the bill of materials is valid and complete": listed,
})
report.end()

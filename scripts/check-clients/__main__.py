#!/usr/bin/env python3
"""Builds and tests the clients in Clients, against a real service: `make check-clients`.

    scripts/check-clients [--headroom .build/release/headroom]

Starts two services and an origin of pictures on free ports of this host; one of the services requires credentials.
Prints a line for each step, and exits 1 if one fails.
"""
import argparse
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import service  # noqa: E402

ROOT = service.ROOT
PYTHON = ROOT / "Clients" / "python"
JAVASCRIPT = ROOT / "Clients" / "javascript"
WORK = ROOT / ".build" / "clients-check"
TOOLS = pathlib.Path(sys.executable).parent

# With a plain `pip install` of the wheel: the client needs no other package, and the error names the one that AsyncClient needs.
ALONE = """
import importlib.metadata, pathlib, sys
import headroom
assert headroom.__version__ == importlib.metadata.version("headroom-client")
with headroom.Client(sys.argv[1]) as client:
    assert client.frame(pathlib.Path(sys.argv[2]), aspect="1:1").faces == 3
try:
    import headroom.aio
except ImportError as error:
    assert "headroom-client[async]" in str(error), error
else:
    raise SystemExit("httpx is installed: this is no plain installation")
"""

# Types that mypy finds in the installed package only with its py.typed.
TYPED = """
from headroom import Client
width: int = Client("http://localhost:8080").plan(b"", aspect="1:1").crops[0].crop.width
"""


class Steps:
    """The steps and whether they succeeded."""

    def __init__(self, environment):
        self.environment, self.failed = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}, []

    def run(self, name, *command, folder=ROOT):
        done = subprocess.run([str(each) for each in command], cwd=folder, env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            self.failed.append(name)
            print(done.stdout)
        # The summary at the end of the output.
        summary = re.findall(r"^ℹ (?:pass|fail|skipped) \d+$", done.stdout, re.M) or done.stdout.strip().splitlines()[-1:]
        summary = " ".join(line.lstrip("ℹ ") for line in summary)
        print(f"{'FAILED' if done.returncode else 'ok    '} {name}{summary and ': '}{summary}", flush=True)
        return done.returncode == 0


def check_python(steps, address):
    """Builds sdist and wheel, installs the wheel by itself, and tests it."""
    dist, plain = WORK / "dist", WORK / "plain"
    shutil.rmtree(dist, ignore_errors=True)
    # The wheel is built from the sdist, so that the sdist is complete.
    if not steps.run("Python: build", TOOLS / "python", "-m", "build", "--no-isolation", "--outdir", dist, PYTHON):
        return
    wheel, = dist.glob("*.whl")
    steps.run("Python: a new environment", sys.executable, "-m", "venv", "--clear", plain)
    steps.run("Python: install", plain / "bin/pip", "install", "--quiet", "--no-index", wheel)
    steps.run("Python: the client alone", plain / "bin/python", "-c", ALONE, address, service.PICTURES / "scene.jpg",
              folder=WORK)
    steps.run("Python: types of the installed package", TOOLS / "mypy", "--strict", "--cache-dir", WORK / "mypy-plain",
              "--python-executable", plain / "bin/python", "-c", TYPED, folder=WORK)
    steps.run("Python: install for the tests", TOOLS / "pip", "install", "--quiet", "--force-reinstall", "--no-deps", wheel)
    steps.run("Python: ruff check", TOOLS / "ruff", "check", "--no-cache", folder=PYTHON)
    steps.run("Python: ruff format", TOOLS / "ruff", "format", "--no-cache", "--check", folder=PYTHON)
    steps.run("Python: mypy", TOOLS / "mypy", "--cache-dir", WORK / "mypy", folder=PYTHON)
    steps.run("Python: tests", TOOLS / "python", "-m", "pytest", "--quiet", folder=PYTHON)


def check_javascript(steps):
    """Tests the module with node, and its types with TypeScript."""
    # The flag is for Node.js 18, which has WebCrypto only with it.
    tests = sorted((JAVASCRIPT / "test").glob("*.test.js"))
    steps.run("JavaScript: tests", "node", "--experimental-global-webcrypto", "--test", "--test-reporter=spec", *tests,
              folder=JAVASCRIPT)
    steps.run("JavaScript: types", "tsc", "--project", "test", folder=JAVASCRIPT)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    parser.add_argument("--only", choices=["python", "javascript"])
    options = parser.parse_args()

    WORK.mkdir(parents=True, exist_ok=True)
    description = WORK / "openapi.json"
    description.write_text(json.dumps(yaml.safe_load((ROOT / "openapi.yaml").read_text(encoding="utf-8"))))
    key, bearer = secrets.token_hex(32), secrets.token_hex(32)
    started = service.Service(options.headroom, "--allow-private-sources")
    signed = service.Service(options.headroom, "--allow-private-sources",
                             HEADROOM_SIGNING_KEYS=key, HEADROOM_BEARER_SECRETS=bearer)
    address = f"http://127.0.0.1:{started.port}"
    steps = Steps({
        "HEADROOM_URL": address, "HEADROOM_SIGNED_URL": f"http://127.0.0.1:{signed.port}", "HEADROOM_SIGNING_KEY": key,
        "HEADROOM_BEARER": bearer, "HEADROOM_ORIGIN": service.origin(), "HEADROOM_OPENAPI": str(description),
        "HEADROOM_PROGRAM": str(pathlib.Path(options.headroom).resolve()),
    })
    try:
        if options.only != "javascript":
            check_python(steps, address)
        if options.only != "python":
            check_javascript(steps)
    finally:
        stopped = [started.stop(), signed.stop()]
    if steps.failed:
        print(f"check-clients: {len(steps.failed)} failed: {', '.join(steps.failed)}")
    sys.exit(1 if steps.failed or any(stopped) else 0)


main()

"""Builds and tests the clients in Clients, and runs other HTTP clients, against a real service: `make check-clients`.

    scripts/check-clients [--headroom .build/release/headroom]

Starts two services and an image origin on free ports of this host; one of the services requires credentials.
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
import service
from others import check_others
from report import check, end

ROOT = service.ROOT
PYTHON = ROOT / "Clients" / "python"
JAVASCRIPT = ROOT / "Clients" / "javascript"
WORK = ROOT / ".build" / "clients-check"
TOOLS = pathlib.Path(sys.executable).parent

# After a plain `pip install` of the wheel, the client works without any other package, and the error of AsyncClient
# names the package that it needs.
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
    raise SystemExit("httpx is installed, so this is not a plain installation")
"""

# mypy finds these types in the installed package only if it contains py.typed.
TYPED = """
from headroom import Client
width: int = Client("http://localhost:8080").plan(b"", aspect="1:1").crops[0].crop.width
"""


ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


def step(name, *command, folder=ROOT):
    """Runs a program; returns whether it succeeds."""
    done = subprocess.run([str(each) for each in command], check=False, cwd=folder, env=ENVIRONMENT,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(done.stdout)
    # The summary is at the end of the output.
    summary = re.findall(r"^ℹ (?:pass|fail|skipped) \d+$", done.stdout, re.MULTILINE) or done.stdout.strip().splitlines()[-1:]
    check(name, done.returncode == 0, " ".join(line.lstrip("ℹ ") for line in summary))
    return done.returncode == 0


def check_python(address):
    """Builds sdist and wheel, installs only the wheel, and tests it."""
    dist, plain = WORK / "dist", WORK / "plain"
    shutil.rmtree(dist, ignore_errors=True)
    # The wheel is built from the sdist, which proves that the sdist is complete.
    if not step("Python: build", TOOLS / "python", "-m", "build", "--no-isolation", "--outdir", dist, PYTHON):
        return
    wheel, = dist.glob("*.whl")
    step("Python: a new environment", sys.executable, "-m", "venv", "--clear", plain)
    step("Python: install", plain / "bin/pip", "install", "--quiet", "--no-index", wheel)
    step("Python: the client without other packages", plain / "bin/python", "-c", ALONE, address, service.IMAGES / "scene.jpg", folder=WORK)
    step("Python: types of the installed package", TOOLS / "mypy", "--strict", "--cache-dir", WORK / "mypy-plain",
              "--python-executable", plain / "bin/python", "-c", TYPED, folder=WORK)
    step("Python: install for the tests", TOOLS / "pip", "install", "--quiet", "--force-reinstall", "--no-deps", wheel)
    step("Python: ruff check", TOOLS / "ruff", "check", "--no-cache", folder=PYTHON)
    step("Python: ruff format", TOOLS / "ruff", "format", "--no-cache", "--check", folder=PYTHON)
    step("Python: mypy", TOOLS / "mypy", "--cache-dir", WORK / "mypy", folder=PYTHON)
    step("Python: tests", TOOLS / "python", "-m", "pytest", "--quiet", folder=PYTHON)


def check_javascript():
    """Tests the module with node, and its types with TypeScript."""
    # Node.js 18 has WebCrypto only with this flag.
    tests = sorted((JAVASCRIPT / "test").glob("*.test.js"))
    step("JavaScript: tests", "node", "--experimental-global-webcrypto", "--test", "--test-reporter=spec", *tests,
              folder=JAVASCRIPT)
    step("JavaScript: types", "tsc", "--project", "test", folder=JAVASCRIPT)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    parser.add_argument("--only", choices=["python", "javascript", "others"])
    options = parser.parse_args()

    WORK.mkdir(parents=True, exist_ok=True)
    description = WORK / "openapi.json"
    description.write_text(json.dumps(yaml.safe_load((ROOT / "openapi.yaml").read_text(encoding="utf-8"))))
    key, bearer = secrets.token_hex(32), secrets.token_hex(32)
    started = service.Service(options.headroom, "--allow-private-sources")
    signed = service.Service(options.headroom, "--allow-private-sources",
                             HEADROOM_SIGNING_KEYS=key, HEADROOM_BEARER_SECRETS=bearer)
    ENVIRONMENT.update({
        "HEADROOM_URL": started.base, "HEADROOM_SIGNED_URL": signed.base, "HEADROOM_SIGNING_KEY": key,
        "HEADROOM_BEARER": bearer, "HEADROOM_ORIGIN": service.origin(), "HEADROOM_OPENAPI": str(description),
        "HEADROOM_PROGRAM": str(pathlib.Path(options.headroom).resolve()),
    })
    with started, signed:
        if options.only in (None, "python"):
            check_python(started.base)
        if options.only in (None, "javascript"):
            check_javascript()
        if options.only in (None, "others"):
            image = service.IMAGES / "scene.jpg"
            check_others(started.base, image, f"{ENVIRONMENT['HEADROOM_ORIGIN']}/{image.name}")
    check("the services exit with status 0", started.process.returncode == signed.process.returncode == 0)
    end()


main()

"""Sends requests that openapi.yaml allows and forbids, and validates the responses, with schemathesis.

Before that, generators.py creates clients from openapi.yaml with two generators, and sends requests with these clients.
Then examples.py sends the examples of each operation together.

    make check-openapi [OPENAPI_SEED=1]

Starts `headroom serve` and an image origin on free ports of this host; it contacts no other host. Exits 1 if schemathesis finds
a difference.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import examples
import generators
import service

# The time limit in minutes.
MINUTES = 6
SECRET = "0123456789abcdef0123456789abcdef"


def statuses(tried):
    """Returns the number of responses by status, from the service's metrics."""
    counts = collections.Counter()
    text = tried.ask("/metrics")[2].decode()
    for status, count in re.findall(r'^headroom_http_requests_total\{.*status="(\d+)".*\} (\d+)', text, re.MULTILINE):
        counts[status] += int(count)
    return "  ".join(f"{status} {count}" for status, count in sorted(counts.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=60, help="per operation")
    options = parser.parse_args()

    files = {}
    origin = service.origin_of(files)
    path = service.ROOT / ".build/openapi-check/reports"
    path.mkdir(parents=True, exist_ok=True)
    # The preset in the examples of the description, with parameters that all routes accept.
    presets = path / "presets.yaml"
    presets.write_text("avatar:\n  accuracy: high\n")
    secrets = path / "purge-secrets"
    secrets.write_text(SECRET + "\n")
    # Small limits, so that they are reached quickly.
    tried = service.Service(
        service.EXECUTABLE, "--allow-private-sources", "--allow-hosts", origin.removeprefix("http://"),
        "--max-body-bytes", "100000",
        "--max-pixels", "2000000", "--max-memory", "512", "--job-timeout", "10", "--presets", str(presets), "--purge-secrets-file", str(secrets))
    try:
        # Three people, small enough for thousands of requests.
        image = tried.ask("/frame?aspect=16:9&width=320", (service.IMAGES / "scene.jpg").read_bytes())[2]
        files["image.jpg"] = image
        (path / "image.jpg").write_bytes(image)
        with tempfile.TemporaryDirectory() as folder:
            generators.check(service.ROOT / "openapi.yaml", pathlib.Path(folder), tried.base, image)
        # The names in the examples.
        files["team.jpg"] = files["studio.jpg"] = image
        sent = examples.check(
            service.ROOT / "openapi.yaml", tried, image, origin, {"/purge": {"Authorization": f"Bearer {SECRET}"}})
        print(f"ok      the examples of openapi.yaml: {sent} requests were accepted", flush=True)
        environment = {
            **os.environ, "HEADROOM_TRIED_IMAGE": str(path / "image.jpg"),
            "HEADROOM_TRIED_URL": f"{origin}/image.jpg", "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(path / "hypothesis"),
        }
        run = subprocess.run(
            [pathlib.Path(sys.executable).parent / "schemathesis", "--config-file", HERE / "schemathesis.toml", "run",
             service.ROOT / "openapi.yaml", "--url", tried.base, "--seed", str(options.seed),
             "--max-examples", str(options.examples), "--report-dir", path],
            # The folder with the hooks.
            check=False, cwd=HERE, env=environment, timeout=MINUTES * 60)
        code = run.returncode
    except AssertionError as reason:
        print(f"FAILED  {reason}", file=sys.stderr)
        code = 1
    except subprocess.TimeoutExpired:
        print(f"schemathesis did not end within {MINUTES} minutes", file=sys.stderr)
        code = 1
    finally:
        print("responses by status: " + statuses(tried))
        stopped = tried.stop()
    sys.exit(code or stopped)


main()

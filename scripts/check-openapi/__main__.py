#!/usr/bin/env python3
"""Sends requests that openapi.yaml allows and forbids, and validates the responses, with schemathesis.

Before, two generators make clients from openapi.yaml, and the clients are used: generators.py.

    make check-openapi [SEED=1] [EXAMPLES=60] [MINUTES=6]

Starts `headroom serve` and an origin of pictures on free ports of this host; no other host is contacted. Exits 1 if
schemathesis finds a difference.
"""
import argparse
import collections
import functools
import http.server
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import generators  # noqa: E402
import service  # noqa: E402


class Origin(http.server.BaseHTTPRequestHandler):
    """An origin with one picture."""

    def __init__(self, picture, *rest):
        self.picture = picture
        super().__init__(*rest)

    def do_GET(self):
        found = self.path.startswith("/picture.jpg")
        self.send_response(200 if found else 404)
        self.send_header("Content-Length", str(len(self.picture) if found else 0))
        self.end_headers()
        self.wfile.write(self.picture if found else b"")

    def log_message(self, *_):
        pass


def small_picture(port):
    """A picture of three people, small enough for thousands of requests."""
    scene = (service.PICTURES / "scene.jpg").read_bytes()
    return urllib.request.urlopen(f"http://127.0.0.1:{port}/frame?aspect=16:9&width=320", scene).read()


def statuses(port):
    """The number of responses by status, from the service's metrics."""
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    counts = collections.Counter()
    for status, count in re.findall(r'^headroom_http_requests_total\{.*status="(\d+)".*\} (\d+)', text, re.M):
        counts[status] += int(count)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=60, help="per operation")
    parser.add_argument("--minutes", type=float, default=6, help="time limit")
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    parser.add_argument("--reports", default=service.ROOT / ".build/openapi-check/reports")
    options, rest = parser.parse_known_args()

    origin = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Origin, b""))
    host = f"127.0.0.1:{origin.server_port}"
    path = pathlib.Path(options.reports)
    path.mkdir(parents=True, exist_ok=True)
    # The preset of the description's examples, with what all routes take.
    presets = path / "presets.yaml"
    presets.write_text("avatar:\n  accuracy: high\n")
    # Small limits, so that they are reached quickly.
    tried = service.Service(
        options.headroom, "--allow-private-sources", "--allow-hosts", host, "--max-body-bytes", "100000",
        "--max-pixels", "2000000", "--max-memory", "128", "--job-timeout", "10", "--presets", str(presets))
    try:
        picture = small_picture(tried.port)
        origin.RequestHandlerClass = functools.partial(Origin, picture)
        threading.Thread(target=origin.serve_forever, daemon=True).start()
        (path / "picture.jpg").write_bytes(picture)
        with tempfile.TemporaryDirectory() as folder:
            generators.check(service.ROOT / "openapi.yaml", pathlib.Path(folder), f"http://127.0.0.1:{tried.port}", picture)
        environment = {
            **os.environ, "HEADROOM_TRIED_PICTURE": str(path / "picture.jpg"),
            "HEADROOM_TRIED_URL": f"http://{host}/picture.jpg", "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(path / "hypothesis"),
        }
        run = subprocess.run(
            [pathlib.Path(sys.executable).parent / "schemathesis", "--config-file", HERE / "schemathesis.toml", "run",
             service.ROOT / "openapi.yaml", "--url", f"http://127.0.0.1:{tried.port}", "--seed", str(options.seed),
             "--max-examples", str(options.examples), "--report-dir", path, *rest],
            # The folder of the hooks.
            cwd=HERE, env=environment, timeout=options.minutes * 60)
        code = run.returncode
    except AssertionError as reason:
        print(f"FAILED  {reason}", file=sys.stderr)
        code = 1
    except subprocess.TimeoutExpired:
        print(f"schemathesis did not end within {options.minutes:g} minutes", file=sys.stderr)
        code = 1
    finally:
        print("responses by status: " + "  ".join(f"{status} {count}" for status, count in sorted(statuses(tried.port).items())))
        stopped = tried.stop()
    sys.exit(code or stopped)


main()

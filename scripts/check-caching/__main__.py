#!/usr/bin/env python3
"""Sends the requests of the table in docs/caching.md to a running service with curl, and compares the responses with it.

    scripts/check-caching [PROGRAM]      the default program is .build/release/headroom

CachingTableTests reads the same table with a failing detector as well; its rows are skipped here. Exits 1 if a row does
not match. Needs curl.
"""
import contextlib
import hashlib
import http.server
import os
import pathlib
import re
import subprocess
import sys
import threading
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import service  # noqa: E402

KEY, SECRET = "6b" * 32, "a-secret-of-more-than-thirty-two-characters"
# A signature's lifetime is in whole seconds, some of which pass during the request.
SECONDS_LATE = 5
# Not at the origin: a port without a listener, and a name that does not resolve.
ELSEWHERE = {"down": "http://127.0.0.1:1/a.jpg", "nameless": "http://name.invalid/a.jpg"}


class Origin(http.server.BaseHTTPRequestHandler):
    """The values that the words of the table stand for."""

    ANSWERS = {
        "/picture": (200, None), "/nobody": (200, None), "/short": (200, "Max-Age=600, x=1"),
        "/secret": (200, "private, no-store"), "/absent": (404, None), "/gone": (410, None), "/failing": (500, None),
        "/refusing": (403, None),
    }
    ended = threading.Event()

    def do_GET(self):
        if self.path == "/silent":
            self.ended.wait(60)
            return
        status, caching = self.ANSWERS[self.path]
        file = service.PICTURES / ("nobody.jpg" if self.path == "/nobody" else "scene.jpg")
        body = file.read_bytes() if status == 200 else b""
        self.send_response(status)
        if caching:
            self.send_header("Cache-Control", caching)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def rows():
    """Each row's cells: request, conditions, status, and the five headers."""
    text = (service.ROOT / "docs" / "caching.md").read_text()
    words = dict(re.findall(r"^- (day|year): `(.*)`$", text, re.M))
    for line in re.findall(r"^\| `(?:GET|HEAD|POST) .*$", text, re.M):
        cells = [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        cells[3] = words.get(cells[3], cells[3])
        yield cells[0], [word for word in cells[1].split("; ") if word], cells[2:]


def curl(method, url, headers):
    """Status and header fields of a response; names in lower case."""
    command = ["curl", "--silent", "--show-error", "--max-time", "30", "--output", "/dev/null", "--dump-header", "-"]
    command += {"HEAD": ["--head"], "POST": ["--data-binary", f"@{service.PICTURES / 'scene.jpg'}"]}.get(method, [])
    if method == "POST":
        headers = [*headers, "Content-Type: image/jpeg"]
    for header in headers:
        command += ["--header", header]
    head = subprocess.run([*command, url], check=True, capture_output=True, text=True).stdout
    # The final head follows a 100 Continue.
    first, *fields = head.strip().split("\r\n\r\n")[-1].splitlines()
    return int(first.split()[1]), {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in fields)}


def signed(program, target, seconds):
    command = [program, "sign", target] + (["--expires-in", f"{seconds}s"] if seconds else [])
    run = subprocess.run(command, env={**os.environ, "HEADROOM_SIGNING_KEYS": KEY}, check=True, capture_output=True, text=True)
    return run.stdout.strip()


def kind(tag):
    return "none" if tag is None else "weak" if tag.startswith("W/") else "strong"


def lifetimes(value, is_signed):
    """The accepted values of Cache-Control."""
    age = re.search(r"max-age=(\d+)", value)
    if not is_signed or not age:
        return {value}
    return {value.replace(age.group(), f"max-age={int(age.group(1)) - late}") for late in range(SECONDS_LATE + 1)}


def check(program, base, origin, request, conditions, expected):
    """The differences of the response to a row's request; empty if there are none."""
    method, target = request.split(" ")
    word = re.search(r"url=([A-Z]+)", target)
    name = "nobody" if "no faces" in conditions else word.group(1).lower() if word else ""
    address = ELSEWHERE.get(name, f"{origin}/{name}") if word else ""
    if word:
        target = target.replace(word.group(), "url=" + urllib.parse.quote(address, safe=""))
    signature = next((words for words in conditions if words.startswith("a signature")), None)
    if signature:
        seconds = re.search(r"\d+", signature)
        target = signed(program, target, int(seconds.group()) if seconds else None)
    headers = [f"Authorization: Bearer {SECRET}"] if "a bearer secret" in conditions else []
    headers += [words for words in conditions if words.startswith(("Save-Data: ", "Sec-CH-"))]
    for condition in (words for words in conditions if words.startswith("If-None-Match")):
        if "TAG" in condition:
            condition = condition.replace("TAG", curl("GET", base + target, headers)[1]["etag"])
        headers.append(condition)
    status, fields = curl(method, base + target, headers)
    host = urllib.parse.urlsplit(address).hostname
    digest = hashlib.sha256(address.encode()).hexdigest()[:16]
    wanted = {
        "status": ({int(expected[0])}, status),
        "Cache-Control": (lifetimes(expected[1], signature), fields.get("cache-control")),
        "Vary": ({expected[2]}, fields.get("vary", "none")),
        "ETag": ({expected[3]}, kind(fields.get("etag"))),
        "Cache-Tag": ({f"source-{digest},host-{host}" if expected[4] == "yes" else None}, fields.get("cache-tag")),
        "Link": ({f'<{address}>; rel="canonical"' if expected[5] == "yes" else None}, fields.get("link")),
    }
    return [f"{name} {is_}, not {sorted(map(str, right))[0]}" for name, (right, is_) in wanted.items() if is_ not in right]


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(service.EXECUTABLE)
    origin = service.origin(Origin)
    checked, left_out, wrong = 0, 0, 0
    with contextlib.ExitStack() as running:
        def start(*options, **variables):
            options = ["--allow-private-sources", "--fetch-timeout", "1", *options]
            return running.enter_context(service.Service(program, *options, **variables)).base

        services = {
            None: start(),
            "--cache-control origin": start("--cache-control", "origin"),
            "a signature": start(HEADROOM_SIGNING_KEYS=KEY),
            "a bearer secret": start(HEADROOM_BEARER_SECRETS=SECRET),
        }
        for request, conditions, expected in rows():
            if "a broken detector" in conditions:
                left_out += 1
                continue
            setting = next((name for name in services for words in conditions if name and words.startswith(name)), None)
            problems = check(program, services[setting], origin, request, conditions, expected)
            checked += 1
            wrong += bool(problems)
            print("wrong " if problems else "ok    ", request, *conditions, *(f"\n         {text}" for text in problems))
    Origin.ended.set()
    print(f"{checked} rows by curl, {wrong} wrong; {left_out} need a detector that fails, which only the tests have")
    sys.exit(1 if wrong or not checked else 0)


if __name__ == "__main__":
    main()

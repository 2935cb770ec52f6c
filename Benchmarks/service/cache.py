"""Measures cached outputs and 304 responses of Headroom, alternately with nginx, which serves the same bytes as a file.

The last rows measure both servers with an access log, and Headroom with signed requests. At half load, requests arrive
at half the maximum rate of the slower server, independent of the responses.
"""

import contextlib
import functools
import pathlib
import secrets
import subprocess
import sys
import tempfile
import typing
import urllib.parse
import urllib.request

import contenders
import load
import origin
import page

SECONDS = 3.0
# The widths of the crops, in pixels.
WIDTHS = [100, 400, 1200]
# The machine of the tables gives Headroom two socket threads, so nginx gets two workers.
NGINX: dict[str, typing.Any] = {"workers": 2, "cache_control": "max-age=3600"}
HEAD = [
    "response", "Headroom, a second", "nginx, a second", "Headroom ÷ nginx", "p99", "p99 of nginx", "p99 at half load",
    "p99 of nginx at half load",
]


def measure(headroom, image, rounds, generator):
    """Returns a table with a row for each response size; `generator` is Benchmarks/OpenLoop."""
    rows = []
    with contextlib.ExitStack() as running:
        folder = pathlib.Path(running.enter_context(tempfile.TemporaryDirectory()))
        for name in ("run", "logged"):
            (folder / name).mkdir()
        (folder / "source.jpg").write_bytes(image.read_bytes())

        def compare(name, base, path, host, width, conditions):
            """Returns rows of full responses, or of 304 if conditions are requested; nginx serves Headroom's response as a file."""
            with urllib.request.urlopen(base + path) as reply:
                body, tag = reply.read(), reply.headers["ETag"]
            (folder / f"{width}.jpg").write_bytes(body)
            file = f"http://{host}", f"/{width}.jpg"
            with urllib.request.urlopen("".join(file)) as reply:
                tags = tag, reply.headers["ETag"]
            rows.append(_row(f"{len(body):,} bytes{name}", [(base, path), file], [{}, {}], rounds, generator))
            if conditions:
                known = [{"If-None-Match": tag} for tag in tags]
                rows.append(_row(f"304{name}", [(base, path), file], known, rounds, generator))

        host = running.enter_context(origin.nginx(folder, folder / "run", **NGINX))
        server = running.enter_context(contenders.headroom(headroom, caches=[]))
        source = urllib.parse.quote(f"http://{host}/source.jpg", safe="")
        for width in WIDTHS:
            path = f"/frame?url={source}&aspect=1:1&width={width}"
            compare("", server.base, path, host, width, conditions=width == WIDTHS[0])

        key = running.enter_context(tempfile.NamedTemporaryFile("w"))
        key.write(secrets.token_hex(32))
        key.flush()
        signing = ["--signing-keys-file", key.name]
        logged = folder / "logged"
        host = running.enter_context(origin.nginx(folder, logged, access_log=logged / "access.log", **NGINX))
        log = running.enter_context((logged / "headroom.log").open("wb"))
        server = running.enter_context(
            contenders.headroom(headroom, *signing, "--log-level", "info", caches=[], stderr=log))
        command = [headroom, "sign", "/frame", f"url=http://{host}/source.jpg", "aspect=1:1", f"width={WIDTHS[0]}"]
        command += [*signing, "--expires-in", "1h"]
        path = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        compare(", signed, logged", server.base, path, host, WIDTHS[0], conditions=True)
    return page.table(HEAD, rows)


def _row(name, targets, headers, rounds, generator):
    """Measures the speed of Headroom and nginx; each gets conditions made from its response headers."""
    works = {
        program: functools.partial(_send, base, path, fields)
        for program, (base, path), fields in zip(("Headroom", "nginx"), targets, headers)
    }
    ours, theirs = load.in_turn(works, rounds, SECONDS, name).values()
    halves = ["", ""]
    # The generator sends no conditions.
    if not any(headers):
        rate = round(min(load.median(ours, "per_second"), load.median(theirs, "per_second")) / 2)
        late = [
            [load.at_rate(generator, base, [path], rate, SECONDS, "kept") for base, path in targets]
            for _ in range(rounds)
        ]
        if any(one.failures for pair in late for one in pair):
            sys.exit("some requests got no response")
        halves = [f"{load.median(loads, 'p99'):.2f} ms" for loads in zip(*late)]
    return [
        name, f"{load.median(ours, 'per_second'):,.0f}", f"{load.median(theirs, 'per_second'):,.0f}",
        f"{load.ratio(ours, theirs):.2f}", *(f"{load.median(loads, 'p99'):.2f} ms" for loads in (ours, theirs)), *halves,
    ]


def _send(base, path, headers, seconds):
    return load.send(base, [path], connections=32, seconds=seconds, headers=headers)

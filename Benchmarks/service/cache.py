"""Finished pictures that are kept: Headroom and nginx with the same bytes as a file, in turn; and answers 304 of both.

The last rows are of both with an access log, and of signed requests to Headroom. At half load, requests come at half the
rate that the slower of both reached, whatever their answers do.
"""

import contextlib
import json
import pathlib
import secrets
import statistics
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

CONNECTIONS = 32
SECONDS = 3.0
# Of the crops, in pixels across.
WIDTHS = [100, 400, 1200]


def measure(headroom: str, picture: pathlib.Path, rounds: int, generator: pathlib.Path) -> str:
    """A table with a row for each size of the answer; `generator` is that of Benchmarks/OpenLoop."""
    rows = []
    with contextlib.ExitStack() as running:
        folder = pathlib.Path(running.enter_context(tempfile.TemporaryDirectory()))
        (folder / "run").mkdir()
        (folder / "source.jpg").write_bytes(picture.read_bytes())
        # As many workers as Headroom has threads for sockets on the machine of the tables.
        host = running.enter_context(origin.nginx(folder, folder / "run", workers=2, cache_control="max-age=3600"))
        server = running.enter_context(contenders.headroom(headroom, caches=[]))
        source = urllib.parse.quote(f"http://{host}/source.jpg", safe="")
        for width in WIDTHS:
            path = f"/frame?url={source}&aspect=1:1&width={width}"
            body, tag = _get(server.base + path)
            (folder / f"{width}.jpg").write_bytes(body)
            file, file_tag = f"/{width}.jpg", _get(f"http://{host}/{width}.jpg")[1]
            ours, theirs = (server.base, path), (f"http://{host}", file)
            rows.append(_row(f"{len(body):,} bytes", ours, theirs, {}, {}, rounds, generator))
            if width == WIDTHS[0]:
                known, theirs_known = {"If-None-Match": tag}, {"If-None-Match": file_tag}
                rows.append(_row("304", ours, theirs, known, theirs_known, rounds, generator))
        rows += _signed_and_logged(headroom, folder, rounds, running, generator)
    head = [
        "answer", "Headroom, a second", "nginx, a second", "Headroom ÷ nginx", "p99", "p99 of nginx", "p99 at half load",
        "p99 of nginx at half load",
    ]
    return page.table(head, rows)


def _signed_and_logged(
    headroom: str, folder: pathlib.Path, rounds: int, running: contextlib.ExitStack, generator: pathlib.Path
) -> list[list[str]]:
    key = folder.parent / f"{folder.name}.key"
    key.write_text(secrets.token_hex(32))
    running.callback(key.unlink)
    (folder / "logged").mkdir()
    host = running.enter_context(
        origin.nginx(
            folder, folder / "logged", workers=2, cache_control="max-age=3600", access_log=folder / "logged/access.log"
        )
    )
    log = running.enter_context(open(folder / "headroom.log", "wb"))
    options = ["--signing-keys-file", str(key), "--log-level", "info"]
    server = running.enter_context(contenders.headroom(headroom, *options, caches=[], stderr=log))
    parameters = [f"url=http://{host}/source.jpg", "aspect=1:1", f"width={WIDTHS[0]}"]
    command = [headroom, "sign", "/frame", *parameters, "--signing-keys-file", str(key), "--expires-in", "1h"]
    path = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    body, tag = _get(server.base + path)
    file = f"/{WIDTHS[0]}.jpg"
    file_tag = _get(f"http://{host}{file}")[1]
    ours, theirs = (server.base, path), (f"http://{host}", file)
    known, theirs_known = {"If-None-Match": tag}, {"If-None-Match": file_tag}
    return [
        _row(f"{len(body):,} bytes, signed, logged", ours, theirs, {}, {}, rounds, generator),
        _row("304, signed, logged", ours, theirs, known, theirs_known, rounds, generator),
    ]


def _get(url: str) -> tuple[bytes, str]:
    with urllib.request.urlopen(url) as reply:
        return reply.read(), reply.headers["ETag"]


def _row(
    name: str, ours: tuple[str, str], theirs: tuple[str, str], known: dict[str, str], theirs_known: dict[str, str],
    rounds: int, generator: pathlib.Path,
) -> list[str]:
    pairs: list[tuple[load.Load, load.Load]] = []
    for number in range(rounds + 1):
        pair = tuple(
            load.send(base, [path], connections=CONNECTIONS, seconds=SECONDS if number else 1, headers=headers)
            for (base, path), headers in [(ours, known), (theirs, theirs_known)]
        )
        if number:
            pairs.append(typing.cast(tuple[load.Load, load.Load], pair))
            told = ", ".join(f"{result.per_second:,.0f}/s, {result.failures} failures" for result in pair)
            print(f"  {name}: {told}", file=sys.stderr, flush=True)

    def median(values: typing.Iterable[float]) -> float:
        return statistics.median(values)

    # The generator sends no conditions.
    halves = ["", ""]
    if not known:
        rate = min(median(pair[side].per_second for pair in pairs) for side in (0, 1)) / 2
        late = [[_late(generator, *one, rate) for one in (ours, theirs)] for _ in range(rounds)]
        halves = [f"{median(pair[side] for pair in late):.2f} ms" for side in (0, 1)]
    return [
        name, f"{median(a.per_second for a, _ in pairs):,.0f}", f"{median(b.per_second for _, b in pairs):,.0f}",
        f"{median(a.per_second / b.per_second for a, b in pairs):.2f}",
        f"{median(a.p99 for a, _ in pairs):.2f} ms", f"{median(b.p99 for _, b in pairs):.2f} ms", *halves,
    ]


def _late(generator: pathlib.Path, base: str, path: str, rate: float) -> float:
    """The 99th percentile, in milliseconds from when a request was due, at so many requests a second."""
    port = urllib.parse.urlsplit(base).port
    words = [generator, port, "rate", round(rate), SECONDS, "kept", "-", path]
    told = json.loads(subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout)
    if told["good"] != told["sent"]:
        sys.exit(f"{base} answered {told['good']} of {told['sent']} requests: {told['examples']}")
    return told["good_ms"]["p99"]

"""A program that replaces `headroom work`; a test selects its responses.

The last two arguments are a folder, in which it counts its starts, and a mode.
"""

from __future__ import annotations

import json
import os
import pathlib
import signal
import struct
import sys
from typing import Any, Optional


def read() -> Optional[tuple[dict[str, Any], bytes]]:
    lengths = sys.stdin.buffer.read(8)
    if len(lengths) < 8:
        return None
    header, body = struct.unpack(">II", lengths)
    return json.loads(sys.stdin.buffer.read(header)), sys.stdin.buffer.read(body)


def write(header: dict[str, Any], body: bytes = b"") -> None:
    text = json.dumps(header).encode()
    sys.stdout.buffer.write(struct.pack(">II", len(text), len(body)) + text + body)
    sys.stdout.buffer.flush()


def answer(job: dict[str, Any], body: bytes, status: int = 200) -> None:
    headers = {"content-type": "image/png" if status == 200 else "application/problem+json"}
    write({"id": job["id"], "status": status, "headers": headers}, body)


def main(folder: str, mode: str) -> None:
    starts = pathlib.Path(folder) / "starts"
    starts.write_text(starts.read_text() + "x" if starts.exists() else "x")
    start = len(starts.read_text())
    if mode == "exit" or (mode == "exit-later" and start > 1):
        sys.exit("no processor is left")
    if mode == "killed" or (mode == "killed-once" and start == 1):
        os.kill(os.getpid(), signal.SIGKILL)
    assert read() == ({"version": 1}, b"")
    if mode == "version":
        write({"status": 400, "headers": {}}, b"another version")
        sys.exit(2)
    write({"version": 1, "workers": 2, "maxInFlight": 4})
    jobs: list[tuple[dict[str, Any], bytes]] = []
    count = 0
    while received := read():
        job, body = received
        count += 1
        if mode in ("die", "exit-later") and body == b"poison":
            sys.exit(9)
        if mode == "full" and body[:6] == b"poison" and start < 4:
            sys.exit(9)
        if mode == "once" and start == 1 and count == 3:
            # Exits in the middle of a response.
            sys.stdout.buffer.write(b"\0\0\0")
            sys.exit(9)
        if mode == "busy" and count == 1:
            answer(job, b'{"type": "urn:headroom:problem:overloaded"}', 503)
        elif mode == "nameless" and body == b"poison":
            write({"status": 400, "headers": {}})
        elif mode == "reversed":
            jobs.append(received)
            if len(jobs) == 4:
                for job, body in reversed(jobs):
                    answer(job, body)
                jobs.clear()
        else:
            answer(job, body)


main(*sys.argv[-2:])

"""One process of `headroom work`, and its messages: two lengths of 4 bytes, a JSON header, and a body."""

from __future__ import annotations

import contextlib
import json
import struct
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, Optional

from .messages import Response
from .problems import PREFIX, ConnectionFailedError, HeadroomError, ProblemError

_VERSION = 1
_MOST_HEADER_BYTES = 65_536
_LENGTHS = struct.Struct(">II")


@dataclass(frozen=True)
class Answer:
    """The outcome of a job: a response, and the plan as a JSON object if the job requested it."""

    id: Optional[str]
    response: Response
    plan: Optional[Mapping[str, object]] = None


def message(header: Mapping[str, object], body: bytes = b"") -> bytes:
    """A message."""
    text = json.dumps(header).encode()
    return _LENGTHS.pack(len(text), len(body)) + text + body


def check_job(header: Mapping[str, object], body: bytes) -> None:
    """Raises `TooLargeError` for a job that is larger than a message, `InvalidParameterError` for text not in UTF-8.

    The program cannot read a message that is too large, or any message after it. It cannot read the ID in a message
    that is not UTF-8.
    """
    # The added ID has fewer than 40 bytes.
    if len(json.dumps(header)) > _MOST_HEADER_BYTES - 40 or len(body) >= 1 << 32:
        detail = "The URL and the parameters have at most 64 KiB, and the image less than 4 GiB."
        raise _problem(413, "too-large", "The image is too large", detail)
    try:
        json.dumps(header, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        detail = f"The URL or a parameter has a character without UTF-8: {error.object[error.start]!a}."
        raise _problem(400, "invalid-parameter", "A parameter is not valid", detail) from None


def _problem(status: int, kind: str, title: str, detail: str) -> HeadroomError:
    problem = {"type": PREFIX + kind, "title": title, "status": status, "detail": detail}
    content = json.dumps(problem).encode()
    return ProblemError.of(Response(status, {"content-type": "application/problem+json"}, content))


class KilledError(ConnectionFailedError):
    """The error if a signal ended the process before its greeting."""


def start(command: Sequence[str], attempts: int) -> JobProcess:
    """Starts a process, and starts another one if it is killed at once. Raises `ConnectionFailedError`."""
    for _ in range(attempts - 1):
        with contextlib.suppress(KilledError):
            return JobProcess(command)
    return JobProcess(command)


class JobProcess:
    """A running process. One thread may write to it while another thread reads.

    Raises `ConnectionFailedError` if it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        # Uses a file, because a pipe would need a thread that reads it. `reap` closes the file.
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
            )
        except OSError as error:
            self._errors.close()
            raise ConnectionFailedError(f"{command[0]} cannot be started: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._send(message({"version": _VERSION}))
        greeting = self._read()
        if greeting is None or greeting[0].get("version") != _VERSION:
            reason = f"{command[0]} did not start: {self._end(greeting)}"
            raise KilledError(reason) if self._process.returncode < 0 else ConnectionFailedError(reason)
        self.workers = int(greeting[0]["workers"])
        self.in_work = int(greeting[0].get("maxInFlight", greeting[0].get("inWork", 0)))

    @property
    def number(self) -> int:
        """The ID of the process."""
        return self._process.pid

    def send(self, job: bytes) -> None:
        """Writes a job; the reader detects if the process has ended."""
        self._send(job)

    def answer(self) -> Optional[Answer]:
        """Reads the next response; returns None after the process has ended."""
        received = self._read()
        if received is None:
            return None
        header, body = received
        headers = {str(name): str(value) for name, value in header["headers"].items()}
        return Answer(header.get("id"), Response(int(header["status"]), headers, body), header.get("plan"))

    def finish(self) -> None:
        """Ends the input; the process responds to the remaining jobs, and exits."""
        with contextlib.suppress(OSError, ValueError):
            self._input.close()

    def kill(self) -> None:
        """Ends a process whose responses cannot be trusted."""
        self._process.kill()

    def reap(self) -> str:
        """Waits for the exit of a process that no longer responds, and returns a description of its exit."""
        self.finish()
        if self._process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
            self._process.kill()
        status = self._process.wait()
        self._output.close()
        self._errors.seek(0)
        text = self._errors.read(4096).decode(errors="replace").strip()
        self._errors.close()
        return f"status {status}{text and ': '}{text}"

    def _end(self, greeting: Optional[tuple[dict[str, Any], bytes]]) -> str:
        end = self.reap()
        return end if greeting is None else greeting[1].decode(errors="replace")

    def _send(self, data: bytes) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._input.write(data)
            self._input.flush()

    def _read(self) -> Optional[tuple[dict[str, Any], bytes]]:
        """Reads the next message; returns None at the end, even inside a message."""
        try:
            lengths = self._output.read(_LENGTHS.size)
            if len(lengths) < _LENGTHS.size:
                return None
            header_length, body_length = _LENGTHS.unpack(lengths)
            header, body = self._output.read(header_length), self._output.read(body_length)
            return (json.loads(header), body) if len(body) == body_length else None
        except (OSError, ValueError):
            return None

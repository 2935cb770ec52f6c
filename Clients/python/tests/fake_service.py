"""A service with scripted responses."""

from __future__ import annotations

import http.server
import itertools
import json
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Callable, Optional, Union
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Answer:
    """A response; `then_close` closes the connection without announcing it."""

    status: int = 200
    content: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    then_close: bool = False

    @classmethod
    def json(cls, value: object, kind: str = "application/json", status: int = 200, **headers: str) -> Answer:
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        return cls(status, json.dumps(value).encode(), {"Content-Type": kind, **named})

    @classmethod
    def problem(cls, kind: str, status: int, detail: str = "", **headers: str) -> Answer:
        members = {"type": f"urn:headroom:problem:{kind}", "title": kind, "status": status, "detail": detail or kind}
        return cls.json(members, "application/problem+json", status, **headers)


@dataclass(frozen=True)
class Received:
    """A request."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    connection: int

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def parameters(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(self.target).query).items()}


class Drop:
    """Closes the connection without a response."""


class Silence:
    """Sends nothing until the service ends."""


Script = Union[Answer, Drop, Silence, Callable[[Received], Answer]]


class FakeService:
    """Sends the scripted responses in order, and repeats the last one."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.script: list[Script] = []
        self.received: list[Received] = []
        self.ended = threading.Event()

    def answers(self, *script: Script) -> None:
        self.script = list(script)

    def next(self, received: Received) -> Script:
        self.received.append(received)
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


_connections = itertools.count(1)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service: FakeService

    def setup(self) -> None:
        super().setup()
        self.connection_number = next(_connections)

    def handle_request(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.command, self.path, headers, body, self.connection_number)
        step = self.service.next(received)
        if isinstance(step, Silence):
            self.service.ended.wait()
        if isinstance(step, (Drop, Silence)):
            self.close_connection = True
            return
        answer = step if isinstance(step, Answer) else step(received)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)
        self.close_connection = self.close_connection or answer.then_close

    do_GET = do_POST = handle_request  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def fake_service(tls: Optional[ssl.SSLContext] = None) -> Iterator[FakeService]:
    """A service on a free port of this host."""
    handler = type("Handler", (_Handler,), {})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    service = FakeService(f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}")
    handler.service = service  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield service
    finally:
        service.ended.set()
        server.shutdown()
        server.server_close()

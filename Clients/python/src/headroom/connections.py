"""Sends requests with Python's HTTP library, over persistent connections."""

from __future__ import annotations

import contextlib
import http.client
import queue
import socket
import ssl
from typing import Optional, Union
from urllib.parse import SplitResult, urlsplit

from .messages import Request, Response
from .problems import ConnectionFailedError, TimedOutError

Connection = Union[http.client.HTTPConnection, http.client.HTTPSConnection]


def service_address(address: str) -> SplitResult:
    """Returns the parts of a service's URL. Raises `ValueError` for other text."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f"{address!r} is not the address of a service: expected http://host:port")
    return parts


class Connections:
    """Connections to one service, which several threads may use.

    `timeout` is the maximum time without received data, in seconds. Proxy settings of the environment are ignored.
    """

    def __init__(self, address: str, timeout: float, tls: Optional[ssl.SSLContext] = None) -> None:
        parts = service_address(address)
        self._host, self._port, self._tls = parts.hostname or "", parts.port, tls
        self._secure = parts.scheme == "https"
        self._prefix = parts.path.rstrip("/")
        self._timeout = timeout
        self._idle: queue.LifoQueue[Connection] = queue.LifoQueue()

    def send(self, request: Request) -> Response:
        """Sends a request and returns the response. Raises `ConnectionFailedError`."""
        while True:
            connection = self._kept()
            reused = connection is not None
            try:
                return self._exchange(connection or self._new(), request)
            except socket.timeout as error:
                raise TimedOutError(f"no response within {self._timeout:g} seconds") from error
            except (OSError, http.client.HTTPException) as error:
                # The service may close an idle connection at any time, so only the failure of a new connection is an
                # error.
                if not reused:
                    raise ConnectionFailedError(f"{type(error).__name__}: {error}") from error

    def close(self) -> None:
        """Closes idle connections."""
        while connection := self._kept():
            connection.close()

    def _kept(self) -> Optional[Connection]:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return None

    def _new(self) -> Connection:
        if self._secure:
            return http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=self._tls)
        return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)

    def _exchange(self, connection: Connection, request: Request) -> Response:
        try:
            # If the service rejects the body before it is complete, the response contains the reason.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.request(request.method, self._prefix + request.target, request.body, dict(request.headers))
            answer = connection.getresponse()
            response = Response(
                answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
            )
        except BaseException:
            connection.close()
            raise
        if answer.will_close:
            connection.close()
        else:
            self._idle.put(connection)
        return response

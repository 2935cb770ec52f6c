"""The client."""

from __future__ import annotations

import ssl
import time
from types import TracebackType
from typing import TYPE_CHECKING, Callable, Optional, TypeVar

from .calls import Call
from .connections import Connections
from .focal_point import TALL_AND_WIDE, FocalPoint, has_subject, of_attention
from .image_calls import ImageCalls
from .images import ImageInput, url_or_bytes
from .messages import Request, Response
from .parameters import DetectionParameters
from .problems import ConnectionFailedError
from .requests import RequestBuilder
from .retries import Retries
from .targets import Targets
from .urls import URLBuilder

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")


class Client(ImageCalls):
    """A client of one service. Several threads may share it.

    Images are URLs (`str`), bytes, paths or open files. Methods raise `HeadroomError`; its subclass `ProblemError` is
    an error that the service reports.

    Args:
        address: URL of the service, such as ``http://localhost:8080``.
        signing_key: Key that signs requests, and the URLs of `urls`.
        bearer: A bearer secret, sent with each request.
        timeout: Maximum time in seconds without received data, for each attempt.
        retries: Number of attempts and waits between them.
        tls: Certificates for ``https``; the default are the system's certificates.
    """

    urls: URLBuilder
    """Builds URLs of this service."""

    def __init__(
        self,
        address: str,
        *,
        signing_key: Optional[str] = None,
        bearer: Optional[str] = None,
        timeout: float = 60.0,
        retries: Optional[Retries] = None,
        tls: Optional[ssl.SSLContext] = None,
    ) -> None:
        self.urls = URLBuilder(address, signing_key)
        self._requests = RequestBuilder(Targets(signing_key), bearer)
        self._connections = Connections(address, timeout, tls)
        self._retries = retries or Retries()
        self._sleep: Callable[[float], None] = time.sleep

    def focal_point(self, image: ImageInput, **parameters: Unpack[DetectionParameters]) -> FocalPoint:
        """Returns the point that every crop of an image should show.

        The point is the centre of the heads. If no face is found, it is the centre of the people, animals and things.
        If nothing is found, a second request finds the point with the highest attention.
        """
        content = url_or_bytes(image)
        whole = self.plan(content, **parameters)
        if has_subject(whole):
            return whole.focus
        return of_attention(self.plan(content, aspect=TALL_AND_WIDE, gravity="attention", **parameters))

    def is_alive(self) -> bool:
        """Makes one attempt to reach `/healthz`; returns whether the process of the service responds."""
        return self._has_status_200("/healthz")

    def is_ready(self) -> bool:
        """Makes one attempt to reach `/readyz`; returns whether the service accepts requests."""
        return self._has_status_200("/readyz")

    def close(self) -> None:
        """Closes idle connections."""
        self._connections.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def _call(self, call: Call[T], image: ImageInput) -> T:
        return call.read(self._send(self._requests.image(call.path, url_or_bytes(image), call.parameters)))

    def _send(self, request: Request) -> Response:
        attempt = 1
        while True:
            try:
                response = self._connections.send(request)
            except ConnectionFailedError as error:
                wait = self._retries.after_failure(attempt, error)
                if wait is None:
                    raise
            else:
                wait = self._retries.after_response(attempt, response)
                if wait is None:
                    return response
            self._sleep(wait)
            attempt += 1

    def _has_status_200(self, path: str) -> bool:
        try:
            return self._connections.send(self._requests.status(path)).status == 200
        except ConnectionFailedError:
            return False

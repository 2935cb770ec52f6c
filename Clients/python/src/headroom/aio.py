"""The asynchronous client. It needs httpx: ``pip install 'headroom-client[async]'``."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable
from types import TracebackType
from typing import TYPE_CHECKING, Callable, Optional, TypeVar

try:
    import anyio
    import anyio.to_thread
    import httpx
except ImportError as error:
    raise ImportError("headroom.aio needs httpx: pip install 'headroom-client[async]'") from error

from . import calls
from .calls import Call
from .connections import service_address
from .focal_point import TALL_AND_WIDE, FocalPoint, has_subject, of_attention
from .images import ImageInput, url_or_bytes
from .messages import Request, Response
from .parameters import DetectionParameters, FaceParameters, FrameParameters, PlanParameters, PortraitParameters
from .plan import Faces, Plan
from .problems import ConnectionFailedError, TimedOutError
from .requests import RequestBuilder
from .responses import CropImage, FaceArchive
from .retries import Retries
from .targets import Targets
from .urls import URLBuilder

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")


class AsyncClient:
    """`headroom.Client` for asyncio and Trio: the same methods, parameters and exceptions.

    All methods are coroutines. Use the client with ``async with``, or await `close` at the end.
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
        self._prefix = service_address(address).geturl().rstrip("/")
        self._requests = RequestBuilder(Targets(signing_key), bearer)
        self._retries = retries or Retries()
        self._timeout = timeout
        # Like `Client`, it does not use proxies of the environment.
        self._http = httpx.AsyncClient(timeout=timeout, verify=tls if tls is not None else True, trust_env=False)
        self._sleep: Callable[[float], Awaitable[None]] = anyio.sleep

    async def frame(self, image: ImageInput, **parameters: Unpack[FrameParameters]) -> CropImage:
        """Returns a crop of an image that keeps as many whole heads as possible."""
        return await self._call(calls.frame(parameters), image)

    async def plan(self, image: ImageInput, **parameters: Unpack[PlanParameters]) -> Plan:
        """Returns the rectangles of the crops for one or more aspect ratios, without the crops."""
        return await self._call(calls.plan(parameters), image)

    async def faces(self, image: ImageInput, **parameters: Unpack[DetectionParameters]) -> Faces:
        """Returns the faces of an image, the largest first."""
        return await self._call(calls.faces(parameters), image)

    async def face(self, image: ImageInput, index: int = 1, **parameters: Unpack[FaceParameters]) -> CropImage:
        """Returns an image of one face; face 1 is the largest."""
        return await self._call(calls.face(index, parameters), image)

    async def face_plan(self, image: ImageInput, index: int = 1, **parameters: Unpack[PortraitParameters]) -> Plan:
        """Returns the rectangle of the image of one face."""
        return await self._call(calls.face_plan(index, parameters), image)

    async def face_archive(self, image: ImageInput, **parameters: Unpack[PortraitParameters]) -> FaceArchive:
        """Returns images of all faces, as a ZIP file."""
        return await self._call(calls.face_archive(parameters), image)

    async def focal_point(self, image: ImageInput, **parameters: Unpack[DetectionParameters]) -> FocalPoint:
        """Returns the point that every crop of an image should show.

        The point is the centre of the heads. If no face is found, it is the centre of the people, animals and things.
        If nothing is found, a second request finds the point with the highest attention.
        """
        content = await anyio.to_thread.run_sync(url_or_bytes, image)
        whole = await self.plan(content, **parameters)
        if has_subject(whole):
            return whole.focus
        return of_attention(await self.plan(content, aspect=TALL_AND_WIDE, gravity="attention", **parameters))

    async def is_alive(self) -> bool:
        """Makes one attempt to reach `/healthz`; returns whether the process of the service responds."""
        return await self._has_status_200("/healthz")

    async def is_ready(self) -> bool:
        """Makes one attempt to reach `/readyz`; returns whether the service accepts requests."""
        return await self._has_status_200("/readyz")

    async def close(self) -> None:
        """Closes idle connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.close()

    async def _call(self, call: Call[T], image: ImageInput) -> T:
        content = await anyio.to_thread.run_sync(url_or_bytes, image)
        return call.read(await self._send(self._requests.image(call.path, content, call.parameters)))

    async def _send(self, request: Request) -> Response:
        attempt = 1
        while True:
            try:
                response = await self._exchange(request)
            except ConnectionFailedError as error:
                wait = self._retries.after_failure(attempt, error)
                if wait is None:
                    raise
            else:
                wait = self._retries.after_response(attempt, response)
                if wait is None:
                    return response
            await self._sleep(wait)
            attempt += 1

    async def _exchange(self, request: Request) -> Response:
        url = self._prefix + request.target
        try:
            answer = await self._http.request(request.method, url, content=request.body, headers=dict(request.headers))
        except httpx.TimeoutException as error:
            raise TimedOutError(f"no response within {self._timeout:g} seconds") from error
        except httpx.TransportError as error:
            raise ConnectionFailedError(f"{type(error).__name__}: {_reason(error)}") from error
        return Response(
            answer.status_code, {name.lower(): value for name, value in answer.headers.items()}, answer.content
        )

    async def _has_status_200(self, path: str) -> bool:
        try:
            return (await self._exchange(self._requests.status(path))).status == 200
        except ConnectionFailedError:
            return False


def _reason(error: Optional[BaseException]) -> str:
    """Returns the text of an error, or of its first cause with a text."""
    while error is not None:
        if str(error):
            return str(error)
        error = error.__cause__ or error.__context__
    return ""

"""URLs of crops, for pages and other services."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Optional, Union

from .checks import check_address, check_age, check_expiry
from .connections import service_address
from .parameters import FaceParameters, FacesParameters, FrameParameters, Restrictions, encode
from .targets import Targets, face_path

if TYPE_CHECKING:
    from typing_extensions import Unpack

Expiry = Union[datetime, timedelta, int]
"""The expiry of a signature: a time, a duration from now, or seconds since 1970."""


class URLBuilder:
    """Builds URLs of a service, signed if a key is given.

    `address` is the public URL, such as ``https://img.example.com``. If it contains a path, a proxy must remove this
    path, or the service must use it as ``--path-prefix``. Signatures do not cover this path.

    `max_age` is the maximum freshness of the response in seconds: it shortens the times in ``Cache-Control``. A
    signature covers it.
    """

    def __init__(self, address: str, signing_key: Optional[str] = None) -> None:
        self.address = service_address(address).geturl().rstrip("/")
        self._targets = Targets(signing_key)

    def frame(
        self,
        url: str,
        *,
        expires: Optional[Expiry] = None,
        max_age: Optional[int] = None,
        **parameters: Unpack[FrameParameters],
    ) -> str:
        """Returns the URL of a crop of the image at `url`."""
        return self._get("/frame", url, encode(FrameParameters, parameters), expires, max_age)

    def faces(
        self,
        url: str,
        *,
        expires: Optional[Expiry] = None,
        max_age: Optional[int] = None,
        **parameters: Unpack[FacesParameters],
    ) -> str:
        """Returns the URL of the faces in the image at `url`."""
        return self._get("/faces", url, encode(FacesParameters, parameters), expires, max_age)

    def face(
        self,
        url: str,
        index: int = 1,
        *,
        expires: Optional[Expiry] = None,
        max_age: Optional[int] = None,
        **parameters: Unpack[FaceParameters],
    ) -> str:
        """Returns the URL of one face in the image at `url`; face 1 is the largest."""
        return self._get(face_path(index), url, encode(FaceParameters, parameters), expires, max_age)

    def frame_upload(
        self,
        *,
        expires: Optional[Expiry] = None,
        max_age: Optional[int] = None,
        max_upload: Optional[int] = None,
        digest: Optional[str] = None,
        **parameters: Unpack[FrameParameters],
    ) -> str:
        """Returns the URL for uploading an image with `POST`; the response is its crop.

        `max_upload` is the maximum size of the body that the signature allows. `digest` is the SHA-256 of the only
        allowed body, in hexadecimal digits.
        """
        return self._post("/frame", encode(FrameParameters, parameters), expires, max_age, max_upload, digest)

    def faces_upload(
        self,
        *,
        expires: Optional[Expiry] = None,
        max_age: Optional[int] = None,
        max_upload: Optional[int] = None,
        digest: Optional[str] = None,
        **parameters: Unpack[FacesParameters],
    ) -> str:
        """Returns the URL for uploading an image with `POST`; the response is its faces. See `frame_upload`."""
        return self._post("/faces", encode(FacesParameters, parameters), expires, max_age, max_upload, digest)

    def _get(
        self, path: str, url: str, parameters: Mapping[str, str], expires: Optional[Expiry], max_age: Optional[int]
    ) -> str:
        restrictions = _restrictions(expires)
        check_address("url", url)
        query = {"url": url, **parameters, **_freshness(max_age)}
        return self.address + self._targets.target("GET", path, query, restrictions)

    def _post(
        self,
        path: str,
        parameters: Mapping[str, str],
        expires: Optional[Expiry],
        max_age: Optional[int],
        max_upload: Optional[int],
        digest: Optional[str],
    ) -> str:
        restrictions = _restrictions(expires)
        if max_upload is not None:
            restrictions["max_upload"] = max_upload
        if digest is not None:
            restrictions["digest"] = digest
        return self.address + self._targets.target("POST", path, {**parameters, **_freshness(max_age)}, restrictions)


def _freshness(max_age: Optional[int]) -> dict[str, str]:
    return {} if max_age is None else {"maxAge": str(check_age(max_age))}


def _restrictions(expires: Optional[Expiry]) -> Restrictions:
    if expires is None:
        return {}
    if isinstance(expires, timedelta):
        return {"expires": int(time.time() + expires.total_seconds())}
    return {"expires": check_expiry(expires.timestamp() if isinstance(expires, datetime) else expires)}

"""Requests to the routes of the service."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Optional, Union

from .messages import Request
from .parameters import Restrictions
from .targets import Targets
from .version import __version__


@dataclass(frozen=True)
class RequestBuilder:
    """Builds requests, with the credentials that the service requires."""

    targets: Targets = field(default_factory=Targets)
    bearer: Optional[str] = field(default=None, repr=False)

    def image(self, path: str, image: Union[str, bytes], parameters: Mapping[str, str]) -> Request:
        """Returns a `GET` with the URL of an image, or a `POST` with its bytes.

        The signature of an upload is valid only for these bytes.
        """
        if isinstance(image, str):
            return Request("GET", self.targets.target("GET", path, {"url": image, **parameters}), self._headers())
        restrictions: Restrictions = {}
        if self.targets.signing_key:
            restrictions = {"digest": hashlib.sha256(image).hexdigest()}
        target = self.targets.target("POST", path, parameters, restrictions)
        return Request("POST", target, {**self._headers(), "Content-Type": "application/octet-stream"}, image)

    def status(self, path: str) -> Request:
        """Returns a `GET` of `/healthz` or `/readyz`, which need no credentials."""
        return Request("GET", path, {"User-Agent": _AGENT})

    def _headers(self) -> dict[str, str]:
        headers = {"User-Agent": _AGENT, "Accept": "*/*"}
        if self.bearer:
            headers["Authorization"] = f"Bearer {self.bearer}"
        return headers


_AGENT = f"headroom-python/{__version__}"

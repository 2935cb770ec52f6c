"""Signatures of requests, as docs/signing.md of the service defines them."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import quote


def canonical_query(parameters: Mapping[str, str]) -> str:
    """The query of the parameters: sorted by name, each percent-encoded except unreserved characters."""
    return "&".join(f"{quote(name, safe='')}={quote(parameters[name], safe='')}" for name in sorted(parameters))


def signature(key: str, method: str, path: str, parameters: Mapping[str, str]) -> str:
    """The HMAC-SHA256 of a request, in hexadecimal digits.

    `method` is GET or POST, `path` that which the service receives, and `parameters` all but the signature, decoded.
    """
    message = f"{method} {path}?{canonical_query(parameters)}"
    return hmac.new(key.encode(), message.encode(), hashlib.sha256).hexdigest()

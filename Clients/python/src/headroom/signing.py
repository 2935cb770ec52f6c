"""Signatures of requests; docs/signing.md of the service defines them."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import quote


def canonical_query(parameters: Mapping[str, str]) -> str:
    """Returns the query of the parameters: sorted by name, and percent-encoded except unreserved characters."""
    return "&".join(f"{quote(name, safe='')}={quote(parameters[name], safe='')}" for name in sorted(parameters))


def signature(key: str, method: str, path: str, parameters: Mapping[str, str]) -> str:
    """Returns the HMAC-SHA256 of a request, in hexadecimal digits.

    `method` is GET or POST, `path` is the path that the service receives, and `parameters` are all decoded parameters
    except the signature.
    """
    message = f"{method} {path}?{canonical_query(parameters)}"
    return hmac.new(key.encode(), message.encode(), hashlib.sha256).hexdigest()

"""Rejects invalid values before a URL is built, because the only effect of a wrong URL would be a missing image."""

from __future__ import annotations

import math
import re

_SIDE = re.compile(r"auto|[1-9]\d{0,3}|1[0-5]\d{3}|16[0-2]\d{2}|163[0-7]\d|1638[0-4]|\d+(\.\d+)?%")
_WHOLE = {
    "width": _SIDE,
    "height": _SIDE,
    "quality": re.compile(r"auto|source|[1-9]\d?|100"),
    "maxBytes": re.compile(r"[1-9]\d*"),
    "maxUpload": re.compile(r"[1-9]\d*"),
    "digest": re.compile(r"[0-9a-fA-F]{64}"),
}
_EXPECTED = {"digest": "a SHA-256 in 64 hexadecimal digits"}
_ADDRESSES = ("url", "backdropUrl")
_SCHEME = re.compile(r"[^/?#]*(?=:)")
_HOST = re.compile(r"[^/?#]*\.[^/?#.]+/")

LONGEST_AGE = 2_147_483_647
"""The maximum of ``maxAge``, in seconds."""

LATEST_EXPIRY = 253_402_300_799
"""The last second of the year 9999: a larger expiry is in milliseconds."""


def check_number(name: str, value: float) -> None:
    """Raises `ValueError` for a number that is infinite, NaN or negative."""
    if not math.isfinite(value) or value < 0:
        raise ValueError(f"{name}={value} is not valid: expected a number that is not negative")


def check_text(name: str, text: str) -> None:
    """Raises `ValueError` if a text is not a valid value for the request parameter with this name."""
    pattern = _WHOLE.get(name)
    if pattern is not None and not pattern.fullmatch(text):
        expected = _EXPECTED.get(name, "a whole number within the limits of the service")
        raise ValueError(f"{name}={text} is not valid: expected {expected}")
    if name in _ADDRESSES:
        check_address(name, text)


def check_address(name: str, address: str) -> None:
    """Raises `ValueError` for an image URL that no service can fetch.

    A path is a URL below the ``--base-url`` of the service.
    """
    scheme = _SCHEME.match(address)
    has_other_scheme = scheme is not None and scheme.group().lower() not in (
        "http",
        "https",
        "s3",
        "gs",
        "abs",
        "local",
        "enc",
    )
    if not address or has_other_scheme or _HOST.match(address):
        expected = "a URL that begins with https:// or http://"
        raise ValueError(f"{name}={address[:100]} is not valid: expected {expected}")


def check_age(seconds: object) -> int:
    """The maximum freshness of a response in whole seconds.

    Raises `TypeError` for anything but a whole number, and `ValueError` for one outside the limits of the service.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int):
        raise TypeError(f"max_age={seconds} is not valid: expected a whole number of seconds")
    if not 0 <= seconds <= LONGEST_AGE:
        raise ValueError(f"max_age={seconds} is not valid: expected seconds from 0 to {LONGEST_AGE}")
    return seconds


def check_expiry(expires: object) -> int:
    """Returns the expiry in whole seconds since 1970.

    Raises `TypeError` for values that are not numbers, and `ValueError` for numbers that are not an expiry.
    """
    if isinstance(expires, bool) or not isinstance(expires, (int, float)):
        raise TypeError(f"expires={expires} is not valid: expected a datetime, a timedelta, or seconds since 1970")
    if not math.isfinite(expires) or not 0 <= expires <= LATEST_EXPIRY:
        raise ValueError(f"expires={expires} is not valid: expected seconds since 1970, not milliseconds")
    return int(expires)

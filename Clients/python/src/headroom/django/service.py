"""The service that ``settings.HEADROOM`` configures."""

from __future__ import annotations

import threading
from typing import Any, Optional

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed

from ..client import Client

EXAMPLE = 'HEADROOM = {"address": "http://localhost:8080"}'

_lock = threading.Lock()
_client: Optional[Client] = None


def client() -> Client:
    """Returns the client of the service, which is created once.

    ``settings.HEADROOM`` contains the arguments of `Client` by name. Raises `ImproperlyConfigured` without an address.
    """
    global _client
    with _lock:
        if _client is None:
            arguments = getattr(settings, "HEADROOM", None)
            if not isinstance(arguments, dict) or "address" not in arguments:
                raise ImproperlyConfigured(f"the settings have no address of Headroom: expected {EXAMPLE}")
            # The default timeout is short, because a page waits for the service.
            _client = Client(**{"timeout": 10.0, **arguments})
        return _client


def _forget(*, setting: str, **_: Any) -> None:
    global _client
    if setting == "HEADROOM":
        with _lock:
            _client = None


setting_changed.connect(_forget)

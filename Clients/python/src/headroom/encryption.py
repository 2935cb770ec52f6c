"""Encrypted source URLs, as docs/sources.md of the service defines them."""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode

from .checks import check_address

_KEY = re.compile(r"[0-9a-fA-F]{64}")
_NONCE_BYTES = 12


def encrypt_url(url: str, key: str) -> str:
    """Returns the encrypted form of a source URL, for the parameters ``url`` and ``backdrop_url``.

    `key` is a key in the service's ``--source-encryption-keys-file``: 64 hexadecimal digits. Equal URLs have equal
    results. Raises `ValueError` for a URL or a key that is not valid, and `ImportError` without the package
    ``cryptography``.
    """
    check_address("url", url)
    if not _KEY.fullmatch(key):
        raise ValueError("the key is not valid: expected 64 hexadecimal digits")
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError as error:
        raise ImportError("encrypt_url requires the package cryptography: pip install cryptography") from error
    secret, text = bytes.fromhex(key), url.encode()
    nonce = hmac.new(secret, b"headroom source nonce\n" + text, hashlib.sha256).digest()[:_NONCE_BYTES]
    sealed = nonce + AESGCM(secret).encrypt(nonce, text, None)
    return "enc:" + urlsafe_b64encode(sealed).rstrip(b"=").decode()

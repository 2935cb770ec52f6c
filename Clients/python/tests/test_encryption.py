"""The example of docs/sources.md."""

from __future__ import annotations

import sys

import pytest
from documents import ROOT

from headroom import URLBuilder, encrypt_url

KEY = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
URL = "https://example.com/team.jpg"
TEXT = "enc:ATzxoeVsQLhBLHWfsofm-2Zy1cfN5j7Ycp2n9QQuXOo3r_Qsqb2vnhL8mKSsWb328qTS_DQ8djY"


def test_the_example_of_the_page() -> None:
    pytest.importorskip("cryptography")
    assert encrypt_url(URL, KEY) == TEXT
    page = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    assert KEY in page
    assert TEXT in page


def test_an_encrypted_url_is_a_source() -> None:
    url = URLBuilder("https://img.example.com").frame(TEXT, aspect="1:1")
    assert url == f"https://img.example.com/frame?aspect=1%3A1&url=enc%3A{TEXT[4:]}"


@pytest.mark.parametrize("key", ["", "00", KEY[:-1], KEY + "0", "g" * 64])
def test_a_wrong_key_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="expected 64 hexadecimal digits"):
        encrypt_url(URL, key)


def test_a_wrong_url_is_refused() -> None:
    with pytest.raises(ValueError, match="is not valid"):
        encrypt_url("ftp://example.com/a.jpg", KEY)


def test_the_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)
    with pytest.raises(ImportError, match="pip install cryptography"):
        encrypt_url(URL, KEY)

"""URLs."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from headroom import FocalPoint, Rect, URLBuilder
from headroom.parameters import DEPRECATED, DEPRECATED_VALUES, wire_name
from headroom.signing import signature

KEY = "an-example-key-0123456789abcdefghij"
IMAGE = "https://example.com/a.jpg"


def query(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))


def test_a_frame() -> None:
    url = URLBuilder("http://localhost:8080/").frame(IMAGE, aspect="1:1", width=400)
    assert url == "http://localhost:8080/frame?aspect=1%3A1&url=https%3A%2F%2Fexample.com%2Fa.jpg&width=400"


def test_max_age() -> None:
    urls = URLBuilder("http://localhost", signing_key=KEY)
    for url in (
        urls.frame(IMAGE, max_age=60),
        urls.faces(IMAGE, max_age=60),
        urls.face(IMAGE, max_age=60),
        urls.frame_upload(max_age=60),
        urls.faces_upload(max_age=60),
        URLBuilder("http://localhost").frame(IMAGE, max_age=60),
    ):
        assert query(url)["maxAge"] == "60"
    # The signature covers it.
    assert query(urls.frame(IMAGE, max_age=60))["signature"] != query(urls.frame(IMAGE))["signature"]
    assert query(urls.frame(IMAGE, max_age=0))["maxAge"] == "0"


@pytest.mark.parametrize("max_age", [-1, 2**31, 1.5, True, "60"])
def test_max_age_that_no_request_can_have(max_age: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"max_age=.* is not valid: expected"):
        URLBuilder("http://localhost").frame(IMAGE, max_age=max_age)


@pytest.mark.parametrize("url", ["gs://bucket/a.jpg", "abs://container/a.jpg"])
def test_sources_in_buckets(url: str) -> None:
    assert query(URLBuilder("http://localhost").frame(url))["url"] == url


def test_faces_and_one_face() -> None:
    urls = URLBuilder("https://img.example.com/headroom")
    assert urlsplit(urls.faces(IMAGE, format="zip")).path == "/headroom/faces"
    assert urlsplit(urls.face(IMAGE, 2)).path == "/headroom/faces/2"
    with pytest.raises(ValueError, match="the largest face is 1"):
        urls.face(IMAGE, 0)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("aspect", ["16:9", "1:1"], "16:9,1:1"),
        ("aspect", 1.5, "1.5"),
        ("min_face", 0.00001, "0.00001"),
        ("zoom", 0, "0"),
        ("enlarge", True, "true"),
        ("lossless_crop", False, "false"),
        ("quality", "source", "source"),
        ("rotate", 90, "90"),
        ("progressive", True, "true"),
        ("max_bytes", 60_000, "60000"),
        ("region", Rect(120, 80, 640, 480).region, "120px,80px,640px,480px"),
        ("gravity", FocalPoint(0.25, 0.4).gravity, "point:0.25,0.4"),
    ],
)
def test_values(name: str, value: Any, expected: str) -> None:
    wire = {"min_face": "minFace", "max_bytes": "maxBytes", "lossless_crop": "losslessCrop"}.get(name, name)
    parameters: dict[str, Any] = {name: value}
    assert query(URLBuilder("http://localhost").frame(IMAGE, **parameters))[wire] == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("width", float("nan")),
        ("width", -1),
        ("width", 0),
        ("width", 400.5),
        ("width", float("inf")),
        ("width", "abc"),
        ("width", 16_385),
        ("height", -0.5),
        ("height", "12.5"),
        ("quality", 0),
        ("quality", 101),
        ("max_bytes", 0.5),
        ("dpr", float("nan")),
        ("zoom", -1),
        ("aspect", [1.0, float("nan")]),
        ("backdrop_url", "example.com/a.jpg"),
    ],
)
def test_values_that_no_request_can_have(name: str, value: Any) -> None:
    parameters: dict[str, Any] = {name: value}
    with pytest.raises(ValueError, match="is not valid: expected"):
        URLBuilder("http://localhost", KEY).frame(IMAGE, **parameters)


@pytest.mark.parametrize(
    "url",
    [
        "example.com/a.jpg",
        "www.example.com/a.jpg?b=1",
        "",
        "localhost:8080/a.jpg",
        "ftp://example.com/a.jpg",
        "data:image/png;base64,AA",
        "C:/a.jpg",
    ],
)
def test_a_url_without_a_scheme(url: str) -> None:
    with pytest.raises(ValueError, match=r"url=.* is not valid: expected a URL that begins with https://"):
        URLBuilder("http://localhost", KEY).frame(url)


@pytest.mark.parametrize(
    "url", ["//example.com/a.jpg", "/a.jpg", "people/a.jpg", "a.jpg", "s3://b/a.jpg", "local:///a.jpg", "HTTP://h/a"]
)
def test_urls_that_a_service_can_have(url: str) -> None:
    assert query(URLBuilder("http://localhost").frame(url))["url"] == url


def test_expiries_that_no_signature_can_have() -> None:
    urls = URLBuilder("http://localhost", KEY)
    expires: Any
    for expires in (1893456000000, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match=r"expires=.* is not valid: expected seconds since 1970, not milliseconds"):
            urls.frame(IMAGE, expires=expires)
    for expires in ("2030-01-01", "1893456000", True):
        with pytest.raises(TypeError, match=r"expires=.* is not valid: expected a datetime, a timedelta, or seconds"):
            urls.frame(IMAGE, expires=expires)
    expires = 1893456000.75
    assert query(urls.frame(IMAGE, expires=expires))["expires"] == "1893456000"
    for name, value in (("max_upload", 0), ("max_upload", 1.5), ("digest", "abc")):
        parameters: Any = {name: value}
        with pytest.raises(ValueError, match="is not valid: expected"):
            urls.frame_upload(**parameters)


@pytest.mark.parametrize(
    ("old", "value", "new", "expected"),
    [(old, "1", wire_name(new), "1") for old, new in DEPRECATED.items()]
    + [(name, word, wire_name(name), new) for (name, word), new in DEPRECATED_VALUES.items()],
)
def test_a_deprecated_name_is_replaced(old: str, value: str, new: str, expected: str) -> None:
    parameters: Any = {old: value}
    with pytest.warns(DeprecationWarning, match=f"^{old}.* is deprecated; use "):
        url = URLBuilder("http://localhost").frame(IMAGE, **parameters)
    assert query(url) == {"url": IMAGE, new: expected}


@pytest.mark.parametrize(("old", "new"), DEPRECATED.items())
def test_both_names_are_a_type_error(old: str, new: str) -> None:
    parameters: Any = {old: "1", new: "1"}
    with pytest.raises(TypeError, match=f"{old} is not allowed with {new}"):
        URLBuilder("http://localhost").frame(IMAGE, **parameters)


def test_none_is_left_out() -> None:
    width: Any = None
    assert query(URLBuilder("http://localhost").frame(IMAGE, width=width)) == {"url": IMAGE}


def test_an_unknown_parameter_is_a_type_error() -> None:
    parameters: Any = {"widht": 400}
    with pytest.raises(TypeError, match=r"unknown parameter widht: expected one of .*width"):
        URLBuilder("http://localhost").frame(IMAGE, **parameters)


@pytest.mark.parametrize("address", ["localhost:8080", "ftp://example.com", "http://", "http://a/?b", ""])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(ValueError, match="is not the address of a service"):
        URLBuilder(address)


def test_a_signature_covers_the_path_that_the_service_receives() -> None:
    url = URLBuilder("https://img.example.com/headroom", KEY).frame(IMAGE, aspect="1:1", expires=1893456000)
    parameters = query(url)
    signed = parameters.pop("signature")
    assert parameters == {"url": IMAGE, "aspect": "1:1", "expires": "1893456000"}
    assert signed == signature(KEY, "GET", "/frame", parameters)


def test_expiries() -> None:
    urls = URLBuilder("http://localhost", KEY)
    when = datetime(2030, 1, 1, tzinfo=timezone.utc)
    assert query(urls.faces(IMAGE, expires=when))["expires"] == "1893456000"
    before = int(datetime.now(timezone.utc).timestamp())
    soon = int(query(urls.face(IMAGE, expires=timedelta(hours=1)))["expires"])
    assert before + 3600 <= soon <= before + 3700


def test_uploads() -> None:
    urls = URLBuilder("http://localhost", KEY)
    parameters = query(urls.frame_upload(aspect="16:9", expires=1893456000, max_upload=5000000))
    assert parameters.pop("signature") == "f45706d7f340f4aec1795073b6ded400d23cd143dd093dbd38fc820b30fb271a"
    assert query(urls.faces_upload(digest="00" * 32))["digest"] == "00" * 32


def test_restrictions_need_a_key() -> None:
    with pytest.raises(ValueError, match="expires restrict a signed request: there is no signing key"):
        URLBuilder("http://localhost").frame(IMAGE, expires=1)
    with pytest.raises(ValueError, match="there is no signing key"):
        URLBuilder("http://localhost").frame_upload(max_upload=1)


def test_a_key_is_not_shown() -> None:
    assert KEY not in repr(vars(URLBuilder("http://localhost", KEY)))

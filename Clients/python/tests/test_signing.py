"""The test vectors of docs/signing.md."""

from __future__ import annotations

import pytest
from documents import ROOT

from headroom.signing import canonical_query, signature

KEY = "an-example-key-0123456789abcdefghij"
VECTORS = [
    (
        "GET",
        {
            "url": "https://example.com/café+(1).jpg?a='1'&b=~!*",
            "aspect": "1:1",
            "width": "400",
            "expires": "1893456000",
        },
        "aspect=1%3A1&expires=1893456000&url=https%3A%2F%2Fexample.com%2Fcaf%C3%A9%2B%281%29.jpg"
        "%3Fa%3D%271%27%26b%3D~%21%2A&width=400",
        "eb8b89c8e3d0531becc58cab77211e6b7c001b1d05e8a973b8490af87283da2b",
    ),
    (
        "POST",
        {"aspect": "16:9", "maxUpload": "5000000", "expires": "1893456000"},
        "aspect=16%3A9&expires=1893456000&maxUpload=5000000",
        "f45706d7f340f4aec1795073b6ded400d23cd143dd093dbd38fc820b30fb271a",
    ),
]


@pytest.mark.parametrize(("method", "parameters", "query", "expected"), VECTORS)
def test_vectors(method: str, parameters: dict[str, str], query: str, expected: str) -> None:
    assert canonical_query(parameters) == query
    assert signature(KEY, method, "/frame", parameters) == expected


@pytest.mark.parametrize(("method", "query", "expected"), [(each[0], each[2], each[3]) for each in VECTORS])
def test_the_vectors_are_those_of_the_page(method: str, query: str, expected: str) -> None:
    page = (ROOT / "docs/signing.md").read_text(encoding="utf-8")
    assert f"{method} /frame?{query}\n" in page
    assert expected in page
    assert KEY in page


def test_parameters_are_sorted_by_the_bytes_of_their_names() -> None:
    assert canonical_query({"é": "1", "b": "2", "B": "3", "\U0001f600": "4", "\uffff": "5"}) == (
        "B=3&b=2&%C3%A9=1&%EF%BF%BF=5&%F0%9F%98%80=4"
    )


def test_an_empty_query_has_a_message() -> None:
    assert len(signature(KEY, "POST", "/faces", {})) == 64
    assert canonical_query({"v": ""}) == "v="

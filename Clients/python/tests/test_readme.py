"""Runs the listings of the README."""

from __future__ import annotations

import pathlib
import shutil

import pytest
from documents import IMAGES, listings

README = pathlib.Path(__file__).parents[1] / "README.md"


# The listings do not close their clients.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_listings_run(
    real_address: str, origin: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(IMAGES / "scene.jpg", "team.jpg")
    shutil.copy(IMAGES / "nobody.jpg", "nobody.jpg")
    names: dict[str, object] = {}
    for listing in listings(README, "python"):
        listing = listing.replace("http://localhost:8080", real_address)
        listing = listing.replace("https://example.com/team.jpg", f"{origin}/scene.jpg")
        exec(compile(listing, str(README), "exec"), names)
    written = {"avatar.jpg", "hero.webp", "square.jpg", "wide.jpg", "face-1.jpg", "face-2.jpg", "face-3.jpg"}
    assert written <= {path.name for path in tmp_path.iterdir()}

"""The documents of the repository that the tests compare with the client."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
IMAGES = ROOT / "docs/images"


def openapi() -> dict[str, Any]:
    """The description of the service."""
    description: dict[str, Any] = yaml.safe_load((ROOT / "openapi.yaml").read_text(encoding="utf-8"))
    return description


def example(page: str) -> dict[str, Any]:
    """Returns the first JSON object of a page in `docs`."""
    found = re.search(r"```json\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.S)
    assert found
    value: dict[str, Any] = json.loads(found[1])
    return value


def listings(page: pathlib.Path, language: str) -> list[str]:
    """Returns the listings of a page in one language."""
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.S)

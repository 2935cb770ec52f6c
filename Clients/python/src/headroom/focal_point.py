"""The point of an image that every crop should show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .plan import Plan

TALL_AND_WIDE = ["1:3", "3:1"]
"""Aspect ratios whose crops move only horizontally, and only vertically."""


class FocalPoint(NamedTuple):
    """A point of the upright image, from 0 (left, top) to 1."""

    x: float
    y: float

    @classmethod
    def parse(cls, text: str) -> FocalPoint:
        """Returns the point from text of `str`, such as ``0.25,0.4``. Raises `ValueError` for other text."""
        match = re.fullmatch(r"([0-9.]+),([0-9.]+)", text)
        if not match:
            raise ValueError(f"{text!r} is not a focal point: expected X,Y, each 0 to 1")
        return cls(float(match[1]), float(match[2])).checked()

    def checked(self) -> FocalPoint:
        """Returns the point itself. Raises `ValueError` if it is outside the image."""
        if not (0 <= self.x <= 1 and 0 <= self.y <= 1):
            raise ValueError(f"{self} is not a focal point: expected X,Y, each 0 to 1")
        return self

    @property
    def gravity(self) -> str:
        """The value of `gravity` that crops around this point without detection."""
        return f"point:{self}"

    @property
    def css(self) -> str:
        """The CSS `object-position` that keeps this point in view with `object-fit: cover`."""
        return f"{_short(self.x * 100, 2)}% {_short(self.y * 100, 2)}%"

    def __str__(self) -> str:
        return f"{_short(self.x, 4)},{_short(self.y, 4)}"


def has_subject(plan: Plan) -> bool:
    """Returns whether the focal point of a plan comes from faces or subjects, not from the whole image."""
    return not plan.decision.endswith("attention")


def of_attention(plan: Plan) -> FocalPoint:
    """Returns the point with the highest attention, from the plan for `TALL_AND_WIDE` with `gravity="attention"`."""
    tall, wide = plan.crops
    return FocalPoint(tall.focus.x, wide.focus.y)


def _short(number: float, places: int) -> str:
    return f"{number:.{places}f}".rstrip("0").rstrip(".")

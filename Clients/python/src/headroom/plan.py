"""The crops and faces of a picture, as the service describes them in JSON (docs/plan.md of the service).

All rectangles are in pixels of the upright picture, after its EXIF orientation is applied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from .focal_point import FocalPoint


@dataclass(frozen=True)
class Rect:
    """A rectangle; its right and bottom edges are excluded."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Size:
    """Whole pixels."""

    width: int
    height: int


@dataclass(frozen=True)
class FaceFree:
    """The largest rectangle of a result without any part of a head, in pixels of the result and as CSS `inset`."""

    x: int
    y: int
    width: int
    height: int
    inset: str


@dataclass(frozen=True)
class SourcePicture:
    """The source, upright."""

    width: int
    height: int
    format: str
    orientation: int


@dataclass(frozen=True)
class FaceOutcome:
    """What a crop does to a face: `outcome` is kept, cut or ignored."""

    face: int
    outcome: str
    visible: float
    reason: Optional[str] = None


@dataclass(frozen=True)
class Crop:
    """The crop of one requested shape."""

    aspect: str
    crop: Rect
    unclamped: Rect
    output: Size
    position: str
    decision: str
    faces: tuple[FaceOutcome, ...]
    picture: Optional[Rect] = None
    face_free: Optional[FaceFree] = None


@dataclass(frozen=True)
class Face:
    """A face; `head` is the whole head. `kept` is that of the first crop, and None in a list of faces."""

    box: Rect
    head: Rect
    confidence: float
    pose: Optional[str] = None
    kept: Optional[bool] = None


@dataclass(frozen=True)
class IgnoredDetection:
    """A detection that does not count."""

    box: Rect
    confidence: float
    reason: str


@dataclass(frozen=True)
class DetectionPass:
    """One pass of the detector; `turn` is in degrees clockwise."""

    width: int
    height: int
    turn: int
    smallest_face: float
    found: int
    milliseconds: float


@dataclass(frozen=True)
class Detector:
    """The detector and its passes."""

    name: str
    accuracy: str
    milliseconds: float
    looks: tuple[DetectionPass, ...]
    cached: bool = False


@dataclass(frozen=True)
class Plan:
    """The crops of all requested shapes, and the faces; `crop` and `decision` are those of the first shape."""

    source: SourcePicture
    crop: Rect
    crops: tuple[Crop, ...]
    faces: tuple[Face, ...]
    ignored: tuple[IgnoredDetection, ...]
    decision: str
    detector: Detector

    def focal_point(self, crop: int = 0) -> FocalPoint:
        """The centre of what one of `crops` aims for, before it is moved into the picture."""
        aim = self.crops[crop].unclamped
        x, y = (aim.x + aim.width / 2) / self.source.width, (aim.y + aim.height / 2) / self.source.height
        return FocalPoint(round(min(max(x, 0.0), 1.0), 4), round(min(max(y, 0.0), 1.0), 4))


@dataclass(frozen=True)
class Faces:
    """All faces of a picture, the largest first; it is face 1."""

    source: SourcePicture
    faces: tuple[Face, ...]
    ignored: tuple[IgnoredDetection, ...]
    detector: Detector

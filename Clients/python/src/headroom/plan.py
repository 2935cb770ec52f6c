"""The crops and faces of a picture, as the service describes them in JSON (docs/plan.md of the service).

All rectangles are in pixels of the upright picture, after its EXIF orientation is applied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from .deprecated import old_attribute
from .focal_point import FocalPoint


@dataclass(frozen=True)
class Rect:
    """A rectangle; its right and bottom edges are excluded."""

    x: int
    y: int
    width: int
    height: int

    @property
    def region(self) -> str:
        """The value of `region` for this rectangle; `focus` takes several, separated by semicolons."""
        return f"{self.x}px,{self.y}px,{self.width}px,{self.height}px"


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
class Animation:
    """An animation: its number of frames, their time in milliseconds, and how often it plays; 0 is for ever."""

    frames: int
    duration: int
    loop: int


@dataclass(frozen=True)
class SourcePicture:
    """The source, upright; `damaged` if a part of it is lost. A plan of a still picture has no `animation`."""

    width: int
    height: int
    format: str
    orientation: int
    damaged: bool = False
    animation: Optional[Animation] = None


@dataclass(frozen=True)
class FaceOutcome:
    """What a crop does to a face: `outcome` is kept, cut or ignored."""

    face: int
    outcome: str
    visible: float
    reason: Optional[str] = None


@dataclass(frozen=True)
class Turned:
    """The turned rectangle in the picture of a face: its centre, its sides, and its turn in degrees clockwise.

    `doubtful` is True if nothing is turned because the landmarks of the face are uncertain.
    """

    x: float
    y: float
    width: float
    height: float
    roll: float
    doubtful: bool = False


@dataclass(frozen=True)
class RedactedHead:
    """A detection that redaction covers, or that is left in the redacted picture."""

    box: Rect
    confidence: float
    score: float


@dataclass(frozen=True)
class Redaction:
    """What images hide: the value of `redact`, the numbers of the redacted faces, and the number of covered heads.

    `covered` and `remaining` are the detections before and after it; None beside pictures.
    """

    style: str
    faces: tuple[int, ...]
    heads: Optional[int] = None
    covered: Optional[tuple[RedactedHead, ...]] = None
    remaining: Optional[tuple[RedactedHead, ...]] = None


@dataclass(frozen=True)
class Placeholder:
    """What a page shows until a crop is loaded: a hash of the requested kind, and the colour of most pixels for CSS."""

    thumbhash: Optional[str] = None
    blurhash: Optional[str] = None
    color: Optional[str] = None


@dataclass(frozen=True)
class PlacedWatermark:
    """The watermark of a result: the position, which may be another corner than the requested one, and its pixels."""

    position: str
    rect: Rect
    covers_head: bool = False

    place = old_attribute("place", "position")


@dataclass(frozen=True)
class Crop:
    """The crop of one requested shape; `focus` is the middle of the kept heads and focal areas, else of the crop.

    `path` has the crop of each frame of an animation with ``motion="follow"``; None if all frames have `crop`.
    """

    aspect: str
    crop: Rect
    unclamped: Rect
    output: Size
    position: str
    focus: FocalPoint
    decision: str
    faces: tuple[FaceOutcome, ...]
    content_rect: Optional[Rect] = None
    path: Optional[tuple[Rect, ...]] = None
    face_free: Optional[FaceFree] = None
    turned: Optional[Turned] = None
    placeholder: Optional[Placeholder] = None
    watermark: Optional[PlacedWatermark] = None

    picture = old_attribute("picture", "content_rect")
    mark = old_attribute("mark", "watermark")


@dataclass(frozen=True)
class Point:
    """A position in pixels of the upright picture."""

    x: float
    y: float


@dataclass(frozen=True)
class Landmarks:
    """Eyes, nose and mouth, with left and right as in the picture; below a `confidence` of 0.5 they are a guess.

    `hidden` has the names of points that the turned head hides, as in the response: `leftEye` or `rightEye`. They are
    guesses.
    """

    left_eye: Point
    right_eye: Point
    nose: Point
    mouth_left: Point
    mouth_right: Point
    confidence: float
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True)
class Face:
    """A face; `head` is the whole head. `kept` is that of the first crop, and None in a list of faces.

    `frame` is the frame of an animation that shows it, from 0. `roll` is the angle of the line through both eyes, in
    degrees, clockwise positive. `found_by` has the names of the detectors that found it. `confidence` is the
    probability that it is a face, and `score` the margin above the detector's threshold.
    """

    box: Rect
    head: Rect
    confidence: float
    score: float
    found_by: tuple[str, ...]
    pose: Optional[str] = None
    landmarks: Optional[Landmarks] = None
    roll: Optional[float] = None
    kept: Optional[bool] = None
    frame: Optional[int] = None


@dataclass(frozen=True)
class IgnoredDetection:
    """A detection that does not count."""

    box: Rect
    confidence: float
    score: float
    reason: str


@dataclass(frozen=True)
class DetectedSubject:
    """A person, an animal or a thing; `class_` is for example ``dog``, `head` is the estimated head, None for things."""

    class_: str
    score: float
    box: Rect
    head: Optional[Rect] = None


@dataclass(frozen=True)
class DetectionPass:
    """One pass of the detector; `rotation` is in degrees clockwise."""

    width: int
    height: int
    rotation: int
    smallest_face: float
    found: int
    milliseconds: float

    turn = old_attribute("turn", "rotation")


@dataclass(frozen=True)
class Detector:
    """The detector and its passes; `frames` are the frames of an animation that it searched, from 0."""

    name: str
    accuracy: str
    milliseconds: float
    passes: tuple[DetectionPass, ...]
    cached: bool = False
    frames: tuple[int, ...] = ()

    looks = old_attribute("looks", "passes")


@dataclass(frozen=True)
class OmittedSticker:
    """A sticker that is not drawn on some faces; the reason is `landmarks` if theirs are uncertain."""

    overlay: str
    faces: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class Plan:
    """The crops of all requested shapes, and the faces; `crop`, `decision` and `focus` are those of the first shape.

    `region` is the part of the picture that was framed, None if that is the whole picture. `subjects` are people,
    animals and things, if they were searched for. `chroma_key` is the colour of the
    borders that became transparent with ``chroma_key="auto"``, beside pictures.
    """

    source: SourcePicture
    crop: Rect
    crops: tuple[Crop, ...]
    faces: tuple[Face, ...]
    ignored: tuple[IgnoredDetection, ...]
    decision: str
    focus: FocalPoint
    detector: Detector
    region: Optional[Rect] = None
    subjects: tuple[DetectedSubject, ...] = ()
    omitted: tuple[OmittedSticker, ...] = ()
    redaction: Optional[Redaction] = None
    chroma_key: Optional[str] = None

    key = old_attribute("key", "chroma_key")


@dataclass(frozen=True)
class Faces:
    """All faces of a picture, the largest first; it is face 1. `region` is the part whose faces count, None for all."""

    source: SourcePicture
    faces: tuple[Face, ...]
    ignored: tuple[IgnoredDetection, ...]
    detector: Detector
    region: Optional[Rect] = None
    redaction: Optional[Redaction] = None
    chroma_key: Optional[str] = None

    key = old_attribute("key", "chroma_key")

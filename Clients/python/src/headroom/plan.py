"""The crops and faces of an image, from the JSON of the service (docs/plan.md of the service).

All rectangles are in pixels of the upright image, after its EXIF orientation is applied.
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
        """The value of `region` for this rectangle; `focus` accepts several, separated by semicolons."""
        return f"{self.x}px,{self.y}px,{self.width}px,{self.height}px"


@dataclass(frozen=True)
class Size:
    """Whole pixels."""

    width: int
    height: int


@dataclass(frozen=True)
class FaceFree:
    """The largest rectangle of an output without a part of a head, in pixels of the output and as CSS `inset`."""

    x: int
    y: int
    width: int
    height: int
    inset: str


@dataclass(frozen=True)
class Animation:
    """An animation: its number of frames, their duration in milliseconds, and its number of loops; 0 means forever."""

    frames: int
    duration: int
    loop: int


@dataclass(frozen=True)
class SourceImage:
    """The upright source.

    It is `damaged` if some pixels cannot be decoded. The plan of a still image has no `animation`.
    """

    width: int
    height: int
    format: str
    orientation: int
    damaged: bool = False
    animation: Optional[Animation] = None


@dataclass(frozen=True)
class FaceOutcome:
    """The effect of a crop on a face: `outcome` is kept, cut or ignored."""

    face: int
    outcome: str
    visible: float
    reason: Optional[str] = None


@dataclass(frozen=True)
class Turned:
    """The rotated rectangle in the image of a face: its centre, its sides, and its rotation in degrees clockwise.

    `doubtful` is True if nothing is rotated because the landmarks of the face are uncertain.
    """

    x: float
    y: float
    width: float
    height: float
    roll: float
    doubtful: bool = False


@dataclass(frozen=True)
class RedactedHead:
    """A detection that redaction covers, or that remains in the redacted image."""

    box: Rect
    confidence: float
    score: float


@dataclass(frozen=True)
class Redaction:
    """The redaction of images: the value of `redact`, the numbers of redacted faces, and the number of covered heads.

    `covered` and `remaining` are the detections before and after redaction; None if the response also contains images.
    """

    style: str
    faces: tuple[int, ...]
    heads: Optional[int] = None
    covered: Optional[tuple[RedactedHead, ...]] = None
    remaining: Optional[tuple[RedactedHead, ...]] = None


@dataclass(frozen=True)
class Placeholder:
    """The placeholder of a crop until it is loaded: a hash of the requested kind, and the dominant colour for CSS."""

    thumbhash: Optional[str] = None
    blurhash: Optional[str] = None
    color: Optional[str] = None


@dataclass(frozen=True)
class PlacedWatermark:
    """The watermark of an output: its position, which may differ from the requested corner, and its pixels."""

    position: str
    rect: Rect
    covers_head: bool = False

    place = old_attribute("place", "position")


@dataclass(frozen=True)
class Crop:
    """The crop of one requested aspect ratio.

    `focus` is the centre of the kept heads and focal areas; without any, it is the centre of the crop. `path` contains
    the crop of each frame of an animation with ``motion="follow"``; None if all frames use `crop`.
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
    """A position in pixels of the upright image."""

    x: float
    y: float


@dataclass(frozen=True)
class Landmarks:
    """Eyes, nose and mouth, with left and right as in the image; they are uncertain below a `confidence` of 0.5.

    `hidden` contains the names of points that the turned head hides, in the form of the response: `leftEye` or
    `rightEye`. The positions of these points are estimates.
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
    """A face; `head` is the whole head. `kept` describes the first crop, and is None in a list of faces.

    `frame` is the frame of an animation that shows the face, from 0. `roll` is the angle of the line through both eyes,
    in degrees, clockwise positive. `found_by` contains the names of the detectors that found the face. `confidence` is
    the probability that it is a face, and `score` is the margin above the detector's threshold.
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
    """A person, animal or thing.

    `class_` is a name such as ``dog``. `head` is the estimated head, and None for things.
    """

    class_: str
    score: float
    box: Rect
    head: Optional[Rect] = None


@dataclass(frozen=True)
class DetectionPass:
    """One detection pass; `rotation` is in degrees clockwise."""

    width: int
    height: int
    rotation: int
    smallest_face: float
    found: int
    milliseconds: float

    turn = old_attribute("turn", "rotation")


@dataclass(frozen=True)
class Detector:
    """The detector and its passes; `frames` are the searched frames of an animation, from 0."""

    name: str
    accuracy: str
    milliseconds: float
    passes: tuple[DetectionPass, ...]
    cached: bool = False
    frames: tuple[int, ...] = ()

    looks = old_attribute("looks", "passes")


@dataclass(frozen=True)
class OmittedSticker:
    """A sticker that is not drawn on some faces; the reason is `landmarks` if their landmarks are uncertain."""

    overlay: str
    faces: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class Plan:
    """The crops of all requested aspect ratios, and the faces; `crop`, `decision` and `focus` belong to the first crop.

    `region` is the framed part of the image; None for the whole image. `subjects` are people, animals and things, if
    they were searched for. `chroma_key` is the colour of the borders that became transparent with
    ``chroma_key="auto"``; it is only present if the response also contains images.
    """

    source: SourceImage
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
    """All faces of an image, starting with face 1, the largest. If `region` is not None, only the faces inside it."""

    source: SourceImage
    faces: tuple[Face, ...]
    ignored: tuple[IgnoredDetection, ...]
    detector: Detector
    region: Optional[Rect] = None
    redaction: Optional[Redaction] = None
    chroma_key: Optional[str] = None

    key = old_attribute("key", "chroma_key")

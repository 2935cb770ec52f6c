"""Parameters of the routes, as keyword arguments.

The names are the names in ``openapi.yaml`` in snake_case: ``min_face`` is ``minFace``. A test of the service generates
the classes from its parameter table.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Literal, TypedDict, Union

from .checks import check_number, check_text


# Generated: parameters
class DetectionParameters(TypedDict, total=False):
    """Parameters of every route."""

    preset: str
    page: int
    frame: str
    region: str
    accuracy: Literal["low", "high"]
    min_face: float
    download: str
    v: str


class ImageParameters(DetectionParameters, total=False):
    """Parameters of every route that makes images."""

    aspect: Union[str, float, list[str]]
    width: Union[int, str]
    height: Union[int, str]
    dpr: Union[float, Literal["auto"]]
    enlarge: bool
    background: str
    padding: Union[float, str]
    rotate: Literal[0, 90, 180, 270]
    flip: Literal["horizontal", "vertical", "both"]
    mask: str
    chroma_key: str
    tolerance: float
    spill: float
    backdrop: str
    backdrop_url: str
    filter: str
    watermark: str
    watermark_position: Literal[
        "top-left",
        "top",
        "top-right",
        "left",
        "center",
        "right",
        "bottom-left",
        "bottom",
        "bottom-right",
    ]
    watermark_width: float
    watermark_opacity: float
    watermark_margin: Union[float, str]
    overlay: str
    redact: Literal["blur", "pixelate", "fill"]
    redact_faces: Union[str, int]
    redact_shape: Literal["rounded", "oval"]
    redact_areas: str
    quality: Union[int, Literal["source", "auto"]]
    chroma: Literal["auto", "420", "444"]
    progressive: bool
    max_bytes: int
    metadata: Literal["none", "copyright"]
    lossless_crop: bool
    profile: Literal["srgb", "keep"]
    key: str
    mark: str
    mark_place: Literal[
        "top-left",
        "top",
        "top-right",
        "left",
        "center",
        "right",
        "bottom-left",
        "bottom",
        "bottom-right",
    ]
    mark_width: float
    mark_opacity: float
    mark_margin: Union[float, str]
    lossless: bool


class PlanParameters(ImageParameters, total=False):
    """Parameters of `/frame`, except the format."""

    fit: Literal["cover", "limit", "crop", "inside", "outside", "fill", "pad", "auto"]
    box_orientation: Literal["fixed", "swap", "inside", "turn"]
    trim: int
    gravity: Union[
        Literal[
            "faces",
            "largest",
            "smallest",
            "centermost",
            "subject",
            "attention",
            "center",
            "top",
            "bottom",
            "left",
            "right",
            "top-left",
            "top-right",
            "bottom-left",
            "bottom-right",
        ],
        str,
    ]
    offset: str
    focus: str
    fallback: Union[
        Literal[
            "attention",
            "center",
            "top",
            "bottom",
            "left",
            "right",
            "top-left",
            "top-right",
            "bottom-left",
            "bottom-right",
            "original",
            "error",
        ],
        str,
    ]
    zoom: float
    place: Union[Literal["center", "thirds", "left", "right", "top", "bottom", "keep"], str]
    hdr: Literal["sdr", "keep"]
    animation: Literal["auto", "still"]
    motion: Literal["fixed", "follow", "still"]
    placeholder: Literal["thumbhash", "blurhash"]
    box: Literal["fixed", "swap", "inside", "turn"]


class FrameParameters(PlanParameters, total=False):
    """Parameters of `/frame`."""

    format: Literal[
        "auto",
        "source",
        "jpeg",
        "jpg",
        "png",
        "webp",
        "gif",
        "avif",
        "mp4",
        "webm",
        "json",
        "focus",
        "debug",
        "html",
    ]


class PortraitParameters(ImageParameters, total=False):
    """Parameters of images of faces."""

    upright: bool
    align: Literal["eyes"]
    eyes: float
    eye_distance: float


class FacesParameters(PortraitParameters, total=False):
    """Parameters of `/faces`."""

    format: Literal["auto", "json", "debug", "zip", "multipart"]


class FaceParameters(PortraitParameters, total=False):
    """Parameters of `/faces/{index}`."""

    format: Literal["auto", "source", "jpeg", "jpg", "png", "webp", "gif", "avif", "json"]


# The new name of each deprecated name.
DEPRECATED = {
    "key": "chroma_key",
    "mark": "watermark",
    "mark_place": "watermark_position",
    "mark_width": "watermark_width",
    "mark_opacity": "watermark_opacity",
    "mark_margin": "watermark_margin",
    "box": "box_orientation",
    "lossless": "lossless_crop",
}

# The new word of each deprecated word of a parameter.
DEPRECATED_VALUES = {
    ("box_orientation", "turn"): "swap",
    ("motion", "still"): "fixed",
}


# End of parameters


class Restrictions(TypedDict, total=False):
    """Parameters that restrict a signed request."""

    expires: int
    max_upload: int
    digest: str


def wire_name(name: str) -> str:
    """Returns the name of a parameter in a request: ``minFace`` for ``min_face``."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def encode(accepted: type, parameters: Mapping[str, object]) -> dict[str, str]:
    """Returns the parameters of a request, as text by the names of ``openapi.yaml``; omits parameters that are None.

    Raises `TypeError` for a name that is missing in `accepted`, one of the classes above.
    """
    unknown = sorted(set(parameters) - set(accepted.__annotations__))
    if unknown:
        raise TypeError(
            f"unknown parameter {unknown[0]}: expected one of {', '.join(sorted(accepted.__annotations__))}"
        )
    named = _with_new_names(parameters)
    return {wire_name(name): _checked(wire_name(name), value) for name, value in named.items() if value is not None}


def _with_new_names(parameters: Mapping[str, object]) -> dict[str, object]:
    """Returns the parameters of a call, in their order, with new names and values; warns about old ones.

    Raises `TypeError` if both names of a parameter are given.
    """
    renamed: dict[str, object] = {}
    for name, value in parameters.items():
        new = DEPRECATED.get(name, name)
        if new != name:
            if new in parameters:
                raise TypeError(f"{name} is not allowed with {new}, which is its new name")
            warnings.warn(f"{name} is deprecated; use {new}", DeprecationWarning, stacklevel=5)
        word = DEPRECATED_VALUES.get((new, value), value) if isinstance(value, str) else value
        if word is not value:
            warnings.warn(f"{new}={value} is deprecated; use {new}={word}", DeprecationWarning, stacklevel=5)
        renamed[new] = word
    return renamed


def _checked(name: str, value: object) -> str:
    text = _text(name, value)
    check_text(name, text)
    return text


def _text(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        check_number(name, value)
    if isinstance(value, float):
        return format(Decimal(repr(value)), "f")  # Without an exponent.
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(_text(name, each) for each in value)
    return str(value)

"""The calls of a client: path, parameters and response reader of each method.

Both clients use them: `Client` sends calls with Python's HTTP library, and `AsyncClient` with httpx.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Callable, Generic, TypeVar

from . import responses
from .messages import Response
from .parameters import (
    DetectionParameters,
    FaceParameters,
    FrameParameters,
    PlanParameters,
    PortraitParameters,
    encode,
)
from .plan import Faces, Plan
from .responses import CropImage, FaceArchive
from .targets import face_path

T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """A path, the parameters of a request, and the reader of its response."""

    path: str
    parameters: Mapping[str, str]
    read: Callable[[Response], T]


def frame(parameters: FrameParameters) -> Call[CropImage]:
    """Returns the call for a crop."""
    return Call("/frame", encode(FrameParameters, parameters), responses.crop_image)


def plan(parameters: PlanParameters) -> Call[Plan]:
    """Returns the call for the plan of one or more crops."""
    return Call("/frame", {**encode(PlanParameters, parameters), "format": "json"}, _plan)


def faces(parameters: DetectionParameters) -> Call[Faces]:
    """Returns the call for the list of faces."""
    named = {**encode(DetectionParameters, parameters), "format": "json"}
    return Call("/faces", named, lambda response: responses.document(Faces, response))


def face(index: int, parameters: FaceParameters) -> Call[CropImage]:
    """Returns the call for the image of one face."""
    return Call(face_path(index), encode(FaceParameters, parameters), responses.crop_image)


def face_plan(index: int, parameters: PortraitParameters) -> Call[Plan]:
    """Returns the call for the plan of the image of one face."""
    return Call(face_path(index), {**encode(PortraitParameters, parameters), "format": "json"}, _plan)


def face_archive(parameters: PortraitParameters) -> Call[FaceArchive]:
    """Returns the call for the images of all faces."""
    return Call("/faces", {**encode(PortraitParameters, parameters), "format": "zip"}, responses.archive)


def _plan(response: Response) -> Plan:
    return responses.document(Plan, response)

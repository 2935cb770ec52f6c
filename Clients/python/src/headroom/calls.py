"""The calls of a client: path, parameters and reader of the response of each method.

Both clients use them: `Client` sends a call with Python's own HTTP library, `AsyncClient` with httpx.
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
from .responses import FaceArchive, Picture
from .targets import face_path

T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """A path, the parameters of a request, and the reader of its response."""

    path: str
    parameters: Mapping[str, str]
    read: Callable[[Response], T]


def frame(parameters: FrameParameters) -> Call[Picture]:
    """A crop."""
    return Call("/frame", encode(FrameParameters, parameters), responses.picture)


def plan(parameters: PlanParameters) -> Call[Plan]:
    """The plan of one or more crops."""
    return Call("/frame", {**encode(PlanParameters, parameters), "format": "json"}, _plan)


def faces(parameters: DetectionParameters) -> Call[Faces]:
    """The list of faces."""
    named = {**encode(DetectionParameters, parameters), "format": "json"}
    return Call("/faces", named, lambda response: responses.document(Faces, response))


def face(index: int, parameters: FaceParameters) -> Call[Picture]:
    """The picture of one face."""
    return Call(face_path(index), encode(FaceParameters, parameters), responses.picture)


def face_plan(index: int, parameters: PortraitParameters) -> Call[Plan]:
    """The plan of the picture of one face."""
    return Call(face_path(index), {**encode(PortraitParameters, parameters), "format": "json"}, _plan)


def face_archive(parameters: PortraitParameters) -> Call[FaceArchive]:
    """The pictures of all faces."""
    return Call("/faces", {**encode(PortraitParameters, parameters), "format": "zip"}, responses.archive)


def _plan(response: Response) -> Plan:
    return responses.document(Plan, response)

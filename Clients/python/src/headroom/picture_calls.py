"""The calls for one picture."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeVar

from . import calls
from .calls import Call
from .parameters import DetectionParameters, FaceParameters, FrameParameters, PlanParameters, PortraitParameters
from .pictures import PictureInput
from .plan import Faces, Plan
from .responses import FaceArchive, Picture

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")


class PictureCalls(ABC):
    """The methods for one picture that wait for their answer, wherever it is worked on."""

    def frame(self, picture: PictureInput, **parameters: Unpack[FrameParameters]) -> Picture:
        """A crop of a picture that keeps as many whole heads as possible."""
        return self._call(calls.frame(parameters), picture)

    def plan(self, picture: PictureInput, **parameters: Unpack[PlanParameters]) -> Plan:
        """Where the crops of one or more shapes are, without the crops."""
        return self._call(calls.plan(parameters), picture)

    def faces(self, picture: PictureInput, **parameters: Unpack[DetectionParameters]) -> Faces:
        """The faces of a picture, the largest first."""
        return self._call(calls.faces(parameters), picture)

    def face(self, picture: PictureInput, index: int = 1, **parameters: Unpack[FaceParameters]) -> Picture:
        """A picture of one face; face 1 is the largest."""
        return self._call(calls.face(index, parameters), picture)

    def face_plan(self, picture: PictureInput, index: int = 1, **parameters: Unpack[PortraitParameters]) -> Plan:
        """Where the picture of one face is."""
        return self._call(calls.face_plan(index, parameters), picture)

    def face_archive(self, picture: PictureInput, **parameters: Unpack[PortraitParameters]) -> FaceArchive:
        """Pictures of all faces, as a ZIP file."""
        return self._call(calls.face_archive(parameters), picture)

    @abstractmethod
    def _call(self, call: Call[T], picture: PictureInput) -> T:
        """Sends a call, and reads its answer."""

"""The calls for one image."""

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
    """The blocking methods for one image; a subclass sends the calls to a service or to a process."""

    def frame(self, picture: PictureInput, **parameters: Unpack[FrameParameters]) -> Picture:
        """Returns a crop of an image that keeps as many whole heads as possible."""
        return self._call(calls.frame(parameters), picture)

    def plan(self, picture: PictureInput, **parameters: Unpack[PlanParameters]) -> Plan:
        """Returns the rectangles of the crops for one or more aspect ratios, without the crops."""
        return self._call(calls.plan(parameters), picture)

    def faces(self, picture: PictureInput, **parameters: Unpack[DetectionParameters]) -> Faces:
        """Returns the faces of an image, the largest first."""
        return self._call(calls.faces(parameters), picture)

    def face(self, picture: PictureInput, index: int = 1, **parameters: Unpack[FaceParameters]) -> Picture:
        """Returns an image of one face; face 1 is the largest."""
        return self._call(calls.face(index, parameters), picture)

    def face_plan(self, picture: PictureInput, index: int = 1, **parameters: Unpack[PortraitParameters]) -> Plan:
        """Returns the rectangle of the image of one face."""
        return self._call(calls.face_plan(index, parameters), picture)

    def face_archive(self, picture: PictureInput, **parameters: Unpack[PortraitParameters]) -> FaceArchive:
        """Returns images of all faces, as a ZIP file."""
        return self._call(calls.face_archive(parameters), picture)

    @abstractmethod
    def _call(self, call: Call[T], picture: PictureInput) -> T:
        """Sends a call, and reads its response."""

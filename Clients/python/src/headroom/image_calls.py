"""The calls for one image."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeVar

from . import calls
from .calls import Call
from .images import ImageInput
from .parameters import DetectionParameters, FaceParameters, FrameParameters, PlanParameters, PortraitParameters
from .plan import Faces, Plan
from .responses import CropImage, FaceArchive

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")


class ImageCalls(ABC):
    """The blocking methods for one image; a subclass sends the calls to a service or to a process."""

    def frame(self, image: ImageInput, **parameters: Unpack[FrameParameters]) -> CropImage:
        """Returns a crop of an image that keeps as many whole heads as possible."""
        return self._call(calls.frame(parameters), image)

    def plan(self, image: ImageInput, **parameters: Unpack[PlanParameters]) -> Plan:
        """Returns the rectangles of the crops for one or more aspect ratios, without the crops."""
        return self._call(calls.plan(parameters), image)

    def faces(self, image: ImageInput, **parameters: Unpack[DetectionParameters]) -> Faces:
        """Returns the faces of an image, the largest first."""
        return self._call(calls.faces(parameters), image)

    def face(self, image: ImageInput, index: int = 1, **parameters: Unpack[FaceParameters]) -> CropImage:
        """Returns an image of one face; face 1 is the largest."""
        return self._call(calls.face(index, parameters), image)

    def face_plan(self, image: ImageInput, index: int = 1, **parameters: Unpack[PortraitParameters]) -> Plan:
        """Returns the rectangle of the image of one face."""
        return self._call(calls.face_plan(index, parameters), image)

    def face_archive(self, image: ImageInput, **parameters: Unpack[PortraitParameters]) -> FaceArchive:
        """Returns images of all faces, as a ZIP file."""
        return self._call(calls.face_archive(parameters), image)

    @abstractmethod
    def _call(self, call: Call[T], image: ImageInput) -> T:
        """Sends a call, and reads its response."""

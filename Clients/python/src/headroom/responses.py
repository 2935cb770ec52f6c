"""The responses of the service: images, plans and archives."""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Optional, TypeVar

from .decoding import decode
from .messages import Response
from .plan import Faces
from .problems import ProblemError, UnexpectedResponseError

T = TypeVar("T")


@dataclass(frozen=True)
class CropImage:
    """An image, or the response to another `format`.

    `decision` is the rule that selected the crop, such as ``faces`` or ``fallback:attention``; `faces` is the number of
    detected faces, None without detection. Names of `headers` are in lower case.
    """

    content: bytes = field(repr=False)
    content_type: str
    decision: Optional[str]
    faces: Optional[int]
    headers: Mapping[str, str] = field(repr=False)

    @property
    def text(self) -> str:
        """The content of `format="html"`, `"json"` and `"focus"`."""
        return self.content.decode()

    @property
    def quality(self) -> Optional[int]:
        """The quality that the service found for `max_bytes`, None otherwise."""
        return _number(self.headers.get("headroom-quality", ""))

    @property
    def redacted(self) -> Optional[int]:
        """The number of heads that `redact` covers, 0 if it covers no head; None without `redact`."""
        return _number(self.headers.get("headroom-redacted", ""))

    @property
    def key(self) -> Optional[str]:
        """The colour that `chroma_key="auto"` made transparent, or ``none``; None without `chroma_key="auto"`."""
        return self.headers.get("headroom-key")

    @property
    def degraded(self) -> Optional[str]:
        """The reason for a degraded image: ``damaged-source`` or ``no-detection``; None for other images."""
        return self.headers.get("headroom-degraded")

    def save(self, path: os.PathLike[str] | str) -> None:
        """Writes the content to a file."""
        with open(path, "wb") as file:
            file.write(self.content)


@dataclass(frozen=True)
class FaceImage:
    """The image of one face; face 1 is the largest."""

    number: int
    name: str
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class FaceArchive:
    """The images of all faces. `content` is the ZIP file, which also contains `faces.json`."""

    content: bytes = field(repr=False)
    faces: Faces
    images: tuple[FaceImage, ...]

    def save(self, path: os.PathLike[str] | str) -> None:
        """Writes the ZIP file."""
        with open(path, "wb") as file:
            file.write(self.content)


def checked(response: Response) -> Response:
    """Returns the response itself. Raises the `HeadroomError` of a status other than 200."""
    if response.status == 200:
        return response
    raise ProblemError.of(response)


def crop_image(response: Response) -> CropImage:
    """Returns the image of a response."""
    headers = checked(response).headers
    return CropImage(
        content=response.content,
        content_type=response.content_type,
        decision=headers.get("headroom-decision"),
        faces=_number(headers.get("headroom-faces", "")),
        headers=headers,
    )


def _number(text: str) -> Optional[int]:
    return int(text) if text.isdecimal() else None


def document(kind: type[T], response: Response) -> T:
    """Returns the JSON object of a response."""
    try:
        return decode(kind, json.loads(checked(response).content))
    except ValueError as error:
        raise UnexpectedResponseError(response, f"the response is not a {kind.__name__}: {error}") from error


def archive(response: Response) -> FaceArchive:
    """Returns the ZIP file of a response."""
    try:
        with zipfile.ZipFile(io.BytesIO(checked(response).content)) as file:
            faces = decode(Faces, json.loads(file.read("faces.json")))
            found = ((re.fullmatch(r"face-(\d+)\.\w+", name), name) for name in file.namelist())
            images = [FaceImage(int(match[1]), name, file.read(name)) for match, name in found if match]
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        raise UnexpectedResponseError(response, f"the response is not an archive of faces: {error}") from error
    return FaceArchive(response.content, faces, tuple(sorted(images, key=lambda each: each.number)))

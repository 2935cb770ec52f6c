"""The picture of a request: the URL of one, its bytes, or a file."""

from __future__ import annotations

import os
from typing import Protocol, Union


class ReadableFile(Protocol):
    """An open binary file."""

    def read(self) -> bytes:
        """All bytes up to the end."""


PictureInput = Union[str, bytes, bytearray, memoryview, "os.PathLike[str]", ReadableFile]
"""A `str` is a URL that the service fetches; everything else is uploaded."""


def url_or_bytes(picture: PictureInput) -> Union[str, bytes]:
    """The URL, or the bytes to upload; reads files. Raises `ValueError` for text that is no URL."""
    if isinstance(picture, str):
        if "://" not in picture:
            raise ValueError(f"{picture!r} is not a URL; for a file, use pathlib.Path({picture!r})")
        return picture
    if isinstance(picture, (bytes, bytearray, memoryview)):
        return bytes(picture)
    if isinstance(picture, os.PathLike):
        with open(picture, "rb") as file:
            return file.read()
    content = picture.read()
    if not isinstance(content, bytes):
        raise ValueError("the file is open as text: open it with mode 'rb'")
    return content

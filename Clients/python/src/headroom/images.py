"""The image of a request: its URL, its bytes, or a file."""

from __future__ import annotations

import os
from typing import Protocol, Union


class ReadableFile(Protocol):
    """An open binary file."""

    def read(self) -> bytes:
        """Reads all bytes up to the end."""


ImageInput = Union[str, bytes, bytearray, memoryview, "os.PathLike[str]", ReadableFile]
"""An image: a `str` is a URL that the service fetches; other values are uploaded."""


def url_or_bytes(image: ImageInput) -> Union[str, bytes]:
    """Returns the URL, or the bytes to upload; reads files. Raises `ValueError` for text that is not a URL."""
    if isinstance(image, str):
        if "://" not in image:
            raise ValueError(f"{image!r} is not a URL; for a file, use pathlib.Path({image!r})")
        return image
    if isinstance(image, (bytes, bytearray, memoryview)):
        return bytes(image)
    if isinstance(image, os.PathLike):
        with open(image, "rb") as file:
            return file.read()
    content = image.read()
    if not isinstance(content, bytes):
        raise ValueError("the file is open as text: open it with mode 'rb'")
    return content

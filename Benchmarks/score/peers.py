"""Programs that crop images; each returns the largest crop of an aspect ratio."""

import json
import mimetypes
import pathlib
import sys
import typing
import urllib.parse
import urllib.request

import rules

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "service"))
from processes import Unavailable


def fetch(url, data=None, headers=None):
    with urllib.request.urlopen(urllib.request.Request(url, data=data, headers=headers or {}), timeout=120) as response:
        return json.load(response)


class Headroom:
    """A running headroom; `query` holds parameters."""

    def __init__(self, base, query):
        self.base, self.query = base, query

    def _ask(self, path, image):
        kind = mimetypes.guess_type(image.path.name)[0] or "application/octet-stream"
        return fetch(f"{self.base}/{path}&{self.query}", image.path.read_bytes(), {"Content-Type": kind})

    def crop(self, image, aspect):
        return rectangle(self._ask(f"frame?format=json&aspect={aspect[0]}:{aspect[1]}", image)["crop"])

    def faces(self, image):
        """Returns the detected boxes, and the milliseconds of the detection."""
        response = self._ask("faces?format=json", image)
        return [rectangle(face["box"]) for face in response["faces"]], response["detector"]["milliseconds"]


def rectangle(box):
    return (box["x"], box["y"], box["width"], box["height"])


class Thumbor:
    """A running thumbor that finds faces and profiles with OpenCV's cascades."""

    SETTINGS: typing.ClassVar = {
        "DETECTORS": ["thumbor.detectors.face_detector", "thumbor.detectors.profile_detector"],
        "LOADER": "thumbor.loaders.file_loader",
        "RESPECT_ORIENTATION": True,
    }

    def __init__(self, base, folder):
        self.base, self.folder = base, folder

    def crop(self, image, aspect):
        w, h = rules.widest(image.width, image.height, aspect)
        # The size is so small that the image is never enlarged. The crop is reported in source pixels in any case.
        scale = min(1.0, 800 / max(w, h))
        size = f"{max(1, round(w * scale))}x{max(1, round(h * scale))}"
        name = urllib.parse.quote(str(image.path.relative_to(self.folder)))
        response = fetch(f"{self.base}/unsafe/meta/{size}/smart/{name}")
        for operation in response["thumbor"]["operations"]:
            if operation["type"] == "crop":
                left, top = operation["left"], operation["top"]
                return (left, top, operation["right"] - left, operation["bottom"] - top)
        return Centre().crop(image, aspect)


class Vips:
    """libvips' attention crop."""

    def __init__(self):
        try:
            import pyvips
        except (ImportError, OSError) as error:
            raise Unavailable(f"libvips could not be loaded: {error}") from error
        self.image = pyvips.Image

    def crop(self, image, aspect):
        w, h = rules.widest(image.width, image.height, aspect)
        loaded = self.image.new_from_file(str(image.path)).autorot()
        crop = loaded.smartcrop(int(w), int(h), interesting="attention")
        return (-crop.xoffset, -crop.yoffset, crop.width, crop.height)


class Centre:
    """The crop in the centre."""

    def crop(self, image, aspect):
        w, h = rules.widest(image.width, image.height, aspect)
        return ((image.width - w) / 2, (image.height - h) / 2, w, h)

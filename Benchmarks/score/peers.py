"""Programs that crop pictures, each with the widest crop of an aspect ratio."""

import contextlib
import json
import mimetypes
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import rules

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))
from service import free_port  # noqa: E402


class Unavailable(Exception):
    """A peer is not installed; the text says why."""


def fetch(url, data=None, headers={}):
    with urllib.request.urlopen(urllib.request.Request(url, data=data, headers=headers), timeout=120) as answer:
        return json.load(answer)


@contextlib.contextmanager
def server(command, ready, **options):
    """Runs a server until the end of the block, which begins when it answers at `ready`."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        for _ in range(300):
            if process.poll() is not None:
                raise Unavailable(f"`{command[0]}` ended with status {process.returncode}")
            with contextlib.suppress(OSError):
                urllib.request.urlopen(ready, timeout=5).close()
                break
            time.sleep(0.1)
        else:
            raise Unavailable(f"`{command[0]}` did not answer within 30 s")
        yield
    finally:
        process.terminate()
        process.wait()


class Headroom:
    """A running headroom; `query` holds parameters."""

    def __init__(self, base, query=""):
        self.base, self.query = base, query

    def _ask(self, path, picture):
        kind = mimetypes.guess_type(picture.path.name)[0] or "application/octet-stream"
        query = "&".join(filter(None, [path, self.query]))
        return fetch(f"{self.base}/{query}", picture.path.read_bytes(), {"Content-Type": kind})

    def crop(self, picture, aspect):
        return rectangle(self._ask(f"frame?format=json&aspect={aspect[0]}:{aspect[1]}", picture)["crop"])

    def faces(self, picture):
        """The boxes found, and the milliseconds that took."""
        answer = self._ask("faces?format=json", picture)
        return [rectangle(face["box"]) for face in answer["faces"]], answer["detector"]["milliseconds"]


def rectangle(box):
    return (box["x"], box["y"], box["width"], box["height"])


@contextlib.contextmanager
def headroom(program):
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    environment = {**os.environ, "HEADROOM_HOST": "127.0.0.1", "HEADROOM_PORT": str(port)}
    with server([program, "serve"], f"{base}/readyz", env=environment):
        yield base


class Thumbor:
    """A running thumbor that finds faces and profiles with OpenCV's cascades."""

    def __init__(self, base, folder):
        self.base, self.folder = base, folder

    def crop(self, picture, aspect):
        w, h = rules.widest(picture.width, picture.height, aspect)
        # Small enough never to be enlarged; the crop is told in the source's pixels all the same.
        scale = min(1.0, 800 / max(w, h))
        size = f"{max(1, round(w * scale))}x{max(1, round(h * scale))}"
        name = urllib.parse.quote(str(picture.path.relative_to(self.folder)))
        answer = fetch(f"{self.base}/unsafe/meta/{size}/smart/{name}")
        for operation in answer["thumbor"]["operations"]:
            if operation["type"] == "crop":
                left, top = operation["left"], operation["top"]
                return (left, top, operation["right"] - left, operation["bottom"] - top)
        return Centre().crop(picture, aspect)


@contextlib.contextmanager
def thumbor(folder):
    program = pathlib.Path(sys.executable).with_name("thumbor")
    if not program.exists():
        raise Unavailable("thumbor could not be installed")
    settings = {
        "DETECTORS": ["thumbor.detectors.face_detector", "thumbor.detectors.profile_detector"],
        "LOADER": "thumbor.loaders.file_loader",
        "FILE_LOADER_ROOT_PATH": str(folder),
        "STORAGE": "thumbor.storages.no_storage",
        "RESPECT_ORIENTATION": True,
        "ALLOW_UNSAFE_URL": True,
    }
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
        file.writelines(f"{name} = {value!r}\n" for name, value in settings.items())
        file.flush()
        port = free_port()
        base = f"http://127.0.0.1:{port}"
        command = [str(program), "--port", str(port), "--ip", "127.0.0.1", "--conf", file.name]
        with server(command, f"{base}/healthcheck"):
            yield Thumbor(base, folder)


class Vips:
    """libvips' attention crop."""

    def __init__(self):
        try:
            import pyvips
        except (ImportError, OSError) as error:
            raise Unavailable(f"libvips could not be loaded: {error}")
        self.image = pyvips.Image

    def crop(self, picture, aspect):
        w, h = rules.widest(picture.width, picture.height, aspect)
        image = self.image.new_from_file(str(picture.path)).autorot()
        crop = image.smartcrop(int(w), int(h), interesting="attention")
        return (-crop.xoffset, -crop.yoffset, crop.width, crop.height)


class Centre:
    """The crop in the middle."""

    def crop(self, picture, aspect):
        w, h = rules.widest(picture.width, picture.height, aspect)
        return ((picture.width - w) / 2, (picture.height - h) / 2, w, h)

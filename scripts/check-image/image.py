"""Builds the image of the Dockerfile.

    sudo python3 -B scripts/check-image/image.py [IMAGE…]

As a program it builds only if the sources have changed since, and provides the other images that are named.
"""
import fnmatch
import hashlib
import pathlib
import subprocess
import sys
import time

import bases
from engine import Engine, enter_namespace

IMAGE = "headroom:check"
SOURCE = pathlib.Path(__file__).resolve().parents[2]
FOLDER = SOURCE / ".build" / "image"
LABEL = "headroom.sources"


def build(engine: Engine) -> str:
    """Builds the image and returns the name of its base image."""
    images = bases.names((SOURCE / "Dockerfile").read_text())
    for image in images:
        bases.provide(engine, image, FOLDER)
    begin = time.monotonic()
    engine.build(*bases.mounts(FOLDER), "--label", f"{LABEL}={sources()}", "--tag", IMAGE, str(SOURCE))
    print(f"image   built in {(time.monotonic() - begin) / 60:.1f} min", flush=True)
    return images[-1]


def ensure(engine: Engine):
    """Builds the image, unless one of the same sources is there."""
    labels = engine.inspect("image", IMAGE)["Labels"] if engine.has_image(IMAGE) else {}
    if (labels or {}).get(LABEL) == sources():
        print("image   of the same sources is there", flush=True)
    else:
        build(engine)


def sources() -> str:
    """A hash of the files that .dockerignore leaves in."""
    patterns = (SOURCE / ".dockerignore").read_text().split()
    listed = ["git", "-C", str(SOURCE), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.check_output(listed, text=True).split("\0")
    digest = hashlib.sha256((SOURCE / "Dockerfile").read_bytes())
    for name in sorted(set(files)):
        if (SOURCE / name).is_file() and not is_ignored(name, patterns):
            digest.update(f"{name}\0".encode() + hashlib.sha256((SOURCE / name).read_bytes()).digest())
    return digest.hexdigest()


def is_ignored(name: str, patterns: list[str]) -> bool:
    """The last pattern that fits decides; one of a folder fits all that is in it."""
    ignored = False
    for pattern in patterns:
        folder = pattern.lstrip("!")
        # Unlike in .gitignore, an asterisk fits no slash.
        fits = name.startswith(f"{folder}/") or ("/" not in name and fnmatch.fnmatch(name, folder)) or name == folder
        if fits:
            ignored = not pattern.startswith("!")
    return ignored


if __name__ == "__main__":
    enter_namespace()
    storage = Engine(FOLDER)
    for other in sys.argv[1:]:
        bases.provide(storage, other, FOLDER)
    ensure(storage)

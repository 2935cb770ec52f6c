"""Builds the container image of the Dockerfile.

    sudo python3 -B scripts/check-image/image.py [IMAGE…]

As a program, it builds the image only if the sources have changed, and also provides the images in its arguments.
"""
import hashlib
import pathlib
import subprocess
import sys
import time

import bases
from engine import WITHOUT_OLD_GROUPS, Engine, enter_namespace

IMAGE = "headroom:check"
SOURCE = pathlib.Path(__file__).resolve().parents[2]
FOLDER = SOURCE / ".build" / "image"
LABEL = "headroom.sources"


def build(engine):
    """Builds the image and returns the name of its base image."""
    images = bases.names((SOURCE / "Dockerfile").read_text())
    for image in images:
        bases.provide(engine, image, FOLDER)
    begin = time.monotonic()
    engine.build(*bases.mounts(FOLDER), "--label", f"{LABEL}={sources(engine)}", "--tag", IMAGE, str(SOURCE))
    print(f"image   built in {(time.monotonic() - begin) / 60:.1f} min", flush=True)
    return images[-1]


def sources(engine):
    """Returns the ID of an image, without times, of the Dockerfile and of the files that .dockerignore does not exclude."""
    recipe = FOLDER / "sources.Dockerfile"
    recipe.write_text("FROM scratch\nADD . /\n")
    options = ["--quiet", "--timestamp", "0", "--file", str(recipe)]
    made = engine.build(*options, str(SOURCE), stdout=subprocess.PIPE).stdout.strip()
    layers = engine.inspect("image", made)["RootFS"]["Layers"]
    engine.run("rmi", made)
    return hashlib.sha256(f"{layers}{(SOURCE / 'Dockerfile').read_text()}".encode()).hexdigest()


if __name__ == "__main__":
    enter_namespace(WITHOUT_OLD_GROUPS)
    storage = Engine(FOLDER)
    for other in sys.argv[1:]:
        bases.provide(storage, other, FOLDER)
    labels = storage.inspect("image", IMAGE)["Labels"] if storage.has_image(IMAGE) else {}
    if (labels or {}).get(LABEL) == sources(storage):
        print("image   of the same sources exists", flush=True)
    else:
        build(storage)

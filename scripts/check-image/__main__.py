"""Builds the image of the Dockerfile, runs it confined as in production, and checks its properties.

    sudo make check-image

Uses podman, with a storage of its own in .build. Base images are pulled; without a registry they are built from Debian's
packages and the local toolchain. Exits 1 if a check fails.
"""
import pathlib
import sys

import bases
import contents
import service
from engine import Engine, enter_namespace

IMAGE = "headroom:check"
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def build(engine: Engine, folder: pathlib.Path) -> str:
    """Builds the image and returns the name of its base image."""
    images = bases.names((SOURCE / "Dockerfile").read_text())
    for image in images:
        bases.provide(engine, image, folder)
    engine.run(
        "build", "--isolation", "chroot", "--format", "docker", "--pull=never", "--layers=false", "--network", "host",
        *bases.mounts(folder), "--tag", IMAGE, str(SOURCE), show=True,
    )
    return images[-1]


def main():
    enter_namespace()
    folder = SOURCE / ".build" / "image"
    engine = Engine(folder)
    base = build(engine, folder)
    failed = 0
    for sentence, check in [*contents.checks(engine, IMAGE, base), *service.checks(engine, IMAGE, SOURCE)]:
        try:
            found = check()
            print(f"ok      {sentence}: {found}", flush=True)
        except AssertionError as reason:
            failed += 1
            print(f"FAILED  {sentence}: {reason}", flush=True)
    sys.exit(1 if failed else 0)


main()

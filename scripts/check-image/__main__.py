"""Builds the image of the Dockerfile, runs it confined as in production, and checks its properties.

    sudo make check-image

Uses podman, with a storage of its own in .build. Base images are pulled; without a registry they are built from Debian's
packages and the local toolchain. Exits 1 if a check fails.
"""
import sys

import contents
import image
import service
from engine import Engine, enter_namespace


def main():
    enter_namespace()
    engine = Engine(image.FOLDER)
    base = image.build(engine)
    failed = 0
    for sentence, check in [*contents.checks(engine, image.IMAGE, base), *service.checks(engine, image.IMAGE, image.SOURCE)]:
        try:
            found = check()
            print(f"ok      {sentence}: {found}", flush=True)
        except AssertionError as reason:
            failed += 1
            print(f"FAILED  {sentence}: {reason}", flush=True)
    sys.exit(1 if failed else 0)


main()

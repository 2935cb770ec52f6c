"""Builds the image of the Dockerfile, runs it confined as in production, and checks its properties.

    sudo make check-image

Uses podman, with a storage of its own in .build. Base images are pulled; without a registry they are built from Debian's
packages and the local toolchain. Exits 1 if a check fails.
"""
import sys

sys.path.append(f"{sys.path[0]}/../lib")
import container  # noqa: E402
import contents  # noqa: E402
import image  # noqa: E402
from engine import Engine, enter_namespace  # noqa: E402


def main():
    enter_namespace()
    engine = Engine(image.FOLDER)
    base = image.build(engine)
    failed = 0
    for sentence, check in [*contents.checks(engine, image.IMAGE, base), *container.checks(engine, image.IMAGE, image.SOURCE)]:
        try:
            found = check()
            print(f"ok      {sentence}: {found}", flush=True)
        except AssertionError as reason:
            failed += 1
            print(f"FAILED  {sentence}: {reason}", flush=True)
    sys.exit(1 if failed else 0)


main()

"""Builds the container image, runs it with the restrictions of production, and checks its properties.

    sudo make check-image

Uses podman, with separate storage in .build. Base images are pulled; if no registry is available, they are built from Debian's
packages and the local toolchain. Exits 1 if a check fails.
"""
import sys

sys.path.append(f"{sys.path[0]}/../lib")
import container
import contents
import image
import report
from engine import WITHOUT_OLD_GROUPS, Engine, enter_namespace

enter_namespace(WITHOUT_OLD_GROUPS)
engine = Engine(image.FOLDER)
base = image.build(engine)
report.each(contents.checks(engine, image.IMAGE, f"docker.io/library/{base}"))
report.each(container.checks(engine, image.IMAGE))
report.end()

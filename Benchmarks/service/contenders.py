"""The compared services: their start, and the path of a crop of an image."""

import contextlib
import dataclasses
import enum
import os
import pathlib
import sys
import tempfile
import typing
import urllib.parse

import processes
import service

# The size of the requested crops, in pixels.
WIDTH, HEIGHT = 400, 300
# The number of processes or workers of each service.
AT_ONCE = 2
# Caches are disabled, because the benchmark measures the work itself.
NO_CACHES = ["--cache-sources", "0", "--cache-detections", "0", "--cache-results", "0"]


@dataclasses.dataclass
class Contender:
    """A running service, and the path that requests a crop of an image; the image is HOST:PORT/PATH."""

    name: str
    server: processes.Server
    path: typing.Callable[[str], str]


@contextlib.contextmanager
def headroom(program, *options, caches=NO_CACHES, workers=AT_ONCE, group=None, **streams):
    """Runs a `headroom serve` that fetches from this machine, by default without caches; `group` is a control group."""
    port = service.free_port()
    command = [
        program, "serve", "--port", str(port), "--allow-private-sources", "--workers", str(workers),
        "--log-level", "warning", *options, *caches,
    ]
    if group:
        command = group.around(command)
    with processes.server(command, port, "/readyz", env=service.own_environment(), **streams) as server:
        yield server


@contextlib.contextmanager
def headrooms(program, **options):
    def path(accuracy, image):
        source = urllib.parse.quote(f"http://{image}", safe="")
        return f"/frame?url={source}&width={WIDTH}&height={HEIGHT}&accuracy={accuracy}"

    with headroom(program, **options) as server:
        yield [
            Contender("Headroom, `accuracy=low`", server, lambda image: path("low", image)),
            Contender("Headroom, `accuracy=high`", server, lambda image: path("high", image)),
        ]


@contextlib.contextmanager
def thumbor_server(count=AT_ONCE, **settings):
    """Runs thumbor without caches."""
    program = pathlib.Path(sys.executable).with_name("thumbor")
    if not program.exists():
        raise processes.Unavailable("thumbor could not be installed")
    settings = {"STORAGE": "thumbor.storages.no_storage", "MAX_AGE": 0, "ALLOW_UNSAFE_URL": True, **settings}
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
        file.writelines(f"{name} = {value!r}\n" for name, value in settings.items())
        file.flush()
        port = service.free_port()
        command = [str(program), "--port", str(port), "--ip", "127.0.0.1", "--conf", file.name]
        command += ["--processes", str(count)]
        with processes.server(command, port, "/healthcheck") as server:
            yield server


@contextlib.contextmanager
def thumbor():
    """Runs thumbor with OpenCV's face detector."""
    with thumbor_server(
        DETECTORS=["thumbor.detectors.face_detector"], LOADER="thumbor.loaders.http_loader",
        HTTP_LOADER_REQUEST_TIMEOUT=60,
    ) as server:
        yield [Contender("thumbor", server, lambda image: f"/unsafe/{WIDTH}x{HEIGHT}/smart/{image}")]


class VipsBuild(enum.Enum):
    """The newest build of libvips, which cannot read HEIC, and the build of Debian, which can."""

    PYPI = "pypi"
    DEBIAN = "debian"


@contextlib.contextmanager
def vips(build=VipsBuild.PYPI):
    """Runs libvips with its attention crop, which does not search for faces."""
    port = service.free_port()
    program = pathlib.Path(__file__).with_name("vips_server.py")
    # One thread per image, as in the other services, because two processes share two cores.
    environment = {**os.environ, "VIPS_CONCURRENCY": "1"}
    with processes.server([sys.executable, str(program), str(port), build.value], port, "/ready", env=environment) as server:
        name = "libvips smartcrop" if build is VipsBuild.PYPI else "Debian's libvips smartcrop"
        yield [Contender(name, server, lambda image: f"/{WIDTH}x{HEIGHT}/{image}")]

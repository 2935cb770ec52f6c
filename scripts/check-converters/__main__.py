"""Converts files with the recipes of docs/converters.md, and sends hostile files to them.

    make check-converters

The settings are the recipes of the page. Each recipe must return an image of the expected size, or a
video with the times of the frames. Hostile SVG and PDF
files refer to a server and to a file of the check, or are large, deep or endless. The response to each of them must be
an image or a problem within the time limit. The server must not receive a request, the content of the file must not
appear in an output, and the service must still serve other requests. Prints a line for each check, and exits 1 if one
fails.
"""
import collections
import http.server
import pathlib
import struct
import sys
import tempfile
import threading
import time
import typing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
from hostile import documents, drawings
from report import check, end, equal
from samples import SVG, animation, dng, frames, pdf, png, video
from service import EXECUTABLE, Service

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "converters.md"
# The time limit in seconds for a conversion and for decoding its output on a busy machine.
LIMIT = 30
FRAME = "/frame?format=png&gravity=center"


def recipes():
    """Returns the settings in the section Recipes."""
    section = PAGE.read_text().split("## Recipes", 1)[1]
    return section.split("```yaml\n", 1)[1].split("```", 1)[0]


def size(body):
    """Returns the width and height of a PNG; None for other data."""
    return struct.unpack(">II", body[16:24]) if body.startswith(b"\x89PNG") else None


class Listener(http.server.BaseHTTPRequestHandler):
    """A server that counts its requests."""

    asked: typing.ClassVar[list[str]] = []

    def do_GET(self):
        self.asked.append(self.path)
        self.send_error(404)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


def check_recipes(service, folder):
    pages = pdf([200, 400])
    films = {"MP4": video(folder, "a.mp4"), "WebM": video(folder, "a.webm")}
    cases = [
        ("SVG", SVG, "", (2000, 1000)), ("PDF, page 1", pages, "", (2000, 1000)), ("PDF, page 2", pages, "&page=2", (2000, 500)),
        ("DNG", dng(64, 48), "", (32, 24)),
        *((name, film, "", (64, 48)) for name, film in films.items()),
        *((f"{name}, 2.5 s", film, "&frame=2.5s", (64, 48)) for name, film in films.items()),
    ]
    for name, body, query, expected in cases:
        status, _, response = service.ask(FRAME + query, body)
        equal(f"{name} is converted", (status, size(response)), (200, expected))
    first, later = (service.ask(FRAME + query, films["MP4"])[2] for query in ("", "&frame=2.5s"))
    check("frames of a video differ", first != later)
    equal("a page beyond the last is a problem", service.ask(f"{FRAME}&page=3", pages)[0], 422)
    equal("a damaged video is a problem", service.ask(FRAME, films["MP4"][:2000])[0], 422)


def check_videos(service, folder):
    # The last frame is long, as in many GIFs.
    delays = [100, 40, 500, 20, 1000, 130, 70, 2000]
    source = animation(63, 41, delays)
    starts = [sum(delays[:number]) for number in range(len(delays))] + [sum(delays) - 10]
    for name, codec, kind in (("mp4", "h264", "video/mp4"), ("webm", "vp9", "video/webm")):
        status, headers, response = service.ask(f"/frame?gravity=center&format={name}", source)
        equal(f"an animation is written as {name}", (status, headers.get("Content-Type")), (200, kind))
        equal(f"the frames of {name} have their times and even sides", frames(folder, response), (f"{codec},62,40", starts))
    equal("a still image has no video", service.ask("/frame?format=mp4", png(20, 10, (0, 200, 0)))[0], 422)


def check_hostile(service, folder, port):
    secret = folder / "secret.png"
    kinds = {"SVG": drawings, "PDF": documents}
    responses: dict[tuple[str, str], dict[str, bytes]] = collections.defaultdict(dict)
    for address in (f"http://127.0.0.1:{port}/a.png", f"file://{secret}", f"file://{folder}/missing.png", "file:///etc/passwd"):
        for kind, make in kinds.items():
            for name, body in make(address).items():
                if address.encode() not in body and (kind, name) in responses:
                    continue
                start = time.monotonic()
                status, _, response = service.ask(FRAME, body)
                seconds = time.monotonic() - start
                # The root element of a document with a deep tree may be after the examined bytes.
                check(f"{kind} with {name} ({address.partition(':')[0]})", status in (200, 415, 422) and seconds < LIMIT,
                      f"{status} after {seconds:.1f} s")
                responses[kind, name][address] = response
    for (kind, name), outputs in responses.items():
        output = outputs.get(f"file://{secret}")
        if output is not None:
            missing = outputs.get(f"file://{folder}/missing.png", output)
            equal(f"the file is not in the output of {kind} with {name}", output, missing)
    equal("nothing was requested", Listener.asked, [])
    equal("other requests are served", service.ask(FRAME, png(20, 10, (0, 200, 0)))[0], 200)
    check("no converter is left", not left(service.pid), left(service.pid))


def left(service):
    """Returns the names of child processes of the service, except its workers."""
    names = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            text = entry.read_text()
        except OSError:
            continue
        name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
        if int(rest[1]) == service and not name.startswith(("headroom", "exe")):
            names.append(name)
    return names


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "headroom.yaml").write_text(recipes())
        (folder / "secret.png").write_bytes(png(50, 50, (0, 0, 255)))
        listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener)
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        with Service(EXECUTABLE, "--config", folder / "headroom.yaml", "--max-memory", "2048", "--max-source-memory", "512") as service:
            check_recipes(service, folder)
            check_videos(service, folder)
            check_hostile(service, folder, listener.server_address[1])
    end()


main()

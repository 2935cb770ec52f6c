"""Serves libvips' attention crop with a small HTTP server of two processes: vips_server.py PORT pypi|debian.

`/400x300/HOST:PORT/PATH` fetches an image over a persistent connection, crops and scales it, and responds with a JPEG.
"""

import http.client
import http.server
import os
import sys
import typing

if sys.argv[2] == "debian":
    # Without this module, which contains the build of PyPI, pyvips loads the library of the system.
    sys.modules["_libvips"] = None  # type: ignore[assignment]
import pyvips

PROCESSES = 2


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    origins: typing.ClassVar[dict[str, http.client.HTTPConnection]] = {}

    def do_GET(self) -> None:
        if self.path == "/ready":
            self.respond(b"ready\n", "text/plain")
            return
        _, size, origin, path = self.path.split("/", 3)
        width, height = map(int, size.split("x"))
        image = pyvips.Image.thumbnail_buffer(self.fetch(origin, path), width, height=height, crop="attention")
        self.respond(image.jpegsave_buffer(Q=82, optimize_coding=True), "image/jpeg")

    def fetch(self, origin: str, path: str) -> bytes:
        connection = self.origins.setdefault(origin, http.client.HTTPConnection(origin))
        connection.request("GET", f"/{path}")
        return connection.getresponse().read()

    def respond(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Listener(http.server.HTTPServer):
    request_queue_size = 128


def main() -> None:
    # Each process handles one image at a time, as in the other services.
    pyvips.cache_set_max(0)
    server = Listener(("127.0.0.1", int(sys.argv[1])), Handler)
    for _ in range(PROCESSES - 1):
        if os.fork() == 0:
            break
    server.serve_forever()


main()

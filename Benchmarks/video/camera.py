"""A camera: sends the same frames over and over to everyone who connects."""

import http.server
import threading
import time
import typing


class Camera:
    """Serves JPEGs as `multipart/x-mixed-replace` at a number of frames a second, until the end of a block."""

    def __init__(self, frames: list[bytes], rate: float):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.send_header("Connection", "close")
                self.end_headers()
                start = time.monotonic()
                for number in range(1 << 30):
                    frame = frames[number % len(frames)]
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(frame)}\r\n\r\n"
                    try:
                        self.wfile.write(head.encode() + frame + b"\r\n")
                    except OSError:
                        return
                    time.sleep(max(0.0, start + (number + 1) / rate - time.monotonic()))

            def log_message(self, format: str, *arguments: typing.Any) -> None:
                """Cameras are quiet."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http%3A%2F%2F127.0.0.1%3A{self.server.server_port}%2F"

    def __enter__(self) -> "Camera":
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

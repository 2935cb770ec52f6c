"""An origin of pictures of several sizes, drawn here."""
import functools
import http.server
import io

from PIL import Image, ImageDraw

#: Names and sizes of the pictures.
PICTURES = {
    "wide.jpg": (640, 360), "photo.jpg": (800, 532), "small.png": (160, 100), "tall.png": (300, 451),
    "square.jpg": (256, 256), "odd.jpg": (641, 427), "strip.png": (900, 90), "alpha.png": (200, 150),
}


@functools.cache
def picture(name):
    """The bytes of a picture: a gradient with shapes."""
    width, height = PICTURES[name]
    mode = "RGBA" if name == "alpha.png" else "RGB"
    image = Image.linear_gradient("L").resize((width, height)).convert(mode)
    draw = ImageDraw.Draw(image)
    draw.ellipse((width // 4, height // 4, width // 2, height // 2), fill=(200, 40, 40))
    draw.rectangle((width // 2, height // 2, width * 3 // 4, height * 3 // 4), fill=(40, 80, 200))
    data = io.BytesIO()
    image.save(data, "JPEG" if name.endswith(".jpg") else "PNG")
    return data.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the pictures, a text at /text.jpg, and 404 elsewhere."""

    def do_GET(self):
        name = self.path.lstrip("/").split("?")[0]
        body = picture(name) if name in PICTURES else b"no picture" if name == "text.jpg" else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", "image/jpeg" if name.endswith(".jpg") else "image/png")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

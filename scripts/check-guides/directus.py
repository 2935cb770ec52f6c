"""A stand-in for Directus: the routes and fields of its API that docs/guides/cms.md uses."""
import http.server
import json
import threading
import urllib.parse

TOKEN = "secret"


class Directus(http.server.ThreadingHTTPServer):
    """Files by ID, of which one has a focal point that somebody has set."""

    daemon_threads = True

    def __init__(self, pictures):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pictures = {file.stem: file for file in (pictures / "scene.jpg", pictures / "nobody.jpg", pictures / "portrait.jpg")}
        self.points = {name: (None, None) for name in self.pictures} | {"portrait": (7, 9)}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def check(self):
        """Fails unless the missing points are filled, and only those."""
        assert self.points["portrait"] == (7, 9), "a point that was set has changed"
        assert self.points["nobody"] == (None, None), "a picture without a face has a point"
        x, y = self.points["scene"]
        assert isinstance(x, int) and isinstance(y, int) and 0 < x < 1600 and 0 < y < 900, f"the point is {x}, {y}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(address.query)
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.answer(401, {"errors": [{"message": "Invalid user credentials."}]})
        if address.path == "/files":
            known = {"filter[type][_starts_with]", "filter[focal_point_x][_null]", "fields", "limit"}
            if set(query) != known or query["filter[focal_point_x][_null]"] != ["true"]:
                return self.answer(400, {"errors": [{"message": f"Invalid query: {query}"}]})
            return self.answer(200, {"data": [{"id": name} for name, point in self.server.points.items() if point[0] is None]})
        picture = self.server.pictures.get(address.path.removeprefix("/assets/"))
        if not address.path.startswith("/assets/") or picture is None:
            return self.answer(403, {"errors": [{"message": "You don't have permission to access this."}]})
        return self.answer(200, picture.read_bytes(), "image/jpeg")

    def do_PATCH(self):
        name = self.path.removeprefix("/files/")
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        right = self.headers.get("Authorization") == f"Bearer {TOKEN}" and name in self.server.points
        if not right or set(body) != {"focal_point_x", "focal_point_y"} or not all(isinstance(each, int) for each in body.values()):
            return self.answer(400, {"errors": [{"message": f"Invalid payload: {body}"}]})
        self.server.points[name] = (body["focal_point_x"], body["focal_point_y"])
        return self.answer(200, {"data": {"id": name, **body}})

    def answer(self, status, body, kind="application/json"):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass

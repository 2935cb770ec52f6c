"""A replacement for Directus: the routes and fields of its API that docs/guides/cms.md uses."""
import json
import urllib.parse

import service

IMAGES = {name: (service.IMAGES / f"{name}.jpg").read_bytes() for name in ("scene", "nobody", "portrait")}
# The focal points; an editor has set one of them.
POINTS = {"scene": (None, None), "nobody": (None, None), "portrait": (7, 9)}


def start():
    """Starts the server, and returns its port."""
    return int(service.origin(Handler).rpartition(":")[2])


def check():
    """Fails unless exactly the missing points were set."""
    assert POINTS["portrait"] == (7, 9), "a point that was set has changed"
    assert POINTS["nobody"] == (None, None), "an image without a face has a point"
    x, y = POINTS["scene"]
    assert isinstance(x, int) and isinstance(y, int) and 0 < x < 1600 and 0 < y < 900, f"the point is {x}, {y}"


class Handler(service.Handler):
    """Files by ID."""

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(address.query)
        if not self.is_authorised():
            return self.say(401, {"errors": [{"message": "Invalid user credentials."}]})
        if address.path == "/files":
            known = {"filter[type][_starts_with]", "filter[focal_point_x][_null]", "fields", "limit"}
            if set(query) != known or query["filter[focal_point_x][_null]"] != ["true"]:
                return self.say(400, {"errors": [{"message": f"Invalid query: {query}"}]})
            return self.say(200, {"data": [{"id": name} for name, (x, _) in POINTS.items() if x is None]})
        folder, _, name = address.path.rpartition("/")
        if folder != "/assets" or name not in IMAGES:
            return self.say(403, {"errors": [{"message": "You don't have permission to access this."}]})
        return self.respond(200, IMAGES[name])

    def do_PATCH(self):
        name = self.path.removeprefix("/files/")
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        is_point = set(body) == {"focal_point_x", "focal_point_y"} and {type(each) for each in body.values()} == {int}
        if not self.is_authorised() or name not in POINTS or not is_point:
            return self.say(400, {"errors": [{"message": f"Invalid payload: {body}"}]})
        POINTS[name] = (body["focal_point_x"], body["focal_point_y"])
        return self.say(200, {"data": {"id": name, **body}})

    def is_authorised(self):
        return self.headers.get("Authorization") == "Bearer secret"

    def say(self, status, value):
        self.respond(status, json.dumps(value).encode(), "application/json")

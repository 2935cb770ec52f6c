"""imgix: addresses made by its own Python package, sizes by its documented rules."""
import random
import urllib.parse

import imgix

from case import Case
from origin import PICTURES
from sizes import MOST_PIXELS, doubled, inside, shaped, unsuited

TOKEN = "FOO123bar"
VARIABLES = {"HEADROOM_IMGIX_TOKEN": TOKEN}
CROPS = ["faces", "entropy", "faces,entropy", "faces,bottom", "top", "left,bottom", "edges", "focalpoint"]


def address(source, parameters, token=TOKEN):
    """The path and query that imgix' package makes of a source."""
    builder = imgix.UrlBuilder("pictures.imgix.net", sign_key=token, include_library_param=True)
    url = urllib.parse.urlsplit(builder.create_url(source, parameters))
    return f"/imgix{url.path}?{url.query}"


def size_of(fit, used, box):
    """The size of a result."""
    if fit in ("clip", "max", None) or fit == "crop" and None in box:
        return inside(used, box, fit != "max")
    return shaped(used, box) if fit == "min" else box


def generated(base, count, seed):
    """Random addresses."""
    picks = random.Random(seed)
    while count:
        name, own = picks.choice(sorted(PICTURES.items()))
        sides = [picks.randint(2, 900), picks.randint(2, 900)]
        fit = picks.choice(["clip", "max", "crop", "min", "fill", "fillmax", "scale", None])
        if fit in ("clip", "max", "crop", None) and picks.random() < 0.4:
            sides[picks.randrange(2)] = None
        parameters = {name: side for name, side in zip("wh", sides) if side}
        used = own
        if picks.random() < 0.3:
            x, y = picks.randrange(own[0]), picks.randrange(own[1])
            part = picks.randint(1, own[0]), picks.randint(1, own[1])
            parameters["rect"] = f"{x},{y},{part[0]},{part[1]}"
            used = min(part[0], own[0] - x), min(part[1], own[1] - y)
        ratio = picks.choice([None, None, 1, 2, 1.5])
        box = doubled(sides, ratio or 1)
        parameters.update({key: value for key, value in (("fit", fit), ("dpr", ratio)) if value})
        if fit == "crop":
            parameters["crop"] = picks.choice(CROPS)
        if picks.random() < 0.5:
            parameters["q"] = picks.randint(20, 90)
        if picks.random() < 0.2:
            parameters["auto"] = "format,compress"
        size = size_of(fit, used, box)
        if unsuited(used) or None not in sides and unsuited(sides) or size[0] * size[1] > MOST_PIXELS:
            continue
        count -= 1
        yield Case(address(f"{base}/{name}", parameters), None, (200, size))


def cases(base, count, seed):
    """Random addresses, and errors."""
    yield from generated(base, count, seed)
    source, own = f"{base}/wide.jpg", PICTURES["wide.jpg"]
    small = (200, inside(own, (30, None), True))
    for path, expected in [
        (address(source, {"w": 30}).replace("w=30", "w=31"), (403, None)),
        (address(source, {"w": 30}, "another-token"), (403, None)),
        (address(source, {"w": 30}, None), (403, None)),
        (address(source, {"w": 30, "expires": 1}), (404, None)),
        (address(source, {"w": 30, "expires": 4_000_000_000}), small),
        (address(source, {"w": 30, "px": 5}), (501, None)),
        (address(source, {"w": 30, "txt": "Hello, world"}), (501, None)),
        (address(source, {"w": 30, "sharp": 10, "unknown": 1}), small),
        (address(f"{base}/absent.jpg", {"w": 30}), (404, None)),
        (address(source, {"fit": "crop", "ar": "1:1"}), (200, (360, 360))),
        (address(source, {"fit": "crop", "ar": "16:9", "w": 320}), (200, (320, 180))),
        (address(source, {"fit": "facearea", "w": 90, "h": 60}), (200, (90, 60))),
        (address(source, {"w": 0.5}), (200, inside(own, (own[0] // 2, None), True))),
        (address(source, {"w": 0.25, "h": 0.5, "fit": "crop"}), (200, (own[0] // 4, own[1] // 2))),
        (address(source, {"h": 0.5, "dpr": 2, "fit": "max"}), (200, own)),
        (address(source, {"w": 90, "mask": "ellipse", "dl": "a b.jpg"}), (200, inside(own, (90, None), True))),
        (address(source, {"w": 90, "mask": "corners", "corner-radius": 9, "fm": "jpg"}),
         (200, inside(own, (90, None), True))),
    ]:
        yield Case(path, None, expected)

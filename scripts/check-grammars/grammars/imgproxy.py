"""imgproxy: sizes by its documented rules, computed here."""
import base64
import hashlib
import hmac
import math
import random

from case import Case
from origin import PICTURES

KEY, SALT = "secret-key".encode(), "salt-salt".encode()
VARIABLES = {"HEADROOM_IMGPROXY_KEY": KEY.hex(), "HEADROOM_IMGPROXY_SALT": SALT.hex()}


def half_up(number):
    """Rounds like imgproxy: halves away from zero."""
    return max(1, math.floor(number + 0.5))


def resized(size, kind, width, height, enlarge, ratio=1.0):
    """The size that `rs:kind:width:height:enlarge` and `dpr:ratio` give a picture: shrink factors, then the crop."""
    source_width, source_height = size
    if kind == "auto":
        kind = "fill" if (source_width >= source_height) == (width >= height) else "fit"
    across = source_width / width if width else 1.0
    down = source_height / height if height else 1.0
    if not width and not height:
        return half_up(source_width * min(ratio, 1)), half_up(source_height * min(ratio, 1))
    if kind != "force" or not (width and height):
        if not width:
            across = down
        elif not height:
            down = across
        elif kind in ("fill", "fill-down"):
            across = down = min(across, down)
        else:
            across = down = max(across, down)
    if not enlarge and min(across, down) < 1:
        least = min(across, down)
        across, down = across / least, down / least
    if not enlarge:
        ratio = min(ratio, across, down)
    scaled = half_up(source_width / across * ratio), half_up(source_height / down * ratio)
    if kind == "fill":
        box = half_up(width * ratio), half_up(height * ratio)
        return min(scaled[0], box[0] if width else scaled[0]), min(scaled[1], box[1] if height else scaled[1])
    if kind == "fill-down" and width and height:
        if width > scaled[0] or height > scaled[1]:
            ratio = width / height
            if scaled[0] / scaled[1] > ratio:
                return half_up(scaled[1] * ratio), scaled[1]
            return scaled[0], half_up(scaled[0] / ratio)
        return width, height
    return scaled


def cases(base, count, seed):
    """Generated addresses of every type, source form and orientation; and errors."""
    chance = random.Random(seed)

    def signed(rest, expected):
        code = hmac.new(KEY, SALT + rest.encode(), hashlib.sha256).digest()
        return Case(f"/imgproxy/{base64.urlsafe_b64encode(code).decode().rstrip('=')}{rest}", None, expected)

    def source(name):
        address = f"{base}/{name}"
        if chance.random() < 0.5:
            return f"plain/{address}"
        return base64.urlsafe_b64encode(address.encode()).decode().rstrip("=")

    side = lambda: chance.choice([0, 16, 30, 50, 100, 101, 150, 200, 300, 333, 451, 640, 1000])
    for _ in range(count):
        name = chance.choice(list(PICTURES))
        size = PICTURES[name]
        kind, enlarge = chance.choice(["fit", "fill", "fill-down", "force", "auto"]), chance.random() < 0.3
        if kind == "fill-down":
            enlarge = False
        width, height = side(), side()
        rest = f"/rs:{kind}:{width}:{height}:{int(enlarge)}"
        if chance.random() < 0.3:
            rest += "/g:" + chance.choice(
                ["no", "soea", "sm", "fp:0.3:0.7", "ce", "nowe:10:20", "soea:0.1:5", "ce:-12:0.05"])
        if chance.random() < 0.2:
            crop = chance.choice([50, 120]), chance.choice([40, 90])
            rest += f"/c:{crop[0]}:{crop[1]}:" + chance.choice(["ce", "no", "sowe", "fp:0.9:0.1", "noea:5:0.1"])
            size = min(crop[0], size[0]), min(crop[1], size[1])
        ratio = chance.choice([0.5, 0.75, 0.3]) if kind in ("fit", "fill", "auto") and chance.random() < 0.2 else 1.0
        if ratio < 1:
            rest += f"/dpr:{ratio}"
        expected = resized(size, kind, width, height, enlarge, ratio)
        yield signed(f"{rest}/{source(name)}", (200, expected))
    yield signed(f"/nonsense:1/{source('wide.jpg')}", (404, None))
    yield signed(f"/q:101/{source('wide.jpg')}", (404, None))
    yield signed(f"/w:10/{source('missing.jpg')}", (404, None))
    yield signed(f"/w:10/{source('text.jpg')}", (422, None))
    yield signed(f"/exp:1/{source('wide.jpg')}", (404, None))
    yield Case(f"/imgproxy/wrong/w:10/{source('wide.jpg')}", None, (403, None))

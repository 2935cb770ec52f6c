"""imgproxy: sizes computed by its documented rules."""
import base64
import hmac
import math
import random

from hosted import IMAGES

KEY, SALT = b"secret-key", b"salt-salt"
VARIABLES = {"HEADROOM_IMGPROXY_KEY": KEY.hex(), "HEADROOM_IMGPROXY_SALT": SALT.hex()}
SIDES = [0, 16, 30, 50, 100, 101, 150, 200, 300, 333, 451, 640, 1000]


def half_up(number):
    """Rounds like imgproxy: halves away from zero."""
    return max(1, math.floor(number + 0.5))


def resized(size, kind, width, height, enlarge, ratio=1.0):
    """Returns an image's size after `rs:kind:width:height:enlarge` and `dpr:ratio`: shrink factors first, then the crop."""
    source_width, source_height = size
    if kind == "auto":
        kind = "fill" if (source_width >= source_height) == (width >= height) else "fit"
    if not width and not height:
        return half_up(source_width * min(ratio, 1)), half_up(source_height * min(ratio, 1))
    across = source_width / (width or height * source_width / source_height)
    down = source_height / (height or width * source_height / source_width)
    if kind != "force":
        across = down = min(across, down) if kind in ("fill", "fill-down") else max(across, down)
    if not enlarge:
        least = min(across, down, 1)
        across, down = across / least, down / least
        ratio = min(ratio, across, down)
    scaled = half_up(source_width / across * ratio), half_up(source_height / down * ratio)
    if kind == "fill":
        box = half_up(width * ratio), half_up(height * ratio)
        return min(scaled[0], box[0] if width else scaled[0]), min(scaled[1], box[1] if height else scaled[1])
    if kind == "fill-down" and width and height:
        if width <= scaled[0] and height <= scaled[1]:
            return width, height
        ratio = width / height
        if scaled[0] / scaled[1] > ratio:
            return half_up(scaled[1] * ratio), scaled[1]
        return scaled[0], half_up(scaled[0] / ratio)
    return scaled


def encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def signed(rest):
    return f"/imgproxy/{encoded(hmac.digest(KEY, SALT + rest.encode(), 'sha256'))}{rest}"


def cases(base, count, seed):
    """Generates URLs of every type, source form and orientation, and with a source that is not an image."""
    chance = random.Random(seed)
    for _ in range(count):
        name, size = chance.choice(list(IMAGES.items()))
        kind = chance.choice(["fit", "fill", "fill-down", "force", "auto"])
        width, height = chance.choice(SIDES), chance.choice(SIDES)
        enlarge = chance.random() < 0.3 and kind != "fill-down"
        rest = f"/rs:{kind}:{width}:{height}:{int(enlarge)}"
        if chance.random() < 0.3:
            rest += "/g:" + chance.choice(
                ["no", "soea", "sm", "fp:0.3:0.7", "ce", "nowe:10:20", "soea:0.1:5", "ce:-12:0.05"])
        if chance.random() < 0.2:
            crop = chance.choice([50, 120]), chance.choice([40, 90])
            rest += f"/c:{crop[0]}:{crop[1]}:" + chance.choice(["ce", "no", "sowe", "fp:0.9:0.1", "noea:5:0.1"])
            size = min(crop[0], size[0]), min(crop[1], size[1])
        ratio = chance.choice([0.5, 0.75, 0.3]) if kind in ("fit", "fill", "auto") and chance.random() < 0.2 else 1.0
        rest += f"/dpr:{ratio}" if ratio < 1 else ""
        source = chance.choice([f"plain/{base}/{name}", encoded(f"{base}/{name}".encode())])
        yield signed(f"{rest}/{source}"), (200, resized(size, kind, width, height, enlarge, ratio))
    yield signed(f"/w:10/plain/{base}/text.jpg"), (422, None)

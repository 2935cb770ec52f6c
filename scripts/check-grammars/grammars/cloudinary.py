"""Cloudinary: addresses made by its own Python package, sizes by its documented rules."""
import random
import urllib.parse

import cloudinary.utils

from case import Case
from origin import PICTURES
from sizes import MOST_PIXELS, boxed, doubled, inside, unsuited

SECRET = "abcd-efgh-0123456789-xyz"
VARIABLES = {"HEADROOM_CLOUDINARY_SECRET": SECRET}
CROPPING = ["fill", "lfill", "thumb", "auto"]


def address(source, **options):
    """The path and query that Cloudinary's package makes of a source."""
    options = {"sign_url": True, "api_secret": SECRET, **options}
    url, _ = cloudinary.utils.cloudinary_url(source, type="fetch", cloud_name="demo", secure=True, **options)
    url = urllib.parse.urlsplit(url)
    return f"/cloudinary{url.path}" + (f"?{url.query}" if url.query else "")


def size_of(mode, used, box):
    """The size of a result."""
    if mode in ("fit", "limit"):
        return inside(used, box, mode == "fit")
    return boxed(used, box) if mode == "lfill" else box


def generated(base, count, seed):
    """Random addresses."""
    picks = random.Random(seed)
    while count:
        name, own = picks.choice(sorted(PICTURES.items()))
        sides = picks.randint(2, 900), picks.randint(2, 900)
        mode = picks.choice(["scale", "fit", "limit", "pad", "lpad", None, *CROPPING])
        step = {"width": sides[0], "height": sides[1]}
        ratio = picks.choice([None, None, "2.0"])
        step.update({key: value for key, value in (("crop", mode), ("dpr", ratio)) if value})
        if mode in CROPPING:
            step["gravity"] = "auto" if mode == "auto" else picks.choice(["face", "faces", "auto", "north", "center"])
        used, steps = own, []
        if picks.random() < 0.3:
            x, y = picks.randrange(own[0]), picks.randrange(own[1])
            part = picks.randint(1, own[0]), picks.randint(1, own[1])
            used = min(part[0], own[0] - x), min(part[1], own[1] - y)
            steps.append({"crop": "crop", "x": x, "y": y, "width": part[0], "height": part[1]})
        size = size_of(mode, used, doubled(sides, ratio or 1))
        if unsuited(used) or unsuited(sides) or unsuited(size) or size[0] * size[1] > MOST_PIXELS:
            continue
        count -= 1
        steps += [step, {"quality": picks.choice(["auto", "auto:eco", 60])}]
        path = address(f"{base}/{name}", transformation=steps, long_url_signature=picks.random() < 0.5)
        yield Case(path, None, (200, size))


def cases(base, count, seed):
    """Random addresses, and errors."""
    yield from generated(base, count, seed)
    source, own = f"{base}/wide.jpg", PICTURES["wide.jpg"]
    fill = {"crop": "fill", "width": 30, "height": 20}
    for path, expected in [
        (address(source, **fill).replace("w_30", "w_31"), (401, None)),
        (address(source, **fill, sign_url=False), (401, None)),
        (address(source, **fill, api_secret="another-secret"), (401, None)),
        (address(source, **fill, effect="cartoonify"), (501, None)),
        (address(source, **fill, angle=90), (501, None)),
        (address(source, crop="fil", width=30), (400, None)),
        (address(f"{base}/absent.jpg", **fill), (404, None)),
        (address(f"{base}/wide.jpg?version=1&b=c d", width=30), (200, inside(own, (30, None), True))),
        (address(source, width=30, fetch_format="auto", quality="auto"), (200, inside(own, (30, None), True))),
        (address(source, crop="fill", aspect_ratio="16:10", width=320), (200, (320, 200))),
        (address(source, transformation=[fill, {"angle": 90}]), (200, (20, 30))),
        (address(source, width="0.5", crop="scale"), (200, inside(own, (own[0] // 2, None), True))),
        (address(source, width="0.25", height="0.5", crop="fill"), (200, (own[0] // 4, own[1] // 2))),
        (address(source, crop="crop", gravity="face", width=90, height=80), (200, (90, 80))),
        (address(source, crop="crop", gravity="auto", width=9000, height=80), (200, (own[0], 80))),
        (address(source, crop="crop", gravity="center", x=5, y=7, width=90, height=80), (200, (90, 80))),
        (address(source, **fill, radius="max", flags="attachment:a"), (200, (30, 20))),
        (address(source, transformation=[fill, {"width": 15, "crop": "scale"}]), (200, (15, 10))),
    ]:
        yield Case(path, None, expected)

"""Hosted services, which cannot run here for a comparison. If a service has a Python package, the package generates the
URLs. The expected output sizes are computed from the documented rules, in exact fractions."""
import math
import random
import urllib.parse
from fractions import Fraction

import cloudinary.utils
import imgix

#: Names and sizes of the images.
IMAGES = {
    "wide.jpg": (640, 360), "photo.jpg": (800, 532), "small.png": (160, 100), "tall.png": (300, 451),
    "square.jpg": (256, 256), "odd.jpg": (641, 427), "strip.png": (900, 90), "alpha.png": (200, 150),
}
SECRET, TOKEN = "abcd-efgh-0123456789-xyz", "FOO123bar"
VARIABLES = {"HEADROOM_CLOUDINARY_SECRET": SECRET, "HEADROOM_IMGIX_TOKEN": TOKEN}
MAX_PIXELS = 3_000_000
IMGIX_CROPS = ["faces", "entropy", "faces,entropy", "faces,bottom", "top", "left,bottom", "edges", "focalpoint"]


# Sizes


def nearest(number):
    """The nearest whole number, at least 1; halves are rounded up."""
    return max(1, math.floor(number + Fraction(1, 2)))


def times(sides, ratio):
    return tuple(None if side is None else nearest(side * Fraction(str(ratio or 1))) for side in sides)


def inside(source, box, enlarge=True):
    """Returns the maximum size inside a box with the aspect ratio of an image; a side of the box may be None."""
    scale = min([Fraction(side, own) for side, own in zip(box, source) if side] + ([] if enlarge else [Fraction(1)]))
    return nearest(source[0] * scale), nearest(source[1] * scale)


def shaped(source, box):
    """Returns the size of a crop with the aspect ratio of a box, limited by the image."""
    if box in (inside(source, (box[0], None)), inside(source, (None, box[1]))):
        # An image is not cropped if its aspect ratio differs only by rounding.
        crop = source
    elif source[0] * box[1] > source[1] * box[0]:
        crop = min(source[0], nearest(Fraction(source[1] * box[0], box[1]))), source[1]
    else:
        crop = source[0], min(source[1], nearest(Fraction(source[0] * box[1], box[0])))
    return box if box[0] <= crop[0] and box[1] <= crop[1] else crop


def common(source, box):
    """Returns the part of a box that an image covers if it is scaled to cover the box, but never enlarged."""
    return min(source[0], box[0]), min(source[1], box[1])


# URLs of a source with options; options that are None are omitted


def given(options):
    return {name: value for name, value in options.items() if value is not None}


def cloudflare_address(source, **options):
    return f"/cdn-cgi/image/{','.join(f'{name}={value}' for name, value in given(options).items())}/{source}"


def cloudinary_address(source, **options):
    options = {"sign_url": True, "api_secret": SECRET, **given(options)}
    made, _ = cloudinary.utils.cloudinary_url(source, type="fetch", cloud_name="demo", secure=True, **options)
    return f"/cloudinary{made.partition('res.cloudinary.com')[2]}"


def imagekit_address(source, **options):
    return f"/imagekit/tr:{','.join(f'{name}-{value}' for name, value in given(options).items())}/{source}"


def imgix_address(source, **options):
    builder = imgix.UrlBuilder("images.imgix.net", sign_key=TOKEN, include_library_param=True)
    return f"/imgix{builder.create_url(source, given(options)).partition('images.imgix.net')[2]}"


def weserv_address(source, **options):
    return "/weserv/?" + urllib.parse.urlencode({"url": source, **given(options)})


def next_address(source, **options):
    return "/_next/image?" + urllib.parse.urlencode({"url": source, "q": 75, **given(options)})


def shopify_address(source, **options):
    return f"/shopify/{source}?" + urllib.parse.urlencode(given(options))


def sanity_address(source, **options):
    return f"/sanity/{source}?" + urllib.parse.urlencode(given(options), safe=",")


# Random cases: a URL, the size of its output, and the part of the source that it uses


def encoded(picks, source):
    """Returns a source, sometimes encoded as a single path segment."""
    return urllib.parse.quote(source, safe="") if picks.random() < 0.3 else source


def part(picks, own):
    """Returns a part of an image (x, y, width and height), which may exceed the image, and its size within the image."""
    x, y = picks.randrange(own[0]), picks.randrange(own[1])
    width, height = picks.randint(1, own[0]), picks.randint(1, own[1])
    return (x, y, width, height), (min(width, own[0] - x), min(height, own[1] - y))


def cloudflare(picks, source, own, sides):
    fit = picks.choice(["scale-down", "contain", "pad", "squeeze", None, "cover", "crop", "aspect-crop"])
    ratio = picks.choice([None, None, 2, 3])
    gravity = picks.choice(["face", "auto", "left", "0.5x0.33"]) if fit in ("cover", "crop", "aspect-crop") else None
    box = times(sides, min(ratio or 1, 2))
    size = {"scale-down": inside(own, box, False), None: inside(own, box, False), "contain": inside(own, box),
            "crop": common(own, box), "aspect-crop": shaped(own, box)}.get(fit, box)
    source = encoded(picks, source)
    return cloudflare_address(source, width=sides[0], height=sides[1], fit=fit, dpr=ratio, gravity=gravity), size, own


def cloudinary_(picks, source, own, sides):
    mode = picks.choice(["scale", "fit", "limit", "pad", "lpad", None, "fill", "lfill", "thumb", "auto"])
    ratio = picks.choice([None, None, "2.0"])
    gravity = picks.choice(["face", "faces", "auto", "north", "center"]) if mode in ("fill", "lfill", "thumb") else None
    gravity = "auto" if mode == "auto" else gravity
    steps = [given({"width": sides[0], "height": sides[1], "crop": mode, "dpr": ratio, "gravity": gravity}),
             {"quality": picks.choice(["auto", "auto:eco", 60])}]
    used = own
    if picks.random() < 0.3:
        (x, y, width, height), used = part(picks, own)
        steps.insert(0, {"crop": "crop", "x": x, "y": y, "width": width, "height": height})
    box = times(sides, ratio)
    size = {"fit": inside(used, box), "limit": inside(used, box, False), "lfill": common(used, box)}.get(mode, box)
    return cloudinary_address(source, transformation=steps, long_url_signature=picks.random() < 0.5), size, used


def imagekit(picks, source, own, sides):
    crop = picks.choice(["maintain_ratio", "force", "at_max", "at_max_enlarge", None])
    ratio = picks.choice([None, None, 2])
    focus = picks.choice(["face", "auto", "left", "bottom_right"]) if crop in ("maintain_ratio", None) else None
    box = times(sides, ratio)
    size = {"at_max": inside(own, box, False), "at_max_enlarge": inside(own, box)}.get(crop, box)
    return imagekit_address(encoded(picks, source), w=sides[0], h=sides[1], c=crop, dpr=ratio, fo=focus), size, own


def imgix_(picks, source, own, sides):
    fit = picks.choice(["clip", "max", "crop", "min", "fill", "fillmax", "scale", None])
    ratio = picks.choice([None, None, 1, 2, 1.5])
    if fit in ("clip", "max", "crop", None) and picks.random() < 0.4:
        sides[picks.randrange(2)] = None
    rectangle, used = part(picks, own) if picks.random() < 0.3 else (None, own)
    path = imgix_address(
        source, w=sides[0], h=sides[1], fit=fit, dpr=ratio, crop=picks.choice(IMGIX_CROPS) if fit == "crop" else None,
        rect=rectangle and ",".join(map(str, rectangle)), q=picks.choice([None, picks.randint(20, 90)]),
        auto=picks.choice([None, None, None, None, "format,compress"]))
    box = times(sides, ratio)
    if fit in ("clip", "max", None) or None in box:
        return path, inside(used, box, fit != "max"), used
    return path, shaped(used, box) if fit == "min" else box, used


def weserv(picks, source, own, sides):
    fit, ratio = picks.choice([None, "inside", "cover", "fill", "contain"]), picks.choice([None, None, 2])
    place = picks.choice(["attention", "entropy", "top", "bottom-left"]) if fit == "cover" else None
    enlarges = fit not in (None, "inside") or picks.random() < 0.7
    path = weserv_address(source, w=sides[0], h=sides[1], fit=fit, dpr=ratio, a=place) + ("" if enlarges else "&we")
    box = times(sides, ratio)
    return path, inside(own, box, enlarges) if fit in (None, "inside") else box, own


def next_(picks, source, own, sides):
    path = next_address(source, w=sides[0], q=picks.choice([None, 1, 75, 100]))
    return path, inside(own, (sides[0], None), False), own


def shopify(picks, source, own, sides):
    crop, color = picks.choice([None, "top", "center", "left"]), picks.choice([None, None, "ff8800"])
    if picks.random() < 0.4:
        sides[picks.randrange(2)] = None
    path = shopify_address(source, width=sides[0], height=sides[1], crop=crop, pad_color=color)
    if None in sides:
        return path, inside(own, sides, False), own
    return path, tuple(sides) if color else shaped(own, tuple(sides)), own


def sanity(picks, source, own, sides):
    fit = picks.choice([None, "clip", "max", "crop", "min", "fill", "fillmax", "scale"])
    ratio = picks.choice([None, None, 1, 2, 3])
    crop = picks.choice(["entropy", "top", "left,bottom", "center", "focalpoint"]) if fit == "crop" else None
    rectangle, used = part(picks, own) if picks.random() < 0.3 else (None, own)
    path = sanity_address(
        source, w=sides[0], h=sides[1], fit=fit, dpr=ratio, crop=crop, q=picks.choice([None, 50]),
        rect=rectangle and ",".join(map(str, rectangle)))
    box = times(sides, ratio)
    if fit in ("clip", "max", None):
        return path, inside(used, box, fit != "max"), used
    return path, shaped(used, box) if fit == "min" else box, used


# Fixed cases. The Swift tests of each URL format cover rejections and signatures.


def fixed(name, source):
    """Returns URLs of wide.jpg with their expected outcomes."""
    own = IMAGES["wide.jpg"]
    small, turned = inside(own, (20, None)), inside(own[::-1], (20, None))
    fill = {"crop": "fill", "width": 30, "height": 20}
    return {
        "cloudflare": lambda make: {
            make(source, width=20, blur=20): small, make(source + "?version=1", width=20): small,
            make(source, width=20, rotate=90): turned, make(source, width=20, onerror="redirect", sharpen=1): small},
        "cloudinary": lambda make: {
            make(f"{source}?version=1&b=c d", width=20): small,
            make(source, width=20, fetch_format="auto", quality="auto"): small,
            make(source, crop="fill", aspect_ratio="16:10", width=320): (320, 200),
            make(source, transformation=[fill, {"angle": 90}]): (20, 30),
            make(source, width="0.5", crop="scale"): (320, 180),
            make(source, width="0.25", height="0.5", crop="fill"): (160, 180),
            make(source, crop="crop", gravity="face", width=90, height=80): (90, 80),
            make(source, crop="crop", gravity="auto", width=9000, height=80): (640, 80),
            make(source, crop="crop", gravity="center", x=5, y=7, width=90, height=80): (90, 80),
            make(source, **fill, radius="max", flags="attachment:a"): (30, 20),
            make(source, transformation=[fill, {"width": 15, "crop": "scale"}]): (15, 10)},
        "imagekit": lambda make: {
            make(source, w="wide"): 400, f"/imagekit/{source}?tr=w-20": small,
            make(source, w=20, h=10, cm="extract"): (20, 10), make(source, w=20, e="grayscale"): small},
        "imgix": lambda make: {
            make(source, w=20, px=5): 501, make(source, w=20, expires=4_000_000_000): small,
            make(source, w=20, sharp=10, unknown=1): small, make(source, fit="crop", ar="1:1"): (360, 360),
            make(source, fit="crop", ar="16:9", w=320): (320, 180), make(source, fit="facearea", w=90, h=60): (90, 60),
            make(source, w=0.5): (320, 180), make(source, w=0.25, h=0.5, fit="crop"): (160, 180),
            make(source, h=0.5, dpr=2, fit="max"): own, make(source, w=20, mask="ellipse", dl="a b.jpg"): small,
            make(source, **{"w": 20, "mask": "corners", "corner-radius": 9, "fm": "jpg"}): small},
        "next": lambda make: {
            make(source, w="wide"): 400, make(source, w=20, q=101): 400, make(source, w=20, dpl="a"): small,
            make("/wide.jpg", w=20): 400, make(source + "?version=1", w=3840): own},
        "shopify": lambda make: {
            make(source, width="wide"): 400, make(source, width=20, v=1): small, make(source): own,
            make(source.replace("wide.jpg", "wide_20x.jpg")): small,
            make(source.replace("wide.jpg", "wide_30x20_crop_top@2x.jpg")): (60, 40),
            make(source, crop="region", crop_left=5, crop_top=7, crop_width=90, crop_height=80): (90, 80)},
        "sanity": lambda make: {
            make(source, w="wide"): 400, make(source, w=20, pad=9): 501, make(source, w=20, unknown=1): small,
            make(source, w=20, **{"or": 90}): turned, make(source, w=20, blur=50, flip="h"): small,
            make(source, w=0.5): (320, 180)},
        "weserv": lambda make: {
            make(source, w="wide"): 400, make(source.removeprefix("http://"), w=20): small,
            make(source, w=20, output="json"): "document", make(source, w=20, ro=90): turned,
            make(source, w=20, filt="greyscale", blur=2): small},
    }[name](GRAMMARS[name][0])


GRAMMARS = {
    "cloudflare": (cloudflare_address, cloudflare), "cloudinary": (cloudinary_address, cloudinary_),
    "imagekit": (imagekit_address, imagekit), "imgix": (imgix_address, imgix_), "weserv": (weserv_address, weserv),
    "next": (next_address, next_), "shopify": (shopify_address, shopify),
    "sanity": (sanity_address, sanity),
}


def cases(name, base, count, seed):
    """Returns paths, each with the status and the size of its output."""
    picks = random.Random(seed)
    while count:
        file, own = picks.choice(sorted(IMAGES.items()))
        sides = [picks.randint(2, 900), picks.randint(2, 900)]
        path, size, used = GRAMMARS[name][1](picks, f"{base}/{file}", own, sides)
        # Some aspect ratios are too extreme for Headroom, or for the rounding rules.
        unsuited = any(max(each) > 50 * min(each) for each in (used, sides, size) if None not in each)
        if not unsuited and size[0] * size[1] <= MAX_PIXELS:
            count -= 1
            yield path, (200, size)
    for path, expected in fixed(name, f"{base}/wide.jpg").items():
        yield path, (expected, None) if isinstance(expected, int) else (200, expected)
    width = "width" if name in ("cloudflare", "cloudinary", "shopify") else "w"
    yield GRAMMARS[name][0](f"{base}/absent.jpg", **{width: 20}), (404, None)

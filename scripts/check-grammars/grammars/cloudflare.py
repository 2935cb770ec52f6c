"""Cloudflare, which has no client: sizes by its documented rules."""
import random
import urllib.parse

from case import Case
from origin import PICTURES
from sizes import MOST_PIXELS, boxed, doubled, inside, shaped, unsuited

CROPPING = ["cover", "crop", "aspect-crop"]


def address(source, **options):
    """The path of options and a source."""
    text = ",".join(f"{name.replace('_', '-')}={value}" for name, value in options.items())
    return f"/cdn-cgi/image/{text}/{source}"


def size_of(fit, used, box):
    """The size of a result."""
    if fit in ("scale-down", "contain", None):
        return inside(used, box, fit == "contain")
    if fit == "crop":
        return boxed(used, box)
    return shaped(used, box) if fit == "aspect-crop" else box


def generated(base, count, seed):
    """Random addresses."""
    picks = random.Random(seed)
    while count:
        name, own = picks.choice(sorted(PICTURES.items()))
        sides = picks.randint(2, 900), picks.randint(2, 900)
        fit = picks.choice(["scale-down", "contain", "pad", "squeeze", None, *CROPPING])
        options = {"width": sides[0], "height": sides[1]}
        ratio = picks.choice([None, None, 2, 3])
        options.update({key: value for key, value in (("fit", fit), ("dpr", ratio)) if value})
        if fit in CROPPING:
            options["gravity"] = picks.choice(["face", "auto", "left", "0.5x0.33"])
        size = size_of(fit, own, doubled(sides, min(ratio or 1, 2)))
        if unsuited(sides) or unsuited(size) or size[0] * size[1] > MOST_PIXELS:
            continue
        count -= 1
        source = f"{base}/{name}"
        path = address(urllib.parse.quote(source, safe="") if picks.random() < 0.3 else source, **options)
        yield Case(path, None, (200, size))


def cases(base, count, seed):
    """Random addresses, and errors."""
    yield from generated(base, count, seed)
    source, own = f"{base}/wide.jpg", PICTURES["wide.jpg"]
    for path, expected in [
        (address(source, width="wide"), (400, None)),
        (address(source, colour="red"), (400, None)),
        (address(source, width=20, blur=20), (200, inside(own, (20, None), False))),
        (address(source, gamma=2), (501, None)),
        (address(f"{base}/absent.jpg", width=20), (404, None)),
        (address("wide.jpg", width=20), (400, None)),
        (address(source, width=20, format="json"), (200, "document")),
        (address(source + "?version=1", width=20), (200, inside(own, (20, None), False))),
        (address(source, width=20, rotate=90), (200, inside(own[::-1], (20, None), False))),
        (address(source, width=20, onerror="redirect", sharpen=1), (200, inside(own, (20, None), False))),
    ]:
        yield Case(path, None, expected)

"""weserv: sizes by its documented rules."""
import random
import urllib.parse

from case import Case
from origin import PICTURES
from sizes import MOST_PIXELS, doubled, inside, unsuited

FITS = [None, "inside", "cover", "fill", "contain"]


def address(source, **options):
    """The path of a source and parameters."""
    flags = "".join(f"&{name}" for name, value in options.items() if value is True)
    pairs = {name: value for name, value in options.items() if value is not True}
    return "/weserv/?" + urllib.parse.urlencode({"url": source, **pairs}) + flags


def generated(base, count, seed):
    """Random addresses."""
    picks = random.Random(seed)
    while count:
        name, own = picks.choice(sorted(PICTURES.items()))
        sides = picks.randint(2, 900), picks.randint(2, 900)
        fit, ratio = picks.choice(FITS), picks.choice([None, None, 2])
        options = {"w": sides[0], "h": sides[1]}
        options.update({key: value for key, value in (("fit", fit), ("dpr", ratio)) if value})
        if fit == "cover":
            options["a"] = picks.choice(["attention", "entropy", "top", "bottom-left"])
        enlarges = fit not in (None, "inside") or picks.random() < 0.7
        if not enlarges:
            options["we"] = True
        box = doubled(sides, ratio or 1)
        size = inside(own, box, enlarges) if fit in (None, "inside") else box
        if unsuited(sides) or unsuited(size) or size[0] * size[1] > MOST_PIXELS:
            continue
        count -= 1
        yield Case(address(f"{base}/{name}", **options), None, (200, size))


def cases(base, count, seed):
    """Random addresses, and errors."""
    yield from generated(base, count, seed)
    source, own = f"{base}/wide.jpg", PICTURES["wide.jpg"]
    for path, expected in [
        ("/weserv/?w=20", (400, None)),
        (address(source, w="wide"), (400, None)),
        (address(source, mask="circle"), (501, None)),
        (address(f"{base}/absent.jpg", w=20), (404, None)),
        (address(source.removeprefix("http://"), w=20), (200, inside(own, (20, None), True))),
        (address(source, w=20, output="json"), (200, "document")),
        (address(source, w=20, ro=90), (200, inside(own[::-1], (20, None), True))),
        (address(source, w=20, filt="greyscale", blur=2), (200, inside(own, (20, None), True))),
    ]:
        yield Case(path, None, expected)

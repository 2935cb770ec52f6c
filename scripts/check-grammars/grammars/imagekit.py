"""ImageKit: sizes by its documented rules."""
import random
import urllib.parse

from case import Case
from origin import PICTURES
from sizes import MOST_PIXELS, doubled, inside, unsuited

CROPS = ["maintain_ratio", "force", "at_max", "at_max_enlarge", None]


def address(source, *options):
    """The path of a transformation and a source."""
    return f"/imagekit/tr:{','.join(options)}/{source}"


def generated(base, count, seed):
    """Random addresses."""
    picks = random.Random(seed)
    while count:
        name, own = picks.choice(sorted(PICTURES.items()))
        sides = picks.randint(2, 900), picks.randint(2, 900)
        crop, ratio = picks.choice(CROPS), picks.choice([None, None, 2])
        options = [f"w-{sides[0]}", f"h-{sides[1]}"]
        options += [f"c-{crop}"] if crop else []
        options += [f"dpr-{ratio}"] if ratio else []
        if crop in ("maintain_ratio", None):
            options.append(f"fo-{picks.choice(['face', 'auto', 'left', 'bottom_right'])}")
        box = doubled(sides, ratio or 1)
        size = inside(own, box, crop == "at_max_enlarge") if crop in ("at_max", "at_max_enlarge") else box
        if unsuited(sides) or unsuited(size) or size[0] * size[1] > MOST_PIXELS:
            continue
        count -= 1
        source = f"{base}/{name}"
        yield Case(address(urllib.parse.quote(source, safe="") if picks.random() < 0.3 else source, *options), None, (200, size))


def cases(base, count, seed):
    """Random addresses, and errors."""
    yield from generated(base, count, seed)
    source, own = f"{base}/wide.jpg", PICTURES["wide.jpg"]
    for path, expected in [
        (address(source, "w-wide"), (400, None)),
        (address(source, "r-20"), (501, None)),
        (address(f"{base}/absent.jpg", "w-20"), (404, None)),
        (address("wide.jpg", "w-20"), (400, None)),
        (f"/imagekit/{source}?tr=w-20", (200, inside(own, (20, None), True))),
        (address(source, "w-20", "h-10", "cm-extract"), (200, (20, 10))),
        (address(source, "w-20", "e-grayscale"), (200, inside(own, (20, None), True))),
    ]:
        yield Case(path, None, expected)

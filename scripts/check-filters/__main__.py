"""Compares the filters with their definitions in docs/filters.md, computed by numpy.

Draws images, filters each with `headroom frame`, and prints the maximum difference for each list of filters. Exits 1 if a
sample differs by more than one level.
"""
import pathlib
import re
import sys
import tempfile

import numpy
from PIL import Image
from scipy.ndimage import gaussian_filter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
from report import check, end, output
from service import EXECUTABLE

LUMA = numpy.array([0.2126, 0.7152, 0.0722])
LISTS = (
    "mono noir tonal sepia chrome fade instant process transfer invert vignette brightness:1.3 brightness:0.4 contrast:1.8"
    " contrast:0.5 saturation:2.2 saturation:0.3 blur:0.5 blur:1 blur:2.4 blur:2.6 blur:4 blur:9.7 blur:30 blur:100"
    " hue:40 hue:270 gamma:2.2 gamma:0.5 sharpen:0.7 sharpen:2 sharpen:1.5:3 sepia,vignette contrast:3,brightness:0.5,saturation:2 noir,invert,blur:3 blur:2,fade"
).split()


# Steps. A matrix is a tuple of rows and a summand. Consecutive matrices are multiplied. Other steps are functions of
# red, green, blue and alpha from 0 to 1.


def scaled(factor, summand=0.0):
    return numpy.eye(3) * factor, numpy.full(3, summand)


def saturation(n):
    return numpy.eye(3) * n + (1 - n) * numpy.tile(LUMA, (3, 1)), numpy.zeros(3)


def hue(degrees):
    """Returns CSS hue-rotate() as the sum of three matrices."""
    cosine, sine = numpy.cos(numpy.radians(degrees)), numpy.sin(numpy.radians(degrees))
    whole = numpy.tile([0.213, 0.715, 0.072], (3, 1))
    turned = numpy.array([[-0.213, -0.715, 0.928], [0.143, 0.140, -0.283], [-0.787, 0.715, 0.072]])
    return whole + cosine * (numpy.eye(3) - whole) + sine * turned, numpy.zeros(3)


def matrix(rows, summands=(0, 0, 0)):
    return numpy.array(rows), numpy.array(summands)


def smooth(x):
    t = numpy.clip(x, 0, 1)
    return t * t * (3 - 2 * t)


def curves(*functions):
    """Returns one value per channel, or one value for all channels."""
    def step(pixels):
        each = functions if len(functions) == 3 else functions * 3
        colors = [function(pixels[..., i]) for i, function in enumerate(each)]
        return numpy.dstack([*colors, pixels[..., 3]])
    return step


def vignette(pixels):
    high, wide = pixels.shape[:2]
    down, across = numpy.mgrid[0.5:high, 0.5:wide]
    square = ((across - wide / 2) ** 2 + (down - high / 2) ** 2) / (wide**2 / 4 + high**2 / 4)
    return pixels * numpy.dstack([1 - 0.7 * square**2] * 3 + [numpy.ones_like(square)])


def blur(deviation):
    """Convolves an image, mirrored at its edges, with a Gaussian; transparent pixels have no weight."""
    def gauss(channel):
        return gaussian_filter(channel, deviation, mode="reflect", radius=int(numpy.ceil(5 * deviation)))

    def step(pixels):
        alpha = pixels[..., 3]
        opacity = gauss(alpha)
        colors = [gauss(pixels[..., i] * alpha) / numpy.maximum(opacity, 1e-9) for i in range(3)]
        return numpy.dstack([*colors, opacity])
    return step


def sharpen(amount, radius=1):
    def step(pixels):
        soft = blur(radius)(pixels)
        return numpy.dstack([pixels[..., :3] + amount * (pixels[..., :3] - soft[..., :3]), pixels[..., 3]])
    return step


STEPS = {
    "saturation": lambda n: [saturation(n)],
    "brightness": lambda n: [scaled(n)],
    "contrast": lambda n: [scaled(n, 0.5 - 0.5 * n)],
    "hue": lambda n: [hue(n)],
    "gamma": lambda n: [curves(lambda x: x ** (1 / n))],
    "invert": lambda _: [scaled(-1, 1)],
    "mono": lambda _: [saturation(0)],
    "sepia": lambda _: [matrix([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])],
    "noir": lambda _: [saturation(0), curves(lambda x: smooth((x - 0.1) / 0.8))],
    "tonal": lambda _: [saturation(0), curves(lambda x: 0.05 + 0.9 * x**0.8)],
    "chrome": lambda _: [saturation(1.35), curves(lambda x: 0.7 * x + 0.3 * smooth(x))],
    "fade": lambda _: [saturation(0.65), scaled(0.78, 0.14)],
    "instant": lambda _: [saturation(0.8), matrix([[0.88, 0.04, 0], [0, 0.88, 0], [0, 0.06, 0.66]], [0.1, 0.07, 0.13])],
    "process": lambda _: [saturation(0.85), curves(
        lambda x: 0.4 * x + 0.55 * smooth(x), lambda x: 0.03 + 0.65 * x + 0.3 * smooth(x), lambda x: 0.14 + 0.8 * x)],
    "transfer": lambda _: [saturation(0.75), curves(
        lambda x: 0.05 + 0.95 * x**0.8, lambda x: 0.03 + 0.93 * x**0.9, lambda x: 0.06 + 0.78 * x)],
    "vignette": lambda _: [vignette],
    "blur": lambda n: [blur(n)],
    "sharpen": lambda *numbers: [sharpen(*numbers)],
}


def linear(pixels, rows, summands):
    """Computes in single precision, so that halves are rounded as in the program. A following curve could amplify a
    difference."""
    r, g, b = (pixels[..., i].astype(numpy.float32) * numpy.float32(255) for i in range(3))
    rows, summands = rows.astype(numpy.float32), (summands * 255).astype(numpy.float32)
    levels = [rows[i, 0] * r + rows[i, 1] * g + rows[i, 2] * b + summands[i] for i in range(3)]
    rounded = [numpy.floor(numpy.clip(level, 0, 255) + numpy.float32(0.5)) / 255 for level in levels]
    return numpy.dstack([*rounded, pixels[..., 3]])


def filtered(pixels, filters):
    """Returns the filtered values, from 0 to 1, before they are encoded."""
    todo = []
    for text in filters.split(","):
        name, *numbers = text.split(":")
        todo += STEPS[name](*map(float, numbers or ["0"]))
    while todo:
        step = todo.pop(0)
        if isinstance(step, tuple):
            rows, summands = step
            while todo and isinstance(todo[0], tuple):
                next_rows, next_summands = todo.pop(0)
                rows, summands = next_rows @ rows, next_rows @ summands + next_summands
            pixels = linear(pixels, rows, summands)
        else:
            pixels = step(pixels)
        pixels = numpy.floor(numpy.clip(pixels, 0, 1) * 255 + 0.5) / 255
    return pixels


def images():
    """Returns images with waves, noise and transparent edges, with odd and even sides."""
    random = numpy.random.default_rng(1)
    y, x = numpy.mgrid[0:211, 0:317]
    waves = numpy.stack([128 + 127 * numpy.sin(x / 9 + i) * numpy.cos(y / (7 + i)) for i in range(3)], axis=-1)
    alpha = (numpy.hypot(*numpy.mgrid[-60:61, -75:76]) < 55) * 255
    return {
        "waves": waves, "noise": random.integers(0, 256, (128, 192, 3)),
        "blocks": random.integers(0, 256, (12, 9, 3)).repeat(19, axis=0).repeat(23, axis=1),
        "cutout": numpy.dstack([random.integers(0, 256, (121, 151, 3)) // 2 + 60, alpha]),
    }


def names():
    """The names of all filters, from the table that the program's tests generate."""
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    table = (root / "docs/filters.md").read_text().partition("<!-- Generated: filters -->")[2].partition("<!-- End of")[0]
    return re.findall(r"^\| `([a-z]+)", table, re.MULTILINE)


for name in names():
    compared = [filters for filters in LISTS if filters.partition(":")[0] == name]
    check(f"{name} has a definition here, and is compared by itself", name in STEPS and compared)

with tempfile.TemporaryDirectory() as place:
    folder, sources = pathlib.Path(place), {}
    for label, drawn in images().items():
        image = Image.fromarray(drawn.round().astype(numpy.uint8))
        image.save(folder / f"{label}.png")
        sources[label] = numpy.asarray(image.convert("RGBA"), float) / 255
    for filters in LISTS:
        output(EXECUTABLE, "frame", "--gravity", "center", "--format", "png", "--filter", filters,
               "--output", f"{folder}/out/", *(folder / f"{label}.png" for label in sources))
        most = {}
        for label, pixels in sources.items():
            expected = filtered(pixels, filters) * 255
            found = numpy.asarray(Image.open(folder / "out" / f"{label}.png").convert("RGBA"), float)
            different = numpy.abs(found - expected)
            # A nearly transparent pixel has only a few possible colours.
            different[..., :3] *= expected[..., 3:] / 255
            most[label] = different.max()
        said = " ".join(f"{label} {value:.2f}" for label, value in most.items())
        check(f"{filters:42}", max(most.values()) <= 1.01, said)
end()

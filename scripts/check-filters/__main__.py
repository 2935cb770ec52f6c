#!/usr/bin/env python3
"""Compares the filters with their definitions in docs/filters.md, computed by numpy.

    scripts/check-filters PROGRAM

PROGRAM is the headroom executable. Draws pictures, filters each by `headroom frame`, and prints the largest difference
for each list of filters. Exits 1 if a sample differs by more than one level. Needs numpy and Pillow.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

LUMA = numpy.array([0.2126, 0.7152, 0.0722])


def smooth(x):
    t = numpy.clip(x, 0, 1)
    return t * t * (3 - 2 * t)


def matrix(rows, summands=(0, 0, 0)):
    return ("matrix", numpy.array(rows, float), numpy.array(summands, float))


def scaled(factor, summand=0.0):
    return matrix(numpy.eye(3) * factor, [summand] * 3)


def saturation(n):
    return matrix(numpy.eye(3) * n + (1 - n) * numpy.tile(LUMA, (3, 1)))


def curves(red, green=None, blue=None):
    return ("curves", red, green or red, blue or red)


def steps(name, number):
    return {
        "saturation": lambda: [saturation(number)],
        "brightness": lambda: [scaled(number)],
        "contrast": lambda: [scaled(number, 0.5 - 0.5 * number)],
        "invert": lambda: [scaled(-1, 1)],
        "mono": lambda: [saturation(0)],
        "sepia": lambda: [matrix([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])],
        "noir": lambda: [saturation(0), curves(lambda x: smooth((x - 0.1) / 0.8))],
        "tonal": lambda: [saturation(0), curves(lambda x: 0.05 + 0.9 * x**0.8)],
        "chrome": lambda: [saturation(1.35), curves(lambda x: 0.7 * x + 0.3 * smooth(x))],
        "fade": lambda: [saturation(0.65), scaled(0.78, 0.14)],
        "instant": lambda: [
            saturation(0.8),
            matrix([[0.88, 0.04, 0], [0, 0.88, 0], [0, 0.06, 0.66]], [0.1, 0.07, 0.13]),
        ],
        "process": lambda: [
            saturation(0.85),
            curves(
                lambda x: 0.4 * x + 0.55 * smooth(x),
                lambda x: 0.03 + 0.65 * x + 0.3 * smooth(x),
                lambda x: 0.14 + 0.8 * x,
            ),
        ],
        "transfer": lambda: [
            saturation(0.75),
            curves(lambda x: 0.05 + 0.95 * x**0.8, lambda x: 0.03 + 0.93 * x**0.9, lambda x: 0.06 + 0.78 * x),
        ],
        "vignette": lambda: [("vignette",)],
        "blur": lambda: [("blur", number)],
        "sharpen": lambda: [("sharpen", number)],
    }[name]()


def gauss(channel, deviation):
    """The convolution with a Gaussian of a picture that is mirrored at its edges."""
    reach = int(numpy.ceil(5 * deviation))
    weights = numpy.exp(-numpy.arange(-reach, reach + 1) ** 2 / (2 * deviation**2))
    weights /= weights.sum()
    for axis in (0, 1):
        margin = [(0, 0), (0, 0)]
        margin[axis] = (reach, reach)
        padded = numpy.pad(channel, margin, mode="symmetric")
        channel = numpy.apply_along_axis(numpy.convolve, axis, padded, weights, "valid")
    return channel


def blurred(pixels, deviation):
    """Red, green, blue and alpha, of which transparent pixels have no weight."""
    alpha = pixels[..., 3]
    opacity = gauss(alpha, deviation)
    result = numpy.zeros_like(pixels)
    for i in range(3):
        weighed = gauss(pixels[..., i] * alpha, deviation)
        result[..., i] = weighed / numpy.maximum(opacity, 1e-9)
    result[..., 3] = opacity
    return result


def linear(colors, rows, summands):
    """In single precision, so that halves are rounded as by the program: a curve may follow that enlarges differences."""
    r, g, b = (colors[..., i].astype(numpy.float32) * numpy.float32(255) for i in range(3))
    rows, summands = rows.astype(numpy.float32), (summands * 255).astype(numpy.float32)
    levels = [rows[i, 0] * r + rows[i, 1] * g + rows[i, 2] * b + summands[i] for i in range(3)]
    return numpy.floor(numpy.clip(numpy.stack(levels, axis=-1), 0, 255) + numpy.float32(0.5)) / 255


def rounded(pixels):
    return numpy.floor(numpy.clip(pixels, 0, 1) * 255 + 0.5) / 255


def filtered(pixels, filters):
    """The result for values from 0 to 1, before it is encoded."""
    todo = []
    for text in filters.split(","):
        name, _, number = text.partition(":")
        todo += steps(name, float(number or 0))
    while todo:
        step = todo.pop(0)
        if step[0] == "matrix":
            _, rows, summands = step
            while todo and todo[0][0] == "matrix":
                _, next_rows, next_summands = todo.pop(0)
                rows, summands = next_rows @ rows, next_rows @ summands + next_summands
            pixels[..., :3] = linear(pixels[..., :3], rows, summands)
        elif step[0] == "curves":
            for i in range(3):
                pixels[..., i] = step[1 + i](pixels[..., i])
        elif step[0] == "vignette":
            high, wide = pixels.shape[:2]
            down, across = numpy.mgrid[0.5:high, 0.5:wide]
            square = ((across - wide / 2) ** 2 + (down - high / 2) ** 2) / (wide**2 / 4 + high**2 / 4)
            pixels[..., :3] *= (1 - 0.7 * square**2)[..., None]
        elif step[0] == "blur":
            pixels = blurred(pixels, step[1])
        else:
            soft = blurred(pixels, 1)
            pixels[..., :3] += step[1] * (pixels[..., :3] - soft[..., :3])
        pixels = rounded(pixels)
    return pixels


def pictures():
    """Waves, noise, and edges with transparency, of odd and even sides."""
    random = numpy.random.default_rng(1)
    y, x = numpy.mgrid[0:211, 0:317]
    waves = numpy.stack([128 + 127 * numpy.sin(x / 9 + i) * numpy.cos(y / (7 + i)) for i in range(3)], axis=-1)
    yield "waves", waves
    yield "noise", random.integers(0, 256, (128, 192, 3))
    blocks = random.integers(0, 256, (12, 9, 3)).repeat(19, axis=0).repeat(23, axis=1)
    yield "blocks", blocks
    alpha = (numpy.hypot(*numpy.mgrid[-60:61, -75:76]) < 55) * 255
    color = random.integers(0, 256, (121, 151, 3)) // 2 + 60
    yield "cutout", numpy.dstack([color, alpha])


LISTS = (
    "mono noir tonal sepia chrome fade instant process transfer invert vignette brightness:1.3 brightness:0.4 contrast:1.8"
    " contrast:0.5 saturation:2.2 saturation:0.3 blur:0.5 blur:1 blur:2.4 blur:2.6 blur:4 blur:9.7 blur:30 blur:100"
    " sharpen:0.7 sharpen:2 sepia,vignette contrast:3,brightness:0.5,saturation:2 noir,invert,blur:3 blur:2,fade"
).split()


def main():
    program = sys.argv[1]
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sources = {}
        for label, pixels in pictures():
            picture = Image.fromarray(pixels.round().astype(numpy.uint8))
            picture.save(folder / f"{label}.png")
            sources[label] = numpy.asarray(picture.convert("RGBA"), float) / 255
        for filters in LISTS:
            out = folder / "out"
            command = [program, "frame", "--gravity", "center", "--format", "png", "--filter", filters]
            command += ["--output", f"{out}/", *(str(folder / f"{label}.png") for label in sources)]
            subprocess.run(command, check=True, capture_output=True)
            most = {}
            for label, pixels in sources.items():
                expected = filtered(pixels.copy(), filters) * 255
                found = numpy.asarray(Image.open(out / f"{label}.png").convert("RGBA"), float)
                different = numpy.abs(found - expected)
                # The colour of a pixel that is nearly transparent is that of few levels.
                different[..., :3] *= expected[..., 3:] / 255
                most[label] = different.max()
            worst = max(most.values())
            failed = failed or worst > 1.01
            print(f"{worst:5.2f}  {filters:42}" + " ".join(f"{label} {value:.2f}" for label, value in most.items()))
    sys.exit(1 if failed else 0)


main()

"""Measures ranges and moments of the network's inner values over images."""
import dataclasses
import pathlib

import numpy as np
from network import Network
from PIL import Image, ImageDraw, ImageFilter, ImageOps

SIDES = (640, 320)  # of the longer side, in pixels
DRAWN = 64
ENDINGS = {".jpg", ".jpeg", ".png", ".webp"}


def photographs(folders: list[pathlib.Path], sides=SIDES):
    """Yields upright images of folders in RGB, in the order of their names, at all sizes."""
    paths = [path for folder in folders for path in sorted(folder.rglob("*"))]
    for path in paths:
        if path.suffix.lower() not in ENDINGS:
            continue
        with Image.open(path) as image:
            upright = ImageOps.exif_transpose(image).convert("RGB")
        for side in sides:
            scale = side / max(upright.size)
            size = [max(1, round(scale * one)) for one in upright.size]
            yield np.asarray(upright.resize(size, Image.Resampling.BOX if scale < 1 else Image.Resampling.BILINEAR))


def face(draw: ImageDraw.ImageDraw, x: float, y: float, side: float, skin, hair):
    """Draws a face as an ellipse with eyes, brows, nose and mouth."""
    def oval(left, top, right, bottom, colour):
        draw.ellipse([x + left * side, y + top * side, x + right * side, y + bottom * side], fill=colour)

    dark = tuple(part // 4 for part in skin)
    oval(-0.45, -0.65, 0.45, 0.6, hair)
    oval(-0.38, -0.5, 0.38, 0.55, skin)
    for eye in (-0.17, 0.17):
        oval(eye - 0.09, -0.14, eye + 0.09, -0.04, (235, 235, 230))
        oval(eye - 0.045, -0.135, eye + 0.045, -0.045, dark)
        oval(eye - 0.1, -0.22, eye + 0.1, -0.18, hair)
    oval(-0.06, 0.0, 0.06, 0.14, tuple(part * 4 // 5 for part in skin))
    oval(-0.15, 0.24, 0.15, 0.33, (150, 60, 60))


def drawn(longest: int = 640):
    """Yields images drawn in code: faces of all sizes and colours over ramps, blocks and noise."""
    random = np.random.default_rng(1)
    for i in range(DRAWN):
        width, height = (640, 480) if i % 2 else (320, 416)
        low = random.integers(0, 256, (2 + i % 9, 2 + i % 7, 3), dtype=np.uint8)
        image = Image.fromarray(low).resize((width, height), Image.Resampling.BICUBIC if i % 3 else Image.Resampling.NEAREST)
        draw = ImageDraw.Draw(image)
        for _ in range(1 + i % 12):
            side = float(np.exp(random.uniform(np.log(14), np.log(260))))
            skin = tuple(int(part * random.uniform(0.3, 1.05)) for part in (235, 190, 160))
            hair = tuple(int(part) for part in random.integers(10, 190, 3))
            face(draw, random.uniform(0, width), random.uniform(0, height), side, skin, hair)
        pixels = np.asarray(image.filter(ImageFilter.GaussianBlur(i % 4 * 0.6))).astype(np.int32)
        noise = random.normal(0, i % 5 * 3, pixels.shape).round().astype(np.int32)
        rgb = np.clip(pixels + noise, 0, 255).astype(np.uint8)
        scale = longest / max(rgb.shape)
        if scale < 1:
            size = [round(scale * side) for side in (width, height)]
            rgb = np.asarray(Image.fromarray(rgb).resize(size, Image.Resampling.BOX))
        yield rgb


@dataclasses.dataclass
class Moments:
    """The means of a layer's inputs and of the products of inputs, over all positions of all images."""

    mean: np.ndarray | float = 0
    products: np.ndarray | float = 0
    count: int = 0

    def add(self, inputs: np.ndarray):
        """Adds an image; `inputs` is [input][position]. Each image has the same weight."""
        inputs = inputs.astype(np.float64)
        self.mean = self.mean + inputs.mean(axis=1)
        self.products = self.products + inputs @ inputs.T / inputs.shape[1]
        self.count += 1

    def covariance(self) -> np.ndarray:
        mean = self.mean / self.count
        return self.products / self.count - np.outer(mean, mean)


def windows(rgb: np.ndarray) -> np.ndarray:
    """Returns the inputs of the first convolution, [27: row, colour, column][position]."""
    height, width = rgb.shape[0] // 2 * 2, rgb.shape[1] // 2 * 2
    padded = np.pad(rgb[:height, :width], ((1, 0), (1, 0), (0, 0)))
    views = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(0, 1))[::2, ::2]
    return views.transpose(3, 2, 4, 0, 1).reshape(27, -1)


@dataclasses.dataclass
class Calibration:
    largest: dict[str, np.ndarray]  # the maximum magnitude of each channel of a value
    moments: dict[str, Moments]  # moments of the inputs of units by name, and of "pixels"
    images: int


def calibrate(network: Network, images) -> Calibration:
    names = dict.fromkeys([network.first_out, *(total for _, _, total in network.sums)])
    for unit in network.units:
        names.update(dict.fromkeys([unit.source, *unit.inner, *unit.out]))
    session = network.session(list(names))
    found = Calibration(dict.fromkeys(names, 0), {"pixels": Moments()}, 0)
    for unit in network.units:
        found.moments[unit.source] = Moments()
    for rgb in images:
        found.moments["pixels"].add(windows(rgb))
        for name, value in session.run(rgb).items():
            found.largest[name] = np.maximum(found.largest[name], np.abs(value[0]).max(axis=(1, 2)))
            if name in found.moments:
                found.moments[name].add(value[0].reshape(len(value[0]), -1))
        found.images += 1
    return found

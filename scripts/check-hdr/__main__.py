"""Crops photos with gain maps, and reads the outputs with a separate parser and with exiftool.

    make check-hdr [FILES=folder]

Sources are drawn: gain maps with one and three channels and several sizes, with the metadata of Adobe, of ISO 21496-1 or both,
rotated by EXIF. Each output must follow the rules of Ultra HDR, contain the metadata of its source, and look like the same crop
of the source on an HDR display, which numpy computes. FILES adds JPEG files, for example from phones; files without a gain map
are omitted. Exits 1 if an output is wrong. GainMapRouteTests covers options that are rejected with hdr=keep.
"""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

import numpy
from PIL import Image, ImageDraw, ImageOps

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import ultrahdr
from report import check, end
from service import Service

PLAIN = {
    "GainMapMin": [0.0], "GainMapMax": [2.5], "Gamma": [1.0], "OffsetSDR": [0.015625], "OffsetHDR": [0.015625],
    "HDRCapacityMin": [0.0], "HDRCapacityMax": [2.5],
}
COLORED = PLAIN | {"GainMapMin": [-0.5, -0.25, 0.0], "GainMapMax": [1.0, 2.0, 3.0], "Gamma": [0.8, 1.0, 1.25]}
TURNED = bytes.fromhex("4d4d002a00000008000101120003000000010006000000000000")


def drawn(size, channels):
    """Returns an image with soft colours, and a map with a different size and a bright disc."""
    width, height = size
    y, x = numpy.mgrid[0:height, 0:width]
    ramp = numpy.stack([x * 200 / width + 20, y * 200 / height + 20, (x + y) * 150 / (width + height) + 40], 2)
    image = Image.fromarray(ramp.astype(numpy.uint8))
    ImageDraw.Draw(image).ellipse([width * 0.5, height * 0.2, width * 0.8, height * 0.6], fill=(230, 220, 200))

    def gains(small):
        y, x = numpy.mgrid[0:small[1], 0:small[0]]
        distance = numpy.hypot((x + 0.5) / small[0] - 0.65, (y + 0.5) / small[1] - 0.4)
        soft = 250 * numpy.exp(-(distance / 0.25) ** 2)
        if channels == 1:
            return Image.fromarray(soft.astype(numpy.uint8))
        return Image.fromarray(numpy.stack([soft, soft * 0.6 + 20, soft * 0.3 + 60], 2).astype(numpy.uint8))
    return image, gains


def kept(service, source, **query):
    """Returns the response of `/frame`; raises Broken if the request is rejected."""
    status, _, body = service.ask("/frame?gravity=center&" + urllib.parse.urlencode(query), source)
    ultrahdr.require(status == 200, body.decode(errors="replace"))
    return body


def strays(result, source, box, turn, boost):
    """Returns the mean difference, in stops, between an output and the same part of the source on an HDR display."""
    whole = source.shown(boost)
    stops = numpy.log2(numpy.clip(whole, 0.002, None))
    planes = []
    for plane in numpy.moveaxis(stops.astype(numpy.float32), 2, 0):
        upright = Image.fromarray(plane)
        upright = upright.transpose(Image.ROTATE_270) if turn else upright
        planes.append(numpy.asarray(upright.crop(box).resize(result.image().size, Image.LANCZOS)))
    found = numpy.log2(numpy.clip(result.shown(boost), 0.002, None))
    return float(numpy.abs(found - numpy.stack(planes, 2)).mean())


def exiftool(file):
    """Returns the offsets and lengths of the two images, listed by exiftool."""
    with tempfile.NamedTemporaryFile(suffix=".jpg") as written:
        written.write(file)
        written.flush()
        lines = subprocess.run(
            ["exiftool", "-j", "-G1", "-n", "-MPImageStart", "-MPImageLength", "-validate", "-warning", "-a", written.name],
            capture_output=True, text=True, check=True,
        ).stdout
    found = json.loads(lines)[0]
    return [(found[f"MPImage{n}:MPImageStart"], found[f"MPImage{n}:MPImageLength"]) for n in (1, 2)]


class Own:
    """A drawn source, before it is encoded as JPEG files."""

    def __init__(self, image, gains, numbers):
        self.image, self.gains, self.numbers = image, gains.convert("RGB"), numbers

    def shown(self, boost):
        return ultrahdr.apply(self.image, self.gains, self.numbers, boost)


def check_drawn(service, number, size, channels, forms, turn):
    """Crops a drawn source; returns the difference in stops between the output and the same crop of the source."""
    share = (1, 2, 4)[number // 2 % 3]
    image, gains = drawn(size, channels)
    numbers = PLAIN if channels == 1 else COLORED
    own = Own(image, gains((max(1, size[0] // share), max(1, size[1] // share))), numbers)
    file = ultrahdr.source(image, own.gains if channels == 3 else own.gains.getchannel(0), numbers, forms,
                           has_list=number % 5 != 0 or "xmp" not in forms, exif=TURNED if turn else b"", order="<>"[number % 2])
    width, height = (size[1], size[0]) if turn else size
    box = (width // 5, height // 7, width // 5 + width // 2, height // 7 + height // 2)
    query = {"region": f"{box[0]}px,{box[1]}px,{box[2] - box[0]}px,{box[3] - box[1]}px", "quality": 95}
    if number % 3:
        query["width"] = (box[2] - box[0]) // 2
    result = kept(service, file, hdr="keep", **query)
    read = ultrahdr.UltraHDR(result)
    for key, found in read.numbers.items():
        ultrahdr.require(numpy.allclose(found * (len(numbers[key]) if len(found) == 1 else 1), numbers[key], atol=1e-4),
                         f"{key} is {found}")
    ultrahdr.require("iso" not in forms or read.iso == ultrahdr.iso(numbers), "different bytes of ISO 21496-1")
    listed = exiftool(result)
    ultrahdr.require(listed == [(0, len(read.primary)), (len(read.primary), len(read.map))], f"exiftool finds {listed}")
    plain = kept(service, file, **query)
    ultrahdr.require(b"MPF\0" not in plain and b"hdrgm" not in plain and ultrahdr.end_of_image(plain) == len(plain),
                     "the default output contains traces of the map")
    far = strays(read, own, box, turn, 2.5)
    ultrahdr.require(far <= 0.06, f"{far:.3f} stops from the source")
    return f"{far:.3f} stops from the source on average"


def check_file(service, path):
    with Image.open(path) as image:
        upright = ImageOps.exif_transpose(image).size
    result = kept(service, path.read_bytes(), aspect="1:1", hdr="keep")
    if b"MPF\0" not in result:
        return f"{upright}: without a map, because its kind of map is not supported"
    read = ultrahdr.UltraHDR(result)
    return f"{upright}: {read.image().size}, {read.numbers}"


def attempt(name, function, *arguments):
    try:
        check(name, True, function(*arguments))
    except ultrahdr.Broken as error:
        check(name, False, error)


with Service() as started:
    kinds = itertools.product([(640, 480), (333, 501)], [1, 3], [("xmp",), ("iso",), ("xmp", "iso")], [False, True])
    for number, kind in enumerate(kinds):
        attempt(" ".join(map(str, kind)), check_drawn, started, number, *kind)
    for path in sorted(path for folder in sys.argv[1:] for path in pathlib.Path(folder).rglob("*.jp*g")):
        if b"hdrgm" in path.read_bytes():
            attempt(path.name, check_file, started, path)
end()

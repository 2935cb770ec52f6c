#!/usr/bin/env python3
"""Crops photographs with gain maps, and reads the results with a parser of its own and with exiftool.

    make check-hdr [FILES=folder]
    scripts/check-hdr PROGRAM [FOLDER]

PROGRAM is the headroom executable. Sources are drawn: gain maps of one and three channels and several sizes, with the
metadata of Adobe, of ISO 21496-1 or both, turned by EXIF. Each result has to follow the rules of Ultra HDR, have the
metadata of its source, and look like the same crop of the source on an HDR display, which numpy computes. FOLDER adds
JPEG files, such as those of phones; those without a gain map are left out. Exits 1 otherwise. Needs numpy and Pillow.
"""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

import numpy
from PIL import Image, ImageDraw, ImageOps

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import ultrahdr  # noqa: E402
from service import Service  # noqa: E402

PLAIN = {
    "GainMapMin": ["0"], "GainMapMax": ["2.5"], "Gamma": ["1"], "OffsetSDR": ["0.015625"], "OffsetHDR": ["0.015625"],
    "HDRCapacityMin": ["0"], "HDRCapacityMax": ["2.5"],
}
COLORED = PLAIN | {"GainMapMin": ["-0.5", "-0.25", "0"], "GainMapMax": ["1", "2", "3"], "Gamma": ["0.8", "1", "1.25"]}
TURNED = bytes.fromhex("4d4d002a00000008000101120003000000010006000000000000")


def drawn(size, channels):
    """A picture of soft colours, and its map with a bright disc, of another size."""
    width, height = size
    y, x = numpy.mgrid[0:height, 0:width]
    ramp = numpy.stack([x * 200 / width + 20, y * 200 / height + 20, (x + y) * 150 / (width + height) + 40], 2)
    picture = Image.fromarray(ramp.astype(numpy.uint8))
    ImageDraw.Draw(picture).ellipse([width * 0.5, height * 0.2, width * 0.8, height * 0.6], fill=(230, 220, 200))

    def gains(small):
        y, x = numpy.mgrid[0:small[1], 0:small[0]]
        distance = numpy.hypot((x + 0.5) / small[0] - 0.65, (y + 0.5) / small[1] - 0.4)
        soft = 250 * numpy.exp(-(distance / 0.25) ** 2)
        if channels == 1:
            return Image.fromarray(soft.astype(numpy.uint8))
        return Image.fromarray(numpy.stack([soft, soft * 0.6 + 20, soft * 0.3 + 60], 2).astype(numpy.uint8))
    return picture, gains


def run(service, source, **query):
    """The result of `/frame`, and an empty text; or nothing, and why it is refused."""
    address = f"http://127.0.0.1:{service.port}/frame?gravity=center&" + urllib.parse.urlencode(query)
    request = urllib.request.Request(address, source, {"Content-Type": "application/octet-stream"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read(), ""
    except urllib.error.HTTPError as error:
        return None, error.read().decode()


def strays(result, source, box, turn, boost):
    """How far a result on an HDR display is from the same part of the source: the mean of the stops between them."""
    whole = source.shown(boost)
    stops = numpy.log2(numpy.clip(whole, 0.002, None))
    planes = []
    for plane in numpy.moveaxis(stops.astype(numpy.float32), 2, 0):
        upright = Image.fromarray(plane)
        upright = upright.transpose(Image.ROTATE_270) if turn else upright
        planes.append(numpy.asarray(upright.crop(box).resize(result.picture().size, Image.LANCZOS)))
    found = numpy.log2(numpy.clip(result.shown(boost), 0.002, None))
    return float(numpy.abs(found - numpy.stack(planes, 2)).mean())


def exiftool(file):
    """The two pictures as exiftool lists them: starts and lengths."""
    with tempfile.NamedTemporaryFile(suffix=".jpg") as written:
        written.write(file)
        written.flush()
        lines = subprocess.run(
            ["exiftool", "-j", "-G1", "-n", "-MPImageStart", "-MPImageLength", "-validate", "-warning", "-a", written.name],
            capture_output=True, text=True, check=True,
        ).stdout
    found = json.loads(lines)[0]
    return [(found[f"MPImage{n}:MPImageStart"], found[f"MPImage{n}:MPImageLength"]) for n in (1, 2)]


def check_drawn(service, wrong):
    count, worst = 0, 0.0
    kinds = itertools.product([(640, 480), (333, 501)], [1, 3], [("xmp",), ("iso",), ("xmp", "iso")], [False, True])
    for number, (size, channels, forms, turn) in enumerate(kinds):
        share = (1, 2, 4)[number // 2 % 3]
        meaning = PLAIN if channels == 1 else COLORED
        picture, gains = drawn(size, channels)
        small = (max(1, size[0] // share), max(1, size[1] // share))
        numbers = {name: [float(text) for text in texts] for name, texts in meaning.items()}
        file = ultrahdr.source(
            picture, gains(small), numbers, forms, has_list=number % 5 != 0 or "xmp" not in forms,
            exif=TURNED if turn else b"", order="<>"[number % 2],
        )
        width, height = (size[1], size[0]) if turn else size
        box = (width // 5, height // 7, width // 5 + width // 2, height // 7 + height // 2)
        query = {"region": f"{box[0]}px,{box[1]}px,{box[2] - box[0]}px,{box[3] - box[1]}px", "quality": 95}
        if number % 3:
            query["width"] = (box[2] - box[0]) // 2
        result, message = run(service, file, hdr="keep", **query)
        name = f"{size} {channels} {forms} 1/{share} {turn}"
        if result is None:
            wrong.append(f"{name}: {message}")
            continue
        try:
            read, own = ultrahdr.UltraHDR(result), Own(picture, gains(small), numbers)
            for key, texts in read.properties.items():
                found = [float(text) for text in texts]
                found = found * len(numbers[key]) if len(found) == 1 else found
                if not numpy.allclose(found, numbers[key], atol=1e-4):
                    wrong.append(f"{name}: {key} is {texts}")
            if "iso" in forms and read.iso != ultrahdr.iso(numbers):
                wrong.append(f"{name}: other bytes of ISO 21496-1")
            if exiftool(result) != [(0, len(read.primary)), (len(read.primary), len(read.map))]:
                wrong.append(f"{name}: exiftool finds {exiftool(result)}")
            far = strays(read, own, box, turn, 2.5)
            worst = max(worst, far)
            if far > 0.06:
                wrong.append(f"{name}: {far:.3f} stops from the source")
        except ultrahdr.Broken as error:
            wrong.append(f"{name}: {error}")
        plain, _ = run(service, file, **query)
        if plain is None or b"MPF\0" in plain or b"hdrgm" in plain or ultrahdr.end_of_image(plain) != len(plain):
            wrong.append(f"{name}: the default has traces of the map")
        count += 1
        if number == 0:
            check_refusals(service, file, wrong)
    print(f"{count} drawn files; at most {worst:.3f} stops from the source in the mean")


class Own:
    """A drawn source, before its JPEG files."""

    def __init__(self, picture, gains, numbers):
        self.picture, self.gains, self.numbers = picture, gains.convert("RGB"), numbers

    def shown(self, boost):
        return ultrahdr.apply(self.picture, self.gains, self.numbers, boost)


def check_refusals(service, source, wrong):
    for query in [
        {"filter": "sepia"}, {"redact": "blur"}, {"mask": "circle"}, {"key": "auto"}, {"maxBytes": 9999},
        {"lossless": "true"}, {"format": "webp"}, {"profile": "srgb"}, {"fit": "pad", "aspect": "1:1"},
    ]:
        result, message = run(service, source, hdr="keep", **query)
        if result is not None or "hdr=keep" not in message:
            wrong.append(f"{query}: not refused: {message}")


def check_folder(service, folder, wrong):
    count = 0
    for path in sorted(pathlib.Path(folder).rglob("*.jp*g")):
        if b"hdrgm" not in path.read_bytes():
            continue
        with Image.open(path) as image:
            upright = ImageOps.exif_transpose(image).size
        result, message = run(service, path.read_bytes(), aspect="1:1", hdr="keep")
        if result is None:
            wrong.append(f"{path.name}: {message}")
            continue
        if b"MPF\0" not in result:
            print(f"{path.name}, {upright}: without a map, as its own is not read")
            continue
        try:
            read = ultrahdr.UltraHDR(result)
            count += 1
            print(f"{path.name}, {upright}: {read.picture().size}, {read.properties}")
        except ultrahdr.Broken as error:
            wrong.append(f"{path.name}: {error}")
    print(f"{count} files of the folder have maps")


def main():
    program, *folders = sys.argv[1:]
    wrong = []
    service = Service(program)
    try:
        check_drawn(service, wrong)
        for folder in folders:
            check_folder(service, folder, wrong)
    finally:
        service.stop()
    for fault in wrong:
        print(f"WRONG {fault}")
    return 1 if wrong else 0


sys.exit(main())

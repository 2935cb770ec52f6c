"""Reads and writes Ultra HDR files: JPEG with a gain map (Ultra HDR 1.1, ISO 21496-1, CIPA DC-007, Adobe gain map 1.0)."""
import io
import re
import struct

import numpy
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile
from PIL.MpoImagePlugin import MpoImageFile

ISO = b"urn:iso:std:iso:ts:21496:-1\0"
XMP = b"http://ns.adobe.com/xap/1.0/\0"
NAMES = ["GainMapMin", "GainMapMax", "Gamma", "OffsetSDR", "OffsetHDR", "HDRCapacityMin", "HDRCapacityMax"]


class Broken(Exception):
    pass


def require(condition, what):
    if not condition:
        raise Broken(what)


def end_of_image(data):
    """Returns the offset after the first image in some bytes: skips segments and walks through scans."""
    at = 2
    while data[at + 1] != 0xD9:
        marker = data[at + 1]
        if marker not in (0, 0xFF) and not 0xD0 <= marker <= 0xD7:
            at += struct.unpack(">H", data[at + 2:at + 4])[0]
        at = data.index(b"\xff", at + (1 if marker == 0xFF else 2))
    return at + 2


def content(image, marker, name):
    """Returns the content of the only segment with a marker and a name; None if there is no such segment."""
    found = [part.removeprefix(name) for kind, part in image.applist if kind == marker and part.startswith(name)]
    require(len(found) < 2, f"{len(found)} segments of {name}")
    return found[0] if found else None


def list_of_images(data):
    """Returns pairs of (offset in the file, size) from the MPF segment, read by Pillow."""
    # Pillow determines the start of the list only for JPEG files.
    image, start = MpoImageFile(io.BytesIO(data)), JpegImageFile(io.BytesIO(data)).info["mpoffset"]
    is_known = image.mpinfo[0xB000] == b"0100" and image.mpinfo[0xB001] == 2
    require(is_known, "MPF has another version, or does not list two images")
    for number, entry in enumerate(image.mpinfo[0xB002]):
        require(entry["Attribute"]["ImageDataFormat"] == "JPEG", "an image that is not a JPEG")
        is_primary = entry["Attribute"]["MPType"] == "Baseline MP Primary Image"
        require(is_primary == (number == 0), "the first image is not the primary image")
        yield entry["DataOffset"] + (start if number else 0), entry["Size"]


def values(packet, name):
    """Returns the texts of a property of a gain map."""
    if found := re.search(rf'\bhdrgm:{name}="([^"]*)"', packet):
        return [found[1]]
    if found := re.search(rf"<hdrgm:{name}>(.*?)</hdrgm:{name}>", packet, re.DOTALL):
        return re.findall(r"<rdf:li>\s*(.*?)\s*</rdf:li>", found[1]) or [found[1].strip()]
    return None


class UltraHDR:
    """A file that follows the rules; raises Broken otherwise."""

    def __init__(self, data):
        require(b"MPF\0" in data, "no MPF segment")
        whole = JpegImageFile(io.BytesIO(data))
        packet = (content(whole, "APP1", XMP) or b"").decode()
        images = list(list_of_images(data))
        end = end_of_image(data)
        require(images[0] == (0, end), f"the primary image ends at {end}, MPF states {images[0]}")
        offset, size = images[1]
        require(offset == end and offset + size == len(data), f"the map is at {end}, MPF states {images[1]}")
        items = re.findall(r"<Container:Item\s([^>]*?)/?>", packet)
        require([re.findall(r'Item:Semantic="(\w+)"', item)[0] for item in items] == ["Primary", "GainMap"], "the directory")
        require(int(re.findall(r'Item:Length="(\d+)"', items[1])[0]) == size, "the length in the directory")
        require('hdrgm:Version="1.0"' in packet, "no version in the primary image")
        self.primary, self.map = data[:end], data[offset:]
        require(end_of_image(self.map) == len(self.map), "bytes after the map")
        inner = Image.open(io.BytesIO(self.map))
        self.packet = (content(inner, "APP1", XMP) or b"").decode()
        self.iso, outer = content(inner, "APP2", ISO), content(whole, "APP2", ISO)
        require((outer is None) == (self.iso is None), "ISO 21496-1 in only one of the two images")
        require(outer is None or outer == bytes(4), "versions of ISO 21496-1")
        self.numbers = {name: [float(text) for text in values(self.packet, name)] for name in NAMES}
        require(values(self.packet, "Version") == ["1.0"], "the version of the map")

    def image(self):
        return Image.open(io.BytesIO(self.primary))

    def shown(self, boost):
        """Returns the light on a display with a boost in stops, by Adobe's formula, in the primaries of the image."""
        image, gains = self.image().convert("RGB"), Image.open(io.BytesIO(self.map)).convert("RGB")
        return apply(image, gains, self.numbers, boost)


def light(samples):
    return numpy.where(samples <= 0.04045, samples / 12.92, ((samples + 0.055) / 1.055) ** 2.4)


def apply(image, gains, meaning, boost):
    base = light(numpy.asarray(image, float) / 255)
    wide = numpy.stack([
        numpy.asarray(Image.fromarray(channel).resize(image.size, Image.BILINEAR))
        for channel in numpy.moveaxis(numpy.asarray(gains, numpy.float32), 2, 0)
    ], 2) / 255
    least, most, gamma, before, after = (numpy.array(meaning[name]) for name in NAMES[:5])
    low, high = meaning["HDRCapacityMin"][0], meaning["HDRCapacityMax"][0]
    weight = numpy.clip((boost - low) / (high - low), 0, 1)
    logarithm = least + (most - least) * wide ** (1 / gamma)
    return (base + before) * 2 ** (logarithm * weight) - after


# Writing sources


def segment(marker, body):
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


def jpeg(image, **options):
    out = io.BytesIO()
    image.save(out, "JPEG", quality=95, subsampling=0, **options)
    return out.getvalue()


def packet(attributes, elements=""):
    return (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        f'<rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" {attributes}>{elements}'
        "</rdf:Description></rdf:RDF></x:xmpmeta>"
    ).encode()


def iso(meaning):
    """Returns the binary metadata of one or three channels, each value in units of 2^-16."""
    def fraction(value, signed=True):
        return struct.pack(">iI" if signed else ">II", round(value * 65536), 65536)
    channels = 3 if any(len(each) > 1 for each in meaning.values()) else 1
    body = struct.pack(">HHB", 0, 0, 0x80 if channels == 3 else 0)
    body += fraction(meaning["HDRCapacityMin"][0], False) + fraction(meaning["HDRCapacityMax"][0], False)
    for channel in range(channels):
        for name in ["GainMapMin", "GainMapMax", "Gamma", "OffsetSDR", "OffsetHDR"]:
            each = meaning[name]
            body += fraction(each[channel if len(each) > 1 else 0], name != "Gamma")
    return body


def source(image, gains, meaning, forms=("xmp", "iso"), has_list=True, exif=b"", order=">"):
    """Returns a file like the files of a phone."""
    inner = b""
    if "xmp" in forms:
        attributes, elements = 'hdrgm:Version="1.0" hdrgm:BaseRenditionIsHDR="False"', ""
        for name, each in meaning.items():
            if len(each) == 1:
                attributes += f' hdrgm:{name}="{each[0]}"'
            else:
                items = "".join(f"<rdf:li>{value}</rdf:li>" for value in each)
                elements += f"<hdrgm:{name}><rdf:Seq>{items}</rdf:Seq></hdrgm:{name}>"
        inner += segment(0xE1, XMP + packet(attributes, elements))
    if "iso" in forms:
        inner += segment(0xE2, ISO + iso(meaning))
    made = jpeg(gains)
    made = made[:2] + inner + made[2:]
    first = jpeg(image)
    directory = packet(
        'xmlns:Container="http://ns.google.com/photos/1.0/container/" '
        'xmlns:Item="http://ns.google.com/photos/1.0/container/item/" hdrgm:Version="1.0"',
        '<Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" '
        'Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" '
        f'Item:Semantic="GainMap" Item:Length="{len(made)}"/></rdf:li></rdf:Seq></Container:Directory>',
    )
    outer = (segment(0xE1, b"Exif\0\0" + exif) if exif else b"") + segment(0xE1, XMP + directory)
    if has_list:
        size = len(first) + len(outer) + 90
        offset = size - (2 + len(outer) + 8)
        letters = b"MM\0*" if order == ">" else b"II*\0"
        body = letters + struct.pack(order + "IH", 8, 3) + struct.pack(order + "HHI", 0xB000, 7, 4) + b"0100"
        body += struct.pack(order + "HHII", 0xB001, 4, 1, 2) + struct.pack(order + "HHIII", 0xB002, 7, 32, 50, 0)
        body += struct.pack(order + "IIIIIIII", 0x030000, size, 0, 0, 0, len(made), offset, 0)
        outer += segment(0xE2, b"MPF\0" + body)
    return first[:2] + outer + first[2:] + made

"""Reads and writes Ultra HDR files: JPEG with a gain map (Ultra HDR 1.1, ISO 21496-1, CIPA DC-007, Adobe gain map 1.0)."""
import io
import re
import struct

import numpy
from PIL import Image

ISO = b"urn:iso:std:iso:ts:21496:-1\0"
XMP = b"http://ns.adobe.com/xap/1.0/\0"
NAMES = ["GainMapMin", "GainMapMax", "Gamma", "OffsetSDR", "OffsetHDR", "HDRCapacityMin", "HDRCapacityMax"]


class Broken(Exception):
    pass


def require(condition, what):
    if not condition:
        raise Broken(what)


def segments(data):
    """Marker, place of the content, content; and the place of the scan."""
    require(data[:2] == b"\xff\xd8", "no start of an image")
    at, found = 2, []
    while True:
        require(data[at] == 0xFF, f"no marker at {at}")
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2:at + 4])[0]
        found.append((marker, at + 4, data[at + 4:at + 2 + length]))
        at += 2 + length
        if marker == 0xDA:
            return found, at


def end_of_image(data):
    """The place behind the end of the first image in some bytes: scans are walked through, thumbnails are in segments."""
    _, at = segments(data)
    while True:
        at = data.index(b"\xff", at)
        marker = data[at + 1]
        if marker == 0xD9:
            return at + 2
        if marker == 0 or 0xD0 <= marker <= 0xD7:
            at += 2
        elif marker == 0xFF:
            at += 1
        else:
            at += 2 + struct.unpack(">H", data[at + 2:at + 4])[0]


def content(found, marker, name):
    all_of = [part[len(name):] for kind, _, part in found if kind == marker and part.startswith(name)]
    require(len(all_of) < 2, f"{len(all_of)} segments of {name}")
    return all_of[0] if all_of else None


def list_of_pictures(found):
    """Pairs of (offset in the file, size) of the MPF segment."""
    for marker, place, part in found:
        if marker != 0xE2 or not part.startswith(b"MPF\0"):
            continue
        body, start = part[4:], place + 4
        order = {b"MM\0*": ">", b"II*\0": "<"}[body[:4]]
        at = struct.unpack(order + "I", body[4:8])[0]
        fields = {}
        for index in range(struct.unpack(order + "H", body[at:at + 2])[0]):
            tag, kind, count, value = struct.unpack(order + "HHII", body[at + 2 + 12 * index:at + 14 + 12 * index])
            fields[tag] = (kind, count, value)
        require(fields[0xB000][:2] == (7, 4) and body[at + 10:at + 14] == b"0100", "MPF of another version")
        require(fields[0xB001] == (4, 1, 2), "not two pictures")
        require(fields[0xB002][:2] == (7, 32), "not two entries")
        result = []
        for index in range(2):
            attribute, size, offset = struct.unpack(
                order + "III", body[fields[0xB002][2] + 16 * index:fields[0xB002][2] + 16 * index + 12]
            )
            require(attribute & 0x7000000 == 0, "a picture that is no JPEG")
            require((attribute & 0xFFFFFF == 0x030000) == (index == 0), "the first is not the primary picture")
            result.append((offset + start if index else offset, size))
        return result
    return None


def values(packet, name):
    """The texts of a property of a gain map."""
    if found := re.search(rf'\bhdrgm:{name}="([^"]*)"', packet):
        return [found[1]]
    if found := re.search(rf"<hdrgm:{name}>(.*?)</hdrgm:{name}>", packet, re.S):
        return re.findall(r"<rdf:li>\s*(.*?)\s*</rdf:li>", found[1]) or [found[1].strip()]
    return None


class UltraHDR:
    """A file that follows the rules; Broken otherwise."""

    def __init__(self, data):
        found, _ = segments(data)
        packet = (content(found, 0xE1, XMP) or b"").decode()
        pictures = list_of_pictures(found)
        require(pictures is not None, "no MPF segment")
        end = end_of_image(data)
        require(pictures[0] == (0, end), f"the primary picture ends at {end}, MPF states {pictures[0]}")
        offset, size = pictures[1]
        require(offset == end and offset + size == len(data), f"the map is at {end}, MPF states {pictures[1]}")
        items = re.findall(r"<Container:Item\s([^>]*?)/?>", packet)
        require([re.search(r'Item:Semantic="(\w+)"', item)[1] for item in items] == ["Primary", "GainMap"], "the directory")
        require(int(re.search(r'Item:Length="(\d+)"', items[1])[1]) == size, "the length in the directory")
        require('hdrgm:Version="1.0"' in packet, "no version in the primary picture")
        self.primary, self.map = data[:end], data[offset:]
        require(end_of_image(self.map) == len(self.map), "bytes behind the map")
        inner, _ = segments(self.map)
        self.packet = (content(inner, 0xE1, XMP) or b"").decode()
        self.iso = content(inner, 0xE2, ISO)
        outer = content(found, 0xE2, ISO)
        require((outer is None) == (self.iso is None), "ISO 21496-1 in one of both only")
        require(outer is None or outer == bytes(4), "versions of ISO 21496-1")
        self.properties = {name: values(self.packet, name) for name in NAMES}
        require(values(self.packet, "Version") == ["1.0"], "the version of the map")

    def picture(self):
        return Image.open(io.BytesIO(self.primary))

    def shown(self, boost):
        """Light on a display with a boost in stops, by Adobe's formula, in the picture's own primaries."""
        picture, gains = self.picture().convert("RGB"), Image.open(io.BytesIO(self.map)).convert("RGB")
        return apply(picture, gains, {name: [float(text) for text in texts] for name, texts in self.properties.items()}, boost)


def light(samples):
    return numpy.where(samples <= 0.04045, samples / 12.92, ((samples + 0.055) / 1.055) ** 2.4)


def apply(picture, gains, meaning, boost):
    base = light(numpy.asarray(picture, float) / 255)
    wide = numpy.stack([
        numpy.asarray(Image.fromarray(channel).resize(picture.size, Image.BILINEAR))
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
    """The binary metadata of one or three channels, each value in 2^16ths."""
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


def source(picture, gains, meaning, forms=("xmp", "iso"), has_list=True, exif=b"", order=">"):
    """A file as a phone writes it."""
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
    first = jpeg(picture)
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

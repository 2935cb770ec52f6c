"""Files in which a small part is repeated up to a file size; reading them must take time in proportion to their size."""
import struct

import bitmaps
import boxes
import rasters
from rasters import chunk, gif, gif_image, jpeg, part, png, riff, segment

XMP = b"http://ns.adobe.com/xap/1.0/\0"
MORE_XMP = b"http://ns.adobe.com/xmp/extension/\0"


def copies(one, size):
    """Returns copies of some bytes with a total size."""
    return one * (size // len(one))


def entries(size, entry, start=b"II*\0\10\0\0\0"):
    """Returns a TIFF directory with the maximum number of equal entries."""
    count = min(65_535, size // 12)
    return start + struct.pack("<H", count) + entry * count + bytes(4)


def directories(size):
    """Returns TIFF directories with one entry; each contains the offset of the next directory."""
    one = 2 + 12 + 4
    return b"II*\0\10\0\0\0" + b"".join(
        struct.pack("<HHHII", 1, 0x131, 2, 1, 0) + struct.pack("<I", 8 + (index + 1) * one) for index in range(size // one)
    )


def artists(size):
    """Returns the maximum number of Artist entries, which all use the rest of the file as their text."""
    count = min(65_535, size // 24)
    place = 8 + 2 + count * 12 + 4
    text = size - place
    return entries(count * 12, struct.pack("<HHII", 0x13B, 2, text, place)) + b"a" * text


def pngs(size):
    def of(one):
        return png(copies(one, size))
    yield "tEXt", of(chunk(b"tEXt", b"Author\0a"))
    yield "zTXt", of(chunk(b"zTXt", b"Author\0\0" + rasters.zlib.compress(b"a")))
    yield "iTXt", of(chunk(b"iTXt", b"Copyright\0\0\0\0\0a"))
    yield "XMP", of(chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0<x/>"))
    yield "long tEXt", of(chunk(b"tEXt", b"Author\0" + b"a" * 60_000))
    yield "iCCP", of(chunk(b"iCCP", b"a\0\0" + rasters.zlib.compress(bytes(200))))
    yield "eXIf", of(chunk(b"eXIf", entries(24, bytes(12))))
    yield "entries of EXIF", png(chunk(b"eXIf", entries(size, struct.pack("<HHII", 0x13B, 2, 4, 0x41414141))))
    yield "artists of EXIF", png(chunk(b"eXIf", artists(size)))
    yield "directories of EXIF", png(chunk(b"eXIf", directories(size)))
    for kind in [b"tIME", b"sPLT", b"hIST", b"pHYs", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sBIT", b"cICP", b"abcd", b"acTL"]:
        yield kind.decode(), of(chunk(kind, b"\0\0\0\1"))
    yield "IDAT", png(data=copies(chunk(b"IDAT"), size) + rasters.PIXELS)
    yield "IDAT of a byte", png(data=b"".join(chunk(b"IDAT", bytes([byte])) for byte in rasters.PIXELS[8:-4])
                                + copies(chunk(b"IDAT", b"\0"), size))
    yield "fcTL", png(chunk(b"acTL", bytes(8)), data=rasters.PIXELS + copies(rasters.frame(0, 0, 0, 1, 1), size))
    yield "fdAT", png(chunk(b"acTL", struct.pack(">II", 2, 0)), rasters.frame(0, 0, 0, 64, 64),
                      data=rasters.PIXELS + rasters.frame(1, 0, 0, 1, 1) + copies(chunk(b"fdAT", b"\0\0\0\2"), size))


def gifs(size):
    def of(one):
        return gif(64, 64, copies(one, size), gif_image(0, 0, 64, 64, rasters.codes(4096)))
    yield "comments", of(b"\x21\xfe\1a\0")
    yield "empty comments", of(b"\x21\xfe\0")
    yield "unknown extensions", of(b"\x21\x99\1a\0")
    yield "graphic controls", of(b"\x21\xf9\4\0\0\0\0\0")
    yield "loops", of(b"\x21\xff\x0bNETSCAPE2.0\3\1\0\0\0")
    yield "profiles", of(b"\x21\xff\x0bICCRGBG1012" + rasters.blocks(bytes(200)))
    yield "XMP", of(b"\x21\xff\x0bXMP DataXMP<x/>\1\0")
    yield "blocks of a byte", gif(64, 64, b"\x21\xfe", copies(b"\1a", size), b"\0", gif_image(0, 0, 64, 64, rasters.codes(4096)))
    yield "blocks of pixels", gif(64, 64, b",\0\0\0\0\x40\0\x40\0\0\2", copies(b"\1\x44", size), b"\0")


def webps(size):
    def of(one):
        return riff(rasters.extended(0x2C, 1, 1), copies(one, size), rasters.PIXEL)
    for kind in [b"abcd", b"ICCP", b"ALPH", b"EXIF", b"XMP ", b"VP8X", b"ANIM"]:
        yield kind.decode(), of(part(kind, bytes(10)))
    yield "VP8L", riff(rasters.extended(0, 1, 1), copies(rasters.PIXEL, size))
    yield "ANMF", riff(rasters.extended(2, 1, 1), rasters.ANIMATION, copies(rasters.movement(0, 0, 1, 1), size))
    yield "chunks of a frame", riff(rasters.extended(2, 1, 1), rasters.ANIMATION,
                                    rasters.movement(0, 0, 1, 1, copies(part(b"abcd", b""), size) + rasters.PIXEL))
    yield "artists of EXIF", riff(rasters.extended(8, 1, 1), rasters.PIXEL, part(b"EXIF", artists(size)))
    yield "marks of XMP", riff(rasters.extended(4, 1, 1), rasters.PIXEL, part(b"XMP ", copies(b"<dc:creator>", size)))


def jpegs(size):
    def of(one):
        return jpeg(copies(one, size))
    yield "comments", of(segment(0xFE, b""))
    yield "long comments", of(segment(0xFE, b"a" * 65_000))
    for number in [0, 1, 2, 12, 13, 14, 15]:
        yield f"APP{number}", of(segment(0xE0 + number, b""))
    yield "JFIF", of(segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0"))
    yield "EXIF", of(segment(0xE1, b"Exif\0\0" + entries(24, bytes(12))))
    yield "artists of EXIF", jpeg(segment(0xE1, b"Exif\0\0" + artists(60_000)), copies(segment(0xFE, b""), size))
    yield "XMP", of(segment(0xE1, XMP + b"<x/>"))
    yield "parts of XMP", of(segment(0xE1, MORE_XMP + b"0" * 32 + struct.pack(">II", size, 0) + b"<x/>"))
    yield "profiles", of(segment(0xE2, b"ICC_PROFILE\0\1\1" + bytes(200)))
    yield "parts of a profile", of(segment(0xE2, b"ICC_PROFILE\0\1\xff" + bytes(4)))
    yield "MPF", of(segment(0xE2, b"MPF\0" + entries(24, bytes(12))))
    yield "gain map marks", of(segment(0xE2, b"urn:iso:std:iso:ts:21496:-1\0" + bytes(4)))
    yield "Photoshop", of(segment(0xED, b"Photoshop 3.0\0008BIM\4\4\0\0\0\0\0\0"))
    yield "resources of Photoshop", of(segment(0xED, b"Photoshop 3.0\0" + copies(b"8BIM\4\4\0\0\0\0\0\0", 60_000)))
    yield "Adobe", of(segment(0xEE, b"Adobe" + bytes(7)))
    yield "quantisation", of(segment(0xDB, b"\0" + b"\1" * 64))
    yield "Huffman", of(segment(0xC4, b"\0\1" + bytes(15) + b"\0"))
    yield "arithmetic", of(segment(0xCC, b"\0\0"))
    yield "restart intervals", of(segment(0xDD, b"\0\0"))
    yield "ends", jpeg() + copies(b"\xff\xd9", size)
    yield "starts", jpeg() + copies(b"\xff\xd8\xff", size)
    yield "images", copies(jpeg(), size)
    yield "fill bytes", b"\xff\xd8" + b"\xff" * size + jpeg()[2:]
    yield "scans", jpeg(kind=0xC2, data=copies(rasters.scan(b"", 0), size))


def heifs(size, brand, payload):
    kind, configuration = boxes.coded(brand)
    single = {"items": [(1, kind)], "properties": [boxes.extent(64, 64), configuration], "linked": [(1, [1, 2])]}
    head = boxes.box(b"ftyp", brand, bytes(4), b"mif1", brand)
    sound = boxes.file(brand, **single, data=payload)

    def meta(*parts):
        return head + boxes.full(b"meta", boxes.full(b"hdlr", bytes(4), b"pict", bytes(13)), *parts)
    yield "brands", boxes.box(b"ftyp", brand, bytes(4), copies(brand, size)) + sound
    yield "free", sound + copies(boxes.box(b"free"), size)
    yield "boxes of meta", meta(copies(boxes.box(b"free"), size))
    yield "iloc", meta(copies(boxes.location([(1, 0, 64)]), size))
    # Offsets and lengths with zero bytes: an item of six bytes has 65,535 extents.
    yield "items of empty extents", meta(boxes.full(b"iloc", struct.pack(">HH", 0, 65_535),
                                                    copies(struct.pack(">HHH", 1, 0, 65_535), size)))
    yield "iinf", meta(boxes.full(b"iinf", struct.pack(">H", 65_535), copies(boxes.item(1, kind), size)))
    yield "iref", meta(boxes.full(b"iref", copies(boxes.reference(b"auxl", 1, [1]), size)))
    yield "targets", meta(boxes.full(b"iref", copies(boxes.reference(b"auxl", 1, [1] * 16_000), size)))
    yield "properties", meta(boxes.box(b"iprp", boxes.box(b"ipco", copies(boxes.extent(64, 64), size))))
    yield "associations", meta(boxes.box(b"iprp", boxes.box(b"ipco", boxes.extent(64, 64)),
                                         copies(boxes.associations([(1, [1] * 100)]), size)))
    yield "rows of associations", meta(boxes.box(b"iprp", boxes.box(b"ipco", boxes.extent(64, 64)),
                                                 boxes.associations([(1, [1])] * (size // 4))))
    yield "profiles", boxes.file(brand, [(1, kind)], [boxes.extent(64, 64), configuration]
                                 + [boxes.box(b"colr", b"prof", bytes(200))] * min(120, size // 212),
                                 [(1, list(range(1, 3 + min(120, size // 212))))], data=payload + bytes(size))
    yield "tracks", head + boxes.box(b"moov", copies(boxes.box(b"trak", boxes.full(b"tkhd", bytes(76))), size))
    yield "samples", head + boxes.box(b"moov", boxes.box(b"trak", boxes.box(b"mdia", boxes.box(b"minf", boxes.box(
        b"stbl", boxes.full(b"stts", struct.pack(">I", size // 8), copies(struct.pack(">II", 1, 1), size))
    )))))


def others(size):
    yield "TIFF: entries", entries(size, struct.pack("<HHII", 0x131, 2, 1, 0)) + bytes(size)
    yield "TIFF: directories", directories(size)
    yield "TIFF: artists", artists(size)
    strips = size // 8
    yield "TIFF: strips", bitmaps.tiff_image(64, strips, rows=1, strips=[1] * strips)
    entry = bytes([16, 16, 0, 0, 1, 0, 32, 0]) + struct.pack("<II", 40, 22)
    yield "ICO: entries", struct.pack("<HHH", 0, 1, 65_535) + copies(entry, size)
    start = b"\0\0\0\x0cJXL \r\n\x87\n" + boxes.box(b"ftyp", b"jxl \0\0\0\0jxl ")
    for kind in [b"jxlp", b"jxlc", b"Exif", b"xml ", b"brob", b"free", b"jbrd"]:
        yield f"JPEG XL: {kind.decode().strip()}", start + copies(boxes.box(kind, bytes(8)), size)


def files(good, size):
    """Yields names and bytes of files of about the given size; `good` contains valid files by format."""
    for name, made in [("PNG", pngs), ("GIF", gifs), ("WebP", webps), ("JPEG", jpegs)]:
        for what, file in made(size):
            yield f"{name}: {what}", file
    for brand in ["avif", "heic"]:
        file = good.get(brand, b"")
        place = file.rfind(b"mdat")
        for what, made in heifs(size, brand.encode(), file[place + 4:] if place >= 0 else bytes(64)):
            yield f"{brand.upper()}: {what}", made
    yield from others(size)

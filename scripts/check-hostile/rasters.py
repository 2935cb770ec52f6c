"""Valid and hostile PNG, GIF, WebP and JPEG files."""
import random
import struct
import zlib

# PNG


def chunk(kind, data=b"", length=None):
    size = len(data) if length is None else length
    return struct.pack(">I", size) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header(width, height, depth=8, color=2, interlace=0):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlace))


SIGNATURE, END = b"\x89PNG\r\n\x1a\n", chunk(b"IEND")
ROWS = b"".join(b"\0" + bytes((x * 4 + y) & 255 for x in range(64) for _ in range(3)) for y in range(64))
PIXELS = chunk(b"IDAT", zlib.compress(ROWS))


def png(*chunks, size=(64, 64), data=PIXELS, **options):
    return SIGNATURE + header(*size, **options) + b"".join(chunks) + data + END


def frame(number, x, y, width, height, delay=1, disposal=0):
    return chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, x, y, delay, 100, disposal, 1))


def pngs():
    for width, height in [(0, 0), (0x7FFFFFFF, 0x7FFFFFFF), (0xFFFFFFFF, 1), (65535, 65535), (50_000, 50_000), (1, 10**9)]:
        yield f"size {width} by {height}", png(size=(width, height))
    yield "8000 by 8000 of nothing", png(size=(8000, 8000), data=chunk(b"IDAT", zlib.compress(bytes(24001 * 8000), 9)))
    yield "6000 by 6000 interlaced", png(
        size=(6000, 6000), interlace=1, data=chunk(b"IDAT", zlib.compress(bytes(18001 * 6000), 9))
    )
    bomb = zlib.compress(bytes(64 << 20), 9)
    yield "profile that unpacks to 64 MB", png(chunk(b"iCCP", b"a\0\0" + bomb))
    yield "text that unpacks to 64 MB", png(chunk(b"zTXt", b"Author\0\0" + bomb))
    yield "international text that unpacks to 64 MB", png(chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + bomb))
    yield "60 texts that unpack to 64 MB", png(chunk(b"zTXt", b"Author\0\0" + bomb) * 60)
    yield "pixels that unpack to 64 MB", png(data=chunk(b"IDAT", bomb))
    yield "100000 empty texts", png(chunk(b"tEXt", b"a\0") * 100_000)
    yield "20000 chunks of pixels", png(data=chunk(b"IDAT") * 20_000 + PIXELS)
    yield "chunk of 4 GB", SIGNATURE + header(64, 64) + chunk(b"tEXt", b"a\0b", length=0xFFFFFFF0)
    yield "invalid filters", png(data=chunk(b"IDAT", zlib.compress(b"\xf7" * len(ROWS))))
    yield "no palette", png(color=3)
    yield "no pixels", png(data=b"")
    yield "invalid depth", png(depth=7)
    yield "two headers", png(header(4096, 4096))
    yield "EXIF that refers to itself", png(chunk(b"eXIf", b"MM\0*\0\0\0\10" + b"\xff\xff" + bytes(2000)))
    yield "gamma of 0", png(chunk(b"gAMA", bytes(4)))
    yield "chromaticities of 0", png(chunk(b"gAMA", struct.pack(">I", 45455)), chunk(b"cHRM", bytes(32)))
    yield "profile of noise", png(chunk(b"iCCP", b"a\0\0" + zlib.compress(noise(200_000))))
    yield "profile of many tables", png(chunk(b"iCCP", b"a\0\0" + zlib.compress(icc_bomb())))
    one = chunk(b"IDAT", zlib.compress(b"\0\0\0\0"))
    for count in [0, 1, 2, 0xFFFFFFFF]:
        yield f"animation of {count} frames", png(
            chunk(b"acTL", struct.pack(">II", count, 0)), frame(0, 0, 0, 64, 64),
            data=PIXELS + frame(1, 0, 0, 64, 64) + chunk(b"fdAT", struct.pack(">I", 2) + zlib.compress(ROWS)),
        )
    small = struct.pack(">I", 0) + zlib.compress(b"\0\0\0\0")
    for count, side in [(30_000, 64), (20_000, 4000)]:
        frames = b"".join(frame(2 * i + 1, 0, 0, 1, 1) + chunk(b"fdAT", small) for i in range(count))
        yield f"{count} frames of a pixel on {side} by {side}", png(
            chunk(b"acTL", struct.pack(">II", count + 1, 0)), frame(0, 0, 0, side, side), size=(side, side),
            data=chunk(b"IDAT", zlib.compress(bytes((side * 3 + 1) * side), 9)) + frames,
        )
    for x, y, width, height in [(0, 0, 0, 0), (63, 63, 64, 64), (0xFFFFFFFF, 0, 1, 1), (0, 0, 0x7FFFFFFF, 0x7FFFFFFF)]:
        yield f"frame of {width} by {height} at {x}, {y}", png(
            chunk(b"acTL", struct.pack(">II", 2, 0)), frame(0, 0, 0, 64, 64),
            data=PIXELS + frame(1, x, y, width, height) + chunk(b"fdAT", small) + one,
        )


def noise(count):
    return random.Random(1).randbytes(count)


def icc_bomb():
    """Returns a profile whose table has more nodes than fit into memory."""
    table = b"mft2" + bytes(4) + bytes([15, 15, 255, 0]) + struct.pack(">9i", *[65536, 0, 0] * 3) + b"\xff\xff\xff\xff"
    tags = struct.pack(">I", 100) + b"".join(struct.pack(">4sII", b"A2B0", 1332, len(table)) for _ in range(100))
    body = tags + table + bytes(1000)
    return struct.pack(">I", 128 + len(body)) + b"lcms\4\0\0\0mntrRGB XYZ " + bytes(12) + b"acsp" + bytes(88) + body

# GIF


def codes(count):
    """Returns LZW codes of at least 2 bits for `count` pixels of index 0."""
    words = []
    while count > 0:
        words += [(4, 3), (0, 3)]
        count, width, following, run = count - 1, 3, 6, 1
        while count > 0 and following < 4096:
            run = min(run + 1, count)
            words.append((following if run > 1 else 0, width))
            count, following = count - run, following + 1
            if following >= 1 << width and width < 12:
                width += 1
        words.append((4 if count > 0 else 5, width))
    bits = "".join(f"{code:0{width}b}" for code, width in reversed(words))
    return int(bits, 2).to_bytes(len(bits) // 8 + 1, "little")


def blocks(data):
    return b"".join(bytes([len(data[i:i + 255])]) + data[i:i + 255] for i in range(0, len(data), 255)) + b"\0"


def gif_image(x, y, width, height, data=b"\x44\x01", flags=0, delay=5, disposal=1):
    control = b"\x21\xf9\4" + bytes([disposal << 2]) + struct.pack("<H", delay) + b"\0\0"
    return control + b"," + struct.pack("<HHHHB", x, y, width, height, flags) + b"\2" + blocks(data)


def gif(width, height, *parts, flags=0x81, repeats=True):
    loop = b"\x21\xff\x0bNETSCAPE2.0\3\1\0\0\0" if repeats else b""
    return b"GIF89a" + struct.pack("<HHBBB", width, height, flags, 0, 0) + bytes(range(12)) + loop + b"".join(parts) + b";"


def gifs():
    for width, height in [(0, 0), (65535, 65535), (20_000, 20_000), (1, 65535)]:
        yield f"screen of {width} by {height}", gif(width, height, gif_image(0, 0, 1, 1))
    yield "60 frames of 8000 by 8000", gif(8000, 8000, gif_image(0, 0, 8000, 8000) * 60)
    yield "frame of 5000 by 5000 of nothing", gif(5000, 5000, gif_image(0, 0, 5000, 5000, codes(25_000_000)))
    yield "107000 frames of a pixel", gif(16, 16, gif_image(0, 0, 1, 1) * 107_000)
    yield "2000 frames beside the screen", gif(100, 100, gif_image(60_000, 60_000, 5000, 5000) * 2000)
    yield "frames that are restored", gif(4000, 4000, gif_image(0, 0, 4000, 4000, disposal=3) * 900)
    yield "first frame of 65535 by 65535 on a screen of a pixel", gif(1, 1, gif_image(0, 0, 65535, 65535))
    yield "frame of nothing", gif(64, 64, gif_image(0, 0, 0, 0))
    yield "codes beyond the table", gif(64, 64, gif_image(0, 0, 64, 64, b"\xff" * 600))
    yield "codes that never end", gif(64, 64, gif_image(0, 0, 64, 64, codes(4096) * 400))
    yield "1 MB comment", gif(64, 64, b"\x21\xfe" + blocks(bytes(range(1, 251)) * 4200), gif_image(0, 0, 64, 64, codes(4096)))
    yield "300000 empty extensions", gif(64, 64, b"\x21\xfe\0" * 300_000, gif_image(0, 0, 64, 64, codes(4096)))
    yield "only extensions", gif(64, 64, b"\x21\xff\x0bNETSCAPE2.0\3\1\0\0\0" * 50_000)
    yield "XMP without an end", gif(64, 64, b"\x21\xff\x0bXMP DataXMP" + b"<x" * 100_000)
    yield "no trailer and no frame", gif(64, 64)[:-1]
    yield "colours beyond the file", b"GIF89a" + struct.pack("<HHBBB", 9, 9, 0x87, 0, 0)
    yield "unknown blocks", gif(64, 64, b"\x99" * 5000)
    yield "code size of 255", gif(64, 64, b"," + struct.pack("<HHHHB", 0, 0, 64, 64, 0) + b"\xff" + blocks(b"\x44"))

# WebP


def part(kind, data, length=None):
    return kind + struct.pack("<I", len(data) if length is None else length) + data + bytes(len(data) % 2)


def riff(*parts, length=None):
    content = b"WEBP" + b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(content) if length is None else length) + content


def three(value):
    return struct.pack("<I", value)[:3]


def extended(flags, width, height):
    return part(b"VP8X", bytes([flags, 0, 0, 0]) + three(width - 1) + three(height - 1))


# One lossless green pixel, and headers of larger images without pixels.
PIXEL = part(b"VP8L", bytes([0x2F, 0, 0, 0, 0, 0x07, 0x50, 0xF5, 0xF7, 0xFF]))
ANIMATION = part(b"ANIM", bytes(6))


def movement(x, y, width, height, content=PIXEL):
    return part(b"ANMF", three(x) + three(y) + three(width - 1) + three(height - 1) + three(50) + b"\0" + content)


def lossless(width, height):
    return part(b"VP8L", b"\x2f" + struct.pack("<I", width - 1 | (height - 1) << 14) + bytes(20))


def lossy(width, height):
    return part(b"VP8 ", b"\x10\2\0\x9d\1*" + struct.pack("<HH", width, height) + bytes(40))


def webps():
    yield "lossless 16384 by 16384", riff(lossless(16384, 16384))
    yield "lossy 16383 by 16383", riff(lossy(16383, 16383))
    yield "lossy 4000 by 4000", riff(lossy(4000, 4000))
    yield "size 0", riff(lossy(0, 0))
    yield "canvas of 2^24", riff(extended(2, 1 << 24, 1 << 24), ANIMATION, movement(0, 0, 1, 1) * 2)
    yield "canvas of 16384", riff(extended(0x10, 16384, 16384), PIXEL)
    for count, side in [(30_000, 16), (10_000, 4000), (900, 200)]:
        yield f"{count} frames of a pixel on {side} by {side}", riff(
            extended(2, side, side), ANIMATION, movement(0, 0, 1, 1) * count
        )
    yield "frames beyond the canvas", riff(extended(2, 64, 64), ANIMATION, movement(60, 60, 64, 64, lossless(64, 64)) * 9)
    yield "frame at 2^24", riff(extended(2, 64, 64), ANIMATION, movement((1 << 24) - 1, 0, 1, 1) * 3)
    nested = PIXEL
    for _ in range(2000):
        nested = movement(0, 0, 1, 1, nested)
    yield "frames in each other", riff(extended(2, 64, 64), ANIMATION, nested)
    for length in [0, 3, 0x7FFFFFFF, 0xFFFFFFFE]:
        yield f"length of {length}", riff(PIXEL, length=length)
    yield "chunk of 4 GB", riff(extended(0x20, 64, 64), part(b"ICCP", bytes(64), length=0xFFFFFFF0), PIXEL)
    yield "100000 empty chunks", riff(extended(0, 1, 1), part(b"abcd", b"") * 100_000, PIXEL)
    yield "profile of 5 MB", riff(extended(0x20, 1, 1), part(b"ICCP", bytes(5 << 20)), PIXEL)
    yield "profile of many tables", riff(extended(0x20, 1, 1), part(b"ICCP", icc_bomb()), PIXEL)
    yield "alpha without an image", riff(extended(0x10, 64, 64), part(b"ALPH", bytes(64)))
    yield "animation without frames", riff(extended(2, 64, 64), ANIMATION)
    yield "EXIF of 1 MB", riff(extended(8, 1, 1), PIXEL, part(b"EXIF", b"II*\0\10\0\0\0" + b"\xff" * (1 << 20)))
    yield "XMP of 1 MB", riff(extended(4, 1, 1), PIXEL, part(b"XMP ", b"<dc:creator>" * 90_000))

# JPEG


def segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def scan(bits, end=63):
    return segment(0xDA, b"\1\1\0" + bytes([0, end, 0])) + bits


TABLES = segment(0xDB, b"\0" + b"\1" * 64) + segment(0xC4, b"\0\1" + bytes(15) + b"\0") + segment(
    0xC4, b"\x10\1" + bytes(15) + b"\0"
)


def jpeg(*parts, size=(64, 64), kind=0xC0, components=1, depth=8, data=None):
    """Returns a grey image: each block has no difference and no further coefficients, which are two zero bits."""
    blocks_ = -(-size[0] // 8) * -(-size[1] // 8)
    shape = struct.pack(">BHHB", depth, size[1] & 0xFFFF, size[0] & 0xFFFF, components) + b"".join(
        bytes([i + 1, 0x11, 0]) for i in range(components)
    )
    data = scan(bytes(min(-(-blocks_ // 4), 20_000_000))) if data is None else data
    return b"\xff\xd8" + b"".join(parts) + TABLES + segment(kind, shape) + data + b"\xff\xd9"


def jpegs():
    short = scan(bytes(64))
    for size in [(0, 64), (64, 0), (65535, 65535), (65500, 700)]:
        yield f"size {size[0]} by {size[1]}", jpeg(size=size, data=short)
    yield "7000 by 7000 of nothing", jpeg(size=(7000, 7000))
    yield "progressive 7000 by 7000 of one scan", jpeg(size=(7000, 7000), kind=0xC2, data=short)
    yield "progressive of 20000 scans", jpeg(size=(64, 64), kind=0xC2, data=scan(bytes(16), 0) * 20_000)
    yield "progressive 4000 by 4000 of 90 scans", jpeg(size=(4000, 4000), kind=0xC2, data=scan(bytes(31_250), 0) * 90)
    yield "progressive 6000 by 6000 of 5000 empty scans", jpeg(size=(6000, 6000), kind=0xC2, data=scan(b"", 0) * 5000)
    for kind, name in [(0xC1, "extended"), (0xC3, "lossless"), (0xC9, "arithmetic"), (0xCA, "arithmetic progressive"),
                       (0xCB, "arithmetic lossless"), (0xC5, "differential")]:
        yield name, jpeg(kind=kind)
        yield f"{name} of 65535 by 65535", jpeg(kind=kind, size=(65535, 65535), data=short)
    yield "arithmetic 5000 by 5000 of nothing", jpeg(kind=0xC9, size=(5000, 5000), data=short)
    yield "255 components", jpeg(components=255)
    yield "no components", jpeg(components=0)
    yield "depth of 12", jpeg(depth=12)
    yield "no tables", b"\xff\xd8" + segment(0xC0, struct.pack(">BHHB", 8, 64, 64, 1) + b"\1\x11\0") + short + b"\xff\xd9"
    yield "two frames", jpeg(segment(0xC0, struct.pack(">BHHB", 8, 5000, 5000, 1) + b"\1\x11\0"))
    yield "2 MB of fill bytes", b"\xff\xd8" + b"\xff" * (2 << 20) + jpeg()[2:]
    yield "2 MB of nothing", b"\xff\xd8" + bytes(2 << 20)
    yield "40000 comments", jpeg(segment(0xFE, b"") * 40_000)
    yield "255 parts of a profile", jpeg(*[segment(0xE2, b"ICC_PROFILE\0" + bytes([i, 255]) + bytes(60_000)) for i in range(1, 255)])
    yield "profile of many tables", jpeg(segment(0xE2, b"ICC_PROFILE\0\1\1" + icc_bomb()))
    yield "EXIF that refers to itself", jpeg(segment(0xE1, b"Exif\0\0MM\0*\0\0\0\10\xff\xff" + b"\x88\x69\0\4\0\0\0\1\0\0\0\10" * 2000))
    yield "restarts after each block", jpeg(segment(0xDD, b"\0\1"), data=scan(b"\0\xff\xd0" * 40_000))
    yield "restarts only", jpeg(segment(0xDD, b"\0\1"), data=scan(b"\xff\xd7" * 400_000))
    yield "Huffman codes of 16 ones", jpeg(segment(0xC4, b"\0" + b"\xff" * 16 + bytes(4080)))
    yield "CMYK of 9000 by 9000", jpeg(components=4, size=(9000, 9000), data=short)

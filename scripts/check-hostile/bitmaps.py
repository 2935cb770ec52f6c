"""Valid and hostile TIFF, BMP and ICO files."""
import struct
import zlib

import rasters

# TIFF


def tiff(fields, data=b"", start="<"):
    """Returns a file with a directory of (tag, type, values), whose strip starts at 0 in `data`. The offset of the
    strip replaces None."""
    sizes = {1: "B", 3: "H", 4: "I", 7: "B"}
    place = 8 + 2 + 12 * len(fields) + 4
    end = place + sum(len(values) * struct.calcsize(sizes[kind]) for _, kind, values in fields
                      if len(values) * struct.calcsize(sizes[kind]) > 4)
    entries, long = b"", b""
    for tag, kind, values in sorted(fields):
        packed = struct.pack(f"{start}{len(values)}{sizes[kind]}", *[end if value is None else value for value in values])
        entries += struct.pack(start + "HHI", tag, kind, len(values))
        if len(packed) > 4:
            entries += struct.pack(start + "I", place + len(long))
            long += packed
        else:
            entries += packed.ljust(4, b"\0")
    letters = b"II*\0" if start == "<" else b"MM\0*"
    return letters + struct.pack(start + "IH", 8, len(fields)) + entries + bytes(4) + long + data


def tiff_image(width=64, height=64, samples=3, depth=8, compression=1, data=bytes(64 * 64 * 3), strips=None, rows=None, more=()):
    counts = strips or [len(data)]
    fields = {
        256: (4, [width]), 257: (4, [height]), 258: (3, [depth] * min(samples, 40)), 259: (3, [compression]),
        262: (3, [2]), 273: (4, [None] * len(counts)), 277: (3, [samples]), 278: (4, [height if rows is None else rows]),
        279: (4, counts),
    }
    fields.update({tag: (kind, values) for tag, kind, values in more})
    return tiff([(tag, kind, values) for tag, (kind, values) in fields.items() if values], data)


def tiffs():
    for width, height in [(0, 0), (0x7FFFFFFF, 0x7FFFFFFF), (0xFFFFFFFF, 1), (65535, 65535), (50_000, 50_000)]:
        yield f"size {width} by {height}", tiff_image(width, height)
    deflated = zlib.compress(bytes(7000 * 7000 * 3), 9)
    yield "7000 by 7000 of nothing", tiff_image(7000, 7000, compression=8, data=deflated)
    yield "one tile of 65520 by 65520", tiff_image(
        compression=8, data=deflated, strips=[], more=[(322, 4, [65520]), (323, 4, [65520]), (324, 4, [None]), (325, 4, [len(deflated)])]
    )
    yield "tiles of 16 by 65520 on a row", tiff_image(
        60_000, 1, compression=8, data=deflated, strips=[],
        more=[(322, 4, [16]), (323, 4, [65520]), (324, 4, [None] * 3750), (325, 4, [len(deflated)] * 3750)],
    )
    yield "65000 strips of the same bytes", tiff_image(
        700, 65000, compression=8, data=deflated, strips=[len(deflated)] * 65000, rows=1
    )
    yield "60000 samples a pixel", tiff_image(samples=60_000)
    yield "samples of 64 bits", tiff_image(depth=64)
    yield "strips of 0 rows", tiff_image(rows=0)
    yield "strips of 2^32 rows", tiff_image(rows=0xFFFFFFFF)
    yield "strips of 2^32 bytes", tiff_image(strips=[0xFFFFFFFF])
    yield "no strips", tiff_image(strips=[], more=[(273, 4, []), (279, 4, [])])
    for compression in [2, 3, 4, 5, 6, 7, 8, 32773, 32809, 32946, 34661, 34676, 34887, 34925, 50000, 50001, 65535]:
        yield f"compression {compression} of noise", tiff_image(compression=compression, data=rasters.noise(20_000))
    yield "JPEG in a strip", tiff_image(compression=7, data=rasters.jpeg(), more=[(262, 3, [6])])
    yield "JPEG of a huge size in a strip", tiff_image(
        compression=7, data=rasters.jpeg().replace(b"\x08\x00\x40\x00\x40", b"\x08\xff\xff\xff\xff"), more=[(262, 3, [6])]
    )
    yield "tables of JPEG that are noise", tiff_image(compression=7, more=[(347, 7, list(rasters.noise(60_000)))])
    for photometric in [3, 4, 5, 6, 8, 9, 10, 32803, 32844, 32845, 34892]:
        yield f"colours of the kind {photometric}", tiff_image(more=[(262, 3, [photometric])])
    yield "chroma shared by 0 pixels", tiff_image(more=[(262, 3, [6]), (530, 3, [0, 0])])
    yield "chroma shared by 65535 pixels", tiff_image(more=[(262, 3, [6]), (530, 3, [65535, 65535])])
    yield "palette of nothing", tiff_image(samples=1, more=[(262, 3, [3]), (320, 3, [0])])
    yield "profile of noise", tiff_image(more=[(34675, 7, list(rasters.noise(200_000)))])
    loop = tiff_image()
    yield "directory that follows itself", loop[:8 + 2 + 12 * 9] + struct.pack("<I", 8) + loop[8 + 2 + 12 * 9 + 4:]
    yield "directory beyond the file", b"II*\0" + struct.pack("<I", 0xFFFFFFF0)
    yield "directory of 65535 entries", b"II*\0" + struct.pack("<IH", 8, 65535) + struct.pack("<HHII", 256, 4, 1, 1) * 65535
    yield "values beyond the file", b"II*\0" + struct.pack("<IHHHIIHHIII", 8, 2, 256, 4, 0x3FFFFFFF, 100, 257, 4, 1, 64, 0)
    yield "BigTIFF of 2^63 entries", b"II+\0\x08\0\0\0" + struct.pack("<QQ", 16, 1 << 63)


# BMP and ICO


def bitmap(width=64, height=64, depth=24, compression=0, colors=0, length=40, masks=b"", data=bytes(64 * 64 * 3)):
    return struct.pack(
        "<IiiHHIIiiII", length, width, height, 1, depth, compression, 0, 0, 0, colors, 0
    ) + masks + data


def bmp(content, start=54):
    return b"BM" + struct.pack("<III", 14 + len(content), 0, start) + content


def bmps():
    for width, height in [(0, 0), (-1, 5), (0x7FFFFFFF, 0x7FFFFFFF), (0x7FFFFFFF, -0x80000000), (65535, 65535), (1, 10**9)]:
        yield f"size {width} by {height}", bmp(bitmap(width, height))
    for depth in [0, 3, 7, 31, 48, 64, 65535]:
        yield f"{depth} bits", bmp(bitmap(depth=depth))
    for compression in [1, 2, 3, 4, 5, 6, 9, 0xFFFFFFFF]:
        for depth in [4, 8, 16, 32]:
            yield f"compression {compression} of {depth} bits", bmp(bitmap(depth=depth, compression=compression))
    for masks in [(0, 0, 0), (0xFFFFFFFF,) * 3, (0xAAAAAAAA, 0x55555555, 1), (0x80000000, 1, 0x7FFFFFFE)]:
        yield f"masks {masks}", bmp(bitmap(depth=32, compression=3, masks=struct.pack("<III", *masks), data=bytes(64 * 64 * 4)))
    yield "rows before the header", bmp(bitmap(), start=0)
    yield "rows beyond the file", bmp(bitmap(), start=0xFFFFFFFF)
    yield "palette of 2^32 colours", bmp(bitmap(depth=8, colors=0xFFFFFFFF))
    yield "header of 2^32 bytes", bmp(bitmap(length=0xFFFFFFFF))
    runs = b"\xff\1" * 200_000
    yield "runs beyond the row", bmp(bitmap(7000, 7000, depth=8, compression=1, data=bytes(1024) + runs))
    yield "jumps beyond the image", bmp(bitmap(7000, 7000, depth=8, compression=1, data=bytes(1024) + b"\0\2\xff\xff" * 200_000))
    yield "rows of nothing", bmp(bitmap(7000, 7000, depth=8, compression=1, data=bytes(1024) + b"\0\0" * 7000))
    yield "no rows", bmp(bitmap(data=b""))


def ico(entries, data=b"", count=None):
    return struct.pack("<HHH", 0, 1, len(entries) if count is None else count) + b"".join(
        struct.pack("<BBBBHHII", width, height, 0, 0, 1, 32, length, offset) for width, height, length, offset in entries
    ) + data


def icos():
    yield "65535 entries of 3", ico([(16, 16, 100, 6)] * 3, count=65535)
    yield "65535 entries of the whole file", ico([(0, 0, 0xFFFFFFFF, 0)] * 65535)
    yield "256 entries of 20 MB", ico([(0, 0, 0xFFFFFFFF, 6 + 16 * 256)] * 256, bytes(20 << 20))
    yield "entry beyond the file", ico([(16, 16, 100, 0xFFFFFFF0)])
    yield "entry of itself", ico([(16, 16, 22, 0)])
    for width, height in [(0x7FFFFFFF, 0x7FFFFFFE), (65535, 131070), (64, 1), (-5, 10)]:
        yield f"bitmap of {width} by {height}", ico([(0, 0, 40 + 12288, 22)], bitmap(width, height))
    yield "PNG of a huge size", ico([(0, 0, 10_000, 22)], rasters.png(size=(65535, 65535)))
    yield "bitmap without its mask", ico([(64, 64, 40 + 64 * 64 * 3, 22)], bitmap(64, 128))

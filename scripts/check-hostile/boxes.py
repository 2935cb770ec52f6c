"""Hostile files that consist of boxes (ISO/IEC 14496-12), such as AVIF and HEIC."""
import struct


def box(kind, *parts, size=None):
    content = b"".join(parts)
    return struct.pack(">I4s", 8 + len(content) if size is None else size, kind) + content


def full(kind, *parts, version=0, flags=0):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def item(number, kind):
    return full(b"infe", struct.pack(">HH4s", number, 0, kind), b"\0", version=2)


def location(items, method=0):
    """Returns iloc with items of (number, offset, length): in the file, with method 1 in idat, with method 2 in another item."""
    rows = b"".join(
        struct.pack(">HHHHIII", number, method, 0, 1, 0, offset, length) if method == 2
        else struct.pack(">HHHHII", number, method, 0, 1, offset, length) for number, offset, length in items
    )
    sizes = 0x4404 if method == 2 else 0x4400
    return full(b"iloc", struct.pack(">HH", sizes, len(items)), rows, version=1)


def reference(kind, source, targets):
    return box(kind, struct.pack(">HH", source, len(targets)), struct.pack(f">{len(targets)}H", *targets))


def extent(width, height):
    return full(b"ispe", struct.pack(">II", width, height))


def associations(rows):
    """Returns ipma with rows of (item, numbers of properties)."""
    return full(b"ipma", struct.pack(">I", len(rows)), b"".join(
        struct.pack(">HB", number, len(properties)) + bytes(properties) for number, properties in rows
    ))


def file(brand, items, properties, linked, references=b"", data=b"", idat=b"", primary=1, method=0, located=None):
    """Returns a file with items (number, kind) whose data start at the beginning of mdat."""
    def meta(offset):
        places = located or [(number, offset, len(data)) for number, _ in items]
        return full(
            b"meta",
            full(b"hdlr", bytes(4), b"pict", bytes(13)),
            full(b"pitm", struct.pack(">H", primary)),
            location(places, method),
            full(b"iinf", struct.pack(">H", len(items)), b"".join(item(n, kind) for n, kind in items)),
            full(b"iref", references) if references else b"",
            box(b"iprp", box(b"ipco", *properties), associations(linked)),
            box(b"idat", idat) if idat else b"",
        )
    head = box(b"ftyp", brand, bytes(4), b"mif1", brand, b"miaf")
    return head + meta(len(head) + len(meta(0)) + 8) + box(b"mdat", data)


def coded(brand):
    """Returns the kind of an item, and the box with the configuration of its decoder."""
    if brand == b"avif":
        return b"av01", box(b"av1C", bytes([0x81, 0x04, 0x0C, 0]))
    return b"hvc1", box(b"hvcC", b"\1\3\x70" + bytes(17) + b"\xf8\xf8\0\0\x0f\0")


def grid(rows, columns, width, height):
    return struct.pack(">BBBBII", 0, 1, rows - 1, columns - 1, width, height)


def files(brand, payload):
    """Yields names and bytes; `payload` is an image of the codec."""
    kind, configuration = coded(brand)
    tile = [(2, [2, 3])]

    def grid_of(name, rows, columns, side, targets, size=None):
        image = grid(rows, columns, columns * side if size is None else size, rows * side if size is None else size)
        yield name, file(
            brand, [(1, b"grid"), (2, kind)],
            [extent(columns * side if size is None else size, rows * side if size is None else size),
             extent(side, side), configuration],
            [(1, [1]), *tile], reference(b"dimg", 1, targets), payload + image, method=0,
            located=[(1, 0, 0), (2, 0, 0)],
        )
    yield from grid_of("grid of 65536 tiles", 256, 256, 64, [2] * 65535)
    yield from grid_of("grid of itself", 2, 2, 64, [1] * 4)
    yield from grid_of("grid without tiles", 4, 4, 64, [])
    yield from grid_of("grid of missing tiles", 4, 4, 64, list(range(900, 916)))
    yield from grid_of("grid that states a huge size", 2, 2, 64, [2] * 4, size=0xFFFFFFFF)
    for width, height in [(0, 0), (1, 0xFFFFFFFF), (0x7FFFFFFF, 0x7FFFFFFF), (65535, 65535), (100_000, 100_000)]:
        yield f"extent of {width} by {height}", file(
            brand, [(1, kind)], [extent(width, height), configuration], [(1, [1, 2])], data=payload
        )
    single = {"items": [(1, kind)], "properties": [extent(64, 64), configuration], "linked": [(1, [1, 2])]}
    yield "iloc that refers to itself", file(
        brand, **single, references=reference(b"iloc", 1, [1]), data=payload, method=2, located=[(1, 0, 64)]
    )
    yield "iloc beyond the file", file(brand, **single, data=payload, located=[(1, 0x7FFFFFFF, 0x7FFFFFFF)])
    yield "65535 extents", file(brand, **single, data=payload, located=[(1, 0, 0xFFFFFFFF)] * 3000)
    yield "missing primary item", file(brand, **single, data=payload, primary=77)
    yield "property numbers beyond the list", file(
        brand, [(1, kind)], [extent(64, 64), configuration], [(1, [120, 121, 1, 2])], data=payload
    )
    yield "the same property 255 times", file(
        brand, [(1, kind)], [extent(64, 64), configuration], [(1, [1] * 250 + [2])], data=payload
    )
    yield "derived items in a circle", file(
        brand, [(1, b"iden"), (2, b"iden")], [extent(64, 64)], [(1, [1]), (2, [1])],
        reference(b"dimg", 1, [2]) + reference(b"dimg", 2, [1]),
    )
    yield "alpha of itself", file(brand, **single, references=reference(b"auxl", 1, [1]), data=payload)
    yield "overlay of a huge canvas", file(
        brand, [(1, b"iovl"), (2, kind)], [extent(64, 64), extent(64, 64), configuration], [(1, [1]), (2, [2, 3])],
        reference(b"dimg", 1, [2] * 500), payload,
        idat=struct.pack(">BB4HII", 0, 1, 0, 0, 0, 0, 0xFFFFFFF0, 0xFFFFFFF0) + bytes(4000),
    )
    many = list(range(1, 8001))
    yield "8000 items", file(
        brand, [(n, kind) for n in many], [extent(64, 64), configuration], [(n, [1, 2]) for n in many], data=payload
    )
    for name, values in [
        ("clap that divides by zero", (1, 0, 1, 0, 0, 0, 0, 0)),
        ("clap that is negative", (0xFFFFFF00, 1, 0xFFFFFF00, 1, 0x80000000, 0xFFFFFFFF, 0x80000000, 0xFFFFFFFF)),
        ("clap beyond the image", (4_000_000_000, 1, 4_000_000_000, 1, 0, 1, 0, 1)),
    ]:
        yield name, file(
            brand, [(1, kind)], [extent(64, 64), configuration, box(b"clap", struct.pack(">8I", *values))],
            [(1, [1, 2, 0x83])], data=payload,
        )
    profile = box(b"colr", b"prof", struct.pack(">I", 0xFFFFFFF0), b"acsp" * 5000)
    yield "colour profiles", file(
        brand, [(1, kind)], [extent(64, 64), configuration] + [profile] * 60, [(1, list(range(1, 63)))],
        data=payload,
    )
    start = box(b"ftyp", brand, bytes(4), b"mif1", brand)
    deep = b""
    for _ in range(4000):
        deep = full(b"meta", deep)
    yield "4000 boxes in each other", start + deep
    deep = b""
    for _ in range(4000):
        deep = box(b"iprp", box(b"ipco", deep))
    yield "properties in each other", start + full(b"meta", deep)
    yield "100000 empty boxes", start + box(b"free") * 100_000
    for size in [0, 1, 7, 0x7FFFFFFF, 0xFFFFFFFF]:
        yield f"box that states {size} bytes", start + box(b"meta", bytes(64), size=size)
    yield "box of 2^63 bytes", start + struct.pack(">I4sQ", 1, b"meta", 1 << 63) + bytes(64)
    yield "brands without end", box(b"ftyp", brand, bytes(4), brand * 200_000)
    yield "sequence of 2^32 images", sequence(brand, kind, configuration, payload)


def sequence(brand, kind, configuration, payload):
    entry = box(kind, bytes(24), struct.pack(">HH", 64, 64), bytes(50), configuration)
    table = box(
        b"stbl", full(b"stsd", struct.pack(">I", 1), entry),
        full(b"stts", struct.pack(">III", 1, 0xFFFFFFFF, 1)), full(b"stsc", struct.pack(">IIII", 1, 1, 0xFFFFFFFF, 1)),
        full(b"stsz", struct.pack(">II", 1, 0xFFFFFFFF)), full(b"stco", struct.pack(">II", 1, 40)),
    )
    media = box(b"mdia", full(b"mdhd", bytes(12), struct.pack(">II", 1000, 1)), full(b"hdlr", bytes(4), b"pict", bytes(13)),
                box(b"minf", table))
    track = box(b"trak", full(b"tkhd", bytes(76), struct.pack(">II", 64 << 16, 64 << 16), flags=1), media)
    brands = b"avis" if brand == b"avif" else b"hevc"
    return box(b"ftyp", brands, bytes(4), brands, b"msf1", brand) + box(b"moov", track) + box(b"mdat", payload)

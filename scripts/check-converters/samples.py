"""The files that the check converts. They are written here, or by packages that the check already needs."""
import struct
import subprocess
import zlib

SVG = b"""<?xml version="1.0"?><!-- a drawing -->
<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#c00"/>
<text x="2" y="12" font-size="8">Head</text></svg>"""


def pdf(pages):
    """Returns a document with pages of different widths, in points."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>"]
    kids = " ".join(f"{3 + number} 0 R" for number in range(len(pages)))
    objects.append(f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode())
    objects += [f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width} 100]>>".encode() for width in pages]
    return document(objects)


def document(objects):
    """Returns a PDF with these objects; the first object is the catalogue."""
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return data + end + b"trailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(data))


def dng(width, height):
    """Returns a raw photo with 16 bits per sample and one pattern of colour filters."""
    samples = b"".join(struct.pack("<H", (x * 600 + y * 300) % 40000) for y in range(height) for x in range(width))
    identity = struct.pack("<18i", *[1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
    tags = [
        (254, 4, struct.pack("<I", 0)), (256, 4, struct.pack("<I", width)), (257, 4, struct.pack("<I", height)),
        (258, 3, struct.pack("<H", 16)), (259, 3, struct.pack("<H", 1)), (262, 3, struct.pack("<H", 32803)),
        (271, 2, b"Headroom\0"), (272, 2, b"Sample\0"), (273, 4, None), (274, 3, struct.pack("<H", 1)),
        (277, 3, struct.pack("<H", 1)), (278, 4, struct.pack("<I", height)), (279, 4, struct.pack("<I", len(samples))),
        (33421, 3, struct.pack("<2H", 2, 2)), (33422, 1, bytes([0, 1, 1, 2])), (50706, 1, bytes([1, 4, 0, 0])),
        (50708, 2, b"Headroom Sample\0"), (50717, 4, struct.pack("<I", 65535)), (50721, 10, identity),
        (50728, 5, struct.pack("<6I", 1, 1, 1, 1, 1, 1)), (50778, 3, struct.pack("<H", 21)),
    ]
    sizes = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 10: 8}
    start = 8 + 2 + 12 * len(tags) + 4
    place = start + sum(len(data) + len(data) % 2 for _, _, data in tags if data and len(data) > 4)
    entries, values = b"", b""
    for tag, kind, data in tags:
        value = struct.pack("<I", place) if data is None else data
        entries += struct.pack("<HHI", tag, kind, len(value) // sizes[kind])
        if len(value) > 4:
            entries += struct.pack("<I", start + len(values))
            values += value + b"\0" * (len(value) % 2)
        else:
            entries += value.ljust(4, b"\0")
    return b"II*\0" + struct.pack("<IH", 8, len(tags)) + entries + bytes(4) + values + samples


def video(folder, name, seconds=4):
    """Returns a video of ffmpeg's test pattern with 64 by 48 pixels."""
    path = folder / name
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc=duration={seconds}:size=64x48:rate=10",
                    "-pix_fmt", "yuv420p", path], check=True)
    return path.read_bytes()


def chunk(name, data):
    """A chunk of a PNG file."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def rows(width, height, color):
    """The compressed samples of an image of one colour."""
    return zlib.compress(b"".join(b"\0" + bytes(color) * width for _ in range(height)))


def png(width, height, color):
    """Returns an image of one colour."""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", rows(width, height, color)) + chunk(b"IEND", b""))


def animation(width, height, delays):
    """An animated PNG with a colour for each frame; the delays are in milliseconds."""
    data, sequence = b"", 0
    for number, delay in enumerate(delays):
        data += chunk(b"fcTL", struct.pack(">5I2H2B", sequence, width, height, 0, 0, delay, 1000, 0, 0))
        pixels = rows(width, height, (number * 60 % 256, 200 - number * 40 % 200, 90))
        data += chunk(b"IDAT", pixels) if number == 0 else chunk(b"fdAT", struct.pack(">I", sequence + 1) + pixels)
        sequence += 1 if number == 0 else 2
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"acTL", struct.pack(">II", len(delays), 0)) + data + chunk(b"IEND", b""))


def frames(folder, film):
    """The codec and the size of a video, and the start times of its frames in milliseconds, by ffprobe."""
    path = folder / "film"
    path.write_bytes(film)
    words = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height:packet=pts_time", "-of",
                            "csv=print_section=0", path], capture_output=True, text=True, check=False).stdout.split()
    times = [round(float(word) * 1000) for word in words if "." in word]
    return next((word for word in words if "." not in word), ""), times

#!/usr/bin/env python3
"""Sends hostile files of every format to a running service with default limits.

    scripts/check-hostile [--headroom .build/release/headroom] [--seconds 2] [--list]

All files are made here: huge sizes in headers, grids and loops of boxes, bombs of frames, texts and profiles, files cut
anywhere, and changed bytes. Each has to be answered with a picture or a problem below 500 within --seconds, and a picture
sent after it with 200. Prints the slowest, and exits 1 otherwise. With --list, only prints the names.
"""
import argparse
import http.client
import json
import pathlib
import random
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import bitmaps  # noqa: E402
import boxes  # noqa: E402
import rasters  # noqa: E402
from service import EXECUTABLE, ROOT, Service  # noqa: E402


class Caller:
    def __init__(self, port):
        self.port, self.connection = port, None

    def post(self, target, body):
        """Status, media type, body and seconds; status 0 if the connection ends."""
        start = time.monotonic()
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            connection.request("POST", target, body, {"Content-Type": "application/octet-stream"})
            answer = connection.getresponse()
            content = answer.read()
            connection.close()
            return answer.status, answer.headers.get("Content-Type", ""), content, time.monotonic() - start
        except (OSError, http.client.HTTPException) as error:
            return 0, "", str(error).encode(), time.monotonic() - start


def samples():
    """The small files of formats that are only read, from the program's source."""
    for name, decoder in [("heic", "HEIF/HEICDecoder"), ("jpegxl", "JPEGXL/JPEGXLDecoder"), ("tiff", "TIFF/TIFFDecoder"),
                          ("bmp", "BMP/BMPDecoder"), ("ico", "ICO/ICODecoder")]:
        text = (ROOT / f"Sources/Imaging/Formats/{decoder}.swift").read_text()
        numbers = re.search(r"sample: \[UInt8\] = \[(.*?)\]", text, re.S).group(1)
        yield name, bytes(int(number, 16) for number in re.findall(r"0x([0-9A-F]{2})", numbers))


def sound_files(caller):
    """A good file of each format; those that need an encoder are written by the service."""
    good = {"png": rasters.png(), "jpeg": rasters.jpeg(), "gif": rasters.gif(64, 64, rasters.picture(
        0, 0, 64, 64, rasters.codes(4096))), **dict(samples())}
    good["apng"] = rasters.png(
        rasters.chunk(b"acTL", b"\0\0\0\2\0\0\0\0"), rasters.frame(0, 0, 0, 64, 64),
        data=rasters.PIXELS + rasters.frame(1, 8, 8, 1, 1) + rasters.chunk(b"fdAT", b"\0\0\0\2" + rasters.zlib.compress(bytes(4))),
    )
    for name, source in [("webp", "png"), ("avif", "png"), ("animated webp", "apng"), ("animated avif", "apng")]:
        status, _, body, _ = caller.post(f"/frame?gravity=center&format={name.split()[-1]}", good[source])
        if status == 200:
            good[name] = body
    return good


def hostile_files(good):
    for name, made in [("PNG", rasters.pngs), ("GIF", rasters.gifs), ("WebP", rasters.webps), ("JPEG", rasters.jpegs),
                       ("TIFF", bitmaps.tiffs), ("BMP", bitmaps.bmps), ("ICO", bitmaps.icos)]:
        for what, file in made():
            yield f"{name}: {what}", file
    for brand in ["avif", "heic"]:
        file = good.get(brand, b"")
        place = file.rfind(b"mdat")
        for what, made in boxes.files(brand.encode(), file[place + 4:] if place >= 0 else bytes(64)):
            yield f"{brand.upper()}: {what}", made
    for what, start in [("stream", b"\xff\x0a"), ("container", b"\0\0\0\x0cJXL \r\n\x87\n")]:
        yield f"JPEG XL: {what} of a huge size", start + b"\xff" * 64
        yield f"JPEG XL: {what} of noise", start + rasters.noise(5000)
        yield f"JPEG XL: {what} that ends", start
    box = boxes.box(b"jxlp", bytes(8)) * 50_000
    yield "JPEG XL: 50000 parts", b"\0\0\0\x0cJXL \r\n\x87\n" + boxes.box(b"ftyp", b"jxl \0\0\0\0jxl ") + box
    chance = random.Random(5)
    for name, file in good.items():
        for eighth in range(8):
            yield f"{name}: cut after {eighth} of 8", file[:max(12, len(file) * eighth // 8)]
        for number in range(8):
            changed = bytearray(file)
            for _ in range(1 + number):
                changed[chance.randrange(4, len(changed))] = chance.choice([0, 1, 127, 128, 255])
            yield f"{name}: changed bytes, {number}", bytes(changed)


def judge(name, answer, seconds):
    """What is wrong with an answer; None if nothing is."""
    status, kind, body, time_taken = answer
    if time_taken > seconds:
        return f"took {time_taken:.1f} s ({status})"
    if status == 200:
        return None if kind.startswith("image/") else f"200 of the type {kind}"
    if status == 0 or status >= 500:
        return f"{status} {body[:200].decode(errors='replace')}"
    if kind != "application/problem+json" or "title" not in json.loads(body):
        return f"{status} of the type {kind}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=EXECUTABLE)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    service = Service(options.headroom)
    caller = Caller(service.port)
    wrong, times, statuses, count = [], [], {}, 0
    try:
        good = sound_files(caller)
        for name, file in good.items():
            # The animations were written by the service.
            answer = caller.post("/frame?gravity=center&format=jpeg", file)
            if answer[0] != 200:
                wrong.append(f"sound {name}: {answer[0]} {answer[2][:200]}")
        for name, file in hostile_files(good):
            if options.list:
                print(f"{name} ({len(file)} bytes)")
                continue
            answer = caller.post("/frame?aspect=1:1&width=64", file)
            count += 1
            times.append((answer[3], name))
            statuses[answer[0]] = statuses.get(answer[0], 0) + 1
            if fault := judge(name, answer, options.seconds):
                wrong.append(f"{name} ({len(file)} bytes): {fault}")
            after = caller.post("/frame?gravity=center&width=8&format=jpeg", good["png"])
            if after[0] != 200:
                wrong.append(f"after {name}: {after[0]} {after[2][:200]}")
    finally:
        memory = service.resident_mib()
        status = service.stop()
    if options.list:
        return 0
    times.sort(reverse=True)
    print(f"{count} hostile files; by status: {dict(sorted(statuses.items()))}")
    print("slowest: " + "; ".join(f"{seconds:.2f} s {name}" for seconds, name in times[:5]))
    print(f"the service and its workers take {memory:.0f} MiB and ended with status {status}")
    for fault in wrong:
        print(f"WRONG {fault}")
    return 1 if wrong or status != 0 or count < 200 else 0


sys.exit(main())

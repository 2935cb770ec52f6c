"""Sends hostile files of every format to a running service with default limits: `make check-hostile`.

The files are generated: huge sizes in headers, grids and loops of boxes, bombs of frames, texts and profiles, truncated files,
and changed bytes.

- The response to each file must be an image or a problem below 500, within two seconds. An image that is sent after it must get
  200.
- Files in which a small part is repeated up to 20 MB must take processor time in proportion to their size, and must not end a
  worker.
- Bodies with codings, forms and parameters must use little processor time in the service and must not delay other
  clients.

Prints the slowest files and bodies, and exits 1 if a rule is violated; `--bodies` sends only the bodies.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import bitmaps
import boxes
import costs
import rasters
import repeated
from report import check, end
from service import EXECUTABLE, ROOT, TICKS, Service, ticks

# The maximum duration until a response.
SECONDS = 2
# The sizes of files with a repeated part; the largest is near the default of `max-body`.
SIZES = 64 << 10, 440 << 10, 19_900_000
# The maximum processor time for each of these sizes. Above it, the time grows faster than the size.
MAX_SECONDS = 0.5
# The faults that were found so far.
WRONG = []


def samples():
    """Returns small files of formats that the program only reads, from its source code."""
    for name, decoder in [("heic", "HEIF/HEICDecoder"), ("jpegxl", "JPEGXL/JPEGXLDecoder"), ("tiff", "TIFF/TIFFDecoder"),
                          ("bmp", "BMP/BMPDecoder"), ("ico", "ICO/ICODecoder")]:
        text = (ROOT / f"Sources/Core/Imaging/Formats/{decoder}.swift").read_text()
        numbers = re.findall(r"sample: \[UInt8\] = \[(.*?)\]", text, re.DOTALL)[0]
        yield name, bytes(int(number, 16) for number in re.findall(r"0x([0-9A-F]{2})", numbers))


def sound_files(service):
    """Returns a valid file of each format; the service writes the formats that need an encoder."""
    good = {"png": rasters.png(), "jpeg": rasters.jpeg(), "gif": rasters.gif(64, 64, rasters.gif_image(
        0, 0, 64, 64, rasters.codes(4096))), **dict(samples())}
    good["apng"] = rasters.png(
        rasters.chunk(b"acTL", b"\0\0\0\2\0\0\0\0"), rasters.frame(0, 0, 0, 64, 64),
        data=rasters.PIXELS + rasters.frame(1, 8, 8, 1, 1) + rasters.chunk(b"fdAT", b"\0\0\0\2" + rasters.zlib.compress(bytes(4))),
    )
    for name, source in [("webp", "png"), ("avif", "png"), ("animated webp", "apng"), ("animated avif", "apng")]:
        status, _, body = service.ask(f"/frame?gravity=center&format={name.split()[-1]}", good[source])
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


def judge(status, headers, body):
    """Returns the fault of a response; None if it has none."""
    kind = headers.get("Content-Type", "")
    if status == 200:
        return None if kind.startswith("image/") else f"200 of the type {kind}"
    if status == 0 or status >= 500:
        return f"{status} {body[:200].decode(errors='replace')}"
    if kind != "application/problem+json" or "title" not in json.loads(body):
        return f"{status} of the type {kind}"
    return None


def processor_seconds(service):
    """Returns the processor time of the service and of all its workers so far, in steps of a hundredth of a second."""
    folders = [pathlib.Path("/proc", str(pid)) for pid in [service.pid, *service.workers()]]
    return sum(ticks(folder, ended=True) for folder in folders) / TICKS


def grow(service, good):
    """Sends files with a repeated part; returns the faults."""
    wrong, workers = [], set(service.workers())
    for size in SIZES:
        times, statuses = [], collections.Counter()
        for name, file in repeated.files(good, size):
            start = processor_seconds(service)
            response = service.ask("/frame?aspect=1:1&width=64&metadata=copyright", file)
            times.append((processor_seconds(service) - start, name))
            statuses[response[0]] += 1
            fault = judge(*response) or (times[-1][0] > MAX_SECONDS and f"took {times[-1][0]:.2f} s of processor time")
            if fault:
                wrong.append(f"{name} ({len(file)} bytes): {fault}")
        slowest = "; ".join(f"{seconds:.2f} s {name}" for seconds, name in sorted(times, reverse=True)[:5])
        print(f"{len(times)} files of {size} bytes with a repeated part; by status: {dict(sorted(statuses.items()))}")
        print(f"maximum processor time: {slowest}")
    # The spare worker starts later than the workers.
    check("no worker ends", workers <= set(service.workers()))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bodies", action="store_true", help="send only the bodies of codings, forms and parameters")
    parser.add_argument("--program", type=pathlib.Path, default=EXECUTABLE, help="another build of headroom")
    arguments = parser.parse_args()
    if not arguments.bodies:
        files(arguments.program)
    with Service(arguments.program, "--max-connections-per-address", "0") as service:
        costs.costs(service)
    end(*WRONG)


def files(program):
    """Sends the files."""
    wrong, times, statuses = [], [], collections.Counter()
    with Service(program) as service:
        good = sound_files(service)
        for name, file in good.items():
            # The service wrote the animations.
            status, _, body = service.ask("/frame?gravity=center&format=jpeg", file)
            if status != 200:
                wrong.append(f"valid {name}: {status} {body[:200]}")
        for name, file in hostile_files(good):
            start = time.monotonic()
            response = service.ask("/frame?aspect=1:1&width=64", file)
            times.append((time.monotonic() - start, name))
            statuses[response[0]] += 1
            fault = judge(*response) or (times[-1][0] > SECONDS and f"took {times[-1][0]:.1f} s ({response[0]})")
            if fault:
                wrong.append(f"{name} ({len(file)} bytes): {fault}")
            status, _, body = service.ask("/frame?gravity=center&width=8&format=jpeg", good["png"])
            if status != 200:
                wrong.append(f"after {name}: {status} {body[:200]}")
        wrong += grow(service, good)
        memory = service.resident_mib()
    status, count = service.process.returncode, sum(statuses.values())
    print(f"{count} hostile files; by status: {dict(sorted(statuses.items()))}")
    print("slowest: " + "; ".join(f"{seconds:.2f} s {name}" for seconds, name in sorted(times, reverse=True)[:5]))
    print(f"the service and its workers used {memory:.0f} MiB and exited with status {status}")
    check("at least 200 files, and the service exits with status 0", count >= 200 and status == 0)
    WRONG.extend(wrong)


main()

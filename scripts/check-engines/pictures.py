"""The pictures of the check, what `headroom batch` makes of them, and comparisons with it."""
import json
import pathlib
import random
import struct
import subprocess
import time
import zlib

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENT = ROOT / "Clients" / "python" / "src"
ASPECT, WIDTH = "1:1", 48
# More than `headroom work` takes in one message by default.
TOO_LONG = 21 << 20
FAILED = []


def check(name, holds, said=""):
    print(f"{'ok    ' if holds else 'FAILED'} {name}{f': {said}' if said else ''}", flush=True)
    if not holds:
        FAILED.append(name)


def png(width, height, chance, claims=None):
    """A picture of coloured rectangles; its header may claim other sides."""
    rows = [bytearray(chance.randbytes(3) * width)] * height
    for _ in range(4):
        colour = chance.randbytes(3)
        left, top = chance.randrange(width), chance.randrange(height)
        right, bottom = chance.randrange(left, width) + 1, chance.randrange(top, height) + 1
        for row in range(top, bottom):
            rows[row] = rows[row][:3 * left] + colour * (right - left) + rows[row][3 * right:]

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    pixels = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 1)
    header = struct.pack(">IIBBBBB", *(claims or (width, height)), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def draw(folder, count, seed):
    """A Parquet file of pictures in several row groups, and what `headroom batch` makes of them."""
    chance = random.Random(seed)
    scene = (ROOT / "docs" / "pictures" / "scene.jpg").read_bytes()
    pictures = {}
    for number in range(count):
        if number % 50 == 7:
            pictures[number] = b"\xff\xd8\xff no picture"
        elif number % 50 == 13:
            pictures[number] = None
        elif number % 50 == 21:
            # Bytes after the end make it another picture for caches.
            pictures[number] = scene + str(number).encode()
        elif number % 50 == 31:
            pictures[number] = b""
        elif number % 50 == 37:
            pictures[number] = png(60, 60, chance, claims=(1 << 20, 1 << 20))
        else:
            pictures[number] = png(chance.randrange(60, 160), chance.randrange(60, 160), chance)
    pictures[count] = bytes(TOO_LONG)
    source = folder / "pictures.parquet"
    table = pa.table({"id": list(pictures), "bytes": pa.array(pictures.values(), pa.binary())})
    source.mkdir()
    parts = 8
    for part in range(parts):
        rows = table.slice(part * len(table) // parts, (part + 1) * len(table) // parts - part * len(table) // parts)
        pq.write_table(rows, source / f"{part}.parquet")
    # Errors that depend on the engine are not for `headroom batch`.
    files = folder / "files"
    files.mkdir()
    for number, picture in pictures.items():
        if picture and number != count:
            (files / f"{number}.{'png' if picture[:1] == bytes([0x89]) else 'jpg'}").write_bytes(picture)
    return source, files, pictures


def batch(headroom, files, pictures, out):
    """The results of `headroom batch` by number: the bytes of a crop and its plan, or the kind of an error."""
    start = time.monotonic()
    subprocess.run([headroom, "batch", files, "--aspect", ASPECT, "--width", str(WIDTH), "--output", out,
                    "--max-failures", "100%"], check=True, stderr=subprocess.DEVNULL)
    seconds = time.monotonic() - start
    results = {}
    for line in (out / "results.jsonl").read_text().splitlines()[1:]:
        result = json.loads(line)
        if "error" in result:
            results[int(result["key"])] = result["error"]["type"]
        else:
            results[int(result["key"])] = ((out / result["outputs"][0]["path"]).read_bytes(), result["plan"])
    for number, picture in pictures.items():
        if not picture:
            results[number] = "invalid-row"
        elif len(picture) == TOO_LONG:
            results[number] = "too-large"
    return results, seconds


def timeless(plan):
    """A plan without the times of its detection, and whether that was cached."""
    if isinstance(plan, dict):
        return {name: timeless(value) for name, value in plan.items() if name not in ("milliseconds", "cached")}
    return [timeless(each) for each in plan] if isinstance(plan, list) else plan


def compare(name, rows, expected, said):
    """Checks the rows of an engine: dictionaries with id, image, plan and error."""
    numbers = [row["id"] for row in rows]
    check(f"{name}: every picture once", sorted(numbers) == sorted(expected), said)
    wrong = []
    for row in rows:
        result = expected.get(row["id"])
        error = row["error"] and row["error"]["type"]
        if isinstance(result, tuple):
            same = row["image"] == result[0] and timeless(json.loads(row["plan"] or "null")) == timeless(result[1]) and error is None
        else:
            same = row["image"] is None and error == result
        if not same:
            wrong.append(row["id"])
    check(f"{name}: bytes, plans and errors are those of headroom batch", not wrong, f"{wrong[:9]}" if wrong else "")

"""The images of the check, their outputs by `headroom batch`, and comparisons with these outputs."""
import json
import pathlib
import random
import struct
import subprocess
import sys
import time
import zlib

import pyarrow as pa
import pyarrow.parquet as pq

# The drivers are separate programs, and import these names through this module.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
from buckets import REGION, Buckets, variables  # noqa: F401
from images import png
from report import check, each, end, output  # noqa: F401
from service import EXECUTABLE, IMAGES, ROOT

CLIENT = ROOT / "Clients" / "python" / "src"
# The processes of the engines also import the package from this path.
sys.path.insert(0, str(CLIENT))
ASPECT, WIDTH = "1:1", 48
# More than the default maximum of one message of `headroom work`.
TOO_LONG = 21 << 20


def bomb():
    """Returns an image whose header contains a wrong size."""
    sound = png(60, 60, random.Random(1))
    header = b"IHDR" + struct.pack(">II", 1 << 20, 1 << 20) + sound[24:29]
    return sound[:12] + header + struct.pack(">I", zlib.crc32(header)) + sound[33:]


def draw(folder, count, seed):
    """Writes a folder of Parquet files and a folder of images for `headroom batch`; returns the images by number."""
    chance = random.Random(seed)
    odd = {7: b"\xff\xd8\xff no image", 13: None, 31: b"", 37: bomb()}
    images = {number: png(chance.randrange(60, 160), chance.randrange(60, 160), chance) for number in range(count)}
    images |= {number: odd[number % 50] for number in range(count) if number % 50 in odd}
    for number in range(21, count, 50):
        # The bytes after the end make this a different image for caches.
        images[number] = (IMAGES / "scene.jpg").read_bytes() + str(number).encode()
    images[count] = bytes(TOO_LONG)
    source, files, parts = folder / "images.parquet", folder / "files", 8
    source.mkdir()
    for part in range(parts):
        numbers = list(images)[part::parts]
        table = pa.table({"id": numbers, "bytes": pa.array([images[number] for number in numbers], pa.binary())})
        pq.write_table(table, source / f"{part}.parquet")
    # The input of `headroom batch` omits rows whose errors depend on the engine.
    files.mkdir()
    for number, image in images.items():
        if image and number != count:
            (files / f"{number}.{'png' if image[:1] == bytes([0x89]) else 'jpg'}").write_bytes(image)
    return source, files, images


class Store(Buckets):
    """Stores the images as objects."""

    def __init__(self, images):
        super().__init__("images")
        self.urls = {number: f"s3://images/files/{number}" for number, image in images.items() if image}
        for number in self.urls:
            self.admin.put_object(Bucket="images", Key=f"files/{number}", Body=images[number])


def batch(files, images, out):
    """Returns the outcomes of `headroom batch` by number: the bytes of a crop and its plan, or the kind of an error."""
    start = time.monotonic()
    subprocess.run([EXECUTABLE, "batch", files, "--aspect", ASPECT, "--width", str(WIDTH), "--output", out,
                    "--max-failures", "100%"], check=True, stderr=subprocess.DEVNULL)
    seconds = time.monotonic() - start
    results: dict[int, str | tuple] = {number: "too-large" if image else "invalid-row" for number, image in images.items()}
    for result in map(json.loads, (out / "results.jsonl").read_text().splitlines()[1:]):
        failed = "error" in result
        results[int(result["key"])] = result["error"]["type"] if failed else (
            (out / result["outputs"][0]["path"]).read_bytes(), result["plan"])
    print(f"        headroom batch: {len(results)} rows, {seconds:.1f} s", flush=True)
    return results


def timeless(plan):
    """Returns a plan without the times of its detection and without the cache state of the detection."""
    if isinstance(plan, dict):
        return {name: timeless(value) for name, value in plan.items() if name not in ("milliseconds", "cached")}
    return [timeless(one) for one in plan] if isinstance(plan, list) else plan


def compare(name, rows, expected, said):
    """Checks the rows of an engine: dictionaries with id, image, plan and error."""
    check(f"{name}: every image once", sorted(row["id"] for row in rows) == sorted(expected), said)
    wrong = []
    for row in rows:
        result, error = expected.get(row["id"]), row["error"] and row["error"]["type"]
        if isinstance(result, tuple):
            plan = timeless(json.loads(row["plan"] or "null"))
            same = error is None and row["image"] == result[0] and plan == timeless(result[1])
        else:
            same = row["image"] is None and error == result
        if not same:
            wrong.append(row["id"])
    check(f"{name}: bytes, plans and errors equal headroom batch", not wrong, f"{wrong[:9]}" if wrong else "")

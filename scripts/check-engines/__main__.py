#!/usr/bin/env python3
"""Crops pictures with Spark and Ray on this host, and ends their processes meanwhile: `make check-engines`.

    scripts/check-engines [--headroom .build/release/headroom] [--pictures 400] [--seed 1] [--only spark|ray]

Draws a few hundred pictures into a Parquet file, some of them broken or null, and compares the results of each engine
with those of `headroom batch`: every picture once, equal bytes, errors as rows. Each engine does it again while
`headroom work` processes are killed, and once more while an executor or an actor is killed. Prints a line for each
check, and exits 1 if one fails.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENT = ROOT / "Clients" / "python" / "src"
# The processes of the engines import the package from there, too.
sys.path.insert(0, str(CLIENT))
os.environ["PYTHONPATH"] = str(CLIENT)

ASPECT, WIDTH = "1:1", 48
FAILED = []


def check(name, holds, said=""):
    print(f"{'ok    ' if holds else 'FAILED'} {name}{f': {said}' if said else ''}", flush=True)
    if not holds:
        FAILED.append(name)


def png(width, height, chance):
    """A picture of coloured rectangles."""
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
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
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
        else:
            pictures[number] = png(chance.randrange(60, 160), chance.randrange(60, 160), chance)
    source = folder / "pictures.parquet"
    table = pa.table({"id": list(pictures), "bytes": pa.array(pictures.values(), pa.binary())})
    source.mkdir()
    parts = 8
    for part in range(parts):
        rows = table.slice(part * len(table) // parts, (part + 1) * len(table) // parts - part * len(table) // parts)
        pq.write_table(rows, source / f"{part}.parquet")
    files = folder / "files"
    files.mkdir()
    for number, picture in pictures.items():
        if picture is not None:
            (files / f"{number}.{'png' if picture[:1] == bytes([0x89]) else 'jpg'}").write_bytes(picture)
    return source, files, pictures


def batch(headroom, files, out):
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


def descendants():
    """The processes below this one: number and command line."""
    parents, commands = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                commands[int(entry.name)] = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except (OSError, ValueError):
                continue
    found = {os.getpid()}
    while more := {number for number, parent in parents.items() if parent in found} - found:
        found |= more
    return {number: commands[number] for number in found - {os.getpid()}}


class Killer:
    """Kills processes that `chooses` accepts, one at a time, while the body of a `with` runs."""

    def __init__(self, chooses, most, pause=1.0):
        self._chooses, self._most, self._pause = chooses, most, pause
        self.killed = []
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while len(self.killed) < self._most and not self._done.wait(self._pause):
            found = [number for number, command in descendants().items()
                     if number not in self.killed and self._chooses(number, command)]
            if found:
                number = random.choice(found)
                try:
                    os.kill(number, signal.SIGKILL)
                except ProcessLookupError:
                    continue
                self.killed.append(number)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()


def is_work(headroom):
    return lambda number, command: len(command) > 1 and command[0] == headroom and command[1] == "work"


def runs_work(headroom):
    """Processes with a child that is a `headroom work`: the Python worker of an actor."""
    def chooses(number, command):
        children = pathlib.Path(f"/proc/{number}/task").glob("*/children")
        try:
            numbers = {int(each) for path in children for each in path.read_text().split()}
        except OSError:
            return False
        found = descendants()
        return any(is_work(headroom)(each, found.get(each, [])) for each in numbers)
    return chooses


def check_spark(headroom, source, expected, folder):
    from pyspark.sql import SparkSession

    from headroom.spark import frame

    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (SparkSession.builder.master("local-cluster[2,1,1024]").appName("check-engines")
             .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").config("spark.driver.host", "127.0.0.1")
             .config("spark.driver.bindAddress", "127.0.0.1").config("spark.sql.files.maxPartitionBytes", "1m")
             .config("spark.executorEnv.PYTHONPATH", str(CLIENT)).config("spark.local.dir", str(folder))
             .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
             .config("spark.worker.cleanup.enabled", "true").getOrCreate())
    spark.sparkContext.setLogLevel("OFF")

    def run(name, killer=None):
        out = folder / f"spark-{name}"
        df = spark.read.parquet(str(source)).repartition(16)
        framed = frame(df, "bytes", binary=headroom, aspect=ASPECT, width=WIDTH).drop("bytes")
        start = time.monotonic()
        with killer or Killer(None, 0):
            framed.write.parquet(str(out))
        seconds = time.monotonic() - start
        said = f"{seconds:.1f} s" + (f", {len(killer.killed)} killed" if killer else "")
        compare(f"Spark, {name}", pq.read_table(out).to_pylist(), expected, said)
        if killer:
            check(f"Spark, {name}: something was killed", bool(killer.killed))

    try:
        check("Spark: executors are processes", sum(
            "CoarseGrainedExecutorBackend" in " ".join(command) for command in descendants().values()) == 2)
        run("first")
        run("again")
        started = sum(is_work(headroom)(*each) for each in descendants().items())
        check("Spark: a process for each worker of Python, kept for later tasks", started == 2, f"{started}")
        run("work killed", Killer(is_work(headroom), 4, 0.4))
        run("executor killed",
            Killer(lambda _, command: any("CoarseGrainedExecutorBackend" in word for word in command), 1))
        strict = frame(spark.read.parquet(str(source)), "bytes", binary=headroom, errors="raise", aspect=ASPECT)
        try:
            strict.count()
            strict.write.format("noop").mode("overwrite").save()
            check("Spark: errors are raised if asked", False)
        except Exception as error:
            check("Spark: errors are raised if asked", "Error" in str(error))
    finally:
        spark.stop()


def check_ray(headroom, source, expected, folder):
    import ray
    import ray.data

    from headroom.ray import Framer

    # Two for actors, and two for tasks that read.
    ray.init(num_cpus=4, include_dashboard=False, logging_level="ERROR", log_to_driver=False,
             object_store_memory=256 << 20, _temp_dir=str(folder / "ray"),
             runtime_env={"env_vars": {"PYTHONPATH": str(CLIENT)}})
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False

    def run(name, killer=None):
        start = time.monotonic()
        with killer or Killer(None, 0):
            framed = ray.data.read_parquet(str(source)).repartition(16).map_batches(
                Framer, batch_format="pyarrow", batch_size=16, compute=ray.data.ActorPoolStrategy(size=2),
                fn_constructor_kwargs={"column": "bytes", "binary": headroom, "aspect": ASPECT, "width": WIDTH},
                max_restarts=-1, max_task_retries=-1)
            rows = framed.drop_columns(["bytes"]).take_all()
        seconds = time.monotonic() - start
        said = f"{seconds:.1f} s" + (f", {len(killer.killed)} killed" if killer else "")
        compare(f"Ray, {name}", rows, expected, said)
        if killer:
            check(f"Ray, {name}: something was killed", bool(killer.killed))

    try:
        run("first")
        run("work killed", Killer(is_work(headroom), 4, 0.4))
        run("actor killed", Killer(runs_work(headroom), 1, 0.4))
    finally:
        ray.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=ROOT / ".build" / "release" / "headroom")
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["spark", "ray"])
    arguments = parser.parse_args()
    headroom = str(pathlib.Path(arguments.headroom).resolve())
    random.seed(arguments.seed)
    # Short, because Ray makes sockets in it.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hr-", dir="/tmp"))
    try:
        source, files, pictures = draw(folder, arguments.pictures, arguments.seed)
        expected, seconds = batch(headroom, files, folder / "out")
        for number, picture in pictures.items():
            if picture is None:
                expected[number] = "invalid-row"
        print(f"       headroom batch: {len(expected)} rows, {seconds:.1f} s", flush=True)
        if arguments.only != "ray":
            check_spark(headroom, source, expected, folder)
        if arguments.only != "spark":
            check_ray(headroom, source, expected, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if FAILED:
        print(f"check-engines: {len(FAILED)} failed: {', '.join(FAILED)}")
    sys.exit(1 if FAILED else 0)


if __name__ == "__main__":
    main()

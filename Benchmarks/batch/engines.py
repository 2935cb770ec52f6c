"""Measures Spark and Ray on one host: `engines.py HEADROOM FOLDER ACCURACY EXECUTORS …`; prints a line of JSON for each."""

import json
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENT = ROOT / "Clients" / "python" / "src"
sys.path[:0] = [str(CLIENT), str(ROOT / "Benchmarks" / "service")]
import processes

os.environ["PYTHONPATH"] = str(CLIENT)
OPTIONS = {"width": 400, "height": 300, "accuracy": sys.argv[3]}
# The number of images of a warm-up run, which is not measured.
WARM = 64


def say(engine, executors, watched, images, **more):
    print(json.dumps({"engine": engine, "executors": executors, "images": images, "seconds": watched.seconds,
                      "processor": watched.processor, "megabytes": watched.megabytes, **more}), flush=True)


def check(folder, images):
    """Checks that all images were cropped, because a run with only errors would be fast."""
    table = pq.read_table(folder)
    if len(table) != images or table["error"].null_count != images:
        sys.exit(f"{folder.name}: {table['error'].null_count} of {images} images were cropped")


def starts(headroom, image):
    """Returns the milliseconds from the start of `headroom work` to its greeting, and to its first crop."""
    from headroom import Local

    greetings, crops = [], []
    for _ in range(9):
        began = time.monotonic()
        with Local(headroom, workers=1) as local:
            greetings.append(time.monotonic() - began)
            local.frame(image, **OPTIONS)
            crops.append(time.monotonic() - began)
    print(json.dumps({"engine": "start", "greeting": 1000 * statistics.median(greetings),
                      "crop": 1000 * statistics.median(crops)}), flush=True)


def spark(headroom, source, executors, images, folder):
    from headroom.spark import frame
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (SparkSession.builder.master(f"local-cluster[{executors},1,1024]").config("spark.ui.enabled", "false")
               .config("spark.ui.showConsoleProgress", "false").config("spark.driver.host", "127.0.0.1")
               .config("spark.driver.bindAddress", "127.0.0.1").config("spark.local.dir", str(folder))
               .config("spark.sql.execution.arrow.maxRecordsPerBatch", "64").getOrCreate())
    session.sparkContext.setLogLevel("OFF")

    def run(part):
        framed = frame(session.read.parquet(str(source / part)).repartition(4 * executors), "bytes", binary=headroom,
                       **OPTIONS)
        framed.drop("bytes").write.mode("overwrite").parquet(str(folder / "spark-crops"))

    # The warm-up excludes the start of processes from the figure. It uses other images, because `headroom work` caches
            # detections.
    run("warm")
    with processes.Usage() as watched:
        run("measured")
    session.stop()
    check(folder / "spark-crops", images)
    say("Spark", executors, watched, images)


def ray_data(headroom, source, executors, images, folder):
    import ray
    import ray.data
    from headroom.ray import Framer

    ray.init(num_cpus=executors + 2, include_dashboard=False, logging_level="ERROR", log_to_driver=False,
             object_store_memory=512 << 20, runtime_env={"env_vars": {"PYTHONPATH": str(CLIENT)}})
    ray.data.DataContext.get_current().enable_progress_bars = False

    def run(part, images):
        shutil.rmtree(folder / "ray-crops", ignore_errors=True)
        with processes.Usage() as watched:
            ray.data.read_parquet(str(source / part)).repartition(4 * executors).map_batches(
                Framer, batch_format="pyarrow", batch_size=16, compute=ray.data.ActorPoolStrategy(size=executors),
                fn_constructor_kwargs={"binary": headroom, **OPTIONS}).drop_columns(["bytes"]).write_parquet(
                str(folder / "ray-crops"))
        check(folder / "ray-crops", images)
        return watched

    # Each execution starts actors, so a short execution measures their cost. The first execution is a warm-up, because
    # it also starts other components.
    run("warm", WARM)
    short, whole = run("warm", WARM), run("measured", images)
    ray.shutdown()
    whole.seconds -= short.seconds
    whole.processor -= short.processor
    say("Ray", executors, whole, images - WARM, start=short.seconds - WARM * whole.seconds / (images - WARM))


def main():
    headroom, files, _, *executors = sys.argv[1:]
    images = [path.read_bytes() for path in sorted(pathlib.Path(files).iterdir())]
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hr-") as place:
        folder = pathlib.Path(place)
        source = folder / "images"
        for part, some in {"warm": [image + b"warm" for image in images[:WARM]], "measured": images}.items():
            (source / part).mkdir(parents=True)
            table = pa.table({"id": range(len(some)), "bytes": pa.array(some, pa.binary())})
            pq.write_table(table, source / part / "0.parquet", row_group_size=16)
        starts(headroom, images[0])
        for count in map(int, executors):
            spark(headroom, source, count, len(images), folder)
            ray_data(headroom, source, count, len(images), folder)


if __name__ == "__main__":
    main()

"""Spark with two executors, which are processes."""
import os
import sys
import time

import pyarrow.parquet as pq
from killing import Killer, descendants, is_executor, is_work
from pictures import ASPECT, CLIENT, WIDTH, check, compare


def session(folder, environment=None):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = (SparkSession.builder.master("local-cluster[2,1,1024]").appName("check-engines")
               .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
               .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
               .config("spark.sql.files.maxPartitionBytes", "1m").config("spark.local.dir", str(folder))
               .config("spark.sql.execution.arrow.maxRecordsPerBatch", "64")
               .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
               .config("spark.worker.cleanup.enabled", "true").config("spark.executorEnv.PYTHONPATH", str(CLIENT)))
    for name, value in (environment or {}).items():
        builder = builder.config(f"spark.executorEnv.{name}", value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def crop(spark, headroom, source, out):
    """Crops the pictures of a Parquet file into another."""
    from headroom.spark import frame

    df = spark.read.parquet(str(source)).repartition(16)
    framed = frame(df, "bytes", binary=headroom, aspect=ASPECT, width=WIDTH).drop("bytes")
    framed.write.mode("overwrite").parquet(str(out))


def check_spark(headroom, source, expected, folder, store):
    from headroom.spark import frame

    spark = session(folder, store.environment)

    def run(name, killer=None):
        out = folder / f"spark-{name}"
        start = time.monotonic()
        with killer or Killer(None, 0):
            crop(spark, headroom, source, out)
        seconds = time.monotonic() - start
        said = f"{seconds:.1f} s" + (f", {len(killer.killed)} killed" if killer else "")
        compare(f"Spark, {name}", pq.read_table(out).to_pylist(), expected, said)
        if killer:
            check(f"Spark, {name}: something was killed", bool(killer.killed))

    try:
        check("Spark: executors are processes", sum(is_executor(*each) for each in descendants().items()) == 2)
        run("first")
        run("again")
        started = sum(is_work(headroom)(*each) for each in descendants().items())
        check("Spark: a process for each worker of Python, kept for later tasks", started == 2, f"{started}")
        run("work killed", Killer(is_work(headroom), 4, 0.4))
        run("executor killed", Killer(is_executor, 1))
        strict = frame(spark.read.parquet(str(source)), "bytes", binary=headroom, errors="raise", aspect=ASPECT)
        try:
            strict.write.format("noop").mode("overwrite").save()
            check("Spark: errors are raised if asked", False)
        except Exception as error:
            check("Spark: errors are raised if asked", "Error" in str(error))
        # URLs of objects, which the executors fetch.
        rows = [(number, url) for number, url in store.urls(expected).items()]
        rows += [(-1, "s3://pictures/absent"), (-2, None), (-3, "https://h/" + "x" * 100_000), (-4, "no URL")]
        urls = spark.createDataFrame(rows, "id long, url string")
        framed = frame(urls, "url", binary=headroom, arguments=store.arguments, aspect=ASPECT, width=WIDTH)
        wrong = {-1: "source-not-found", -2: "invalid-row", -3: "too-large", -4: "invalid-row"}
        found = [row.asDict(recursive=True) for row in framed.drop("url").collect()]
        for row in found:
            row["image"] = row["image"] and bytes(row["image"])
        compare("Spark, URLs of S3", found, {number: expected[number] for number in store.urls(expected)} | wrong, "")
    finally:
        spark.stop()

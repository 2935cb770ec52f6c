"""Runs Spark with two executors, which are processes; as a program: `on_spark.py SOURCE OUT FOLDER`."""
import contextlib
import os
import pathlib
import sys

import pyarrow.parquet as pq
from killing import is_executor, is_work, killer, running, timed
from rows import ASPECT, CLIENT, EXECUTABLE, WIDTH, check, variables


@contextlib.contextmanager
def session(folder, **environment):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("check-engines")
    for name, value in {
        "ui.enabled": "false", "ui.showConsoleProgress": "false",
        "driver.host": "127.0.0.1", "driver.bindAddress": "127.0.0.1",
        "sql.files.maxPartitionBytes": "1m", "sql.execution.arrow.maxRecordsPerBatch": "64", "local.dir": str(folder),
        "sql.warehouse.dir": str(folder / "warehouse"), "worker.cleanup.enabled": "true",
        "executorEnv.PYTHONPATH": str(CLIENT),
        **{f"executorEnv.{name}": value for name, value in environment.items()},
    }.items():
        builder = builder.config(f"spark.{name}", value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    try:
        yield spark
    finally:
        spark.stop()


def framed(rows, column="bytes", **options):
    from headroom.spark import frame

    return frame(rows, column, binary=str(EXECUTABLE), aspect=ASPECT, **options).drop(column)


def write(spark, source, out):
    """Crops the images of a Parquet file into another Parquet file."""
    framed(spark.read.parquet(str(source)).repartition(16), width=WIDTH).write.mode("overwrite").parquet(str(out))


def check_spark(source, expected, folder, store):
    with session(folder, **variables("admin", "admin")) as spark:
        def crop():
            write(spark, source, folder / "spark")
            return pq.read_table(folder / "spark").to_pylist()
        check("Spark: executors are processes", len(running(is_executor)) == 2)
        timed("Spark, first", crop, expected)
        timed("Spark, again", crop, expected)
        started = len(running(is_work))
        check("Spark: one process per Python worker, reused for later tasks", started == 2, started)
        timed("Spark, work killed", crop, expected, killer(is_work, 4, 0.4))
        timed("Spark, executor killed", crop, expected, killer(is_executor, 1))
        said = ""
        try:
            framed(spark.read.parquet(str(source)), errors="raise").write.format("noop").mode("overwrite").save()
        except Exception as error:
            said = str(error)
        check("Spark: errors are raised on request", "Error" in said)

        def fetched():
            """Crops from URLs of objects, which the executors fetch."""
            wrong = [(-1, "s3://images/absent"), (-2, None), (-3, "https://h/" + "x" * 100_000), (-4, "no URL")]
            urls = spark.createDataFrame([*store.urls.items(), *wrong], "id long, url string")
            found = framed(urls, "url", arguments=store.options("images"), width=WIDTH).collect()
            rows = [row.asDict(recursive=True) for row in found]
            return [{**row, "image": row["image"] and bytes(row["image"])} for row in rows]
        wrong = {-1: "source-not-found", -2: "invalid-row", -3: "too-large", -4: "invalid-row"}
        timed("Spark, URLs of S3", fetched, {number: expected[number] for number in store.urls} | wrong)


def main():
    source, out, folder = sys.argv[1:]
    with session(pathlib.Path(folder)) as spark:
        write(spark, source, out)


if __name__ == "__main__":
    main()

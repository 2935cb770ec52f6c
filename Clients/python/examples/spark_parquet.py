"""Crops the images in a folder into Parquet, with Spark.

spark-submit spark_parquet.py SOURCE TARGET [BINARY]
"""

from __future__ import annotations

import sys

from pyspark.sql import SparkSession

from headroom.spark import frame


def main(source: str, target: str, binary: str = "headroom") -> None:
    """Reads files with Spark's `binaryFile`; errors become rows of the output."""
    spark = SparkSession.builder.appName("headroom").getOrCreate()
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(source)
    crops = frame(files.select("path", "content"), "content", binary=binary, aspect="1:1", width=400)
    crops.drop("content").write.mode("overwrite").parquet(target)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])

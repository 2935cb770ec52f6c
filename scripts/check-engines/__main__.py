#!/usr/bin/env python3
"""Crops pictures with Spark and Ray on this host, and ends their processes meanwhile: `make check-engines`.

    scripts/check-engines [--headroom .build/release/headroom] [--pictures 400] [--seed 1] [--only spark|ray]

Draws a few hundred pictures into a Parquet file and a bucket, some of them broken, hostile or null, and compares the
results of each engine with those of `headroom batch`: every picture once, equal bytes, errors as rows. Each engine does
it again while `headroom work` processes are killed, while an executor, an actor or a node is killed, and after its driver
was killed. Prints a line for each check, and exits 1 if one fails.
"""
import argparse
import os
import pathlib
import random
import shutil
import sys
import tempfile

import pictures
from killing import adopt

# The processes of the engines import the package from there, too.
sys.path.insert(0, str(pictures.CLIENT))
os.environ["PYTHONPATH"] = os.pathsep.join([str(pictures.CLIENT), str(pathlib.Path(__file__).parent)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=pictures.ROOT / ".build" / "release" / "headroom")
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["spark", "ray"])
    arguments = parser.parse_args()
    headroom = str(pathlib.Path(arguments.headroom).resolve())
    random.seed(arguments.seed)
    adopt()
    import drivers
    import examples
    import objects
    import on_ray
    import on_spark

    # Short, because Ray makes sockets in it.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hr-", dir="/tmp"))
    store = None
    try:
        source, files, drawn = pictures.draw(folder, arguments.pictures, arguments.seed)
        expected, seconds = pictures.batch(headroom, files, drawn, folder / "out")
        print(f"       headroom batch: {len(expected)} rows, {seconds:.1f} s", flush=True)
        store = objects.Store(drawn)
        if arguments.only != "ray":
            on_spark.check_spark(headroom, source, expected, folder, store)
            drivers.check_driver("spark", headroom, source, expected, folder)
            examples.check_spark_example(headroom, folder)
        if arguments.only != "spark":
            on_ray.check_ray(headroom, source, expected, folder, store)
            drivers.check_driver("ray", headroom, source, expected, folder)
            examples.check_ray_example(headroom, folder)
    finally:
        if store:
            store.stop()
        shutil.rmtree(folder, ignore_errors=True)
    if pictures.FAILED:
        print(f"check-engines: {len(pictures.FAILED)} failed: {', '.join(pictures.FAILED)}")
    sys.exit(1 if pictures.FAILED else 0)


if __name__ == "__main__":
    main()

"""Crops images with Spark and Ray on this host, and kills their processes while they run.

    make check-engines [IMAGES=400] [SEED=1]

Draws a few hundred images into a Parquet file and a bucket; some of them are broken, hostile or null. Compares the rows
of each engine with `headroom batch`: every image once, equal bytes, errors as rows. Each engine repeats the job while
`headroom work` processes are killed, while an executor, an actor or a node is killed, and after the driver is killed.
Prints a line for each check, and exits 1 if one fails.
"""
import argparse
import os
import pathlib
import random
import tempfile

import rows
from killing import adopt, check_driver

# The processes of the engines also import the package from this path.
os.environ["PYTHONPATH"] = os.pathsep.join([str(rows.CLIENT), str(pathlib.Path(__file__).parent)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    adopt()
    import examples
    import on_ray
    import on_spark

    # A short path, because Ray creates sockets in this folder.
    with tempfile.TemporaryDirectory(prefix="hr-", dir="/tmp", ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        source, files, drawn = rows.draw(folder, options.images, options.seed)
        expected = rows.batch(files, drawn, folder / "out")
        store = rows.Store(drawn)
        for engine, check_engine, check_example in (
            ("spark", on_spark.check_spark, examples.check_spark_example),
            ("ray", on_ray.check_ray, examples.check_ray_example),
        ):
            check_engine(source, expected, folder, store)
            check_driver(engine, source, expected, folder)
            check_example(folder)
        store.server.stop()
    rows.end()


if __name__ == "__main__":
    main()

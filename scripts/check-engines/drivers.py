"""Drivers that are killed: `drivers.py spark|ray HEADROOM SOURCE OUT FOLDER`, run by the check."""
import pathlib
import shutil
import subprocess
import sys
import time

from killing import ended, is_executor, is_work, kill_driver
from pictures import check, compare


def check_driver(engine, headroom, source, expected, folder):
    """Kills a driver in the middle, and runs it again."""
    import pyarrow.parquet as pq

    out = folder / f"{engine}-driver"
    command = [sys.executable, __file__, engine, headroom, str(source), str(out), str(folder)]
    name = {"spark": "Spark", "ray": "Ray"}[engine]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    check(f"{name}, driver killed: it was running", kill_driver(first, is_work(headroom), 1.0))
    check(f"{name}, driver killed: no process is left",
          ended(lambda *each: is_work(headroom)(*each) or is_executor(*each)))
    start = time.monotonic()
    second = subprocess.run(command, capture_output=True, text=True)
    check(f"{name}, driver killed: it runs again", second.returncode == 0, second.stderr[-2000:] if second.returncode else "")
    if second.returncode == 0:
        rows = pq.read_table(out).to_pylist()
        compare(f"{name}, driver killed", rows, expected, f"{time.monotonic() - start:.1f} s")


def main():
    engine, headroom, source, out, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    if engine == "spark":
        import on_spark

        spark = on_spark.session(folder)
        on_spark.crop(spark, headroom, source, out)
        spark.stop()
    else:
        import on_ray

        # A folder that was not finished is no result.
        shutil.rmtree(out, ignore_errors=True)
        ray, started, _ = on_ray.cluster(folder / "again", {})
        on_ray.crop(headroom, source, out)
        ray.shutdown()
        started.shutdown()


if __name__ == "__main__":
    main()

"""Runs Ray with a head and two nodes, which are processes; as a program: `on_ray.py SOURCE OUT FOLDER`."""
import contextlib
import os
import pathlib
import shutil
import sys
import time

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq
from killing import is_work, killer, running, runs_work, timed
from rows import ASPECT, CLIENT, EXECUTABLE, REGION, WIDTH, variables


@contextlib.contextmanager
def cluster(folder, **environment):
    # Processes of the nodes inherit the environment of this process. Ray's folder is inside the given folder. Without
    # it, Ray writes the address of the cluster into a folder in /tmp that it does not create.
    os.environ.update(environment, RAY_TMPDIR=str(folder))
    import ray
    import ray.data
    from ray.cluster_utils import Cluster

    started = Cluster(initialize_head=True, head_node_args={
        "num_cpus": 0, "include_dashboard": False, "object_store_memory": 128 << 20})
    # One processor for an actor, and two for tasks that read. If one node is lost, the other node runs its remaining
    # tasks.
    nodes = [started.add_node(num_cpus=3, object_store_memory=128 << 20) for _ in range(2)]
    ray.init(address=started.address, logging_level="ERROR", log_to_driver=False,
             runtime_env={"env_vars": {"PYTHONPATH": str(CLIENT)}})
    ray.data.DataContext.get_current().enable_progress_bars = False
    try:
        yield ray, lambda: started.remove_node(nodes[1], allow_graceful=False)
    finally:
        ray.shutdown()
        started.shutdown()


def framed(dataset, column="bytes", arguments=()):
    import ray
    from headroom.ray import Framer

    return dataset.repartition(16).map_batches(
        Framer, batch_format="pyarrow", batch_size=16, compute=ray.data.ActorPoolStrategy(size=2),
        fn_constructor_kwargs={"column": column, "binary": str(EXECUTABLE), "arguments": arguments, "aspect": ASPECT,
                               "width": WIDTH},
        max_restarts=-1, max_task_retries=-1).drop_columns([column])


def check_ray(source, expected, folder, store):
    with cluster(folder, **variables("admin", "admin")) as (ray, remove_node):
        def crop():
            return framed(ray.data.read_parquet(str(source))).take_all()
        timed("Ray, first", crop, expected)
        timed("Ray, work killed", crop, expected, killer(is_work, 4, 0.4))
        timed("Ray, actor killed", crop, expected, killer(runs_work, 1, 0.4))

        def parquet():
            """Crops from Parquet in a bucket to Parquet in a bucket."""
            files = pyarrow.fs.S3FileSystem(access_key="admin", secret_key="admin", region=REGION, scheme="http",
                                            endpoint_override=store.address)
            pyarrow.fs.copy_files(str(source), "images/parquet", destination_filesystem=files)
            objects = ray.data.read_parquet("images/parquet", filesystem=files)
            framed(objects).write_parquet("images/crops", filesystem=files)
            return pq.read_table("images/crops", filesystem=files).to_pylist()
        timed("Ray, Parquet in S3", parquet, expected)
        table = pa.table({"id": list(store.urls), "url": list(store.urls.values())})
        framed_urls = framed(ray.data.from_arrow(table), "url", store.options("images"))
        timed("Ray, URLs of S3", framed_urls.take_all, {number: expected[number] for number in store.urls})
        # Kills a node some time after a new `headroom work` starts. Ray repartitions the data after reading, so reading
        # is already complete. An earlier loss would fail the job, because Ray does not restart the actors that read
        # Parquet footers.
        before = running(is_work)
        begun = killer(lambda each: is_work(each) and each not in before and time.time() - each.create_time() > 1, 1, 0.2,
                       kill=lambda _: remove_node())
        timed("Ray, node killed", crop, expected, begun)


def main():
    source, out, folder = sys.argv[1:]
    # Discards an incomplete output.
    shutil.rmtree(out, ignore_errors=True)
    with cluster(pathlib.Path(folder) / "again") as (ray, _):
        framed(ray.data.read_parquet(source)).write_parquet(out)


if __name__ == "__main__":
    main()

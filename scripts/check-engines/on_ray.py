"""Ray with a head and two nodes, which are processes."""
import os
import threading
import time

import pyarrow as pa
import pyarrow.parquet as pq
from killing import Killer, descendants, is_work, runs_work
from pictures import ASPECT, CLIENT, WIDTH, check, compare


def cluster(folder, environment):
    # What nodes start has the environment of this process. Ray's own folder is in the given one: where none is named,
    # it writes the address of the cluster into one of /tmp that it does not create.
    os.environ.update(environment, RAY_TMPDIR=str(folder))
    import ray
    from ray.cluster_utils import Cluster

    started = Cluster(initialize_head=True, head_node_args={
        "num_cpus": 0, "include_dashboard": False, "object_store_memory": 128 << 20})
    # One for an actor, and two for tasks that read; the rest of them, if the other node is lost.
    nodes = [started.add_node(num_cpus=3, object_store_memory=128 << 20) for _ in range(2)]
    connect(started.address)
    return ray, started, nodes


def connect(address):
    import ray
    import ray.data

    ray.init(address=address, logging_level="ERROR", log_to_driver=False,
             runtime_env={"env_vars": {"PYTHONPATH": str(CLIENT)}})
    ray.data.DataContext.get_current().enable_progress_bars = False


def framed(dataset, headroom, column="bytes", arguments=()):
    import ray
    from headroom.ray import Framer

    return dataset.repartition(16).map_batches(
        Framer, batch_format="pyarrow", batch_size=16, compute=ray.data.ActorPoolStrategy(size=2),
        fn_constructor_kwargs={"column": column, "binary": headroom, "arguments": arguments, "aspect": ASPECT,
                               "width": WIDTH},
        max_restarts=-1, max_task_retries=-1).drop_columns([column])


def crop(headroom, source, out):
    """Crops the pictures of a Parquet file into another."""
    import ray

    framed(ray.data.read_parquet(str(source)), headroom).write_parquet(str(out))


class NodeKiller:
    """Ends a node a while after the first `headroom work` of the body of a `with` begins.

    Ray repartitions what it has read, so reading is over then. A node that is lost before ends the job, because Ray does
    not repeat its own actors that read Parquet's footers.
    """

    def __init__(self, started, node, headroom):
        self._started, self._node, self._is_work = started, node, is_work(headroom)
        self.killed = []
        self._before = set(self._works())
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _works(self):
        return [number for number, command in descendants().items() if self._is_work(number, command)]

    def _run(self):
        while not self._over.wait(0.2):
            if set(self._works()) - self._before:
                self._over.wait(1)
                self._started.remove_node(self._node, allow_graceful=False)
                self.killed.append(self._node)
                return

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()


def check_ray(headroom, source, expected, folder, store):
    ray, started, nodes = cluster(folder, store.environment)

    def run(name, killer=None):
        start = time.monotonic()
        with killer or Killer(None, 0):
            rows = framed(ray.data.read_parquet(str(source)), headroom).take_all()
        said = f"{time.monotonic() - start:.1f} s" + (f", {len(killer.killed)} killed" if killer else "")
        compare(f"Ray, {name}", rows, expected, said)
        if killer:
            check(f"Ray, {name}: something was killed", bool(killer.killed))

    try:
        run("first")
        run("work killed", Killer(is_work(headroom), 4, 0.4))
        run("actor killed", Killer(runs_work(headroom), 1, 0.4))
        # From Parquet in a bucket to Parquet in a bucket.
        store.put_parquet(source)
        objects = ray.data.read_parquet("pictures/parquet", filesystem=store.files())
        framed(objects, headroom).write_parquet("pictures/crops", filesystem=store.files())
        rows = pq.read_table("pictures/crops", filesystem=store.files()).to_pylist()
        compare("Ray, Parquet in S3", rows, expected, "")
        urls = store.urls(expected)
        table = pa.table({"id": list(urls), "url": list(urls.values())})
        rows = framed(ray.data.from_arrow(table), headroom, "url", store.arguments).take_all()
        compare("Ray, URLs of S3", rows, {number: expected[number] for number in urls}, "")
        run("node killed", NodeKiller(started, nodes[1], headroom))
    finally:
        ray.shutdown()
        started.shutdown()

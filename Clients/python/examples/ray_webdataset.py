"""Crops the images of WebDataset archives into WebDataset archives, with Ray.

python ray_webdataset.py SOURCE TARGET [BINARY]
"""

from __future__ import annotations

import sys

import pyarrow as pa
import pyarrow.compute as pc
import ray
import ray.data

from headroom.ray import Framer


def finished(batch: pa.Table) -> pa.Table:
    """Returns samples in which the crop replaces the image, with the plan as JSON; omits failed samples."""
    good = batch.filter(pc.is_null(batch["error"])).drop_columns(["jpg", "error"])
    plan = good["plan"].cast(pa.binary())
    names = ["jpg" if name == "image" else name for name in good.column_names]
    return good.rename_columns(names).drop_columns(["plan"]).append_column("json", plan)


def main(source: str, target: str, binary: str = "headroom") -> None:
    """Leaves all members of a sample except its image unchanged."""
    ray.init()
    # Actors reserve their processors, and reading also needs a processor.
    actors = max(1, int(ray.cluster_resources()["CPU"]) - 1)
    samples = ray.data.read_webdataset(source, decoder=None)
    crops = samples.map_batches(
        Framer,
        batch_format="pyarrow",
        batch_size=64,
        compute=ray.data.ActorPoolStrategy(size=actors),
        fn_constructor_kwargs={"column": "jpg", "binary": binary, "aspect": "1:1", "width": 400},
    )
    crops.map_batches(finished, batch_format="pyarrow").write_webdataset(target, encoder=None)


if __name__ == "__main__":
    main(*sys.argv[1:])

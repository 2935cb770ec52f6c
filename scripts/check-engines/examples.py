"""Runs the examples of the Python package, as documented."""
import io
import sys
import tarfile

import pyarrow.parquet as pq
from rows import CLIENT, EXECUTABLE, IMAGES, check, each, output

SCENE = (IMAGES / "scene.jpg").read_bytes()


def run(name, *arguments):
    program = CLIENT.parent / "examples" / name
    each({f"the example {name} runs": lambda: output(sys.executable, program, *arguments, EXECUTABLE)[:0]})


def check_spark_example(folder):
    source = folder / "photos"
    (source / "below").mkdir(parents=True)
    for name, content in (("a.jpg", SCENE), ("below/b.jpg", SCENE), ("c.jpg", b"no image")):
        (source / name).write_bytes(content)
    run("spark_parquet.py", source, folder / "crops")
    rows = pq.read_table(folder / "crops").to_pylist()
    found = {row["path"].rpartition("/")[2]: row["error"] and row["error"]["type"] for row in rows}
    check("binaryFile to Parquet", found == {"a.jpg": None, "b.jpg": None, "c.jpg": "unsupported-image"}, found)


def check_ray_example(folder):
    source, found = folder / "shards", {}
    source.mkdir()
    with tarfile.open(source / "0.tar", "w") as shard:
        for key in ("a", "b", "broken"):
            for suffix, content in (("jpg", SCENE if key != "broken" else b"no image"), ("cls", key.encode())):
                member = tarfile.TarInfo(f"{key}.{suffix}")
                member.size = len(content)
                shard.addfile(member, io.BytesIO(content))
    run("ray_webdataset.py", source, folder / "cropped")
    for path in (folder / "cropped").glob("*.tar"):
        with tarfile.open(path) as shard:
            found |= {member.name: file.read() for member in shard if (file := shard.extractfile(member))}
    names = {f"{key}.{suffix}" for key in ("a", "b") for suffix in ("jpg", "cls", "json")}
    holds = set(found) == names and all(found[f"{key}.cls"] == key.encode() for key in ("a", "b"))
    check("WebDataset to WebDataset", holds and found["a.json"][:1] == b"{", sorted(found))

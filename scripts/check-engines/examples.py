"""Runs the examples of the Python package, as its documentation says."""
import io
import subprocess
import sys
import tarfile

import pyarrow.parquet as pq
from pictures import CLIENT, ROOT, check

EXAMPLES = CLIENT.parent / "examples"
SCENE = ROOT / "docs" / "pictures" / "scene.jpg"


def run(name, *arguments):
    done = subprocess.run([sys.executable, EXAMPLES / name, *map(str, arguments)], capture_output=True, text=True)
    check(f"the example {name} runs", done.returncode == 0, done.stderr[-2000:] if done.returncode else "")
    return done.returncode == 0


def check_spark_example(headroom, folder):
    source = folder / "photos"
    (source / "below").mkdir(parents=True)
    for name in ("a.jpg", "below/b.jpg"):
        (source / name).write_bytes(SCENE.read_bytes())
    (source / "c.jpg").write_bytes(b"no picture")
    if run("spark_parquet.py", source, folder / "crops", headroom):
        rows = pq.read_table(folder / "crops").to_pylist()
        found = {row["path"].rpartition("/")[2]: row["error"] and row["error"]["type"] for row in rows}
        check("binaryFile to Parquet", found == {"a.jpg": None, "b.jpg": None, "c.jpg": "unsupported-image"}, f"{found}")


def check_ray_example(headroom, folder):
    source, target = folder / "shards", folder / "cropped"
    source.mkdir()
    with tarfile.open(source / "0.tar", "w") as shard:
        for key in ("a", "b", "broken"):
            for end, content in (("jpg", SCENE.read_bytes() if key != "broken" else b"no picture"), ("cls", key.encode())):
                member = tarfile.TarInfo(f"{key}.{end}")
                member.size = len(content)
                shard.addfile(member, io.BytesIO(content))
    if run("ray_webdataset.py", source, target, headroom):
        found = {}
        for path in target.glob("*.tar"):
            with tarfile.open(path) as shard:
                found |= {member.name: shard.extractfile(member).read() for member in shard}
        names = {f"{key}.{end}" for key in ("a", "b") for end in ("jpg", "cls", "json")}
        holds = set(found) == names and all(found[f"{key}.cls"] == key.encode() for key in ("a", "b"))
        check("WebDataset to WebDataset", holds and found["a.json"][:1] == b"{", f"{sorted(found)}")

"""Checks `headroom batch` with buckets: kills runs, and compares their output with a run between local folders."""
import functools
import io
import json
import os
import random
import subprocess
import tarfile

from buckets import variables
from report import check, equal
from service import EXECUTABLE, wait_until
from store import CROPS, OTHER

IMAGE_COUNT = 60
BUCKET = f"s3://{CROPS}"


def fill(admin, image, folder):
    """Stores the same images in a folder, a bucket and an archive: more images than one page of a listing, with names
    that need encoding."""
    with tarfile.open(folder / "in.tar", "w") as tar:
        for number in range(IMAGE_COUNT):
            name = f"{number % 7}/a+b é{number}.jpg"
            # The bytes after the end make this a different image.
            content = image + str(number).encode()
            path = folder / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            admin.put_object(Bucket=CROPS, Key=f"in/{name}", Body=content)
            for suffix, body in ((".jpg", content), (".cls", str(number).encode())):
                member = tarfile.TarInfo(f"{number:03}{suffix}")
                member.size = len(body)
                tar.addfile(member, io.BytesIO(body))
    admin.upload_file(str(folder / "in.tar"), CROPS, "in.tar")


def size(path):
    return path.stat().st_size if path.exists() else 0


def check_batch(objects, image, folder):
    admin = objects.client("s3", *objects.credentials)
    fill(admin, image, folder)

    def start(source, output, results, secret=objects.credentials[1]):
        command = [str(EXECUTABLE), "batch", "--aspect", "1:1,3:1", "--width", "64", "--accuracy", "low"]
        # On a busy machine, the S3 server is slow.
        command += ["--fetch-timeout", "60"]
        return subprocess.Popen([*command, *objects.options(CROPS), source, "--output", output, "--results", folder / results], text=True,
                                env={**os.environ, **variables(objects.credentials[0], secret)}, stderr=subprocess.PIPE)

    def run(name, *words, status=0, said="", **options):
        process = start(*words, **options)
        error = process.communicate()[1]
        holds = process.returncode == status and said in error
        check(f"batch: {name}", holds, "" if holds else f"{process.returncode} {error}")

    def goes_on(process, results, enough):
        return process.poll() is not None or size(results) > enough

    def killed(name, *words):
        """Kills runs at random moments, and lets the last run finish."""
        chance, kills, results = random.Random(name), 0, folder / words[-1]
        for _ in range(4):
            process = start(*words)
            # Kills the run after some more results, when even a fast run is not finished and even a slow run has
            # started.
            enough = size(results) + chance.randrange(2000)
            wait_until(functools.partial(goes_on, process, results, enough), "results grow", pause=0.001)
            kills += process.poll() is None
            process.kill()
            process.communicate()
        check(f"batch: {name}: runs are killed", kills > 0, kills)
        run(f"{name}: the run ends", *words)

    def keys(prefix):
        pages = admin.get_paginator("list_objects_v2").paginate(Bucket=CROPS, Prefix=prefix)
        names = [found["Key"] for page in pages for found in page.get("Contents", [])]
        return {name[len(prefix):]: admin.get_object(Bucket=CROPS, Key=name)["Body"].read() for name in names}

    def done(results):
        return sorted(json.loads(line)["key"] for line in (folder / results).read_text().splitlines()[1:])

    run("a run between folders", folder / "in", folder / "out", "local.jsonl")
    killed("bucket to bucket", f"{BUCKET}/in/", f"{BUCKET}/out", "a.jsonl")
    out = folder / "out"
    expected = {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    check("batch: the objects equal the files", keys("out/") == expected)
    check("batch: a line for each image", done("a.jsonl") == done("local.jsonl"))
    run("nothing is processed twice", f"{BUCKET}/in/", f"{BUCKET}/out", "a.jsonl")
    run("patterns", f"{BUCKET}/in/3/*é3*.jpg", f"{BUCKET}/some/", "b.jsonl")
    equal("batch: patterns match the expected files", len(keys("some/")), 2 * len(list((folder / "in/3").glob("*é3*"))))
    run("an archive", folder / "in.tar", folder / "out.tar", "local-tar.jsonl")
    killed("archive to archive", f"{BUCKET}/in.tar", f"{BUCKET}/out.tar", "c.jsonl")
    check("batch: the archive equals the file", keys("out.tar") == {"": (folder / "out.tar").read_bytes()})
    equal("batch: no upload is left", admin.list_multipart_uploads(Bucket=CROPS).get("Uploads", []), [])
    equal("batch: no file is left", sorted(path.name for path in folder.glob(".*")), [])
    run("a bucket that is not allowed", f"{BUCKET}/in/", f"s3://{OTHER}/out", "d.jsonl", status=64, said=OTHER)
    run("a wrong secret ends the run with the reason", f"{BUCKET}/in/", f"{BUCKET}/out", "e.jsonl",
        secret="wrong", status=1, said="SignatureDoesNotMatch")

"""`headroom batch` with buckets: runs that are killed, and compared with the same run between folders."""
import contextlib
import io
import json
import os
import pathlib
import random
import shutil
import subprocess
import tarfile

import store

PICTURES = 60


def fill(objects, picture, folder):
    """The same pictures in a folder and in a bucket: more than one page, names that have to be encoded."""
    admin = objects.client("s3", *objects.credentials)
    members = io.BytesIO()
    with tarfile.open(fileobj=members, mode="w") as tar:
        for number in range(PICTURES):
            name = f"{number % 7}/a+b é{number}.jpg"
            # Bytes after the end make it another picture.
            content = picture + str(number).encode()
            path = folder / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            admin.put_object(Bucket=store.CROPS, Key=f"in/{name}", Body=content)
            for end, body in ((".jpg", content), (".cls", str(number).encode())):
                member = tarfile.TarInfo(f"{number:03}{end}")
                member.size = len(body)
                tar.addfile(member, io.BytesIO(body))
    (folder / "in.tar").write_bytes(members.getvalue())
    admin.put_object(Bucket=store.CROPS, Key="in.tar", Body=members.getvalue())
    return admin


class Batch:
    def __init__(self, headroom, objects):
        self.command = [str(headroom), "batch", "--aspect", "1:1,3:1", "--width", "64", "--accuracy", "low"]
        self.buckets = ["--s3-endpoint", objects.endpoint, "--s3-region", store.REGION, "--s3-buckets", store.CROPS]
        id, secret = objects.credentials
        self.environment = {**os.environ, "AWS_ACCESS_KEY_ID": id, "AWS_SECRET_ACCESS_KEY": secret}

    def start(self, source, output, results, *options):
        return subprocess.Popen([*self.command, *self.buckets, source, "--output", output, "--results", results, *options],
                                env=self.environment, stderr=subprocess.PIPE, text=True)

    def run(self, *arguments):
        process = self.start(*arguments)
        error = process.communicate()[1]
        return process.returncode, error

    def killed(self, check, name, source, output, results, kills):
        """Kills runs at random moments, and lets the last one end."""
        chance, killed = random.Random(name), 0
        for _ in range(kills):
            process = self.start(source, output, results)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.2 + chance.random())
            killed += process.poll() is None
            process.kill()
            process.communicate()
        status, error = self.run(source, output, results)
        check(f"{name}: {killed} killed, and the run ends", (status, killed > 0), (0, True))
        if status:
            print(error)


def keys(admin, prefix):
    pages = admin.get_paginator("list_objects_v2").paginate(Bucket=store.CROPS, Prefix=prefix)
    names = [found["Key"] for page in pages for found in page.get("Contents", [])]
    return {name[len(prefix):]: admin.get_object(Bucket=store.CROPS, Key=name)["Body"].read() for name in names}


def done(results):
    return sorted(json.loads(line)["key"] for line in pathlib.Path(results).read_text().splitlines()[1:])


def check_batch(check, headroom, objects, picture, folder):
    folder = folder / "batch"
    folder.mkdir()
    admin = fill(objects, picture, folder)
    batch = Batch(headroom, objects)
    bucket = f"s3://{store.CROPS}"
    check("batch: a run between folders", batch.run(folder / "in", folder / "out", folder / "local.jsonl")[0], 0)
    expected = {str(path.relative_to(folder / "out")): path.read_bytes()
                for path in (folder / "out").rglob("*") if path.is_file()}
    batch.killed(check, "batch: bucket to bucket", f"{bucket}/in/", f"{bucket}/out", str(folder / "a.jsonl"), 4)
    check("batch: the objects are the files", keys(admin, "out/") == expected, True)
    check("batch: a line for each picture", done(folder / "a.jsonl") == done(folder / "local.jsonl"), True)
    check("batch: nothing is done twice", batch.run(f"{bucket}/in/", f"{bucket}/out", folder / "a.jsonl")[0], 0)
    check("batch: patterns", batch.run(f"{bucket}/in/3/*é3*.jpg", f"{bucket}/some/", folder / "b.jsonl")[0], 0)
    check("batch: patterns find what they should", len(keys(admin, "some/")), 2 * len(list((folder / "in/3").glob("*é3*"))))

    check("batch: an archive", batch.run(folder / "in.tar", folder / "out.tar", folder / "local-tar.jsonl")[0], 0)
    batch.killed(check, "batch: archive to archive", f"{bucket}/in.tar", f"{bucket}/out.tar", str(folder / "c.jsonl"), 4)
    check("batch: the archive is the file", keys(admin, "out.tar") == {"": (folder / "out.tar").read_bytes()}, True)
    check("batch: no upload is left", admin.list_multipart_uploads(Bucket=store.CROPS).get("Uploads", []), [])
    check("batch: no file is left", sorted(path.name for path in folder.glob(".*")), [])

    status, error = batch.run(f"{bucket}/in/", f"s3://{store.OTHER}/out", folder / "d.jsonl")
    check("batch: a bucket that is not allowed", (status, store.OTHER in error), (64, True))
    wrong = Batch(headroom, objects)
    wrong.environment["AWS_SECRET_ACCESS_KEY"] = "wrong"
    status, error = wrong.run(f"{bucket}/in/", f"{bucket}/out", folder / "e.jsonl")
    check("batch: a wrong secret ends the run and says why", (status, "SignatureDoesNotMatch" in error), (1, True))
    shutil.rmtree(folder)

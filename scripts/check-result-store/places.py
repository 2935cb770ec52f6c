"""The places of a result store: a folder, and a bucket of moto's S3 server."""
import collections
import logging
import pathlib
import re
import shutil

from buckets import REGION, Buckets, variables

NAME, PREFIX = "crops", "store/"


class Folder:
    """A folder of this machine."""

    name = "folder"

    def __init__(self, path):
        self.variables = {}
        self.path = pathlib.Path(path)
        self.path.mkdir(exist_ok=True)
        self.options = ["--result-store", str(self.path)]

    def names(self):
        """Returns the paths of all entries."""
        return sorted(str(path.relative_to(self.path)) for path in self.path.glob("results-1/??/*"))

    def read(self, name):
        return (self.path / name).read_bytes()

    def write(self, name, data):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def empty(self):
        shutil.rmtree(self.path / "results-1", ignore_errors=True)


class Requests(logging.Handler):
    """Counts the requests to the S3 server by method and the first folder below the prefix."""

    def __init__(self):
        super().__init__()
        self.counts = collections.Counter()

    def emit(self, record):
        # Colours surround the request line.
        if found := re.search(rf'"(?:\x1b\[\w+)*([A-Z]+) /{NAME}(\S*)', record.getMessage()):
            part = "list" if "list-type" in found[2] else found[2].removeprefix(f"/{PREFIX}").split("/")[0]
            self.counts[f"{found[1]} {part}"] += 1


class Bucket:
    """A bucket. Its server runs in this process, so entries can be written without requests."""

    name = "bucket"
    variables = variables("admin", "admin")

    def __init__(self):
        self.buckets = Buckets(NAME)
        self.requests = Requests()
        log = logging.getLogger("werkzeug")
        log.setLevel(logging.INFO)
        log.propagate = False
        log.handlers = [self.requests]
        # A server in Python on a busy machine is slower than the default time limit.
        # The bucket is not a source of images.
        self.options = ["--result-store", f"s3://{NAME}/{PREFIX}", "--s3-endpoint", self.buckets.endpoint, "--s3-region", REGION,
                        "--result-store-timeout", "2"]

    def names(self):
        pages = self.buckets.admin.get_paginator("list_objects_v2").paginate(Bucket=NAME, Prefix=f"{PREFIX}results-1/")
        return [found["Key"].removeprefix(PREFIX) for page in pages for found in page.get("Contents", [])]

    def read(self, name):
        return self.buckets.admin.get_object(Bucket=NAME, Key=PREFIX + name)["Body"].read()

    def write(self, name, data):
        from moto.core import DEFAULT_ACCOUNT_ID
        from moto.s3.models import s3_backends

        s3_backends[DEFAULT_ACCOUNT_ID]["aws"].put_object(NAME, PREFIX + name, data)

    def empty(self):
        from moto.core import DEFAULT_ACCOUNT_ID
        from moto.s3.models import s3_backends

        s3_backends[DEFAULT_ACCOUNT_ID]["aws"].buckets[NAME].keys.clear()

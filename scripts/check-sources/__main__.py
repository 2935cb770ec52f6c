"""Reads images from an S3 server, including by relative URLs, and writes crops to this server with `headroom batch`.
Also reads images through a proxy, with a private certificate authority, and with AWS roles from simulated servers.

The Swift tests cover files of a folder and URLs that must be rejected: SourceSettingsTests, LocalFileTests, SourceURLTests,
BaseURLTests. Prints a line for each check, and exits 1 if one fails.
"""
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

import requests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
from batch import check_batch
from buckets import variables
from outlet import check_outlet
from report import check, end, equal
from roles import check_roles
from service import EXECUTABLE, IMAGES, Service
from store import ALLOWED, DOTTED, KEYS, OTHER, Store

IMAGE, OLDER = ((IMAGES / name).read_bytes() for name in ("scene.jpg", "edges.png"))


def address(bucket, key):
    return f"s3://{bucket}/{urllib.parse.quote(key, safe='/')}"


def ask(started, url, body=None, **headers):
    """Requests a crop of 100 by 100 pixels."""
    query = {"aspect": "1:1", "width": "100", "accuracy": "low", "format": "jpeg", "url": url}
    method = "POST" if body else "GET"
    return requests.request(method, f"{started.base}/frame", params=query, data=body, headers=headers, timeout=60)


def crop(started, url, body=None):
    response = ask(started, url, body)
    return response.status_code, response.content


def kind(started, url):
    """Returns the status and the kind of a problem."""
    response = ask(started, url)
    return response.status_code, response.status_code != 200 and response.json()["type"].rpartition(":")[2]


@contextlib.contextmanager
def running(*options, **variables):
    with Service(EXECUTABLE, *options, **variables) as started:
        yield started
    equal("the service stops", started.process.returncode, 0)


def check_objects(objects):
    check("the S3 server verifies signatures", objects.is_strict())
    with running(*objects.options(f"{ALLOWED},{DOTTED}"), **variables(*objects.credentials)) as started:
        expected, older = crop(started, None, IMAGE), crop(started, None, OLDER)
        for key in KEYS:
            check(f"object {key}", crop(started, address(ALLOWED, key)) == expected)
        check("a bucket with a dot", crop(started, address(DOTTED, "team.jpg")) == expected)
        versions = address(ALLOWED, "versions.jpg")
        check("the latest version", crop(started, versions) == expected)
        check("an older version", crop(started, f"{versions}?versionId={objects.old_version}") == older)
        headers = ask(started, address(ALLOWED, "team.jpg")).headers
        check("it is cached", "hit" in headers["Cache-Status"], headers["Cache-Status"])
        equal("Cache-Tag names the bucket", headers["Cache-Tag"].split(",")[1], f"bucket-{ALLOWED}")
        equal("no Link discloses it", headers.get("Link"), None)
        equal("304", ask(started, address(ALLOWED, "team.jpg"), **{"If-None-Match": headers["ETag"]}).status_code, 304)
        equal("no such key", kind(started, address(ALLOWED, "absent.jpg")), (404, "source-not-found"))
        check("no such version", kind(started, f"{versions}?versionId=absent")[0] in (404, 502))
        equal("no image", kind(started, address(ALLOWED, "no image")), (415, "unsupported-image"))
        equal("a bucket that is not allowed", kind(started, address(OTHER, "team.jpg")), (404, "source-not-found"))
        web = f"{objects.endpoint}/{ALLOWED}/team.jpg"
        equal("the endpoint itself is not a source", kind(started, web), (404, "source-not-found"))
    return expected


def check_profile(objects, folder, expected):
    file = folder / "credentials"
    file.write_text("[default]\naws_access_key_id = nobody\naws_secret_access_key = wrong\n\n[headroom]\n"
                    "aws_access_key_id = {}\naws_secret_access_key = {}\n".format(*objects.credentials))
    profile = ["--s3-credentials-file", str(file), "--s3-profile", "headroom"]
    with running(*objects.options(ALLOWED), *profile, "--base-url", f"s3://{ALLOWED}/a%20folder") as started:
        check("credentials of a profile, and a relative URL", crop(started, "team%20photo.jpg") == expected)


def check_refusals(objects):
    """Checks the problem for a bucket that rejects access, and that `headroom doctor` reports the reason."""
    def reason(credentials, url):
        done = subprocess.run([EXECUTABLE, "doctor", *objects.options("*"), "--port", "0", url], check=False, text=True,
                              stdout=subprocess.PIPE, env={**os.environ, **variables(*credentials)})
        return next((line for line in done.stdout.splitlines() if line.split()[1:2] == ["source"]), done.stdout)
    for name, credentials, bucket, expected in [
        ("a wrong secret", (objects.credentials[0], "wrong"), ALLOWED, "SignatureDoesNotMatch"),
        ("an unknown key", ("AKIANOBODY", "wrong"), ALLOWED, "InvalidAccessKeyId"),
        ("a private object", objects.credentials, OTHER, "AccessDenied"),
    ]:
        with running(*objects.options("*"), **variables(*credentials)) as started:
            response = ask(started, address(bucket, "team.jpg"))
            detail = response.json()["detail"]
            check(f"{name}: the problem",
                  response.status_code == 502 and "rejected the request with status 403; expected credentials" in detail, detail)
            check(f"{name}: the response discloses nothing", credentials[0] not in detail and objects.endpoint not in detail)
        said = reason(credentials, address(bucket, "team.jpg"))
        check(f"{name}: headroom doctor reports the reason", f"status 403, {expected}: " in said, said)
    said = reason(objects.credentials, address(ALLOWED, "team.jpg"))
    check("headroom doctor fetches an object", f"has {len(IMAGE)} bytes" in said, said)


def main():
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    objects = Store(IMAGE, OLDER)
    with tempfile.TemporaryDirectory() as name:
        expected = check_objects(objects)
        check_outlet(objects, IMAGE, pathlib.Path(name), expected)
        check_profile(objects, pathlib.Path(name), expected)
        check_refusals(objects)
        check_roles(IMAGE)
        check_batch(objects, IMAGE, pathlib.Path(name))
    objects.server.stop()
    end()


main()

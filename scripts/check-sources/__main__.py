#!/usr/bin/env python3
"""Reads pictures from a real S3 server, from a folder and by short addresses, and writes crops to it with
`headroom batch`: `make check-sources`.

    scripts/check-sources [--headroom .build/release/headroom]

Prints a line for each check, and exits 1 if one fails.
"""
import argparse
import contextlib
import http.client
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import batch  # noqa: E402
import service  # noqa: E402
import store  # noqa: E402

PICTURE = (service.PICTURES / "scene.jpg").read_bytes()
OLDER = (service.PICTURES / "edges.png").read_bytes()
FAILED = []


def check(name, got, expected):
    if got == expected:
        print(f"ok     {name}", flush=True)
    else:
        FAILED.append(name)
        print(f"FAILED {name}: {got}, expected {expected}", flush=True)


def address(bucket, key, version=None):
    query = f"?versionId={urllib.parse.quote(version, safe='')}" if version else ""
    return f"s3://{bucket}/{urllib.parse.quote(key, safe='/')}{query}"


def ask(started, url, body=None, **headers):
    """Status, headers and body of a crop of 100 by 100 pixels."""
    query = {"aspect": "1:1", "width": "100", "accuracy": "low", "format": "jpeg"} | ({"url": url} if url else {})
    connection = http.client.HTTPConnection("127.0.0.1", started.port, timeout=60)
    with contextlib.closing(connection):
        connection.request("POST" if body else "GET", f"/frame?{urllib.parse.urlencode(query)}", body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def kind(started, url):
    status, _, body = ask(started, url)
    problem = json.loads(body) if status != 200 else {"type": ":ok"}
    return status, problem["type"].rpartition(":")[2]


@contextlib.contextmanager
def running(headroom, *options, **variables):
    started = service.Service(headroom, *options, **variables)
    try:
        yield started
    finally:
        check("the service stops", started.stop(), 0)


def names(credentials):
    return dict(zip(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), credentials))


def reason(headroom, options, variables, url):
    """The finding of headroom doctor about a URL."""
    done = subprocess.run([str(headroom), "doctor", *options, "--port", "0", url], env={**os.environ, **variables},
                          stdout=subprocess.PIPE, text=True)
    return next((line for line in done.stdout.splitlines() if line.split()[1:2] == ["source"]), done.stdout)


def check_buckets(headroom, objects, folder):
    options = ["--s3-endpoint", objects.endpoint, "--s3-region", store.REGION, "--s3-buckets",
               f"{store.ALLOWED},{store.DOTTED}"]
    check("the S3 server verifies signatures", objects.is_strict(), True)
    with running(headroom, *options, **names(objects.credentials)) as started:
        crop, older = ask(started, None, PICTURE)[2], ask(started, None, OLDER)[2]
        for key in store.KEYS:
            check(f"object {key}", ask(started, address(store.ALLOWED, key))[::2], (200, crop))
        check("a bucket with a dot", ask(started, address(store.DOTTED, "team.jpg"))[::2], (200, crop))
        versions = address(store.ALLOWED, "versions.jpg")
        check("the latest version", ask(started, versions)[::2], (200, crop))
        check("an older version", ask(started, f"{versions}?versionId={objects.old_version}")[::2], (200, older))
        status, headers, _ = ask(started, address(store.ALLOWED, "team.jpg"))
        check("it is cached", "hit" in headers["Cache-Status"], True)
        check("Cache-Tag names the bucket", headers["Cache-Tag"].split(",")[1], f"bucket-{store.ALLOWED}")
        check("no Link discloses it", headers["Link"], None)
        check("304", ask(started, address(store.ALLOWED, "team.jpg"), **{"If-None-Match": headers["ETag"]})[0], 304)
        check("no such key", kind(started, address(store.ALLOWED, "absent.jpg")), (404, "source-not-found"))
        check("no such version", kind(started, f"{versions}?versionId=absent")[0] in (404, 502), True)
        check("no picture", kind(started, address(store.ALLOWED, "no picture")), (415, "unsupported-image"))
        check("a bucket that is not allowed", kind(started, address(store.OTHER, "team.jpg")), (404, "source-not-found"))
        for url in (f"s3://{store.ALLOWED}/../{store.OTHER}/team.jpg", f"s3://{store.ALLOWED}/%2e%2e/{store.OTHER}/team.jpg"):
            check(f"{url} is refused", kind(started, url), (400, "invalid-parameter"))
        web = f"{objects.endpoint}/{store.ALLOWED}/team.jpg"
        check("the endpoint is no source of its own", kind(started, web), (404, "source-not-found"))
        check("local files are off", kind(started, "local:///etc/passwd"), (400, "invalid-parameter"))

    file = folder / "credentials"
    file.write_text("[default]\naws_access_key_id = nobody\naws_secret_access_key = wrong\n\n[headroom]\n"
                    "aws_access_key_id = %s\naws_secret_access_key = %s\n" % objects.credentials)
    profile = ["--s3-credentials-file", str(file), "--s3-profile", "headroom"]
    with running(headroom, *options, *profile, "--base-url", f"s3://{store.ALLOWED}/a%20folder") as started:
        check("credentials of a profile, and a short address", ask(started, "team%20photo.jpg")[::2], (200, crop))
        check("a short address cannot leave the base", kind(started, "../team.jpg"), (400, "invalid-parameter"))

    all_buckets = options[:-1] + ["*"]
    for name, credentials, bucket, expected in [
        ("a wrong secret", (objects.credentials[0], "wrong"), store.ALLOWED, "SignatureDoesNotMatch"),
        ("an unknown key", ("AKIANOBODY", "wrong"), store.ALLOWED, "InvalidAccessKeyId"),
        ("a private object", objects.credentials, store.OTHER, "AccessDenied"),
    ]:
        with running(headroom, *all_buckets, **names(credentials)) as started:
            status, _, body = ask(started, address(bucket, "team.jpg"))
            detail = json.loads(body)["detail"]
            check(f"{name}: the problem", (status, "refused with status 403; expected credentials" in detail), (502, True))
            check(f"{name}: it discloses nothing", credentials[0] in detail or objects.endpoint in detail, False)
        said = reason(headroom, all_buckets, names(credentials), address(bucket, "team.jpg"))
        check(f"{name}: headroom doctor says why", f"status 403, {expected}: expected" in said, True)
    said = reason(headroom, all_buckets, names(objects.credentials), address(store.ALLOWED, "team.jpg"))
    check("headroom doctor fetches an object", f"has {len(PICTURE)} bytes" in said, True)


def check_folder(headroom, folder):
    root = folder / "root"
    (root / "sub").mkdir(parents=True)
    (root / "sub/team photo+1.jpg").write_bytes(PICTURE)
    (folder / "secret.jpg").write_bytes(PICTURE)
    (root / ".hidden.jpg").write_bytes(PICTURE)
    (root / "inside.jpg").symlink_to("sub/team photo+1.jpg")
    (root / "outside.jpg").symlink_to("../secret.jpg")
    (root / "up").symlink_to("..")
    os.mkfifo(root / "fifo.jpg")
    with running(headroom, "--local-root", str(root), "--base-url", "local:///sub/", "--allow-hosts", "none") as started:
        crop = ask(started, None, PICTURE)[2]
        for url in ("local:///sub/team%20photo+1.jpg", "local:///inside.jpg", "team%20photo+1.jpg", "/team%20photo%2B1.jpg"):
            check(url, ask(started, url)[::2], (200, crop))
        for url, expected in [
            ("local:///absent.jpg", 404), ("local:///outside.jpg", 404), ("local:///up/secret.jpg", 404),
            ("local:///fifo.jpg", 404), ("local:///sub", 404), ("local:///../secret.jpg", 400),
            ("local:///%2e%2e/secret.jpg", 400), ("local:///..%2fsecret.jpg", 400), ("local:///.hidden.jpg", 400),
            ("../../secret.jpg", 400), ("s3://photos/a.jpg", 400), ("https://example.com/a.jpg", 404),
        ]:
            check(f"{url}: {expected}", ask(started, url)[0], expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    options = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    objects = store.Store(PICTURE, OLDER)
    try:
        with tempfile.TemporaryDirectory() as folder:
            check_buckets(options.headroom, objects, pathlib.Path(folder))
            check_folder(options.headroom, pathlib.Path(folder))
            batch.check_batch(check, options.headroom, objects, PICTURE, pathlib.Path(folder))
    finally:
        objects.stop()
    if FAILED:
        sys.exit(f"check-sources: {len(FAILED)} failed: {', '.join(FAILED)}")


main()

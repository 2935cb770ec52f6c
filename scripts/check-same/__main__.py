"""Compares the responses of two builds of headroom: `make check-same OLD=… NEW=…`.

    scripts/check-same OLD NEW [--corpus FOLDER]

Starts both programs as services and sends the same requests to both, with the images of docs/images, with images derived from
them, and with the images of FOLDER. Compares statuses, headers and bodies byte by byte, except `Date`, `Server-Timing`, request
IDs, durations and stream boundaries. Then compares the names of metrics, the help and the output of all commands, and the files
of a batch. Prints each difference, and exits 1 if there is a difference.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import functools
import http.client
import http.server
import io
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import typing
import zipfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]
import cases
import service

#: Headers that differ from request to request.
UNSTABLE = {"date", "server-timing", "headroom-request-id", "x-request-id"}
HOST = "headroom.example"


class Origin(http.server.BaseHTTPRequestHandler):
    """Starts an origin with images and errors."""
    images: typing.ClassVar[dict[str, bytes]] = {}

    def do_GET(self):
        name = self.path.lstrip("/").partition("?")[0]
        body = self.images.get(name, b"no image" if name == "text.jpg" else b"")
        where = {"moved.jpg": "/scene.jpg", "loop.jpg": "/loop.jpg"}.get(name)
        self.send_response(302 if where else 503 if name == "failing.jpg" else 200 if body else 404)
        fields = {"Content-Length": len(body), "ETag": f'"{zlib.crc32(body)}"', "Cache-Control": "max-age=300", "Location": where}
        for field, value in fields.items():
            if value is not None:
                self.send_header(field, str(value))
        self.end_headers()
        self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


class Comparison:
    """Two programs, and the differences between them."""

    def __init__(self, programs):
        self.programs, self.counts, self.pool = programs, collections.Counter(), concurrent.futures.ThreadPoolExecutor(2)

    def both(self, action, parts):
        """Runs an action for each of two parts at the same time; returns both values."""
        return list(self.pool.map(action, parts))

    def compare(self, what, old, new):
        """Compares two dictionaries of strings or bytes."""
        self.counts["compared"] += 1
        differences = [describe(name, old.get(name), new.get(name))
                       for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name)]
        if differences:
            self.counts["different"] += 1
            print(what, *differences, sep="\n    ", flush=True)

    def ask(self, services, sent):
        """Compares the responses of two services to a list of requests, then to requests with the validators of these responses."""
        for case in sent:
            old, new = self.both(functools.partial(response, case), [each.port for each in services])
            self.counts[old["status"]] += 1
            self.compare(case, old, new)
            if case.method == "GET" and case.target.startswith("/frame") and not case.headers and old["status"] == "200":
                more = [{"If-None-Match": old["etag"]}, {"If-None-Match": 'W/"other"'}] if "etag" in old else []
                for again in [cases.Case(case.target, "HEAD"), *(cases.Case(case.target, headers=one) for one in more)]:
                    self.compare(again, *self.both(functools.partial(response, again), [each.port for each in services]))

    def run(self, what, *words, read=lambda folder: {}, **options):
        """Compares the output and the files of two programs; `read` returns the files in the folder of one program."""
        def one(program):
            with tempfile.TemporaryDirectory() as folder:
                shutil.copytree(service.IMAGES, pathlib.Path(folder, "images"))
                done = subprocess.run([program, *words], check=False, cwd=folder, capture_output=True, timeout=300, **options)
                written = read(pathlib.Path(folder))
                output = {} if "batch" in words and "--dry-run" not in words else {"stderr": steady(done.stderr)}
                return {"status": str(done.returncode), "stdout": steady(done.stdout), **output, **written}
        self.compare(what, *self.both(one, self.programs))


def describe(name, old, new):
    """Returns one line that describes the difference of two values."""
    if not isinstance(old, bytes) or not isinstance(new, bytes):
        return f"{name}: {str(old)[:200]} → {str(new)[:200]}"
    at = next((at for at, pair in enumerate(zip(old, new)) if pair[0] != pair[1]), min(len(old), len(new)))
    return f"{name}: {len(old)} → {len(new)} bytes, from byte {at}: {old[at:at + 60]!r} → {new[at:at + 60]!r}"


def steady(text):
    """Returns the output without times."""
    text = re.sub(rb'"begun":[\d.]+', b'"begun":0', text)
    text = re.sub(rb'"milliseconds":\s*(\{[^}]*\}|[\d.]+)', b'"milliseconds":0', text)
    return re.sub(rb"\b[\d.]+ ?m?s\b", b"0 s", text)


def response(case, port):
    """Returns status, headers and body of a response, without the parts that differ each time."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request(case.method, case.target, case.body, {"Host": HOST, **case.headers})
        response = connection.getresponse()
        return parts(response, response.read())
    except (OSError, http.client.HTTPException) as error:
        return {"status": type(error).__name__}
    finally:
        connection.close()


def parts(response, body):
    fields = collections.defaultdict(str)
    for name, value in response.getheaders():
        if name.lower() not in UNSTABLE:
            fields[name.lower()] += value + "\n"
    kind = fields["content-type"]
    if kind.startswith("application/zip"):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            body = b"".join(f"{each.filename} {each.date_time}\n".encode() + archive.read(each) for each in archive.infolist())
    if "json" in kind or "zip" in kind or "multipart" in kind:
        # The length depends on the durations.
        body, _ = steady(body), fields.pop("content-length", None)
    return {"status": str(response.status), **{name: value[:-1] for name, value in fields.items()}, "body": body}


def streamed(query, frames, port):
    """Sends a live stream; each frame is sent after the previous frame has been returned."""
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(f"POST /stream?{query} HTTP/1.1\r\nHost: {HOST}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        response, body, end = http.client.HTTPResponse(connection), b"", b"\n" if "json" in query else b"\xff\xd9"
        for number, frame in enumerate(frames):
            connection.sendall(b"%x\r\n%b\r\n" % (len(frame), frame))
            if number == 0:
                response.begin()
            while body.count(end) <= number and (piece := response.read1()):
                body += piece
        connection.sendall(b"0\r\n\r\n")
        fields = parts(response, body + response.read())
    boundary = (re.search(r"boundary=(\S+)", fields["content-type"]) or ["", "no boundary"])[1]
    fields["content-type"] = fields["content-type"].replace(boundary, "")
    return {**fields, "body": fields["body"].replace(boundary.encode(), b"")}


def animation(stills):
    """Returns an animated PNG of stills of equal size."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    def chunks(data, at=8):
        while at < len(data):
            size = int.from_bytes(data[at:at + 4], "big")
            yield data[at + 4:at + 8], data[at + 8:at + 8 + size]
            at += size + 12

    header = dict(chunks(stills[0]))[b"IHDR"]
    made, order = stills[0][:8] + chunk(b"IHDR", header) + chunk(b"acTL", struct.pack(">II", len(stills), 0)), 0
    for number, still in enumerate(stills):
        made += chunk(b"fcTL", struct.pack(">I", order) + header[:8] + struct.pack(">IIHHBB", 0, 0, 1, 10, 0, 0))
        data = b"".join(content for kind, content in chunks(still) if kind == b"IDAT")
        made += chunk(b"fdAT", struct.pack(">I", order + 1) + data) if number else chunk(b"IDAT", data)
        order += 2 if number else 1
    return made + chunk(b"IEND", b"")


def drawn(port):
    """Returns images by name: the images of docs/images, and images in every format that a service creates from them."""
    def made(body, **parameters):
        found = response(cases.Case(cases.target("/frame", **parameters), "POST", body), port)
        return found["body"] if found["status"] == "200" else sys.exit(f"{parameters}: {found}")
    images = {path.name: path.read_bytes() for path in sorted(service.IMAGES.iterdir()) if path.suffix in (".jpg", ".png")}
    scene = images["scene.jpg"]
    stills = [made(scene, region=f"0.{at}5,0.1,0.6,0.8", width=200, height=150, format="png") for at in range(4)]
    images["moving.apng"] = animation(stills)
    for kind in ["png", "webp", "avif", "gif"]:
        images[f"still.{kind}"] = made(scene, width=240, format=kind)
        images[f"moving.{kind}"] = made(images["moving.apng"], format=kind)
    images["grey.jpg"] = made(scene, filter="mono", width=300, progressive="true")
    images["broken.jpg"] = scene[:len(scene) // 2]
    return images


def y4m(count=5, width=160, height=90):
    """Returns a video of moving grey gradients."""
    frames = [b"FRAME\n" + bytes((x * 2 + y + 9 * at) % 256 for y in range(height) for x in range(width))
              + bytes([128]) * (width * height // 2) for at in range(count)]
    return f"YUV4MPEG2 W{width} H{height} F25:1 Ip A1:1 C420jpeg\n".encode() + b"".join(frames)


def check_commands(comparison):
    """Compares the help, settings and output of the commands, and the files of a batch."""
    help_ = subprocess.run([comparison.programs[0], "--help"], capture_output=True, text=True, check=True).stdout
    listed = re.findall(r"^  (\w+)  ", help_.partition("SUBCOMMANDS:")[2], re.MULTILINE)
    for command in ["", *listed]:
        comparison.run(f"help of {command}", *command.split(), "--help")
    comparison.run("config", "config")
    comparison.run("config with an error", "config", "--workers", "many")
    comparison.run("faces", "faces", "images", "--json")
    comparison.run("check", "check", "images", "--aspect", "16:9,1:3")
    comparison.run("sign", "sign", "/frame", "url=https://example.com/a.jpg", env={"HEADROOM_SIGNING_KEYS": "0b" * 32})
    comparison.run("reframe", "reframe", "-", "--aspect", "1:1", input=y4m())
    rows = (b"file,key,aspect,colour\nimages/scene.jpg,a,1:1,\nimages/row.jpg,b/c,,\nnone.jpg,d,,\nimages/row.jpg,a,,\n"
            b"images/faces.jpg,../up,,\nimages/faces.jpg,e,,red\nimages/faces.jpg,f,wide,\n")

    def written(folder):
        # The file of detections contains durations in binary form.
        def content(path):
            return path.stat().st_size if path.name == "found" else steady(path.read_bytes())
        return {path.relative_to(folder).as_posix(): content(path) for path in sorted(folder.rglob("*"))
                if path.is_file() and "images" not in path.parts}
    batch = functools.partial(comparison.run, read=written)
    list_, crop = ["batch", "-", "--from", "csv"], ["--aspect", "3:4", "--width", "90"]
    batch("batch of a folder", "batch", "images", "--aspect", "1:1,2:1", "--width", "90", "--output", "out")
    batch("batch of a list", *list_, *crop, "--output", "out", "--failures", "failed.jsonl", "--findings", "found", input=rows)
    batch("batch to an archive", *list_, *crop, "--output", "out.tar", input=rows)
    batch("batch of plans", "batch", "images/*.jpg", *crop, "--plans", "--results", "plans.jsonl")
    batch("batch with --dry-run", *list_, *crop, "--output", "out", "--dry-run", input=rows)


def metrics(port):
    """Returns the descriptions of metrics, and their names with labels, but not the name of the build."""
    text = response(cases.Case("/metrics"), port)["body"].decode()
    lines = re.sub(r'build="\w+"', 'build=""', text).splitlines()
    return {line if line.startswith("#") else line.rpartition(" ")[0]: "" for line in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs=2, metavar="PROGRAM", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--corpus", type=pathlib.Path, help="a folder of more images")
    options = parser.parse_args()
    comparison, begin = Comparison(options.programs), time.monotonic()
    base = service.origin(Origin)
    settings = ["--allow-private-sources", "--grammars", "thumbor,imgproxy,imgix,cloudinary,cloudflare",
                "--imgproxy-presets", "small=rs:fit:90:90", "--imgix-sources", f"shop={base}",
                "--cloudinary-origin", base, "--cloudflare-origin", base]
    with contextlib.ExitStack() as running:
        def pair(**variables):
            return [running.enter_context(service.Service(program, *settings, **variables)) for program in options.programs]

        services = pair()
        images, others = comparison.both(drawn, [each.port for each in services])
        comparison.compare("images made from docs/images", images, others)
        Origin.images = images
        scene = images["scene.jpg"]
        if options.corpus:
            images.update({f"{path}": path.read_bytes() for path in sorted(options.corpus.rglob("*")) if path.is_file()})
        text = (service.ROOT / "openapi.yaml").read_text()
        comparison.ask(services, map(cases.Case, cases.STATIC))
        comparison.ask(services, cases.parameters(text, base + "/scene.jpg"))
        comparison.ask(services, cases.results(images["row.jpg"]))
        comparison.ask(services, cases.sources(images))
        comparison.ask(services, cases.grammars(base, "scene.jpg"))
        comparison.ask(services, cases.problems(base + "/scene.jpg", scene))
        for query in ["aspect=1:1&width=200", "aspect=2:3&format=json"]:
            stream = functools.partial(streamed, query, [scene, scene, images["row.jpg"], scene])
            comparison.compare(f"stream {query}", *comparison.both(stream, [each.port for each in services]))
        comparison.compare("metrics", *comparison.both(metrics, [each.port for each in services]))

        def sign(path):
            return subprocess.run([options.programs[0], "sign", path], env=cases.KEYS, check=True, capture_output=True,
                                  text=True).stdout.strip()
        comparison.ask(pair(**cases.KEYS), cases.protected(base, "scene.jpg", sign))
    check_commands(comparison)
    counts = comparison.counts
    statuses = "  ".join(f"{status} {count}" for status, count in sorted(counts.items()) if status.isdigit())
    print(f"{counts['compared']} compared in {time.monotonic() - begin:.0f} s, {counts['different']} different; {statuses}")
    sys.exit(counts["different"] > 0)


main()

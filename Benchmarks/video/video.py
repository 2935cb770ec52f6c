"""Measures `headroom reframe` and `/stream`: `make bench-video`, which writes docs/performance.md.

    Benchmarks/video/video.py [--program .build/release/headroom] [--rounds 3] [--page docs/performance.md]

The video pans over docs/images/row.jpg, so that people enter and leave the crop. Y4M is read from a file, so the time
that ffmpeg needs to create it is not counted. Cameras are HTTP servers in this process that send JPEGs of 640 by 480 at
25 frames per second.
"""

import argparse
import http.client
import http.server
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import typing
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks" / "service"))
import contenders
import page
import processes
import service

SCENE = ROOT / "docs" / "images" / "row.jpg"


class Camera(http.server.BaseHTTPRequestHandler):
    """Sends the same frames repeatedly as `multipart/x-mixed-replace`, 25 per second."""

    frames: typing.ClassVar[list[bytes]] = []

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        start, number = time.monotonic(), 0
        while True:
            frame = self.frames[number % len(self.frames)]
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(frame)}\r\n\r\n"
            try:
                self.wfile.write(head.encode() + frame + b"\r\n")
            except OSError:
                return
            number += 1
            time.sleep(max(0.0, start + number / 25 - time.monotonic()))

    def log_message(self, *_):
        pass


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, arguments)], check=True)


def make_video(path, size, frames):
    """Draws a video of a camera that pans over the scene and back every eight seconds, at 25 frames per second."""
    width, height = (int(side) for side in size.split("x"))
    pan = f"scale={width * 5 // 4}:{height * 5 // 4}:force_original_aspect_ratio=increase,"
    pan += f"crop={width}:{height}:(iw-ow)*(0.5-0.5*cos(t*PI/4)):(ih-oh)/2,format=yuv420p"
    kind = ["-q:v", "5", "-f", "mjpeg"] if path.suffix == ".mjpeg" else ["-f", "yuv4mpegpipe"]
    ffmpeg("-loop", "1", "-framerate", "25", "-i", SCENE, "-vf", pan, "-frames:v", frames, *kind, path)


def run(command, frames, rounds):
    """Returns frames per second, processor time per frame and memory of a command, as medians of the rounds."""
    rates, costs, peaks = [], [], []
    for _ in range(rounds):
        with processes.Usage() as usage:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rates.append(frames / usage.seconds)
        costs.append(1000 * usage.processor / frames)
        peaks.append(usage.megabytes)
    return [f"{statistics.median(rates):.0f}", f"{statistics.median(costs):.1f} ms", f"{max(peaks):.0f} MB"]


def reframe(options, folder):
    """Measures the conversion of 1080p to 9:16."""
    video, images = folder / "large.y4m", folder / "images"
    make_video(video, "1920x1080", 600)
    reframe = [options.program, "reframe", video, "--aspect", "9:16"]
    crop = ["ffmpeg", "-v", "error", "-i", video, "-vf", "crop=608:1080", "-f", "yuv4mpegpipe", "-"]
    # Uses only half of the pan, because the second half repeats the same frames, which are not searched again.
    images.mkdir()
    ffmpeg("-i", video, "-frames:v", 100, "-q:v", "2", images / "%03d.jpg")
    batch = [options.program, "batch", images, "--aspect", "9:16", "--restart", "--output", folder / "crops"]
    rows = {
        "`reframe`": (reframe, 600),
        "`reframe --look-ahead 1`": ([*reframe, "--look-ahead", "1"], 600),
        "`reframe --plan`: without images": ([*reframe, "--plan", "-"], 600),
        "ffmpeg's `crop` alone, in the middle": (crop, 600),
        "`batch` of its frames as JPEGs: each one by itself": (batch, 100),
    }
    cells = [[name, *run(command, frames, options.rounds)] for name, (command, frames) in rows.items()]
    return page.table(["1080p to 9:16", "frames a second", "processor time a frame", "memory"], cells)


def length(options, folder):
    """Measures memory by the length of a video."""
    cells, video = [], folder / "long.y4m"
    for frames in (1000, 10_000):
        make_video(video, "320x180", frames)
        for more in ([], ["--look-ahead", "1"]):
            command = [options.program, "reframe", video, "--aspect", "9:16", *more]
            cells.append([f"{frames:,} frames", " ".join(more) or "a file", *run(command, frames, 1)])
    return page.table(["320 by 180", "", "frames a second", "processor time a frame", "memory"], cells)


def streams(options, folder):
    """Measures 480p streams, each with its own camera and client."""
    video = folder / "camera.mjpeg"
    make_video(video, "640x480", 200)
    Camera.frames = [b"\xff\xd8" + each for each in video.read_bytes().split(b"\xff\xd8") if each]
    camera = service.origin(Camera)
    head = ["480p, 25 frames a second", "processors", "sent", "dropped", "mean delay", "p99 below", "memory"]
    head += ["a still next to them", "its p99"]
    return page.table(head, [some_streams(options, camera, count) for count in (0, 1, 4, 8)])


def some_streams(options, camera, count):
    limits = ["--max-streams", str(count), "--max-streams-per-address", str(max(1, count))]
    with contenders.headroom(options.program, *limits, caches=[]) as server:
        url = f"{server.base}/stream?url={camera}&aspect=9:16&width=240"
        readers = [subprocess.Popen(["curl", "-sf", "-o", "/dev/null", url]) for _ in range(count)]
        time.sleep(2)
        before, start = server.processor_seconds(), time.monotonic()
        time.sleep(options.seconds)
        processor = (server.processor_seconds() - before) / (time.monotonic() - start)
        megabytes = server.resident_megabytes()
        with urllib.request.urlopen(f"{server.base}/metrics", timeout=30) as response:
            lines = re.findall(r"^headroom_stream_(\S+) (\S+)$", response.read().decode(), re.MULTILINE)
        stills = sorted(send_stills(server.base, options.seconds))
        for reader in readers:
            if reader.poll() is not None:
                raise RuntimeError(f"/stream: curl exited with {reader.returncode}")
            reader.terminate()
            reader.wait()
    metrics = {name: float(value) for name, value in lines}
    delays = ["", ""]
    if count:
        total = metrics["delay_seconds_count"]
        bounds = re.findall(r'delay_seconds_bucket\{le="([0-9.]+)"\}', " ".join(metrics))
        below = [bound for bound in bounds if metrics[f'delay_seconds_bucket{{le="{bound}"}}'] >= 0.99 * total]
        # The lowest bound of the histogram that includes this fraction.
        delays = [f"{1000 * metrics['delay_seconds_sum'] / max(1.0, total):.0f} ms",
                  f"{1000 * float(below[0]):.0f} ms" if below else "more than the buckets hold"]
    return [
        {0: "none", 1: "one stream"}.get(count, f"{count} at once"),
        f"{processor:.2f}",
        *(f"{sum(value for name, value in metrics.items() if name.startswith('frames_total') and end in name):.0f}"
          for end in ("sent", "dropped")),
        *delays,
        f"{megabytes:.0f} MB",
        f"{1000 * statistics.median(stills):.0f} ms",
        f"{1000 * stills[len(stills) * 99 // 100]:.0f} ms",
    ]


def send_stills(base, seconds):
    """Returns the durations of uploads of the scene, five per second, each with a different comment, so that no
    response is cached."""
    image, connection = SCENE.read_bytes(), http.client.HTTPConnection(base.removeprefix("http://"), timeout=30)
    begin = time.monotonic()
    for number in range(5 * int(seconds)):
        time.sleep(max(0.0, begin + number / 5 - time.monotonic()))
        start = time.monotonic()
        body = image[:2] + b"\xff\xfe\x00\x06" + number.to_bytes(4) + image[2:]
        connection.request("POST", "/frame?aspect=1:1&width=400", body, {"Content-Type": "image/jpeg"})
        response = connection.getresponse()
        response.read()
        if response.status != 200:
            raise RuntimeError(f"/frame: {response.status}")
        yield time.monotonic() - start


def main():
    parts = {"reframe": reframe, "length": length, "streams": streams}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=service.EXECUTABLE)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20, help="for each number of streams")
    parser.add_argument("--only", nargs="*", choices=parts, default=parts)
    parser.add_argument("--page", type=pathlib.Path, help="page with the tables to replace")
    options = parser.parse_args()
    for name in options.only:
        with tempfile.TemporaryDirectory() as folder:
            table = parts[name](options, pathlib.Path(folder))
        print(f"\n{table}", flush=True)
        if options.page:
            page.insert(options.page, f"video-{name}", table)


main()

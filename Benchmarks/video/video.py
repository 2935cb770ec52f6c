#!/usr/bin/env python3
"""Measures `headroom reframe` and `/stream`: `make bench-video`, which writes docs/performance.md.

    Benchmarks/video/video.py [--program .build/release/headroom] [--rounds 3] [--page docs/performance.md]

The video pans over docs/pictures/row.jpg, so that people enter and leave the crop. Y4M comes from a file, and what
ffmpeg needs to make it is not counted. Cameras are HTTP servers in this process that send JPEGs of 640 by 480 at 25
frames a second.
"""

import argparse
import http.client
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks" / "service"))
sys.path.insert(0, str(ROOT / "Benchmarks" / "batch"))
import camera  # noqa: E402
import page  # noqa: E402
import processes  # noqa: E402
import usage  # noqa: E402

SCENE = ROOT / "docs" / "pictures" / "row.jpg"


def make_video(path: pathlib.Path, size: str, frames: int) -> None:
    """A camera that pans over the scene and back every eight seconds, at 25 frames a second."""
    width, height = (int(side) for side in size.split("x"))
    pan = f"scale={width * 5 // 4}:{height * 5 // 4}:force_original_aspect_ratio=increase,"
    pan += f"crop={width}:{height}:(iw-ow)*(0.5-0.5*cos(t*PI/4)):(ih-oh)/2,format=yuv420p"
    command = ["ffmpeg", "-v", "error", "-y", "-loop", "1", "-framerate", "25", "-i", str(SCENE), "-vf", pan]
    command += ["-frames:v", str(frames)]
    command += ["-q:v", "5", "-f", "mjpeg"] if path.suffix == ".mjpeg" else ["-f", "yuv4mpegpipe"]
    subprocess.run([*command, str(path)], check=True)


class Bench:
    def __init__(self, options: argparse.Namespace, folder: pathlib.Path):
        self.options, self.folder, self.program = options, folder, str(options.program)

    def _run(self, command: list[str], frames: int, rounds: int) -> list[str]:
        """Frames a second, processor time a frame and memory of a command: medians of the rounds."""
        rates, costs, peaks = [], [], []
        for _ in range(rounds):
            with usage.Usage() as watched:
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            rates.append(frames / watched.seconds)
            costs.append(1000 * watched.processor / frames)
            peaks.append(watched.megabytes)
        middle = statistics.median
        return [f"{middle(rates):.0f}", f"{middle(costs):.1f} ms", f"{max(peaks):.0f} MB"]

    def reframe(self) -> str:
        """1080p as 9:16."""
        video, frames = self.folder / "large.y4m", 600
        make_video(video, "1920x1080", frames)
        reframe = [self.program, "reframe", str(video), "--aspect", "9:16"]
        crop = ["ffmpeg", "-v", "error", "-i", str(video), "-vf", "crop=608:1080", "-f", "yuv4mpegpipe", "-"]
        rows = {
            "`reframe`": reframe,
            "`reframe --look-ahead 1`": [*reframe, "--look-ahead", "1"],
            "`reframe --plan`: without pictures": [*reframe, "--plan", "-"],
            "ffmpeg's `crop` alone, in the middle": crop,
        }
        cells = [[name, *self._run(command, frames, self.options.rounds)] for name, command in rows.items()]
        cells.append(self._each(video))
        video.unlink()
        return page.table(["1080p to 9:16", "frames a second", "processor time a frame", "memory"], cells)

    def _each(self, video: pathlib.Path) -> list[str]:
        """Each frame by itself, as a picture. Only half of the pan: the way back has the same frames, which are not searched
        twice."""
        frames, pictures = 100, self.folder / "pictures"
        pictures.mkdir()
        command = ["ffmpeg", "-v", "error", "-i", str(video), "-frames:v", str(frames), "-q:v", "2"]
        subprocess.run([*command, str(pictures / "%03d.jpg")], check=True)
        command = [self.program, "batch", str(pictures), "--aspect", "9:16", "--restart"]
        command += ["--output", str(self.folder / "crops")]
        return ["`batch` of its frames as JPEGs: each one by itself", *self._run(command, frames, self.options.rounds)]

    def length(self) -> str:
        """Memory over the length of a video."""
        cells = []
        for frames in (1000, 10_000):
            video = self.folder / "long.y4m"
            make_video(video, "320x180", frames)
            for options in ([], ["--look-ahead", "1"]):
                command = [self.program, "reframe", str(video), "--aspect", "9:16", *options]
                cells.append([f"{frames:,} frames", " ".join(options) or "a file", *self._run(command, frames, 1)])
            video.unlink()
        return page.table(["320 by 180", "", "frames a second", "processor time a frame", "memory"], cells)

    def streams(self) -> str:
        """Streams of 480p, each with a camera and a client of its own."""
        video = self.folder / "camera.mjpeg"
        make_video(video, "640x480", 200)
        frames = [b"\xff\xd8" + each for each in video.read_bytes().split(b"\xff\xd8") if each]
        cells = []
        with camera.Camera(frames, rate=25) as source:
            for count in (0, 1, 4, 8):
                cells.append(self._streams(source.url, count))
        head = ["480p, 25 frames a second", "processors", "sent", "dropped", "mean delay", "p99 below", "memory"]
        head += ["a still beside them", "its p99"]
        return page.table(head, cells)

    def _streams(self, url: str, count: int) -> list[str]:
        port = processes.free_port()
        command = [self.program, "serve", "--port", str(port), "--allow-private-sources", "--max-streams", str(count)]
        command += ["--max-streams-per-address", str(max(1, count))]
        with processes.server(command, port, "/readyz") as service:
            readers = [Reader(port, f"/stream?url={url}&aspect=9:16&width=240") for _ in range(count)]
            time.sleep(2)
            before, start = service.processor_seconds(), time.monotonic()
            time.sleep(self.options.seconds)
            processor = (service.processor_seconds() - before) / (time.monotonic() - start)
            megabytes = service.resident_megabytes()
            metrics = Metrics(port)
            stills = sorted(self._stills(port))
            for reader in readers:
                reader.stop()
        delays = [f"{1000 * metrics.mean_delay:.0f} ms", metrics.delay_below(0.99)] if count else ["", ""]
        return [
            {0: "none", 1: "one stream"}.get(count, f"{count} at once"),
            f"{processor:.2f}",
            f"{metrics.value('headroom_stream_frames_total', 'sent'):.0f}",
            f"{metrics.value('headroom_stream_frames_total', 'dropped'):.0f}",
            *delays,
            f"{megabytes:.0f} MB",
            f"{1000 * statistics.median(stills):.0f} ms",
            f"{1000 * stills[len(stills) * 99 // 100]:.0f} ms",
        ]

    def _stills(self, port: int) -> list[float]:
        """Seconds of uploads of the scene, five a second, each with another comment, so that none is cached."""
        picture, seconds = SCENE.read_bytes(), []
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        begin = time.monotonic()
        for number in range(5 * int(self.options.seconds)):
            time.sleep(max(0.0, begin + number / 5 - time.monotonic()))
            start = time.monotonic()
            body = picture[:2] + b"\xff\xfe\x00\x06" + number.to_bytes(4) + picture[2:]
            connection.request("POST", "/frame?aspect=1:1&width=400", body, {"Content-Type": "image/jpeg"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                raise RuntimeError(f"/frame: {answer.status}")
            seconds.append(time.monotonic() - start)
        connection.close()
        return seconds


class Reader(threading.Thread):
    """A client that reads a stream as fast as it comes."""

    def __init__(self, port: int, target: str):
        super().__init__(daemon=True)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.target, self.is_over, self.refusal = target, threading.Event(), ""
        self.start()

    def run(self) -> None:
        self.connection.request("GET", self.target)
        answer = self.connection.getresponse()
        if answer.status != 200:
            self.refusal = f"/stream: {answer.status} {answer.read()!r}"
            return
        while not self.is_over.is_set() and answer.read1(65536):
            pass

    def stop(self) -> None:
        self.is_over.set()
        self.join(30)
        self.connection.close()
        if self.refusal:
            raise RuntimeError(self.refusal)


class Metrics:
    """The metrics of a service."""

    def __init__(self, port: int):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/metrics")
        self.lines = connection.getresponse().read().decode().splitlines()

    def value(self, name: str, label: str = "") -> float:
        return sum(float(line.split()[-1]) for line in self.lines if line.startswith(name) and label in line)

    @property
    def mean_delay(self) -> float:
        name = "headroom_stream_delay_seconds"
        return self.value(f"{name}_sum") / max(1.0, self.value(f"{name}_count"))

    def delay_below(self, share: float) -> str:
        """The smallest bound of the histogram that holds the share of delays."""
        total = self.value("headroom_stream_delay_seconds_count")
        for line in self.lines:
            if found := re.match(r'headroom_stream_delay_seconds_bucket\{le="([0-9.]+)"\} (\d+)', line):
                if float(found[2]) >= share * total:
                    return f"{1000 * float(found[1]):.0f} ms"
        return "more than the buckets hold"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build" / "release" / "headroom")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20, help="for each number of streams")
    parser.add_argument("--only", nargs="*", default=["reframe", "length", "streams"])
    parser.add_argument("--page", type=pathlib.Path, help="the page whose tables are replaced")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, pathlib.Path(folder))
        for name in options.only:
            table = getattr(bench, name)()
            print(f"\n{table}", flush=True)
            if options.page:
                page.insert(options.page, f"video-{name}", table)


if __name__ == "__main__":
    main()

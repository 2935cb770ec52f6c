#!/usr/bin/env python3
"""Checks `headroom reframe` with Debian's ffmpeg: in pipes, and with files, MP4 in, MP4 out.

    scripts/check-reframe [HEADROOM]

The video is drawn by ffmpeg: a test picture, with a tone as sound. The result must have as many frames, the sound of the
source, and the samples of ffmpeg's own crop.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from files import check_files
from layouts import check_layouts

HEADROOM = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".build/release/headroom").resolve())


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, **options)


def probe(path, stream, fields):
    command = ("ffprobe", "-v", "error", "-select_streams", stream, "-count_packets", "-show_entries", f"stream={fields}")
    found = json.loads(run(*command, "-of", "json", str(path)).stdout)["streams"]
    return found[0] if found else None


def similarity(one, other):
    """The SSIM of two videos, by ffmpeg."""
    text = run("ffmpeg", "-i", str(one), "-i", str(other), "-lavfi", "ssim", "-f", "null", "-").stderr.decode()
    return float(re.search(r"All:([\d.]+)", text)[1])


def main():
    if not shutil.which("ffmpeg"):
        sys.exit("check-reframe needs ffmpeg: apt-get install ffmpeg")
    failures = []

    def check(what, good):
        print(("ok      " if good else "FAILED  ") + what)
        if not good:
            failures.append(what)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "in.mp4"
        inputs = ("-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=3", "-f", "lavfi", "-i", "sine=duration=3")
        run("ffmpeg", *inputs, "-pix_fmt", "yuv420p", "-c:a", "aac", str(source))
        frames = probe(source, "v", "nb_read_packets")["nb_read_packets"]
        sound = probe(source, "a", "nb_read_packets,codec_name")
        pipe = (
            f"ffmpeg -v error -i in.mp4 -f yuv4mpegpipe - | '{HEADROOM}' reframe --aspect 9:16 | "
            "ffmpeg -v error -i - -i in.mp4 -map 0:v -map '1:a?' -c:a copy out.mp4"
        )
        run("bash", "-o", "pipefail", "-c", pipe, cwd=folder)
        result = probe(folder / "out.mp4", "v", "nb_read_packets,width,height,r_frame_rate")
        check(f"{frames} frames are {result['nb_read_packets']}", result["nb_read_packets"] == frames)
        check(f"size {result['width']}x{result['height']}", (result["width"], result["height"]) == (202, 360))
        check(f"rate {result['r_frame_rate']}", result["r_frame_rate"] == "25/1")
        check("the sound is kept", probe(folder / "out.mp4", "a", "nb_read_packets,codec_name") == sound)

        for pixels in ("yuv420p", "yuv422p", "yuv444p", "gray", "yuv420p10le", "yuv422p10le", "yuv444p10le"):
            strict = ("-strict", "-1")
            run("ffmpeg", "-i", str(source), "-pix_fmt", pixels, *strict, "-y", "a.y4m", cwd=folder)
            run(HEADROOM, "reframe", "a.y4m", "--aspect", "9:16", "--output", "b.y4m", cwd=folder)
            run(HEADROOM, "reframe", "a.y4m", "--aspect", "9:16", "--format", "ffmpeg", "--output", "c.filters", cwd=folder)
            run("ffmpeg", "-i", "a.y4m", "-filter_script:v", "c.filters", *strict, "-y", "c.y4m", cwd=folder)
            shown = similarity(folder / "b.y4m", folder / "c.y4m")
            check(f"{pixels}: SSIM with ffmpeg's crop {shown:.4f}", shown > 0.98)

        jpegs = ("-c:v", "mjpeg", "-q:v", "2", "-f", "mjpeg")
        run("ffmpeg", "-i", str(source), "-pix_fmt", "yuvj420p", *jpegs, "-y", "a.mjpeg", cwd=folder)
        run("ffmpeg", "-i", "a.mjpeg", "-c:v", "copy", "-f", "mpjpeg", "-y", "a.multipart", cwd=folder)
        run(HEADROOM, "reframe", "a.mjpeg", "--aspect", "9:16", "--format", "ffmpeg", "--output", "c.filters", cwd=folder)
        run("ffmpeg", "-i", "a.mjpeg", "-filter_script:v", "c.filters", "-y", "c.y4m", cwd=folder)
        for name in ("a.mjpeg", "a.multipart"):
            run(HEADROOM, "reframe", name, "--aspect", "9:16", "--quality", "95", "--output", "b.mjpeg", cwd=folder)
            result = probe(folder / "b.mjpeg", "v", "nb_read_packets,width,height")
            check(f"{name}: {result['nb_read_packets']} frames", result["nb_read_packets"] == frames)
            shown = similarity(folder / "b.mjpeg", folder / "c.y4m")
            check(f"{name}: SSIM with ffmpeg's crop {shown:.4f}", shown > 0.98)
        check_files(HEADROOM, folder, check)
        check_layouts(HEADROOM, folder, check)
    sys.exit(1 if failures else 0)


main()

"""ffmpeg and ffprobe, in the folder of the check."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
from service import EXECUTABLE

PLACE = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(PLACE.name)
H264 = ("-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast")


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, cwd=FOLDER)


def ffmpeg(*words):
    return run("ffmpeg", "-nostdin", "-y", *words)


def reframe(*words):
    run(EXECUTABLE, "reframe", *words)


def streams(name):
    """Returns the streams of a file, described by ffprobe."""
    said = run("ffprobe", "-v", "error", "-count_packets", "-show_streams", "-of", "json", name)
    return json.loads(said.stdout)["streams"]


def video(name):
    """Returns the size of a video, the number of its frames, and the codecs of the file."""
    found = streams(name)
    shown = next(one for one in found if one["codec_type"] == "video")
    return (shown["width"], shown["height"]), int(shown["nb_read_packets"]), sorted(one["codec_name"] for one in found)


def similarity(one, other, graph="ssim"):
    """Returns the SSIM of two videos."""
    said = ffmpeg("-i", one, "-i", other, "-lavfi", graph, "-f", "null", "-").stderr
    return float(re.findall(r"All:([\d.]+)", said)[0])


def left():
    """Returns output files that should not exist."""
    return [path.name for path in FOLDER.iterdir() if path.name.startswith(".headroom") or path.name == "bad.mp4"]

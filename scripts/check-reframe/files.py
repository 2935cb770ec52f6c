"""Checks video files: MP4, MKV and WebM as input and output, with sound, subtitles, rotation and uneven times."""
import signal
import subprocess
import time

from ffmpeg import FOLDER, H264, ffmpeg, left, reframe, run, similarity, streams, video
from report import check
from service import EXECUTABLE

SUBTITLES = "1\n00:00:00,500 --> 00:00:01,500\nfirst\n\n2\n00:00:01,800 --> 00:00:02,600\nsecond\n"
# Sources, outputs and the codecs of the outputs.
FILES = (
    ("plain.mp4", "a.mp4", "aac h264"), ("uneven.mp4", "b.mp4", "aac h264"), ("words.mkv", "c.mkv", "aac h264 subrip"),
    ("words.mkv", "d.mp4", "aac h264 mov_text"), ("web.webm", "e.webm", "opus vp9"), ("late.mkv", "f.mkv", "aac h264"),
    ("plain.mp4", "g.mov", "aac h264"),
)


def draw():
    """Writes the sources: a test image with a tone, in several containers."""
    drawn = ("-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=3", "-f", "lavfi", "-i", "sine=duration=3")
    (FOLDER / "words.srt").write_text(SUBTITLES)
    ffmpeg(*drawn, *H264, "-c:a", "aac", "plain.mp4")
    # Every third frame is missing, so that frames last 40 or 80 milliseconds.
    ffmpeg(*drawn, "-vf", "select='mod(n,3)'", "-fps_mode", "vfr", *H264, "-c:a", "aac", "uneven.mp4")
    ffmpeg("-i", "plain.mp4", "-c", "copy", "-metadata:s:v:0", "rotate=90", "turned.mp4")
    ffmpeg("-i", "plain.mp4", "-i", "words.srt", "-c:v", "copy", "-c:a", "copy", "-c:s", "srt", "words.mkv")
    ffmpeg(*drawn, "-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus", "web.webm")
    # The sound starts a quarter of a second before the image.
    ffmpeg("-itsoffset", "0.25", *drawn, *H264, "-c:a", "aac", "late.mkv")


def times(name):
    """Returns the presentation times of the frames, in seconds after the first packet of the sound."""
    def stamps(stream):
        wanted = ("-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0")
        said = run("ffprobe", "-v", "error", *wanted, name)
        return sorted(float(line.rstrip(",")) for line in said.stdout.split())
    first = stamps("a:0")[0]
    return [time - first for time in stamps("v:0")]


def sound(name):
    """Returns the digests of the sound packets, in order."""
    lines = ffmpeg("-v", "error", "-i", name, "-map", "0:a", "-c", "copy", "-f", "framemd5", "-").stdout.splitlines()
    return [line.split(",")[-1].strip() for line in lines if not line.startswith("#")]


def check_files():
    for source, result, kinds in FILES:
        reframe(source, "--aspect", "9:16", "--gravity", "center", "--output", result)
        name, (size, _, codecs) = f"{source} to {result}", video(result)
        check(f"{name}: size and codecs", size == (202, 360) and codecs == kinds.split(), f"{size}, {codecs}")
        # ffmpeg shifts the image by the delay of Opus each time it copies a WebM.
        ffmpeg("-i", source, "-map", "0", "-c", "copy", f"copy-of-{source}")
        before, after = times(f"copy-of-{source}"), times(result)
        worst = max((abs(one - other) for one, other in zip(before, after)), default=9)
        check(f"{name}: times of frames", len(before) == len(after) and worst < 0.002,
              f"{len(after)} frames, times differ by {worst * 1000:.1f} ms")
        check(f"{name}: the packets of the sound are the same", sound(source) == sound(result))
        shown = similarity(result, source, "[1:v]crop=202:360:219:0[a];[0:v][a]ssim")
        check(f"{name}: the centre of the source", shown > 0.9, f"SSIM {shown:.3f}")
    reframe("turned.mp4", "--aspect", "1:1", "--output", "t.mp4")
    turned = next(one for one in streams("t.mp4") if one["codec_type"] == "video")
    check("a rotated video is upright", video("t.mp4")[0] == (360, 360), video("t.mp4")[0])
    check("… and is not rotated again", "side_data_list" not in turned and "rotate" not in turned.get("tags", {}))
    reframe("plain.mp4", "--aspect", "9:16,1:1", "--output", "two-{aspect}.mp4")
    check("two aspect ratios at once", all(video(f"two-{shape}.mp4")[1] == 75 for shape in ("9x16", "1x1")))


def check_failures():
    """Checks failures that need the real ffmpeg or real files; ReframeTests covers the others, with replacements for ffmpeg."""
    (FOLDER / "broken.mp4").write_bytes((FOLDER / "plain.mp4").read_bytes()[:2000])
    ffmpeg("-f", "lavfi", "-i", "sine=duration=1", "-f", "ipod", "tone.mp4")
    hdr = ("-vf", "setparams=color_trc=smpte2084:color_primaries=bt2020:colorspace=bt2020nc", "-color_trc", "smpte2084")
    ffmpeg("-i", "plain.mp4", *hdr, "-c:v", "libx264", "hdr.mp4")
    ffmpeg("-stream_loop", "20", "-i", "plain.mp4", "-c", "copy", "long.mp4")
    for what, source, limit, words in (
        ("a broken file", "broken.mp4", "", "broken.mp4: ffprobe"),
        ("a file without a video", "tone.mp4", "", "contains no video"), ("HDR", "hdr.mp4", "", "HDR video"),
        # The output may have 64 KiB; this simulates a full disk.
        ("a full disk", "plain.mp4", "ulimit -f 64; ", ""),
    ):
        command = f"{limit}exec '{EXECUTABLE}' reframe {source} --aspect 16:9 --width 1280 --output bad.mp4"
        done = subprocess.run(["bash", "-c", command], check=False, capture_output=True, text=True, cwd=FOLDER)
        check(what, done.returncode not in (0, -11) and words in done.stderr and not left(),
              f"{done.stderr.strip()[:110]} {left()}")
    for number in (signal.SIGINT, signal.SIGTERM):
        arguments = ["reframe", "long.mp4", "--aspect", "16:9", "--width", "1920", "--output", "bad.mp4"]
        with subprocess.Popen([EXECUTABLE, *arguments], cwd=FOLDER, stderr=subprocess.PIPE, text=True) as process:
            deadline = time.monotonic() + 120
            while process.poll() is None and time.monotonic() < deadline:
                if any((FOLDER / name).stat().st_size for name in left()):
                    break
                time.sleep(0.05)
            process.send_signal(number)
            words = process.communicate(timeout=120)[1]
        check(f"signal {number} while it writes", process.returncode == 128 + number and not left(),
              f"status {process.returncode}, {words.strip()[-80:]} {left()}")

"""Video files for check-reframe: MP4, MKV and WebM in and out, with sound, subtitles, rotation and uneven times."""

import json
import os
import re
import signal
import subprocess
import time

SUBTITLES = "1\n00:00:00,500 --> 00:00:01,500\nfirst\n\n2\n00:00:01,800 --> 00:00:02,600\nsecond\n"


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, **options)


def streams(path):
    command = ("ffprobe", "-v", "error", "-show_streams", "-of", "json", str(path))
    return json.loads(run(*command).stdout)["streams"]


def stamps(path, stream):
    command = ("ffprobe", "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0")
    return sorted(float(line.rstrip(b",")) for line in run(*command, str(path)).stdout.split())


def times(path):
    """The presentation times of the frames, in seconds after the first packet of the sound."""
    first = stamps(path, "a:0")[0]
    return [time - first for time in stamps(path, "v:0")]


def sound(path):
    """The digests of the packets of the sound, in their order."""
    command = ("ffmpeg", "-v", "error", "-i", str(path), "-map", "0:a", "-c", "copy", "-f", "framemd5", "-")
    lines = run(*command).stdout.decode().splitlines()
    return [line.split(",")[-1].strip() for line in lines if not line.startswith("#")]


def similarity(one, other, crop):
    """The SSIM of a video with a still crop of another."""
    graph = f"[1:v]{crop}[a];[0:v][a]ssim"
    text = run("ffmpeg", "-i", str(one), "-i", str(other), "-lavfi", graph, "-f", "null", "-").stderr.decode()
    return float(re.search(r"All:([\d.]+)", text)[1])


def draw(folder):
    """The sources: a test picture with a tone, in several containers."""
    picture = ("-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=3")
    tone = ("-f", "lavfi", "-i", "sine=duration=3")
    (folder / "words.srt").write_text(SUBTITLES)
    h264 = ("-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast")
    run("ffmpeg", *picture, *tone, *h264, "-c:a", "aac", "plain.mp4", cwd=folder)
    # Every third frame is missing, so that frames last 40 or 80 milliseconds.
    uneven = ("-vf", "select='mod(n,3)'", "-fps_mode", "vfr")
    run("ffmpeg", *picture, *tone, *uneven, *h264, "-c:a", "aac", "uneven.mp4", cwd=folder)
    run("ffmpeg", "-i", "plain.mp4", "-c", "copy", "-metadata:s:v:0", "rotate=90", "turned.mp4", cwd=folder)
    run("ffmpeg", "-i", "plain.mp4", "-i", "words.srt", "-c:v", "copy", "-c:a", "copy", "-c:s", "srt", "words.mkv", cwd=folder)
    run("ffmpeg", *picture, *tone, "-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus", "web.webm", cwd=folder)
    # The sound begins a quarter of a second before the picture.
    run("ffmpeg", "-itsoffset", "0.25", *picture, *tone, *h264, "-c:a", "aac", "late.mkv", cwd=folder)


def check_files(headroom, folder, check):
    """Reframes each source; `check` takes what was seen, and whether it is good."""
    draw(folder)
    for source, result, kinds in (
        ("plain.mp4", "a.mp4", {"h264", "aac"}), ("uneven.mp4", "b.mp4", {"h264", "aac"}), ("words.mkv", "c.mkv", {"h264", "aac", "subrip"}),
        ("words.mkv", "d.mp4", {"h264", "aac", "mov_text"}), ("web.webm", "e.webm", {"vp9", "opus"}), ("late.mkv", "f.mkv", {"h264", "aac"}),
        ("plain.mp4", "g.mov", {"h264", "aac"}),
    ):
        run(headroom, "reframe", source, "--aspect", "9:16", "--gravity", "center", "--output", result, cwd=folder)
        found = streams(folder / result)
        video = next(one for one in found if one["codec_type"] == "video")
        name = f"{source} to {result}"
        check(f"{name}: {sorted(one['codec_name'] for one in found)}", {one["codec_name"] for one in found} == kinds)
        check(f"{name}: {video['width']}x{video['height']}", (video["width"], video["height"]) == (202, 360))
        # ffmpeg moves the picture by the delay of Opus each time it copies a WebM.
        copy = f"copy-of-{source}"
        run("ffmpeg", "-i", source, "-map", "0", "-c", "copy", "-y", copy, cwd=folder)
        before, after = times(folder / copy), times(folder / result)
        worst = max((abs(one - other) for one, other in zip(before, after)), default=9)
        check(f"{name}: {len(after)} frames, times differ by {worst * 1000:.1f} ms", len(before) == len(after) and worst < 0.002)
        check(f"{name}: the packets of the sound are the same", sound(folder / source) == sound(folder / result))
        shown = similarity(folder / result, folder / source, "crop=202:360:219:0")
        check(f"{name}: SSIM with the middle {shown:.3f}", shown > 0.9)
    run(headroom, "reframe", "turned.mp4", "--aspect", "1:1", "--output", "t.mp4", cwd=folder)
    video = next(one for one in streams(folder / "t.mp4") if one["codec_type"] == "video")
    check(f"a turned video: {video['width']}x{video['height']}", (video["width"], video["height"]) == (360, 360))
    check("… is not turned again", "side_data_list" not in video and "rotate" not in video.get("tags", {}))
    run(headroom, "reframe", "plain.mp4", "--aspect", "9:16,1:1", "--output", "two-{aspect}.mp4", cwd=folder)
    check("two shapes at once", all(len(times(folder / f"two-{shape}.mp4")) == 75 for shape in ("9x16", "1x1")))
    check_failures(headroom, folder, check)


def check_failures(headroom, folder, check):
    def fails(what, arguments, words, **options):
        result = subprocess.run([headroom, "reframe", *arguments], capture_output=True, text=True, cwd=folder, check=False, **options)
        left = [one.name for one in folder.iterdir() if one.name.startswith(".headroom") or one.name == "bad.mp4"]
        good = result.returncode not in (0, -11) and words in result.stderr and not left
        check(f"{what}: {result.stderr.strip()[:110]}{' left ' + str(left) if left else ''}", good)

    to_bad = ["--aspect", "9:16", "--output", "bad.mp4"]
    whole = (folder / "plain.mp4").read_bytes()
    (folder / "broken.mp4").write_bytes(whole[:2000])
    fails("a broken file", ["broken.mp4", *to_bad], "broken.mp4: ffprobe")
    run("ffmpeg", "-f", "lavfi", "-i", "sine=duration=1", "tone.m4a", cwd=folder)
    (folder / "tone.m4a").rename(folder / "tone.mp4")
    fails("a file without a video", ["tone.mp4", *to_bad], "has none")
    fails("no program", ["plain.mp4", *to_bad], "ffprobe is not installed", env={"PATH": "/nonexistent"})
    hdr = ("-vf", "setparams=color_trc=smpte2084:color_primaries=bt2020:colorspace=bt2020nc", "-color_trc", "smpte2084")
    run("ffmpeg", "-i", "plain.mp4", *hdr, "-c:v", "libx264", "hdr.mp4", cwd=folder)
    fails("HDR", ["hdr.mp4", *to_bad], "HDR video")
    fails("a result without a container", ["plain.mp4", "--aspect", "9:16"], "--output")
    # The result may have 64 KiB, as on a disk that is full.
    small = subprocess.run(["bash", "-c", f"ulimit -f 64; exec '{headroom}' reframe plain.mp4 --aspect 16:9 --width 1280 --output bad.mp4"], cwd=folder, capture_output=True, text=True, check=False)
    left = [one.name for one in folder.iterdir() if one.name.startswith(".headroom") or one.name == "bad.mp4"]
    check(f"a full disk: {small.stderr.strip()[:110]}", small.returncode not in (0, -11) and not left)
    for number in (signal.SIGINT, signal.SIGTERM):
        stop(headroom, folder, number, check)
    stop(headroom, folder, None, check)


def stop(headroom, folder, number, check):
    """Ends headroom by a signal, or its encoder if there is none, while it writes."""
    run("ffmpeg", "-y", "-stream_loop", "20", "-i", "plain.mp4", "-c", "copy", "long.mp4", cwd=folder)
    with subprocess.Popen([headroom, "reframe", "long.mp4", "--aspect", "16:9", "--width", "1920", "--output", "bad.mp4"], cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        encoder = None
        deadline = time.monotonic() + 120
        while encoder is None and time.monotonic() < deadline and process.poll() is None:
            children = subprocess.run(["pgrep", "-P", str(process.pid), "-f", "libx264"], capture_output=True, text=True, check=False).stdout.split()
            part = [one for one in folder.iterdir() if one.name.startswith(".headroom")]
            if children and part and part[0].stat().st_size > 0:
                encoder = int(children[0])
            time.sleep(0.05)
        if number is None:
            os.kill(encoder, signal.SIGKILL)
        else:
            process.send_signal(number)
        words = process.communicate(timeout=120)[1]
    left = [one.name for one in folder.iterdir() if one.name.startswith(".headroom") or one.name == "bad.mp4"]
    what = "the encoder is killed" if number is None else f"signal {number}"
    good = process.returncode == 128 + number if number else process.returncode == 1 and "signal 9" in words
    check(f"{what}: status {process.returncode}, {words.strip()[-80:]}", good and not left)

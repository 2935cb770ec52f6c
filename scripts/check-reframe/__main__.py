"""Checks `headroom reframe` with Debian's ffmpeg, in pipes and from file to file.

ffmpeg draws the videos: a test image, with a tone as sound. The output must have the same number of frames and the same sound as
the source, and the same samples as ffmpeg's own crop.
"""
from ffmpeg import ffmpeg, reframe, run, similarity, streams, video
from files import check_failures, check_files, draw
from layouts import check_layouts
from report import check, end
from service import EXECUTABLE

STRICT = ("-strict", "-1")


def check_pipes():
    run("bash", "-o", "pipefail", "-c",
        f"ffmpeg -v error -i plain.mp4 -f yuv4mpegpipe - | '{EXECUTABLE}' reframe --aspect 9:16 | "
        "ffmpeg -v error -i - -i plain.mp4 -map 0:v -map '1:a?' -c:a copy out.mp4")
    size, frames, _ = video("out.mp4")
    check("a pipe keeps every frame", (size, frames) == ((202, 360), 75), f"{frames} frames of {size}")
    rates = {one["r_frame_rate"] for one in streams("out.mp4") if one["codec_type"] == "video"}
    check("a pipe keeps the rate", rates == {"25/1"}, rates)
    kept = [[(one["codec_name"], one["nb_read_packets"]) for one in streams(name) if one["codec_type"] == "audio"]
            for name in ("plain.mp4", "out.mp4")]
    check("a pipe keeps the sound", kept[0] == kept[1], kept[1])


def check_crops():
    """Checks that the samples of each pixel format, of MJPEG and of multipart equal ffmpeg's crop with our filters."""
    for pixels in ("yuv420p", "yuv422p", "yuv444p", "gray", "yuv420p10le", "yuv422p10le", "yuv444p10le"):
        ffmpeg("-i", "plain.mp4", "-pix_fmt", pixels, *STRICT, f"{pixels}.y4m")
        compare(f"{pixels}.y4m", f"{pixels}.y4m", "b.y4m")
    ffmpeg("-i", "plain.mp4", "-pix_fmt", "yuvj420p", "-c:v", "mjpeg", "-q:v", "2", "-f", "mjpeg", "a.mjpeg")
    ffmpeg("-i", "a.mjpeg", "-c:v", "copy", "-f", "mpjpeg", "a.multipart")
    for name in ("a.mjpeg", "a.multipart"):
        compare(name, "a.mjpeg", "b.mjpeg", "--quality", "95")


def compare(name, source, result, *options):
    reframe(name, "--aspect", "9:16", *options, "--output", result)
    reframe(source, "--aspect", "9:16", "--format", "ffmpeg", "--output", "c.filters")
    ffmpeg("-i", source, "-filter_script:v", "c.filters", *STRICT, "c.y4m")
    frames, shown = video(result)[1], similarity(result, "c.y4m")
    check(f"{name}: equals ffmpeg's crop", frames == 75 and shown > 0.98, f"{frames} frames, SSIM {shown:.4f}")


draw()
check_pipes()
check_crops()
check_files()
check_failures()
check_layouts()
end()

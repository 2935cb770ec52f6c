"""Layouts of video files for check-reframe: two drawn people, of whom one speaks, with a sound that is heard half of the time."""

import json
import pathlib
import re
import subprocess

PICTURES = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "pictures"
SHAPES = {"9:16": (304, 540), "16:9": (960, 540), "1:1": (540, 540)}


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, **options)


def video(path):
    command = ("ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=codec_type,width,height,nb_read_packets", "-of", "json")
    streams = json.loads(run(*command, str(path)).stdout)["streams"]
    found = next(one for one in streams if one["codec_type"] == "video")
    return (found["width"], found["height"]), int(found["nb_read_packets"]), {one["codec_type"] for one in streams}


def people(headroom, folder):
    """The face of each person of the picture, from the left."""
    run("ffmpeg", "-v", "error", "-y", "-i", str(PICTURES / "scene.jpg"), "-vf", "scale=960:540", "still.png", cwd=folder)
    faces = json.loads(run(headroom, "frame", "still.png", "--aspect", "1:1", "--json", cwd=folder).stdout)
    return sorted((face["landmarks"] for face in faces["faces"]), key=lambda face: face["leftEye"]["x"])


def draw(headroom, folder):
    """Six seconds of a picture in which the mouth of the first person opens four times a second, heard for three seconds."""
    face = people(headroom, folder)[0]
    eyes = face["rightEye"]["x"] - face["leftEye"]["x"]
    x = (face["mouthLeft"]["x"] + face["mouthRight"]["x"]) / 2
    y = (face["mouthLeft"]["y"] + face["mouthRight"]["y"]) / 2
    box = f"drawbox=x={x - 0.3 * eyes:.0f}:y={y - 0.1 * eyes:.0f}:w={0.6 * eyes:.0f}:h={0.4 * eyes:.0f}:color=0x301515:t=fill"
    run("ffmpeg", "-v", "error", "-y", "-loop", "1", "-framerate", "25", "-t", "6", "-i", "still.png", "-f", "lavfi", "-i", "sine=300:duration=6",
        "-vf", f"{box}:enable='lt(mod(t,0.24),0.12)',noise=alls=4:allf=t", "-af", "volume='if(lt(t,3)*lt(mod(t,0.24),0.16),1,0.001)':eval=frame",
        "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "12", "-c:a", "aac", "said.mp4", cwd=folder)


def check_layouts(headroom, folder, check):
    """Writes each layout; `check` takes what was seen, and whether it is good."""
    draw(headroom, folder)
    for layout in ("follow", "hold", "stack", "wide", "auto"):
        for shape, size in SHAPES.items():
            if shape == "16:9":
                continue
            name = f"{layout}-{shape.replace(':', 'x')}.mp4"
            run(headroom, "reframe", "said.mp4", "--aspect", shape, "--layout", layout, "--output", name, cwd=folder)
            found, frames, kinds = video(folder / name)
            check(f"{layout} at {shape}: {found[0]}x{found[1]}, {frames} frames, {sorted(kinds)}", found == size and frames == 150 and kinds == {"video", "audio"})
    run(headroom, "reframe", "said.mp4", "--aspect", "9:16", "--layout", "auto", "--plan", "said.json", cwd=folder)
    plan = json.loads((folder / "said.json").read_text())
    check(f"auto: {plan['shots'][0]['layout']}, {plan['shots'][0]['reason']}", len(plan["shots"]) == 1)
    first = min(plan["people"], key=lambda one: one["sightings"][0]["head"]["x"])["person"]
    said = {frame for turn in plan["speech"] if turn["person"] == first for frame in range(turn["first"], turn["last"] + 1)}
    others = sum(turn["last"] - turn["first"] + 1 for turn in plan["speech"] if turn["person"] != first)
    right = sum((frame in said) == (frame < 75) for frame in range(150))
    check(f"who moves the lips speaks while it is heard: {right} of 150 frames, others {others}", right >= 130 and others <= 5)
    run(headroom, "reframe", "said.mp4", "--plan-from", "said.json", "--output", "planned.mp4", cwd=folder)
    text = run("ffmpeg", "-i", "auto-9x16.mp4", "-i", "planned.mp4", "-lavfi", "ssim", "-f", "null", "-", cwd=folder).stderr.decode()
    shown = float(re.search(r"All:([\d.]+)", text)[1])
    check(f"a plan renders what was planned: SSIM {shown:.4f}", shown > 0.999)

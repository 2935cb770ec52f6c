"""Checks layouts with a video of two drawn people. One of them speaks, and half of the video has sound."""
import json

from ffmpeg import FOLDER, H264, ffmpeg, reframe, run, similarity, video
from report import check
from service import EXECUTABLE, IMAGES


def draw():
    """Draws a video of six seconds in which the first person's mouth opens four times per second; the sound lasts three seconds."""
    ffmpeg("-i", IMAGES / "scene.jpg", "-vf", "scale=960:540", "still.png")
    faces = json.loads(run(EXECUTABLE, "frame", "still.png", "--aspect", "1:1", "--json").stdout)["faces"]
    face = min((face["landmarks"] for face in faces), key=lambda face: face["leftEye"]["x"])
    eyes = face["rightEye"]["x"] - face["leftEye"]["x"]
    x = (face["mouthLeft"]["x"] + face["mouthRight"]["x"]) / 2
    y = (face["mouthLeft"]["y"] + face["mouthRight"]["y"]) / 2
    place = f"x={x - 0.3 * eyes:.0f}:y={y - 0.1 * eyes:.0f}:w={0.6 * eyes:.0f}:h={0.4 * eyes:.0f}"
    ffmpeg("-loop", "1", "-framerate", "25", "-t", "6", "-i", "still.png", "-f", "lavfi", "-i", "sine=300:duration=6",
           "-vf", f"drawbox={place}:color=0x301515:t=fill:enable='lt(mod(t,0.24),0.12)',noise=alls=4:allf=t",
           "-af", "volume='if(lt(t,3)*lt(mod(t,0.24),0.16),1,0.001)':eval=frame",
           *H264, "-crf", "12", "-c:a", "aac", "said.mp4")


def check_layouts():
    draw()
    for layout in ("follow", "hold", "stack", "wide", "auto"):
        for shape, size in (("9:16", (304, 540)), ("1:1", (540, 540))):
            name = f"{layout}-{shape.replace(':', 'x')}.mp4"
            reframe("said.mp4", "--aspect", shape, "--layout", layout, "--output", name)
            found = video(name)
            check(f"{layout} at {shape}", found == (size, 150, ["aac", "h264"]), found)
    reframe("said.mp4", "--aspect", "9:16", "--layout", "auto", "--plan", "said.json")
    plan = json.loads((FOLDER / "said.json").read_text())
    check("auto has one shot", len(plan["shots"]) == 1, f"{plan['shots'][0]['layout']}, {plan['shots'][0]['reason']}")
    first = min(plan["people"], key=lambda one: one["sightings"][0]["head"]["x"])["person"]
    said = {frame for turn in plan["speech"] if turn["person"] == first
            for frame in range(turn["first"], turn["last"] + 1)}
    others = sum(turn["last"] - turn["first"] + 1 for turn in plan["speech"] if turn["person"] != first)
    right = sum((frame in said) == (frame < 75) for frame in range(150))
    check("the person with moving lips is the active speaker while the sound is heard", right >= 130 and others <= 5,
          f"{right} of 150 frames, others {others}")
    reframe("said.mp4", "--plan-from", "said.json", "--output", "planned.mp4")
    shown = similarity("auto-9x16.mp4", "planned.mp4")
    check("a plan renders the planned crops", shown > 0.999, f"SSIM {shown:.4f}")

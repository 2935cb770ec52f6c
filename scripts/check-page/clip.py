"""Checks the page for clips: frames and their crops, keyframes, people, and the plan for headroom reframe."""
import contextlib
import json
import pathlib
import subprocess
import tempfile

from browser import SCENE
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

SECONDS = 3


@contextlib.contextmanager
def opened(page):
    """Opens a clip of three people, recorded with a fixed camera."""
    with tempfile.TemporaryDirectory() as folder:
        clip = pathlib.Path(folder) / "clip.webm"
        still = ["-loop", "1", "-framerate", "25", "-t", str(SECONDS), "-i", str(SCENE), "-vf", "scale=960:540"]
        coded = ["-pix_fmt", "yuv420p", "-c:v", "libvpx", "-b:v", "2M", "-g", "10"]
        subprocess.run(["ffmpeg", "-v", "error", *still, *coded, str(clip)], check=True)
        page.browser.get("about:blank")
        page.browser.get(f"{page.address}/playground/clip.html")
        page.upload(clip)
        page.wait(lambda: "frames, every" in page.text("#status"), "all frames")
        yield clip


def saved(page):
    """Returns the plan that the button saves."""
    page.run("""
        window.blobs = [];
        const make = URL.createObjectURL.bind(URL);
        URL.createObjectURL = (blob) => { blobs.push(blob); return make(blob); };""")
    page.at("#download").click()
    text = page.browser.execute_async_script("const done = arguments[0]; blobs.at(-1).text().then(done);")
    assert page.run("return saved") == ["plan.json"], page.run("return saved")
    return json.loads(text)


def rule_a_clip_is_shown_by_frames_and_only_images_are_sent(page, _):
    with opened(page) as clip:
        assert len(page.all("#strip button")) == 2 * SECONDS, len(page.all("#strip button"))
        assert len(page.all("#overlay rect.person")) == 3
        sent = page.run("return sent")
        assert len(sent) == 2 * SECONDS and clip.stat().st_size not in sent, sent
        page.all("#strip button")[3].click()
        page.wait(lambda: page.text("#clock") == "1.50 s", "the frame")
        page.check_accessibility()
        for width in (768, 360):
            page.resize(width)
            assert page.run("return document.documentElement.scrollWidth <= innerWidth"), f"wider than {width}"


def rule_headroom_reframe_renders_a_plan_with_a_keyframe_and_a_person(page, _):
    with opened(page) as clip:
        page.all("#strip button")[2].click()
        page.wait(lambda: page.text("#clock") == "1.00 s", "the frame")
        left = page.box("#crop")[0]
        ActionChains(page.browser).drag_and_drop_by_offset(page.at("#crop"), 160, 0).perform()
        page.wait(lambda: "1 keyframe," in page.text("#edits"), "a keyframe")
        assert page.box("#crop")[0] > left + 60 and page.all("#strip button.key"), (left, page.box("#crop"))
        page.at("#crop").send_keys(Keys.ARROW_LEFT)
        plan = saved(page)
        assert plan["aspect"] == "9:16" and [edit["time"] for edit in plan["edits"]["crops"]] == [1], plan
        page.at("#undo").click()
        page.at("#undo").click()
        assert page.text("#edits") == "", page.text("#edits")
        # The leftmost person is shown.
        faces = page.all("#overlay rect.person")
        first = min(range(len(faces)), key=lambda index: float(faces[index].get_attribute("x")))
        head = float(faces[first].get_attribute("x")) + float(faces[first].get_attribute("width")) / 2
        page.all("#people button")[first].click()
        page.wait(lambda: page.all("#people [aria-pressed=true]"), "the person")
        plan = page.run("blobs = []; saved = []") or saved(page)
        file = clip.with_name("plan.json")
        file.write_text(json.dumps(plan))
        lines = clip.with_name("out.y4m")
        rendering = [page.executable, "reframe", clip, "--plan-from", file, "--output", lines]
        subprocess.run(rendering, check=True, capture_output=True)
        width = int(lines.read_bytes()[:40].split(b" W")[1].split(b" ")[0])
        crop = page.run("const { left, width } = document.getElementById('crop').style; return [parseFloat(left), parseFloat(width)]")
        assert abs(width - 304) <= 2 and crop[0] <= 100 * head / 960 <= crop[0] + crop[1], (width, crop, head)

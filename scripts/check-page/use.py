"""Checks the use of the playground: actions and their outcomes."""
import json
import pathlib
import shlex
import subprocess
import tempfile
import urllib.request

import service
from browser import SCENE
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

WIDE = "#sample=scene&aspect=16:9"
FORMS = ["URL", "curl", "HTML", "CSS", "Focal point", "Signed URL", "JSON"]


def rule_a_file_is_shown_with_its_faces_and_its_output(page, _):
    page.open()
    page.upload(SCENE)
    page.wait_for_output()
    assert "3 faces: 3 kept" in page.text("#faces-title"), page.text("#faces-title")
    assert "Face 2, from the front, confidence" in page.text("#faces"), page.text("#faces")
    assert len(page.all("#overlay rect.kept")) == 6 and len(page.all("#overlay circle.point")) == 15
    assert len(page.all(".card")) == 6
    request = urllib.request.Request(f"{page.address}/frame?aspect=1:1", SCENE.read_bytes(), {"Content-Type": "image/jpeg"})
    size = len(urllib.request.urlopen(request).read())
    assert page.result_size() == [900, 900], page.result_size()
    assert f"900 × 900 · JPEG · {round(size / 1000)} kB" in page.text("#status"), page.text("#status")
    assert page.at("#outcome img").get_attribute("src").startswith("blob:"), "the output does not come from the service"


def rule_every_effect_is_visible_in_the_output_at_every_width(page, _):
    for width in (1280, 768, 360):
        page.resize(width)
        page.open(WIDE)
        before = page.pixels()
        for act in [
            lambda: page.choose("redact", "fill"), lambda: page.type("overlay", "hat"), lambda: page.type("filter", "invert"),
            lambda: page.type("chromaKey", "auto"), lambda: page.choose("rotate", "180"),
            lambda: (page.open_group("zoom"), page.change(lambda: page.at("[name=zoom]").send_keys(Keys.END))),
        ]:
            act()
            after = page.pixels()
            assert before != after, f"{page.hash()} at {width} shows no difference"
            assert page.is_seen("#outcome") and page.is_seen("#stage"), f"out of the window at {width}: {page.hash()}"
            before = after


def rule_the_output_is_compared_and_saved(page, _):
    page.open("#sample=scene&aspect=1:1")
    assert page.is_seen("#outcome img") and page.is_seen("#download")
    for value, name in [("centre", "The centre crop"), ("source", "The source"), ("result", "The output")]:
        page.at(f"#compare label:has([value={value}])").click()
        shown = page.at("#outcome > *")
        assert name in (shown.get_attribute("aria-label"), shown.get_attribute("alt")), name
    assert page.result_size() == [900, 900], page.result_size()
    page.at("#download").click()
    page.wait(lambda: page.run("return saved") == ["scene-900x900.jpg"], "the saved file")


def rule_a_card_selects_an_aspect_ratio_and_the_back_button_returns(page, _):
    page.open(WIDE)
    page.change(lambda: page.at("[data-shape='9:16']").click())
    assert "aspect=9:16" in page.hash(), page.hash()
    assert "cut" in page.text("#faces") and "% of it is visible" in page.text("#faces"), page.text("#faces")
    assert page.all("[data-shape='9:16'][aria-pressed=true]")
    assert page.result_size() == [506, 900], page.result_size()
    page.browser.back()
    page.wait(lambda: page.all("[data-shape='16:9'][aria-pressed=true]"), "the first shape")
    page.answered()
    page.open("#sample=scene&width=400&height=300")
    assert page.result_size() == [400, 300], page.result_size()
    page.change(lambda: page.at("[data-shape='4:5']").click())
    assert page.result_size() == [400, 500], page.result_size()


def rule_controls_change_the_request(page, _):
    page.open(WIDE)
    for name, word in [("place", "thirds"), ("fallback", "top"), ("accuracy", "low")]:
        page.choose(name, word)
        assert f"{name}={word}" in page.hash(), page.hash()
    page.type("padding", "0.3")
    assert "padding=0.3" in page.hash(), page.hash()
    page.change(lambda: page.at("#reset").click())
    assert page.hash() == "#sample=scene&aspect=1:1", page.hash()


def rule_the_focal_point_is_clicked_dragged_and_moved_by_keys(page, _):
    page.open("#sample=scene&aspect=1:1")

    def point():
        return [float(number) for number in page.hash().split("point:")[1].split(",")]

    stage, width = page.at("#stage"), page.at("#stage").size["width"]
    page.change(lambda: ActionChains(page.browser).move_to_element_with_offset(stage, width // 4, 0).click().perform())
    assert abs(point()[0] - 0.75) < 0.01 and abs(point()[1] - 0.5) < 0.01, page.hash()
    # Moves the mouse in a single jump, faster than the marker can follow, and beyond the edges of the image.
    mouse = ActionChains(page.browser, duration=0)
    page.change(lambda: mouse.move_to_element(page.at("#focal")).click_and_hold()
                .move_by_offset(-width // 2, 0).release().perform())
    assert abs(point()[0] - 0.25) < 0.01, page.hash()
    at_keys = page.hash()
    page.change(lambda: ActionChains(page.browser).send_keys(Keys.ARROW_RIGHT).perform())
    assert page.hash() != at_keys, page.hash()
    assert "from the left" in page.at("#focal").get_attribute("aria-label")
    page.change(lambda: page.at("#focal-hint button").click())
    assert "point" not in page.hash() and not page.at("#focal").is_displayed()


def rule_a_finger_sets_and_drags_the_focal_point_and_scrolls(page, _):
    page.resize(360)
    page.command("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=1)

    def move(*points):
        for kind, at in zip(["touchStart"] + ["touchMove"] * (len(points) - 1), points):
            page.command("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": at[0], "y": at[1]}])
        page.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def across():
        return float(page.hash().split("point:")[1].split(",")[0])

    try:
        page.open("#sample=scene&aspect=1:1")
        left, top, right, bottom = page.box("#stage")
        page.change(lambda: move((left + (right - left) * 0.75, (top + bottom) / 2)))
        assert abs(across() - 0.75) < 0.02, page.hash()
        left, top, right, bottom = page.box("#stage")
        move(*[(left + 20, bottom - 5 - 10 * step) for step in range(9)])
        page.wait(lambda: page.run("return scrollY") > 0, "scrolling")
        assert abs(across() - 0.75) < 0.02, "scrolling moved the point"
        focal = page.box("#focal")
        x, y = (focal[0] + focal[2]) / 2, (focal[1] + focal[3]) / 2
        page.change(lambda: move((x, y), (x - 30, y), (x - (right - left) / 2, y)))
        assert abs(across() - 0.25) < 0.02, page.hash()
    finally:
        page.command("Emulation.setTouchEmulationEnabled", enabled=False)


def rule_a_file_is_created_in_every_format(page, _):
    page.open(WIDE)
    page.run("document.getElementById('files').open = true")
    page.at("#measure").click()
    page.wait(lambda: len(page.all("#formats tr td:nth-child(5)")) >= 3 and not page.at("#progress").is_displayed()
              and len(page.all("#formats tr")) == 5, "the files")
    assert "kB" in page.text("#formats") and "encode" in page.text("#formats"), page.text("#formats")
    assert "1600 × 900" in page.text("#formats"), page.text("#formats")


def rule_an_image_by_url_is_loaded_and_linked(page, origin):
    page.open()
    page.at("#url").send_keys(f"{origin}/row.jpg", Keys.ENTER)
    page.wait_for_output()
    assert f"url={origin}/row.jpg" in page.hash(), page.hash()
    assert "5 faces" in page.text("#faces-title"), page.text("#faces-title")
    page.open(page.run("return location.hash"))
    assert "5 faces" in page.text("#faces-title"), page.text("#faces-title")


def rule_requests_are_copied_for_another_host(page, origin):
    page.open(f"#url={origin}/row.jpg&aspect=1:1")
    titles = [tab.text for tab in page.all("#tabs button")]
    assert titles == FORMS, titles
    page.run("document.getElementById('base').value = ''")
    page.at("#base").send_keys("https://images.example.org")
    start = "https://images.example.org/frame?"
    assert page.form("URL").startswith(f"{start}url=http")
    html = page.form("HTML")
    assert f'src="{start}' in html and f", {start}" in html and "400w" in html and '"/frame' not in html, html
    page.change(lambda: page.type("zoom", Keys.END))
    assert "CSS" not in [tab.text for tab in page.all("#tabs button") if tab.is_displayed()], "CSS has no zoom"


def rule_a_page_below_a_path_prefix_signs_requests_below_the_prefix(page, _):
    with service.Service(page.executable, "--path-prefix", "/img") as below:
        page.browser.get(f"{below.base}/img/#sample=scene&aspect=1:1")
        page.answered()
        assert page.form("URL").startswith(f"{below.base}/img/frame?"), page.form("URL")
        command = shlex.split(page.form("Signed URL"))
    variables = {**service.own_environment(), "HEADROOM_SIGNING_KEYS": "k" * 32}
    signed = subprocess.run([page.executable, *command[1:]], env=variables, text=True, check=True, capture_output=True).stdout
    assert signed.startswith("/img/frame?") and "signature=" in signed, f"{command}: {signed}"


def rule_a_button_copies_every_form_and_reports_it(page, _):
    page.open("#sample=scene&aspect=1:1")
    for title in FORMS:
        text = page.form(title)
        button = page.at("#snippet .copy")
        button.click()
        page.wait(lambda button=button: button.text == "Copied", f"the copy of {title}")
        assert page.is_seen("#snippet .copy")
        copied = page.run("return navigator.clipboard.readText()")
        assert copied.strip() == text.strip(), copied
        assert title != "JSON" or len(json.loads(copied)["faces"]) == 3
    curl = page.form("curl")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "scene.jpg").symlink_to(SCENE)
        subprocess.run(shlex.split(curl.replace("\\\n", " ")), cwd=folder, check=True, capture_output=True)
        assert pathlib.Path(folder, "crop.jpg").read_bytes()[:2] == b"\xff\xd8", curl


def rule_the_sample_image_is_loaded_with_one_click(page, _):
    page.open()
    assert page.is_seen("#sample")
    page.at("#sample").click()
    page.wait(lambda: page.all("#outcome img"), "the result")
    assert "sample=scene" in page.hash(), page.hash()


def rule_an_image_or_a_link_is_dropped_and_pasted(page, origin):
    file = """
        const blob = await fetch('playground/scene.jpg').then((found) => found.blob());
        data.items.add(new File([blob], 'dropped.jpg', { type: 'image/jpeg' }));"""
    link = f"data.setData('text/uri-list', '{origin}/row.jpg'); data.setData('text/plain', '{origin}/row.jpg');"
    for kind in ("drop", "paste"):
        for script, faces in [(file, "3 faces"), (link, "5 faces")]:
            page.open()
            page.drop(script, kind)
            page.wait_for_output()
            assert faces in page.text("#faces-title"), page.text("#faces-title")
            assert (f"url={origin}/row.jpg" in page.hash()) == (script == link)


def rule_the_page_asks_for_a_bearer_secret(page, _):
    page.expected = [401]
    secret = "a-secret-of-at-least-thirty-two-bytes"
    with service.Service(page.executable, "--playground", "on", HEADROOM_BEARER_SECRETS=secret) as tried:
        page.browser.get(f"http://127.0.0.1:{tried.port}/")
        page.at("#sample").click()
        page.wait(lambda: page.all("#secret-form"), "the question")
        page.see("#secret", "the field")
        page.at("#secret").send_keys(secret, Keys.ENTER)
        page.answered()
        assert page.result_size() == [900, 900] and not page.all("#secret-form")
        page.check_quiet()
        page.open()


def rule_a_face_is_selected_by_its_number(page, _):
    page.open("#sample=scene&aspect=1:1")
    page.choose("gravity", "face")
    assert "gravity=face:1" in page.hash() and page.is_seen("[aria-label='Number of the face']"), page.hash()
    page.change(lambda: page.at("[aria-label='Number of the face']").send_keys(Keys.BACKSPACE, "3"))
    assert "gravity=face:3" in page.hash() and "1 kept, 2 ignored" in page.text("#faces-title"), page.text("#faces-title")


def rule_without_a_face_the_subjects_are_drawn_and_listed(page, origin):
    page.open(f"#url={origin}/from-behind.jpg&aspect=1:1")
    title, lines = page.text("#faces-title"), page.text("#faces")
    assert "No face found." in title and "person" in title and "dog" in title, title
    assert "Person, score 0." in lines and "100 % of the estimated head are visible" in lines, lines
    assert "Dog, score 0." in lines and "Decision: subject" in lines, lines
    assert len(page.all("#overlay rect.subject")) >= 2 and len(page.all("#overlay rect.guess")) >= 2
    assert {"subject", "guess"} <= {entry.get_attribute("class") for entry in page.all("#legend li")}
    page.choose("gravity", "object")
    assert "gravity=object:person" in page.hash() and page.is_seen("[aria-label='Classes of the objects']"), page.hash()
    assert "Decision: object" in page.text("#faces"), page.text("#faces")

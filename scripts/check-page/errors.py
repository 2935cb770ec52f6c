"""Checks that each error message is next to its control and inside the window."""
import tempfile

from browser import SCENE
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

# The previous fragment, the control, the entered value, and a part of the message.
CASES = [
    ("", "aspect", "0:0", "from 1:100 to 100:1"),
    ("", "aspect", "16:9,1:1", "one aspect ratio"),
    ("", "width", "0", "a whole number of pixels"),
    ("", "height", "abc", "a whole number of pixels"),
    ("", "padding", "x", "a fraction of the head's height"),
    ("", "redactFaces", "1", "redactFaces requires redact"),
    ("&redact=blur", "redactFaces", "9", "3 faces found"),
    ("", "filter", "nope", "separated by commas"),
    ("", "overlay", "nosuch", "names of"),
    ("", "quality", "0", "1 to 100"),
    ("", "maxBytes", "1", "the limit of 1 bytes"),
    ("", "losslessCrop", None, "not allowed with filter"),
    ("", "minFace", "5", "0.02 to 1"),
    ("", "trim", "999", "0 to 255"),
    ("", "focus", "x", "rectangles"),
    ("", "region", "2,2,2,2", "x,y,width,height"),
    ("&gravity=face:1&region=0.7,0.7,.2,.2", "fallback", "error", "fallback=error"),
    ("", "background", "blur", "without fit=pad"),
    ("", "dpr", "9", "from 0.1 to 5"),
    ("", "boxOrientation", "swap", "boxOrientation=swap is not allowed with aspect"),
    ("", "chromaKey", "zzz", "a colour"),
    ("", "tolerance", "0.3", "requires chromaKey"),
    ("&chromaKey=auto", "backdropUrl", "x", "http"),
]


def has_failed(page):
    page.wait(lambda: not page.is_busy(), "a response")
    assert page.at("#problem").is_displayed(), "no error"


def rule_an_error_is_next_to_its_control_at_every_width(page, _):
    page.expected = [400, 404, 422]
    for width in (1280, 360):
        page.resize(width)
        page.open("#sample=scene&aspect=16:9")
        for before, name, value, part in CASES:
            page.go(f"#sample=scene&aspect=16:9{before}" + ("&filter=mono" if name == "losslessCrop" else ""))
            page.open_group(name)
            control = page.at(f"[name={name}]")
            if control.tag_name == "select":
                Select(control).select_by_visible_text(value)
            elif value is None:
                control.click()
            else:
                page.enter(name, value)
            has_failed(page)
            error = f"#parameter-{name}-error"
            assert part in page.text(error), f"{name}={value}: {page.text(error)!r}"
            page.see(error, f"the error of {name}={value} at {width}")
            page.see("#problem", f"the note about {name}={value} at {width}")
            bottom = page.box(f"[name={name}]")[3]
            assert abs(page.box(error)[1] - bottom) < 40, f"{name}: the error is far from its control"
            assert page.all("#outcome.stale") and not page.at("#download").is_enabled(), "the old output looks like a new one"
            assert control.get_attribute("aria-invalid") == "true"
    return f"{len(CASES)} errors at two widths"


def rule_a_link_below_the_image_leads_to_the_error_of_another_control(page, _):
    page.expected = [400]
    page.open("#sample=scene&aspect=16:9&fit=pad&background=blur")
    Select(page.at("[name=fit]")).select_by_visible_text("cover")
    has_failed(page)
    page.see("#problem", "the error")
    page.at("#problem button").click()
    page.see("#parameter-background-error", "the error next to its control")
    page.choose("fit", "pad")
    assert not page.at("#parameter-background-error").is_displayed() and not page.at("#problem").is_displayed()


def rule_a_new_image_that_fails_removes_the_old_one(page, origin):
    page.expected = [404, 415, 422]
    for width in (1280, 360):
        page.resize(width)
        page.open("#sample=scene&aspect=16:9")
        page.run("scrollTo(0, 1e6)")
        with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
            file.write(SCENE.read_bytes()[:40] + b"This is not an image.")
            file.flush()
            page.upload(file.name)
            page.wait(lambda: page.at("#source-problem").is_displayed(), "the error")
        page.see("#source-problem", "the error")
        assert page.text("#source-problem").endswith("."), page.text("#source-problem")
        for selector in ("#work", "#faces", "#outcome", "#copy", "#files"):
            assert not page.at(selector).is_displayed(), f"{selector} of the old image"
        page.at("#url").send_keys(f"{origin}/missing.jpg", Keys.ENTER)
        page.wait(lambda: page.text("#source-problem").startswith("No image found at this URL."), "the origin's 404")
        page.see("#source-problem", "the error")


def rule_a_missing_url_and_a_drop_without_a_link_are_reported(page, _):
    page.open()
    page.at("#url-form button").click()
    assert "Enter the URL" in page.text("#source-problem")
    page.drop("data.setData('text/plain', 'some words');")
    assert "Only an image or a link" in page.text("#source-problem")
    page.see("#source-problem", "the error")


def rule_the_old_output_is_grey_until_the_new_output_is_ready(page, _):
    page.open("#sample=scene&aspect=16:9")
    page.choose("redact", "blur")
    Select(page.at("[name=redact]")).select_by_visible_text("fill")
    assert page.is_busy() and page.all("#outcome.stale"), "an old output looks like a new one"
    page.answered()

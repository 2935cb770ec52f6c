"""Checks the layout of the page: two columns, images that stay in view, no overflow, both colour schemes, axe's
rules."""
from browser import WIDTHS


def fits(page, width):
    sides = page.run("return [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert sides[0] <= sides[1], f"{sides[0]} pixels wide at {width}"
    outside = page.run("""
        return [...document.querySelectorAll('#settings *, #seen *, #source *, #copy *')]
          .filter((each) => !each.closest('svg') && each.id !== 'file' && !each.closest('.scroll') && each.checkVisibility())
          .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
          .map((each) => each.outerHTML.slice(0, 80))""")
    assert not outside, outside


def rule_images_stay_in_view_next_to_the_controls(page, _):
    heights = []
    for width in WIDTHS:
        page.resize(width)
        page.open("#sample=scene&aspect=4:3")
        heights.append(page.run("return document.documentElement.scrollHeight"))
        for name in ("aspect", "zoom", "redact", "quality", "v"):
            page.open_group(name)
            assert page.is_seen("#stage") and page.is_seen("#outcome"), f"{name} at {width}: no image in the window"
            assert page.is_seen(f"[name={name}]"), f"{name} at {width} is covered"
        if width >= 960:
            assert page.box("#seen")[2] <= page.box("#settings")[0], "no two columns"
        else:
            assert page.box("#outcome")[1] >= 0 and page.box("#view")[1] == 0, "the image does not stick to the top"
        assert page.box("#stage")[1] == page.box("#outcome")[1], "images of different heights"
        for aspect in ("3:1", "9:16"):
            page.open(f"#sample=scene&aspect={aspect}")
            page.open_group("redact")
            assert page.is_seen("#stage") and page.is_seen("#outcome"), f"{aspect} at {width}: no image in the window"
            assert page.is_seen("[name=redact]"), f"redact at {width} is covered"
    limits = {1280: 2100, 768: 2200, 360: 2800}
    assert all(height <= limits[width] for width, height in zip(WIDTHS, heights)), heights
    return f"heights {heights}"


def rule_every_width_and_colour_fits_and_is_accessible(page, _):
    states = [
        "#sample=scene&aspect=1:1", "#sample=scene&aspect=3:1&gravity=face:2", "#sample=scene&aspect=9:16&gravity=point:0.3,0.4",
        "#sample=scene&fit=inside&width=300&rotate=90",
    ]
    for width in WIDTHS:
        page.resize(width)
        for colours, background in [("light", "rgb(245, 246, 248)"), ("dark", "rgb(20, 22, 26)")]:
            page.prefer(colours)
            for state in ["", *states]:
                page.open(state)
                fits(page, width)
                assert page.run("return getComputedStyle(document.documentElement).backgroundColor") == background
                if state in ("", states[0], states[2]):
                    page.check_accessibility()
            page.run("for (const each of document.querySelectorAll('details')) each.open = true;")
            page.run("for (const each of document.querySelectorAll('.explain')) each.click();")
            fits(page, width)
            page.check_accessibility()


def rule_narrow_windows_do_not_scroll_sideways_with_any_font(page, _):
    """Checks widths of 320 pixels and of 305 pixels next to a scroll bar, in fonts that are much wider than system fonts."""
    states = ["", "#sample=scene&aspect=1:1", "#sample=scene&aspect=9:16&gravity=point:0.3,0.4", "playground/clip.html"]
    fonts = {"the system's": "", "DejaVu Sans": "normal", "DejaVu Sans, bold": "bold", "DejaVu Sans Mono": "normal"}
    for font, weight in fonts.items():
        rule = f"* {{ font-family: '{font.split(',')[0]}' !important; font-weight: {weight} !important; }}" if weight else ""
        for width in (320, 305):
            page.narrow(width)
            for state in states:
                page.open(state)
                # A script can create a style sheet, because the page's policy does not cover this.
                page.run("const sheet = new CSSStyleSheet(); sheet.replaceSync(arguments[0]); document.adoptedStyleSheets = [sheet];", rule)
                for script in ("", "for (const each of document.querySelectorAll('details')) each.open = true;"):
                    page.run(script)
                    fits(page, f"{width}, {font}, {state or '/'}")
    return f"{len(fonts)} fonts"


def rule_labels_are_small_and_the_legend_explains_every_rectangle(page, _):
    for width in WIDTHS:
        page.resize(width)
        page.open("#sample=scene&aspect=9:16")
        labels = page.run("""
            const stage = document.getElementById('stage').getBoundingClientRect();
            return [...document.querySelectorAll('#overlay .label')].map((label) => {
              const box = label.getBoundingClientRect();
              const text = getComputedStyle(label.querySelector('text'));
              return [box.width, box.height, text.stroke, box.left - stage.left, box.top - stage.top];
            })""")
        for across, down, stroke, left, top in labels:
            assert across < 30 and down < 24 and stroke == "none" and left >= 0 and top >= 0, labels
        assert width < 700 or len(labels) == 3, labels
        named = [each.text for each in page.all("#legend li")]
        assert named == ["Head, kept", "Head, cut", "Face", "Eyes, nose, mouth", "Crop"], named
        page.run("document.getElementById('legend').scrollIntoView({ block: 'center' })")
        page.see("#legend", "the legend")


def rule_documents_are_linked(page, _):
    page.open()
    links = page.run("return [...document.querySelectorAll('nav a')].map((each) => each.href)")
    for link in links:
        status = page.browser.execute_async_script(
            "const [link, done] = arguments; fetch(link).then(async (it) => done([it.status, (await it.text()).length]))", link)
        assert status[0] == 200 and status[1] > 1000, (link, status)
    return f"{len(links)} documents"

#!/usr/bin/env python3
"""Runs the playground in Chromium, as people use it: `make check-page`.

    scripts/check-page [--headroom .build/release/headroom] [--pictures FOLDER]

Starts `headroom serve` and an origin of pictures on free ports of this host; no other host is contacted. Prints a line for
each rule, and exits 1 if one is broken. `--pictures` writes screenshots into a folder.
"""
import argparse
import pathlib
import sys
import tempfile
import time

from axe_selenium_python import Axe
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import service  # noqa: E402

PATIENCE = 60


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))


class Page:
    """The playground in a browser."""

    def __init__(self, browser, address):
        self.browser, self.address = browser, address

    def open(self, fragment=""):
        # Another document, so that nothing of the one before is left.
        self.browser.get("about:blank")
        self.browser.get(f"{self.address}/{fragment}")
        self.browser.execute_script(
            "window.violations = []; addEventListener('securitypolicyviolation', (event) => "
            "violations.push(`${event.violatedDirective} ${event.blockedURI}`))")

    def at(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.at(selector).text

    def wait(self, condition, what):
        WebDriverWait(self.browser, PATIENCE, poll_frequency=0.1).until(lambda _: condition(), f"waited for {what}")

    def answered(self):
        """Waits until the page shows the answer to its last request."""
        self.wait(lambda: "answered in" in self.text("#status"), "an answer")
        self.wait(lambda: len(self.all(".snippet")) >= 5, "what can be copied")

    def change(self, action):
        """Does something that makes the page ask again, and waits for the answer."""
        self.browser.execute_script("document.getElementById('status').textContent = ''")
        action()
        self.answered()

    def upload(self, name):
        self.change(lambda: self.at("#file").send_keys(str(service.PICTURES / name)))

    def hash(self):
        return self.browser.execute_script("return decodeURIComponent(location.hash)")

    def decision(self):
        return self.text("#decision")

    def choose(self, name, word):
        self.change(lambda: Select(self.at(f"[name={name}]")).select_by_visible_text(word))


class Check:
    """The rules, in the order in which they are tried."""

    def __init__(self, page, origin):
        self.page, self.origin, self.results = page, origin, {}

    def run(self, folder):
        for name in [name for name in dir(self) if name.startswith("rule_")]:
            rule = name[5:].split("_", 1)[1].replace("_", " ")
            try:
                getattr(self, name)()
                self.results[rule] = ""
            except Exception as error:  # A rule that fails must not hide the others.
                words = str(error).splitlines()[0] if str(error) else ""
                self.results[rule] = f"{type(error).__name__}: {words} {self.page.text('#problem')}"
            self.check_quiet(rule)
            print(f"{'BROKEN' if self.results[rule] else 'holds '} {rule} {self.results[rule]}", flush=True)
            if folder:
                self.page.browser.save_screenshot(str(folder / f"{name[5:]}.png"))
        return not any(self.results.values())

    def check_quiet(self, rule):
        """No message on the console, and no violation of the policy."""
        expected = "status of 4" if "error" in rule else "\0"
        messages = [entry["message"] for entry in self.page.browser.get_log("browser") if expected not in entry["message"]]
        violations = self.page.browser.execute_script("return window.violations ?? []")
        if (messages or violations) and not self.results[rule]:
            self.results[rule] = f"the browser reports: {[*messages, *violations][:2]}"

    def rule_01_a_file_is_shown_with_its_faces(self):
        page = self.page
        page.open()
        page.upload("scene.jpg")
        assert "1600 × 900 jpeg" in page.text("#status"), page.text("#status")
        assert len(page.all("#faces li")) == 3, page.text("#faces")
        assert "kept" in page.text("#faces")
        assert len(page.all("#overlay rect.kept")) == 6
        assert len(page.all("#overlay circle.point")) == 15
        assert len(page.all(".card")) == 6

    def rule_02_a_shape_is_selected_and_goes_into_the_fragment(self):
        page = self.page
        page.change(lambda: page.at("[data-shape='9:16']").click())
        assert "aspect=9:16" in page.hash(), page.hash()
        assert "cut" in page.text("#faces") and "% of the head is visible" in page.text("#faces"), page.text("#faces")
        assert page.at("[data-shape='9:16']").get_attribute("aria-pressed") == "true"

    def rule_03_the_back_button_returns_to_the_shape_before(self):
        page = self.page
        page.change(page.browser.back)
        page.wait(lambda: page.at("[data-shape='16:9']").get_attribute("aria-pressed") == "true", "the first shape")

    def rule_04_every_control_changes_the_request(self):
        page = self.page
        for name, word in [("place", "thirds"), ("fallback", "top"), ("accuracy", "low")]:
            page.choose(name, word)
            assert f"{name}={word}" in page.hash(), page.hash()
        field = page.at("[name=padding]")
        page.change(lambda: field.send_keys("0.3"))
        assert "padding=0.3" in page.hash(), page.hash()
        page.change(lambda: page.at("#reset").click())
        assert page.hash() == "#aspect=16:9", page.hash()

    def rule_05_the_focal_point_is_dragged_and_moved_by_keys(self):
        page = self.page
        page.change(lambda: page.at("[data-shape='1:1']").click())
        page.choose("gravity", "point")
        focal, picture = page.at("#focal"), page.at("#picture")
        before = page.decision()
        distance = -picture.size["width"] // 4
        page.change(lambda: ActionChains(page.browser).drag_and_drop_by_offset(focal, distance, 0).perform())
        point = [float(number) for number in page.hash().split("point:")[1].split(",")]
        assert abs(point[0] - 0.25) < 0.01 and abs(point[1] - 0.5) < 0.01, page.hash()
        assert page.decision() != before, before
        focal.send_keys("")
        page.browser.execute_script("arguments[0].focus()", focal)
        at_keys = page.hash()
        page.change(lambda: ActionChains(page.browser).send_keys(Keys.ARROW_RIGHT).perform())
        assert page.hash() != at_keys, page.hash()
        assert "from the left" in focal.get_attribute("aria-label")

    def rule_06_files_are_made_in_every_format(self):
        page = self.page
        page.change(lambda: page.at("#reset").click())
        page.at("#measure").click()
        page.wait(lambda: len(page.all("#formats tr td:nth-child(5)")) == 3, "three files")
        assert "bytes" in page.text("#formats") and "encode" in page.text("#formats"), page.text("#formats")
        assert "1600 × 900" in page.text("#formats"), page.text("#formats")

    def rule_07_a_picture_by_address_is_loaded_and_linked(self):
        page = self.page
        field = page.at("#url")
        field.clear()
        field.send_keys(f"{self.origin}/row.jpg")
        page.change(lambda: field.send_keys(Keys.ENTER))
        assert f"url={self.origin}/row.jpg" in page.hash(), page.hash()
        assert len(page.all("#faces li")) == 5, page.text("#faces")
        fragment = page.browser.execute_script("return location.hash")
        page.open(fragment)
        page.answered()
        assert len(page.all("#faces li")) == 5, page.text("#faces")

    def rule_08_requests_are_copied(self):
        page = self.page
        page.browser.execute_cdp_cmd("Browser.grantPermissions", {
            "origin": page.address, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        titles = [title.text for title in page.all(".snippet h3")]
        assert titles == ["URL", "curl", "<picture>", "CSS", "Focal point", "Signed URL", "JSON"], titles
        page.at(".snippet button").click()
        page.wait(lambda: page.text("#status") == "Copied.", "the copy")
        copied = page.browser.execute_script("return navigator.clipboard.readText()")
        assert copied == page.text(".snippet pre") and copied.startswith(f"{page.address}/frame?url=http"), copied
        assert "<source" in page.text("#snippets") or "srcset" in page.text("#snippets")

    def rule_09_our_picture_is_tried_with_one_click(self):
        page = self.page
        page.open()
        page.change(lambda: page.at("#sample").click())
        assert len(page.all("#faces li")) == 3, page.text("#faces")
        assert "sample=scene" in page.hash(), page.hash()

    def rule_10_a_picture_is_dropped_and_pasted(self):
        page = self.page
        give = """
            const [kind, done] = arguments;
            fetch('playground/scene.jpg').then((found) => found.blob()).then((blob) => {
              const data = new DataTransfer();
              data.items.add(new File([blob], 'dropped.jpg', { type: 'image/jpeg' }));
              const event = kind === 'drop' ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
                : new ClipboardEvent('paste', { clipboardData: data, bubbles: true });
              document.body.dispatchEvent(event);
              done();
            });"""
        for kind in ("drop", "paste"):
            page.open()
            page.change(lambda: page.browser.execute_async_script(give, kind))
            assert len(page.all("#faces li")) == 3, page.text("#faces")
            assert "dropped.jpg" in page.text("#snippets")

    def rule_11_errors_are_sentences(self):
        page = self.page
        page.at("[name=background]").send_keys("blur")
        page.wait(lambda: page.at("#problem").is_displayed(), "the error")
        assert "a colour without fit=pad or fit=auto" in page.text("#problem"), page.text("#problem")
        page.open()
        with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
            file.write(b"This is no picture.")
            file.flush()
            page.at("#file").send_keys(file.name)
            page.wait(lambda: page.at("#problem").is_displayed(), "the error")
        assert page.text("#problem").endswith("."), page.text("#problem")
        field = page.at("#url")
        field.send_keys(f"{self.origin}/missing.jpg", Keys.ENTER)
        page.wait(lambda: page.text("#problem") == "No image could be found at that url.", "the origin's 404")

    def rule_12_it_fits_a_width_of_320_pixels(self):
        page = self.page
        page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": True})
        page.open("#sample=scene&aspect=1:1")
        page.answered()
        widths = page.browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        assert widths[0] <= 320, widths
        self.check_accessibility()

    def rule_13_dark_colours_are_readable(self):
        page = self.page
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        page.open("#sample=scene&aspect=1:1&gravity=point:0.3,0.4")
        page.answered()
        assert page.browser.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 26)"
        self.check_accessibility()

    def rule_14_light_colours_are_readable(self):
        page = self.page
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "light"}]})
        page.open("#sample=scene&aspect=1:1")
        page.answered()
        self.check_accessibility()

    def check_accessibility(self):
        """axe's rules; its script is run by the driver, which the page's policy does not concern."""
        axe = Axe(self.page.browser)
        axe.inject()
        found = axe.run()["violations"]
        grave = [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found]
        assert not grave, grave


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    parser.add_argument("--pictures", type=pathlib.Path, help="folder for screenshots")
    options = parser.parse_args()
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    tried = service.Service(options.headroom, "--allow-private-sources")
    browser = start_browser()
    begin = time.monotonic()
    try:
        browser.set_window_size(1280, 1000)
        holds = Check(Page(browser, f"http://127.0.0.1:{tried.port}"), service.origin()).run(options.pictures)
    finally:
        browser.quit()
        tried.stop()
    print(f"{time.monotonic() - begin:.0f} s")
    sys.exit(0 if holds else 1)


main()

"""The playground in Chromium: user actions, and the visible content of the window."""
import service
from axe_selenium_python import Axe
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

PATIENCE = 60
WIDTHS = {1280: 900, 768: 1024, 360: 640}
# Runs before the scripts of the page; records violations of its policy and the requests that it sends.
RECORDER = """
    window.violations = []; window.sent = []; window.saved = []; window.answered = 0;
    addEventListener('securitypolicyviolation', (event) => violations.push(`${event.violatedDirective} ${event.blockedURI}`));
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (body) {
      sent.push(body?.size ?? 0);
      this.addEventListener('load', () => answered += 1);
      return send.call(this, body);
    };
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function () { this.download ? saved.push(this.download) : click.call(this); };
"""
# The visible, uncovered part of an element, as a fraction of five points on its two diagonals.
SEEN = """
    const [element] = arguments, box = element.getBoundingClientRect();
    const shares = [[.5, .5], [.1, .2], [.9, .2], [.1, .8], [.9, .8]];
    return shares.filter(([across, down]) => {
      const top = document.elementFromPoint(box.left + box.width * across, box.top + box.height * down);
      return top && (element.contains(top) || top.contains(element) && getComputedStyle(top).position !== 'sticky');
    }).length / shares.length;
"""


class Page:
    def __init__(self, address, executable):
        self.address, self.executable, self.expected = address, executable, []
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
        self.command("Page.addScriptToEvaluateOnNewDocument", source=RECORDER)
        self.command("Browser.grantPermissions", origin=address,
                     permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])

    def command(self, name, **values):
        return self.browser.execute_cdp_cmd(name, values)

    def run(self, script, *values):
        return self.browser.execute_script(script, *values)

    # The window

    def reset(self):
        self.expected = []
        self.resize(1280)
        self.prefer("light")
        self.browser.get_log("browser")

    def resize(self, width):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=WIDTHS[width], deviceScaleFactor=1,
                     mobile=width < 700)

    def narrow(self, width):
        """A desktop window of any width; the scroll bar occupies part of the width."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=640, deviceScaleFactor=1, mobile=False)

    def photograph(self, fragment, file):
        """Writes a screenshot of the window with a request, for the documentation."""
        self.command("Emulation.setDeviceMetricsOverride", width=1200, height=830, deviceScaleFactor=1, mobile=False)
        self.open(fragment)
        self.run("document.querySelector('#faces-box').open = true;")
        return self.browser.save_screenshot(str(file))

    def prefer(self, colours):
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colours}])

    def open(self, fragment=""):
        # Loads another document first, so that no state of the previous document remains.
        self.browser.get("about:blank")
        self.browser.get(f"{self.address}/{fragment}")
        if "sample" in fragment or "url" in fragment:
            self.answered()

    def go(self, fragment):
        """Opens another fragment of the same document, like the back button."""
        self.run("document.activeElement.blur(); location.hash = arguments[0]", fragment)
        self.wait(lambda: not self.is_busy() and not self.all("#outcome.stale"), fragment)

    def check_quiet(self):
        """Checks that the console contains only messages about expected statuses, and that the policy was not
        violated."""
        messages = [entry["message"] for entry in self.browser.get_log("browser")
                    if not any(f"status of {status}" in entry["message"] for status in self.expected)]
        violations = self.run("return window.violations ?? []")
        assert not [*messages, *violations], [*messages, *violations][:2]

    def check_accessibility(self):
        """Checks the rules of axe. The driver runs the script of axe, so the page's policy does not apply."""
        axe = Axe(self.browser)
        axe.inject()
        found = [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in axe.run()["violations"]]
        assert not found, found

    # Elements

    def at(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.at(selector).text

    def box(self, selector):
        """Returns left, top, right and bottom in the window."""
        box = self.run("return arguments[0].getBoundingClientRect().toJSON()", self.at(selector))
        return box["left"], box["top"], box["right"], box["bottom"]

    def is_seen(self, selector):
        """Checks that an element is in the window and that nothing covers it."""
        return self.run(SEEN, self.at(selector)) == 1

    def see(self, selector, what):
        self.wait(lambda: self.is_seen(selector), f"{what} in the window: {self.box(selector)}")

    def wait(self, condition, what):
        WebDriverWait(self.browser, PATIENCE, poll_frequency=0.05).until(lambda _: condition(), f"waited for {what}")

    # Actions of a user

    def is_busy(self):
        return self.at("#view").get_attribute("aria-busy") != "false"

    def answered(self):
        """Waits until the page shows the response to its last request."""
        self.wait(lambda: not self.is_busy(), "a response")
        assert self.all("#outcome > *") and not self.all("#outcome.stale"), self.text("#source")

    def wait_for_output(self):
        """Waits for the first output of a new image."""
        self.wait(lambda: self.all("#outcome img"), "the result")
        self.answered()

    def change(self, action):
        """Performs an action that makes the page send a request, and waits for the response."""
        action()
        self.answered()

    def upload(self, path):
        self.at("#file").send_keys(str(path))

    def open_group(self, name):
        """Opens the group of a control, and scrolls to the control."""
        self.run("""
            const control = document.querySelector(`[name="${arguments[0]}"]`);
            control.closest('details').open = true;
            control.scrollIntoView({ block: 'center' });""", name)

    def choose(self, name, word):
        """Selects a word, or enters it if the control also accepts other values."""
        if self.at(f"[name={name}]").tag_name == "input":
            return self.type(name, word)
        self.open_group(name)
        self.change(lambda: Select(self.at(f"[name={name}]")).select_by_visible_text(word))
        return None

    def enter(self, name, text):
        self.open_group(name)
        field = self.at(f"[name={name}]")
        if self.run("return arguments[0].value", field):
            field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text)

    def type(self, name, text):
        self.change(lambda: self.enter(name, text))

    def drop(self, script, kind="drop"):
        """Drops or pastes the content that a script adds to `data`, a DataTransfer; the script may await."""
        self.browser.execute_async_script(f"""
            const done = arguments[0];
            (async () => {{
              const data = new DataTransfer();
              {script}
              const event = '{kind}' === 'drop' ? new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }})
                : new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true }});
              document.body.dispatchEvent(event);
              done();
            }})();""")

    # Visible content

    def hash(self):
        return self.run("return decodeURIComponent(location.hash)")

    def result_size(self):
        return self.run("const { naturalWidth: w, naturalHeight: h } = document.querySelector('#outcome img'); return [w, h]")

    def pixels(self):
        """Returns the output, reduced to 16 × 16 pixels, as bytes."""
        return self.run("""
            const canvas = new OffscreenCanvas(16, 16), context = canvas.getContext('2d');
            context.drawImage(document.querySelector('#outcome img'), 0, 0, 16, 16);
            return [...context.getImageData(0, 0, 16, 16).data];""")

    def form(self, title):
        """Returns the text of one tab with text to copy."""
        tab = next(each for each in self.all("#tabs button") if each.text == title)
        self.run("arguments[0].scrollIntoView({ block: 'center' })", tab)
        tab.click()
        self.wait(lambda: self.at("#snippet").get_attribute("aria-labelledby") == tab.get_attribute("id")
                  and self.all("#snippet > *"), title)
        if title == "HTML":
            self.wait(lambda: "<" in self.text("#snippet"), title)
        return self.text("#snippet pre")


SCENE = service.IMAGES / "scene.jpg"

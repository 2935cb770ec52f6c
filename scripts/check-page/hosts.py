"""Checks the use of a service from pages of other hosts: Dropzone uploads, logins, and pasted HTML."""
import contextlib
import http.server
import socketserver
import threading
import urllib.request

import service
from browser import SCENE

# The default request of Dropzone: a form, and three header fields.
DROPZONE = """
    const [address, extra, credentials, done] = arguments;
    (async () => {
      const canvas = new OffscreenCanvas(64, 48);
      canvas.getContext('2d').fillRect(0, 0, 64, 48);
      const form = new FormData();
      for (const [name, value] of Object.entries(extra)) form.append(name, value);
      form.append('image', await canvas.convertToBlob(), 'photo.png');
      const request = new XMLHttpRequest();
      request.open('POST', address);
      request.withCredentials = credentials;
      request.setRequestHeader('Accept', 'application/json');
      request.setRequestHeader('Cache-Control', 'no-cache');
      request.setRequestHeader('X-Requested-With', 'XMLHttpRequest');
      request.setRequestHeader('X-CSRF-Token', 'token');
      request.setRequestHeader('X-File-Name', 'photo.png');
      request.onload = () => done([request.status, request.getResponseHeader('Content-Type')]);
      request.onerror = () => done([0, 'the browser rejected the response']);
      request.send(form);
    })();"""
FETCH = """
    const [address, done] = arguments;
    fetch(address, { credentials: 'include', cache: 'no-store' })
      .then((response) => done([response.status, response.headers.get('Cache-Status') ?? '']), (error) => done([0, String(error)]));"""


class Host(http.server.BaseHTTPRequestHandler):
    """A page of another host."""

    body = "<!doctype html><title>Another host</title><link rel=icon href='data:,'>"

    def do_GET(self):
        content = self.body.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def host(body=Host.body):
    """Serves a page at another origin; returns its address."""
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), type("Page", (Host,), {"body": body}))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def served(page, *options):
    """Starts a service with other options, from the same build as the service under test."""
    started = service.Service(page.executable, "--allow-private-sources", *options)
    try:
        yield started
    finally:
        started.stop()


def rule_dropzone_on_another_origin_uploads_and_receives_an_image(page, _):
    with host() as other, served(page, "--cors-origins", other) as tried:
        page.browser.get(other)
        for extra, kind in [({"aspect": "1:1"}, "image/"), ({"format": "json"}, "application/json")]:
            status, found = page.browser.execute_async_script(DROPZONE, f"{tried.base}/frame", extra, False)
            assert status == 200 and found.startswith(kind), (extra, status, found)


def rule_the_browser_rejects_header_fields_that_are_not_allowed(page, _):
    with host() as other, served(page, "--cors-origins", other, "--cors-headers", "none") as tried:
        page.browser.get(other)
        status, _ = page.browser.execute_async_script(DROPZONE, f"{tried.base}/frame", {}, False)
        assert status == 0, status
        # Chromium reports the rejected preflight on the console.
        page.browser.get_log("browser")


def rule_a_page_sends_credentials_only_if_they_are_allowed(page, origin):
    for options, expected in [(["--cors-credentials"], 200), ([], 0)]:
        with host() as other, served(page, "--cors-origins", other, *options) as tried:
            page.browser.get(other)
            target = f"{tried.base}/frame?aspect=1:1&width=40&url={origin}/scene.jpg"
            responses = [page.browser.execute_async_script(FETCH, target) for _ in range(2)]
            assert [status for status, _ in responses] == [expected, expected], responses
            status, _ = page.browser.execute_async_script(DROPZONE, f"{tried.base}/frame", {}, True)
            assert status == expected, status
            if expected:
                assert "hit" in responses[1][1], responses
        page.browser.get_log("browser")


def rule_the_generated_html_shows_its_images_on_another_host(page, origin):
    port = service.free_port()
    address = f"http://127.0.0.1:{port}"
    with served(page, "--port", str(port), "--public-url", address):
        target = f"{address}/frame?aspect=16:9,1:1&format=html&url={origin}/scene.jpg"
        html = urllib.request.urlopen(target).read().decode()
        with host(f"{Host.body}{html}") as other:
            page.browser.get(other)
            loaded = "const [image] = document.images; return image.complete && image.naturalWidth"
            page.wait(lambda: page.run(loaded), "the image")
            assert page.run("return document.images[0].currentSrc").startswith(f"{address}/frame?")
        page.browser.get(f"{address}/#sample=scene&aspect=1:1")
        page.answered()
        assert page.at("#base").get_attribute("value") == address
        assert page.form("URL").startswith(f"{address}/frame?"), page.form("URL")


def rule_an_empty_file_is_reported_and_clears_the_page(page, _):
    page.open()
    page.drop("data.items.add(new File([], 'nothing.jpg', { type: 'image/jpeg' }));")
    page.wait(lambda: "nothing.jpg is empty" in page.text("#source-problem"), "the message")
    assert not page.at("#work").is_displayed() and not page.at("#outcome").is_displayed()
    assert SCENE.exists()


def rule_a_first_visit_shows_a_visible_crop(page, _):
    page.open()
    page.at("#sample").click()
    page.wait_for_output()
    assert "aspect=1:1" in page.hash() or page.all("[data-shape='1:1'][aria-pressed=true]"), page.hash()
    width, height = page.result_size()
    assert width == height, (width, height)


def rule_the_keyboard_sets_the_focal_point(page, _):
    page.open("#sample=scene&aspect=1:1")
    page.change(lambda: page.run("const b = document.querySelector('#focal-hint button'); b.focus(); b.click();"))
    assert "point:0.5,0.5" in page.hash(), page.hash()
    assert page.run("return document.activeElement.id") == "focal"


def rule_the_pages_behind_the_links_are_rendered_and_accessible(page, _):
    page.open()
    links = [each.get_attribute("href") for each in page.all("nav a") if each.get_attribute("href").endswith(".md")]
    assert len(links) == 4, links
    for link in links:
        page.browser.get(link)
        assert page.all("main h2") and page.all("main table"), link
        assert "](" not in page.text("main") and "| ---" not in page.text("main"), link
        page.check_accessibility()

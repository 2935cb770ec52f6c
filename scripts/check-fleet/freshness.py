"""Checks how seven proxies apply Headroom's freshness and tags: fresh as configured, purged by each tag header, and browser copies
no older than their own setting.

Each proxy has its own service, whose counters show which requests reached it.
"""
import dataclasses
import hashlib
import re
import time
from concurrent.futures import ThreadPoolExecutor

import fleet
import service

HEADERS = ["Cache-Tag", "Surrogate-Key", "xkey", "Edge-Cache-Tag"]
SECRET = "0123456789abcdef0123456789abcdef"
BROWSER, SHARED = 2, 6
OPTIONS = [
    "--cache-control-crops", f"max-age={BROWSER}, s-maxage={SHARED}, stale-while-revalidate=0",
    "--cache-control-versioned", "max-age=600, immutable", "--cache-control-missing", "max-age=3",
    "--cache-control-errors", "max-age=3", "--cache-tag-headers", ",".join(HEADERS),
]
PRESETS = "short:\n  width: 80\n  cache-control-crops: max-age=1, s-maxage=3\n"


@dataclasses.dataclass
class Kind:
    """A kind of response: its request, its expected status and freshness in seconds."""

    name: str
    target: str
    browser: int
    shared: int
    status: int = 200


# The times of the requests in seconds: within and after each freshness.
MOMENTS = [0, 1.5, 4.5, 8]


def kinds(origin, name):
    def target(path, image, query):
        return f"{path}?url={origin}/{name}-{image}&{query}"

    crop = "aspect=1:1&width=100&accuracy=low&format=webp"
    return [
        Kind("crop", target("/frame", "crop", crop), BROWSER, SHARED),
        Kind("version", target("/frame", "version", crop + "&v=1"), 600, 600),
        Kind("preset", target("/preset/short", "preset", "aspect=1:1&accuracy=low&format=webp"), 1, 3),
        Kind("maxAge", target("/frame", "limited", crop + "&maxAge=3"), BROWSER, 3),
        Kind("missing", target("/frame", "missing", crop), 3, 3, 404),
        Kind("error", target("/frame", "error", "aspect=nonsense"), 3, 3, 400),
    ]


def directives(fields):
    """Returns the directives of Cache-Control by name."""
    text = ", ".join(fields.get_all("Cache-Control", []))
    return {name: value for name, _, value in (part.strip().partition("=") for part in text.split(","))}


def lifetime(fields):
    """Returns for how many seconds a browser may use a response (RFC 9111 §4.2), less its age on arrival."""
    return int(directives(fields).get("max-age", 0)) - int(fields.get("Age") or 0)


class Browser:
    """A client with a private cache."""

    def __init__(self, port):
        self.port, self.copies = port, {}

    def get(self, target):
        end, body = self.copies.get(target, (0, b""))
        if time.monotonic() >= end:
            status, fields, body = service.ask(self.port, target)
            assert status == 200, f"{status} {body[:200]!r}"
            self.copies[target] = (time.monotonic() + lifetime(fields), body)
        return body


class Site:
    """A proxy with its own service, and the images of an origin."""

    def __init__(self, kind, headroom, folder, files):
        self.name, self.files = kind.__name__.lower(), files
        secrets, presets = folder / f"{self.name}-secrets", folder / f"{self.name}-presets"
        secrets.write_text(SECRET + "\n")
        presets.write_text(PRESETS)
        self.origin = service.origin_of(files)
        self.replica = fleet.Replica(headroom, *OPTIONS, "--purge-secrets-file", secrets, "--presets", presets)
        self.proxy = kind(folder / self.name, self.replica.port)

    def url(self, image):
        return f"{self.origin}/{self.name}-{image}"

    def draw(self, image, name):
        self.files[f"{self.name}-{image}"] = service.with_comment((service.IMAGES / name).read_bytes(), self.name + image)

    def reached(self):
        """The number of requests for images that the service has completed."""
        return sum(value for name, value in self.replica.metrics().items()
                   if re.match(r'headroom_http_requests_total\{route="(frame|preset)"', name))

    def ask(self, target):
        """Returns a response of the proxy, and whether the request reached the service."""
        before = self.reached()
        response = service.ask(self.proxy.port, target)
        # A request that a proxy makes in the background, after its response.
        time.sleep(0.05)
        return *response, self.reached() > before

    def purge_service(self, image):
        """Removes an image from the service's own caches."""
        query = f"/purge?url={self.url(image)}"
        status, _, body = service.ask(self.replica.port, query, b"", {"Authorization": f"Bearer {SECRET}"})
        assert status == 200, f"{status} {body!r}"


def fresh(site):
    """Requests all kinds of responses at some times, and returns the kinds that the proxy stored.

    Caches count whole seconds, so a freshness may end up to a second earlier or later.
    """
    for image in ("crop", "version", "preset", "limited", "error"):
        site.draw(image, "scene.jpg")
    tried, stored, fetched = kinds(site.origin, site.name), set(), {}
    for kind in tried:
        # The service's own caches, so that the first response through the proxy is fast.
        service.ask(site.replica.port, kind.target)
    begin = time.monotonic()
    for moment in MOMENTS:
        time.sleep(max(0, begin + moment - time.monotonic()))
        for kind in tried:
            start = time.monotonic()
            status, fields, body, was_asked = site.ask(kind.target)
            end, said = time.monotonic(), f"{kind.name} ({status})"
            assert status == kind.status, f"{said}: {body[:200]!r}"
            found = directives(fields)
            assert "public" in found and int(found["max-age"]) == min(kind.browser, kind.shared), f"{said}: {found}"
            assert int(found.get("s-maxage", kind.shared)) == kind.shared, f"{said}: {found}"
            assert lifetime(fields) <= kind.browser, f"{said}: a browser keeps it for {lifetime(fields)} s"
            if was_asked:
                if kind.name in fetched and status in site.proxy.stores | {200}:
                    age = end - fetched[kind.name][0]
                    assert age >= kind.shared - 1, f"{said}: requested again after {age:.1f} of {kind.shared} s"
                fetched[kind.name] = (start, end)
            else:
                assert kind.name in fetched, f"{said}: was never requested"
                age = start - fetched[kind.name][1]
                assert age <= kind.shared + 1, f"{said}: served after {age:.1f} of {kind.shared} s"
                stored.add(kind.name)
    return stored


def purged(site, header):
    """Replaces an image, and purges it by its tag; another image stays cached."""
    crop, other = f"purged-{header.lower()}", "crop"
    target = f"/frame?url={site.url(crop)}&aspect=1:1&width=100&accuracy=low&format=webp&v=1"
    kept = f"/frame?url={site.url(other)}&aspect=1:1&width=100&accuracy=low&format=webp&v={header}"
    for tag in (f"source-{hashlib.sha256(site.url(crop).encode()).hexdigest()[:16]}", "host-127.0.0.1"):
        site.draw(crop, "scene.jpg")
        site.purge_service(crop)
        site.proxy.purge(header, tag)
        _, fields, old, _ = site.ask(target)
        assert tag in re.split("[ ,]", fields[header]), f"{header}: {fields[header]}"
        site.ask(kept)
        site.draw(crop, "portrait.jpg")
        site.purge_service(crop)
        assert site.ask(target)[2] == old, f"{header}: the crop was not cached"
        site.proxy.purge(header, tag)
        assert site.ask(target)[2] != old, f"{header}: the old crop was served after the purge of {tag}"
        assert site.ask(kept)[3] == tag.startswith("host-"), f"{header}: a purge of {tag} and another image"
    return header


def renewed(site):
    """Replaces an image whose crop a browser has, purges the caches that can be purged, and returns how long old crops were seen."""
    target = f"/frame?url={site.url('seen')}&aspect=1:1&width=100&accuracy=low&format=webp"
    site.draw("seen", "scene.jpg")
    browser = Browser(site.proxy.port)
    old = browser.get(target)
    site.draw("seen", "portrait.jpg")
    site.purge_service("seen")
    begin = time.monotonic()
    if site.proxy.by_tag:
        tag = f"source-{hashlib.sha256(site.url('seen').encode()).hexdigest()[:16]}"
        site.proxy.purge(site.proxy.headers[0], tag)
    limit = BROWSER if site.proxy.by_tag else SHARED + BROWSER
    while browser.get(target) == old:
        assert time.monotonic() < begin + limit + 1.5, f"a browser shows the old crop after {limit} s"
        time.sleep(0.2)
    return time.monotonic() - begin


def checks(kinds_of_proxies, headroom, folder):
    """One check per proxy; all proxies are checked at the same time."""
    sites = [Site(kind, headroom, folder, {}) for kind in kinds_of_proxies]

    def check(site):
        with fleet.running(site.replica, site.proxy):
            stored = fresh(site)
            tags = [purged(site, header) for header in site.proxy.headers] if site.proxy.by_tag else []
            age = renewed(site)
        return (f"stored {', '.join(sorted(stored))}; purged by {', '.join(tags) or 'no tag'}; "
                f"a browser showed a replaced image for {age:.1f} s")

    pool = ThreadPoolExecutor(2)
    running = {site.proxy.name: pool.submit(check, site) for site in sites}
    return {f"freshness behind {name}": future.result for name, future in running.items()}

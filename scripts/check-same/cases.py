"""The requests of check-same; they are the same in each run, except for the port of the origin."""
import base64
import dataclasses
import hashlib
import hmac
import itertools
import re
import urllib.parse

SECRET = "check-same-has-a-secret-of-forty-characters"
#: Settings of the second pair of services, which reject unsigned requests.
KEYS = {
    "HEADROOM_SIGNING_KEYS": "0b" * 32, "HEADROOM_BEARER_SECRETS": SECRET, "HEADROOM_THUMBOR_KEY": SECRET,
    "HEADROOM_IMGPROXY_KEY": "0a1b" * 8, "HEADROOM_IMGPROXY_SALT": "c2d3" * 8, "HEADROOM_IMGIX_TOKEN": SECRET,
    "HEADROOM_CLOUDINARY_SECRET": SECRET, "HEADROOM_CORS_ORIGINS": "https://a.example",
    "HEADROOM_CACHE_CONTROL": "origin",
}
RESULTS = ["auto", "source", "jpeg", "png", "webp", "avif", "gif", "json", "focus", "debug", "html", "zip", "multipart"]
OPTIONS: list[dict] = [
    {}, {"quality": 40}, {"maxBytes": 6000}, {"chroma": "444", "progressive": "true"}, {"lossless": "true"},
    {"filter": "sepia,sharpen:1.5"}, {"fit": "pad", "background": "blur"}, {"redact": "blur"}, {"overlay": "glasses"},
    {"key": "auto", "backdrop": "0044cc"}, {"rotate": 90, "flip": "both", "profile": "keep"},
]
ACCEPTED = ["image/*", "image/avif,image/webp,*/*;q=0.8", "application/json", "image/png;q=0.9,image/gif", "text/html", ""]
#: Parameters that a parameter requires.
NEEDED = {"tolerance": {"key": "00ff00"}, "spill": {"key": "00ff00"}, "backdrop": {"key": "00ff00"}, "eyes": {"align": "eyes"},
          "backdropUrl": {"key": "00ff00"}, "redactFaces": {"redact": "fill"}, "redactShape": {"redact": "fill"}, "redactAreas": {"redact": "fill"}, "background": {"fit": "pad"}}
PROBLEMS = [
    "/frame", "/frame?url=nothing", "/frame?aspect=wide", "/frame?colour=red", "/frame?width=1&width=2", "/frame?width=0",
    "/frame?aspect=1:1,2:1", "/frame?gravity=nobody", "/frame?zoom=2&padding=-1&quality=900", "/faces/0", "/faces/99",
    "/faces/x", "/faces?aspect=1:1", "/nothing", "/frame/", "/stream", "/playground/none.js", "/%zz", "/frame?%ff=%zz",
    "/frame?url=http%3A%2F%2F[%3A%3A1&aspect=1:1", "/frame?url=ftp%3A%2F%2Fexample.com%2Fa", "/frame?url=s3%3A%2F%2Fa%2Fb",
    "/thumbor/unsafe/", "/imgproxy/_/rs:what:1/plain/a", "/imgix/none/a.jpg", "/cloudinary/image/what/a", "/cdn-cgi/image/x",
]
STATIC = ["/", "/healthz", "/readyz", "/openapi.yaml", "/playground/script.js", "/playground/style.css", "/favicon.ico"]
GRAMMARS = {
    "/thumbor/unsafe/{}/{plain}": [
        "300x200", "300x200/smart", "fit-in/200x200", "-120x-90", "10x20:300x200/100x100", "200x/left/top", "0x120",
        "full-fit-in/100x140", "meta/200x200/smart", "100x100/filters:quality(60):format(webp)", "trim/90x90", "bad/90x90",
        "100x100/filters:fill(red):rotate(90)", "100x100/filters:focal(5x5:60x70)", "80x80/filters:watermark(a,1,1,1)"],
    "/imgproxy/_/{}/plain/{plain}": [
        "rs:fill:300:200/g:sm", "rs:fit:200:200", "rs:force:90:120", "rs:fill-down:900:600/el:1", "w:120/h:80/dpr:2",
        "c:200:150:nowe/w:100", "s:90:90/ex:1/bg:ff0000", "q:30/w:200/f:webp", "bl:4/w:100", "pr:small", "pr:none", "mb:5000",
        "g:fp:0.2:0.8/rs:fill:100:100", "rot:90/fl:1:0/w:90", "sh:2/w:90", "wm:1/w:90", "kcr:1/w:90", "exp:1/w:90"],
    "/imgix/shop/{name}?{}": [
        "w=300&h=200&fit=crop&crop=faces", "w=200&fit=max", "ar=4:5&fit=crop&w=200", "w=100&h=150&fit=fill&bg=f00",
        "w=200&h=200&fit=facearea&facepad=2", "rect=10,20,300,200&w=90", "fm=webp&q=40&w=120", "fm=json", "w=90&dpr=2",
        "w=120&h=90&fit=clamp", "w=90&rot=90&flip=h", "w=90&blur=20", "w=wide", "trim=auto&w=90", "w=100&h=100&fit=scale",
        "w=100&crop=focalpoint&fp-x=0.1&fp-y=0.9&fit=crop&h=50", "auto=format&w=90", "w64=OTA", "w=90&sharp=4"],
    "/cloudinary/image/fetch/{}/{plain}": [
        "c_fill,g_face,w_300,h_200", "c_fill,g_auto,w_90,h_90/q_40", "w_200", "c_fit,w_90,h_90", "c_pad,b_red,w_90,h_120",
        "c_thumb,g_face,w_90,h_90,z_0.8", "c_crop,x_10,y_20,w_300,h_200/w_90,c_scale", "ar_16:9,c_fill,w_160", "f_webp,w_90",
        "c_limit,w_5000", "c_lfill,w_90,h_900", "a_90,w_90", "e_sepia,w_90", "c_fill,g_north,w_90,h_30", "w_wide", "dpr_2,w_45"],
    "/cdn-cgi/image/{}/{plain}": [
        "width=300,height=200,fit=cover,gravity=face", "w=200", "w=90,h=90,fit=pad,background=red", "w=90,h=90,fit=contain",
        "w=90,h=120,fit=squeeze", "w=900,h=90,fit=crop", "w=90,format=json", "w=90,f=webp,q=low", "w=90,rotate=90,flip=h",
        "w=90,brightness=1.2,contrast=0.8", "w=90,blur=9", "w=x", "w=90,h=90,fit=aspect-crop,gravity=0.2x0.9",
        "trim.left=40,w=90", "w=90,sharpen=1,onerror=redirect", "anim=false,w=90", "w=90,colour=red"],
}


@dataclasses.dataclass
class Case:
    target: str
    method: str = "GET"
    body: bytes | None = None
    headers: dict = dataclasses.field(default_factory=dict)

    def __str__(self):
        sent = f", {len(self.body)} bytes" if self.body is not None else ""
        return f"{self.method} {self.target[:150]}{sent}{f' {self.headers}' if self.headers else ''}"


def target(route, **parameters):
    return route + "?" + urllib.parse.urlencode(parameters)


def documented(text):
    """Returns names and values of the parameters in openapi.yaml: examples and enumerated words."""
    parts = dict(re.findall(r"^  (parameters|schemas):\n(.*?)(?=^  \w+:$|\Z)", text, re.MULTILINE | re.DOTALL))
    schemas, parameters = (dict(re.findall(r"^    (\w+):(.*?)(?=^    \S|\Z)", parts[part], re.MULTILINE | re.DOTALL))
                           for part in ("schemas", "parameters"))
    for key, block in parameters.items():
        name = re.findall(r"name: (\S+)", block)[0]
        values = re.findall(r"(?:example|value): ('[^']*'|[^\s}]+)", block)
        schema = schemas.get((re.search(r"\$ref: '#/components/schemas/(\w+)'", block) or [0, ""])[1], "")
        for listed in re.findall(r"enum: \[(.*?)\]", schema):
            values += listed.split(", ")
        values += re.findall(r"^ +- ([\w-]+)$", schema, re.MULTILINE)
        for value in dict.fromkeys(value.strip("'") for value in values):
            yield key, name, value


def parameters(text, source):
    """Yields each documented value, with a route that accepts it."""
    for key, name, value in documented(text):
        route = "/faces" if key.startswith("facesF") else "/frame"
        if (key.startswith("face") and key != "facesFormat") or name in ("upright", "align", "eyes"):
            route = "/faces/1"
        if not key.startswith("stream") and name not in ("url", "lookAhead"):
            shape = {} if route == "/faces" else {"height": 120}
            sent = {"url": source, **shape, **NEEDED.get(name, {}), name: source if name == "backdropUrl" else value}
            yield Case(target(route, **sent))


def results(body):
    """Yields every format with every group of options."""
    for result, options in itertools.product(RESULTS, OPTIONS):
        yield Case(target("/frame", aspect="3:4", width=150, format=result, **options), "POST", body)
    for accepted in ACCEPTED:
        yield Case("/frame?aspect=1:1&width=90", "POST", body, {"Accept": accepted})
        yield Case("/faces", "POST", body, {"Accept": accepted})
    for number, result, in itertools.product([1, 2, 3], ["auto", "png", "avif", "json"]):
        yield Case(target(f"/faces/{number}", format=result, width=80), "POST", body)
    for result in ["zip", "multipart"]:
        yield Case(target("/faces", format=result, align="eyes", width=64), "POST", body)
    yield Case(target("/frame", format="json", aspect="1:1,16:9,2:3,21:9"), "POST", body)
    form = b'--x\r\nContent-Disposition: form-data; name="width"\r\n\r\n90\r\n--x\r\nContent-Disposition: form-data; ' \
           b'name="image"; filename="a"\r\n\r\n' + body + b"\r\n--x--\r\n"
    yield Case("/frame", "POST", form, {"Content-Type": "multipart/form-data; boundary=x"})


def sources(images):
    """Yields requests for every image unchanged, cropped, and as a plan; animations also in each format."""
    for name, body in images.items():
        wanted: list[dict] = [{"format": "json"}, {"aspect": "1:1", "width": 120}]
        if name.startswith("moving"):
            wanted += [{"width": 60, "format": result} for result in RESULTS[2:8]]
            wanted += [{"width": 60, "motion": "follow", "aspect": "1:1"}, {"width": 60, "redact": "fill"}]
        yield from (Case(target("/frame", **sent), "POST", body) for sent in wanted)
        if name in ("scene.jpg", "moving.apng"):
            yield from (Case("/frame?width=50", "POST", body[:len(body) * part // 8]) for part in range(8))


def problems(source, body):
    """Yields requests for errors of every kind, and for methods."""
    yield from map(Case, PROBLEMS)
    for path in ["absent.jpg", "text.jpg", "broken.jpg", "moved.jpg", "loop.jpg", "failing.jpg"]:
        yield Case(target("/frame", url=source.rpartition("/")[0] + "/" + path, width=40))
    for method, path in itertools.product(["PUT", "DELETE", "OPTIONS", "HEAD"], ["/frame", "/faces", "/healthz", "/nothing"]):
        yield Case(path, method)
    yield from (Case("/frame?width=50", "POST", sent) for sent in [b"", b"no image", bytes(99), body + b"more", b"<svg/>"])
    for kind, sent in [("application/json", b'{"width":"x"}'), ("application/json", b"{"), ("text/plain", body), (
            "application/json", b'{"url":"%s","width":70}' % source.encode()), ("multipart/form-data", body)]:
        yield Case("/frame", "POST", sent, {"Content-Type": kind})
    for header in [{"Expect": "200-ok"}, {"Range": "bytes=0-9"}, {"Headroom-Fetch": "1"}, {"Accept-Encoding": "gzip, br"}]:
        yield Case(target("/frame", url=source, width=90), headers=header)


def grammars(base, name):
    """Yields URLs of other services."""
    for form, paths in GRAMMARS.items():
        for path in paths:
            yield Case(form.format(path, plain=f"{base}/{name}", name=name))


def digits(digest):
    """Returns a digest in URL-safe Base64."""
    return base64.urlsafe_b64encode(digest).decode()


def protected(base, name, sign):
    """Yields requests to a service with keys: signed, unsigned, and for other origins."""
    source = f"{base}/{name}"
    for route, more in [("/frame", {"aspect": "1:1", "width": 70}), ("/faces", {}), ("/faces/1", {"width": 50, "v": "2"})]:
        path = target(route, url=source, **more)
        yield from map(Case, [path, sign(path), sign(path) + "0", sign(path).replace("url=", "url=x")])
        yield from (Case(path, headers={"Authorization": f"Bearer {secret}"}) for secret in (SECRET, "none"))
        for origin, method in itertools.product(["https://a.example", "https://b.example"], ["GET", "OPTIONS"]):
            yield Case(sign(path), method, headers={"Origin": origin, "Access-Control-Request-Method": "GET"})
    rest = f"90x90/smart/{source}"
    yield Case(f"/thumbor/{digits(hmac.digest(SECRET.encode(), rest.encode(), 'sha1'))}/{rest}")
    key, salt = (bytes.fromhex(KEYS[f"HEADROOM_IMGPROXY_{part}"]) for part in ("KEY", "SALT"))
    rest = f"/rs:fill:90:90/plain/{source}"
    yield Case(f"/imgproxy/{digits(hmac.digest(key, salt + rest.encode(), 'sha256')).rstrip('=')}{rest}")
    yield Case(f"/imgix/shop/{name}?w=90&s=" + hashlib.md5(f"{SECRET}/{name}?w=90".encode()).hexdigest())
    rest = f"c_fill,w_90,h_90/{source}"
    yield Case(f"/cloudinary/image/fetch/s--{digits(hashlib.sha1((rest + SECRET).encode()).digest())[:8]}--/{rest}")
    for form, paths in GRAMMARS.items():
        yield Case(form.format(paths[0], plain=source, name=name))

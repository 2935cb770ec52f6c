"""thumbor: URLs of libthumbor, compared with thumbor itself."""
import base64
import contextlib
import hmac
import random
import subprocess
import sys

import service
from hosted import IMAGES
from libthumbor import CryptoURL

KEY = "MY_SECURE_KEY"
VARIABLES = {"HEADROOM_THUMBOR_KEY": KEY}
SIDES = [0, 16, 24, 30, 50, 100, 101, 150, 200, 255, 300, 333, 451, 640, 700, 1000]
FITS = ["fit_in", "full_fit_in", "adaptive_fit_in", "adaptive_full_fit_in", "fit_in"]
FILTERS = [
    "quality(60)", "format(jpeg)", "format(webp)", "format(png)", "fill(red)", "fill(00ff00)", "no_upscale()",
    "strip_icc()", "rotate(90)", "rotate(270)", "focal(5x5:60x70)", "background_color(blue)", "max_bytes(20000)", "quality(90)",
]
#: URLs that libthumbor cannot create, and does not sign: unusual sizes, parts in another order, invalid sources.
FIXED = [
    "300x200", "0x0", "x", "300x", "x200", "1x0", "0x1", "origx0", "origxorig", "2000x10",
    "fit-in/300x200", "fit-in/5000x5000", "full-fit-in/300x300", "adaptive-fit-in/100x300",
    "adaptive-full-fit-in/100x300", "fit-in/300x0", "fit-in/0x77", "-300x-200", "-0x-0", "-0x0", "fit-in/-200x-100",
    "10x10:100x60", "10x10:100x60/50x50", "0x0:5000x5000/100x100", "50x50:10x10", "trim", "trim:top-left:20",
    "300x200/left/top", "300x200/right/bottom/smart", "smart", "meta/300x200", "debug/300x200",
    "1000x1000/filters:no_upscale()", "300x50/filters:no_upscale()", "fit-in/300x300/filters:fill(red)",
    "fit-in/300x300/filters:fill(blur)", "fit-in/300x100/filters:fill(0af)", "300x200/filters:rotate(90)",
    "filters:rotate(180)", "filters:rotate(45)", "300x200/filters:quality(40):format(webp)", "filters:format(tiff)",
    "300x200/filters:focal(10x10:50x60)", "300x200/filters:background_color(fff)", "filters:quality(x)",
    "300x200/filters:stretch()", "100x100/filters:strip_icc():strip_exif()", "100x100/filters:max_bytes(3000)",
    "fit-in/1000x900/filters:upscale()",
]


@contextlib.contextmanager
def running(folder):
    """Runs thumbor on a free port; returns its base URL."""
    port = str(service.free_port())
    configuration = folder / "thumbor.conf"
    configuration.write_text(
        f"SECURITY_KEY = '{KEY}'\nSTORAGE = 'thumbor.storages.no_storage'\nAUTO_WEBP = False\n"
        "DETECTORS = []\nMAX_AGE = 0\nHTTP_LOADER_CONNECT_TIMEOUT = 2\nQUALITY = 80\n")
    program = [sys.executable, "-W", "ignore", "-c", "from thumbor.server import main; main()"]
    with subprocess.Popen([*program, "-p", port, "-i", "127.0.0.1", "-c", configuration, "-l", "critical"],
                          stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        try:
            service.await_port(port, "thumbor")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def options(chance):
    """Returns options of one URL, in the form that libthumbor accepts."""
    chosen = {"halign": chance.choice(["left", "center", "right"]),
              "valign": chance.choice(["top", "middle", "bottom"]),
              "smart": chance.random() < 0.3, "flip": chance.random() < 0.15, "flop": chance.random() < 0.15,
              "filters": [text for text in FILTERS if chance.random() < 0.06]}
    if chance.random() < 0.85:
        chosen["width"], chosen["height"] = chance.choice(SIDES), chance.choice(SIDES)
    if chance.random() < 0.25 and (chosen.get("width") or chosen.get("height")):
        chosen[chance.choice(FITS)] = True
    if chance.random() < 0.2:
        left, top = chance.randrange(60), chance.randrange(60)
        chosen["crop"] = ((left, top), (left + chance.randrange(1, 400), top + chance.randrange(1, 300)))
    return chosen


def cases(base, peer, count, seed):
    """Returns fixed URLs for some images, generated URLs, and sources that are not images; thumbor gets the same URLs."""
    rests = [f"{part}/{base}/{name}" for name in ["wide.jpg", "small.png", "tall.png", "alpha.png"] for part in FIXED]
    rests += [f"100x100/{base}/{name}" for name in ["missing.jpg", "text.jpg"]]
    digests = [base64.urlsafe_b64encode(hmac.digest(KEY.encode(), rest.encode(), "sha1")).decode() for rest in rests]
    paths = [f"/{digest}/{rest}" for digest, rest in zip(digests, rests)]
    paths.append(f"/wrong_signature=/100x100/{base}/wide.jpg")
    chance, signer, names = random.Random(seed), CryptoURL(key=KEY), list(IMAGES)
    paths += [signer.generate(image_url=f"{base}/{chance.choice(names)}", **options(chance)) for _ in range(count)]
    for path in paths:
        yield f"/thumbor{path}", (peer, path)

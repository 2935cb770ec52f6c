"""Compares Headroom's URL formats with the services that define them: the status and the size of each output.

    make check-grammars [COUNT=400] [SEED=1]

Starts `headroom serve`, an image origin and thumbor on free ports of this host; it contacts no other host. A case is a
URL with an expected outcome: the response of the real service (thumbor.py), or the status and size according to its
documented rules (imgproxy.py, hosted.py). Prints every difference, and exits 1 if fewer than 97 % of the cases of a URL
format are equal.
"""
import argparse
import http.client
import io
import pathlib
import sys
import tempfile

from PIL import Image, ImageDraw

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "lib"), str(HERE)]
import hosted
import imgproxy
import service
import thumbor
from report import check, end

MIN_FRACTION = 0.97


def drawn_image(name, size):
    """Returns the bytes of an image: a gradient with shapes."""
    width, height = size
    image = Image.linear_gradient("L").resize(size).convert("RGBA" if name == "alpha.png" else "RGB")
    draw = ImageDraw.Draw(image)
    draw.ellipse((width // 4, height // 4, width // 2, height // 2), fill=(200, 40, 40))
    draw.rectangle((width // 2, height // 2, width * 3 // 4, height * 3 // 4), fill=(40, 80, 200))
    data = io.BytesIO()
    image.save(data, "JPEG" if name.endswith(".jpg") else "PNG")
    return data.getvalue()


def fetch(base, path):
    """Returns the status and the size of an image; for JSON, "document" instead of the size."""
    connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    if response.status != 200:
        return response.status, None
    is_document = response.headers.get_content_type() == "application/json"
    return 200, "document" if is_document else Image.open(io.BytesIO(body)).size


def compare(name, cases, base):
    """Checks the fraction of equal cases of one URL format. A case is a path, with its expected outcome or a URL that
    returns it."""
    equal = total = 0
    for path, wanted in cases:
        expected = fetch(*wanted) if isinstance(wanted[0], str) else wanted
        got = fetch(base, path)
        # 501 is a difference, because the URL works in the other service. If the other service fails, a rejection is correct.
        is_equal = expected == got or (expected[0] == 500 and 400 <= got[0] < 500)
        total, equal = total + 1, equal + is_equal
        if not is_equal:
            print(f"  {path}\n    expected {expected}, got {got}")
    check(name, equal >= MIN_FRACTION * total, f"{equal} of {total} equal ({100 * equal / total:.1f} %)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=400, help="number of generated cases of each URL format")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = {name: drawn_image(name, size) for name, size in hosted.IMAGES.items()}
    base = service.origin_of({**files, "text.jpg": b"no image"})
    names = ["thumbor", "imgproxy", *hosted.GRAMMARS]
    started = service.Service(service.EXECUTABLE, "--allow-private-sources", "--url-formats", ",".join(names),
                              **hosted.VARIABLES, **imgproxy.VARIABLES, **thumbor.VARIABLES)
    with tempfile.TemporaryDirectory() as folder, started, thumbor.running(pathlib.Path(folder)) as peer:
        compare("thumbor", thumbor.cases(base, peer, options.count, options.seed), started.base)
        compare("imgproxy", imgproxy.cases(base, options.count, options.seed), started.base)
        for name in hosted.GRAMMARS:
            compare(name, hosted.cases(name, base, options.count, options.seed), started.base)
    end(*(["the service ended with an error"] if started.process.returncode else []))


if __name__ == "__main__":
    main()

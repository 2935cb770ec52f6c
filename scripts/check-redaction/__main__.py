"""Redacts the images of a folder, and counts the faces that two detectors find in the redacted heads.

Every image is redacted in each style, at widths of 200 and 800 pixels and at full size. headroom searches the outputs with
--accuracy high, and OpenCV searches them with its cascades for frontal faces (default, alt2) and profiles, also mirrored. A
detection counts if most of its box is inside the area of a redacted head.

    scripts/check-redaction FOLDER [--headroom PROGRAM] [--sample N]
"""

import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import cv2

STYLES = ["blur", "pixelate", "fill"]
WIDTHS = [200, 800, None]
SUFFIXES = {".jpg", ".jpeg", ".png", ".webp"}
# The size of redacted areas relative to heads.
REACH = 1.19
CASCADES = ["haarcascade_frontalface_default", "haarcascade_frontalface_alt2", "haarcascade_profileface"]
# The results of the cascades do not depend on the scale, but their duration does.
MAX_SIDE = 300
SMALLEST_FACE = 20


def faces(program, paths):
    """Returns the faces of each image by its path."""
    command = [program, "faces", "--json", "--accuracy", "high", *map(str, paths)]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return {document["file"]: document for document in map(json.loads, output.splitlines()) if "faces" in document}


def masks(document, scale):
    """Returns the rectangles around the redacted heads of an image, as left, top, right, bottom."""
    for face in document["faces"]:
        head = face["head"]
        x, y = head["x"] + head["width"] / 2, head["y"] + head["height"] / 2
        across, down = head["width"] / 2 * REACH, head["height"] / 2 * REACH
        yield [edge * scale for edge in (x - across, y - down, x + across, y + down)]


def lies_mostly(box, mask):
    """Returns whether most of a box (x, y, width, height) is inside a redacted area."""
    x, y, width, height = box
    across = min(x + width, mask[2]) - max(x, mask[0])
    down = min(y + height, mask[3]) - max(y, mask[1])
    return across > 0 and down > 0 and across * down > 0.5 * width * height


def cascade_faces(cascades, grey, mask):
    """Returns the names of the cascades that find a face in a redacted area."""
    height, width = grey.shape
    across, down = (mask[2] - mask[0]) / 4, (mask[3] - mask[1]) / 4
    left, top = max(0, int(mask[0] - across)), max(0, int(mask[1] - down))
    right, bottom = min(width, int(mask[2] + across) + 1), min(height, int(mask[3] + down) + 1)
    part = grey[top:bottom, left:right]
    if part.size == 0:
        return []
    shrink = max(1, max(part.shape) / MAX_SIDE)
    part = cv2.resize(part, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    if min(part.shape) < SMALLEST_FACE:
        return []
    found = []
    for name, cascade in cascades.items():
        for mirrored in (False, True) if "profile" in name else (False,):
            image = cv2.flip(part, 1) if mirrored else part
            for start, y, w, h in cascade.detectMultiScale(image, 1.1, 3, minSize=(SMALLEST_FACE, SMALLEST_FACE)):
                x = part.shape[1] - start - w if mirrored else start
                box = (left + x * shrink, top + y * shrink, w * shrink, h * shrink)
                if lies_mostly(box, mask):
                    found.append(name)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--headroom", default=".build/release/headroom")
    parser.add_argument("--sample", type=int, help="number of images, chosen at random")
    arguments = parser.parse_args()
    cascades = {name: cv2.CascadeClassifier(f"{cv2.data.haarcascades}{name}.xml") for name in CASCADES}
    images = sorted(path for path in arguments.folder.rglob("*") if path.suffix.lower() in SUFFIXES)
    if arguments.sample and arguments.sample < len(images):
        images = sorted(random.Random(1).sample(images, arguments.sample))
    sources = {path: document for path, document in faces(arguments.headroom, images).items() if document["faces"]}
    heads = sum(len(document["faces"]) for document in sources.values())
    print(f"{len(images)} images, {len(sources)} with faces, {heads} heads")
    bad = 0
    for style in [None, *STYLES]:
        for width in WIDTHS:
            counts = check(arguments.headroom, cascades, sources, style, width)
            total = sum(counts.values())
            bad += total if style else 0
            detail = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
            print(f"{style or 'unchanged':9} {width or 'full':>5}: {total:4} found {detail}".rstrip(), flush=True)
    sys.exit(1 if bad else 0)


def check(program, cascades, sources, style, width):
    """Returns the detections in redacted heads, by detector."""
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        results = {}
        for index, (path, document) in enumerate(sources.items()):
            result = pathlib.Path(folder) / f"{index}.png"
            command = [program, "frame", path, "--gravity", "center", "--output", str(result)]
            command += ["--redact", style] if style else []
            command += ["--width", str(width)] if width else []
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"{path}: {done.stderr}")
            grey = cv2.imread(str(result), cv2.IMREAD_GRAYSCALE)
            scale = grey.shape[1] / document["source"]["width"]
            results[str(result)] = (path, list(masks(document, scale)))
            for mask in results[str(result)][1]:
                for name in cascade_faces(cascades, grey, mask):
                    counts[name] += 1
                    if style:
                        print(f"  {name} finds a face in {path} at {[round(edge) for edge in mask]}")
        for result, document in faces(program, results).items():
            path, areas = results[result]
            for face in document["faces"]:
                box = [face["box"][key] for key in ("x", "y", "width", "height")]
                if any(lies_mostly(box, mask) for mask in areas):
                    counts["headroom"] += 1
                    if style:
                        print(f"  headroom finds a face in {path} at {box}")
    return counts


if __name__ == "__main__":
    main()

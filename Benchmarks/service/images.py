"""Images with faces at three sizes, and photos in their original size. The images at three sizes are scaled photos, or
drawn images if no photos are available."""

import json
import shutil
import subprocess

# The number of pixels of each size.
SIZES = {"small": 200_000, "middle": 3_000_000, "large": 12_000_000}
# The number of images of each size.
COUNT = 8
# The highest quality with 4:2:0 in Headroom; cameras write 4:2:0.
QUALITY = 89
# The photos in their original size: the minimum and maximum number of pixels, and the number of photos.
UPLOADS = {"small": (100_000, 400_000, 40), "middle": (1_000_000, 5_000_000, 12), "large": (5_000_000, 1 << 40, 6)}


def prepare(folder, corpus, program, draw):
    """Creates the missing images; returns the images of each size."""
    truth, made = corpus / "truth.jsonl", {}
    for size, pixels in SIZES.items():
        target = folder / ("photographs" if truth.exists() else "drawn") / size
        if not target.exists():
            target.mkdir(parents=True)
            if truth.exists():
                _scale(truth, pixels, target, program)
            else:
                subprocess.run([draw, str(target), str(pixels), str(COUNT)], check=True)
        made[size] = sorted(target.glob("*.jpg"))
    return made


def uploads(folder, corpus):
    """Returns copies of JPEGs with faces, by size; they are not encoded again."""
    truth, found = corpus / "truth.jsonl", {}
    for size, (least, most, count) in UPLOADS.items():
        target = folder / "uploads" / size
        if not target.exists():
            target.mkdir(parents=True)
            for number, row in enumerate(_spread(_rows(truth, least, most), count)):
                shutil.copy(truth.parent / row["file"], target / f"{number}.jpg")
        found[size] = sorted(target.glob("*.jpg"))
    return {size: files for size, files in found.items() if files}


def _rows(truth, least, most=1 << 40):
    """Returns the JPEGs with faces of a corpus whose number of pixels is within a range, by name."""
    rows = [json.loads(line) for line in truth.read_text().splitlines() if line.strip()] if truth.exists() else []
    rows = [row for row in rows if any(not face.get("ignore") for face in row["faces"])]
    rows = [row for row in rows if least <= row["width"] * row["height"] < most]
    return sorted((row for row in rows if _is_jpeg(truth.parent / row["file"])), key=lambda row: row["file"])


def _is_jpeg(path):
    """Returns whether the first bytes of a file are a JPEG signature, because some files have the extension of another
    format."""
    with path.open("rb") as file:
        return file.read(2) == b"\xff\xd8"


def _spread(rows, count):
    """Returns a number of rows, spread evenly over all rows; all rows if there are fewer."""
    count = min(count, len(rows))
    return [rows[index * len(rows) // count] for index in range(count)]


def _scale(truth, pixels, target, program):
    """Returns photos with faces, spread over the photos that are large enough."""
    # Photos of 12 megapixels with faces are rare, so some photos are enlarged.
    for number, row in enumerate(_spread(_rows(truth, min(pixels, 2_000_000)), COUNT)):
        width = round((pixels * row["width"] / row["height"]) ** 0.5)
        command = [program, "frame", truth.parent / row["file"], "--output", target / f"{number}.jpg"]
        command += ["--gravity", "center", "--width", str(width), "--enlarge", "--quality", str(QUALITY)]
        subprocess.run(command, check=True)

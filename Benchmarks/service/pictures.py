"""Pictures with faces at three sizes: photographs scaled to them, or drawn where there are none; and photographs as they
came."""

import json
import shutil
import subprocess

# Pixels of each size.
SIZES = {"small": 200_000, "middle": 3_000_000, "large": 12_000_000}
# Images of each size.
COUNT = 8
# The highest quality at which Headroom writes 4:2:0, which is what cameras write.
QUALITY = 89
# The photographs as they came: the pixels from which on, those up to which, and how many.
UPLOADS = {"small": (100_000, 400_000, 40), "middle": (1_000_000, 5_000_000, 12), "large": (5_000_000, 1 << 40, 6)}


def prepare(folder, corpus, program, draw):
    """Makes the images that are not there yet; returns those of each size."""
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
    """Copies of JPEGs with faces, of each size; none of them is encoded anew."""
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
    """The JPEGs with faces of a corpus that have between so many pixels, by name."""
    rows = [json.loads(line) for line in truth.read_text().splitlines() if line.strip()] if truth.exists() else []
    rows = [row for row in rows if any(not face.get("ignore") for face in row["faces"])]
    rows = [row for row in rows if least <= row["width"] * row["height"] < most]
    return sorted((row for row in rows if _is_jpeg(truth.parent / row["file"])), key=lambda row: row["file"])


def _is_jpeg(path):
    """Whether a file is a JPEG by its first bytes: some have the name of another format."""
    with path.open("rb") as file:
        return file.read(2) == b"\xff\xd8"


def _spread(rows, count):
    """So many rows, or all if there are fewer, spread over all of them."""
    count = min(count, len(rows))
    return [rows[index * len(rows) // count] for index in range(count)]


def _scale(truth, pixels, target, program):
    """Photographs with faces, spread over those that are large enough."""
    # Photographs of 12 megapixels with faces are rare, so some are enlarged.
    for number, row in enumerate(_spread(_rows(truth, min(pixels, 2_000_000)), COUNT)):
        width = round((pixels * row["width"] / row["height"]) ** 0.5)
        command = [program, "frame", truth.parent / row["file"], "--output", target / f"{number}.jpg"]
        command += ["--gravity", "center", "--width", str(width), "--enlarge", "--quality", str(QUALITY)]
        subprocess.run(command, check=True)

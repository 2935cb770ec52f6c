"""Pictures with faces at three sizes: photographs scaled to them, or drawn where there are none."""

import json
import subprocess

# Pixels of each size.
SIZES = {"small": 200_000, "middle": 3_000_000, "large": 12_000_000}
# Pictures of each size.
COUNT = 8
# The highest quality at which Headroom writes 4:2:0, which is what cameras write.
QUALITY = 89


def prepare(folder, corpus, program, draw):
    """Makes the pictures that are not there yet; returns those of each size."""
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


def _scale(truth, pixels, target, program):
    """Photographs with faces, spread over those that are large enough."""
    rows = [json.loads(line) for line in truth.read_text().splitlines() if line.strip()]
    rows = [row for row in rows if row["file"].endswith((".jpg", ".jpeg"))]
    rows = [row for row in rows if any(not face.get("ignore") for face in row["faces"])]
    # Photographs of 12 megapixels with faces are rare, so some are enlarged.
    rows = [row for row in rows if row["width"] * row["height"] >= min(pixels, 2_000_000)]
    rows.sort(key=lambda row: row["file"])
    count = min(COUNT, len(rows))
    for number, row in enumerate(rows[index * len(rows) // COUNT] for index in range(count)):
        width = round((pixels * row["width"] / row["height"]) ** 0.5)
        command = [program, "frame", truth.parent / row["file"], "--output", target / f"{number}.jpg"]
        command += ["--gravity", "center", "--width", str(width), "--enlarge", "--quality", str(QUALITY)]
        subprocess.run(command, check=True)

"""Pictures with faces at three sizes: photographs scaled to them, or drawn where there are none."""

import json
import pathlib
import subprocess

# Pixels of each size.
SIZES = {"small": 200_000, "middle": 3_000_000, "large": 12_000_000}
# Pictures of each size.
COUNT = 8
# The highest quality at which Headroom writes 4:2:0, which is what cameras write.
QUALITY = 89


def prepare(folder: pathlib.Path, corpus: pathlib.Path, program: str, draw: str) -> dict[str, list[pathlib.Path]]:
    """Makes the pictures that are not there yet; gives those of each size."""
    photographs = corpus / "truth.jsonl"
    kind = folder / ("photographs" if photographs.exists() else "drawn")
    made = {}
    for size, pixels in SIZES.items():
        target = kind / size
        if not target.exists():
            target.mkdir(parents=True)
            if photographs.exists():
                _scale(_choose(photographs, pixels), pixels, target, program)
            else:
                subprocess.run([draw, str(target), str(pixels), str(COUNT)], check=True)
        made[size] = sorted(target.glob("*.jpg"))
    return made


def _choose(truth: pathlib.Path, pixels: int) -> list[tuple[pathlib.Path, int]]:
    """Photographs with faces, spread over those that are large enough, each with its width at `pixels`."""
    rows = [json.loads(line) for line in truth.read_text().splitlines() if line.strip()]
    rows = [row for row in rows if row["file"].endswith((".jpg", ".jpeg")) and any(not f.get("ignore") for f in row["faces"])]
    # Photographs of 12 megapixels with faces are rare, so some are enlarged.
    rows = [row for row in rows if row["width"] * row["height"] >= min(pixels, 2_000_000)]
    rows.sort(key=lambda row: row["file"])
    chosen = [rows[index * len(rows) // COUNT] for index in range(min(COUNT, len(rows)))]
    return [
        (truth.parent / row["file"], round((pixels * row["width"] / row["height"]) ** 0.5))
        for row in chosen
    ]


def _scale(photographs: list[tuple[pathlib.Path, int]], pixels: int, target: pathlib.Path, program: str) -> None:
    for number, (photograph, width) in enumerate(photographs):
        subprocess.run(
            [
                program, "frame", str(photograph), "--output", str(target / f"{number}.jpg"), "--gravity", "center",
                "--width", str(width), "--enlarge", "--quality", str(QUALITY),
            ],
            check=True,
        )

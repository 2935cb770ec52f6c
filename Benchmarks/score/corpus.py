"""Images with labelled faces. docs/contributing/framing-research.md describes the files."""

import functools
import json

import numpy
import rules


class LabelledImage:
    def __init__(self, folder, row):
        self.path = folder / row["file"]
        self.width, self.height = row["width"], row["height"]
        self.exhaustive = row.get("exhaustive", True)
        # Pairs of a box and whether it is ignored, that is, counts neither as a hit nor as a miss.
        self.truth = [((f["x"], f["y"], f["w"], f["h"]), bool(f.get("ignore"))) for f in row.get("faces") or []]
        self.faces = numpy.array([box for box, ignored in self.truth if not ignored], dtype=float).reshape(-1, 4)

    @functools.cache
    def choices(self, aspect):
        """The faces that the crops of an aspect ratio keep."""
        return rules.Choices(self.faces, self.width, self.height, aspect)


def read(folder, name):
    """Returns the images of one file of a corpus; an empty list if the corpus does not contain the file."""
    path = folder / name
    if not path.exists():
        return []
    return [LabelledImage(folder, json.loads(line)) for line in path.read_text().splitlines() if line.strip()]

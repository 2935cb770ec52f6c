"""Figures that measure the quality of crops. Boxes and crops are (x, y, width, height) in pixels from the top left."""

import dataclasses

import numpy

ASPECTS = [(1, 1), (16, 9), (9, 16), (4, 5), (3, 1)]
# The minimum fraction of a box's area inside the crop; the boxes of different sources differ by a pixel or two.
ENOUGH = 0.95
# A face is halved if more than this fraction of its area is inside the crop, and more than this fraction is outside.
SLIVER = 0.15
# Faces with at least this fraction of the largest face's side are large.
LARGE = 0.5
# The number of tried positions of the largest crop, to find the maximum number of faces that a crop can keep.
PLACES = 401


def widest(width, height, aspect):
    """Returns the size of the largest crop of an aspect ratio in an image."""
    ratio = aspect[0] / aspect[1]
    return (width, width / ratio) if width / height < ratio else (height * ratio, float(height))


def heads(faces, width, height):
    """Returns heads: face boxes extended by 45 % of their height above and 15 % of their width on each side, within the image."""
    x, y, w, h = faces.T
    left, top = numpy.maximum(0, x - 0.15 * w), numpy.maximum(0, y - 0.45 * h)
    right, bottom = numpy.minimum(width, x + 1.15 * w), numpy.minimum(height, y + h)
    return numpy.stack([left, top, right - left, bottom - top], axis=1)


def shares(boxes, crops):
    """Returns the fraction of each box (row) inside each crop (column)."""
    x, y, w, h = (side[:, None] for side in boxes.T)
    left, top, width, height = crops.T
    across = numpy.minimum(x + w, left + width) - numpy.maximum(x, left)
    down = numpy.minimum(y + h, top + height) - numpy.maximum(y, top)
    return numpy.maximum(0, across) * numpy.maximum(0, down) / numpy.maximum(1e-9, w * h)


def inside(boxes, crops):
    """Returns whether each box (row) is inside each crop (column)."""
    return shares(boxes, crops) >= ENOUGH


def halved(faces, crops):
    """Returns the number of large faces that each crop halves."""
    sides = numpy.sqrt(faces[:, 2] * faces[:, 3])
    shown = shares(faces[sides >= LARGE * sides.max()], crops)
    return ((shown > SLIVER) & (shown < 1 - SLIVER)).sum(axis=0)


def places(width, height, aspect):
    """Returns the largest crop of an aspect ratio at evenly spaced positions."""
    w, h = widest(width, height, aspect)
    place = numpy.linspace(0, 1, PLACES)
    size = numpy.broadcast_to([w, h], (PLACES, 2))
    return numpy.column_stack([(width - w) * place, (height - h) * place, size])


class Choices:
    """Returns the faces of an image that the crops of an aspect ratio keep, at each position."""

    def __init__(self, faces, width, height, aspect):
        crops = places(width, height, aspect)
        self.faces = inside(faces, crops).sum(axis=0)
        self.heads = inside(heads(faces, width, height), crops).sum(axis=0)
        self.halved = halved(faces, crops)

    def halves_none(self, faces, heads):
        """Returns whether some crop keeps at least these numbers of faces and heads, and halves no large face."""
        return bool(((self.faces >= faces) & (self.heads >= heads) & (self.halved == 0)).any())


def centring(faces, crop, width, height):
    """Returns 1 if the kept faces are as near to the centre of the crop as the image allows, 0 if they are half a crop away, and
    None without kept faces."""
    kept = faces[inside(faces, numpy.array([crop]))[:, 0]]
    if len(kept) == 0:
        return None
    axis = 0 if crop[2] < width - 1 else 1
    extent = crop[axis + 2]
    middle = (kept[:, axis].min() + (kept[:, axis] + kept[:, axis + 2]).max()) / 2
    best = min(max(middle, extent / 2), (width, height)[axis] - extent / 2)
    return max(0.0, 1 - abs(crop[axis] + extent / 2 - best) / (extent / 2))


class CropScore:
    """The faces and heads that the crops of many images keep, relative to the possible maximum."""

    def __init__(self):
        # For each crop: the kept faces, the faces that the best crop keeps, both numbers for heads, and whether no face
        # was lost.
        self.crops, self.centred, self.failures = [], [], 0
        # For each crop of several people: whether it halves a large face although another crop keeps as many faces
        # without halving any.
        self.halved = []

    def add(self, image, aspect, crop):
        size = image.width, image.height
        crops = numpy.array([crop])
        got, got_heads = (int(inside(boxes, crops).sum()) for boxes in (image.faces, heads(image.faces, *size)))
        choices = image.choices(aspect)
        best, best_heads = int(choices.faces.max()), int(choices.heads.max())
        self.crops.append((min(got, best), best, min(got_heads, best_heads), best_heads, got >= best))
        if len(image.faces) > 1:
            self.halved.append(halved(image.faces, crops)[0] > 0 and choices.halves_none(got, got_heads))
        centred = centring(image.faces, crop, *size)
        if centred is not None:
            self.centred.append(centred)

    def figures(self):
        """Returns kept, heads, centred, perfect and halved, each from 0 to 1."""
        kept, possible, kept_heads, possible_heads, perfect = numpy.sum(self.crops or [[0] * 5], axis=0)
        return (
            kept / max(1, possible), kept_heads / max(1, possible_heads), sum(self.centred) / max(1, len(self.centred)),
            perfect / max(1, len(self.crops)), sum(self.halved) / max(1, len(self.halved)),
        )


def subject_row(truth, aspect, crop):
    """Returns figures of a crop for a known subject: the visible part as a fraction of the possible maximum, cut heads,
    heads that fit, and centring.

    Returns None for an image without a subject, and if the crop can slide by less than 4 % of its length. Centring is NaN for a
    subject that does not fit.
    """
    size = truth["width"], truth["height"]
    across, down = widest(*size, aspect)
    axis = 0 if size[0] - across > size[1] - down else 1
    extent, start = (across, down)[axis], crop[axis]
    if not truth["subject"] or size[axis] - extent < 0.04 * extent:
        return None

    def shown(box):
        return max(0.0, min(box[axis] + box[axis + 2], start + extent) - max(box[axis], start))

    subject = truth["subject"]
    length = subject[axis + 2]
    heads = [head for head in truth["heads"] if head[axis + 2] <= extent]
    cut = sum(shown(head) < 0.95 * head[axis + 2] for head in heads)
    middle = min(max(subject[axis] + length / 2, extent / 2), size[axis] - extent / 2)
    centred = max(0.0, 1 - abs(start + extent / 2 - middle) / (extent / 2)) if length <= extent else numpy.nan
    return min(1.0, shown(subject) / min(length, extent)), cut, len(heads), centred


@dataclasses.dataclass
class FaceScore:
    """Counts of found, missed and false faces."""

    hits: int = 0
    faces: int = 0
    false: int = 0
    empty: int = 0
    alarms: int = 0
    milliseconds: list = dataclasses.field(default_factory=list)

    def add(self, image, boxes, milliseconds):
        self.milliseconds.append(milliseconds)
        unused = list(boxes)
        for face, ignored in image.truth:
            match = next((box for box in unused if is_same(face, box)), None)
            if match is not None:
                unused.remove(match)
            if not ignored:
                self.faces += 1
                self.hits += match is not None
        if image.exhaustive:
            self.false += len(unused)
        if not image.truth:
            self.empty += 1
            self.alarms += bool(boxes)

    @property
    def recall(self):
        return self.hits / max(1, self.faces)

    @property
    def precision(self):
        return self.hits / max(1, self.hits + self.false)


def is_same(true, found):
    """Returns whether a detected box matches a true face. The usual overlap of a half is too strict, because sources draw boxes
    differently."""
    across = min(true[0] + true[2], found[0] + found[2]) - max(true[0], found[0])
    down = min(true[1] + true[3], found[1] + found[3]) - max(true[1], found[1])
    shared = max(0, across) * max(0, down)
    areas = true[2] * true[3], found[2] * found[3]
    if shared >= 0.3 * (sum(areas) - shared):
        return True
    x, y = true[0] + true[2] / 2, true[1] + true[3] / 2
    holds = found[0] <= x <= found[0] + found[2] and found[1] <= y <= found[1] + found[3]
    return holds and 0.16 <= areas[1] / areas[0] <= 6.25

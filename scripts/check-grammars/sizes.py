"""Sizes of results by the rules of imgix, Cloudinary and Cloudflare, in exact fractions."""
import fractions
import math

Whole = fractions.Fraction


def nearest(number):
    """The nearest whole number, at least 1; halves are rounded up."""
    return max(1, math.floor(number + Whole(1, 2)))


def inside(source, box, enlarge):
    """The largest size of a picture's shape inside of a box, of which a side may be None."""
    scales = [Whole(side, own) for side, own in zip(box, source) if side]
    scale = min(scales) if scales else Whole(1)
    if not enlarge:
        scale = min(scale, Whole(1))
    return nearest(source[0] * scale), nearest(source[1] * scale)


def widest(source, shape):
    """The largest part of a picture in a shape."""
    if source[0] * shape[1] > source[1] * shape[0]:
        return min(source[0], nearest(Whole(source[1] * shape[0], shape[1]))), source[1]
    return source[0], min(source[1], nearest(Whole(source[0] * shape[1], shape[0])))


def shaped(source, box):
    """A crop of a box' shape, not larger than what the picture has of it."""
    crop = widest(source, box)
    # A picture that has the shape but for rounding is not cropped.
    if inside(source, (box[0], None), True) == tuple(box) or inside(source, (None, box[1]), True) == tuple(box):
        crop = source
    return tuple(box) if box[0] <= crop[0] and box[1] <= crop[1] else crop


def boxed(source, box):
    """What a picture that covers a box, but is never enlarged, has of the box."""
    return min(source[0], box[0]), min(source[1], box[1])


def doubled(size, ratio):
    return tuple(None if side is None else nearest(side * Whole(str(ratio))) for side in size)


def unsuited(size):
    """Whether a shape is too narrow for Headroom, or for the rules of rounding."""
    return max(size) > 50 * min(size)


MOST_PIXELS = 3_000_000

"""The subject network, NanoDet-Plus-m: reads ncnn files, and runs the network with float weights.

``LAYERS`` is the network in the order of the weight table and of Sources/C/CFaceNet/Subjects/SubjectLayers.h.
"""
import dataclasses
import hashlib
import pathlib
import sys

import numpy as np

SHA256 = "c8c23ffb33f3a39b76051516829e0ad6bfdccc77bde70700dee045580afecd24"  # of the weight file
HALF = 0x01306B47  # marks 16-bit weights
MEAN, NORM = (123.675, 116.28, 103.53), (0.017125, 0.017507, 0.017429)  # of red, green, blue
SLOPE = 0.1  # of a leaky rectifier below 0
SIDE = 256  # of the longer side of its input, in pixels


@dataclasses.dataclass
class View:
    """Channels of a value: `count` channels from `start`; all channels if `count` is 0."""

    name: str
    start: int = 0
    count: int = 0


@dataclasses.dataclass
class Layer:
    """`kind` is first, point, depth, unit (point, then depth), mix, join, up, add or head; `weights` are names in ncnn's file."""

    kind: str
    sources: list[View]
    results: list[View]
    weights: tuple[str, ...] = ()
    stride: int = 1


def layers() -> list[Layer]:
    found: list[Layer] = []

    def add(kind: str, sources, results, weights=(), stride: int = 1):
        def views(some):
            return [View(one) if isinstance(one, str) else one for one in some]

        found.append(Layer(kind, views(sources), views(results), tuple(weights), stride))

    def down(source, branch, outside, inner, deep, left):
        """Adds the first unit of a stage, which halves width and height; returns its output."""
        add("depth", [source], ["inner"], [branch], 2)
        add("point", ["inner"], ["left"], [left])
        add("unit", [source], ["inner"], [outside, inner], 2)
        add("point", ["inner"], ["right"], [deep])

    def shuffle(here, there, outside, inner, deep):
        """Returns the other units of a stage; half of the channels pass unchanged."""
        add("mix", [here, "right"], [there, "mixed"])
        add("unit", ["mixed"], ["inner"], [outside, inner])
        add("point", ["inner"], ["right"], [deep])

    def stage(result: str, units: int, convolution: int, depthwise: int):
        here, there = "left", "passed"
        for _ in range(units):
            shuffle(here, there, f"convrelu_{convolution}", f"convdw_{depthwise}", f"convrelu_{convolution + 1}")
            convolution, depthwise, here, there = convolution + 2, depthwise + 1, there, here
        add("join", [here, "right"], [result])

    def ghost(source, result, outside, cheap, inside, cheap_inside, wide, short):
        add("point", [source], [View("ghost", 0, 48)], [outside])
        add("depth", [View("ghost", 0, 48)], [View("ghost", 48, 48)], [cheap])
        add("point", ["ghost"], [View("second", 0, 48)], [inside])
        add("depth", [View("second", 0, 48)], [View("second", 48, 48)], [cheap_inside])
        add("depth", [source], ["wide"], [wide])
        add("point", ["wide"], ["short"], [short])
        add("add", ["second", "short"], [result])

    def reduced(source, result, depth, point):
        add("depth", [source], ["narrow"], [depth], 2)
        add("point", ["narrow"], [result], [point])

    def head(source, *weights):
        for i in (0, 2):
            add("depth", ["tower" if i else source], ["narrow"], [weights[i]])
            add("point", ["narrow"], ["tower"], [weights[i + 1]])
        add("head", ["tower"], [], [weights[4]])

    add("first", [], ["pooled"], ["convrelu_0"])
    down("pooled", "convdw_161", "convrelu_1", "convdw_162", "convrelu_2", "convrelu_3")
    stage("stage8", 3, 4, 163)
    down("stage8", "convdw_166", "convrelu_10", "convdw_167", "convrelu_11", "convrelu_12")
    stage("stage16", 7, 13, 168)
    down("stage16", "convdw_175", "convrelu_27", "convdw_176", "convrelu_28", "convrelu_29")
    stage("stage32", 3, 30, 177)

    coarse, middle = View("up32", 96, 96), View("up16", 96, 96)
    add("point", ["stage32"], [coarse], ["convrelu_36"])
    add("up", [coarse], [View("down16", 0, 96)])
    add("point", ["stage16"], [View("down16", 96, 96)], ["convrelu_37"])
    ghost("down16", middle, "convrelu_38", "convdwrelu_0", "conv_60", "convdw_181", "convdw_182", "conv_61")
    add("up", [middle], [View("down8", 0, 96)])
    add("point", ["stage8"], [View("down8", 96, 96)], ["convrelu_39"])
    ghost("down8", "level8", "convrelu_40", "convdwrelu_1", "conv_63", "convdw_184", "convdw_185", "conv_64")
    reduced("level8", View("up16", 0, 96), "convdwrelu_2", "convrelu_41")
    ghost("up16", "level16", "convrelu_42", "convdwrelu_3", "conv_67", "convdw_188", "convdw_189", "conv_68")
    reduced("level16", View("up32", 0, 96), "convdwrelu_4", "convrelu_43")
    ghost("up32", "level32", "convrelu_44", "convdwrelu_5", "conv_71", "convdw_192", "convdw_193", "conv_72")
    reduced(coarse, "second", "convdwrelu_6", "convrelu_46")
    reduced("level32", "short", "convdwrelu_7", "convrelu_45")
    add("add", ["second", "short"], ["level64"])

    head("level8", "convdwrelu_8", "convrelu_47", "convdwrelu_9", "convrelu_54", "conv_77")
    head("level16", "convdwrelu_10", "convrelu_48", "convdwrelu_11", "convrelu_53", "conv_80")
    head("level32", "convdwrelu_12", "convrelu_49", "convdwrelu_13", "convrelu_52", "conv_83")
    head("level64", "convdwrelu_14", "convrelu_50", "convdwrelu_15", "convrelu_51", "conv_86")
    return found


LAYERS = layers()


@dataclasses.dataclass
class Convolution:
    weights: np.ndarray  # [output][input of a group][rows][columns]
    bias: np.ndarray
    leaky: bool


def read(param: pathlib.Path, binary: pathlib.Path) -> dict[str, Convolution]:
    """Returns the convolutions of the files by name; rejects a weight file with another digest."""
    content = binary.read_bytes()
    found_digest = hashlib.sha256(content).hexdigest()
    if found_digest != SHA256:
        sys.exit(f"{binary.name}: expected sha256 {SHA256}, found {found_digest}")
    found, at = {}, 0
    for line in param.read_text().splitlines()[2:]:
        words = line.split()
        if words[0] not in ("Convolution", "ConvolutionDepthWise"):
            continue
        options = dict(word.split("=", 1) for word in words[4 + int(words[2]) + int(words[3]) :])
        outputs, count, side = (int(options[key]) for key in ("0", "6", "1"))
        if int.from_bytes(content[at : at + 4], "little") != HALF:
            sys.exit(f"{binary.name}: expected weights of 16 bits for {words[1]}")
        weights = np.frombuffer(content, "<f2", count, at + 4).astype(np.float64)
        at += 4 + (2 * count + 3) // 4 * 4
        bias = np.frombuffer(content, "<f4", outputs, at).astype(np.float64)
        at += 4 * outputs
        found[words[1]] = Convolution(weights.reshape(outputs, -1, side, side), bias, options.get("9") == "2")
    if at != len(content):
        sys.exit(f"{binary.name}: {len(content) - at} bytes too many")
    return found


def leaky(values: np.ndarray) -> np.ndarray:
    return np.maximum(values, SLOPE * values)


def windows(values: np.ndarray, side: int, stride: int, fill: float = 0) -> list[np.ndarray]:
    """Yields the values for each row and column of a window with an odd side, [channel][y][x]."""
    pad = side // 2
    padded = np.pad(values, ((0, 0), (pad, pad), (pad, pad)), constant_values=fill)
    height, width = (-(-size // stride) for size in values.shape[1:])
    return [padded[:, y : y + stride * (height - 1) + 1 : stride, x : x + stride * (width - 1) + 1 : stride]
            for y in range(side) for x in range(side)]


def doubled(values: np.ndarray, axis: int) -> np.ndarray:
    """Doubles the values along an axis: three quarters of the nearer neighbour plus a quarter of the other neighbour."""
    count = values.shape[axis]
    before = np.take(values, [0, *range(count - 1)], axis)
    behind = np.take(values, [*range(1, count), count - 1], axis)
    both = np.stack([0.75 * values + 0.25 * before, 0.75 * values + 0.25 * behind], axis + 1)
    shape = list(values.shape)
    shape[axis] *= 2
    return both.reshape(shape)


def letterboxed(rgb: np.ndarray) -> np.ndarray:
    """Returns the input, [red, green, blue][y][x], centred in zeros with sides that are multiples of 32."""
    height, width = rgb.shape[:2]
    rows, columns = -(-height // 32) * 32, -(-width // 32) * 32
    values = np.zeros((3, rows, columns), np.float32)
    top, left = (rows - height) // 2, (columns - width) // 2
    values[:, top : top + height, left : left + width] = ((rgb - np.array(MEAN)) * np.array(NORM)).transpose(2, 0, 1)
    return values


class SubjectNetwork:
    def __init__(self, param: pathlib.Path, binary: pathlib.Path):
        self.convolutions = read(param, binary)

    def point(self, name: str, values: np.ndarray) -> np.ndarray:
        """Computes a pointwise convolution without its rectifier."""
        layer = self.convolutions[name]
        count, height, width = values.shape
        flat = layer.weights[:, :, 0, 0].astype(np.float32) @ values.reshape(count, -1)
        return flat.reshape(-1, height, width) + layer.bias[:, None, None].astype(np.float32)

    def depth(self, name: str, values: np.ndarray, stride: int) -> np.ndarray:
        """Computes a depthwise convolution without its rectifier."""
        layer = self.convolutions[name]
        taps = layer.weights.reshape(len(layer.weights), -1).T.astype(np.float32)
        seen = windows(values, layer.weights.shape[2], stride)
        return sum(tap[:, None, None] * one for tap, one in zip(taps, seen)) + layer.bias[:, None, None].astype(np.float32)

    def run(self, rgb: np.ndarray, see=lambda layer, inputs, inner, results: None) -> list[np.ndarray]:
        """Returns the outputs of the heads, [112][y][x] each; `see` gets the inputs, inner values and results of every layer."""
        values: dict[str, np.ndarray] = {}
        heads = []

        def rectified(name, result):
            return leaky(result) if self.convolutions[name].leaky else result

        for layer in LAYERS:
            inputs = [values[one.name][one.start : one.start + one.count or None] for one in layer.sources]
            name, inner = (layer.weights or [""])[-1], None
            if layer.kind == "first":
                pixels = letterboxed(rgb)
                seen = np.stack(windows(pixels, 3, 2)).reshape(3, 3, 3, *(side // 2 for side in pixels.shape[1:]))
                inputs = [seen.transpose(0, 2, 1, 3, 4).reshape(27, *seen.shape[3:])]  # row, colour, column
                weights = self.convolutions[name].weights[:, ::-1].transpose(0, 2, 1, 3).reshape(24, 27).astype(np.float32)
                inner = np.tensordot(weights, inputs[0], 1) + self.convolutions[name].bias[:, None, None].astype(np.float32)
                results = [np.max(windows(leaky(inner), 3, 2, -np.inf), axis=0)]
            elif layer.kind in ("point", "head"):
                results = [rectified(name, self.point(name, inputs[0]))]
            elif layer.kind == "depth":
                results = [rectified(name, self.depth(name, inputs[0], layer.stride))]
            elif layer.kind == "unit":
                inner = self.point(layer.weights[0], inputs[0])
                results = [rectified(name, self.depth(name, rectified(layer.weights[0], inner), layer.stride))]
            elif layer.kind in ("mix", "join"):
                mixed = np.stack(inputs, 1).reshape(-1, *inputs[0].shape[1:])
                results = np.split(mixed, len(layer.results))
            elif layer.kind == "up":
                results = [doubled(doubled(inputs[0], 1), 2)]
            else:
                results = [inputs[0] + inputs[1]]
            see(layer, inputs, inner, results)
            if layer.kind == "head":
                heads.append(results[0])
                continue
            for view, result in zip(layer.results, results):
                if view.count == 0:
                    values[view.name] = result
                    continue
                held = values.get(view.name)
                if held is None or held.shape[1:] != result.shape[1:] or len(held) < view.start + view.count:
                    fresh = np.zeros((view.start + view.count, *result.shape[1:]), np.float32)
                    if held is not None and held.shape[1:] == result.shape[1:]:
                        fresh[: len(held)] = held
                    held = fresh
                held = held.copy()
                held[view.start : view.start + view.count] = result
                values[view.name] = held
        return heads

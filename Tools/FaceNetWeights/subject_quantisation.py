"""Computes 8-bit weights of the subject network. Sources/C/CFaceNet/Subjects/SubjectLayers.h describes subjects.dat.

An activation is an integer from 0 to 255. Each channel has a step, and a centre, which is the activation for 0.
"""
import collections
import struct

import numpy as np
from calibration import Moments
from rounding import ACTIVATION, HEADROOM, INNER, clipped, power
from subject_network import LAYERS, MEAN, NORM, SLOPE, SubjectNetwork, View

WIDE = 128  # inner values per step, if the input of a depthwise convolution consists of activations
# The sums of a depthwise convolution may exceed the calibration by this factor before they saturate.
SUM_HEADROOM = 3
MARGIN = 1.15  # ratio between the range of activations and the range in calibration
MAX_CUT = 64  # the maximum divisor that reduces sums to 16 bits


class Extent:
    """The minimum and the maximum value of each channel in each image."""

    def __init__(self):
        self.lows, self.highs = [], []

    def add(self, values: np.ndarray):
        flat = values.reshape(len(values), -1)
        self.lows.append(flat.min(axis=1))
        self.highs.append(flat.max(axis=1))

    @property
    def least(self) -> np.ndarray:
        return np.min(self.lows, axis=0)

    @property
    def most(self) -> np.ndarray:
        return np.max(self.highs, axis=0)

    def largest(self, leaky: bool = False) -> np.ndarray:
        """Returns the maximum magnitude of each channel, before the rectifier if `leaky`."""
        return np.maximum(np.abs(self.most), np.abs(self.least) / (SLOPE if leaky else 1))

    def limits(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns the values of the minimum and maximum activation; 0 is between them."""
        return MARGIN * np.minimum(self.least, 0), MARGIN * np.maximum(self.most, 0)


class SubjectCalibration:
    """Extents and moments of every layer, by its position in LAYERS."""

    def __init__(self, network: SubjectNetwork, images):
        self.moments = collections.defaultdict(Moments)
        self.inner = collections.defaultdict(Extent)
        self.results = collections.defaultdict(Extent)
        self.images = 0
        for rgb in images:
            network.run(rgb, self.see)
            self.images += 1

    def see(self, layer, inputs, inner, results):
        place = next(i for i, one in enumerate(LAYERS) if one is layer)
        if layer.kind in ("first", "point", "unit", "head"):
            self.moments[place].add(inputs[0].reshape(len(inputs[0]), -1))
        if inner is not None:
            self.inner[place].add(inner)
        if layer.kind in ("first", "point", "depth", "unit", "add", "head"):
            self.results[place].add(results[0])


class SubjectQuantiser:
    def __init__(self, network: SubjectNetwork, calibration: SubjectCalibration):
        self.network, self.calibration = network, calibration
        self.steps: dict[str, np.ndarray] = {}
        self.centres: dict[str, np.ndarray] = {}
        self.out = bytearray(b"HRSN" + struct.pack("<I", 1))

    def array(self, values, kind: str):
        info = np.iinfo(kind)
        whole = np.asarray(values)
        assert whole.min() >= info.min and whole.max() <= info.max, (kind, whole.min(), whole.max())
        self.out += whole.astype("<" + np.dtype(kind).str[1:]).tobytes()

    def get(self, view: View) -> tuple[np.ndarray, np.ndarray]:
        part = slice(view.start, view.start + view.count if view.count else None)
        return self.steps[view.name][part], self.centres[view.name][part]

    def put(self, view: View, steps: np.ndarray, centres: np.ndarray):
        for values, new in ((self.steps, steps), (self.centres, centres)):
            if view.count == 0:
                values[view.name] = np.asarray(new, float)
                continue
            held = values.get(view.name, np.zeros(0))
            size = max(len(held), view.start + view.count)
            values[view.name] = np.concatenate([held, np.zeros(size - len(held))])
            values[view.name][view.start : view.start + view.count] = new

    def activation(self, place: int, unit: np.ndarray, leaky: bool, view: View):
        """Appends the conversion of 16-bit sums to activations: gain, leak and centre of each channel."""
        least, most = self.calibration.results[place].limits()
        span = most - least
        # A channel with very small values in calibration gets a fiftieth of the steps of the other channels.
        span = np.maximum(span, 0.02 * np.median(span) + 1e-6)
        gain = np.minimum(32768 * unit * ACTIVATION / span, INNER)
        gain = np.floor(gain)
        if leaky:
            # Rounds down to a multiple of ten, so that a tenth of the gain is also an integer.
            gain = np.where(gain > 100, np.floor(gain / 10) * 10, gain)
        gain = np.maximum(gain, 1)
        steps = 32768 * unit / gain
        centres = np.clip(np.round(-least / steps), 0, ACTIVATION)
        self.array(gain, "i2")
        self.array(np.round(gain * SLOPE) if leaky else gain, "i2")
        self.array(centres, "u1")
        self.put(view, steps, centres)

    def sums(self, weights, bias, steps, centres, moments, largest) -> np.ndarray:
        """Appends a pointwise convolution; returns the unit of its 16-bit sums."""
        weights = weights * steps
        mean = moments.mean / moments.count / steps
        covariance = moments.covariance() / np.outer(steps, steps)
        # Without a minimum, an output that hardly depends on its inputs would have tiny units and increase the shift of
        # all outputs.
        least = np.maximum(HEADROOM * largest / (INNER * MAX_CUT), 1e-12)
        whole, step = clipped(weights, covariance, least)
        # The bias compensates for the rounding error for the mean input.
        lost = (weights - whole * step[:, None]) @ mean
        bias = np.round((bias + lost) / step - whole @ centres)
        shift = power((HEADROOM * largest / step).max())
        self.array(weights.shape[::-1], "u2")
        self.array(shift, "i4")
        self.array(whole, "i1")
        self.array(bias, "i4")
        return step * 2.0**shift

    def window(self, place: int, name: str, unit: np.ndarray) -> np.ndarray:
        """Appends a depthwise convolution of values with these units; returns the unit of its 16-bit sums."""
        layer = self.network.convolutions[name]
        weights = layer.weights.reshape(len(layer.weights), -1) * unit[:, None]
        largest = self.calibration.results[place].largest(layer.leaky)
        bound = np.abs(weights).sum(axis=1) * INNER + np.abs(layer.bias)
        most = np.minimum(bound, np.maximum(SUM_HEADROOM * largest, 1.5 * np.abs(layer.bias)))
        sum_unit = np.maximum(np.maximum(most / (INNER - 64), np.abs(weights).max(axis=1) * 1.0001), 1e-12)
        self.array(np.round(32768 * weights / sum_unit[:, None]).clip(-INNER, INNER), "i2")
        self.array(np.round(layer.bias / sum_unit), "i2")
        return sum_unit

    def first(self, place: int, layer):
        convolution = self.network.convolutions[layer.weights[0]]
        weights = convolution.weights[:, ::-1].transpose(0, 2, 1, 3).reshape(24, 27)  # [output][row][red, green, blue][column]
        channel = np.arange(27) // 3 % 3
        steps = np.array(NORM)[channel]
        centres = np.array(MEAN)[channel]
        extent = self.calibration.inner[place]
        unit = self.sums(weights, convolution.bias, steps, centres, self.calibration.moments[place], extent.largest())
        self.activation(place, unit, convolution.leaky, layer.results[0])

    def table(self) -> bytes:
        for place, layer in enumerate(LAYERS):
            convolutions = [self.network.convolutions[name] for name in layer.weights]
            if layer.kind == "first":
                self.first(place, layer)
            elif layer.kind in ("point", "head", "unit"):
                one = convolutions[0]
                steps, centres = self.get(layer.sources[0])
                extent = (self.calibration.inner if layer.kind == "unit" else self.calibration.results)[place]
                largest = extent.largest(layer.kind == "point" and one.leaky)
                unit = self.sums(one.weights[:, :, 0, 0], one.bias, steps, centres, self.calibration.moments[place], largest)
                if layer.kind == "head":
                    self.out += unit.astype("<f4").tobytes()
                elif layer.kind == "point":
                    self.activation(place, unit, one.leaky, layer.results[0])
                else:
                    assert one.leaky
                    unit = self.window(place, layer.weights[1], unit)
                    self.activation(place, unit, convolutions[1].leaky, layer.results[0])
            elif layer.kind == "depth":
                steps, centres = self.get(layer.sources[0])
                self.array([len(steps), convolutions[0].weights.shape[2]], "u2")
                self.array(centres, "u1")
                unit = self.window(place, layer.weights[0], steps / WIDE)
                self.activation(place, unit, convolutions[0].leaky, layer.results[0])
            elif layer.kind in ("mix", "join"):
                for get, put in ((0, self.steps), (1, self.centres)):
                    mixed = np.stack([self.get(one)[get] for one in layer.sources], 1).reshape(-1)
                    for view, part in zip(layer.results, np.split(mixed, len(layer.results))):
                        put[view.name] = part
            elif layer.kind == "up":
                self.put(layer.results[0], *self.get(layer.sources[0]))
            else:
                self.addition(place, layer)
        return bytes(self.out)

    def addition(self, place: int, layer):
        (one, one_centre), (other, other_centre) = (self.get(view) for view in layer.sources)
        least, most = self.calibration.results[place].limits()
        # Neither factor may exceed 1.
        steps = np.maximum(np.maximum((most - least) / ACTIVATION, np.maximum(one, other) * 1.0001), 1e-9)
        factors = [np.round(32768 * step / steps) for step in (one, other)]
        centres = np.clip(np.round(-least / steps), 0, ACTIVATION)
        constant = np.round(128 * (centres - (factors[0] * one_centre + factors[1] * other_centre) / 32768))
        self.array([len(steps)], "u2")
        for values in (*factors, constant):
            self.array(values, "i2")
        self.put(layer.results[0], steps, centres)

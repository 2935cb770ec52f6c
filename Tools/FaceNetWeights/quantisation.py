"""8-bit weights from the network and the ranges of its values. facenet.dat's layout is in Sources/C/CFaceNet/Weights.h."""
import struct

import numpy as np

from network import Network, Unit

MOST = 127  # of an activation and of a weight
PAIRED = 258  # MOST times this fits 16 bits: the most that magnitudes of weights may be whose products share one sum
FIRST_PAIRED = 128  # the same for pixels, which reach 255
INNER = 32767  # of a value between both convolutions, and of the sum of the depthwise one
# Inner values may exceed those of calibration by this much before they saturate.
HEADROOM = 1.5


def power(value: float) -> int:
    """The shift that makes `value` fit INNER."""
    return max(0, int(np.ceil(np.log2(value / INNER))))


def rounded(weights: np.ndarray, unit: float, groups: list[np.ndarray], most: int) -> tuple[np.ndarray, float]:
    """Weights of one output in whole units, the least unit from `unit` on with which each group sums to at most `most`."""
    while True:
        whole = np.round(weights / unit)
        sums = [np.abs(whole[group]).sum() for group in groups]
        if np.abs(whole).max() <= MOST and max(sums) <= most:
            return whole, unit
        unit *= 1.002


def smallest_unit(weights: np.ndarray, groups: list[np.ndarray], most: int) -> float:
    return max(np.abs(weights).max() / MOST, max(np.abs(weights[group]).sum() for group in groups) / most, 1e-12) * 0.998


def shared_sums(inputs: int, products: int) -> list[np.ndarray]:
    """The inputs whose products are summed in 16 bits: `products` of them, from dwords of four."""
    dwords = products // 2
    return [np.array([4 * (block + i) + 2 * half + j for i in range(dwords) for j in (0, 1)])
            for block in range(0, inputs // 4, dwords) for half in (0, 1)]


class Quantiser:
    """Appends layers to `out`; `step` has the step of each channel of each activation."""

    def __init__(self, network: Network, largest: dict[str, np.ndarray], quantile: float, products: int):
        self.network, self.largest, self.products = network, largest, products
        self.quantile = quantile
        self.step: dict[str, np.ndarray] = {}
        self.out = bytearray(b"HRFN" + struct.pack("<I", 1))
        self.saturation: list[float] = []

    def array(self, values, kind: str):
        info = np.iinfo(kind)
        whole = np.asarray(values)
        assert whole.min() >= info.min and whole.max() <= info.max, (kind, whole.min(), whole.max())
        self.out += whole.astype("<" + np.dtype(kind).str[1:]).tobytes()

    def range(self, names: list[str]) -> np.ndarray:
        return np.concatenate([np.quantile(self.largest[name], self.quantile, axis=0) for name in names])

    def steps(self, name: str) -> np.ndarray:
        """A step for each channel. A channel that calibration never saw above a fiftieth of the others gets that much."""
        most = self.range([name])
        return np.maximum(most, 0.02 * np.median(most) + 1e-6) / MOST

    def first(self):
        network = self.network
        weights = network.first[:, ::-1].transpose(0, 2, 1, 3).reshape(16, 27)  # [output][row][red, green, blue][column]
        groups = [np.array(group) for row in range(9) for group in ([3 * row, 3 * row + 1], [3 * row + 2])]
        scaled = [rounded(row, smallest_unit(row, groups, FIRST_PAIRED), groups, FIRST_PAIRED) for row in weights]
        whole, unit = np.array([one[0] for one in scaled]), np.array([one[1] for one in scaled])
        bias = np.round(network.first_bias / unit)
        shift = power((np.abs(whole).sum(axis=1) * 255 + np.abs(bias)).max())
        self.step[network.first_out] = steps = self.steps(network.first_out)
        self.array(whole, "i1")
        self.array(bias, "i4")
        self.array(shift, "i4")
        self.multipliers(unit * 2.0**shift, steps)

    def multipliers(self, unit: np.ndarray, steps: np.ndarray):
        """How 16-bit sums in units become activations in steps: by a product's upper 16 bits."""
        self.array(np.minimum(np.round(32768 * unit / steps), 32767), "i2")

    def unit(self, unit: Unit, is_head: bool):
        weights = unit.pointwise * self.step[unit.source]
        groups = shared_sums(weights.shape[1], self.products)
        scaled = [rounded(row, smallest_unit(row, groups, PAIRED), groups, PAIRED) for row in weights]
        whole, step = np.array([one[0] for one in scaled]), np.array([one[1] for one in scaled])
        bias = np.round(unit.pointwise_bias / step)
        inner = np.concatenate([self.largest[name].max(axis=0) for name in unit.inner])
        shift = power((HEADROOM * inner / step).max())
        inner_unit = step * 2.0**shift

        depthwise = unit.depthwise.reshape(len(whole), 9) * inner_unit[:, None]
        # With inner values at their limit, the sum of the nine products and the bias must fit 16 bits.
        most = np.abs(depthwise).sum(axis=1) * INNER + np.abs(unit.depthwise_bias)
        sum_unit = most / (INNER - 16)
        sum_bias = np.round(unit.depthwise_bias / sum_unit)
        factors = np.trunc(32768 * depthwise / sum_unit[:, None])
        self.array(weights.shape[::-1], "u2")
        self.array(shift, "i4")
        self.array(whole, "i1")
        self.array(bias, "i4")
        self.array(factors, "i2")
        self.array(sum_bias, "i2")
        if is_head:
            self.out += sum_unit.astype("<f4").tobytes()
        else:
            self.step[unit.out[0]] = steps = self.steps(unit.out[0])
            self.multipliers(sum_unit, steps)

    def addition(self, sharp: str, doubled: str, total: str):
        self.step[total] = steps = self.steps(total)
        for name in (sharp, self.network.doubled[doubled]):
            self.multipliers(self.step[name], steps)

    def table(self) -> bytes:
        network = self.network
        self.first()
        for i, unit in enumerate(network.units):
            if unit.source in network.pooled:
                self.step[unit.source] = self.step[network.pooled[unit.source]]
            for sharp, doubled, total in network.sums:
                if total == unit.source:
                    self.addition(sharp, doubled, total)
            self.unit(unit, is_head=i >= 14)
        return bytes(self.out)

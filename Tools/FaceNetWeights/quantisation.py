"""Computes 8-bit weights from the network and its value ranges. Sources/C/CFaceNet/Weights.h describes facenet.dat."""
import struct

import numpy as np
from calibration import Calibration
from network import Network, Unit
from rounding import ACTIVATION, HEADROOM, INNER, pairs, power, rounded


class Quantiser:
    """Appends layers to `out`; `step` contains the step of each channel of each activation."""

    def __init__(self, network: Network, calibration: Calibration):
        self.network, self.largest, self.moments = network, calibration.largest, calibration.moments
        self.step: dict[str, np.ndarray] = {}
        self.out = bytearray(b"HRFN" + struct.pack("<I", 1))

    def array(self, values, kind: str):
        info = np.iinfo(kind)
        whole = np.asarray(values)
        assert whole.min() >= info.min and whole.max() <= info.max, (kind, whole.min(), whole.max())
        self.out += whole.astype("<" + np.dtype(kind).str[1:]).tobytes()

    def steps(self, name: str) -> np.ndarray:
        """Returns a step for each channel. The step is at least a fiftieth of the steps of the other channels, even if all values of a
    channel were smaller in calibration."""
        most = self.largest[name]
        return np.maximum(most, 0.02 * np.median(most) + 1e-6) / ACTIVATION

    def first(self):
        network = self.network
        weights = network.first[:, ::-1].transpose(0, 2, 1, 3).reshape(16, 27)  # [output][row][red, green, blue][column]
        groups = [np.array(group) for row in range(9) for group in ([3 * row, 3 * row + 1], [3 * row + 2])]
        moments = self.moments["pixels"]
        whole, unit = rounded(weights, moments.covariance(), groups)
        bias = np.round((network.first_bias + (weights - whole * unit[:, None]) @ moments.mean / moments.count) / unit)
        shift = power((np.abs(whole).sum(axis=1) * ACTIVATION + np.abs(bias)).max())
        self.step[network.first_out] = steps = self.steps(network.first_out)
        self.array(whole, "i1")
        self.array(bias, "i4")
        self.array(shift, "i4")
        self.multipliers(unit * 2.0**shift, steps)

    def multipliers(self, unit: np.ndarray, steps: np.ndarray):
        """Returns the factors that convert 16-bit sums to activations. The upper 16 bits of the product are the
        activation."""
        self.array(np.minimum(np.round(32768 * unit / steps), 32767), "i2")

    def unit(self, unit: Unit, is_head: bool):
        steps, moments = self.step[unit.source], self.moments[unit.source]
        weights = unit.pointwise * steps
        groups = pairs(weights.shape[1])
        whole, step = rounded(weights, moments.covariance() / np.outer(steps, steps), groups)
        # The bias compensates for the rounding error for the mean input.
        lost = (weights - whole * step[:, None]) @ (moments.mean / moments.count / steps)
        bias = np.round((unit.pointwise_bias + lost) / step)
        inner = np.concatenate([self.largest[name] for name in unit.inner])
        shift = power((HEADROOM * inner / step).max())
        inner_unit = step * 2.0**shift

        depthwise = unit.depthwise.reshape(len(whole), 9) * inner_unit[:, None]
        # With inner values at their limit, the sum of the nine products and the bias must fit into 16 bits.
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

"""Computes 8-bit weights of a layer that sums products. Each weight compensates for the rounding errors of previous
weights."""
import numpy as np

ACTIVATION = 255  # the maximum, as for a pixel
WEIGHT = 127
SHARED = 128  # the maximum sum of the magnitudes of weights whose products share one sum; 255 times this fits into 16 bits
INNER = 32767  # the maximum of a 16-bit value
# Inner values may exceed the calibration by this factor before they saturate.
HEADROOM = 1.5


def power(value: float) -> int:
    """Returns the shift with which `value` fits into INNER."""
    return max(0, int(np.ceil(np.log2(value / INNER))))


def fits(whole: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """Returns whether the weights of each output fit into 8 bits, and weights with a common sum into SHARED."""
    most = np.max([np.abs(whole[:, group]).sum(axis=1) for group in groups], axis=0)
    return (np.abs(whole).max(axis=1) <= WEIGHT) & (most <= SHARED)


def factor_of(covariance: np.ndarray) -> np.ndarray:
    """Returns the changes of later weights that compensate for the error of an input's weight."""
    damped = covariance + np.eye(len(covariance)) * (0.01 * np.trace(covariance) / len(covariance) + 1e-9)
    return np.linalg.cholesky(np.linalg.inv(damped)).T


def rounded(weights: np.ndarray, covariance: np.ndarray, groups: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Returns weights, [output][input], in whole units, and the unit of each output: the minimum unit with which they fit.

    Weights are rounded input by input. Each rounding changes the weights of later inputs, so that the expected squared
    error of the sum is minimal (Frantar et al., "GPTQ: Accurate Post-Training Quantization", 2022).
    """
    factor = factor_of(covariance)
    most = np.max([np.abs(weights[:, group]).sum(axis=1) for group in groups], axis=0)
    unit = np.maximum(np.maximum(np.abs(weights).max(axis=1) / WEIGHT, most / SHARED), 1e-12) * 0.99
    while True:
        left, whole = weights / unit[:, None], np.zeros_like(weights)
        for k in range(weights.shape[1]):
            whole[:, k] = np.round(left[:, k])
            error = (left[:, k] - whole[:, k]) / factor[k, k]
            left[:, k:] -= error[:, None] * factor[k, k:]
        right = fits(whole, groups)
        if right.all():
            return whole, unit
        unit[~right] *= 1.002


def pairs(inputs: int) -> list[np.ndarray]:
    """Returns the inputs whose products are summed in 16 bits on processors without 8-bit dot products."""
    return [np.arange(k, min(k + 2, inputs)) for k in range(0, inputs, 2)]


def clipped(weights: np.ndarray, covariance: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Like rounded() for pairs(), but with the unit (at least `least`) that has the minimum expected error.

    A unit may be so small that not all weights fit. Then some weights are clipped, and the later weights compensate for this as well.
    """
    inputs, factor = weights.shape[1], factor_of(covariance)
    even = np.pad(np.abs(weights), ((0, 0), (0, inputs % 2)))
    largest = np.maximum(np.abs(weights).max(axis=1) / WEIGHT, (even[:, ::2] + even[:, 1::2]).max(axis=1) / SHARED)
    best, best_unit, best_error = np.zeros_like(weights), np.zeros(len(weights)), np.full(len(weights), np.inf)
    for share in np.geomspace(0.35, 1, 14):
        unit = np.maximum(share * largest, least)
        left, whole = weights / unit[:, None], np.zeros_like(weights)
        for k in range(inputs):
            most = SHARED - np.abs(whole[:, k - 1]) if k % 2 else SHARED
            whole[:, k] = np.clip(np.round(left[:, k]), -np.minimum(most, WEIGHT), np.minimum(most, WEIGHT))
            error = (left[:, k] - whole[:, k]) / factor[k, k]
            left[:, k:] -= error[:, None] * factor[k, k:]
        lost = weights - whole * unit[:, None]
        errors = np.einsum("ni,ij,nj->n", lost, covariance, lost, optimize=True)
        better = errors < best_error
        best[better], best_unit[better], best_error[better] = whole[better], unit[better], errors[better]
    return best, best_unit

"""The published network with float weights: ONNX Runtime, and OpenCV's decoding of its outputs."""
import numpy as np
from network import HEAD, STRIDES, Network, Session


class Reference:
    def __init__(self, network: Network):
        self.session: Session = network.session([f"{kind}_{stride}" for stride in STRIDES for kind in HEAD])

    def outputs(self, rgb: np.ndarray) -> dict[str, np.ndarray]:
        return self.session.run(rgb)

    def detect(self, rgb: np.ndarray, threshold: float, overlap: float) -> np.ndarray:
        """Returns faces by decreasing score, [face][left, top, width, height, score, ten coordinates]."""
        out, columns, parts = self.outputs(rgb), -(-rgb.shape[1] // 32) * 32, []
        for stride in STRIDES:
            kinds = {kind: out[f"{kind}_{stride}"][0] for kind in HEAD}
            score = np.sqrt(np.clip(kinds["cls"], 0, 1) * np.clip(kinds["obj"], 0, 1))[:, 0]
            place = np.arange(len(score))
            corner = np.stack([place % (columns // stride), place // (columns // stride)], axis=1)
            centre = (corner + kinds["bbox"][:, :2]) * stride
            size = np.exp(kinds["bbox"][:, 2:]) * stride
            points = (corner[:, None] + kinds["kps"].reshape(-1, 5, 2)) * stride
            rows = np.concatenate([centre - size / 2, size, score[:, None], points.reshape(-1, 10)], axis=1)
            parts.append(rows[score >= threshold])
        return suppressed(np.concatenate(parts), overlap)


def overlaps(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Returns the intersection over union of a box with other boxes, [left, top, width, height]."""
    sides = np.minimum(box[:2] + box[2:4], others[:, :2] + others[:, 2:4]) - np.maximum(box[:2], others[:, :2])
    both = np.clip(sides, 0, None).prod(axis=1)
    return both / (box[2] * box[3] + others[:, 2] * others[:, 3] - both)


def suppressed(faces: np.ndarray, overlap: float) -> np.ndarray:
    faces, kept = faces[np.argsort(-faces[:, 4], kind="stable")], []
    while len(faces):
        kept.append(faces[0])
        faces = faces[1:][overlaps(faces[0], faces[1:]) <= overlap]
    return np.array(kept).reshape(-1, 15)

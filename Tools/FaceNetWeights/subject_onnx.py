"""Converts the subject network with float weights to an ONNX model, for measurements with ONNX Runtime."""
import numpy as np
import onnx
from subject_network import LAYERS, SLOPE, SubjectNetwork, View

FLOAT = onnx.TensorProto.FLOAT


class Graph:
    def __init__(self, network: SubjectNetwork):
        self.network = network
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        # The parts of each value by their first channel: the name in the graph and the sides.
        self.parts: dict[str, dict[int, tuple[str, tuple[int, int]]]] = {}

    def node(self, kind: str, inputs: list[str], outputs: int = 1, **attributes) -> list[str]:
        names = [f"{kind}{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(onnx.helper.make_node(kind, inputs, names, **attributes))
        return names

    def constant(self, values: np.ndarray) -> str:
        name = f"constant{len(self.constants)}"
        self.constants.append(onnx.numpy_helper.from_array(values, name))
        return name

    def convolution(self, source: str, name: str, stride: int = 1) -> str:
        layer = self.network.convolutions[name]
        weights = layer.weights[:, ::-1] if source == "data" else layer.weights
        outputs, inputs, side = weights.shape[:3]
        # The kernel covers a window of one channel, or all channels of one pixel.
        groups = outputs if inputs == 1 and side > 1 else 1
        constants = [self.constant(np.ascontiguousarray(values, np.float32)) for values in (weights, layer.bias)]
        pads = [side // 2] * 4
        out = self.node("Conv", [source, *constants], strides=[stride] * 2, pads=pads, group=groups)[0]
        return self.node("LeakyRelu", [out], alpha=SLOPE)[0] if layer.leaky else out

    def get(self, view: View) -> tuple[str, tuple[int, int]]:
        parts = self.parts[view.name]
        if view.count > 0 or len(parts) == 1:
            return parts[view.start]
        names = [parts[start][0] for start in sorted(parts)]
        return self.node("Concat", names, axis=1)[0], next(iter(parts.values()))[1]

    def put(self, view: View, name: str, sides: tuple[int, int]):
        held = self.parts.get(view.name, {}) if view.count > 0 else {}
        same = {start: part for start, part in held.items() if part[1] == sides and start != view.start}
        self.parts[view.name] = {**same, view.start: (name, sides)}

    def exchanged(self, names: list[str], sides: tuple[int, int], results: int) -> list[str]:
        """Alternates the channels of two values."""
        joined = self.node("Concat", names, axis=1)[0]
        pairs = self.node("Reshape", [joined, self.constant(np.array([1, 2, -1, sides[0] * sides[1]]))])[0]
        turned = self.node("Transpose", [pairs], perm=[0, 2, 1, 3])[0]
        mixed = self.node("Reshape", [turned, self.constant(np.array([1, -1, *sides]))])[0]
        return [mixed] if results == 1 else self.node("Split", [mixed], 2, axis=1, num_outputs=2)


def model(network: SubjectNetwork, width: int, height: int) -> onnx.ModelProto:
    """Returns the model for one input size; its outputs are the outputs of the heads."""
    graph, heads = Graph(network), []
    for layer in LAYERS:
        if layer.kind == "first":
            first = graph.convolution("data", layer.weights[0], 2)
            pooled = graph.node("MaxPool", [first], kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
            graph.put(layer.results[0], pooled[0], (height // 4, width // 4))
            continue
        sources = [graph.get(view) for view in layer.sources]
        name, sides = sources[0]
        if layer.kind in ("point", "depth", "unit", "head"):
            for convolution in layer.weights:
                name = graph.convolution(name, convolution, layer.stride if convolution == layer.weights[-1] else 1)
            results, sides = [name], (-(-sides[0] // layer.stride), -(-sides[1] // layer.stride))
        elif layer.kind in ("mix", "join"):
            results = graph.exchanged([source[0] for source in sources], sides, len(layer.results))
        elif layer.kind == "up":
            scales = graph.constant(np.array([1, 1, 2, 2], np.float32))
            results, sides = graph.node("Resize", [name, "", scales], mode="linear"), (2 * sides[0], 2 * sides[1])
        else:
            results = graph.node("Add", [source[0] for source in sources])
        heads += results if layer.kind == "head" else []
        for view, result in zip(layer.results, results):
            graph.put(view, result, sides)
    outputs = [onnx.helper.make_tensor_value_info(name, FLOAT, None) for name in heads]
    data = onnx.helper.make_tensor_value_info("data", FLOAT, [1, 3, height, width])
    made = onnx.helper.make_graph(graph.nodes, "subjects", [data], outputs, graph.constants)
    return onnx.helper.make_model(made, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=10)

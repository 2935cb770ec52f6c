"""Converts the published face network to ncnn's format, for measurements with ncnn."""

import collections

import numpy as np
import onnx

PLAIN = b"\0\0\0\0"  # marks weights of 32 bits
HEADS = 12  # outputs: four kinds for each of three strides


class Graph:
    """Layers of ncnn with their weights; a value that several layers use is copied by a layer for each of them."""

    def __init__(self, graph: onnx.GraphProto):
        self.values = {one.name: onnx.numpy_helper.to_array(one) for one in graph.initializer}
        self.layers: list[str] = []
        self.weights: list[bytes] = []
        self.blobs = 0
        # The last nodes of the network only arrange and scale values, so they are skipped.
        nodes = [node for node in graph.node if node.op_type in ("Conv", "Relu", "MaxPool", "Resize", "Add")]
        self.rectified = {node.input[0]: node.output[0] for node in nodes if node.op_type == "Relu"}
        inputs = {"Add": 2}
        uses = collections.Counter(
            name for node in nodes if node.op_type != "Relu" for name in node.input[: inputs.get(node.op_type, 1)])
        self.copies = {name: [f"{name}_{i}" for i in range(count)] for name, count in uses.items() if count > 1}
        source = graph.input[0].name
        self.add("Input", [], source, "")
        for node in nodes:
            self.convert(node)
        self.outputs = [node.output[0] for node in nodes if node.op_type == "Conv"][-2 * HEADS + 1 :: 2]

    def add(self, kind: str, sources: list[str], result: str, options: str):
        taken = [self.copies[name].pop(0) if name in self.copies else name for name in sources]
        words = [kind, result, str(len(taken)), "1", *taken, result, options]
        self.layers.append(" ".join(words).rstrip())
        self.blobs += 1
        if copies := self.copies.get(result):
            self.layers.append(" ".join(["Split", f"{result}_copies", "1", str(len(copies)), result, *copies]))
            self.blobs += len(copies)

    def convert(self, node: onnx.NodeProto):
        options = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
        source, result = node.input[0], node.output[0]
        if node.op_type == "Conv":
            weights, bias = (np.ascontiguousarray(self.values[name], np.float32) for name in node.input[1:])
            kind = "ConvolutionDepthWise" if options["group"] > 1 else "Convolution"
            groups = f" 7={options['group']}" if options["group"] > 1 else ""
            rectifier = f" 9={int(result in self.rectified)}"
            self.weights += [PLAIN, weights.tobytes(), bias.tobytes()]
            self.add(kind, [source], self.rectified.get(result, result),
                     f"0={weights.shape[0]} 1={weights.shape[2]} 3={options['strides'][0]} 4={options['pads'][0]} 5=1 "
                     f"6={weights.size}{groups}{rectifier}")
        elif node.op_type == "MaxPool":
            self.add("Pooling", [source], result, "0=0 1=2 2=2 5=1")
        elif node.op_type == "Resize":
            self.add("Interp", [source], result, "0=1 1=2.0 2=2.0")
        elif node.op_type == "Add":
            self.add("BinaryOp", list(node.input), result, "0=0")


def ncnn_files(content: bytes) -> tuple[str, bytes, list[str]]:
    """Returns the text of the layers, the bytes of the weights, and the names of the outputs before their scaling."""
    graph = Graph(onnx.load_from_string(content).graph)
    head = f"7767517\n{len(graph.layers)} {graph.blobs}\n"
    return head + "\n".join(graph.layers) + "\n", b"".join(graph.weights), graph.outputs

"""Compares the kernels of the subject network with ncnn and ONNX Runtime, alternately on one thread."""

import functools
import pathlib
import statistics
import sys
import time

import numpy as np
import page

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[1:1] = [str(ROOT / "Tools/FaceNetWeights"), str(ROOT / "scripts/check-arm64"), str(ROOT / "scripts/check-facenet")]
NAME = "nanodet-plus-m_416"
WIDTH, HEIGHT = 256, 192
RUNS = 8  # of a program in each turn
SETS = {"SSE4.1": 1, "AVX2": 2, "AVX-512": 3, "NEON": 4, "NEON with dot products": 5}


def measure(folder: pathlib.Path, build: pathlib.Path, rounds: int) -> str:
    """Returns milliseconds of processor time; `folder` contains the network in the ncnn format."""
    if not (folder / f"{NAME}.bin").exists():
        return f"The network in the ncnn format is missing: {folder}/{NAME}.bin does not exist."
    from compiling import Compiler, face_network
    from library import SubjectNetwork as Kernels

    compiler = Compiler(build, [])
    face_network(compiler, {target: compiler.target_objects(target) for target in ("CHOGDetector", "CFaceNet")})
    rgb = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
    runs = {"ncnn": _ncnn(folder, rgb), "ONNX Runtime": _onnx_runtime(folder, rgb)}
    for name, code in SETS.items():
        try:
            kernels = Kernels(build / "libfacenet.so", code)
        except RuntimeError:
            continue
        runs[name] = functools.partial(kernels.detect, kernels.planes(rgb), 0.1, 0.6)
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(2 * rounds):
        for name, run in runs.items():
            for _ in range(RUNS):
                start = time.process_time()
                run()
                times[name].append((time.process_time() - start) * 1e3)
    rows = [[name, f"{min(taken):.2f}", f"{statistics.median(taken):.2f}"] for name, taken in times.items()]
    return page.table([f"milliseconds at {WIDTH} × {HEIGHT}", "best", "median"], rows)


def _ncnn(folder: pathlib.Path, rgb: np.ndarray):
    import ncnn
    from subject_network import letterboxed

    net = ncnn.Net()
    net.opt.num_threads = 1
    net.opt.use_vulkan_compute = False
    net.load_param(str(folder / f"{NAME}.param"))
    net.load_model(str(folder / f"{NAME}.bin"))
    values = np.ascontiguousarray(letterboxed(rgb)[::-1])

    def run():
        extractor = net.create_extractor()
        extractor.input("data", ncnn.Mat(values).clone())
        return [extractor.extract(f"{kind}{stride}") for stride in (8, 16, 32, 64) for kind in ("cls", "dis")]

    return run


def _onnx_runtime(folder: pathlib.Path, rgb: np.ndarray):
    import onnxruntime
    from subject_network import SubjectNetwork, letterboxed
    from subject_onnx import model

    network = SubjectNetwork(folder / f"{NAME}.param", folder / f"{NAME}.bin")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    content = model(network, WIDTH, HEIGHT).SerializeToString()
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    values = letterboxed(rgb)[None]
    return lambda: session.run(None, {"data": values})

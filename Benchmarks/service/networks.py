"""Compares the kernels of both networks with ncnn and ONNX Runtime, alternately on one thread."""

import collections.abc
import functools
import pathlib
import statistics
import sys
import time

import numpy as np
import page

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[1:1] = [str(ROOT / "Tools/FaceNetWeights"), str(ROOT / "scripts/check-arm64"), str(ROOT / "scripts/check-facenet")]
SUBJECTS, FACES = "nanodet-plus-m_416", "face_detection_yunet_2023mar.onnx"
SUBJECT_SIZE, FACE_SIZE = (256, 192), (640, 480)
RUNS = 8  # of a program in each turn
SETS = {"SSE4.1": 1, "AVX2": 2, "AVX-512": 3, "NEON": 4, "NEON with dot products": 5}
Runs = dict[str, collections.abc.Callable[[], object]]


def measure(folder: pathlib.Path, build: pathlib.Path, rounds: int) -> str:
    """Returns milliseconds of processor time; `folder` contains the published networks.

    Without the file of a network, only the kernels are measured, and a sentence names the file.
    """
    from compiling import Compiler, face_network
    from library import FaceNetwork, SubjectNetwork

    compiler = Compiler(build, [])
    face_network(compiler, {target: compiler.target_objects(target) for target in ("CHOGDetector", "CFaceNet")})
    library = build / "libfacenet.so"
    subjects, faces = _noise(*SUBJECT_SIZE), _noise(*FACE_SIZE)
    parts = [
        _table("subject network", SUBJECT_SIZE, folder / f"{SUBJECTS}.bin", rounds,
               lambda file: {"ncnn": _subjects_ncnn(file, subjects), "ONNX Runtime": _subjects_onnx_runtime(file, subjects)},
               _kernels(SubjectNetwork, library, subjects, 0.1, 0.6)),
        _table("face network", FACE_SIZE, folder / FACES, rounds,
               lambda file: {"ncnn": _faces_ncnn(file, faces, build), "ONNX Runtime": _faces_onnx_runtime(file, faces)},
               _kernels(FaceNetwork, library, faces, 0.3, 0.3)),
    ]
    return "\n\n".join(parts)


def _table(name: str, size: tuple[int, int], file: pathlib.Path, rounds: int, peers, kernels: Runs) -> str:
    """Measures the peers, which read the file, and the kernels."""
    runs = {**(peers(file) if file.exists() else {}), **kernels}
    times: dict[str, list[float]] = {program: [] for program in runs}
    for _ in range(2 * rounds):
        for program, run in runs.items():
            for _ in range(RUNS):
                start = time.process_time()
                run()
                times[program].append((time.process_time() - start) * 1e3)
    rows = [[program, f"{min(taken):.2f}", f"{statistics.median(taken):.2f}"] for program, taken in times.items()]
    text = page.table([f"{name}, milliseconds at {size[0]} × {size[1]}", "best", "median"], rows)
    missing = f"ncnn and ONNX Runtime were not measured: `{file.name}` is not in the folder SUBJECT_MODEL."
    return text if file.exists() else f"{text}\n\n{missing}"


def _noise(width: int, height: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 256, (height, width, 3), dtype=np.uint8)


def _kernels(network, library: pathlib.Path, rgb: np.ndarray, *thresholds: float) -> Runs:
    """Returns a run for each instruction set of this processor."""
    runs: Runs = {}
    for name, code in SETS.items():
        try:
            kernels = network(library, code)
        except RuntimeError:
            continue
        runs[name] = functools.partial(kernels.detect, kernels.planes(rgb), *thresholds)
    return runs


def _ncnn(param: pathlib.Path, weights: pathlib.Path, source: str, values: np.ndarray, outputs: list[str]):
    import ncnn

    net = ncnn.Net()
    net.opt.num_threads = 1
    net.opt.use_vulkan_compute = False
    net.load_param(str(param))
    net.load_model(str(weights))

    def run():
        extractor = net.create_extractor()
        extractor.input(source, ncnn.Mat(values).clone())
        return [extractor.extract(name) for name in outputs]

    return run


def _subjects_ncnn(file: pathlib.Path, rgb: np.ndarray):
    from subject_network import letterboxed

    outputs = [f"{kind}{stride}" for stride in (8, 16, 32, 64) for kind in ("cls", "dis")]
    return _ncnn(file.with_suffix(".param"), file, "data", np.ascontiguousarray(letterboxed(rgb)[::-1]), outputs)


def _subjects_onnx_runtime(file: pathlib.Path, rgb: np.ndarray):
    import onnxruntime
    from subject_network import SubjectNetwork, letterboxed
    from subject_onnx import model

    network = SubjectNetwork(file.with_suffix(".param"), file)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    content = model(network, *SUBJECT_SIZE).SerializeToString()
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    values = letterboxed(rgb)[None]
    return lambda: session.run(None, {"data": values})


def _blue_first(rgb: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(rgb[:, :, ::-1].transpose(2, 0, 1), np.float32)


def _faces_ncnn(file: pathlib.Path, rgb: np.ndarray, build: pathlib.Path):
    from face_ncnn import ncnn_files
    from network import verified

    text, weights, outputs = ncnn_files(verified(file.read_bytes()))
    param = build / "faces.param"
    param.write_text(text)
    param.with_suffix(".bin").write_bytes(weights)
    return _ncnn(param, param.with_suffix(".bin"), "input", _blue_first(rgb), outputs)


def _faces_onnx_runtime(file: pathlib.Path, rgb: np.ndarray):
    from network import HEAD, STRIDES, Network, verified

    session = Network(verified(file.read_bytes())).session([f"{kind}_{stride}" for stride in STRIDES for kind in HEAD])
    values = {session.session.get_inputs()[0].name: _blue_first(rgb)[None]}
    return lambda: session.session.run(session.names, values)

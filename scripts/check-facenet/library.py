"""Both networks of CFaceNet as a shared library."""
import ctypes
import pathlib

import numpy as np

VALUES = 15  # of a face: left, top, width, height, score, five points


class Image(ctypes.Structure):
    _fields_ = [("planes", ctypes.c_void_p * 3), ("bytes_per_row", ctypes.c_size_t * 3)]
    _fields_ += [("width", ctypes.c_size_t), ("height", ctypes.c_size_t)]


class Findings(ctypes.Structure):
    _fields_ = [("faces", ctypes.c_void_p), ("count", ctypes.c_size_t)]


class FaceNetwork:
    """A detector with the best instruction set of this processor, or with the given one."""

    def __init__(self, path: pathlib.Path, instructions: int | None = None):
        self.library = library = ctypes.CDLL(str(path))
        library.hr_net_weights.restype = ctypes.c_void_p
        count, model, self.detector = ctypes.c_size_t(), ctypes.c_void_p(), ctypes.c_void_p()
        weights = ctypes.c_void_p(library.hr_net_weights(ctypes.byref(count)))
        chosen = library.hr_hog_best_instructions() if instructions is None else instructions
        self.call("model_make", weights, count, chosen, ctypes.byref(model))
        self.call("detector_make", model, ctypes.byref(self.detector))

    def call(self, name: str, *arguments):
        status = getattr(self.library, f"hr_net_{name}")(*arguments)
        if status != 0:
            raise RuntimeError(f"hr_net_{name} returned {status}")

    def planes(self, rgb: np.ndarray) -> Image:
        """The argument of ``detect``. It retains copies of the planes."""
        planes = [np.ascontiguousarray(rgb[:, :, i]) for i in range(3)]
        image = Image((ctypes.c_void_p * 3)(*[plane.ctypes.data for plane in planes]),
                      (ctypes.c_size_t * 3)(*[rgb.shape[1]] * 3), rgb.shape[1], rgb.shape[0])
        image.kept = planes
        return image

    def detect(self, image: Image, threshold: float, overlap: float) -> np.ndarray:
        """Returns the faces by decreasing score, [face][VALUES]."""
        found = Findings()
        self.call("detect", self.detector, ctypes.byref(image), ctypes.c_float(threshold), ctypes.c_float(overlap),
                  ctypes.byref(found))
        if found.count == 0:
            return np.zeros((0, VALUES), np.float32)
        return np.ctypeslib.as_array(ctypes.cast(found.faces, ctypes.POINTER(ctypes.c_float)), (found.count, VALUES)).copy()


class SubjectFindings(ctypes.Structure):
    _fields_ = [("subjects", ctypes.c_void_p), ("count", ctypes.c_size_t)]


class SubjectNetwork(FaceNetwork):
    """A detector with the subject network."""

    def __init__(self, path: pathlib.Path, instructions: int):
        self.library = library = ctypes.CDLL(str(path))
        library.hr_subjects_weights.restype = ctypes.c_void_p
        count, model, self.detector = ctypes.c_size_t(), ctypes.c_void_p(), ctypes.c_void_p()
        weights = ctypes.c_void_p(library.hr_subjects_weights(ctypes.byref(count)))
        self.call("model_make", weights, count, instructions, ctypes.byref(model))
        self.call("make", model, ctypes.byref(self.detector))

    def call(self, name: str, *arguments):
        status = getattr(self.library, f"hr_subjects_{name}")(*arguments)
        if status != 0:
            raise RuntimeError(f"hr_subjects_{name} returned {status}")

    def detect(self, image: Image, threshold: float, overlap: float) -> np.ndarray:
        """Returns objects by decreasing score: left, top, right, bottom, score, and the bits of the class."""
        found = SubjectFindings()
        self.call("detect", self.detector, ctypes.byref(image), ctypes.c_float(threshold), ctypes.c_float(overlap),
                  ctypes.byref(found))
        if found.count == 0:
            return np.zeros((0, 6), np.float32)
        values = ctypes.cast(found.subjects, ctypes.POINTER(ctypes.c_float))
        return np.ctypeslib.as_array(values, (found.count, 6)).copy()

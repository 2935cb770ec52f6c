"""Compiles the C and C++ of Package.swift, and the programs of Tests/Processors, for a processor."""
import concurrent.futures
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
C = ROOT / "Sources/C"
CHECKS = ROOT / "Tests/Processors"
# The header folders of each target, in addition to its own `include`, and the macros of the target.
TARGETS = {
    "CLinux": [],
    "CSandbox": ["-ICLinux/include"],
    "CImageCodec": ["-ICImageCodec/Colour", "-ICImageCodec/JPEG", "-ICImageCodec/Planes"]
    + ["-DHR_AVIF", "-DHR_HEIC", "-DHR_JPEGXL", "-DHR_TIFF"]
    + [f"-ISystem/{name}" for name in ("CAVIF", "CGIF", "CDE265", "CJPEG", "CJXL", "CLCMS2", "CPNG", "CTIFF", "CWebP", "CZimg")],
    "CDlibHOG": [],
    "CHOGDetector": ["-ICHOGDetector", "-ICHOGDetector/Features", "-ICHOGDetector/Kernels"],
    "CLandmarks": ["-ICHOGDetector/include"],
    "CFaceNet": ["-ICFaceNet", "-ICFaceNet/Kernels", "-ICHOGDetector/include", "-DHR_SUBJECTS", "-DHR_YUNET"],
}
# The libraries that the program needs.
KERNELS = ["CDlibHOG", "CHOGDetector", "CLandmarks"]
FACE_NETWORK = ["CHOGDetector", "CFaceNet"]
LIBRARIES = (
    "-lavif -lgif -lde265 -ljpeg -ljxl -llcms2 -lpng -lseccomp -ltiff -lwebp -lwebpmux -lwebpdemux -lzimg -l:libdlib.a -lpthread -lm"
)


class Compiler:
    """Compiles into `folder`; `target` contains the compiler options for the processor, empty for this machine's processor."""

    def __init__(self, folder: pathlib.Path, target: list[str]):
        self.folder, self.target = folder, target
        folder.mkdir(parents=True, exist_ok=True)

    def target_objects(self, name: str) -> list[pathlib.Path]:
        words = [f"-I{C / word[2:]}" if word.startswith("-I") else word for word in TARGETS[name]]
        return self.objects(sorted([*(C / name).rglob("*.c"), *(C / name).rglob("*.cpp")]), [f"-I{C / name}/include", *words])

    def objects(self, sources, words: list[str]) -> list[pathlib.Path]:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(lambda source: self.object(source, words), sources))

    def object(self, source: pathlib.Path, words: list[str]) -> pathlib.Path:
        out = self.folder / ("-".join(source.relative_to(ROOT).parts) + ".o")
        plus = source.suffix == ".cpp"
        language = ["-std=c++17", "-O3"] if plus else ["-std=gnu17", "-O2", "-ffp-contract=off", "-Wno-c23-extensions"]
        # The headers of dlib cause warnings.
        warnings = ["-w"] if plus else ["-Wall", "-Wextra", "-Werror"]
        compiler = "clang++" if plus else "clang"
        command = [compiler, *self.target, *language, *warnings, "-fPIC", *words, "-c", str(source), "-o", str(out)]
        subprocess.run(command, check=True)
        return out

    def link(self, name: str, objects, words: list[str]) -> pathlib.Path:
        out = self.folder / name
        subprocess.run(["clang++", *self.target, "-fuse-ld=lld", *map(str, objects), "-o", str(out), *words], check=True)
        return out


def kernels(compiler: Compiler, targets: dict) -> pathlib.Path:
    """Links the program that compares kernels, from the objects of the targets."""
    words = [f"-I{C / path}" for path in ("CDlibHOG/include", "CHOGDetector/include", "CLandmarks/include")]
    words += [f"-I{C / word[2:]}" for word in TARGETS["CHOGDetector"]]
    sources = [CHECKS / name for name in ("Faces.c", "Kernels.c", "TestImages.c", "Stages.c")]
    parts = [*compiler.objects(sources, words), *(one for name in KERNELS for one in targets[name])]
    return compiler.link("kernels", parts, ["-l:libdlib.a", "-lpthread", "-lm"])


def face_network(compiler: Compiler, targets: dict) -> pathlib.Path:
    """Builds the program that compares the face network's kernels, subject-network for the subject network, and libfacenet.so,
    a library with both networks."""
    parts = [one for name in FACE_NETWORK for one in targets[name]]
    sanitizers = [word for word in compiler.target if word.startswith("-fsanitize")]
    if not sanitizers:
        compiler.link("libfacenet.so", parts, ["-shared", "-lm"])
    words = [f"-I{C / name}/include" for name in FACE_NETWORK]
    faces, subjects, images = compiler.objects([CHECKS / f"{name}.c" for name in ("FaceNetwork", "SubjectNetwork", "TestImages")], words)
    compiler.link("subject-network", [subjects, images, *parts], ["-lm"])
    return compiler.link("face-network", [faces, images, *parts], ["-lm"])

"""Builds a wheel of the Python package with the program and its libraries: `make wheel`.

    scripts/build-wheel [--binary .build/wheel/release/headroom] [--output .build/wheel/dist] [--check]

The wheel is for Linux on this processor architecture, with this host's glibc version or a newer one. It contains all other
libraries that the program needs. `--check` installs it in a new environment and crops an image with an empty PATH and without
the libraries of this host.
"""
import argparse
import pathlib
import platform
import re
import shutil
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import bundle
from bundle import ROOT, run

CLIENT = ROOT / "Clients" / "python"


def pack(folder, tag, output):
    """Packs a wheel again, with another tag."""
    info = next(folder.glob("*.dist-info"))
    text = (info / "WHEEL").read_text()
    text = re.sub(r"Tag: .*", f"Tag: {tag}", re.sub(r"Root-Is-Purelib: .*", "Root-Is-Purelib: false", text))
    (info / "WHEEL").write_text(text)
    output.mkdir(parents=True, exist_ok=True)
    run("/usr/bin/python3", "-m", "wheel", "pack", folder, "--dest-dir", output)
    return output / f"{info.name.removesuffix('.dist-info')}-{tag}.whl"


def check(wheel):
    """Installs a wheel, and crops an image without the libraries of this host."""
    with tempfile.TemporaryDirectory() as place:
        run(sys.executable, "-m", "venv", place)
        python = pathlib.Path(place) / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", "--no-index", wheel)
        program = f"""
import pathlib, subprocess
from headroom import Local
binary = next(pathlib.Path({place!r}).glob("lib/python*/site-packages/headroom/bin/headroom"))
host = [line for line in subprocess.run(["/usr/bin/ldd", binary], capture_output=True, text=True).stdout.splitlines()
        if "=> /" in line and {place!r} not in line]
with Local() as local:
    crop = local.frame(pathlib.Path({str(ROOT / "docs/images/scene.jpg")!r}), aspect="1:1", width=100)
print(len(crop.content) > 500, sorted(line.split()[0].partition(".")[0] for line in host))
"""
        said = run(python, "-I", "-c", program, env={"PATH": ""}).strip()
    print(f"build-wheel: a crop without PATH; libraries of the host: {said.partition(' ')[2]}")
    if not said.startswith("True"):
        sys.exit("build-wheel: the crop is missing")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, default=bundle.BINARY)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / ".build" / "wheel" / "dist")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        place = pathlib.Path(temporary)
        run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", place, CLIENT)
        folder = place / "content"
        with zipfile.ZipFile(next(place.glob("*.whl"))) as pure:
            pure.extractall(folder)
        (folder / "headroom/bin/lib").mkdir(parents=True)
        files = bundle.add_program(arguments.binary, folder / "headroom/bin", "lib")
        texts = next(folder.glob("*.dist-info")) / "licenses"
        bundle.licences(texts / "libraries", bundle.libraries(arguments.binary).values())
        for name in ("LICENSE", "NOTICE"):
            shutil.copy(ROOT / name, texts / name)
        major, minor = bundle.glibc(files)
        wheel = pack(folder, f"py3-none-manylinux_{major}_{minor}_{platform.machine()}", arguments.output)
    print(f"build-wheel: {wheel} ({wheel.stat().st_size >> 20} MiB, {len(files) - 1} libraries)")
    if arguments.check:
        check(wheel)


if __name__ == "__main__":
    main()

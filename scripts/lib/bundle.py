"""Bundles a program with the libraries that it needs, for `make wheel` and `make tarball`.

The libraries are the Debian libraries that the program links, except the C library. They are in a folder next to the
program, and the program finds them through its `RPATH`.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Built without the trait TIFF: see REFUSED.
BINARY = ROOT / ".build" / "wheel" / "release" / "headroom"
# The C library and its parts, which the target system provides.
HOSTS_OWN = {"libc", "libm", "libdl", "librt", "libpthread", "libresolv", "ld-linux-x86-64", "ld-linux-aarch64", "linux-vdso"}
# Libraries under the GPL, which cannot be distributed with a program under the Apache License.
REFUSED = {"libjbig"}


def run(*command, **options):
    """Runs a program, which must succeed; returns its output."""
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options).stdout


def version():
    """Returns the version of the program, from its source code."""
    source = ROOT / "Sources" / "Core" / "Requests" / "Text" / "HeadroomVersion.swift"
    return re.findall(r'current = "(.*)"', source.read_text())[0]


def linked(binary):
    """Returns the direct and indirect libraries of a program, without the C library: paths by name."""
    found = {}
    for line in run("ldd", binary).splitlines():
        words = line.split()
        name = words[0].rpartition("/")[2]
        if name.partition(".so")[0] in HOSTS_OWN or name.partition(".")[0] in HOSTS_OWN:
            continue
        if "not found" in line or len(words) < 3:
            sys.exit(f"{name} is not found")
        found[name] = pathlib.Path(words[2]).resolve()
    return found


def libraries(binary):
    """Returns the libraries of a program for distribution; fails if a licence does not allow it."""
    found = linked(binary)
    refused = sorted(name for name in found if name.partition(".")[0] in REFUSED)
    if refused:
        sys.exit(f"{', '.join(refused)} must not be distributed; build without the trait TIFF, as make wheel and make tarball do")
    return found


def glibc(files):
    """Returns the newest version of glibc whose symbols the files use."""
    versions = {(2, 17)}
    for file in files:
        versions |= {(2, int(minor)) for minor in re.findall(r"GLIBC_2\.(\d+)", run("objdump", "-T", file))}
    return max(versions)


def owner(path):
    """Returns the name of the Debian package that contains a file, without the architecture."""
    found = subprocess.run(["dpkg", "-S", path], check=False, capture_output=True, text=True).stdout
    found = found or subprocess.run(["dpkg", "-S", str(path).removeprefix("/usr")], check=False, capture_output=True, text=True).stdout
    return found.partition(":")[0]


def add_program(binary, folder, beside):
    """Copies a program into a folder and its libraries into another folder; both must exist. Returns the copies.

    `beside` is the path of the second folder relative to the first, such as `lib` or `../lib`.
    """
    program = folder / "headroom"
    shutil.copy(binary, program)
    run("strip", "--strip-unneeded", program)
    copies = [program]
    for name, path in libraries(binary).items():
        copies.append(pathlib.Path(shutil.copy(path, folder / beside / name)))
        run("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN", copies[-1])
    run("patchelf", "--force-rpath", "--set-rpath", f"$ORIGIN/{beside}", program)
    program.chmod(0o755)
    return copies


def licences(folder, files):
    """Returns Debian's licence texts for the libraries; the licences require that they are distributed with the libraries."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in files:
        package = owner(path)
        text = pathlib.Path(f"/usr/share/doc/{package}/copyright")
        if not package or not text.exists():
            sys.exit(f"the licence for {path} is missing")
        shutil.copy(text, folder / package)

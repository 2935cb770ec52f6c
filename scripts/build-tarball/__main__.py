"""Packs the program with its libraries for any Linux system with this processor architecture: `make tarball`.

    scripts/build-tarball [--binary .build/wheel/release/headroom] [--output .build/tarball] [--check]

`--check` unpacks the archive on several minimal systems and crops an image there. Each system has a separate folder and
an empty PATH. The systems are this host's Debian release, the next release, and a system with only the C library. It
needs root, for chroot.
"""
import argparse
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import bundle
import debian
import manual
import report

SUITES = ("bookworm", "trixie")
README = """Headroom {version} for Linux on {machine}, with glibc {glibc} or newer.

    bin/headroom serve                                     # http://localhost:8080
    bin/headroom frame a.jpg --aspect 1:1 --output b.jpg

You can move the folder, but keep bin and lib next to each other. share contains manual pages, completions for bash, zsh and
fish, systemd units, and the licences of the libraries in lib. TIFF is not supported, because Debian's libtiff is linked with
code under the GPL. To fetch images over HTTPS, the machine needs certificates in /etc/ssl/certs/ca-certificates.crt.
"""


def pack(binary, output):
    """Writes the archive and its digest; returns the archive."""
    version, machine = bundle.version(), platform.machine()
    name = f"headroom-{version}-linux-{machine}"
    folder = output / name
    shutil.rmtree(folder, ignore_errors=True)
    share = folder / "share"
    for each in (folder / "bin", folder / "lib", share / "headroom", share / "licenses" / "headroom"):
        each.mkdir(parents=True)
    files = bundle.add_program(binary, folder / "bin", "../lib")
    bundle.licences(share / "licenses" / "libraries", bundle.libraries(binary).values())
    for each in ("LICENSE", "NOTICE"):
        shutil.copy(bundle.ROOT / each, share / "licenses" / "headroom")
    manual.write_pages(binary, share / "man" / "man1", version)
    manual.write_completions(binary, share / "completions")
    shutil.copytree(bundle.ROOT / "deploy" / "systemd", share / "headroom" / "systemd")
    text = README.format(version=version, machine=machine, glibc=".".join(map(str, bundle.glibc(files))))
    (folder / "README").write_text(text)
    archive = output / f"{name}.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(folder, name, filter=plain)
    bundle.run("sh", "-c", 'sha256sum "$1" >"$1.sha256"', "sh", archive.name, cwd=output)
    print(f"build-tarball: {archive} ({archive.stat().st_size >> 20} MiB, {len(files) - 1} libraries)")
    return archive


def plain(entry):
    """Returns an archive entry without the owner and other properties of the build machine."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = int(os.environ.get("SOURCE_DATE_EPOCH", entry.mtime))
    return entry


def crop(root, archive):
    """Unpacks the archive in the root of another system and crops an image there; returns a description of the crop."""
    bundle.run("tar", "-C", root, "-xzf", archive)
    name = archive.name.removesuffix(".tar.gz")
    shutil.copy(bundle.ROOT / "docs" / "images" / "scene.jpg", root)
    for folder in ("proc", "tmp"):
        (root / folder).mkdir(exist_ok=True)
    # The loader needs /proc to find the libraries next to the program; every system has it.
    enter = f'{shutil.which("mount")} --rbind /proc "$1/proc" && exec {shutil.which("chroot")} "$@"'
    command = [f"/{name}/bin/headroom", "frame", "/scene.jpg", "--aspect", "1:1", "--width", "200", "--output", "/crop.jpg"]
    done = subprocess.run([shutil.which("unshare") or "unshare", "--mount", shutil.which("sh") or "sh", "-c", enter, "sh", root, *command],
                          check=False, env={"PATH": ""}, capture_output=True, text=True)
    crop = root / "crop.jpg"
    if done.returncode or not crop.exists() or not crop.read_bytes().startswith(b"\xff\xd8"):
        sys.exit(f"build-tarball: the crop is missing:\n{done.stderr}")
    return f"{crop.stat().st_size} bytes of JPEG"


def bare(root):
    """Creates a system with only the C library, without a shell."""
    loader = pathlib.Path("/lib64/ld-linux-x86-64.so.2" if platform.machine() == "x86_64" else "/lib/ld-linux-aarch64.so.1")
    for file in (loader, *(find_library(name) for name in ("libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0",
                                                           "libresolv.so.2"))):
        target = root / file.relative_to("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file.resolve(), target)


def find_library(name):
    for line in bundle.run("ldconfig", "-p").splitlines():
        if line.split()[:1] == [name] and f"({'libc6,x86-64' if platform.machine() == 'x86_64' else 'libc6,AArch64'}" in line:
            return pathlib.Path(line.split()[-1])
    return sys.exit(f"build-tarball: {name} is not found")


def check(archive):
    if os.geteuid() != 0:
        report.skip("chroot requires root: sudo make check-tarball")
    for suite in SUITES:
        base = debian.base(suite)
        if base is None:
            report.omit(f"Debian {suite}", "its packages are not available here")
            continue
        with tempfile.TemporaryDirectory() as place:
            root = pathlib.Path(place)
            bundle.run("tar", "-C", root, "-xf", base)
            print(f"ok      a crop without PATH in a bare Debian {suite}: {crop(root, archive)}", flush=True)
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place)
        bare(root)
        print(f"ok      a crop in a system with only the C library: {crop(root, archive)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, default=bundle.BINARY)
    parser.add_argument("--output", type=pathlib.Path, default=bundle.ROOT / ".build" / "tarball")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    archive = pack(arguments.binary, arguments.output.resolve())
    if arguments.check:
        check(archive)


if __name__ == "__main__":
    main()

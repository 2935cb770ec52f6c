"""Debian's packages for arm64, unpacked into a folder, so that this system does not change."""
import hashlib
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The packages that a compiler for arm64 needs in addition to Headroom's libraries.
COMPILING = ["libc6-dev", "libstdc++-12-dev"]


def wanted() -> list[str]:
    lines = (ROOT / "scripts/debian-packages.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")] + COMPILING


def image_packages() -> list[str]:
    """Returns the packages that the Dockerfile installs in the final image."""
    command = re.findall(r"apt-get install (.*?)&&", (ROOT / "Dockerfile").read_text(), re.DOTALL)[0]
    return [word for word in command.replace("\\", " ").split() if not word.startswith("-")]


def unpack(folder: pathlib.Path) -> pathlib.Path:
    """Creates a file system with the listed packages and their dependencies; apt must also find the packages of the image."""
    root, stamp = folder / "root", folder / "packages"
    key = hashlib.sha256("\n".join(wanted() + image_packages()).encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == key:
        return root
    shutil.rmtree(folder, ignore_errors=True)
    for part in ["state/lists/partial", "cache/archives/partial", "root"]:
        (folder / part).mkdir(parents=True)
    (folder / "state/status").touch()
    options = {
        "APT::Architecture": "arm64",
        "APT::Architectures": "arm64",
        "Dir::State": folder / "state",
        "Dir::State::status": folder / "state/status",
        "Dir::Cache": folder / "cache",
        # Otherwise apt switches from root to the user _apt, which cannot write here.
        "APT::Sandbox::User": "root",
        "Debug::NoLocking": "1",
    }
    apt = ["apt-get", "-qq", *(word for name, value in options.items() for word in ("-o", f"{name}={value}"))]
    subprocess.run([*apt, "update"], check=True)
    subprocess.run([*apt, "install", "--simulate", *image_packages()], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*apt, "install", "-y", "--no-install-recommends", "--download-only", *wanted()], check=True)
    archives = sorted((folder / "cache/archives").glob("*.deb"))
    for archive in archives:
        subprocess.run(["dpkg-deb", "--extract", archive, root], check=True)
    shutil.rmtree(folder / "cache")
    print(f"packages: {len(archives)} for arm64; the {len(image_packages())} packages of the image also exist")
    stamp.write_text(key)
    return root

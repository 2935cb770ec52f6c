"""Builds the Debian package of the program: `make deb`.

    scripts/build-deb [--binary .build/release/headroom] [--output .build/deb] [--revision 1]

The package contains the program, its systemd units, manual pages, completions and settings. It is for the Debian release
of this host only, because it depends on the libraries of this release. DEBFULLNAME and DEBEMAIL set the maintainer, as for
Debian's own tools.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import bundle
import manual

DEBIAN = bundle.ROOT / "deploy" / "debian"
UNITS = bundle.ROOT / "deploy" / "systemd"


def maintainer():
    name = os.environ.get("DEBFULLNAME", "Headroom")
    return f"{name} <{os.environ.get('DEBEMAIL', 'packages@headroom.invalid')}>"


def service_unit():
    """Returns the unit of deploy/systemd with the path and the user of the package. The user is static, so it can own
    files."""
    text = (UNITS / "headroom.service").read_text()
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))
    for old, new in (
        ("/usr/local/bin/headroom", "/usr/bin/headroom"),
        ("DynamicUser=yes", "User=headroom\nGroup=headroom"),
    ):
        if text.count(old) != 1:
            sys.exit(f"build-deb: headroom.service contains {old} {text.count(old)} times, expected once")
        text = text.replace(old, new)
    return text


def prepare(folder, binary, version, revision):
    """Creates the files that debian/rules packs."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DEBIAN, folder / "debian")
    control = folder / "debian" / "control"
    control.write_text(control.read_text().replace("@MAINTAINER@", maintainer()))
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    (folder / "debian" / "changelog").write_text(
        f"headroom ({version}-{revision}) unstable; urgency=medium\n\n  * Version {version}: changelog.gz lists the changes.\n\n"
        f" -- {maintainer()}  {date}\n")
    (folder / "debian" / "headroom.service").write_text(service_unit())
    shutil.copy(UNITS / "headroom.socket", folder / "debian")
    shutil.copy(binary, folder / "headroom")
    shutil.copy(UNITS / "headroom.yaml", folder)
    for name in ("NOTICE", "CHANGELOG.md"):
        shutil.copy(bundle.ROOT / name, folder)
    manual.check(manual.write_pages(binary, folder / "manual", version))
    manual.write_completions(binary, folder / "completions")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, default=bundle.ROOT / ".build" / "release" / "headroom")
    parser.add_argument("--output", type=pathlib.Path, default=bundle.ROOT / ".build" / "deb")
    parser.add_argument("--revision", default="1")
    parser.add_argument("--fast", action="store_true", help="compress less, for checks")
    arguments = parser.parse_args()
    version = bundle.version()
    folder = arguments.output.resolve() / f"headroom-{version}"
    prepare(folder, arguments.binary, version, arguments.revision)
    log = folder.parent / "build.log"
    with log.open("w") as output:
        compression = ["COMPRESSION=-Zgzip -z1"] if arguments.fast else []
        done = subprocess.run(["fakeroot", "debian/rules", "binary", *compression], check=False, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"build-deb: debian/rules failed:\n{log.read_text()[-3000:]}")
    architecture = bundle.run("dpkg", "--print-architecture").strip()
    package = folder.parent / f"headroom_{version}-{arguments.revision}_{architecture}.deb"
    print(f"build-deb: {package} ({package.stat().st_size >> 20} MiB)")


if __name__ == "__main__":
    main()

"""Minimal Debian systems for the checks, created by debootstrap from the packages that apt on this host provides."""
import pathlib
import shutil
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parents[2] / ".build" / "debian"
WANTED = "$(REPO_URI) $(RELEASE) $(COMPONENT)"
TARGETS = ["apt-get", "indextargets", "--format", WANTED, "Created-By: Packages", "Origin: Debian"]


def sources(suite):
    """Returns apt's sources for the packages, updates and security fixes of a suite: URL, suite, component.

    If apt on this host does not use the suite, the sources are looked up next to the sources of this host.
    """
    known = [line.split() for line in subprocess.check_output(TARGETS, text=True).splitlines()]
    found = [line for line in known if line[1] == suite or line[1].startswith(f"{suite}-")]
    beside = [[address, suite, "main"] for address, name, _ in known if "-" not in name][:1]
    return sorted(found, key=lambda line: line[1] != suite) or beside


def base(suite, include=()):
    """Returns the archive of a minimal system, which is created once; None if its packages are not available here.

    It contains Debian's smallest set (`minbase`) and the packages of `include`.
    """
    archive = FOLDER / f"{'-'.join([suite, *include])}.tar"
    lines = sources(suite)
    if archive.exists() or not lines:
        return archive if archive.exists() else None
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="root-", dir=FOLDER) as place:
        root, partial = pathlib.Path(place, "root"), archive.with_suffix(".partial")
        options = ["--variant=minbase", *([f"--include={','.join(include)}"] if include else [])]
        command = ["debootstrap", *options, suite, root, lines[0][0]]
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            print(f"debootstrap of Debian {suite} failed: {done.stdout[-500:]}")
            return None
        (root / "etc/apt/sources.list").write_text("".join(f"deb {' '.join(line)}\n" for line in lines))
        left_out = ["--exclude=./var/lib/apt/lists/*", "--exclude=./var/cache/apt/*.bin"]
        subprocess.check_call(["tar", "-C", root, "-cf", partial, *left_out, "."])
        partial.rename(archive)
    return archive


def unpack(archive, root):
    """Unpacks a minimal system into a folder and replaces its previous content."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    subprocess.check_call(["tar", "-C", root, "-xf", archive])

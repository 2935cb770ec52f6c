"""Bare systems of Debian for the checks, made by debootstrap from the packages that apt on this host has."""
import pathlib
import shutil
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parents[2] / ".build" / "debian"
WANTED = "$(REPO_URI) $(RELEASE) $(COMPONENT)"
TARGETS = ["apt-get", "indextargets", "--format", WANTED, "Created-By: Packages", "Origin: Debian"]


def sources(suite):
    """apt's sources for the packages, updates and security fixes of a suite: address, suite, component.

    Those of a suite that apt on this host does not use are sought beside its own.
    """
    known = [line.split() for line in subprocess.check_output(TARGETS, text=True).splitlines()]
    found = [line for line in known if line[1] == suite or line[1].startswith(f"{suite}-")]
    beside = [[address, suite, "main"] for address, name, _ in known if "-" not in name][:1]
    return sorted(found, key=lambda line: line[1] != suite) or beside


def base(suite, include=()):
    """The archive of a bare system, which is made once; None if there are no packages of it here.

    It is Debian's smallest set (`minbase`) and the packages of `include`.
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
    """Unpacks a bare system into a folder, in place of what is there."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    subprocess.check_call(["tar", "-C", root, "-xf", archive])

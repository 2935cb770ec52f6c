"""Bare systems of Debian for the checks, made by debootstrap from the packages that apt on this host has."""
import os
import pathlib
import shutil
import subprocess

FOLDER = pathlib.Path(__file__).resolve().parents[2] / ".build" / "debian"


def sources(suite):
    """apt's sources for the packages, updates and security fixes of a suite: address, suite, component."""
    wanted = "$(REPO_URI) $(RELEASE) $(COMPONENT)"
    command = ["apt-get", "indextargets", "--format", wanted, "Created-By: Packages", "Origin: Debian"]
    found = [tuple(line.split()) for line in subprocess.check_output(command, text=True).splitlines()]
    return [line for line in found if line[1] == suite or line[1].startswith(f"{suite}-")]


def mirror(suite):
    """The address of the packages of a suite. A suite that apt on this host does not use is sought beside its own."""
    own = [(address, name) for address, name, _ in sources(suite) if name == suite]
    if own:
        return own[0][0]
    wanted = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages", "Origin: Debian"]
    for line in subprocess.check_output(wanted, text=True).splitlines():
        address, name = line.split()
        if "-" not in name:
            return address
    return None


def base(suite, include=()):
    """The archive of a bare system, which is made once; None if there are no packages of it here.

    It is Debian's smallest set (`minbase`) and the packages of `include`.
    """
    name = "-".join([suite, *include])
    archive = FOLDER / f"{name}.tar"
    address = mirror(suite)
    if archive.exists() or address is None:
        return archive if archive.exists() else None
    root = FOLDER / f"root-{os.getpid()}"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    options = [f"--include={','.join(include)}"] if include else []
    done = subprocess.run(["debootstrap", "--variant=minbase", *options, suite, str(root), address], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(f"debootstrap of Debian {suite} failed: {done.stdout[-500:]}")
        shutil.rmtree(root, ignore_errors=True)
        return None
    lines = sources(suite) or [(address, suite, "main")]
    (root / "etc/apt/sources.list").write_text("".join(f"deb {' '.join(line)}\n" for line in lines))
    partial = archive.with_suffix(".partial")
    subprocess.check_call(["tar", "-C", str(root), "-cf", str(partial), "--exclude=./var/lib/apt/lists/*",
                           "--exclude=./var/cache/apt/*.bin", "."])
    partial.rename(archive)
    shutil.rmtree(root)
    return archive

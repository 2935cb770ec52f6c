"""Images of registries: pulled, or built from Debian's packages if no registry is available."""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import debian  # noqa: E402

# Files that Debian's slim image excludes from every package.
SLIM = """
path-exclude /usr/share/doc/*
path-include /usr/share/doc/*/copyright
path-exclude /usr/share/info/*
path-exclude /usr/share/locale/*
path-exclude /usr/share/man/*
"""
# Debian's images keep neither package indexes in apt's cache nor packages that are installed.
KEEPS_NOTHING = """
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
DPkg::Post-Invoke { "find /var/cache/apt/archives -name '*.deb' -delete"; };
"""
# Dockerfiles of images that are built from others, by the last part of their names.
STANDINS = pathlib.Path(__file__).parent / "standins"
# Packages of Swift's images besides the toolchain, as far as a build needs them.
SWIFT_PACKAGES = (
    "binutils ca-certificates gcc git libcurl4-openssl-dev libncurses-dev libsqlite3-dev libstdc++-12-dev libxml2-dev "
    "pkg-config tzdata"
)


def names(dockerfile: str) -> list[str]:
    """The images named by FROM that are not stages of the same file."""
    stages, found = set(), []
    for image, stage in re.findall(r"^FROM (\S+)(?: AS (\S+))?", dockerfile, re.MULTILINE):
        if image not in stages and image not in found:
            found.append(image)
        stages.add(stage)
    return found


def provide(engine, image: str, folder: pathlib.Path):
    """Ensures that the engine has the image."""
    full = f"docker.io/{image}" if "/" in image else f"docker.io/library/{image}"
    if engine.has_image(full):
        print(f"base    {image}: present")
    elif engine.run("pull", "--quiet", full, check=False, timeout=300).returncode == 0:
        print(f"base    {image}: pulled")
    else:
        print(f"base    {image}: no registry available, building it from Debian's packages", flush=True)
        make(engine, image, full, folder)


def make(engine, image: str, full: str, folder: pathlib.Path):
    name, _, tag = image.partition(":")
    recipe = STANDINS / f"{name.rpartition('/')[2]}.Dockerfile"
    if recipe.exists():
        for base in names(recipe.read_text()):
            provide(engine, base, folder)
        engine.build("--tag", full, "--file", str(recipe), str(STANDINS))
        return
    if name == "debian":
        suite, packages, changes = tag.removesuffix("-slim"), "", []
    elif name == "swift":
        version, _, suite = tag.partition("-")
        needs_toolchain(version)
        packages, changes = SWIFT_PACKAGES, [f"ENV PATH={toolchain()}/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
    else:
        sys.exit(f"without a registry, {image} cannot be had: only debian:…, swift:… and those of {STANDINS} can be built")
    root = folder / f"root-{name}"
    shutil.rmtree(root, ignore_errors=True)
    command = ["debootstrap", "--variant=minbase"]
    command += [f"--include={','.join(packages.split())}"] if packages else []
    address = debian.mirror(suite) or sys.exit("apt on this host has no packages of Debian")
    done = subprocess.run([*command, suite, str(root), address], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"debootstrap failed:\n{done.stdout[-2000:]}")
    (root / "etc/dpkg/dpkg.cfg.d/slim").write_text(SLIM)
    (root / "etc/apt/apt.conf.d/keeps-nothing").write_text(KEEPS_NOTHING)
    (root / "etc/apt/sources.list").write_text("".join(f"deb {' '.join(line)}\n" for line in debian.sources(suite)))
    for unneeded in ["var/lib/apt/lists", "var/cache/apt"]:
        shutil.rmtree(root / unneeded)
    if tag.endswith("-slim"):
        for unneeded in ["doc", "info", "locale", "man"]:
            shutil.rmtree(root / "usr/share" / unneeded, ignore_errors=True)
    with subprocess.Popen(["tar", "-C", str(root), "-c", "."], stdout=subprocess.PIPE) as archive:
        options = [word for change in changes for word in ("--change", change)]
        engine.run("import", *options, "-", full, stdin=archive.stdout)
    shutil.rmtree(root)


def toolchain() -> pathlib.Path:
    """The folder of the local toolchain that contains bin, lib and so on."""
    swift = shutil.which("swift") or sys.exit("there is no swift on the PATH")
    information = subprocess.check_output([swift, "-print-target-info"], text=True)
    return pathlib.Path(re.search(r'"runtimeResourcePath": "(.*)/lib/swift"', information).group(1))


def needs_toolchain(version: str):
    printed = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    if f"Swift version {version}" not in printed:
        sys.exit(f"the Dockerfile builds with Swift {version}, but the local toolchain differs:\n{printed}")


def mounts(folder: pathlib.Path) -> list[str]:
    """Read-only mounts of a builder: the toolchain, and git mirrors configured on this host."""
    folders = {str(toolchain())}
    rewrites = subprocess.run(
        ["git", "config", "--get-regexp", r"^url\..*\.insteadof$"], capture_output=True, text=True
    ).stdout.splitlines()
    configuration = folder / "gitconfig"
    configuration.unlink(missing_ok=True)
    configuration.touch()
    for key, value in (line.split(" ", 1) for line in rewrites):
        subprocess.check_call(["git", "config", "--file", str(configuration), "--add", key, value])
        local = key.removeprefix("url.").removesuffix(".insteadof")
        if pathlib.Path(local).is_dir():
            folders.add(local.rstrip("/"))
    pairs = [(name, name) for name in sorted(folders)] + [(str(configuration), "/etc/gitconfig")]
    return [word for source, target in pairs for word in ("--volume", f"{source}:{target}:ro")]

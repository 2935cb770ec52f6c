"""Container images of registries: pulled, or built from Debian's packages if no registry is available."""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import debian

# Dockerfiles that replace images of registries, by the last part of their names, and files for the Debian images.
REPLACEMENTS = pathlib.Path(__file__).parent / "replacements"
# Packages of the Swift images, in addition to the toolchain, that a build needs.
SWIFT_PACKAGES = (
    "binutils ca-certificates gcc git libcurl4-openssl-dev libncurses-dev libsqlite3-dev libstdc++-12-dev libxml2-dev "
    "pkg-config tzdata"
).split()


def names(dockerfile):
    """Returns the images in FROM lines that are not stages of the same file."""
    found = re.findall(r"^FROM (\S+)(?: AS (\S+))?", dockerfile, re.MULTILINE)
    stages = {stage for _, stage in found}
    return list(dict.fromkeys(image for image, _ in found if image not in stages))


def provide(engine, image, folder):
    """Pulls or builds the image unless the engine already has it."""
    full = f"docker.io/{image}" if "/" in image else f"docker.io/library/{image}"
    if engine.has_image(full):
        print(f"base    {image}: present")
    elif engine.run("pull", "--quiet", full, check=False, timeout=300).returncode == 0:
        print(f"base    {image}: pulled")
    else:
        print(f"base    {image}: no registry available, building it from Debian's packages", flush=True)
        make(engine, image, full, folder)


def make(engine, image, full, folder):
    name, _, tag = image.partition(":")
    recipe = REPLACEMENTS / f"{name.rpartition('/')[2]}.Dockerfile"
    if recipe.exists():
        for base in names(recipe.read_text()):
            provide(engine, base, folder)
        engine.build("--tag", full, "--file", str(recipe), str(REPLACEMENTS))
    elif name == "debian":
        import_system(engine, full, folder, tag.removesuffix("-slim"))
    elif name == "swift":
        version, _, suite = tag.partition("-")
        printed = subprocess.run(["swift", "--version"], check=False, capture_output=True, text=True).stdout
        if f"Swift version {version}" not in printed:
            sys.exit(f"the Dockerfile builds with Swift {version}, but the local toolchain differs:\n{printed}")
        path = f"ENV PATH={toolchain()}/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        import_system(engine, full, folder, suite, SWIFT_PACKAGES, "--change", path)
    else:
        sys.exit(f"{image} is not available without a registry: only debian:…, swift:… and the images of {REPLACEMENTS} can be built")


def import_system(engine, full, folder, suite, packages=(), *options):
    """Builds an image of a minimal system."""
    base = debian.base(suite, packages) or sys.exit("apt on this host does not provide Debian packages")
    archive = folder / "base.tar"
    shutil.copy(base, archive)
    files = [file.relative_to(REPLACEMENTS / "debian") for file in (REPLACEMENTS / "debian").rglob("*") if file.is_file()]
    subprocess.check_call(["tar", "-C", REPLACEMENTS / "debian", "--owner=0", "--group=0", "-rf", archive, *files])
    engine.run("import", *options, str(archive), full)
    archive.unlink()


def toolchain():
    """Returns the folder of the local toolchain that contains bin and lib."""
    swift = shutil.which("swift") or sys.exit("swift is not on the PATH")
    information = subprocess.check_output([swift, "-print-target-info"], text=True)
    return pathlib.Path(re.findall(r'"runtimeResourcePath": "(.*)/lib/swift"', information)[0])


def mounts(folder):
    """Returns the read-only mounts of a builder: the toolchain, and git mirrors configured on this host."""
    folders = {str(toolchain())}
    configured = ["git", "config", "--get-regexp", r"^url\..*\.insteadof$"]
    configuration = folder / "gitconfig"
    configuration.write_text("")
    for line in subprocess.run(configured, check=False, capture_output=True, text=True).stdout.splitlines():
        key, value = line.split(" ", 1)
        subprocess.check_call(["git", "config", "--file", configuration, "--add", key, value])
        local = key.removeprefix("url.").removesuffix(".insteadof")
        if pathlib.Path(local).is_dir():
            folders.add(local.rstrip("/"))
    pairs = [(name, name) for name in sorted(folders)] + [(configuration, "/etc/gitconfig")]
    return [word for source, target in pairs for word in ("--volume", f"{source}:{target}:ro")]

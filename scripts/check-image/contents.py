"""The contents of the container image: its size, its libraries, and forbidden files."""
import re
import subprocess

LIMIT_MB = 150
BINARY = "/usr/local/bin/headroom"
FORBIDDEN = re.compile(r"^(lib)?(blas|lapack|openblas|atlas|gfortran|x11|xcb|xext|opencv|dlib|gtk|glib|llvm|python)", re.IGNORECASE)
# Certificates are read, not linked.
NOT_LINKED = {"ca-certificates"}


def checks(engine, image, base):
    description = engine.inspect("image", image)

    def is_small():
        above = (description["Size"] - engine.inspect("image", base)["Size"]) / 1e6
        binary = int(engine.inside(image, "stat", "--format=%s", BINARY)) / 1e6
        said = f"{above:.1f} MB, including the binary with {binary:.1f} MB"
        assert above < LIMIT_MB, said
        return said

    def linked():
        """Returns the loaded libraries by name, with their paths."""
        printed = engine.inside(image, "ldd", BINARY)
        missing = re.findall(r"(\S+) => not found", printed)
        assert not missing, f"missing: {', '.join(missing)}"
        return dict(re.findall(r"(\S+) => (\S+)", printed))

    def has_nothing_superfluous():
        chosen, present = (set(engine.inside(one, "apt-mark", "showmanual").split()) for one in (image, base))
        # The libraries that the binary requires directly.
        root = engine.run("image", "mount", image).stdout.strip()
        needed = re.findall(r"NEEDED.*\[(.*)\]", subprocess.check_output(["readelf", "-d", root + BINARY], text=True))
        # A package may list a file in /lib while the loader prints /usr/lib, or the reverse.
        short = [path.removeprefix("/usr") for name, path in linked().items() if name in needed]
        paths = [*short, *(f"/usr{path}" for path in short)]
        listed = engine.inside(image, "sh", "-c", 'dpkg -S "$@" 2>/dev/null || true', "sh", *paths)
        superfluous = chosen - present - {line.split(":")[0] for line in listed.splitlines()} - NOT_LINKED
        assert not superfluous, f"not linked: {', '.join(sorted(superfluous))}"
        return ", ".join(sorted(chosen - present))

    def packages(image):
        """Returns names and sizes in KiB."""
        listed = engine.inside(image, "dpkg-query", "--show", "--showformat", "${Package} ${Installed-Size}\n")
        return {name: int(size) for name, size in (line.split() for line in listed.splitlines())}

    def has_nothing_forbidden():
        installed, present = packages(image), packages(base)
        found = sorted(filter(FORBIDDEN.match, installed))
        assert not found, ", ".join(found)
        added = {name: size for name, size in installed.items() if name not in present}
        largest = sorted(added, key=added.__getitem__, reverse=True)[:4]
        return f"{len(added)} packages above the base, the largest {', '.join(f'{n} {added[n] / 1024:.1f} MiB' for n in largest)}"

    def is_not_root():
        user = description["Config"].get("User", "")
        # Kubernetes' runAsNonRoot requires a numeric user.
        assert re.match(r"[1-9]\d*(:|$)", user), f"the user is {user or 'not set, so root'}"
        return user

    def describes_itself():
        # The engine omits its default.
        signal = description["Config"].get("StopSignal", "SIGTERM")
        health = description.get("HealthCheck") or description.get("Healthcheck") or {}
        assert signal in ("SIGTERM", "15"), signal
        assert health.get("Test") == ["CMD", "headroom", "health"], f"HEALTHCHECK is {health}"
        return f"{signal}, {' '.join(health['Test'][1:])}"

    return {
        f"less than {LIMIT_MB} MB above the base": is_small,
        "every library is present": lambda: f"{len(linked())} libraries",
        "every installed package is linked": has_nothing_superfluous,
        "no BLAS, X11, OpenCV or the like": has_nothing_forbidden,
        "does not run as root": is_not_root,
        "stops on SIGTERM, and has a health check": describes_itself,
    }

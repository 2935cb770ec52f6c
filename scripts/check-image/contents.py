"""The contents of the image: its size, its libraries, and what it must not contain."""
import re
import subprocess

LIMIT_MB = 150
BINARY = "/usr/local/bin/headroom"
FORBIDDEN = re.compile(r"^(lib)?(blas|lapack|openblas|atlas|gfortran|x11|xcb|xext|opencv|dlib|gtk|glib|llvm|python)", re.IGNORECASE)
# Certificates are read and not linked.
NOT_LINKED = {"ca-certificates"}


def checks(engine, image: str, base: str):
    contents = Contents(engine, image, base)
    return [
        (f"less than {LIMIT_MB} MB above the base", contents.is_small),
        ("every library is present", contents.is_complete),
        ("every installed package is linked", contents.has_nothing_superfluous),
        ("no BLAS, X11, OpenCV or the like", contents.has_nothing_forbidden),
        ("runs as another user than root", contents.is_not_root),
        ("stops by SIGTERM, and has a health check", contents.describes_itself),
    ]


class Contents:
    def __init__(self, engine, image: str, base: str):
        self.engine, self.image = engine, image
        self.base = f"docker.io/library/{base}"
        self.description = engine.inspect("image", image)

    def packages(self, image: str) -> dict[str, int]:
        """Names and sizes in KiB."""
        listed = self.engine.inside(image, "dpkg-query", "--show", "--showformat", "${Package} ${Installed-Size}\n")
        return {name: int(size) for name, size in (line.split() for line in listed.splitlines())}

    def is_small(self):
        above = (self.description["Size"] - self.engine.inspect("image", self.base)["Size"]) / 1e6
        binary = int(self.engine.inside(self.image, "stat", "--format=%s", BINARY)) / 1e6
        assert above < LIMIT_MB, f"{above:.1f} MB, of which the binary is {binary:.1f} MB"
        return f"{above:.1f} MB, of which the binary is {binary:.1f} MB"

    def linked(self) -> dict[str, str]:
        """The loaded libraries by name, with their paths."""
        printed = self.engine.inside(self.image, "ldd", BINARY)
        missing = re.findall(r"(\S+) => not found", printed)
        assert not missing, f"missing: {', '.join(missing)}"
        return dict(re.findall(r"(\S+) => (\S+)", printed))

    def is_complete(self):
        return f"{len(self.linked())} libraries"

    def has_nothing_superfluous(self):
        chosen = set(self.engine.inside(self.image, "apt-mark", "showmanual").split())
        chosen -= set(self.engine.inside(self.base, "apt-mark", "showmanual").split())
        needed = self.needed()
        owners = set()
        for name, path in self.linked().items():
            if name in needed:
                # Packages list files in /usr, the loader may print /lib.
                path = path if path.startswith("/usr") else f"/usr{path}"
                found = self.engine.inside(self.image, "sh", "-c", f"dpkg -S {path} || dpkg -S {path.removeprefix('/usr')}")
                owners.add(found.split(":")[0])
        superfluous = chosen - owners - NOT_LINKED
        assert not superfluous, f"not linked: {', '.join(sorted(superfluous))}"
        return ", ".join(sorted(chosen))

    def needed(self) -> set[str]:
        """The libraries that the binary itself requires."""
        root = self.engine.run("image", "mount", self.image).stdout.strip()
        dynamic = subprocess.check_output(["readelf", "-d", root + BINARY], text=True)
        return set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))

    def has_nothing_forbidden(self):
        installed = self.packages(self.image)
        found = sorted(name for name in installed if FORBIDDEN.match(name))
        assert not found, ", ".join(found)
        added = {name: size for name, size in installed.items() if name not in self.packages(self.base)}
        largest = sorted(added, key=added.get, reverse=True)[:4]
        return f"{len(added)} packages above the base, the largest {', '.join(f'{n} {added[n] / 1024:.1f} MiB' for n in largest)}"

    def is_not_root(self):
        user = self.description["Config"].get("User", "")
        # Kubernetes' runAsNonRoot needs a number.
        assert user.split(":")[0].isdecimal() and int(user.split(":")[0]) > 0, f"it is {user or 'not set, so root'}"
        return user

    def describes_itself(self):
        # The engine omits its default.
        signal = self.description["Config"].get("StopSignal", "SIGTERM")
        health = self.description.get("HealthCheck") or self.description.get("Healthcheck") or {}
        assert signal in ("SIGTERM", "15"), signal
        assert health.get("Test") == ["CMD", "headroom", "health"], f"HEALTHCHECK is {health}"
        return f"{signal}, {' '.join(health['Test'][1:])}"

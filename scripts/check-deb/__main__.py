"""Installs the Debian package on a minimal Debian with systemd, requests a crop, and upgrades, removes and purges it.

    sudo make check-deb

debootstrap creates the machine, and systemd-nspawn boots it. The libraries that the package needs are downloaded first,
so that the measured installation time does not include downloads. Exits 1 if a check fails.
"""
import pathlib
import shutil
import sys
import threading
import time

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(SCRIPTS / "lib"), str(SCRIPTS / "check-image")]
import bundle
import debian
import report
import service
from engine import WITHOUT_OLD_GROUPS, enter_namespace
from machine import Machine, in_root

FOLDER = service.ROOT / ".build" / "check-deb"
SERVICE = "http://127.0.0.1:8080"
SETTINGS = "/etc/headroom/headroom.yaml"
# The packages that a bootable Debian needs in addition to the minimal set.
BOOTED = ("systemd", "systemd-sysv", "bash-completion", "man-db")
# A line that an operator adds.
SETTING = "max-pixels: 12345678"


def build(revision, *options):
    output = FOLDER / "packages"
    bundle.run(sys.executable, "-B", SCRIPTS / "build-deb", "--output", output, "--revision", revision, *options)
    return next(output.glob(f"headroom_*-{revision}_*.deb"))


def lints(package):
    said = report.output("lintian", "--allow-root", "--fail-on", "error", package).splitlines()
    return f"{len(said)} warnings{''.join(f'; {line}' for line in said)}"


class Checks:
    """The checks of the package; each returns its observations, or fails."""

    def __init__(self, machine, first, second):
        self.machine, self.run, self.first, self.second = machine, machine.run, first, second

    def install(self, package):
        self.run("apt-get", "install", "-q", "-y", f"/root/{package.name}")

    def crop(self):
        """Returns the size of a crop."""
        image = f"@{service.IMAGES / 'scene.jpg'}"
        body, status = self.machine.curl("--data-binary", image, f"{SERVICE}/frame?aspect=1:1&width=200")
        assert status == "200" and service.is_jpeg(body), f"{status} {body[:300]!r}\n{self.journal()}"
        return len(body)

    def journal(self):
        return self.run("journalctl", "--no-pager", "-n", "20", "-u", "headroom*", check=False)

    def process(self):
        return self.run("systemctl", "show", "--property", "MainPID", "--value", "headroom.service")

    def installs(self):
        begin = time.monotonic()
        self.install(self.first)
        installed = time.monotonic() - begin
        size, total = self.crop(), time.monotonic() - begin
        assert total < 60, f"{total:.0f} s"
        return f"{installed:.0f} s to install, {size} bytes of JPEG after {total:.1f} s"

    def is_confined(self):
        for unit in ("headroom.socket", "headroom.service"):
            for question in ("is-active", "is-enabled"):
                response = self.run("systemctl", question, unit, check=False)
                assert response in ("active", "enabled"), f"{unit} {response}\n{self.journal()}"
        status = service.process_status(self.run("cat", f"/proc/{self.process()}/status"))
        user = self.run("id", "--name", "--user", status["Uid"].split()[0])
        assert user == "headroom", user
        assert int(status["CapEff"], 16) == 0 and status["NoNewPrivs"] == "1" and status["Seccomp"] == "2", str(status)
        sockets = self.run("systemctl", "show", "--property", "Listen", "--value", "headroom.socket")
        return f"user {user}, no capability, no_new_privs, seccomp; {sockets}"

    def is_documented(self):
        pages = self.run("sh", "-c", "ls /usr/share/man/man1/headroom*.1.gz").split()
        for page in pages:
            self.run("man", "--where", pathlib.PurePath(page).name.removesuffix(".1.gz"))
        # Simulates bash: the words of the line, and the position of the cursor.
        asked = ". /usr/share/bash-completion/bash_completion; _completion_loader headroom; complete -p headroom"
        complete = self.run("bash", "-c", asked)
        assert "headroom" in complete, complete
        for shell in ("zsh/vendor-completions/_headroom", "fish/vendor_completions.d/headroom.fish"):
            self.run("test", "-s", f"/usr/share/{shell}")
        return f"{len(pages)} pages; {complete}"

    def upgrades(self):
        self.run("sh", "-c", f"echo '{SETTING}' >>{SETTINGS}")
        before, asked, over = self.process(), [], threading.Event()

        def ask():
            while not over.is_set():
                asked.append(self.machine.curl("--output", "/dev/null", f"{SERVICE}/healthz")[1])
        asking = threading.Thread(target=ask)
        asking.start()
        self.install(self.second)
        self.crop()
        over.set()
        asking.join()
        refused = [status for status in asked if status != "200"]
        assert not refused, f"{len(refused)} of {len(asked)} requests failed: {refused[:3]}"
        assert self.process() != before, "the old process still runs"
        settings = self.run("cat", SETTINGS)
        assert SETTING in settings.splitlines(), settings
        return f"{len(asked)} requests, 0 failed; the setting is still there"

    def removes(self):
        self.run("apt-get", "remove", "-q", "-y", "headroom")
        body, status = self.machine.curl(f"{SERVICE}/healthz")
        assert status.endswith("000"), f"it still responds: {status} {body[:100]!r}"
        assert not (left := self.run("pgrep", "headroom", check=False)), f"a process still runs: {left}"
        self.run("test", "-f", SETTINGS)
        return "no process, no listener"

    def purges(self):
        self.run("apt-get", "purge", "-q", "-y", "headroom")
        find = "find / -xdev -path /root -prune -o -path /proc -prune -o -name *headroom* -print"
        left = self.run(*find.split()).split()
        failed = self.run("systemctl", "--failed", "--plain", "--no-legend")
        assert not left and not failed, f"{left} {failed}"
        return "no file, no failed unit; the user stays, by Debian's convention"


enter_namespace(WITHOUT_OLD_GROUPS)
first, second = build("1"), build("2", "--fast")
report.each({"lintian finds no error": lambda: lints(first)})
base = debian.base("bookworm", BOOTED) or sys.exit("check-deb: the packages of Debian bookworm are not available here")
root = FOLDER / "root"
debian.unpack(base, root)
for package in (first, second):
    shutil.copy(package, root / "root")
in_root(root, "apt-get", "update", "-q")
in_root(root, "apt-get", "install", "-q", "-y", "--download-only", f"/root/{first.name}")
with Machine(root) as machine:
    checks = Checks(machine, first, second)
    report.each({
        "apt install, to a crop": checks.installs,
        "runs as its own user, confined, with a socket of systemd": checks.is_confined,
        "man pages and completions are found": checks.is_documented,
        "an upgrade keeps the settings and rejects no request": checks.upgrades,
        "removal stops it and keeps the settings": checks.removes,
        "a purge leaves nothing": checks.purges,
    })
shutil.rmtree(root)
report.end()

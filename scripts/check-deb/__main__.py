"""Installs the Debian package on a bare Debian that runs systemd, asks it for a crop, upgrades, removes and purges it.

    sudo make check-deb

The machine is made by debootstrap and booted by systemd-nspawn. The libraries that the package depends on are downloaded
beforehand, so that the time of the installation is that of the machine. Exits 1 if a check fails.
"""
import pathlib
import shutil
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts/lib"), str(ROOT / "scripts/check-image")]
import bundle  # noqa: E402
import debian  # noqa: E402
from engine import enter_namespace  # noqa: E402
from machine import Machine, in_root, unpack  # noqa: E402

FOLDER = ROOT / ".build" / "check-deb"
SERVICE = "http://127.0.0.1:8080"
SCENE = ROOT / "docs" / "pictures" / "scene.jpg"
# What a Debian that boots has and the smallest set of packages has not.
BOOTED = ("systemd", "systemd-sysv", "bash-completion", "man-db")
# An operator's line.
SETTING = "max-pixels: 12345678\n"


def main():
    enter_namespace()
    first, second = build("1"), build("2", "--fast")
    checks = Checks(first, second)
    failed = checks.run("lintian finds no error", checks.lints)
    base = debian.base("bookworm", BOOTED) or sys.exit("check-deb: there are no packages of Debian bookworm here")
    root = FOLDER / "root"
    unpack(base, root)
    for package in (first, second):
        shutil.copy(package, root / "root")
    in_root(root, "apt-get", "update", "-q")
    in_root(root, "apt-get", "install", "-q", "-y", "--download-only", f"/root/{first.name}")
    with Machine(root) as machine:
        checks.machine = machine
        for sentence, check in (
            ("apt install, to a crop", checks.installs),
            ("runs as its own user, confined, with a socket of systemd", checks.is_confined),
            ("man pages and completions are found", checks.is_documented),
            ("an upgrade keeps the settings and refuses no request", checks.upgrades),
            ("removal stops it and keeps the settings", checks.removes),
            ("a purge leaves nothing", checks.purges),
        ):
            failed += checks.run(sentence, check)
    shutil.rmtree(root)
    sys.exit(1 if failed else 0)


def build(revision: str, *options: str) -> pathlib.Path:
    output = FOLDER / "packages"
    bundle.run(sys.executable, "-B", ROOT / "scripts/build-deb", "--output", output, "--revision", revision, *options)
    return next(output.glob(f"headroom_*-{revision}_*.deb"))


class Checks:
    """What is expected of the package; each returns what it has found, or fails."""

    def __init__(self, first: pathlib.Path, second: pathlib.Path):
        self.first, self.second = first, second

    def run(self, sentence: str, check) -> int:
        try:
            print(f"ok      {sentence}: {check()}", flush=True)
            return 0
        except AssertionError as reason:
            print(f"FAILED  {sentence}: {reason}", flush=True)
            return 1

    def lints(self):
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", self.first], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return f"{len(done.stdout.splitlines())} warnings{''.join(f'; {line}' for line in done.stdout.splitlines())}"

    def crop(self) -> bytes:
        body, status = self.machine.curl("--data-binary", f"@{SCENE}", f"{SERVICE}/frame?aspect=1:1&width=200")
        assert status == "200" and body.startswith(b"\xff\xd8"), f"{status} {body[:300]!r}\n{self.journal()}"
        return body

    def journal(self) -> str:
        return self.machine.run("journalctl", "--no-pager", "-n", "20", "-u", "headroom*", check=False).stdout

    def installs(self):
        begin = time.monotonic()
        self.machine.run("apt-get", "install", "-q", "-y", f"/root/{self.first.name}")
        installed = time.monotonic() - begin
        size = len(self.crop())
        total = time.monotonic() - begin
        assert total < 60, f"{total:.0f} s"
        return f"{installed:.0f} s to install, {size} bytes of JPEG after {total:.1f} s"

    def process(self) -> str:
        return self.machine.run("systemctl", "show", "--property", "MainPID", "--value", "headroom.service").stdout.strip()

    def is_confined(self):
        for unit in ("headroom.socket", "headroom.service"):
            for question in ("is-active", "is-enabled"):
                answer = self.machine.run("systemctl", question, unit, check=False).stdout.strip()
                assert answer in ("active", "enabled"), f"{unit} {answer}\n{self.journal()}"
        status = dict(line.split(":", 1) for line in self.machine.run("cat", f"/proc/{self.process()}/status").stdout.splitlines())
        user = self.machine.run("id", "--name", "--user", status["Uid"].split()[0]).stdout.strip()
        assert user == "headroom", user
        assert int(status["CapEff"], 16) == 0 and status["NoNewPrivs"].strip() == "1" and status["Seccomp"].strip() == "2", str(status)
        sockets = self.machine.run("systemctl", "show", "--property", "Listen", "--value", "headroom.socket").stdout.strip()
        return f"user {user}, no capability, no_new_privs, seccomp; {sockets}"

    def is_documented(self):
        pages = self.machine.run("sh", "-c", "ls /usr/share/man/man1/headroom*.1.gz").stdout.split()
        for page in pages:
            self.machine.run("man", "--where", pathlib.PurePath(page).name.removesuffix(".1.gz"))
        # As bash does it: the words of the line, and where the cursor is.
        asked = ". /usr/share/bash-completion/bash_completion; _completion_loader headroom; complete -p headroom"
        complete = self.machine.run("bash", "-c", asked).stdout.strip()
        assert "headroom" in complete, complete
        for shell in ("zsh/vendor-completions/_headroom", "fish/vendor_completions.d/headroom.fish"):
            self.machine.run("test", "-s", f"/usr/share/{shell}")
        return f"{len(pages)} pages; {complete}"

    def upgrades(self):
        self.machine.run("sh", "-c", f"echo '{SETTING.strip()}' >>/etc/headroom/headroom.yaml")
        before, asked, over = self.process(), [], threading.Event()

        def ask():
            while not over.is_set():
                asked.append(self.machine.curl("--output", "/dev/null", f"{SERVICE}/healthz")[1])
        asking = threading.Thread(target=ask)
        asking.start()
        self.machine.run("apt-get", "install", "-q", "-y", f"/root/{self.second.name}")
        self.crop()
        over.set()
        asking.join()
        refused = [status for status in asked if status != "200"]
        assert not refused, f"{len(refused)} of {len(asked)} requests failed: {refused[:3]}"
        assert self.process() != before, "the old process still runs"
        settings = self.machine.run("cat", "/etc/headroom/headroom.yaml").stdout
        assert SETTING in settings, settings
        return f"{len(asked)} requests, 0 failed; the setting is still there"

    def removes(self):
        self.machine.run("apt-get", "remove", "-q", "-y", "headroom")
        body, status = self.machine.curl(f"{SERVICE}/healthz")
        assert status.endswith("000"), f"it still responds: {status} {body[:100]!r}"
        assert self.machine.run("pgrep", "headroom", check=False).returncode != 0, "a process still runs"
        self.machine.run("test", "-f", "/etc/headroom/headroom.yaml")
        return "no process, no listener"

    def purges(self):
        self.machine.run("apt-get", "purge", "-q", "-y", "headroom")
        left = self.machine.run("sh", "-c", "find / -xdev -path /root -prune -o -path /proc -prune -o -name '*headroom*' -print").stdout.split()
        failed = self.machine.run("systemctl", "--failed", "--plain", "--no-legend").stdout.strip()
        assert not left and not failed, f"{left} {failed}"
        return "no file, no failed unit; the user stays, as Debian has it"


main()

"""nginx, replicas and Redis on this host, with the unchanged files of deploy/."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import urllib.request

import processes

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = SOURCE / "deploy"


class Replica:
    """A `headroom serve` with one worker, which keeps its port after a restart."""

    def __init__(self, program: str, log: pathlib.Path, *options: str, environment: dict[str, str] = {}):
        self.port = processes.free_port()
        self.log, self.environment = log, environment
        self.command = [
            program, "serve", "--port", str(self.port), "--workers", "1", "--allow-private-sources",
            "--log-level", "warning", *options,
        ]

    def start(self) -> None:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("HEADROOM_")}
        with self.log.open("ab") as log:
            process = subprocess.Popen(self.command, stderr=log, env=inherited | self.environment)
        self.server = processes.Server(process, f"http://127.0.0.1:{self.port}")
        processes.await_answer(process, self.server.base + "/readyz")

    def kill(self) -> None:
        self.server.process.kill()
        self.server.process.wait()

    def drain(self) -> int:
        """Stops it as in an upgrade; returns its exit status."""
        self.server.process.terminate()
        return self.server.process.wait(60)

    def metrics(self) -> dict[str, float]:
        """Its metrics by name, including labels."""
        with urllib.request.urlopen(self.server.base + "/metrics", timeout=10) as answer:
            lines = answer.read().decode().splitlines()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


class Front:
    """nginx with deploy/nginx.conf in front of some replicas."""

    def __init__(self, folder: pathlib.Path, replicas: list[Replica]):
        self.port = processes.free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.prefix, self.log = folder / "prefix", folder / "access.log"
        included = folder / "nginx"
        for made in [self.prefix, included]:
            made.mkdir(parents=True)
        (folder / "nginx.conf").symlink_to(DEPLOY / "nginx.conf")
        for file in (DEPLOY / "nginx").glob("*.conf"):
            if file.name not in ("listen.conf", "replicas.conf", "monitoring.conf"):
                (included / file.name).symlink_to(file)
        # Several of them run on this host, and the port of the status is fixed.
        (included / "monitoring.conf").write_text("")
        (included / "listen.conf").write_text(f"listen 127.0.0.1:{self.port};\n")
        (included / "replicas.conf").write_text("".join(server_line(replica) for replica in replicas))
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        user = " user root;" if os.geteuid() == 0 else ""
        self.command = [
            program or "nginx", "-c", str(folder / "nginx.conf"), "-p", str(self.prefix), "-e", "stderr",
            "-g", f"daemon off;{user}",
        ]

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=subprocess.DEVNULL)
        processes.await_answer(self.process, self.base + "/healthz")

    def answers(self, path_prefix: str = "/frame") -> list[dict]:
        """The log lines of picture requests so far."""
        lines = self.log.read_text(errors="replace").splitlines()
        return [entry for entry in map(json.loads, lines) if entry["path"].startswith(path_prefix)]


def server_line(replica: Replica) -> str:
    """The server options of replicas.conf, with an address instead of a name."""
    line = re.search(r"^server headroom:8080 resolve (.*)", (DEPLOY / "nginx/replicas.conf").read_text(), re.MULTILINE)[1]
    return f"server 127.0.0.1:{replica.port} {line}\n"


class Redis:
    """redis-server with the command line of docker-compose.yml."""

    def __init__(self, folder: pathlib.Path):
        self.port = processes.free_port()
        line = re.search(r'command: (\["redis-server".*\])', (SOURCE / "docker-compose.yml").read_text()).group(1)
        self.command = [*json.loads(line), "--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(folder)]
        self.url = f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while self.ask("ping") != "PONG":
            if time.monotonic() > end:
                raise processes.Unavailable("redis-server does not respond")
            time.sleep(0.05)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

    def pause(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def ask(self, *words: str) -> str:
        return subprocess.run(["redis-cli", "-p", str(self.port), *words], capture_output=True, text=True).stdout.strip()


@contextlib.contextmanager
def running(*parts):
    """Starts the parts in order, and stops them in reverse order."""
    started = []
    try:
        for part in parts:
            part.start()
            started.append(part)
        yield
    finally:
        for part in reversed(started):
            process = part.server.process if isinstance(part, Replica) else part.process
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

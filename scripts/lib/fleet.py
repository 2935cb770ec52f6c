"""nginx, replicas and Redis on this host, with the unchanged files of deploy/."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess

import service

DEPLOY = service.ROOT / "deploy"


class Replica:
    """A `headroom serve` with one worker, which keeps its port; `around` wraps its command."""

    def __init__(self, program, *options, around=lambda command: command, **environment):
        self.port, self.environment = service.free_port(), environment
        self.command = around([
            program, "serve", "--port", str(self.port), "--workers", "1", "--allow-private-sources",
            "--log-level", "warning", *options,
        ])

    def start(self):
        environment = service.own_environment() | self.environment
        self.process = subprocess.Popen(self.command, stderr=subprocess.DEVNULL, env=environment)
        service.wait_until(lambda: service.is_ready(self.port), "a replica is ready")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def drain(self):
        """Stops the replica in the same way as an upgrade; returns its exit status."""
        self.process.terminate()
        return self.process.wait(60)

    def replace(self):
        assert (status := self.drain()) == 0, f"it ended with status {status}"
        self.start()

    def metrics(self, timeout=10):
        """Returns the metrics of the replica by name, including labels."""
        lines = service.ask(self.port, "/metrics", timeout=timeout)[2].decode().splitlines()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


class Front:
    """Runs nginx with deploy/nginx.conf in front of some replicas."""

    def __init__(self, folder, replicas):
        self.port = service.free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.prefix, self.log, included = folder / "prefix", folder / "access.log", folder / "nginx"
        for made in [self.prefix, included]:
            made.mkdir(parents=True)
        (folder / "nginx.conf").symlink_to(DEPLOY / "nginx.conf")
        own = {
            "listen.conf": f"listen 127.0.0.1:{self.port};\n",
            "replicas.conf": "".join(server_line(replica) for replica in replicas),
            # Omitted, because several instances run on this host and the port of the status page is fixed.
            "monitoring.conf": "",
        }
        for name, text in own.items():
            (included / name).write_text(text)
        for file in (DEPLOY / "nginx").glob("*.conf"):
            if file.name not in own:
                (included / file.name).symlink_to(file)
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        user = " user root;" if os.geteuid() == 0 else ""
        files = ["-c", folder / "nginx.conf", "-p", self.prefix, "-e", "stderr"]
        self.command = [program, *files, "-g", f"daemon off;{user}"]

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=subprocess.DEVNULL)
        service.wait_until(lambda: service.is_ready(self.port, "/healthz"), "nginx responds")

    def responses(self, path_prefix="/frame"):
        """Returns the log lines of image requests so far."""
        lines = self.log.read_text(errors="replace").splitlines()
        return [entry for entry in map(json.loads, lines) if entry["path"].startswith(path_prefix)]


def server_line(replica):
    """Returns the server line of replicas.conf with its options, and with an address instead of a name."""
    line = re.findall(r"^server headroom:8080 resolve (.*)", (DEPLOY / "nginx/replicas.conf").read_text(), re.MULTILINE)[0]
    return f"server 127.0.0.1:{replica.port} {line}\n"


class Redis:
    """Runs redis-server with the command line of docker-compose.yml and further options."""

    def __init__(self, folder, *options):
        self.port = service.free_port()
        line = re.findall(r'command: (\["redis-server".*\])', (service.ROOT / "docker-compose.yml").read_text())[0]
        self.command = [*json.loads(line), "--bind", "127.0.0.1", "--port", str(self.port), "--dir", folder, *options]
        self.url = f"redis://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        service.wait_until(lambda: self.ask("ping") == "PONG", "redis-server responds", 30)

    def stop(self):
        self.process.kill()
        self.process.wait()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def ask(self, *words):
        return subprocess.run(["redis-cli", "-p", str(self.port), *words], check=False, capture_output=True, text=True).stdout.strip()


def _end(part):
    service.end(part.process)


@contextlib.contextmanager
def running(*parts):
    """Starts the parts in order, and stops them in reverse order."""
    with contextlib.ExitStack() as stack:
        for part in parts:
            part.start()
            # The process of a part may have changed in the meantime.
            stack.callback(_end, part)
        yield

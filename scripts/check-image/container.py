"""The behaviour of the image under production restrictions: read-only, no capability, the engine's seccomp profile."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading
import time

import service
from engine import ALONE, CONFINED

NAME = "headroom-check"


def checks(engine, image: str, source: pathlib.Path):
    container = Container(engine, image, (source / "docs/pictures/scene.jpg").read_bytes())
    readme = (source / "README.md").read_text()
    return [
        ("the image alone responds on the port that README.md publishes", lambda: container.runs_alone(readme)),
        ("crops a picture from a pipe, without the service", container.crops_in_a_pipe),
        ("starts on a read-only file system, and is ready", container.start),
        ("has no capability and cannot gain one", container.is_confined),
        ("workers have a seccomp filter of their own, and the same user", container.workers_are_confined),
        ("crops a picture", container.crops),
        ("HEALTHCHECK passes", container.is_healthy),
        ("HEALTHCHECK fails while it hangs", container.hanging_is_unhealthy),
        ("SIGTERM lets open requests complete", container.drains),
        ("exits with status 0", container.has_ended),
    ]


class Container:
    def __init__(self, engine, image: str, picture: bytes):
        self.engine, self.image, self.picture = engine, image, picture
        self.port = service.free_port()

    def runs_alone(self, readme: str):
        """Runs the image without options, in a network of its own; publishing a port is the engine's part."""
        commands = re.findall(r"^    (docker (?:build|run) .*)$", readme, re.MULTILINE)
        assert len(commands) == 2, f"README.md has {commands}"
        tag = re.search(r"--tag (\S+)", commands[0])
        run = re.fullmatch(r"docker run --rm --publish (?:127\.0\.0\.1:)?\d+:(\d+) (\S+)", commands[1])
        assert tag and run and run[2] == tag[1], f"{commands[1]} does not run what {commands[0]} builds"
        self.engine.run("rm", "--force", "--ignore", NAME)
        self.engine.run("run", "--detach", "--name", NAME, *ALONE, self.image)
        try:
            pid = self.engine.inspect("container", NAME)["State"]["Pid"]
            address = f"http://127.0.0.1:{run[1]}/frame?aspect=1:1&width=200"
            inside = ["nsenter", "--target", str(pid), "--net", "curl", "--silent", "--fail", "--retry", "60", "--retry-connrefused",
                      "--retry-delay", "1", "--data-binary", "@-", address]
            crop = subprocess.run(inside, input=self.picture, capture_output=True)
            assert crop.returncode == 0 and crop.stdout.startswith(b"\xff\xd8"), f"curl ends with {crop.returncode}"
            # 0.0.0.0, for an address of the container alone is not published; port in hexadecimal digits, state LISTEN.
            listening = f"00000000:{int(run[1]):04X} 00000000:0000 0A"
            assert listening in pathlib.Path(f"/proc/{pid}/net/tcp").read_text(), "it listens on another address"
        finally:
            self.engine.run("rm", "--force", NAME)
        return f"{len(crop.stdout)} bytes of JPEG on port {run[1]} of all addresses"

    def crops_in_a_pipe(self):
        arguments = ["frame", "-", "--aspect", "1:1"]
        done = self.engine.run("run", "--rm", "--interactive", *ALONE, self.image, *arguments, raw=True, input=self.picture)
        assert done.stdout.startswith(b"\xff\xd8"), done.stderr[-300:]
        return f"{len(done.stdout)} bytes of JPEG"

    def start(self):
        self.engine.run("rm", "--force", "--ignore", NAME)
        begin = time.monotonic()
        self.engine.run("run", "--detach", "--name", NAME, *CONFINED, "--env", f"HEADROOM_PORT={self.port}", self.image)
        self.pid = self.engine.inspect("container", NAME)["State"]["Pid"]
        while time.monotonic() < begin + 30:
            with contextlib.suppress(OSError):
                if self.get("/readyz")[0] == 200:
                    return f"after {time.monotonic() - begin:.1f} s, including the engine's start"
            time.sleep(0.05)
        raise AssertionError(f"not ready after 30 s; its log:\n{self.engine.run('logs', NAME).stderr}")

    def get(self, target: str, body: bytes | None = None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with contextlib.closing(connection):
            connection.request("POST" if body else "GET", target, body)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def is_confined(self):
        status = status_of(self.pid)
        root = next(line for line in pathlib.Path(f"/proc/{self.pid}/mountinfo").read_text().splitlines() if line.split()[4] == "/")
        assert root.split()[5].split(",")[0] == "ro", f"the root file system is {root.split()[5]}"
        assert status["Uid"].split()[0] != "0", "it is root"
        assert int(status["CapEff"], 16) == 0 and int(status["CapBnd"], 16) == 0, f"capabilities {status['CapEff']}"
        assert status["NoNewPrivs"] == "1" and status["Seccomp"] == "2", str(status)
        return f"user {status['Uid'].split()[0]}, root read-only, no_new_privs, seccomp"

    def workers_are_confined(self):
        children = pathlib.Path(f"/proc/{self.pid}/task").glob("*/children")
        workers = [status_of(int(child)) for file in children for child in file.read_text().split()]
        service = status_of(self.pid)
        assert workers, "there is no worker process"
        for worker in workers:
            assert worker["Uid"] == service["Uid"], f"user {worker['Uid']}"
            assert int(worker["Seccomp_filters"]) > int(service["Seccomp_filters"]), "no filter besides the engine's"
        return f"{len(workers)} workers, each {workers[0]['Seccomp_filters']} filters and the service {service['Seccomp_filters']}"

    def crops(self):
        status, headers, body = self.get("/frame?aspect=1:1&width=200", self.picture)
        assert status == 200 and body.startswith(b"\xff\xd8"), f"{status} {body[:200]!r}"
        plan = json.loads(self.get("/frame?aspect=1:1&format=json", self.picture)[2])
        assert plan["decision"] == "faces" and plan["faces"], f"no faces: {plan}"
        return f"{len(body)} bytes of JPEG, {len(plan['faces'])} faces"

    def health(self) -> int:
        return self.engine.run("healthcheck", "run", NAME, check=False).returncode

    def is_healthy(self):
        assert self.health() == 0, "it fails"
        return "0"

    def hanging_is_unhealthy(self):
        os.kill(self.pid, signal.SIGSTOP)
        try:
            status = self.health()
        finally:
            os.kill(self.pid, signal.SIGCONT)
        assert status != 0, "it passes"
        return str(status)

    def drains(self):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        head = f"POST /frame?aspect=1:1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(self.picture)}\r\n\r\n"
        half = len(self.picture) // 2
        connection.sendall(head.encode() + self.picture[:half])
        # Handled by any event loop: the first half of the picture arrives before the signal.
        assert self.get("/healthz")[0] == 200
        stopping = threading.Thread(target=self.engine.run, args=("stop", "--time", "25", NAME))
        begin = time.monotonic()
        stopping.start()
        self.wait_until_closed()
        connection.sendall(self.picture[half:])
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        body = answer.read()
        stopping.join()
        assert answer.status == 200 and body.startswith(b"\xff\xd8"), f"{answer.status} {body[:200]!r}"
        return f"200 to a picture whose second half came after the signal; ended after {time.monotonic() - begin:.1f} s"

    def wait_until_closed(self):
        """Waits until the service accepts no connections, which is when the signal has arrived."""
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                return
            time.sleep(0.05)
        raise AssertionError("it accepts connections 30 s after SIGTERM")

    def has_ended(self):
        state = self.engine.inspect("container", NAME)["State"]
        self.engine.run("rm", "--force", NAME)
        assert state["ExitCode"] == 0 and not state["Running"], str(state)
        return "0"


def status_of(pid: int) -> dict[str, str]:
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}

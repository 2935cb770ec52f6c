"""The behaviour of the container image under production restrictions: read-only, no capability, the engine's seccomp profile."""
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
IMAGE = (service.IMAGES / "scene.jpg").read_bytes()


def status_of(pid):
    return service.process_status(pathlib.Path(f"/proc/{pid}/status").read_text())


def jpeg(body, said):
    assert service.is_jpeg(body), said
    return f"{len(body)} bytes of JPEG"


def checks(engine, image):
    container = Container(engine, image)
    return {
        "the image without options responds on the port that README.md publishes": container.runs_alone,
        "crops an image from a pipe, without the service": container.crops_in_a_pipe,
        "starts on a read-only file system, and is ready": container.starts,
        "has no capability and cannot gain one": container.is_confined,
        "workers have an additional seccomp filter, and the same user": container.workers_are_confined,
        "crops an image": container.crops,
        "HEALTHCHECK passes": container.is_healthy,
        "HEALTHCHECK fails while it hangs": container.hanging_is_unhealthy,
        "SIGTERM lets open requests complete": container.drains,
        "exits with status 0": container.has_ended,
    }


class Container:
    def __init__(self, engine, image):
        self.engine, self.image, self.port = engine, image, service.free_port()

    def start(self, *options):
        self.engine.run("rm", "--force", "--ignore", NAME)
        self.engine.run("run", "--detach", "--name", NAME, *options, self.image)
        return self.state()["Pid"]

    def state(self):
        return self.engine.inspect("container", NAME)["State"]

    def runs_alone(self):
        """Runs the image without options, in a separate network; the engine is responsible for publishing the port."""
        readme = (service.ROOT / "README.md").read_text()
        commands = re.findall(r"^    (docker (?:build|run) .*)$", readme, re.MULTILINE)
        assert len(commands) == 2, f"README.md has {commands}"
        tag = re.search(r"--tag (\S+)", commands[0])
        run = re.fullmatch(r"docker run --rm --publish (?:127\.0\.0\.1:)?\d+:(\d+) (\S+)", commands[1])
        assert tag and run and run[2] == tag[1], f"{commands[1]} does not run the image that {commands[0]} builds"
        pid = self.start(*ALONE)
        curl = "curl --silent --fail --retry 60 --retry-connrefused --retry-delay 1 --data-binary @-"
        url = f"http://127.0.0.1:{run[1]}/frame?aspect=1:1&width=200"
        inside = ["nsenter", "--target", str(pid), "--net", *curl.split(), url]
        crop = subprocess.run(inside, check=False, input=IMAGE, capture_output=True)
        said = jpeg(crop.stdout, f"curl exits with {crop.returncode}")
        # The service must listen on all addresses, because an engine cannot publish a loopback address of the
        # container. The line has the port in hexadecimal and the state LISTEN. If IPv6 is disabled, tcp6 does not
        # exist, and the service listens on 0.0.0.0.
        of_ipv6 = pathlib.Path(f"/proc/{pid}/net/tcp6")
        address, table = ("0" * 32, of_ipv6) if of_ipv6.exists() else ("0" * 8, of_ipv6.with_name("tcp"))
        listening = f"{address}:{int(run[1]):04X} {address}:0000 0A"
        assert listening in table.read_text(), "it listens on another address"
        return f"{said} on port {run[1]} of all addresses"

    def crops_in_a_pipe(self):
        command = ["run", "--rm", "--interactive", *ALONE, self.image, "frame", "-", "--aspect", "1:1"]
        done = self.engine.run(*command, text=False, input=IMAGE)
        return jpeg(done.stdout, done.stderr[-300:])

    def starts(self):
        begin = time.monotonic()
        self.pid = self.start(*CONFINED, "--env", f"HEADROOM_PORT={self.port}")
        service.wait_until(lambda: service.is_ready(self.port), "ready", 30)
        return f"after {time.monotonic() - begin:.1f} s, including the engine's start"

    def is_confined(self):
        status = status_of(self.pid)
        mounts = [line.split() for line in pathlib.Path(f"/proc/{self.pid}/mountinfo").read_text().splitlines()]
        root = next(mount[5] for mount in mounts if mount[4] == "/")
        user = status["Uid"].split()[0]
        assert root.split(",")[0] == "ro", f"the root file system is {root}"
        assert user != "0", "it is root"
        assert int(status["CapEff"], 16) == 0 and int(status["CapBnd"], 16) == 0, f"capabilities {status['CapEff']}"
        assert status["NoNewPrivs"] == "1" and status["Seccomp"] == "2", str(status)
        return f"user {user}, root read-only, no_new_privs, seccomp"

    def workers_are_confined(self):
        parent, workers = status_of(self.pid), [status_of(child) for child in service.children(service.service_of(self.pid))]
        assert workers, "no worker process is running"
        for worker in workers:
            assert worker["Uid"] == parent["Uid"], f"user {worker['Uid']}"
            assert int(worker["Seccomp_filters"]) > int(parent["Seccomp_filters"]), "no filter in addition to the engine's filter"
        filters = [process["Seccomp_filters"] for process in (workers[0], parent)]
        return f"{len(workers)} workers, each {filters[0]} filters and the service {filters[1]}"

    def crops(self):
        status, _, body = service.ask(self.port, "/frame?aspect=1:1&width=200", IMAGE)
        said = jpeg(body, f"{status} {body[:200]!r}")
        plan = json.loads(service.ask(self.port, "/frame?aspect=1:1&format=json", IMAGE)[2])
        assert plan["decision"] == "faces" and plan["faces"], f"no faces: {plan}"
        return f"{said}, {len(plan['faces'])} faces"

    def health(self):
        return self.engine.run("healthcheck", "run", NAME, check=False).returncode

    def is_healthy(self):
        assert self.health() == 0, "it fails"
        return "0"

    def hanging_is_unhealthy(self):
        process = service.service_of(self.pid)
        os.kill(process, signal.SIGSTOP)
        try:
            status = self.health()
        finally:
            os.kill(process, signal.SIGCONT)
        assert status != 0, "it passes"
        return str(status)

    def drains(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest("POST", "/frame?aspect=1:1")
        connection.putheader("Content-Length", str(len(IMAGE)))
        half = len(IMAGE) // 2
        connection.endheaders(IMAGE[:half])
        # The first half of the image arrives before the signal, so the request is already in progress.
        assert service.ask(self.port, "/healthz")[0] == 200
        stopping = threading.Thread(target=self.engine.run, args=("stop", "--time", "25", NAME))
        begin = time.monotonic()
        stopping.start()
        service.wait_until(self.is_closed, "it accepts no connections after SIGTERM", 30)
        connection.send(IMAGE[half:])
        response = connection.getresponse()
        body = response.read()
        stopping.join()
        assert response.status == 200 and service.is_jpeg(body), f"{response.status} {body[:200]!r}"
        return f"200 for an image whose second half arrived after the signal; exited after {time.monotonic() - begin:.1f} s"

    def is_closed(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return True

    def has_ended(self):
        state = self.state()
        self.engine.run("rm", "--force", NAME)
        assert state["ExitCode"] == 0 and not state["Running"], str(state)
        return "0"

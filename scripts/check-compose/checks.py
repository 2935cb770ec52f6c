"""What a person sees who runs docker-compose.yml: a crop, a hit, several replicas, one of them lost, and an end."""
import concurrent.futures
import contextlib
import http.client
import json
import os
import signal
import threading
import time
import urllib.parse

import composition

PORT = 8080
REPLICAS = 3


class Checks:
    def __init__(self, composed, origin_port: int):
        self.composed = composed
        self.source = f"http://{composition.FETCHING}:{origin_port}/scene.jpg"
        self.widths = iter(range(100, 10_000))

    def all(self):
        return [
            ("podman-compose up", self.starts),
            ("all parts are healthy", self.is_healthy),
            ("limits of docker-compose.yml are in force", self.is_confined),
            ("a second equal request is a hit", self.hits),
            ("every replica answers", self.every_replica_answers),
            ("replicas share crops in Redis", self.shares),
            ("a killed replica costs no request", self.survives_a_kill),
            ("it is restarted, and answers again", self.every_replica_answers),
            ("all parts end when told to", self.ends),
            ("podman-compose down leaves nothing", self.leaves_nothing),
        ]

    def path(self, width: int) -> str:
        return f"/frame?aspect=1:1&width={width}&url={urllib.parse.quote(self.source, safe='')}"

    def get(self, path: str, host: str = "127.0.0.1"):
        with contextlib.closing(http.client.HTTPConnection(host, PORT, timeout=70)) as connection:
            connection.request("GET", path)
            answer = connection.getresponse()
            # Several fields are one list (RFC 9110 §5.3).
            said = ", ".join(answer.headers.get_all("Cache-Status", []))
            return answer.status, said, answer.read()

    def starts(self) -> str:
        """Waits for the first crop. What an earlier run left is removed before."""
        self.composed.run("down", "--volumes")
        begin = time.monotonic()
        self.composed.run("up", "--detach")
        self.composed.keep_addresses()
        up = time.monotonic() - begin
        while True:
            with contextlib.suppress(OSError, http.client.HTTPException):
                status, _, body = self.get(self.path(next(self.widths)))
                if status == 200 and body.startswith(b"\xff\xd8"):
                    return f"it ended after {up:.1f} s; the first crop came after {time.monotonic() - begin:.1f} s"
            assert time.monotonic() < begin + 120, "no crop came within two minutes"
            time.sleep(0.2)

    def is_healthy(self) -> str:
        parts = {name: len(self.composed.containers(name)) for name in ["nginx", "headroom", "redis"]}
        assert parts == {"nginx": 1, "headroom": REPLICAS, "redis": 1}, str(parts)
        end = time.monotonic() + 60
        ill = self.composed.containers()
        while ill:
            assert time.monotonic() < end, f"after a minute not yet: {', '.join(ill)}"
            ill = [name for name in ill if not self.composed.is_healthy(name)]
        return ", ".join(f"{count} × {name}" for name, count in parts.items())

    def is_confined(self) -> str:
        found = {}
        for service, memory in {"headroom": 2048, "redis": 768}.items():
            for name in self.composed.containers(service):
                host = self.composed.engine.inspect("container", name)["HostConfig"]
                assert host["ReadonlyRootfs"] and host["Memory"] == memory << 20, f"{name}: {host}"
                status = self.composed.process(name)
                assert int(status["CapEff"], 16) == 0 and status["NoNewPrivs"] == "1", f"{name}: {status}"
            found[service] = f"{memory} MiB"
        return f"read-only, no capability, {', '.join(f'{service} {limit}' for service, limit in found.items())}"

    def hits(self) -> str:
        path = self.path(next(self.widths))
        first, second = self.get(path), self.get(path)
        assert first[0] == second[0] == 200 and first[2] == second[2], f"{first[0]}, {second[0]}"
        said = [first[1], second[1]]
        assert "nginx; hit" in said[1] and "nginx; hit" not in said[0], str(said)
        return " | ".join(said)

    def every_replica_answers(self) -> str:
        """Four clients at once, until nginx's log names every replica."""
        wanted = {self.composed.address(name) for name in self.composed.containers("headroom")}
        begin, asked = len(self.composed.log()), 0
        answered = set()
        with concurrent.futures.ThreadPoolExecutor(4) as clients:
            while answered != wanted:
                assert asked < 400, f"{answered} of {wanted} after {asked} requests"
                statuses = [status for status, _, _ in clients.map(self.get, [self.path(next(self.widths)) for _ in range(8)])]
                assert statuses == [200] * 8, str(statuses)
                asked += 8
                answered = self.composed.answered(begin) & wanted
        return f"{', '.join(sorted(answered))}, in {asked} requests"

    def shares(self) -> str:
        """A crop of one replica, asked of the others directly. Under load a replica may not wait for Redis, so a few."""
        first, *others = [self.composed.address(name) for name in self.composed.containers("headroom")]
        for _ in range(5):
            path = self.path(next(self.widths))
            before = self.values()
            self.get(path, first)
            # Replicas do not wait for Redis when they store a crop.
            self.wait_until(lambda: self.values() > before)
            said = [self.get(path, other)[1] for other in others]
            if all("detail=shared" in word for word in said):
                return f"{' | '.join(said)}; Redis holds {self.values()} values"
        raise AssertionError(str(said))

    def values(self) -> int:
        return int(self.composed.redis("dbsize"))

    def survives_a_kill(self) -> str:
        """Requests before, during and after the loss, all uncached."""
        killed = self.composed.containers("headroom")[0]
        process = self.composed.state(killed)["Pid"]
        stop, statuses = threading.Event(), []

        def client():
            # Fewer than the 100 a second that nginx takes from one address (deploy/nginx/limits.conf).
            while not stop.wait(0.05):
                statuses.append(self.get(self.path(next(self.widths)))[0])

        with concurrent.futures.ThreadPoolExecutor(4) as clients:
            running = [clients.submit(client) for _ in range(4)]
            try:
                self.wait_until(lambda: len(statuses) > 40)
                os.kill(process, signal.SIGKILL)
                begin = time.monotonic()
                self.wait_until(lambda: self.composed.state(killed)["Pid"] not in (0, process))
                restarted = time.monotonic() - begin
                more = len(statuses) + 100
                self.wait_until(lambda: len(statuses) > more)
            finally:
                stop.set()
            for one in running:
                one.result()
        failed = [status for status in statuses if status != 200]
        assert not failed, f"{len(failed)} of {len(statuses)} failed: {sorted(set(failed))}"
        return f"{len(statuses)} requests, 0 failed; it ran again after {restarted:.1f} s"

    def wait_until(self, condition):
        end = time.monotonic() + 90
        while not condition():
            assert time.monotonic() < end, "it did not happen within 90 s"
            time.sleep(0.1)

    def ends(self) -> str:
        begin = time.monotonic()
        names = self.composed.containers()
        self.composed.run("stop")
        codes = {name: self.composed.state(name)["ExitCode"] for name in names}
        assert set(codes.values()) == {0}, str(codes)
        return f"{len(codes)} containers ended with 0, after {time.monotonic() - begin:.1f} s"

    def leaves_nothing(self) -> str:
        self.composed.run("down", "--volumes")
        assert not self.composed.left(), str(self.composed.left())
        return "no container, network or volume"

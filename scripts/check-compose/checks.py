"""Checks docker-compose.yml from a client's view: a crop, a cache hit, several replicas, the loss of a replica, the
shutdown."""
import concurrent.futures
import os
import signal
import time
import urllib.parse

import composition
import service
from clients import Clients
from container import status_of

PORT = 8080
REPLICAS = 3


class Checks:
    def __init__(self, composed, origin_port):
        self.composed = composed
        self.source = urllib.parse.quote(f"http://{composition.FETCHING}:{origin_port}/scene.jpg", safe="")
        self.widths = iter(range(100, 10_000))

    def all(self):
        return {
            "podman-compose up": self.starts,
            "all parts are healthy": self.are_healthy,
            "limits of docker-compose.yml are in force": self.are_confined,
            "a second equal request is a hit": self.hits,
            "every replica responds": self.every_replica_answers,
            "replicas share crops in Redis": self.shares,
            "a killed replica costs no request": self.survives_a_kill,
            "it is restarted, and responds again": self.every_replica_answers,
            "all parts exit when requested": self.ends,
            "podman-compose down leaves nothing": self.leaves_nothing,
        }

    def new_crop(self):
        """Returns a path that was not requested before."""
        return f"/frame?aspect=1:1&width={next(self.widths)}&url={self.source}"

    def get(self, path, host="127.0.0.1"):
        status, headers, body = service.ask(PORT, path, host=host)
        # Several fields with the same name form one list (RFC 9110 §5.3).
        return status, ", ".join(headers.get_all("Cache-Status", [])), body

    def starts(self):
        """Removes the remains of an earlier run, then waits for the first crop."""
        self.composed.run("down", "--volumes")
        begin = time.monotonic()
        self.composed.run("up", "--detach")
        self.composed.keep_addresses()
        up = time.monotonic() - begin
        service.wait_until(lambda: service.is_ready(PORT, self.new_crop()), "a crop", 120)
        return f"it ended after {up:.1f} s; the first crop came after {time.monotonic() - begin:.1f} s"

    def are_healthy(self):
        parts = {name: len(self.composed.containers(name)) for name in ["nginx", "headroom", "redis"]}
        assert parts == {"nginx": 1, "headroom": REPLICAS, "redis": 1}, str(parts)
        for name in self.composed.containers():
            service.wait_until(lambda name=name: self.composed.is_healthy(name), f"{name} is healthy")
        return ", ".join(f"{count} × {name}" for name, count in parts.items())

    def are_confined(self):
        limits = {"headroom": 2048, "redis": 768}
        for part, memory in limits.items():
            for name in self.composed.containers(part):
                host = self.composed.inspect(name)["HostConfig"]
                assert host["ReadonlyRootfs"] and host["Memory"] == memory << 20, f"{name}: {host}"
                status = status_of(self.composed.state(name)["Pid"])
                assert int(status["CapEff"], 16) == 0 and status["NoNewPrivs"] == "1", f"{name}: {status}"
        return f"read-only, no capability, {', '.join(f'{part} {memory} MiB' for part, memory in limits.items())}"

    def hits(self):
        path = self.new_crop()
        first, second = self.get(path), self.get(path)
        assert first[0] == second[0] == 200 and first[2] == second[2], f"{first[0]}, {second[0]}"
        said = [first[1], second[1]]
        assert "nginx; hit" in said[1] and "nginx; hit" not in said[0], str(said)
        return " | ".join(said)

    def every_replica_answers(self):
        """Runs four concurrent clients until nginx's log contains every replica."""
        wanted, answered, asked = set(self.composed.replicas()), set(), 0
        begin = len(self.composed.log())
        with concurrent.futures.ThreadPoolExecutor(4) as clients:
            while not wanted <= answered:
                assert asked < 400, f"{answered} of {wanted} after {asked} requests"
                statuses = [status for status, _, _ in clients.map(self.get, [self.new_crop() for _ in range(8)])]
                assert statuses == [200] * 8, str(statuses)
                asked += 8
                named = (name for line in self.composed.log()[begin:] for name in line["replicas"].split(", "))
                answered = {name.partition(":")[0] for name in named}
        return f"{', '.join(sorted(wanted))}, in {asked} requests"

    def shares(self):
        """Requests a crop that one replica has computed directly from the other replicas. Tries several crops, because
        a replica under load may not wait for Redis."""
        first, *others = self.composed.replicas()
        for _ in range(5):
            path, before = self.new_crop(), self.composed.stored()
            self.get(path, first)
            # Replicas store a crop without waiting for Redis.
            service.wait_until(lambda before=before: self.composed.stored() > before, "a stored crop", 90)
            said = [self.get(path, other)[1] for other in others]
            if all("detail=shared" in word for word in said):
                return f"{' | '.join(said)}; Redis holds {self.composed.stored()} values"
        raise AssertionError(str(said))

    def survives_a_kill(self):
        """Sends uncached requests before, during and after the loss."""
        killed = self.composed.containers("headroom")[0]
        process = self.composed.state(killed)["Pid"]
        # Stays below the limit of nginx: 100 requests per second from one address (deploy/nginx/limits.conf).
        with Clients(PORT, lambda _: [self.new_crop()], pause=0.05) as load:
            service.wait_until(lambda: load.requests > 40, "requests before", 90)
            os.kill(process, signal.SIGKILL)
            begin = time.monotonic()
            service.wait_until(lambda: self.composed.state(killed)["Pid"] not in (0, process), "a restart", 90)
            restarted = time.monotonic() - begin
            enough = load.requests + 100
            service.wait_until(lambda: load.requests > enough, "requests afterwards", 90)
        assert load.lost == 0, f"{load.lost} of {load.requests} failed: {load.statuses}"
        return f"{load.requests} requests, 0 failed; it ran again after {restarted:.1f} s"

    def ends(self):
        begin = time.monotonic()
        names = self.composed.containers()
        self.composed.run("stop")
        codes = {name: self.composed.state(name)["ExitCode"] for name in names}
        assert set(codes.values()) == {0}, str(codes)
        return f"{len(codes)} containers ended with 0, after {time.monotonic() - begin:.1f} s"

    def leaves_nothing(self):
        self.composed.run("down", "--volumes")
        assert not (left := self.composed.left()), str(left)
        return "no container, network or volume"

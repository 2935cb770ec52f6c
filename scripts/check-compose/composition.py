"""Runs docker-compose.yml with podman-compose, with an override file for settings that must differ in the check."""
import json
import subprocess

import service

FILE = service.ROOT / "docker-compose.yml"
FOLDER = service.ROOT / ".build" / "compose"
PROJECT = "headroom-check"
IMAGE = "localhost/headroom:latest"
# The gateways of two networks. Both are addresses of this namespace.
INSIDE, FETCHING = "10.77.1.1", "10.77.2.1"
# Stores networks in a folder of this project and logs in files, and sets only limits that an engine without privileges
# can set.
CONFIGURATION = f"""
[containers]
log_driver = "k8s-file"
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[network]
network_backend = "netavark"
network_config_dir = {json.dumps(str(FOLDER / "networks"))}
"""


def network(gateway):
    return {"ipam": {"config": [{"subnet": f"{gateway}/24", "gateway": gateway}]}}


class Composition:
    def __init__(self, engine, program):
        self.engine, self.program, self.files = engine, program, [FILE]
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / "containers.conf").write_text(CONFIGURATION)
        engine.environment["CONTAINERS_CONF"] = str(FOLDER / "containers.conf")
        replicas = FOLDER / "replicas.conf"
        replicas.write_text((service.ROOT / "deploy/nginx/replicas.conf").read_text().replace("127.0.0.11", INSIDE))
        self.override("the image is on this machine, and Headroom rejects local sources by default", {
            "services": {"headroom": {"environment": {"HEADROOM_ALLOW_PRIVATE_SOURCES": "true"}}},
            "networks": {"fetching": network(FETCHING)},
        })
        self.override("podman's name server has the address of the gateway, and not Docker's 127.0.0.11", {
            "services": {"nginx": {"volumes": [f"{replicas}:/etc/headroom/nginx/replicas.conf:ro"]}},
            "networks": {"inside": network(INSIDE)},
        })

    def override(self, reason, difference):
        print(f"differs {json.dumps(difference)}\n        because {reason}")
        # JSON is valid YAML.
        self.files.append(FOLDER / f"override-{len(self.files)}.yml")
        self.files[-1].write_text(json.dumps(difference))

    def run(self, *arguments):
        """Runs podman-compose; the end of its output states the reason for a failure."""
        files = [word for file in self.files for word in ("--file", file)]
        command = [self.program, "--in-pod", "false", "--project-name", PROJECT, f"--podman-args={' '.join(self.engine.options)}"]
        # The output goes to a file, because containers would keep a pipe open. The timeout is needed because podman-compose waits
        # forever for parts that it could not create.
        log = FOLDER / f"{arguments[0]}.log"
        with log.open("w") as output:
            done = subprocess.run(
                ["timeout", "150", *command, *files, *arguments], check=False, env=self.engine.environment, cwd=service.ROOT,
                stdout=output, stderr=subprocess.STDOUT,
            )
        said = log.read_text()[:2000]
        assert done.returncode == 0, f"podman-compose {arguments[0]} ended with {done.returncode}:\n{said}"

    def keep_addresses(self):
        """Keeps the MAC addresses of bridges. A podman bridge takes the lowest MAC address of its containers, so its
        address changes when containers start or stop. Until the other containers learn the new address, they cannot
        reach the gateway and its images."""
        listed = subprocess.check_output(["ip", "-json", "link", "show", "type", "bridge"])
        for bridge in json.loads(listed):
            subprocess.run(["ip", "link", "set", "dev", bridge["ifname"], "address", bridge["address"]], check=True)

    def containers(self, part=""):
        """Returns the names of the containers of the project or of one service, including exited containers."""
        label = f"io.podman.compose.service={part}" if part else f"io.podman.compose.project={PROJECT}"
        listed = self.engine.run("ps", "--all", "--filter", f"label={label}", "--format", "{{.Names}}").stdout
        return sorted(listed.split())

    def inspect(self, container):
        return self.engine.inspect("container", container)

    def state(self, container):
        return self.inspect(container)["State"]

    def replicas(self):
        """Returns the addresses of the replicas on the inner network."""
        return [self.inspect(name)["NetworkSettings"]["Networks"][f"{PROJECT}_inside"]["IPAddress"]
                for name in self.containers("headroom")]

    def log(self):
        """Returns the requests that nginx has logged so far."""
        written = self.engine.run("logs", *self.containers("nginx")).stdout
        return [json.loads(line) for line in written.splitlines() if line.startswith("{")]

    def stored(self):
        """Returns the number of values in Redis."""
        return int(self.engine.run("exec", *self.containers("redis"), "redis-cli", "dbsize").stdout)

    def is_healthy(self, container):
        """Runs the health check of a container, because the systemd timers that usually run it do not exist here."""
        return self.engine.run("healthcheck", "run", container, check=False).returncode == 0

    def left(self):
        """Returns the remaining containers, networks and volumes of the project."""
        listing = ["ls", "--filter", f"name={PROJECT}", "--format", "{{.Name}}"]
        networks, volumes = (self.engine.run(kind, *listing).stdout.split() for kind in ("network", "volume"))
        return [*self.containers(), *networks, *volumes]

"""docker-compose.yml as podman-compose runs it, with an override of what must differ here."""
import json
import pathlib
import re
import subprocess

from container import status_of

PROJECT = "headroom-check"
IMAGE = "localhost/headroom:latest"
# The gateways of two of the networks, which are addresses of this namespace.
INSIDE, FETCHING = "10.77.1.1", "10.77.2.1"
CONFIGURATION = """
[containers]
log_driver = "k8s-file"
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[network]
network_backend = "netavark"
network_config_dir = {networks}
"""


def pulled(file: pathlib.Path) -> list[str]:
    """The images with a tag, which are those of a registry."""
    return re.findall(r"^ +image: (\S+:\S+)", file.read_text(), re.MULTILINE)


def network(gateway: str) -> dict:
    return {"ipam": {"config": [{"subnet": f"{gateway}/24", "gateway": gateway}]}}


class Composition:
    def __init__(self, engine, source: pathlib.Path, program: pathlib.Path):
        self.engine, self.source, self.program = engine, source, program
        self.folder = source / ".build" / "compose"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.configure_engine()
        self.override()

    def configure_engine(self):
        """Networks in a folder of this project, logs in files, and limits that also an engine may set that cannot raise them."""
        file = self.folder / "containers.conf"
        file.write_text(CONFIGURATION.format(networks=json.dumps(str(self.folder / "networks"))))
        self.engine.environment["CONTAINERS_CONF"] = str(file)

    def override(self):
        replicas = self.folder / "replicas.conf"
        replicas.write_text((self.source / "deploy/nginx/replicas.conf").read_text().replace("127.0.0.11", INSIDE))
        differences = {
            "the picture is on this machine, which Headroom refuses as a source by default": {
                "services": {"headroom": {"environment": {"HEADROOM_ALLOW_PRIVATE_SOURCES": "true"}}},
                "networks": {"fetching": network(FETCHING)},
            },
            "podman's name server has the address of the gateway, and not Docker's 127.0.0.11": {
                "services": {"nginx": {"volumes": [f"{replicas}:/etc/headroom/nginx/replicas.conf:ro"]}},
                "networks": {"inside": network(INSIDE)},
            },
        }
        self.files = [self.source / "docker-compose.yml"]
        for number, (reason, difference) in enumerate(differences.items()):
            print(f"differs {json.dumps(difference)}\n        because {reason}")
            # JSON is YAML.
            file = self.folder / f"override-{number}.yml"
            file.write_text(json.dumps(difference))
            self.files.append(file)

    def run(self, *arguments: str):
        """Runs podman-compose; the end of what it said is the reason of a failure."""
        files = [word for file in self.files for word in ("--file", str(file))]
        command = [self.program, "--in-pod", "false", "--project-name", PROJECT, f"--podman-args={' '.join(self.engine.options)}"]
        # Into a file and not a pipe, which containers would keep open. It waits forever for what it could not create.
        log = self.folder / f"{arguments[0]}.log"
        with log.open("w") as output:
            done = subprocess.run(
                ["timeout", "150", *command, *files, *arguments], env=self.engine.environment, cwd=self.source,
                stdout=output, stderr=subprocess.STDOUT,
            )
        said = log.read_text()
        assert done.returncode == 0, f"podman-compose {arguments[0]} ended with {done.returncode}:\n{said[:2000]}"

    def keep_addresses(self):
        """Lets bridges keep their MAC addresses. Podman's take the least of their containers', so that it changes with them,
        and until the others learn the new one they cannot reach the gateway, on which the picture is."""
        listed = subprocess.run(["ip", "-json", "link", "show", "type", "bridge"], check=True, capture_output=True, text=True)
        for bridge in json.loads(listed.stdout):
            subprocess.run(["ip", "link", "set", "dev", bridge["ifname"], "address", bridge["address"]], check=True)

    def containers(self, service: str = "") -> list[str]:
        """Names of the containers of the project or of one service, also those that have ended."""
        label = f"io.podman.compose.service={service}" if service else f"io.podman.compose.project={PROJECT}"
        listed = self.engine.run("ps", "--all", "--filter", f"label={label}", "--format", "{{.Names}}").stdout
        return sorted(listed.split())

    def state(self, container: str) -> dict:
        return self.engine.inspect("container", container)["State"]

    def address(self, container: str) -> str:
        """Its address on the inner network."""
        return self.engine.inspect("container", container)["NetworkSettings"]["Networks"][f"{PROJECT}_inside"]["IPAddress"]

    def process(self, container: str) -> dict[str, str]:
        """/proc/PID/status of its first process."""
        return status_of(self.state(container)["Pid"])

    def answered(self, begin: int) -> set[str]:
        """Addresses of the replicas that nginx's log names after its first `begin` lines."""
        lines = [json.loads(line) for line in self.log()[begin:]]
        return {replica.partition(":")[0] for line in lines for replica in line["replicas"].split(", ")}

    def log(self) -> list[str]:
        """What nginx has logged of requests so far."""
        written = self.engine.run("logs", *self.containers("nginx")).stdout
        return [line for line in written.splitlines() if line.startswith("{")]

    def redis(self, *words: str) -> str:
        return self.engine.run("exec", *self.containers("redis"), "redis-cli", *words).stdout.strip()

    def is_healthy(self, container: str) -> bool:
        """Runs its health check. There is no systemd here whose timers would."""
        return self.engine.run("healthcheck", "run", container, check=False).returncode == 0

    def left(self) -> list[str]:
        """What of the project still is there."""
        networks = self.engine.run("network", "ls", "--filter", f"name={PROJECT}", "--format", "{{.Name}}").stdout
        volumes = self.engine.run("volume", "ls", "--filter", f"name={PROJECT}", "--format", "{{.Name}}").stdout
        return [*self.containers(), *networks.split(), *volumes.split()]

"""Checks managed Redis: TLS with a private certificate authority, client certificates, and a failover by Sentinel."""
import contextlib
import subprocess
import threading
import urllib.parse

import contenders
from report import check
from service import ask, end, free_port, wait_until

PASSWORD = "s3cret"


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def certificates(folder):
    """Creates two authorities. The authority `ca` signs a client certificate and server certificates: valid, expired,
    with a wrong name."""
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    for name in ["ca", "other"]:
        openssl(folder, "req", "-x509", *key, "-days", "2", "-subj", f"/CN={name}", "-keyout", f"{name}.key",
                "-out", f"{name}.pem")
    here = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    for name, extension, days in [
        ("server", here, 2), ("elsewhere", "subjectAltName=DNS:redis.example", 2), ("expired", here, -1),
        ("client", "basicConstraints=CA:FALSE", 2),
    ]:
        (folder / f"{name}.ext").write_text(extension)
        openssl(folder, "req", *key, "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial", "1",
                "-days", str(days), "-extfile", f"{name}.ext", "-out", f"{name}.pem")


class Server:
    """Runs a redis-server, or a sentinel with `settings`; with `certificate`, it accepts only TLS."""

    def __init__(self, folder, *options, certificate=None, clients="no", settings=None):
        self.port, self.folder = free_port(), folder
        self.client = ["redis-cli", "-p", str(self.port), "-a", PASSWORD, "--no-auth-warning"]
        words = ["--requirepass", PASSWORD, "--logfile", "/dev/null", *options]
        if certificate:
            words += ["--port", "0", "--tls-port", str(self.port), "--tls-ca-cert-file", "ca.pem", "--tls-cert-file",
                      f"{certificate}.pem", "--tls-key-file", f"{certificate}.key", "--tls-auth-clients", clients,
                      "--tls-replication", "yes"]
            self.client += ["--tls", "--insecure", "--cert", "client.pem", "--key", "client.key"]
        else:
            words += ["--port", str(self.port)]
        if settings:
            # A sentinel rewrites this file.
            (folder / f"{self.port}.conf").write_text("".join(f"{line}\n" for line in settings))
            words = [f"{self.port}.conf", "--sentinel", *words]
        else:
            words += ["--masterauth", PASSWORD, "--save", "", "--repl-diskless-load", "on-empty-db"]
        self.process = subprocess.Popen(["redis-server", *words], cwd=folder, stdout=subprocess.DEVNULL)
        wait_until(lambda: self.ask("ping") == "PONG", "redis-server responds", 30)

    def ask(self, *words):
        return subprocess.run([*self.client, *words], check=False, cwd=self.folder, capture_output=True, text=True).stdout.strip()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self.process)


class Service:
    """A service with a Redis, and crops of new images; the status of every response must be 200."""

    number = 0

    def __init__(self, server, log, host):
        self.port, self.log_file, self.host = urllib.parse.urlsplit(server.base).port, log, host

    def crop(self):
        Service.number += 1
        source = urllib.parse.quote(f"http://{self.host}/{Service.number}.jpg", safe="")
        status = ask(self.port, f"/frame?url={source}&aspect=1:1&width=100&accuracy=low")[0]
        assert status == 200, f"{status} for image {Service.number}"

    def metric(self, name):
        lines = ask(self.port, "/metrics")[2].decode().splitlines()
        return next(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(f"headroom_redis_{name} "))

    def is_connected(self):
        return self.metric("connected") == 1

    def written(self):
        return self.metric('writes_total{result="taken"}')

    def log(self):
        return self.log_file.read_text(errors="replace")


@contextlib.contextmanager
def running(program, folder, host, address, *options):
    """A service that logs to a file."""
    log = folder / "service.log"
    (folder / "password").write_text(PASSWORD)
    named = ["--redis", address, "--redis-password-file", str(folder / "password")]
    with log.open("wb") as output, contenders.headroom(program, *named, *options, caches=[], stderr=output) as server:
        yield Service(server, log, host)


def check_tls(program, folder, host):
    """Checks that values are shared over TLS, that the log contains the reason for each rejected server, and that crops do not fail."""
    trust = ["--redis-ca-file", str(folder / "ca.pem")]
    identity = ["--redis-client-certificate", str(folder / "client.pem"), "--redis-client-key", str(folder / "client.key")]
    for name, certificate, clients, options, reason in [
        ("TLS", "server", "no", trust, None),
        ("TLS with a client certificate", "server", "yes", trust + identity, None),
        ("TLS without a client certificate", "server", "yes", trust, "requests a client certificate, and none is set"),
        ("TLS with the name of another host", "elsewhere", "no", trust, "hostname mismatch; expected one for localhost"),
        ("TLS with an expired certificate", "expired", "no", trust, "certificate has expired"),
        ("TLS with another authority", "server", "no", ["--redis-ca-file", str(folder / "other.pem")], "other.pem, received"),
        ("TLS with the system's authorities", "server", "no", [], "/etc/ssl/certs/ca-certificates.crt, received"),
        ("TLS to a Redis without TLS", None, "no", trust, "expected a server that uses TLS"),
    ]:
        with (
            Server(folder, certificate=certificate, clients=clients) as redis,
            running(program, folder, host, f"rediss://localhost:{redis.port}", *options) as service,
        ):
            if reason is None:
                wait_until(service.is_connected, f"{name}: Redis is in use")
                service.crop()
                wait_until(service.written, f"{name}: values are written")
                check(name, redis.ask("dbsize") not in ["", "0"], f"{redis.ask('dbsize')} values")
            else:
                wait_until(lambda reason=reason: reason in service.log(), f"{name}: the log contains {reason}")
                service.crop()
                check(name, not service.is_connected() and redis.ask("dbsize") == "0", reason)


def check_sentinel(program, folder, host, tls):
    """Kills the master while crops are computed; no crop may fail, and values must be written to the new master."""
    secure = {"certificate": "server", "clients": "yes"} if tls else {}
    name = f"Sentinel{' with TLS' if tls else ''}"
    with contextlib.ExitStack() as stack:
        master = stack.enter_context(Server(folder, **secure))
        replica = stack.enter_context(Server(folder, "--replicaof", "127.0.0.1", str(master.port), **secure))
        wait_until(lambda: "master_link_status:up" in replica.ask("info", "replication"), "the replica is connected", 30)
        settings = [
            f"sentinel monitor main 127.0.0.1 {master.port} 1", f"sentinel auth-pass main {PASSWORD}",
            "sentinel down-after-milliseconds main 500", "sentinel failover-timeout main 2000",
        ]
        sentinel = stack.enter_context(Server(folder, settings=settings, **secure))
        wait_until(lambda: sentinel.ask("sentinel", "replicas", "main"), "the sentinel has found the replica", 30)
        # The first sentinel is down.
        address = f"redis+sentinel://127.0.0.1:{free_port()},127.0.0.1:{sentinel.port}/main"
        options = ["--redis-sentinel-password-file", str(folder / "password")]
        if tls:
            address = address.replace("redis", "rediss", 1)
            options += ["--redis-ca-file", str(folder / "ca.pem"), "--redis-client-certificate", str(folder / "client.pem"),
                        "--redis-client-key", str(folder / "client.key")]
        service = stack.enter_context(running(program, folder, host, address, *options))
        wait_until(service.is_connected, f"{name}: Redis is in use")
        service.crop()
        wait_until(lambda: replica.ask("dbsize") not in ["", "0"], f"{name}: the master takes values")
        ended, failed = threading.Event(), []

        def crops():
            while not ended.is_set():
                try:
                    service.crop()
                except (AssertionError, OSError) as reason:
                    failed.append(str(reason))
        client = threading.Thread(target=crops)
        client.start()
        try:
            master.kill()
            wait_until(lambda: "role:master" in replica.ask("info", "replication"), f"{name}: the replica is the master", 60)
            wait_until(service.is_connected, f"{name}: Redis is in use again", 30)
            before = int(replica.ask("dbsize"))
            wait_until(lambda: int(replica.ask("dbsize")) > before, f"{name}: the new master takes values")
        finally:
            ended.set()
            client.join()
        check(f"{name}, with a failover under load", not failed, f"{len(failed)} crops failed")


def run(program, folder, host):
    """Runs all checks, with separate servers."""
    certificates(folder)
    check_tls(program, folder, host)
    check_sentinel(program, folder, host, tls=False)
    check_sentinel(program, folder, host, tls=True)

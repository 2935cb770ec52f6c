"""The drills: each breaks one thing under load, and says what was lost, how long the longest request took, and which alerts fired."""

import contextlib
import dataclasses
import functools
import http.server
import os
import pathlib
import signal
import subprocess
import threading
import time
import urllib.parse

import clients
import fleet
import machine
import resolver
import series

# Seconds of an outage; ten times as long for the rules.
OUTAGE = 24
CALM = 12
SOURCE = pathlib.Path(__file__).resolve().parents[2]
CROP = "/frame?aspect=1:1&width=200&accuracy=low"


class Origin(http.server.BaseHTTPRequestHandler):
    """Pictures for every host and path, after a delay; each path has its own bytes."""

    protocol_version = "HTTP/1.1"
    picture, delay = b"", 0.0

    def do_GET(self) -> None:
        time.sleep(self.delay)
        comment = self.path.encode() + self.headers.get("Host", "").encode()
        body = self.picture[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + self.picture[2:]
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=1, stale-if-error=600")
        self.end_headers()
        self.wfile.write(body)

    log_message = lambda *_: None  # noqa: E731


@dataclasses.dataclass
class Result:
    """A row of the table."""

    load: clients.Clients
    alerts: dict[str, int]
    note: str = ""


class Drills:
    def __init__(self, program: str, folder: pathlib.Path):
        self.program, self.folder, self.turn = program, folder, 0
        Origin.picture = (SOURCE / "docs/pictures/scene.jpg").read_bytes()
        self.origin = http.server.ThreadingHTTPServer(("0.0.0.0", 0), Origin)
        self.origin.daemon_threads = True
        threading.Thread(target=self.origin.serve_forever, daemon=True).start()
        self.port = self.origin.server_port
        self.resolver = None

    # Parts.

    def replica(self, *options: str, around=lambda command: command, **environment: str) -> fleet.Replica:
        self.turn += 1
        replica = fleet.Replica(self.program, self.folder / f"{self.turn}.log", *options, environment=environment)
        replica.command = around(replica.command)
        return replica

    def crop(self, number: int, host: str = "127.0.0.1") -> tuple:
        url = urllib.parse.quote(f"http://{host}:{self.port}/{self.turn}-{number}.jpg", safe="")
        return "GET", f"{CROP}&url={url}"

    def broken(self, port: int, replicas, ask, event, after=lambda: None, note="", extra=lambda: {}, **load):
        """Loads a port before and during an outage, and reads the metrics."""
        with series.Series(replicas, extra) as read:
            with clients.Clients(port, ask, **load):
                time.sleep(CALM)
            read.mark()
            with clients.Clients(port, lambda n: ask(n + 1_000_000), **load) as seen:
                event()
                time.sleep(OUTAGE)
            after()
        return Result(seen, read.alerts(), note)

    def picture(self, side: int) -> bytes:
        """A square JPEG."""
        file, size = self.folder / f"{side}.jpg", ["--width", str(side), "--height", str(side), "--enlarge"]
        drawn = SOURCE / "docs/pictures/scene.jpg"
        subprocess.run([self.program, "frame", drawn, *size, "-o", file], check=True, capture_output=True)
        return file.read_bytes()

    # Drills.

    def nothing(self) -> Result:
        with fleet.running(replica := self.replica()):
            return self.broken(replica.port, [replica], self.crop, lambda: None, pause=0.02)

    def names(self, mode) -> Result:
        """A third of the requests is for a source that was fetched before, and becomes stale; the others have new hosts."""
        self.resolver = self.resolver or resolver.Resolver()
        self.resolver.mode = resolver.ANSWERS
        around = functools.partial(machine.with_resolver, resolver.Resolver.ADDRESS, self.folder)

        def ask(number: int) -> tuple:
            if number % 3 == 0:
                return self.crop(number % 2, "known.drill.test")
            return self.crop(number, f"host-{number}.drill.test")

        with fleet.running(replica := self.replica(around=around)):
            for number in range(2):
                assert clients.send(replica.port, *self.crop(number, "known.drill.test"))[0] == 200

            fail = lambda: setattr(self.resolver, "mode", mode)  # noqa: E731
            result = self.broken(replica.port, [replica], ask, fail, pause=0.02)
        statuses = result.load.statuses
        assert set(statuses) <= {200, 502, 503, 504}, f"404 and others hide an outage: {statuses}"
        assert statuses[200] > 0, "no stale copy was served"
        result.note = f"{statuses[200]:,} stale copies served, no 404"
        return result

    def rolled(self) -> Result:
        front = fleet.Front(self.folder / "front-rolled", replicas := [self.replica(), self.replica()])
        with fleet.running(*replicas, front):

            def event():
                for replica in replicas * 2:
                    assert replica.drain() == 0
                    replica.start()

            result = self.broken(front.port, replicas, self.crop, event, threads=2, note="both restarted twice")
        assert result.load.lost == 0, result.load.statuses
        return result

    def disk_full(self) -> Result:
        replica = self.replica()
        front = fleet.Front(self.folder / f"front-{self.turn}", [replica])
        cache = front.prefix / "cache"
        with machine.small_disk(cache, 16), fleet.running(replica, front):

            def fill():
                with contextlib.suppress(OSError):
                    (cache / "filler").write_bytes(bytes(17 << 20))

            def space():
                disk, labels = os.statvfs(cache), '{job="node",instance="drill",mountpoint="/var/cache/nginx"}'
                return {
                    "node_filesystem_avail_bytes" + labels: disk.f_bavail * disk.f_frsize,
                    "node_filesystem_size_bytes" + labels: disk.f_blocks * disk.f_frsize,
                }

            result = self.broken(front.port, [replica], self.crop, fill, extra=space, note="nginx caches nothing, and responds")
        assert result.load.lost == 0, result.load.statuses
        return result

    def bad_reloads(self) -> Result:
        settings = self.folder / "headroom.yaml"
        good = "allow-hosts: [127.0.0.1]\nmax-pixels: 50000000\n"
        settings.write_text(good)
        with fleet.running(replica := self.replica("--config", str(settings))):

            def event():
                for text in ["", good[:20], good.splitlines()[1] + "\n", "allow-hosts: [a", "nonsense: 1\n"]:
                    settings.write_text(text)
                    replica.server.process.send_signal(signal.SIGHUP)
                    time.sleep(1)

            result = self.broken(replica.port, [replica], self.crop, event, pause=0.02, note="five files refused")
        assert result.load.lost == 0, result.load.statuses
        return result

    def redis_half(self) -> Result:
        redis = fleet.Redis(self.folder)
        with machine.ControlGroup("headroom-drill-redis") as group, fleet.running(redis):
            replicas = [self.replica("--redis", redis.url) for _ in range(2)]
            # Another program keeps Redis busy.
            others = ["redis-benchmark", "-p", str(redis.port), "-q", "-n", "100000000", "-c", "20", "-t", "set,get"]
            with fleet.running(*replicas):

                def busy():
                    group.add(redis.process.pid)
                    self.others = subprocess.Popen(others, stdout=subprocess.DEVNULL)

                end = lambda: self.others.kill()  # noqa: E731
                result = self.broken(replicas[0].port, replicas, self.crop, busy, end, threads=2)
                metrics = replicas[0].metrics()
        looked = {r: metrics[f'headroom_redis_lookups_total{{result="{r}"}}'] for r in ["hit", "miss", "late", "skipped"]}
        vain = (looked["late"] + looked["skipped"]) / max(1, sum(looked.values()))
        result.note = f"{100 * vain:.1f} % of lookups in vain, beside a program that keeps Redis busy"
        assert result.load.lost == 0, result.load.statuses
        return result

    def small_container(self) -> Result:
        body = self.picture(7000)
        with machine.ControlGroup("headroom-drill", megabytes=300) as group:
            # The program finds its limits; --workers of a replica would override one of them.
            replica = self.replica(around=lambda c: group.around([w for w in c if w not in ("--workers", "1")]))
            with fleet.running(replica), series.Series([replica]) as read:
                time.sleep(CALM)
                read.mark()
                seen = clients.at_once(replica.port, [("POST", CROP, body)] * 12)
                time.sleep(2)
                kills = group.kills()
        seen.good = (200, 422, 503)
        statuses = ", ".join(f"{count} × {status}" for status, count in sorted(seen.statuses.items(), key=str))
        assert (kills, seen.lost) == (0, 0), f"the kernel killed {kills} processes; {statuses}"
        return Result(seen, read.alerts(), f"{statuses}; no process killed by the kernel")

    def many_origins(self) -> Result:
        replica = self.replica()
        # Small pictures, because this is about fetches.
        large, Origin.picture, Origin.delay = Origin.picture, self.picture(160), 0.3
        with fleet.running(replica), series.Series([replica]) as read:
            time.sleep(CALM)
            read.mark()
            requests = [self.crop(0, f"127.0.{n // 200 + 1}.{n % 200 + 1}") for n in range(200)]
            seen = clients.at_once(replica.port, requests)
            time.sleep(OUTAGE / 2)
        Origin.picture, Origin.delay = large, 0
        assert seen.lost == 0, seen.statuses
        return Result(seen, read.alerts(), "each origin takes 0.3 s")

    def worker_killed(self) -> Result:
        with fleet.running(replica := self.replica()):

            def event():
                for _ in range(8):
                    # The first process is the service itself.
                    for worker in replica.server.processes()[1:2]:
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(int(worker.name), signal.SIGKILL)
                    time.sleep(1.5)

            result = self.broken(replica.port, [replica], self.crop, event, threads=2, note="killed eight times")
        assert result.load.lost == 0, result.load.statuses
        return result

    def all(self):
        yield "nothing", self.nothing
        yield "the name server refuses", lambda: self.names(resolver.REFUSED)
        yield "the name server fails (SERVFAIL)", lambda: self.names(resolver.FAILED)
        yield "the name server is silent", lambda: self.names(resolver.SILENT)
        yield "two replicas are rolled", self.rolled
        yield "the disk of nginx's cache is full", self.disk_full
        yield "bad reloads", self.bad_reloads
        yield "Redis has half a core", self.redis_half
        yield "half a core and 300 MiB, 12 pictures of 49 megapixels at once", self.small_container
        yield "200 origins at once", self.many_origins
        yield "a worker is killed again and again", self.worker_killed

"""The drills: each causes a failure under load, and reports lost requests, the longest request and the alerts that fired."""
import contextlib
import functools
import os
import signal
import subprocess
import time
import urllib.parse

import control_group
import fleet
import machine
import service
from clients import Clients
from resolver import ANSWERS, FAILED, REFUSED, SILENT, Resolver
from series import Series

# The duration of an outage in seconds. For the alert rules, it is ten times as long.
OUTAGE = 24
CALM = 12
CROP = "/frame?aspect=1:1&width=200&accuracy=low"
SCENE = service.IMAGES / "scene.jpg"


class Origin(service.Handler):
    """Serves images for every host and path, after a delay; each path has different bytes."""

    image, delay = SCENE.read_bytes(), 0.0

    def do_GET(self):
        time.sleep(self.delay)
        image = service.with_comment(self.image, self.path + self.headers.get("Host", ""))
        self.respond(200, image, Cache_Control="max-age=1, stale-if-error=600")


class Drills:
    """The drills; each returns its load, the alerts with their times, and further observations."""

    def __init__(self, program, folder):
        self.program, self.folder, self.turn = program, folder, 0
        self.port = service.origin(Origin, "0.0.0.0").rpartition(":")[2]

    # Parts.

    def replica(self, *options, **more):
        self.turn += 1
        return fleet.Replica(self.program, *options, **more)

    def crop(self, number, host="127.0.0.1"):
        url = urllib.parse.quote(f"http://{host}:{self.port}/{self.turn}-{number}.jpg", safe="")
        return [f"{CROP}&url={url}"]

    def broken(self, port, replicas, event, note="", ask=None, extra=dict, may_lose=False, **load):
        """Sends load to a port before and during an outage, and reads the metrics."""
        ask = ask or self.crop
        with Series(replicas, extra) as read:
            with Clients(port, ask, **load):
                time.sleep(CALM)
            read.mark()
            with Clients(port, lambda number: ask(number + 1_000_000), **load) as seen:
                event()
                time.sleep(OUTAGE)
        assert may_lose or seen.lost == 0, seen.statuses
        return seen, read.alerts(), note

    def at_once(self, replica, requests, seconds, **load):
        """Sends concurrent requests, and reads the metrics for a few seconds afterwards."""
        with Series([replica]) as read:
            time.sleep(CALM)
            read.mark()
            seen = Clients(replica.port, None, threads=0, **load).at_once(requests)
            time.sleep(seconds)
        assert seen.lost == 0, seen.statuses
        return seen, read.alerts()

    def image(self, side):
        """A square JPEG."""
        file, size = self.folder / f"{side}.jpg", ["--width", str(side), "--height", str(side), "--enlarge"]
        subprocess.run([self.program, "frame", SCENE, *size, "-o", file], check=True, capture_output=True)
        return file.read_bytes()

    # Drills.

    def nothing(self):
        with fleet.running(replica := self.replica()):
            return self.broken(replica.port, [replica], lambda: None, pause=0.02)

    @functools.cached_property
    def resolver(self):
        return Resolver()

    def names(self, mode):
        """Sends a third of the requests for a source that is cached and becomes stale, and all other requests for new
        hosts."""
        self.resolver.mode = ANSWERS

        def ask(number):
            if number % 3 == 0:
                return self.crop(number % 2, "known.drill.test")
            return self.crop(number, f"host-{number}.drill.test")

        def fail():
            self.resolver.mode = mode

        replica = self.replica(around=lambda command: machine.with_resolver(Resolver.ADDRESS, self.folder, command))
        with fleet.running(replica):
            for number in range(2):
                assert service.ask(replica.port, *self.crop(number, "known.drill.test"))[0] == 200
            load, alerts, _ = self.broken(replica.port, [replica], fail, ask=ask, may_lose=True, pause=0.02)
        assert set(load.statuses) <= {200, 502, 503, 504}, f"404 and others hide an outage: {load.statuses}"
        assert load.statuses[200] > 0, "no stale copy was served"
        return load, alerts, f"{load.statuses[200]:,} stale copies served, no 404"

    def rolled(self):
        front = fleet.Front(self.folder / "front-rolled", replicas := [self.replica(), self.replica()])

        def event():
            for replica in replicas * 2:
                replica.replace()

        with fleet.running(*replicas, front):
            return self.broken(front.port, replicas, event, "both restarted twice", threads=2)

    def disk_full(self):
        front = fleet.Front(self.folder / "front-full", [replica := self.replica()])
        cache = front.prefix / "cache"

        def fill():
            with contextlib.suppress(OSError):
                (cache / "filler").write_bytes(bytes(17 << 20))

        def space():
            disk, labels = os.statvfs(cache), '{job="node",instance="drill",mountpoint="/var/cache/nginx"}'
            sizes = {"avail": disk.f_bavail, "size": disk.f_blocks}
            return {f"node_filesystem_{name}_bytes{labels}": blocks * disk.f_frsize for name, blocks in sizes.items()}

        with machine.small_disk(cache, 16), fleet.running(replica, front):
            return self.broken(front.port, [replica], fill, "nginx caches nothing, and responds", extra=space)

    def bad_reloads(self):
        settings = self.folder / "headroom.yaml"
        good = "allow-hosts: [127.0.0.1]\nmax-pixels: 50000000\n"
        settings.write_text(good)

        def event():
            for text in ["", good[:20], good.splitlines()[1] + "\n", "allow-hosts: [a", "nonsense: 1\n"]:
                settings.write_text(text)
                replica.process.send_signal(signal.SIGHUP)
                time.sleep(1)

        with fleet.running(replica := self.replica("--config", str(settings))):
            return self.broken(replica.port, [replica], event, "five files refused", pause=0.02)

    def redis_half(self):
        redis = fleet.Redis(self.folder)
        group = control_group.ControlGroup("headroom-drill-redis")
        with group, fleet.running(redis), contextlib.ExitStack() as stack:
            replicas = [self.replica("--redis", redis.url) for _ in range(2)]

            def busy():
                """Slows Redis down with another program that uses the same processor."""
                group.add(redis.process.pid)
                command = f"redis-benchmark -p {redis.port} -q -n 100000000 -c 20 -t set,get"
                stack.callback(subprocess.Popen(command.split(), stdout=subprocess.DEVNULL).kill)

            with fleet.running(*replicas):
                load, alerts, _ = self.broken(replicas[0].port, replicas, busy, threads=2)
                metrics = replicas[0].metrics()
        looked = {r: metrics[f'headroom_redis_lookups_total{{result="{r}"}}'] for r in ["hit", "miss", "late", "skipped"]}
        vain = (looked["late"] + looked["skipped"]) / max(1, sum(looked.values()))
        return load, alerts, f"{100 * vain:.1f} % of lookups failed, next to a program that keeps Redis busy"

    def small_container(self):
        requests = [(CROP, self.image(7000))] * 12
        with control_group.ControlGroup("headroom-drill", megabytes=300) as group:
            # The program derives its limits from the machine. The option --workers of a replica would override one of
            # these limits.
            replica = self.replica(around=lambda c: group.around([w for w in c if w not in ("--workers", "1")]))
            with fleet.running(replica):
                load, alerts = self.at_once(replica, requests, 2, good=(200, 422, 503))
                kills = group.kills()
        statuses = ", ".join(f"{count} × {status}" for status, count in sorted(load.statuses.items(), key=str))
        assert kills == 0, f"the kernel killed {kills} processes; {statuses}"
        return load, alerts, f"{statuses}; no process killed by the kernel"

    def many_origins(self):
        requests = [self.crop(0, f"127.0.{n // 200 + 1}.{n % 200 + 1}") for n in range(200)]
        # Small images, because this drill is about fetches.
        large, Origin.image, Origin.delay = Origin.image, self.image(160), 0.3
        try:
            with fleet.running(replica := self.replica()):
                return *self.at_once(replica, requests, OUTAGE / 2), "each origin takes 0.3 s"
        finally:
            Origin.image, Origin.delay = large, 0

    def worker_killed(self):
        def event():
            for _ in range(8):
                for worker in service.children(service.service_of(replica.process.pid))[:1]:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(worker, signal.SIGKILL)
                time.sleep(1.5)

        with fleet.running(replica := self.replica()):
            return self.broken(replica.port, [replica], event, "killed eight times", threads=2)

    def all(self):
        return {
            "nothing": self.nothing,
            "the name server refuses": lambda: self.names(REFUSED),
            "the name server fails (SERVFAIL)": lambda: self.names(FAILED),
            "the name server is silent": lambda: self.names(SILENT),
            "two replicas are rolled": self.rolled,
            "the disk of nginx's cache is full": self.disk_full,
            "bad reloads": self.bad_reloads,
            "Redis has half a core": self.redis_half,
            "half a core and 300 MiB, 12 images of 49 megapixels at once": self.small_container,
            "200 origins at once": self.many_origins,
            "a worker is killed again and again": self.worker_killed,
        }

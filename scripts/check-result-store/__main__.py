"""Checks that a result store (--result-store) never causes a wrong response: in a folder, and in a bucket of an S3 server.

    make check-result-store [ONLY=folder]

- The service starts with 0 and with 100,000 entries. The start must not take longer, and must not read entries.
- The service is killed by SIGKILL at 20 moments while it stores results.
- Entries are damaged, truncated and exchanged. In the folder, the disk is full (this needs root); the S3 server ends.
- Two services share a place. An image is replaced and purged.

After each step, every response is compared byte by byte with the response of a service without a store. Exits 1 if one differs.
"""
import argparse
import contextlib
import functools
import os
import pathlib
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS / "lib"))
import entries
import places
import report
import service

SECRET = "0123456789abcdef0123456789abcdef"
# The responses of each step, and the seed of everything that is random.
TARGETS, SEED = 24, 1
DRAWN = ["scene.jpg", "portrait.jpg", "row.jpg"]
# The fields that depend on the result, and not on the request or its time.
FIELDS = ["Content-Type", "ETag", "Cache-Control", "Cache-Tag", "Vary", "Headroom-Decision", "Headroom-Faces", "Headroom-Degraded"]


class Check:
    """The program, an origin of images, and the reference: a service without a store."""

    def __init__(self, program, folder):
        self.program, self.folder, self.files = program, folder, {}
        self.secrets = folder / "secrets"
        self.secrets.write_text(SECRET + "\n")
        self.origin = service.origin_of(self.files)
        self.chance, self.turn = random.Random(SEED), 0
        for number in range(TARGETS):
            self.draw(number)
        self.reference = self.service()

    def draw(self, number, version=""):
        """Writes an image of the origin; a version has other pixels."""
        image = (service.IMAGES / DRAWN[(number + len(version)) % len(DRAWN)]).read_bytes()
        self.files[f"{number}.jpg"] = service.with_comment(image, f"{number}{version}")

    def service(self, *options, **variables):
        return service.Service(self.program, "--workers", "1", "--allow-private-sources", "--purge-secrets-file", str(self.secrets),
                               *options, **variables)

    def stored(self, place, *options):
        """A service with a store."""
        return self.service(*place.options, *options, **place.variables)

    def targets(self, is_new=True):
        """Returns requests that no service has received before, or the requests of the last call."""
        self.turn += is_new
        return [f"/frame?url={self.origin}/{number}.jpg&aspect=1:1&width={40 + self.turn}&accuracy=low&format="
                + ("jpeg", "webp", "png")[number % 3] for number in range(TARGETS)]

    def response(self, started, target):
        status, fields, body = started.ask(target)
        return (status, [fields.get(name) for name in FIELDS], body), "stored" in (fields.get("Cache-Status") or "")

    def wrong(self, started, targets):
        """Compares all responses; returns the targets whose responses differ, and the number of responses from the store."""
        wrong, hits = [], 0
        for target in targets:
            found, is_hit = self.response(started, target)
            hits += is_hit
            expected = self.response(self.reference, target)[0]
            if found != expected:
                wrong.append(f"{target}: {found[0]} {found[1]}, {len(found[2])} bytes; "
                             f"expected {expected[0]} {expected[1]}, {len(expected[2])} bytes")
        return wrong, hits

    def compare(self, started, targets):
        """Raises an AssertionError if a response differs; returns the number of responses from the store."""
        wrong, hits = self.wrong(started, targets)
        assert not wrong, f"{len(wrong)} of {len(targets)} responses are wrong: {wrong[0]}"
        return hits


def metrics(started):
    lines = started.ask("/metrics")[2].decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


def lookups(started):
    """Returns the numbers of lookups by result, for messages."""
    return {name.split('"')[1]: int(number) for name, number in metrics(started).items()
            if name.startswith("headroom_result_store_lookups_total{")}


def written(started):
    """Waits until all results are written or dropped; returns the numbers by outcome."""
    def count():
        found = metrics(started)
        return {word: found[f'headroom_result_store_writes_total{{result="{word}"}}'] for word in ("taken", "dropped", "failed")}
    last, same, end = count(), 0, time.monotonic() + 30
    while same < 4 and time.monotonic() < end:
        time.sleep(0.25)
        now = count()
        last, same = now, same + 1 if now == last else 0
    return {word: int(number) for word, number in last.items()}


def kill(started):
    """Kills the parent, the service and its workers, so that no process continues."""
    processes = [started.process.pid, started.pid, *started.workers()]
    for pid in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    started.process.wait()


def purge(started, url):
    status, _, body = started.ask(f"/purge?url={url}", method="POST", headers={"Authorization": f"Bearer {SECRET}"})
    assert status == 200, f"purge: {status} {body!r}"


def start_time(check, place):
    """Returns the seconds from the start of the program until /readyz responds with 200, and the bytes that the service had read."""
    begin = time.monotonic()
    with check.stored(place) as started:
        while not service.is_ready(started.port):
            time.sleep(0.002)
        seconds = time.monotonic() - begin
        counters = pathlib.Path(f"/proc/{started.pid}/io").read_text()
        return seconds, int(re.findall(r"rchar: (\d+)", counters)[0])


def starts(check, place, count, rounds):
    """Measures the start with an empty store and with many entries."""
    with check.stored(place) as started:
        check.compare(started, check.targets())
        assert written(started)["taken"] == TARGETS
    sample = place.read(place.names()[0])
    empty = [start_time(check, place) for _ in range(rounds)]
    for name, data in entries.copies(sample, count):
        place.write(name, data)
    seen = observed(place)
    full = [start_time(check, place) for _ in range(rounds)]
    # Background scans may read names, sizes and times, but must not read entries.
    with check.stored(place) as started:
        time.sleep(3)
        read = seen()
        hits = check.compare(started, check.targets(is_new=False))
    assert hits == TARGETS, f"{hits} of {TARGETS} responses are from the store"
    medians = [statistics.median(seconds for seconds, _ in each) for each in (empty, full)]
    text = (f"ready after {1000 * medians[0]:.0f} ms with {TARGETS} entries, after {1000 * medians[1]:.0f} ms with {count:,}; "
            f"{max(number for _, number in empty):,} and {max(number for _, number in full):,} bytes read until then; {read}")
    assert medians[1] < 1.5 * medians[0] + 0.3, text
    return text


def observed(place):
    """Returns a function that returns which entries were read since this call, and raises an AssertionError if entries were read."""
    if place.name == "bucket":
        place.requests.counts.clear()

        def requested():
            counts = dict(place.requests.counts)
            assert not any("results" in name for name in counts), f"requests at the start: {counts}"
            return f"{sum(counts.values())} requests to the bucket"
        return requested
    # With relatime, a file that is read after a change gets a new time of the last access.
    paths = [place.path / name for name in place.names()]
    for path in paths:
        written_at = path.stat().st_mtime
        os.utime(path, (written_at - 100, written_at))
    probe = paths[0].stat().st_atime
    paths[0].read_bytes()
    if paths[0].stat().st_atime == probe:
        report.omit("observation of files that are read", "this file system does not update times of the last access")
        return lambda: "not observed"
    times = {path: path.stat().st_atime for path in paths}

    def changed():
        read = [path for path, seen in times.items() if path.exists() and path.stat().st_atime != seen]
        assert not read, f"{len(read)} entries were read at the start"
        return "no entry was read"
    return changed


def kills(check, place, count):
    """Kills the service while it stores results, and compares the responses after the next start."""
    place.empty()
    stored = files = 0
    for _ in range(count):
        targets = check.targets()
        started = check.stored(place)
        expected = {target: check.response(check.reference, target)[0] for target in targets}
        unexpected = []

        def request(part, started=started, expected=expected, unexpected=unexpected):
            for target in part:
                found = check.response(started, target)[0]
                # Status 0: the connection ended.
                if found[0] and found != expected[target]:
                    unexpected.append(target)

        clients = [threading.Thread(target=request, args=(targets[number::4],)) for number in range(4)]
        for client in clients:
            client.start()
        # After a random number of entries, and at a random moment in the next one.
        enough, end = len(place.names()) + check.chance.randrange(1, TARGETS), time.monotonic() + 20
        while len(place.names()) < enough and any(client.is_alive() for client in clients) and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(check.chance.random() / 100)
        kill(started)
        for client in clients:
            client.join()
        assert not unexpected, f"wrong before the end: {unexpected[0]}"
        for name in place.names():
            entries.parse(place.read(name))
        files += len(place.names())
        with check.stored(place) as again:
            stored += check.compare(again, targets)
            assert metrics(again)["headroom_result_store_damaged_total"] == 0, "an incomplete entry has its final name"
            written(again)
        place.empty()
    assert stored, "no response was from the store"
    return f"{count} kills, {count * TARGETS} responses compared, {stored} of them from the store; {files} entries were complete"


def damages(check, place):
    """Damages each entry in one way: a changed byte, a missing end, more bytes, another entry, nothing."""
    targets = check.targets()
    with check.stored(place) as started:
        check.compare(started, targets)
        written(started)
    names = place.names()
    contents = {name: place.read(name) for name in names}
    for number, name in enumerate(names):
        data = contents[name]
        at = check.chance.randrange(len(data))
        other = contents[names[(number + 1) % len(names)]]
        place.write(name, [data[:at] + bytes([data[at] ^ 1]) + data[at + 1:], data[:at], data + b"\0", other, b""][number % 5])
    with check.stored(place) as started:
        hits = check.compare(started, targets)
        assert hits == 0, f"{hits} damaged entries were served"
        found = int(metrics(started)["headroom_result_store_damaged_total"])
        written(started)
    with check.stored(place) as started:
        hits = check.compare(started, targets)
    assert hits == TARGETS and found == len(names), f"{hits} hits afterwards, {found} damaged entries counted"
    return f"{found} damaged entries, all detected and replaced"


def shared(check, place):
    """Two services request the same crops at the same time; then an image is replaced and purged."""
    place.empty()
    with check.stored(place) as first, check.stored(place) as second:
        def both(targets):
            found = []
            clients = [threading.Thread(target=lambda each=each: found.extend(check.wrong(each, targets)[0]))
                       for each in (first, second)]
            for client in clients:
                client.start()
            for client in clients:
                client.join()
            assert not found, f"{len(found)} responses are wrong: {found[0]}"

        for _ in range(4):
            both(check.targets())
        targets = check.targets()
        check.compare(first, targets)
        written(first)
        hits = check.compare(second, targets)
        assert hits == TARGETS, f"{hits} of {TARGETS} results of the other service were found; {lookups(first)}, {lookups(second)}"
        # Entries of a purge's first five seconds are hidden, because clocks may differ.
        for number in range(TARGETS):
            check.draw(number, "new")
        for each in (first, second, check.reference):
            for number in range(TARGETS):
                purge(each, f"{check.origin}/{number}.jpg")
        both(targets)
        for each in (first, second):
            written(each)
    with check.stored(place) as third:
        check.compare(third, targets)
    return f"{hits} results of the other service; after the purge of {TARGETS} replaced images, only new crops"


def full_disk(check):
    """Fills a small file system, and makes room again."""
    if os.geteuid() != 0:
        report.omit("a full disk", "only root can mount a file system")
        return "skipped"
    path = check.folder / "small"
    path.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1200k", "none", path], check=False, capture_output=True, text=True)
    if mounted.returncode:
        report.omit("a full disk", mounted.stderr.strip())
        return "skipped"
    try:
        place = places.Folder(path)
        with check.stored(place) as started:
            def fill():
                targets = check.targets()
                check.compare(started, targets)
                check.compare(started, targets)
                return written(started)
            counts = fill()
            end = time.monotonic() + 60
            while not counts["failed"] and time.monotonic() < end:
                counts = fill()
            assert counts["failed"], f"the disk did not become full: {counts}"
            compared = check.turn
            subprocess.run(["mount", "-o", "remount,size=64m", path], check=True)
            # Writes pause for ten seconds after a failure.
            service.wait_until(lambda: fill()["taken"] > counts["taken"], "results are stored again", 30)
            latest = check.targets(is_new=False)
        with check.stored(place) as started:
            hits = check.compare(started, latest)
            damaged = int(metrics(started)["headroom_result_store_damaged_total"])
        assert damaged == 0, f"{damaged} entries are damaged"
        return f"{counts['taken']} results fit, {counts['failed']} write failed in {compared} rounds; stored again afterwards, {hits} hits"
    finally:
        subprocess.run(["umount", "-l", path], check=True)


def lost_server(check, place):
    """Ends the S3 server while the service uses it."""
    targets = check.targets()
    with check.stored(place) as started:
        check.compare(started, targets)
        written(started)
        place.buckets.server.stop()
        check.compare(started, check.targets())
        check.compare(started, targets)
    with check.stored(place) as started:
        check.compare(started, targets)
    return "the service starts and responds without the server"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=str(service.EXECUTABLE))
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5, help="starts of each measurement")
    parser.add_argument("--only", choices=["folder", "bucket"], help="one of the places")
    options = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    with tempfile.TemporaryDirectory(prefix="headroom-store-") as temporary:
        check = Check(options.headroom, pathlib.Path(temporary))
        with check.reference:
            for kind in (places.Folder, places.Bucket):
                if options.only not in (None, kind.name):
                    continue
                place = places.Folder(check.folder / "store") if kind is places.Folder else places.Bucket()
                steps = {
                    "starts": functools.partial(starts, check, place, options.entries, options.rounds),
                    "SIGKILL": functools.partial(kills, check, place, options.kills),
                    "damaged entries": functools.partial(damages, check, place),
                    "two services": functools.partial(shared, check, place),
                }
                if kind is places.Folder:
                    steps["a full disk"] = functools.partial(full_disk, check)
                else:
                    steps["the server ends"] = functools.partial(lost_server, check, place)
                report.each({f"{place.name}: {name}": step for name, step in steps.items()})
    report.end()


main()

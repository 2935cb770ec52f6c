"""nginx's cache: hits, joined requests, purges, and responses without replicas."""

import concurrent.futures
import hashlib
import json
import pathlib
import random
import subprocess
import time

import fleet
import load
import traffic


class Caching:
    def __init__(self, front: fleet.Front, replicas, origin: str, pictures: pathlib.Path, drawn: pathlib.Path, seconds: float):
        self.front, self.replicas, self.origin = front, replicas, origin
        self.pictures, self.drawn, self.seconds = pictures, drawn, seconds

    def get(self, path: str, headers: dict[str, str] = {}, address: str = "127.0.0.1"):
        return traffic.get(self.front.port, path, headers, address)

    def status(self, path: str, headers: dict[str, str] = {}) -> str:
        """nginx's Cache-Status for a request that must succeed."""
        status, fields, body = self.get(path, headers)
        assert status == 200, f"{status} {body[:200]!r}"
        return traffic.nginx_status(fields)

    def hit_ratio(self) -> str:
        """A few pictures are requested often and many rarely, as on a page."""
        names = sorted(path.name for path in self.pictures.glob("*.jpg"))
        generator = random.Random(1)
        weights = [1 / (rank + 1) for rank in range(len(names))]
        paths = [traffic.crop(self.origin, name, v="ratio") for name in generator.choices(names, weights, k=20_000)]
        before = len(self.front.answers())
        result = load.send(self.front.base, paths, connections=16, seconds=self.seconds)
        assert result.failures == 0, f"{result.failures} failed"
        answers = self.front.answers()[before:]
        hits = sum(answer["cache"] == "HIT" for answer in answers)
        asked = len({path for path in paths[: len(answers)]})
        fetched = sum(answer["cache"] == "MISS" for answer in answers)
        assert hits > 0 and fetched <= asked + 16, f"{fetched} misses for {asked} different addresses"
        return f"{100 * hits / len(answers):.1f} % of {len(answers):,} requests were hits, {fetched} misses for {asked} addresses"

    def joined(self) -> str:
        """Concurrent equal requests are joined."""
        # A separate path, because the last requests of another load may be logged meanwhile.
        path = traffic.crop(self.origin, "0.jpg").replace("/frame?", "/faces/1?")
        with concurrent.futures.ThreadPoolExecutor(64) as clients:
            answers = list(clients.map(lambda _: self.get(path), range(64)))
        assert {status for status, _, _ in answers} == {200} and len({body for _, _, body in answers}) == 1
        asked = [answer for answer in self.front.answers("/faces/1") if answer["replicas"]]
        assert len(asked) == 1, f"{len(asked)} of them reached a replica"
        return "64 requests, 1 at a replica"

    def accepted_types(self) -> str:
        """Browsers with equivalent Accept fields share a response; others get another one."""
        path = traffic.crop(self.origin, "1.jpg", v="accept")
        chrome = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
        firefox = "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
        assert "miss" in self.status(path, {"Accept": chrome})
        assert "hit" in self.status(path, {"Accept": firefox}), "an equivalent Accept field had another cache key"
        _, fields, _ = self.get(path, {"Accept": "application/json"})
        assert fields["Content-Type"].startswith("application/json"), fields["Content-Type"]
        named = f"{path}&format=jpeg"
        assert "miss" in self.status(named, {"Accept": chrome})
        assert "hit" in self.status(named, {"Accept": "text/html"}), "Accept was part of the key of a named format"
        return "browsers share responses, JSON is separate, and a named format ignores Accept"

    def not_modified(self) -> str:
        path = traffic.crop(self.origin, "1.jpg", v="etag")
        _, fields, _ = self.get(path)
        status, _, _ = self.get(path, {"If-None-Match": fields["ETag"]})
        assert status == 304 and self.front.answers()[-1]["cache"] == "HIT", f"{status}"
        return "304 from the cache"

    def hidden(self) -> str:
        found = {path: self.get(path)[0] for path in ["/metrics", "/readyz", "/healthz", "/openapi.yaml"]}
        assert found == {"/metrics": 404, "/readyz": 404, "/healthz": 200, "/openapi.yaml": 200}, str(found)
        status, fields, _ = self.get("/healthz", {"X-Request-Id": "made-up"})
        assert fields["X-Request-Id"] != "made-up" and len(fields["X-Request-Id"]) == 32, fields["X-Request-Id"]
        return ", ".join(f"{path} {status}" for path, status in found.items())

    def limited(self) -> str:
        """A client without an exemption in limits.conf."""
        path = traffic.crop(self.origin, "1.jpg", v="etag")
        with concurrent.futures.ThreadPoolExecutor(16) as clients:
            answers = list(clients.map(lambda _: self.get(path, address="127.0.0.2"), range(600)))
        statuses = [status for status, _, _ in answers]
        assert set(statuses) == {200, 429}, str(set(statuses))
        for status, fields, body in answers:
            assert status == 200 or is_problem(status, fields, body), f"{status} {body!r}"
        return f"{statuses.count(429)} of 600 at once got 429"

    def purged(self) -> str:
        """After a purge of a changed picture, all of its crops are new, and those of others are unchanged."""
        write(self.pictures / "changing.jpg", self.drawn / "scene.jpg")
        paths = [traffic.crop(self.origin, "changing.jpg", quality=quality) for quality in (70, 80)]
        other = traffic.crop(self.origin, "1.jpg", v="etag")
        old = [self.get(path)[2] for path in paths]
        write(self.pictures / "changing.jpg", self.drawn / "portrait.jpg")
        assert [self.get(path)[2] for path in paths] == old, "the cache did not keep the crops"
        tag = "source-" + hashlib.sha256(f"http://{self.origin}/changing.jpg".encode()).hexdigest()[:16]
        removed = self.purge(tag)
        new = [self.get(path)[2] for path in paths]
        assert all(a != b for a, b in zip(old, new)), "a crop of the old picture was served after the purge"
        assert "hit" in self.status(other), "another picture was purged too"
        assert self.purge("host-example.com") == "0 answers removed"
        of_host = self.purge("host-127.0.0.1")
        assert "miss" in self.status(other), "a crop was served after its host was purged"
        return f"by picture {removed}, by host {of_host}"

    def purge(self, tag: str) -> str:
        command = [str(fleet.DEPLOY / "purge.sh"), str(self.front.prefix / "cache"), tag]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def without_replicas(self) -> str:
        """Without replicas, cached responses are served, and errors are not cached."""
        fresh = traffic.crop(self.origin, "1.jpg", v="etag")
        self.get(fresh)
        for replica in self.replicas:
            replica.kill()
        try:
            assert "hit" in self.status(fresh)
            answer = self.get(traffic.crop(self.origin, "1.jpg", v="never"))
            assert answer[0] == 502 and is_problem(*answer), f"{answer[0]} {answer[2]!r} for an uncached request"
        finally:
            for replica in self.replicas:
                replica.start()
        end = time.monotonic() + 10
        while self.get(traffic.crop(self.origin, "1.jpg", v="again"))[0] != 200:
            assert time.monotonic() < end, "restarted replicas were not used"
            time.sleep(0.1)
        return "200 from the cache, 502 for the rest; normal again after the restart"

    def checks(self):
        yield "hits", self.hit_ratio
        yield "equal requests at once", self.joined
        yield "types that browsers accept", self.accepted_types
        yield "If-None-Match", self.not_modified
        yield "hidden from outside", self.hidden
        yield "too many from one address", self.limited
        yield "a purge", self.purged
        yield "no replica left", self.without_replicas


def write(target: pathlib.Path, drawn: pathlib.Path) -> None:
    """Replaces a file atomically."""
    draft = target.with_suffix(".draft")
    traffic.write(draft, drawn, 1_000_000)
    draft.replace(target)


def is_problem(status: int, fields, body: bytes) -> bool:
    """Whether a response has the form of Headroom's problems."""
    return fields["Content-Type"] == "application/problem+json" and json.loads(body)["status"] == status

"""Checks the caches of nginx and of the replicas, which share values through Redis: hits, single flight, purges, no
replicas."""
import collections
import hashlib
import json
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor

import fleet
import load
import service
import traffic


def is_problem(status, fields, body):
    """Returns whether a response has the form of Headroom's problems."""
    return fields["Content-Type"] == "application/problem+json" and json.loads(body)["status"] == status


def sharing(replicas, origin):
    """Sends requests to the replicas in turn, without nginx: a few images often, many images rarely."""

    def hit_ratio():
        names, said = range(20, 80), collections.Counter()
        chosen = random.Random(2).choices(names, [1 / (rank + 1) for rank in range(len(names))], k=600)
        for number, name in enumerate(chosen):
            status, fields, body = service.ask(replicas[number % len(replicas)].port, traffic.crop(origin, name))
            assert status == 200, f"{status} {body[:200]!r}"
            said[fields["Cache-Status"]] += 1
        misses, different = said["headroom; fwd=miss"], len(set(chosen))
        # If a crop is requested again before it has reached Redis, it is computed again.
        assert misses < 2 * different and said["headroom; hit; detail=shared"], str(said)
        return ", ".join(f"{count} × {word}" for word, count in said.most_common()) + f", of {different} crops"

    return {"hits of replicas, without nginx": hit_ratio}


def checks(front, replicas, origin, images, seconds):
    def crop(name="1.jpg", **parameters):
        return traffic.crop(origin, name, **parameters)

    def get(path, **headers):
        return service.ask(front.port, path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def status_of(path, **headers):
        """Returns nginx's Cache-Status for a request that must succeed."""
        status, fields, body = get(path, **headers)
        assert status == 200, f"{status} {body[:200]!r}"
        return traffic.nginx_status(fields)

    def hit_ratio():
        """Requests a few images often and many images rarely, as web pages do."""
        weights = [1 / (rank + 1) for rank in range(traffic.IMAGE_COUNT)]
        paths = [crop(name, v="ratio") for name in random.Random(1).choices(range(traffic.IMAGE_COUNT), weights, k=20_000)]
        before = len(front.responses())
        result = load.send(front.base, paths, connections=16, seconds=seconds)
        assert result.failures == 0, f"{result.failures} failed"
        responses = front.responses()[before:]
        hits, fetched = (sum(response["cache"] == kind for response in responses) for kind in ("HIT", "MISS"))
        asked = len(set(paths[: len(responses)]))
        assert hits > 0 and fetched <= asked + 16, f"{fetched} misses for {asked} different addresses"
        return f"{100 * hits / len(responses):.1f} % of {len(responses):,} requests were hits, {fetched} misses for {asked} addresses"

    def joined():
        # Uses a separate path, because nginx may still log the last requests of an earlier load.
        path = crop("0.jpg").replace("/frame?", "/faces/1?")
        with ThreadPoolExecutor(64) as clients:
            responses = list(clients.map(get, [path] * 64))
        assert {status for status, _, _ in responses} == {200} and len({body for _, _, body in responses}) == 1
        asked = [response for response in front.responses("/faces/1") if response["replicas"]]
        assert len(asked) == 1, f"{len(asked)} requests reached a replica"
        return "64 requests, 1 at a replica"

    def accepted_types():
        """Checks that browsers with equivalent Accept fields share a response, and that other browsers get a different one."""
        path = crop(v="accept")
        chrome = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
        firefox = "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
        assert "miss" in status_of(path, Accept=chrome)
        assert "hit" in status_of(path, Accept=firefox), "an equivalent Accept field had a different cache key"
        _, fields, _ = get(path, Accept="application/json")
        assert fields["Content-Type"].startswith("application/json"), fields["Content-Type"]
        named = f"{path}&format=jpeg"
        assert "miss" in status_of(named, Accept=chrome)
        assert "hit" in status_of(named, Accept="text/html"), "Accept was part of the key of a named format"
        return "browsers share responses, JSON is separate, and a named format ignores Accept"

    def not_modified():
        _, fields, _ = get(crop(v="etag"))
        status, _, _ = get(crop(v="etag"), If_None_Match=fields["ETag"])
        assert status == 304 and front.responses()[-1]["cache"] == "HIT", f"{status}"
        return "304 from the cache"

    def hidden():
        found = {path: get(path)[0] for path in ["/metrics", "/readyz", "/healthz", "/openapi.yaml"]}
        assert found == {"/metrics": 404, "/readyz": 404, "/healthz": 200, "/openapi.yaml": 200}, str(found)
        identifier = get("/healthz", X_Request_Id="made-up")[1]["X-Request-Id"]
        assert identifier != "made-up" and len(identifier) == 32, identifier
        return ", ".join(f"{path} {status}" for path, status in found.items())

    def limited():
        """Sends requests as a client that limits.conf does not exempt."""
        path = crop(v="etag")
        with ThreadPoolExecutor(16) as clients:
            responses = list(clients.map(lambda _: service.ask(front.port, path, client="127.0.0.2"), range(600)))
        statuses = [status for status, _, _ in responses]
        assert set(statuses) == {200, 429}, str(set(statuses))
        for response in responses:
            assert response[0] == 200 or is_problem(*response), str(response)
        return f"{statuses.count(429)} of 600 at once got 429"

    def change_image(name):
        """Replaces the file atomically."""
        draft = images / "changing.draft"
        draft.write_bytes(service.with_comment((service.IMAGES / name).read_bytes(), "changing"))
        draft.replace(images / "changing.jpg")

    def purge(tag):
        command = [fleet.DEPLOY / "purge.sh", front.prefix / "cache", tag]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def purged():
        """Checks that a purge of a changed image renews all of its crops, and that the crops of other images stay cached."""
        change_image("scene.jpg")
        paths, other = [crop("changing.jpg", quality=quality) for quality in (70, 80)], crop(v="etag")
        old = [get(path)[2] for path in paths]
        change_image("portrait.jpg")
        assert [get(path)[2] for path in paths] == old, "the cache did not keep the crops"
        removed = purge("source-" + hashlib.sha256(f"http://{origin}/changing.jpg".encode()).hexdigest()[:16])
        new = [get(path)[2] for path in paths]
        assert all(a != b for a, b in zip(old, new)), "a crop of the old image was served after the purge"
        assert "hit" in status_of(other), "another image was also purged"
        assert purge("host-example.com") == "0 responses removed"
        of_host = purge("host-127.0.0.1")
        assert "miss" in status_of(other), "a crop was served after its host was purged"
        return f"by image {removed}, by host {of_host}"

    def without_replicas():
        """Checks that, without replicas, cached responses are served and errors are not cached."""
        get(crop(v="etag"))
        for replica in replicas:
            replica.kill()
        try:
            assert "hit" in status_of(crop(v="etag"))
            response = get(crop(v="never"))
            assert response[0] == 502 and is_problem(*response), f"{response[0]} {response[2]!r} for an uncached request"
        finally:
            for replica in replicas:
                replica.start()
        service.wait_until(lambda: get(crop(v="again"))[0] == 200, "restarted replicas are used", 10)
        return "200 from the cache, 502 for the rest; normal again after the restart"

    return {
        "hits": hit_ratio,
        "equal requests at once": joined,
        "types that browsers accept": accepted_types,
        "If-None-Match": not_modified,
        "hidden from outside": hidden,
        "too many from one address": limited,
        "a purge": purged,
        "no replica left": without_replicas,
    }

"""Sharing between replicas through Redis: a fleet detects faces in a picture once, and makes a crop once."""

import collections
import json
import random
import time

import traffic

ASPECTS = ["1:1", "16:9", "9:16"]


class Sharing:
    def __init__(self, replicas, redis, origin: str, names: list[str]):
        self.replicas, self.redis, self.origin, self.names = replicas, redis, origin, names

    def ask(self, replica: int, name: str, aspect: str, **parameters):
        path = traffic.crop(self.origin, name, **parameters).replace("aspect=1:1", f"aspect={aspect}")
        status, fields, body = traffic.get(self.replicas[replica].port, path)
        assert status == 200, f"{status} {body[:200]!r}"
        return fields, body

    def when_stored(self, action) -> None:
        """Performs an action that stores a value in Redis, and waits for the value, which replicas do not."""
        before = size = self.redis.ask("dbsize")
        action()
        end = time.monotonic() + 10
        # A picture, its detections and the crop are stored one after the other.
        while size == before or size != self.redis.ask("dbsize"):
            assert time.monotonic() < end, "no value was stored in Redis within 10 s"
            size = self.redis.ask("dbsize")
            time.sleep(0.3)

    def detections(self) -> str:
        """Each picture by every replica, with another shape."""
        made = collections.Counter()

        def plan(replica: int, name: str) -> None:
            _, body = self.ask(replica, name, ASPECTS[replica], format="json")
            made[name] += not json.loads(body)["detector"].get("cached", False)

        pictures = self.names[:12]
        for name in pictures:
            self.when_stored(lambda: plan(0, name))
            for replica in range(1, len(self.replicas)):
                plan(replica, name)
        total = sum(made.values())
        said = f"{len(pictures)} pictures at {len(self.replicas)} replicas: {total} detections"
        # A replica detects faces itself if Redis does not reply in time, which happens under load.
        assert total - len(pictures) <= len(pictures) * (len(self.replicas) - 1) / 2, said
        return said

    def results(self) -> str:
        """The same crop by another replica; a new one if Redis did not reply in time."""
        for name in self.names[12:20]:
            self.when_stored(lambda: self.ask(0, name, "1:1"))
            crop = self.ask(0, name, "1:1")[1]
            fields, body = self.ask(1, name, "1:1")
            assert body == crop, "another crop"
            if fields["Cache-Status"] == "headroom; hit; detail=shared":
                return f"the same bytes, Cache-Status: {fields['Cache-Status']}"
        raise AssertionError(f"Cache-Status: {fields['Cache-Status']}")

    def hit_ratio(self) -> str:
        """Replicas in turn, without nginx: a few pictures often and many rarely."""
        generator = random.Random(2)
        names = self.names[20:80]
        chosen = generator.choices(names, [1 / (rank + 1) for rank in range(len(names))], k=600)
        said = collections.Counter()
        for number, name in enumerate(chosen):
            fields, _ = self.ask(number % len(self.replicas), name, "1:1")
            said[fields["Cache-Status"]] += 1
        misses = said["headroom; fwd=miss"]
        different = len(set(chosen))
        # A crop that is requested again before it has reached Redis is made again.
        assert misses < 2 * different, f"{misses} crops made of {different} different ones"
        return ", ".join(f"{count} × {word}" for word, count in said.most_common()) + f", of {different} crops"

    def checks(self):
        yield "faces are detected once", self.detections
        yield "a crop of another replica", self.results
        yield "hits of replicas, without nginx", self.hit_ratio

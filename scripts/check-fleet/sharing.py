"""What replicas share through Redis: a fleet looks for faces in a picture once, and makes a crop once."""

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
        """Does something that ends with a value in Redis, and waits for that: replicas do not."""
        before = self.redis.ask("dbsize")
        action()
        end = time.monotonic() + 10
        while self.redis.ask("dbsize") == before:
            assert time.monotonic() < end, "nothing came to Redis within 10 s"
            time.sleep(0.02)
        # A picture and what was found in it come one after the other.
        time.sleep(0.2)

    def detections(self) -> str:
        """Each picture by every replica, in another shape."""
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
        assert total == len(pictures), f"{total} searches for {len(pictures)} pictures"
        return f"{len(pictures)} pictures at {len(self.replicas)} replicas: {total} searches for faces"

    def results(self) -> str:
        """The same crop by another replica."""
        name = self.names[12]
        self.when_stored(lambda: self.ask(0, name, "1:1"))
        crop = self.ask(0, name, "1:1")[1]
        fields, body = self.ask(1, name, "1:1")
        assert "headroom; hit; detail=shared" in fields["Cache-Status"], fields["Cache-Status"]
        assert body == crop, "another crop"
        return f"Cache-Status: {fields['Cache-Status']}"

    def hit_ratio(self) -> str:
        """Replicas in turn, without nginx: a few pictures often and many seldom."""
        generator = random.Random(2)
        names = self.names[20:80]
        chosen = generator.choices(names, [1 / (rank + 1) for rank in range(len(names))], k=600)
        said = collections.Counter()
        for number, name in enumerate(chosen):
            fields, _ = self.ask(number % len(self.replicas), name, "1:1")
            said[fields["Cache-Status"]] += 1
        misses = said["headroom; fwd=miss"]
        different = len(set(chosen))
        # One that is asked for again before it has reached Redis is made again.
        assert misses <= 1.2 * different, f"{misses} crops made of {different} that are different"
        return ", ".join(f"{count} × {word}" for word, count in said.most_common()) + f", of {different} crops"

    def checks(self):
        yield "faces are looked for once", self.detections
        yield "a crop of another replica", self.results
        yield "hits of replicas, without nginx", self.hit_ratio

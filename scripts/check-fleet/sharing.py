"""Sharing between replicas through Redis: a fleet detects faces in a picture once, and makes a crop once."""
import collections
import json
import random

import service
import traffic


def checks(replicas, redis, origin):
    def ask(replica, name, aspect="1:1", **parameters):
        path = traffic.crop(origin, name, **parameters).replace("aspect=1:1", f"aspect={aspect}")
        status, fields, body = service.ask(replicas[replica].port, path)
        assert status == 200, f"{status} {body[:200]!r}"
        return fields["Cache-Status"], body

    def when_stored(action):
        """Performs an action that stores a value in Redis, and waits for the value, which replicas do not."""
        sizes = [redis.ask("dbsize")]
        action()

        def is_stored():
            # A picture, its detections and the crop are stored one after the other.
            sizes.append(redis.ask("dbsize"))
            return sizes[-1] == sizes[-2] != sizes[0]

        service.wait_until(is_stored, "a value is stored in Redis", 10, 0.3)

    def detections():
        """Each picture by every replica, with another shape."""
        made, pictures = collections.Counter(), range(12)

        def plan(replica, name):
            _, body = ask(replica, name, ["1:1", "16:9", "9:16"][replica], format="json")
            made[name] += not json.loads(body)["detector"].get("cached", False)

        for name in pictures:
            when_stored(lambda: plan(0, name))
            for replica in range(1, len(replicas)):
                plan(replica, name)
        total = sum(made.values())
        said = f"{len(pictures)} pictures at {len(replicas)} replicas: {total} detections"
        # A replica detects faces itself if Redis does not reply in time, which happens under load.
        assert total - len(pictures) <= len(pictures) * (len(replicas) - 1) / 2, said
        return said

    def results():
        """The same crop by another replica; a new one if Redis did not reply in time."""
        for name in range(12, 20):
            when_stored(lambda: ask(0, name))
            crop = ask(0, name)[1]
            status, body = ask(1, name)
            assert body == crop, "another crop"
            if status == "headroom; hit; detail=shared":
                return f"the same bytes, Cache-Status: {status}"
        raise AssertionError(f"Cache-Status: {status}")

    def hit_ratio():
        """Replicas in turn, without nginx: a few pictures often and many rarely."""
        names = range(20, 80)
        chosen = random.Random(2).choices(names, [1 / (rank + 1) for rank in range(len(names))], k=600)
        said = collections.Counter(ask(number % len(replicas), name)[0] for number, name in enumerate(chosen))
        misses, different = said["headroom; fwd=miss"], len(set(chosen))
        # A crop that is requested again before it has reached Redis is made again.
        assert misses < 2 * different, f"{misses} crops made of {different} different ones"
        return ", ".join(f"{count} × {word}" for word, count in said.most_common()) + f", of {different} crops"

    return {
        "faces are detected once": detections,
        "a crop of another replica": results,
        "hits of replicas, without nginx": hit_ratio,
    }

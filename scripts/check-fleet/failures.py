"""Checks that no request fails while a component of the fleet fails, is replaced, or recovers."""
import time

import traffic


def checks(front, replicas, redis, origin, seconds):
    def loaded(moments):
        outcome = traffic.while_loaded(front, origin, seconds, moments)
        assert outcome.requests > 0 and outcome.failures == 0, traffic.said(outcome)
        return traffic.said(outcome)

    def during(*events):
        """Runs load with events at one third and two thirds of its duration."""
        return loaded([(seconds * (index + 1) / 3, event) for index, event in enumerate(events)])

    def drained():
        statuses = []
        seen = during(lambda: statuses.append(replicas[2].drain()), replicas[2].start)
        assert statuses == [0], f"it ended with {statuses}"
        return f"{seen}; it ended with status 0"

    return {
        "no failure": during,
        "a replica is killed and restarted": lambda: during(replicas[1].kill, replicas[1].start),
        "a replica is drained and restarted": drained,
        "all are replaced in turn, as in an upgrade": lambda: loaded([(1, replica.replace) for replica in replicas]),
        "Redis is killed and restarted": lambda: during(redis.stop, redis.start),
        "Redis hangs and resumes": lambda: during(redis.pause, redis.resume),
    }


def restarts(front, replicas, origin, rounds):
    """Restarts two replicas, one directly after the other, as soon as the first is ready."""

    def loaded(*events):
        begin = len(front.responses())
        # Sends few concurrent requests, so that their duration depends on the restart and not on a queue.
        outcome = traffic.while_loaded(front, origin, 4, enumerate(events, 1), connections=2, uploads=1)
        time.sleep(0.1)
        # nginx counts these: a request that is retried on the other replica is still one request.
        retried = sum("," in entry["replicas"] for entry in front.responses()[begin:])
        print(f"        {traffic.said(outcome)}, {retried} retried on the other replica", flush=True)
        return outcome

    def restarted():
        outcomes = [loaded(*(replica.replace for replica in replicas)) for _ in range(rounds)]
        requests, failures = sum(o.requests for o in outcomes), sum(o.failures for o in outcomes)
        longest = max(o.longest for o in outcomes)
        text = f"{requests:,} requests, {failures} failed, longest {longest:.0f} ms, in {rounds} rounds"
        assert failures == 0, text
        return text

    return {
        "two replicas, undisturbed": lambda: traffic.said(loaded()),
        "two replicas are restarted in turn, without waits": restarted,
    }

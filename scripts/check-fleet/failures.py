"""Responses while a part of the fleet fails, is replaced, or recovers: no request fails."""

import traffic


class Failures:
    def __init__(self, front, replicas, redis, picture: bytes, origin: str, names: list[str], seconds: float):
        self.front, self.replicas, self.redis, self.seconds = front, replicas, redis, seconds
        self.picture, self.origin, self.names = picture, origin, names
        self.turn = 0

    def paths(self) -> list[str]:
        """New addresses each time, so that the caches cannot respond."""
        self.turn += 1
        return [
            traffic.crop(self.origin, self.names[number % len(self.names)], v=f"{self.turn}-{number}")
            for number in range(20_000)
        ]

    def during(self, *events) -> str:
        """Loads the fleet, with the events at thirds of the time."""
        moments = [(self.seconds * (index + 1) / 3, event) for index, event in enumerate(events)]
        outcome = traffic.while_loaded(self.front, self.paths(), self.picture, self.seconds, moments)
        assert outcome.failures == 0, str(outcome)
        assert outcome.requests > 0, "no requests were completed"
        return str(outcome)

    def nothing(self) -> str:
        return self.during()

    def replica_killed(self) -> str:
        victim = self.replicas[1]
        return self.during(victim.kill, victim.start)

    def replica_drained(self) -> str:
        statuses = []
        victim = self.replicas[2]
        seen = self.during(lambda: statuses.append(victim.drain()), victim.start)
        assert statuses == [0], f"it ended with {statuses}"
        return f"{seen}; it ended with status 0"

    def all_drained_in_turn(self) -> str:
        """The steps of an upgrade."""

        def replace(replica):
            assert replica.drain() == 0
            replica.start()

        moments = [(1, lambda replica=replica: replace(replica)) for replica in self.replicas]
        outcome = traffic.while_loaded(self.front, self.paths(), self.picture, self.seconds, moments)
        assert outcome.failures == 0, str(outcome)
        return str(outcome)

    def redis_stopped(self) -> str:
        return self.during(self.redis.stop, self.redis.start)

    def redis_hanging(self) -> str:
        return self.during(self.redis.pause, self.redis.resume)

    def checks(self):
        yield "no failure", self.nothing
        yield "a replica is killed and restarted", self.replica_killed
        yield "a replica is drained and restarted", self.replica_drained
        yield "all are replaced in turn, as in an upgrade", self.all_drained_in_turn
        yield "Redis is killed and restarted", self.redis_stopped
        yield "Redis hangs and resumes", self.redis_hanging

"""Restarts of two replicas, one after the other, without a wait beyond their readiness: no request fails."""

import time

import fleet
import traffic

# A few requests at a time, so that their time is that of the restart and not of a queue.
CLIENTS = 2


class Rolling:
    """Two replicas behind nginx."""

    def __init__(self, program: str, folder, picture: bytes, origin: str, names: list[str], rounds: int):
        self.replicas = [fleet.Replica(program, folder / f"rolling-{n}.log") for n in range(2)]
        self.front = fleet.Front(folder / "front-rolling", self.replicas)
        self.picture, self.origin, self.names, self.rounds = picture, origin, names, rounds
        self.turn = 0

    def paths(self) -> list[str]:
        """New addresses each time, so that the caches cannot respond."""
        self.turn += 1
        return [
            traffic.crop(self.origin, self.names[number % len(self.names)], v=f"r{self.turn}-{number}")
            for number in range(20_000)
        ]

    def restart(self, replica: fleet.Replica) -> None:
        assert replica.drain() == 0
        replica.start()

    def undisturbed(self) -> str:
        return str(self.loaded([]))

    def restarted(self) -> str:
        """Both replicas, ten times."""
        outcomes = []
        for _ in range(self.rounds):
            outcomes.append(self.loaded([(1 + n, lambda r=r: self.restart(r)) for n, r in enumerate(self.replicas)]))
        requests, failures = sum(o.requests for o in outcomes), sum(o.failures for o in outcomes)
        longest = max(o.longest for o in outcomes)
        text = f"{requests:,} requests, {failures} failed, longest {longest:.0f} ms, in {self.rounds} rounds"
        assert failures == 0, text
        return text

    def loaded(self, events) -> traffic.Outcome:
        begin = len(self.front.answers())
        outcome = traffic.while_loaded(self.front, self.paths(), self.picture, 4, events, connections=CLIENTS, uploads=1)
        time.sleep(0.1)
        # How nginx saw them: a retry on the other replica is one request.
        retried = sum("," in entry["replicas"] for entry in self.front.answers()[begin:])
        print(f"        {outcome}, {retried} asked the other replica", flush=True)
        return outcome

    def checks(self):
        yield "two replicas, undisturbed", self.undisturbed
        yield "two replicas are restarted in turn, without waits", self.restarted

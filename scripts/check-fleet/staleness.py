"""Stale responses while their replica is stopped: served as long as Cache-Control allows, and no longer."""

import pathlib
import subprocess
import time

import fleet
import traffic

# The Cache-Control of the pictures' origin, which Headroom repeats with --cache-control origin.
ORIGIN_SAYS = "max-age=1, stale-while-revalidate=600, stale-if-error=600"
KEY = "0123456789abcdef0123456789abcdef"


class Staleness:
    """One replica that requires signatures."""

    def __init__(self, program: str, folder: pathlib.Path, origin: str, name: str):
        self.environment = {"HEADROOM_SIGNING_KEYS": KEY}
        self.replica = fleet.Replica(
            program, folder / "signed.log", "--cache-control", "origin", environment=self.environment
        )
        self.front = fleet.Front(folder / "front-signed", [self.replica])
        self.program, self.url = program, f"url=http://{origin}/{name}"

    def sign(self, *options: str) -> str:
        command = [self.program, "sign", "/frame", self.url, "aspect=1:1", *options]
        return subprocess.check_output(command, env=self.environment, text=True).strip()

    def refreshed(self) -> str:
        """A stale crop is served at once and refreshed in the background."""
        path = self.sign("width=200")
        first = [self.status(path), self.status(path)]
        time.sleep(2)
        late = self.status(path)
        assert late in ("nginx; hit; detail=stale", "nginx; hit; detail=updating"), f"{first} and then {late}"
        end = time.monotonic() + 10
        while (now := self.status(path)) != "nginx; hit":
            assert time.monotonic() < end, f"it stays {now}"
        return "the stale one at once, then a new one"

    def status(self, path: str) -> str:
        status, fields, body = traffic.get(self.front.port, path)
        assert status == 200, f"{status} {body[:200]!r}"
        return traffic.nginx_status(fields)

    def limits(self) -> str:
        lasting, ending = self.sign(), self.sign("--expires-in", "3s")
        for path in [lasting, ending]:
            self.status(path)
        self.replica.kill()
        time.sleep(4)
        found = []
        for path in [lasting, ending]:
            status, fields, _ = traffic.get(self.front.port, path)
            found.append((status, traffic.nginx_status(fields)))
        self.replica.start()
        assert found[0] == (200, "nginx; hit; detail=stale"), f"stale-if-error was not applied: {found[0]}"
        assert found[1][0] == 502, f"a response was served after its signature had expired: {found[1]}"
        return "200 within stale-if-error, 502 after the signature has expired"

    def checks(self):
        yield "stale", self.refreshed
        yield "stale, without its replica", self.limits

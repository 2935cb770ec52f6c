"""Answers past their time while their replica is gone: as long as Cache-Control lets them, and no longer."""

import pathlib
import subprocess
import time

import fleet
import traffic

# What the pictures' origin says, and with --cache-control origin Headroom does too.
ORIGIN_SAYS = "max-age=1, stale-if-error=600"
KEY = "0123456789abcdef0123456789abcdef"


class Staleness:
    """One replica that takes signed requests."""

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

    def limits(self) -> str:
        lasting, ending = self.sign(), self.sign("--expires-in", "3s")
        for path in [lasting, ending]:
            status, _, body = traffic.get(self.front.port, path)
            assert status == 200, f"{status} {body[:200]!r}"
        self.replica.kill()
        time.sleep(4)
        found = []
        for path in [lasting, ending]:
            status, fields, _ = traffic.get(self.front.port, path)
            found.append((status, fields["Cache-Status"]))
        self.replica.start()
        assert found[0] == (200, "nginx; hit; detail=stale"), f"stale-if-error was not heeded: {found[0]}"
        assert found[1][0] == 502, f"an answer was served after its signature's end: {found[1]}"
        return "200 within stale-if-error, 502 after a signature's end"

    def checks(self):
        yield "past its time, without its replica", self.limits

"""Checks that, while a replica is stopped, its stale responses are served exactly as long as Cache-Control allows."""
import subprocess
import time

import fleet
import service
import traffic

# The Cache-Control of the image origin. With --cache-control origin, Headroom sends the same value.
ORIGIN_SAYS = "max-age=1, stale-while-revalidate=600, stale-if-error=600"
KEYS = {"HEADROOM_SIGNING_KEYS": "0123456789abcdef0123456789abcdef"}


def checks(program, front, replica, origin):
    def sign(*options):
        command = [program, "sign", "/frame", f"url=http://{origin}/0.jpg", "aspect=1:1", *options]
        return subprocess.check_output(command, env=KEYS, text=True).strip()

    def ask(path):
        status, fields, _ = service.ask(front.port, path)
        return status, traffic.nginx_status(fields)

    def refreshed():
        """Checks that a stale crop is served at once and refreshed in the background."""
        path = sign("width=200")
        first = [ask(path), ask(path)]
        time.sleep(2)
        status, said = ask(path)
        assert status == 200 and said in ("nginx; hit; detail=stale", "nginx; hit; detail=updating"), f"{first}, {said}"
        service.wait_until(lambda: ask(path) == (200, "nginx; hit"), "it is new", 10, 0)
        return "the stale crop at once, then a new one"

    def limits():
        lasting, ending = sign(), sign("--expires-in", "3s")
        for path in [lasting, ending]:
            assert ask(path)[0] == 200
        replica.kill()
        time.sleep(4)
        found = [ask(path) for path in [lasting, ending]]
        replica.start()
        assert found[0] == (200, "nginx; hit; detail=stale"), f"stale-if-error was not applied: {found[0]}"
        assert found[1][0] == 502, f"a response was served after its signature had expired: {found[1]}"
        return "200 within stale-if-error, 502 after the signature has expired"

    return {"stale": refreshed, "stale, without its replica": limits}


def replica(program):
    """A replica that requires signatures."""
    return fleet.Replica(program, "--cache-control", "origin", **KEYS)

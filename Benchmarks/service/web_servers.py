"""Measures only the HTTP servers: a trivial route in Headroom, FlyingFox and Hummingbird, alternately."""

import contextlib
import functools

import contenders
import load
import page
import processes
import service

ROUTE = "/healthz"
SECONDS = 3.0
PEERS = {"FlyingFox 0.27.1": "flying-fox-server", "Hummingbird 2.28.1": "hummingbird-server"}


def measure(headroom, folder, rounds):
    """Returns a table of all servers that could be built."""
    absent = []
    with contextlib.ExitStack() as running:
        servers = {"Headroom": running.enter_context(contenders.headroom(headroom))}
        for name, program in PEERS.items():
            port = service.free_port()
            try:
                servers[name] = running.enter_context(processes.server([folder / program, str(port)], port, ROUTE))
            except processes.Unavailable as reason:
                absent.append([f"{name}: not measured, {reason}", "", "", "", ""])
        # FlyingFox closes a connection unless the request contains Connection: keep-alive.
        ask = functools.partial(load.measure, paths=[ROUTE], connections=32, headers={"Connection": "keep-alive"})
        works = {name: lambda seconds, server=server: ask(server, seconds=seconds) for name, server in servers.items()}
        figures = load.in_turn(works, rounds, SECONDS)
    rows = [
        [name, f"{load.median(loads, 'per_second'):,.0f}", f"{load.median(loads, 'p99'):.2f} ms",
         f"{1000 * load.median(loads, 'processor'):.1f} µs", f"{load.ratio(figures['Headroom'], loads):.2f}"]
        for name, loads in figures.items()
    ]
    head = ["", "requests a second", "p99", "processor time a request", "Headroom ÷ it"]
    return page.table(head, rows + absent)

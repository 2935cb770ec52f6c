"""Calls a method of `Client` or `AsyncClient`, so that one test covers both."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import anyio

from headroom import Client
from headroom.aio import AsyncClient


@dataclass
class AnyClient:
    """A client by its kind: ``sync``, or the library that runs the asynchronous client.

    `waits` are the seconds that the client would have waited between attempts.
    """

    kind: str
    address: str
    options: dict[str, Any] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)

    def call(self, method: str, *arguments: Any, **named: Any) -> Any:
        if self.kind == "sync":
            with Client(self.address, **self.options) as client:
                client._sleep = self.waits.append
                return getattr(client, method)(*arguments, **named)

        async def main() -> Any:
            async with AsyncClient(self.address, **self.options) as client:
                client._sleep = self.wait
                return await getattr(client, method)(*arguments, **named)

        return anyio.run(main, backend=self.kind)

    async def wait(self, seconds: float) -> None:
        self.waits.append(seconds)

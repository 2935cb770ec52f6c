"""Connections: persistent, shared by threads, and with TLS."""

from __future__ import annotations

import ssl
from concurrent.futures import ThreadPoolExecutor

import pytest
import trustme
from both_clients import AnyClient
from fake_service import Answer, FakeService, fake_service

from headroom import Client, ConnectionFailedError

IMAGE = Answer(content=b"image", headers={"Headroom-Decision": "faces", "Headroom-Faces": "3"})


def test_connections_are_kept(service: FakeService) -> None:
    service.answers(IMAGE)
    with Client(service.address) as client:
        client.frame(b"1")
        client.frame(b"2")
    assert len({request.connection for request in service.received}) == 1


def test_a_kept_connection_that_the_service_closed_is_replaced(service: FakeService) -> None:
    service.answers(Answer(content=b"1", then_close=True), IMAGE)
    waits: list[float] = []
    with Client(service.address) as client:
        client._sleep = waits.append
        client.frame(b"1")
        assert client.frame(b"2").decision == "faces"
    assert len({request.connection for request in service.received}) == 2
    assert waits == []


def test_threads_share_a_client(service: FakeService) -> None:
    service.answers(lambda request: Answer(content=request.body))
    bodies = [str(number).encode() for number in range(100)]
    with Client(service.address) as client, ThreadPoolExecutor(8) as threads:
        assert [crop.content for crop in threads.map(client.frame, bodies)] == bodies
    assert len({request.connection for request in service.received}) <= 8


def test_tls(kind: str) -> None:
    authority = trustme.CA()
    server, trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("127.0.0.1").configure_cert(server)
    authority.configure_trust(trusting)
    with fake_service(server) as service:
        service.answers(IMAGE)
        assert AnyClient(kind, service.address, {"tls": trusting}).call("frame", b"image").faces == 3
        with pytest.raises(ConnectionFailedError, match="certificate"):
            AnyClient(kind, service.address).call("frame", b"image")
    assert len(service.received) == 1

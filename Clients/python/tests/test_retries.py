"""The conditions for repeating a request."""

from __future__ import annotations

import time
from email.utils import formatdate

import pytest
from both_clients import AnyClient
from fake_service import Answer, Drop, FakeService, Silence

from headroom import ConnectionFailedError, HeadroomError, OverloadedError, Retries, TimedOutError
from headroom.messages import Response

DONE = Answer(content=b"done")


def overloaded(seconds: str) -> Answer:
    return Answer.problem("overloaded", 503, Retry_After=seconds)


def test_overload_is_waited_out(client: AnyClient, service: FakeService) -> None:
    service.answers(overloaded("2"), overloaded("1"), DONE)
    assert client.call("frame", b"image").content == b"done"
    first, second = client.waits
    assert 2 <= first <= 2.5
    assert 1 <= second <= 2


def test_attempts_are_bounded(client: AnyClient, service: FakeService) -> None:
    service.answers(overloaded("3"))
    with pytest.raises(OverloadedError) as raised:
        client.call("frame", b"image")
    assert raised.value.retry_after == 3
    assert len(service.received) == 4
    assert len(client.waits) == 3


def test_too_long_a_wait_is_an_error_at_once(client: AnyClient, service: FakeService) -> None:
    service.answers(overloaded("31"))
    with pytest.raises(OverloadedError):
        client.call("frame", b"image")
    assert client.waits == []


def test_no_second_attempt_if_none_is_wanted(client: AnyClient, service: FakeService) -> None:
    service.answers(overloaded("1"))
    client.options = {"retries": Retries(attempts=1)}
    with pytest.raises(OverloadedError):
        client.call("frame", b"image")
    assert len(service.received) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_a_proxy_without_retry_after(status: int, client: AnyClient, service: FakeService) -> None:
    service.answers(Answer(status, b"busy"), DONE)
    assert client.call("frame", b"image").content == b"done"
    assert 0 <= client.waits[0] <= 0.5


@pytest.mark.parametrize("status", [400, 404, 422, 500, 502, 504])
def test_other_errors_are_final(status: int, client: AnyClient, service: FakeService) -> None:
    service.answers(Answer.problem("source-failed", status))
    with pytest.raises(HeadroomError):
        client.call("frame", b"image")
    assert len(service.received) == 1


def test_a_lost_connection_is_tried_again(client: AnyClient, service: FakeService) -> None:
    service.answers(Drop(), DONE)
    assert client.call("frame", b"image").content == b"done"
    assert len(client.waits) == 1


def test_an_absent_service(kind: str) -> None:
    client = AnyClient(kind, "http://127.0.0.1:9")
    with pytest.raises(ConnectionFailedError):
        client.call("frame", b"image")
    assert len(client.waits) == 3


def test_a_timeout_is_final(client: AnyClient, service: FakeService) -> None:
    service.answers(Silence())
    client.options = {"timeout": 0.2}
    with pytest.raises(TimedOutError, match=r"no response within 0\.2 seconds"):
        client.call("frame", b"image")
    assert len(service.received) == 1


def test_waits_grow_up_to_the_longest() -> None:
    retries = Retries(attempts=100, first_wait=0.5, longest_wait=4)
    busy = Response(503, {}, b"")
    for attempt, longest in [(1, 0.5), (2, 1), (3, 2), (4, 4), (5, 4), (60, 4)]:
        waits = [retries.after_response(attempt, busy) or 0.0 for _ in range(200)]
        assert longest * 0.8 < max(waits) <= longest
        assert min(waits) < longest * 0.2


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("0", 0, 0),
        (" 12 ", 12, 12),
        (formatdate(time.time() + 3600, usegmt=True), 3500, 3600),
        (formatdate(time.time() - 3600, usegmt=True), 0, 0),
    ],
)
def test_retry_after(text: str, low: float, high: float) -> None:
    seconds = Response(503, {"retry-after": text}, b"").retry_after()
    assert seconds is not None
    assert low <= seconds <= high


@pytest.mark.parametrize("text", ["", "soon", "-1", "1.5", "²"])
def test_a_retry_after_that_says_nothing(text: str) -> None:
    assert Response(503, {"retry-after": text}, b"").retry_after() is None

"""Fixtures."""

from __future__ import annotations

import os
from collections.abc import Iterator

import django_project  # noqa: F401
import pytest
from both_clients import AnyClient
from fake_service import FakeService, fake_service


@pytest.fixture
def service() -> Iterator[FakeService]:
    """A service with responses that the test defines."""
    with fake_service() as service:
        yield service


@pytest.fixture(params=["sync", "asyncio", "trio"])
def client(request: pytest.FixtureRequest, service: FakeService) -> AnyClient:
    """Each kind of client, with the scripted service."""
    return AnyClient(request.param, service.address)


def _variable(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        pytest.skip(f"{name} is not set")
    return value


@pytest.fixture
def real_address() -> str:
    """A real service without credentials, which fetches from private addresses."""
    return _variable("HEADROOM_URL")


@pytest.fixture
def program() -> str:
    """The program of the real service."""
    return _variable("HEADROOM_PROGRAM")


@pytest.fixture
def signed_address() -> str:
    """A real service that requires signatures or bearer secrets."""
    return _variable("HEADROOM_SIGNED_URL")


@pytest.fixture
def signing_key() -> str:
    """A key of the protected service."""
    return _variable("HEADROOM_SIGNING_KEY")


@pytest.fixture
def bearer() -> str:
    """A bearer secret of the protected service."""
    return _variable("HEADROOM_BEARER")


@pytest.fixture
def origin() -> str:
    """The URL of an origin with the images in `docs/images`, which the real services can reach."""
    return _variable("HEADROOM_ORIGIN")


@pytest.fixture(params=["sync", "asyncio", "trio"])
def kind(request: pytest.FixtureRequest) -> str:
    """The kind of `AnyClient`."""
    return str(request.param)

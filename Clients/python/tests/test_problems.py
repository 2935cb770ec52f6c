"""Problems of the service as exceptions."""

from __future__ import annotations

import pytest
from both_clients import AnyClient
from documents import example, openapi
from fake_service import Answer, FakeService

import headroom
from headroom import InvalidParameterError, ProblemError, Retries
from headroom.problems import PREFIX

KINDS = [kind[len(PREFIX) :] for kind in openapi()["components"]["schemas"]["Problem"]["properties"]["type"]["enum"]]


def test_the_example_of_the_documentation(client: AnyClient, service: FakeService) -> None:
    problem = example("problems.md")
    service.answers(Answer.json(problem, "application/problem+json", 400, X_Request_Id="abc"))
    with pytest.raises(InvalidParameterError) as raised:
        client.call("frame", b"image")
    error = raised.value
    assert str(error) == problem["detail"]
    assert (error.type, error.title, error.status) == (problem["type"], problem["title"], 400)
    assert (error.request_id, error.retry_after) == ("abc", None)
    assert [each.parameter for each in error.errors] == ["aspekt", "width"]
    assert error.errors[1].received == "0"
    assert error.errors[1].expected == "a whole number of pixels from 1 to 16384"


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_a_class(kind: str, service: FakeService) -> None:
    service.answers(Answer.problem(kind, 400, "what happened"))
    with pytest.raises(ProblemError, match="what happened") as raised, headroom.Client(service.address) as client:
        client.frame(b"image")
    assert raised.value.kind == kind, f"headroom.problems has no class with the kind {kind} of openapi.yaml"
    assert type(raised.value).__name__ in headroom.__all__


def test_each_class_has_a_kind() -> None:
    def below(kind: type[ProblemError]) -> list[type[ProblemError]]:
        return [each for direct in kind.__subclasses__() for each in (direct, *below(direct))]

    assert sorted(each.kind for each in below(ProblemError)) == sorted(KINDS)


def test_a_kind_of_a_newer_version(service: FakeService) -> None:
    service.answers(Answer.problem("something-new", 503))
    client = headroom.Client(service.address, retries=Retries(attempts=1))
    with pytest.raises(ProblemError) as raised, client:
        client.frame(b"image")
    assert type(raised.value) is ProblemError
    assert (raised.value.kind, raised.value.type) == ("", "urn:headroom:problem:something-new")


@pytest.mark.parametrize("errors", [None, "text", [{"parameter": "width"}], [{}]])
def test_errors_that_are_incomplete(errors: object, service: FakeService) -> None:
    members = {"type": "urn:headroom:problem:invalid-parameter", "status": 400, "errors": errors}
    service.answers(Answer.json(members, "application/problem+json", 400))
    with pytest.raises(InvalidParameterError), headroom.Client(service.address) as client:
        client.frame(b"image")

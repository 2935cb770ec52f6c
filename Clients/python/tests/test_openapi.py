"""Compares the client with openapi.yaml."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, Optional, Union, get_args, get_origin, get_type_hints

import pytest
from documents import openapi

from headroom import FocalPoint, decoding, plan
from headroom.parameters import (
    DetectionParameters,
    FaceParameters,
    FacesParameters,
    FrameParameters,
    PlanParameters,
    PortraitParameters,
    Restrictions,
    wire_name,
)

DESCRIPTION = openapi()
SCHEMAS = DESCRIPTION["components"]["schemas"]
ROUTES = {"/frame": FrameParameters, "/faces": FacesParameters, "/faces/{index}": FaceParameters}


def resolved(value: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in value:
        _, _, section, name = value["$ref"].split("/")
        value = DESCRIPTION["components"][section][name]
    return value


def described(parameters: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Returns the schemas of query parameters by name."""
    query = [each for each in map(resolved, parameters) if each["in"] == "query"]
    return {each["name"]: resolved(each["schema"]) for each in query}


def listed(schema: dict[str, Any]) -> set[str]:
    """Returns the values that a schema lists."""
    found = {str(each) for each in schema.get("enum", [])}
    return found.union(*(listed(resolved(each)) for each in schema.get("anyOf", [])))


def typed_values(hint: Any) -> set[str]:
    """Returns the values that a type lists, as text."""
    if get_origin(hint) is Literal:
        return {str(each) for each in get_args(hint)}
    return set().union(*(typed_values(each) for each in get_args(hint)))


def typed(kind: type) -> dict[str, Any]:
    """Returns the types of a class by the names of openapi.yaml."""
    return {wire_name(name): hint for name, hint in get_type_hints(kind).items()}


QUERIES = [
    (route, kind, name, schema)
    for route, kind in ROUTES.items()
    for name, schema in described(DESCRIPTION["paths"][route]["get"]["parameters"]).items()
    if name != "url"  # The image is a separate argument.
]


@pytest.mark.parametrize(("route", "kind", "name", "schema"), QUERIES, ids=[f"{each[0]} {each[2]}" for each in QUERIES])
def test_each_parameter_has_a_keyword(route: str, kind: type, name: str, schema: dict[str, Any]) -> None:
    hints = typed(kind)
    assert name in hints, f"openapi.yaml has the parameter {name} at {route}: add it to headroom/parameters.py"
    allowed = listed(schema)
    if allowed == {"true", "false", "1", "0"} or schema.get("type") == "boolean":
        assert hints[name] is bool
    else:
        missing = allowed - typed_values(hints[name])
        assert not missing, f"{name} at {route} lacks {missing} of openapi.yaml: add it to headroom/parameters.py"
        # Words that are accepted in addition to numbers: ^auto$, ^(source|auto)$.
        words = set(schema.get("pattern", "").strip("^$()").split("|"))
        extra = typed_values(hints[name]) - allowed - words
        assert not extra, f"{name} at {route} has {extra}, which openapi.yaml does not have"


@pytest.mark.parametrize("route", ROUTES)
def test_each_keyword_is_a_parameter(route: str) -> None:
    extra = set(typed(ROUTES[route])) - set(described(DESCRIPTION["paths"][route]["get"]["parameters"]))
    assert not extra, f"openapi.yaml does not have {extra} at {route}"


@pytest.mark.parametrize("route", ROUTES)
def test_restrictions(route: str) -> None:
    # All methods that build URLs have the keyword max_age.
    names = {*typed(Restrictions), "maxAge"}
    assert set(described(DESCRIPTION["paths"][route]["parameters"])) == names


def test_each_route_with_images_has_a_class() -> None:
    with_url = {
        path
        for path, each in DESCRIPTION["paths"].items()
        if "url" in described(each.get("get", {}).get("parameters", []))
    }
    # The body of a stream never ends, so it is for browsers and video programs.
    with_url.remove("/stream")
    # This route corresponds to the parameter `preset` of the other routes.
    with_url.remove("/preset/{preset}")
    assert with_url == set(ROUTES), "a route of openapi.yaml has no methods in headroom/client.py"


def test_methods_with_a_fixed_format_accept_all_but_the_format() -> None:
    assert set(FrameParameters.__annotations__) - {"format"} == set(PlanParameters.__annotations__)
    assert set(FaceParameters.__annotations__) - {"format"} == set(PortraitParameters.__annotations__)
    assert set(DetectionParameters.__annotations__) <= set(PortraitParameters.__annotations__)


CLASSES = {
    plan.Animation: "SourceAnimation",
    plan.Crop: "Crop",
    plan.DetectedSubject: "DetectedSubject",
    plan.DetectionPass: "DetectionPass",
    plan.Detector: "Detector",
    plan.Face: "FramedFace",
    plan.FaceFree: "FaceFree",
    plan.FaceOutcome: "FaceOutcome",
    plan.Faces: "Faces",
    FocalPoint: "FocalPoint",
    plan.IgnoredDetection: "Ignored",
    plan.Landmarks: "Landmarks",
    plan.OmittedSticker: "OmittedSticker",
    plan.PlacedWatermark: "PlacedWatermark",
    plan.Plan: "Plan",
    plan.Point: "Point",
    plan.Rect: "Rect",
    plan.RedactedHead: "RedactedHead",
    plan.Redaction: "Redaction",
    plan.Turned: "Turned",
    plan.Size: "Size",
    plan.SourceImage: "Source",
}


@pytest.mark.parametrize("kind", CLASSES, ids=CLASSES.values())
def test_each_member_has_a_field(kind: type[Any]) -> None:
    schema = SCHEMAS[CLASSES[kind]]
    fields = {wire_name(name): required for name, required in decoding.fields(kind).items()}
    properties = {name for name, each in schema["properties"].items() if not each.get("deprecated")}
    missing = properties - set(fields)
    assert not missing, f"{CLASSES[kind]} in openapi.yaml has {missing}: add a field to {kind.__name__}"
    assert set(fields) == properties
    required = {name for name, required in fields.items() if required}
    # The faces of /faces lack `kept`.
    assert required | ({"kept"} if kind is plan.Face else set()) == set(schema["required"])


def test_each_schema_of_a_plan_has_a_class() -> None:
    reached: set[str] = set()

    def follow(value: Any) -> None:
        if isinstance(value, dict) and not value.get("deprecated"):
            name = str(value.get("$ref", "")).rpartition("/")[2]
            if name in SCHEMAS and name not in reached and SCHEMAS[name].get("type") == "object":
                reached.add(name)
                follow(SCHEMAS[name])
            for each in value.values():
                follow(each)
        elif isinstance(value, list):
            for each in value:
                follow(each)

    follow([{"$ref": "#/Plan"}, {"$ref": "#/Faces"}])
    # These schemas have the members of another class: UnclampedRect is a Rect, a FoundFace is a Face without `kept`.
    missing = reached - {"UnclampedRect", "FoundFace"} - set(CLASSES.values())
    assert not missing, f"openapi.yaml has the schema {missing}: add a class to plan.py, and to CLASSES here"
    assert set(CLASSES.values()) <= reached


@dataclasses.dataclass(frozen=True)
class Sample:
    a_number: float
    whole: int = 0
    word: Optional[str] = None
    yes: Union[bool, None] = None


@pytest.mark.parametrize("value", [{"aNumber": True}, {"aNumber": "1"}, {"aNumber": 1, "whole": 1.5}, {}, None])
def test_members_of_another_type_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"expected|has no member"):
        decoding.decode(Sample, value)


@pytest.mark.parametrize("value", [{"x": 0.5}, {"x": "0.5", "y": 0.5}, [0.5, 0.5], None])
def test_members_of_a_tuple_are_checked_too(value: object) -> None:
    with pytest.raises(ValueError, match=r"expected|has no member"):
        decoding.decode(FocalPoint, value)


def test_members() -> None:
    assert decoding.decode(FocalPoint, {"x": 0, "y": 0.25, "z": 1}) == FocalPoint(0.0, 0.25)
    assert decoding.decode(Sample, {"aNumber": 1, "yes": True}) == Sample(1.0, yes=True)

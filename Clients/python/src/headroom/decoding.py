"""Decodes JSON objects of the service into dataclasses and named tuples, according to the types of their fields."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from .parameters import wire_name

T = TypeVar("T")

# The old names of renamed members; earlier versions of the service send the old names.
_OLD_MEMBERS = {
    "chromaKey": "key",
    "contentRect": "picture",
    "passes": "looks",
    "position": "place",
    "rotation": "turn",
    "watermark": "mark",
}


def decode(kind: type[T], value: object) -> T:
    """Returns an instance of the dataclass or named tuple `kind` from a JSON object.

    Members without a field are ignored, because newer versions of the service may have more members. Raises
    `ValueError` for a missing member or a member of another type.
    """
    if not isinstance(value, dict):
        raise ValueError(f"expected an object for {kind.__name__}, got {value!r:.60}")
    hints = get_type_hints(kind)
    members: dict[str, Any] = {}
    for field, required in fields(kind).items():
        name = wire_name(field)
        old = _OLD_MEMBERS.get(name)
        if old is not None and name not in value and old in value:
            name = old
        if name in value:
            members[field] = _member(hints[field], value[name])
        elif required:
            raise ValueError(f"{kind.__name__} has no member {name}")
    return kind(**members)


def fields(kind: Any) -> dict[str, bool]:
    """Returns the fields of a class, and whether they are required; an empty list for other types."""
    if dataclasses.is_dataclass(kind):
        return {field.name: field.default is dataclasses.MISSING for field in dataclasses.fields(kind)}
    return {field: field not in kind._field_defaults for field in getattr(kind, "_fields", ())}


def _member(hint: Any, value: object) -> object:
    """Decodes a member of an object: a number, a word, a list or another object."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Union:
        return _member(arguments[0], value)  # Optional: absent members are not decoded.
    if origin is tuple:
        if not isinstance(value, list):
            raise ValueError(f"expected a list, got {value!r:.60}")
        return tuple(_member(arguments[0], each) for each in value)
    if fields(hint):
        return decode(hint, value)
    expected = {float: (int, float)}.get(hint, hint)
    if not isinstance(value, expected) or (isinstance(value, bool) and hint is not bool):
        raise ValueError(f"expected {hint.__name__}, got {value!r:.60}")
    return float(value) if hint is float else value

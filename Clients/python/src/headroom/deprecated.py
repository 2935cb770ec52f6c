"""Old names of attributes, which the next version removes."""

from __future__ import annotations

import warnings
from typing import Any


def old_attribute(old: str, new: str) -> Any:
    """Returns a property with an old name, which warns and returns the attribute `new`."""

    def value(self: object) -> object:
        warnings.warn(f"{old} is deprecated; use {new}", DeprecationWarning, stacklevel=2)
        return getattr(self, new)

    return property(value, doc=f"Deprecated: use `{new}`.")

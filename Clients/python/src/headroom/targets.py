"""Request targets: path and query, signed if a key is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Optional

from .parameters import Restrictions, encode
from .signing import canonical_query, signature


@dataclass(frozen=True)
class Targets:
    """Builds request targets; `signing_key` signs them."""

    signing_key: Optional[str] = field(default=None, repr=False)

    def target(
        self, method: str, path: str, parameters: Mapping[str, str], restrictions: Optional[Restrictions] = None
    ) -> str:
        """Returns path and query of a request.

        `parameters` use the names of ``openapi.yaml``. Raises `ValueError` for restrictions without a signing key,
        because the service would ignore them.
        """
        restricting = encode(Restrictions, restrictions or {})
        if restricting and not self.signing_key:
            raise ValueError(f"{' and '.join(restricting)} restrict a signed request: there is no signing key")
        query = {**parameters, **restricting}
        if self.signing_key:
            query["signature"] = signature(self.signing_key, method, path, query)
        return f"{path}?{canonical_query(query)}" if query else path


def face_path(index: int) -> str:
    """Returns the path of the face with a number, from 1."""
    if index < 1:
        raise ValueError(f"face {index} does not exist: the largest face is 1")
    return f"/faces/{index}"

"""Exceptions. The problems of the service (RFC 9457) have one class for each kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Optional

from .messages import Response

PREFIX = "urn:headroom:problem:"


class HeadroomError(Exception):
    """Any failure of a request."""


class ConnectionFailedError(HeadroomError):
    """The service could not be reached, or closed the connection before its response was complete."""


class TimedOutError(ConnectionFailedError):
    """The service sent no data for longer than the timeout of the client."""


class UnexpectedResponseError(HeadroomError):
    """A response that does not come from the service, such as the error page of a proxy."""

    def __init__(self, response: Response, reason: str) -> None:
        super().__init__(f"{reason}: status {response.status}, {response.content_type or 'no Content-Type'}")
        self.status = response.status
        self.response = response


@dataclass(frozen=True)
class InvalidParameter:
    """One parameter that the service rejected."""

    parameter: str
    expected: str
    detail: str
    received: Optional[str] = None


class ProblemError(HeadroomError):
    """An error response of the service. Its text is `detail`."""

    kind: ClassVar[str] = ""
    """The last part of `type`; empty for a kind that this version of the client does not support."""

    _kinds: ClassVar[dict[str, type[ProblemError]]] = {}

    def __init__(self, response: Response, problem: Mapping[str, object]) -> None:
        self.type = str(problem.get("type", "about:blank"))
        self.title = str(problem.get("title", ""))
        self.status = response.status
        self.detail = str(problem.get("detail", self.title))
        self.errors = _invalid_parameters(problem.get("errors"))
        self.request_id = response.headers.get("x-request-id")
        self.retry_after = response.retry_after()
        super().__init__(self.detail)

    def __init_subclass__(cls) -> None:
        cls._kinds[cls.kind] = cls

    @classmethod
    def of(cls, response: Response) -> HeadroomError:
        """Returns the exception for an error response."""
        try:
            problem = json.loads(response.content)
        except ValueError:
            problem = None
        if response.content_type != "application/problem+json" or not isinstance(problem, dict):
            return UnexpectedResponseError(response, "the response is not the service's")
        kind = str(problem.get("type", "")).replace(PREFIX, "", 1)
        return cls._kinds.get(kind, ProblemError)(response, problem)


def _invalid_parameters(errors: object) -> tuple[InvalidParameter, ...]:
    if not isinstance(errors, list):
        return ()
    names = InvalidParameter.__dataclass_fields__
    members = [{name: str(error[name]) for name in names if name in error} for error in errors]
    return tuple(InvalidParameter(**{"parameter": "", "expected": "", "detail": "", **each}) for each in members)


class InvalidRequestError(ProblemError):
    """The request is not valid HTTP, or its form or JSON cannot be parsed."""

    kind = "invalid-request"


class InvalidParameterError(ProblemError):
    """One or more parameters are unknown, repeated or invalid. `errors` lists each of them."""

    kind = "invalid-parameter"


class NotFoundError(ProblemError):
    """The route does not exist."""

    kind = "not-found"


class MethodNotAllowedError(ProblemError):
    """The route does not support the method."""

    kind = "method-not-allowed"


class UnsupportedImageError(ProblemError):
    """The service does not read this file type."""

    kind = "unsupported-image"


class UnreadableImageError(ProblemError):
    """The image is damaged."""

    kind = "unreadable-image"


class TooLargeError(ProblemError):
    """The image has more bytes or pixels than allowed."""

    kind = "too-large"


class ResponseTooLargeError(ProblemError):
    """The response has more bytes than the service can store."""

    kind = "response-too-large"


class NoFaceError(ProblemError):
    """There is no face with this number, or no face at all with ``fallback="error"``."""

    kind = "no-face"


class SourceNotFoundError(ProblemError):
    """There is no image at the URL, or the URL is not allowed."""

    kind = "source-not-found"


class SourceFailedError(ProblemError):
    """The origin of the URL failed or timed out."""

    kind = "source-failed"


class UnauthorizedError(ProblemError):
    """A bearer secret is required."""

    kind = "unauthorized"


class ForbiddenError(ProblemError):
    """A valid signature is required."""

    kind = "forbidden"


class ExpiredError(ProblemError):
    """The URL, in the format of another service, has expired."""

    kind = "expired"


class UnsupportedOptionError(ProblemError):
    """Headroom does not support an option in the URL, which has the format of another service."""

    kind = "unsupported-option"


class RateLimitedError(ProblemError):
    """The client's limit is reached; `retry_after` is the number of seconds until a retry."""

    kind = "rate-limited"


class LoopDetectedError(ProblemError):
    """The URL leads back to the service."""

    kind = "loop-detected"


class OverloadedError(ProblemError):
    """The service is busy; `retry_after` is the number of seconds until a retry."""

    kind = "overloaded"


class FetchOverloadedError(OverloadedError):
    """The service fetches its maximum number of sources; `retry_after` is the number of seconds until a retry."""

    kind = "fetch-overloaded"


class InternalServiceError(ProblemError):
    """A bug in the service; its log contains the cause."""

    kind = "internal-error"

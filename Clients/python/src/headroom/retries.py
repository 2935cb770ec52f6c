"""The rules for repeating a request, and the waits between attempts."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Optional

from .messages import Response
from .problems import ConnectionFailedError, TimedOutError

STATUSES = (429, 503)
"""Too Many Requests and Service Unavailable (RFC 6585 §4, RFC 9110 §15.6.4)."""


@dataclass(frozen=True)
class Retries:
    """The attempts for a request after 429, 503 and failed connections.

    Every request is safe to repeat, because the service stores nothing. The wait before attempt n+1 is random, up to
    `first_wait` · 2ⁿ⁻¹ and at most `longest_wait` seconds. The time in `Retry-After` is added; if it exceeds
    `longest_wait`, the request is not repeated. `Retries(attempts=1)` never repeats a request.
    """

    attempts: int = 4
    first_wait: float = 0.5
    longest_wait: float = 30.0

    def after_response(self, attempt: int, response: Response) -> Optional[float]:
        """Returns the seconds to wait after the response to an attempt, counted from 1; None if it is final."""
        if attempt >= self.attempts or response.status not in STATUSES:
            return None
        requested = response.retry_after() or 0.0
        return None if requested > self.longest_wait else requested + self._jitter(attempt)

    def after_failure(self, attempt: int, failure: ConnectionFailedError) -> Optional[float]:
        """Returns the seconds to wait after a failed connection; None if the error is final.

        A timeout is final, because the service may still be processing the request.
        """
        final = attempt >= self.attempts or isinstance(failure, TimedOutError)
        return None if final else self._jitter(attempt)

    def _jitter(self, attempt: int) -> float:
        longest: float = min(self.longest_wait, self.first_wait * 2.0 ** (attempt - 1))
        return random.uniform(0.0, longest)

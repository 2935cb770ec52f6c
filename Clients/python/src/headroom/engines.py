"""Rows of images for engines such as Spark and Ray: one process of `headroom work` for each process of the engine."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Callable, Literal, Optional, Union

from . import calls
from .calls import Call
from .job_process import Answer
from .local import Local, in_order
from .parameters import FrameParameters
from .problems import HeadroomError, ProblemError
from .responses import CropImage, checked


@dataclass(frozen=True)
class RowError:
    """The error of a row.

    `type` is the kind of the problem, such as ``unreadable-image``; ``invalid-row`` for a row without an image, and
    ``connection-failed`` if the program could not respond. `status` is the HTTP status; 0 if there is none.
    """

    type: str
    status: int
    detail: str


@dataclass(frozen=True)
class Row:
    """The result of a row: an image and its plan as JSON, or an error."""

    image: Optional[bytes] = None
    plan: Optional[str] = None
    error: Optional[RowError] = None


@dataclass(frozen=True)
class Work:
    """A description of the work on images, which can be sent to other processes.

    Args:
        binary: The program, by path or name, on each machine.
        workers: Number of images that one process handles at once; None for one per processor.
        arguments: Further options of ``headroom work``.
        plan: Whether results contain plans.
        errors: ``return`` returns errors as rows, ``raise`` raises the first error.
        parameters: The parameters as text.
    """

    binary: str
    workers: Optional[int]
    arguments: tuple[str, ...]
    plan: bool
    errors: Literal["return", "raise"]
    parameters: tuple[tuple[str, str], ...]

    @classmethod
    def of(
        cls,
        parameters: FrameParameters,
        *,
        binary: Union[str, os.PathLike[str]],
        workers: Optional[int],
        arguments: Sequence[str],
        plan: bool,
        errors: Literal["return", "raise"],
    ) -> Work:
        """Returns the work with parameters of `Client.frame`. Raises `TypeError` for unknown parameters."""
        encoded = tuple(calls.frame(parameters).parameters.items())
        return cls(os.fspath(binary), workers, tuple(arguments), plan, errors, encoded)

    def rows(self, images: Iterable[object]) -> Iterator[Row]:
        """Yields the results of images in order; images are bytes, URLs or None."""
        local = shared(self.binary, self.workers, self.arguments)
        call: Call[CropImage] = Call("/frame", dict(self.parameters), _unread)
        return in_order((self._begin(local, call, image) for image in images), local.in_work)

    def _begin(self, local: Local, call: Call[CropImage], image: object) -> Callable[[], Row]:
        if (isinstance(image, (bytes, bytearray, memoryview)) and len(image) > 0) or (
            isinstance(image, str) and "://" in image
        ):
            end = local.begin(call, image, plan=self.plan)
        else:
            kind = "null" if image is None else "no bytes" if image == b"" else type(image).__name__
            row = self._failed(RowError("invalid-row", 0, f"Expected bytes or a URL, got {kind}."), None)
            return lambda: row
        return lambda: self._row(end())

    def _row(self, answer: Union[Answer, HeadroomError]) -> Row:
        try:
            if isinstance(answer, HeadroomError):
                raise answer
            checked(answer.response)
        except HeadroomError as error:
            if isinstance(error, ProblemError):
                return self._failed(RowError(error.kind or error.type, error.status, error.detail), error)
            return self._failed(RowError("connection-failed", 0, str(error)), error)
        plan = None if answer.plan is None else json.dumps(answer.plan, sort_keys=True, separators=(",", ":"))
        return Row(answer.response.content, plan)

    def _failed(self, error: RowError, cause: Optional[HeadroomError]) -> Row:
        if self.errors == "raise":
            raise cause or ValueError(error.detail)
        return Row(error=error)


_locals: dict[tuple[int, str, Optional[int], tuple[str, ...]], Local] = {}
_lock = threading.Lock()


def shared(binary: str, workers: Optional[int], arguments: tuple[str, ...]) -> Local:
    """Returns this process's `Local` with these options. Creates a new `Local` if the previous one is closed."""
    # A forked child must not use the pipes of its parent.
    key = (os.getpid(), binary, workers, arguments)
    with _lock:
        if key not in _locals or _locals[key].is_closed:
            _locals[key] = Local(binary, workers=workers, arguments=arguments)
        return _locals[key]


def _unread(_: object) -> CropImage:
    raise NotImplementedError("rows read answers themselves")

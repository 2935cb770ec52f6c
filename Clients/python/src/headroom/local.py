"""Crops images in a process on this machine, without a service."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Callable, Literal, Optional, TypeVar, Union, overload

from . import calls, program, responses
from .calls import Call
from .decoding import decode
from .image_calls import ImageCalls
from .images import ImageInput, url_or_bytes
from .job_process import Answer
from .job_queue import JobQueue
from .parameters import FrameParameters
from .plan import Plan
from .problems import HeadroomError, UnexpectedResponseError
from .responses import CropImage
from .retries import Retries

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")


def in_order(begun: Iterable[Callable[[], T]], most: int) -> Iterator[T]:
    """Yields the results of work items in order, with at most `most` pending items. Reading an item starts its work."""
    waiting: deque[Callable[[], T]] = deque()
    for end in begun:
        waiting.append(end)
        if len(waiting) >= most:
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()


class Local(ImageCalls):
    """Provides the methods of `Client` with a process of ``headroom work``. Several threads may share it.

    If the process ends, a new process gets the jobs without a response. Use it with ``with``, or call `close` at the
    end. After a fork, only one of the two processes may use it.

    Args:
        binary: The program, by path or name; ``headroom`` is the program of the wheel, if the wheel contains one.
        workers: Number of images that are handled at once; one per processor by default.
        arguments: Further options of ``headroom work``, such as ``["--allow-private-sources"]``.
        retries: Number of attempts for a job that the program rejects because its queue is full.
        attempts: The number of processes that may end during a job before it fails.
    """

    def __init__(
        self,
        binary: Union[str, os.PathLike[str]] = "headroom",
        *,
        workers: Optional[int] = None,
        arguments: Sequence[str] = (),
        retries: Optional[Retries] = None,
        attempts: int = 4,
    ) -> None:
        options = [] if workers is None else ["--workers", str(workers)]
        self._jobs = JobQueue([program.path(binary), "work", *options, *arguments], attempts)
        self._retries = retries or Retries()
        self._sleep: Callable[[float], None] = time.sleep

    @property
    def is_closed(self) -> bool:
        """Whether it accepts no more images, because it was closed or its process could not be replaced."""
        return self._jobs.is_closed

    @property
    def workers(self) -> int:
        """The number of images that are handled at once."""
        return self._jobs.process.workers

    @property
    def process_id(self) -> int:
        """The ID of the process."""
        return self._jobs.process.number

    def frame_with_plan(self, image: ImageInput, **parameters: Unpack[FrameParameters]) -> tuple[CropImage, Plan]:
        """Returns a crop and its plan."""
        call = calls.frame(parameters)
        source = url_or_bytes(image)
        answer = self._answer(call, source, self._submit(call, source, plan=True), plan=True)
        crop = responses.crop_image(answer.response)
        try:
            return crop, decode(Plan, answer.plan)
        except ValueError as error:
            raise UnexpectedResponseError(answer.response, f"the plan is not one: {error}") from error

    @overload
    def map(
        self,
        images: Iterable[ImageInput],
        *,
        errors: Literal["raise"] = "raise",
        **parameters: Unpack[FrameParameters],
    ) -> Iterator[CropImage]: ...

    @overload
    def map(
        self, images: Iterable[ImageInput], *, errors: Literal["return"], **parameters: Unpack[FrameParameters]
    ) -> Iterator[Union[CropImage, HeadroomError]]: ...

    def map(
        self,
        images: Iterable[ImageInput],
        *,
        errors: Literal["raise", "return"] = "raise",
        **parameters: Unpack[FrameParameters],
    ) -> Iterator[Union[CropImage, HeadroomError]]:
        """Yields the crops of many images, in order.

        It reads ahead in `images` by at most the number of jobs that the process accepts. With ``errors="return"``,
        an image that fails yields its exception.
        """
        call = calls.frame(parameters)
        for answer in self.answers((call, image) for image in images):
            try:
                if isinstance(answer, HeadroomError):
                    raise answer
                yield responses.crop_image(answer.response)
            except HeadroomError as error:
                if errors == "raise":
                    raise
                yield error

    def answers(
        self, work: Iterable[tuple[Call[T], ImageInput]], *, plan: bool = False
    ) -> Iterator[Union[Answer, HeadroomError]]:
        """Yields the responses to many calls, in order; a call without a response yields an exception."""
        return in_order((self.begin(call, image, plan=plan) for call, image in work), self.in_work)

    @property
    def in_work(self) -> int:
        """The number of jobs that the program accepts before the first job has its response."""
        return self._jobs.process.in_work

    def begin(
        self, call: Call[T], image: ImageInput, *, plan: bool = False
    ) -> Callable[[], Union[Answer, HeadroomError]]:
        """Sends a job, and returns a handle to wait for its response."""
        source = url_or_bytes(image)
        try:
            future = self._submit(call, source, plan)
        except HeadroomError as error:
            refusal = error
            return lambda: refusal

        def end() -> Union[Answer, HeadroomError]:
            try:
                return self._answer(call, source, future, plan)
            except HeadroomError as error:
                return error

        return end

    def close(self) -> None:
        """Waits for the responses to all jobs, and ends the process."""
        self._jobs.close()

    def __enter__(self) -> Local:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def _call(self, call: Call[T], image: ImageInput) -> T:
        source = url_or_bytes(image)
        return call.read(self._answer(call, source, self._submit(call, source)).response)

    def _submit(self, call: Call[T], source: Union[str, bytes], plan: bool = False) -> Future[Answer]:
        header: dict[str, object] = {"route": call.path, **call.parameters}
        if plan:
            header["plan"] = True
        if isinstance(source, str):
            return self._jobs.submit({**header, "url": source}, b"")
        return self._jobs.submit(header, source)

    def _answer(self, call: Call[T], source: Union[str, bytes], future: Future[Answer], plan: bool = False) -> Answer:
        """Returns the response to a job; sends the job again while the program rejects it because its queue is full."""
        attempt = 1
        while True:
            answer = future.result()
            wait = self._retries.after_response(attempt, answer.response)
            if wait is None:
                return answer
            self._sleep(wait)
            attempt += 1
            future = self._submit(call, source, plan)

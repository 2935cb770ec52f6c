"""Crops pictures in a process of this machine, without a service."""

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
from .job_process import Answer
from .job_queue import JobQueue
from .parameters import FrameParameters
from .picture_calls import PictureCalls
from .pictures import PictureInput, url_or_bytes
from .plan import Plan
from .problems import HeadroomError, UnexpectedResponseError
from .responses import Picture
from .retries import Retries

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")


def in_order(begun: Iterable[Callable[[], T]], most: int) -> Iterator[T]:
    """The results of work that begins as it is read, in its order; at most so much of it is waited for at once."""
    waiting: deque[Callable[[], T]] = deque()
    for end in begun:
        waiting.append(end)
        if len(waiting) >= most:
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()


class Local(PictureCalls):
    """The methods of `Client`, by a process of ``headroom work``. Several threads may share it.

    A process that ends is replaced, and the new one gets the jobs that have no answer. Use it with ``with``, or call
    `close` at the end. A process that forks must not use it in both processes.

    Args:
        binary: The program, by path or name; ``headroom`` is that of the wheel, if it carries one.
        workers: Pictures that are worked on at once; by default one for each processor.
        arguments: Further options of ``headroom work``, such as ``["--allow-private-sources"]``.
        retries: How often a job is tried again that the program refuses for lack of room.
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
        """Whether it takes no more pictures: it was closed, or its process could not be replaced."""
        return self._jobs.is_closed

    @property
    def workers(self) -> int:
        """The number of pictures that are worked on at once."""
        return self._jobs.process.workers

    @property
    def process_id(self) -> int:
        """The ID of the process."""
        return self._jobs.process.number

    def frame_with_plan(self, picture: PictureInput, **parameters: Unpack[FrameParameters]) -> tuple[Picture, Plan]:
        """A crop, and where it is."""
        call = calls.frame(parameters)
        source = url_or_bytes(picture)
        answer = self._answer(call, source, self._submit(call, source, plan=True), plan=True)
        crop = responses.picture(answer.response)
        try:
            return crop, decode(Plan, answer.plan)
        except ValueError as error:
            raise UnexpectedResponseError(answer.response, f"the plan is not one: {error}") from error

    @overload
    def map(
        self,
        pictures: Iterable[PictureInput],
        *,
        errors: Literal["raise"] = "raise",
        **parameters: Unpack[FrameParameters],
    ) -> Iterator[Picture]: ...

    @overload
    def map(
        self, pictures: Iterable[PictureInput], *, errors: Literal["return"], **parameters: Unpack[FrameParameters]
    ) -> Iterator[Union[Picture, HeadroomError]]: ...

    def map(
        self,
        pictures: Iterable[PictureInput],
        *,
        errors: Literal["raise", "return"] = "raise",
        **parameters: Unpack[FrameParameters],
    ) -> Iterator[Union[Picture, HeadroomError]]:
        """The crops of many pictures, in their order.

        `pictures` is read only as far ahead as the process takes jobs. With ``errors="return"``, the place of a picture
        that fails has the exception.
        """
        call = calls.frame(parameters)
        for answer in self.answers((call, picture) for picture in pictures):
            try:
                if isinstance(answer, HeadroomError):
                    raise answer
                yield responses.picture(answer.response)
            except HeadroomError as error:
                if errors == "raise":
                    raise
                yield error

    def answers(
        self, work: Iterable[tuple[Call[T], PictureInput]], *, plan: bool = False
    ) -> Iterator[Union[Answer, HeadroomError]]:
        """The answers to many calls, in their order; an exception where there is none."""
        return in_order((self.begin(call, picture, plan=plan) for call, picture in work), self.in_work)

    @property
    def in_work(self) -> int:
        """The number of jobs that the program takes before the first one has its answer."""
        return self._jobs.process.in_work

    def begin(
        self, call: Call[T], picture: PictureInput, *, plan: bool = False
    ) -> Callable[[], Union[Answer, HeadroomError]]:
        """Gives a job, and returns what waits for its answer."""
        source = url_or_bytes(picture)
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
        """Waits for the answers to all jobs, and ends the process."""
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

    def _call(self, call: Call[T], picture: PictureInput) -> T:
        source = url_or_bytes(picture)
        return call.read(self._answer(call, source, self._submit(call, source)).response)

    def _submit(self, call: Call[T], source: Union[str, bytes], plan: bool = False) -> Future[Answer]:
        header: dict[str, object] = {"route": call.path, **call.parameters}
        if plan:
            header["plan"] = True
        if isinstance(source, str):
            return self._jobs.submit({**header, "url": source}, b"")
        return self._jobs.submit(header, source)

    def _answer(self, call: Call[T], source: Union[str, bytes], future: Future[Answer], plan: bool = False) -> Answer:
        """The answer to a job; gives the job again while the program refuses it for lack of room."""
        attempt = 1
        while True:
            answer = future.result()
            wait = self._retries.after_response(attempt, answer.response)
            if wait is None:
                return answer
            self._sleep(wait)
            attempt += 1
            future = self._submit(call, source, plan)

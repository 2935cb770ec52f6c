"""Sends jobs to a process, and to a new process if it ends before it has responded."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Optional

from .job_process import Answer, JobProcess, check_job, message, start
from .problems import ConnectionFailedError


@dataclass
class _Job:
    header: Mapping[str, object]
    body: bytes
    future: Future[Answer] = field(default_factory=Future)
    # The process that handles the job.
    process: Optional[JobProcess] = None
    attempts: int = 0


class JobQueue:
    """Jobs of several threads for one process.

    If a process ends, a new process gets the jobs without a response. A job fails with `ConnectionFailedError` after
    `attempts` processes ended while they handled it. The last of these processes gets its jobs one by one. Therefore
    only a job that ends a process by itself fails.
    """

    def __init__(self, command: Sequence[str], attempts: int) -> None:
        self._command = list(command)
        self._attempts = attempts
        self._jobs: dict[str, _Job] = {}
        self._count = 0
        self._closed = False
        # Jobs that are sent one by one. Only the reading thread uses this queue, and at most one thread reads.
        self._careful: deque[tuple[str, _Job]] = deque()
        self._state = threading.Lock()
        # Locked while a job is written, so that messages are not mixed.
        self._writing = threading.Lock()
        self._process = start(self._command, self._attempts)
        self._room = threading.BoundedSemaphore(self._process.in_work)
        self._thread = self._read_from(self._process)

    @property
    def is_closed(self) -> bool:
        """Whether it accepts no more jobs, because it was closed or its process could not be replaced."""
        return self._closed

    @property
    def process(self) -> JobProcess:
        """The process that gets the next job."""
        return self._process

    def submit(self, header: Mapping[str, object], body: bytes) -> Future[Answer]:
        """Sends a job; waits while the process has its maximum number of jobs.

        Raises `TooLargeError` or `InvalidParameterError` for a job that does not fit into a message.
        """
        check_job(header, body)
        self._room.acquire()
        job = _Job(header, body)
        with self._state:
            if self._closed:
                self._room.release()
                raise ConnectionFailedError("it is closed")
            self._count += 1
            name = str(self._count)
            self._jobs[name] = job
        self._send(name, job)
        return job.future

    def close(self) -> None:
        """Waits for the responses to all jobs, and ends the process."""
        with self._state:
            self._closed = True
        with self._writing:
            self._process.finish()
        # If a thread is replacing the process at the same time, it also ends the new process.
        while self._thread.is_alive():
            self._thread.join()

    def _send(self, name: str, job: _Job) -> None:
        with self._writing:
            # A new process may already have the job.
            if job.process is not self._process:
                job.process = self._process
                job.attempts += 1
                self._process.send(message({**job.header, "id": name}, job.body))

    def _read_from(self, process: JobProcess) -> threading.Thread:
        thread = threading.Thread(target=self._read, args=(process,), name="headroom-work", daemon=True)
        thread.start()
        return thread

    def _read(self, process: JobProcess) -> None:
        while answer := process.answer():
            with self._state:
                job = self._jobs.pop(answer.id or "", None)
            if job is None:
                # The process is ended, because it is unknown which job this response belongs to.
                process.kill()
                break
            self._room.release()
            job.future.set_result(answer)
            if self._careful:
                # Uses another thread, because a thread may be writing to a process that waits until this thread reads
                # its responses.
                threading.Thread(target=self._send_careful, args=self._careful.popleft(), daemon=True).start()
        self._replace(process.reap())

    def _send_careful(self, name: str, job: _Job) -> None:
        self._send(name, job)
        self._finish_if_closed()

    def _replace(self, end: str) -> None:
        """Starts another process, and sends it the jobs without a response."""
        with self._state:
            lost = [name for name, job in self._jobs.items() if job.attempts >= self._attempts]
            failed = [self._jobs.pop(name) for name in lost]
            if self._closed and not self._jobs:
                return self._fail(failed, end)
        self._fail(failed, end)
        try:
            process = start(self._command, self._attempts)
        except ConnectionFailedError as error:
            with self._state:
                self._closed = True
                failed = list(self._jobs.values())
                self._jobs.clear()
            return self._fail(failed, str(error))
        with self._writing:
            self._process = process
        with self._state:
            jobs = list(self._jobs.items())
        self._careful.clear()
        if any(job.attempts == self._attempts - 1 for _, job in jobs):
            self._careful.extend(jobs[1:])
            jobs = jobs[:1]
        self._thread = self._read_from(process)
        for name, job in jobs:
            self._send(name, job)
        self._finish_if_closed()
        return None

    def _finish_if_closed(self) -> None:
        with self._state:
            finishes = self._closed and not self._careful
        if finishes:
            with self._writing:
                self._process.finish()

    def _fail(self, jobs: list[_Job], end: str) -> None:
        for job in jobs:
            self._room.release()
            with contextlib.suppress(Exception):
                job.future.set_exception(ConnectionFailedError(f"the process ended before its answer: {end}"))

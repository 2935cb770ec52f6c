"""`Local` with a scripted program, and with the real program, which `make check-clients` provides."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from documents import IMAGES

from headroom import (
    Client,
    ConnectionFailedError,
    CropImage,
    InvalidParameterError,
    Local,
    OverloadedError,
    Retries,
    TooLargeError,
    UnsupportedImageError,
    program,
)
from headroom.job_process import message

SCENE = IMAGES / "scene.jpg"


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    program = tmp_path / "fake"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).with_name("fake_work.py")}" "$@"\n')
    program.chmod(0o755)
    return program


def local(program: Path, mode: str, retries: Retries | None = None) -> Local:
    return Local(program, arguments=[str(program.parent), mode], retries=retries)


def starts(program: Path) -> int:
    return len((program.parent / "starts").read_text())


def test_a_message_has_two_lengths() -> None:
    assert message({"a": 1}, b"xyz") == b"\0\0\0\x08\0\0\0\x03" + b'{"a": 1}xyz'


@pytest.mark.parametrize("mode", ["plain", "reversed", "once"])
def test_results_are_in_order(fake: Path, mode: str) -> None:
    images = [str(number).encode() for number in range(40)]
    with local(fake, mode) as work:
        assert work.workers == 2
        assert [each.content for each in work.map(images, aspect="1:1")] == images
    assert starts(fake) == (2 if mode == "once" else 1)


def test_images_are_read_as_far_as_jobs_are_taken(fake: Path) -> None:
    read = []

    def images() -> Iterator[bytes]:
        for number in range(40):
            read.append(number)
            yield str(number).encode()

    with local(fake, "plain") as work:
        results = work.map(images())
        next(results)
        assert len(read) <= 5
        assert len(list(results)) == 39


def test_a_job_that_ends_processes_fails(fake: Path) -> None:
    with local(fake, "die") as work:
        results = list(work.map([b"a", b"poison", b"b"], errors="return"))
        assert [isinstance(each, CropImage) for each in results] == [True, False, True]
        assert isinstance(results[1], ConnectionFailedError)
        assert "status 9" in str(results[1])
        assert work.frame(b"c").content == b"c"
    assert starts(fake) == 5


def test_errors_are_raised(fake: Path) -> None:
    with local(fake, "die") as work, pytest.raises(ConnectionFailedError):
        list(work.map([b"a", b"poison"]))


@pytest.mark.parametrize(("mode", "reason"), [("exit", "no processor is left"), ("version", "another version")])
def test_a_program_that_does_not_start(fake: Path, mode: str, reason: str) -> None:
    with pytest.raises(ConnectionFailedError, match=reason):
        local(fake, mode)


def test_a_program_that_does_not_start_again(fake: Path) -> None:
    with local(fake, "exit-later") as work:
        with pytest.raises(ConnectionFailedError, match="no processor is left"):
            work.frame(b"poison")
        with pytest.raises(ConnectionFailedError):
            work.frame(b"a")


def test_a_program_that_is_killed_at_once_is_started_again(fake: Path) -> None:
    with local(fake, "killed-once") as work:
        assert work.frame(b"a").content == b"a"
    with pytest.raises(ConnectionFailedError, match="status -9"):
        local(fake, "killed")
    assert starts(fake) == 2 + 4


def test_no_program() -> None:
    with pytest.raises(ConnectionFailedError, match="cannot be started"):
        Local("/nowhere/headroom")


def test_lack_of_room_is_tried_again(fake: Path) -> None:
    waits: list[float] = []
    with local(fake, "busy") as work:
        work._sleep = waits.append
        assert work.frame(b"a").content == b"a"
    assert len(waits) == 1
    with local(fake, "busy", Retries(attempts=1)) as work, pytest.raises(OverloadedError):
        work.frame(b"a")


def test_a_job_that_no_message_holds(fake: Path) -> None:
    with local(fake, "plain") as work:
        with pytest.raises(TooLargeError):
            work.frame("https://example.com/" + "a" * 65_536)
        assert work.frame(b"a").content == b"a"


def test_text_without_utf8(fake: Path) -> None:
    with local(fake, "plain") as work:
        with pytest.raises(InvalidParameterError, match="ud800"):
            work.frame("https://example.com/\ud800")
        assert work.frame(b"a").content == b"a"


def test_an_answer_without_a_job_ends_the_process(fake: Path) -> None:
    with local(fake, "nameless") as work:
        with pytest.raises(ConnectionFailedError, match="status -9"):
            work.frame(b"poison")
        assert work.frame(b"a").content == b"a"
    assert starts(fake) == 5


def test_answers_are_read_while_jobs_are_written(fake: Path) -> None:
    # Each job and response is larger than the buffer of a pipe, so the program reads no job until its response is read.
    images = [str(number).encode() * 200_000 for number in range(12)]
    with local(fake, "full") as work, ThreadPoolExecutor(4) as threads:
        poison = b"poison" * 50_000
        results = list(threads.map(work.frame, [images[0], poison, *images[1:], poison]))
    assert [each.content for each in results] == [images[0], poison, *images[1:], poison]


def test_threads_share_a_process(fake: Path) -> None:
    with local(fake, "plain") as work, ThreadPoolExecutor(8) as threads:
        images = [str(number).encode() for number in range(200)]
        assert [each.content for each in threads.map(work.frame, images)] == images


def test_closing_twice_and_jobs_after_it(fake: Path) -> None:
    work = local(fake, "plain")
    work.close()
    work.close()
    with pytest.raises(ConnectionFailedError):
        work.frame(b"a")


def test_the_results_are_those_of_the_service(program: str, real_address: str, origin: str) -> None:
    with Local(program, arguments=["--allow-private-sources"]) as work, Client(real_address) as client:
        for image in (SCENE, SCENE.read_bytes(), f"{origin}/scene.jpg"):
            crop = work.frame(image, aspect="1:1", width=200, quality=70)
            expected = client.frame(image, aspect="1:1", width=200, quality=70)
            assert (crop.content, crop.content_type) == (expected.content, expected.content_type)
            assert (crop.decision, crop.faces) == ("faces", 3)
        # The durations of two searches differ.
        both = ["1:1", "16:9"]
        assert work.plan(SCENE, aspect=both).crops == client.plan(SCENE, aspect=both).crops
        assert work.faces(SCENE).faces == client.faces(SCENE).faces
        assert work.face(SCENE, 2).content == client.face(SCENE, 2).content
        crop, plan = work.frame_with_plan(SCENE, aspect="9:16")
        assert crop.content == client.frame(SCENE, aspect="9:16").content
        assert plan.crops == client.plan(SCENE, aspect="9:16").crops
        assert len(work.face_archive(SCENE, aspect="1:1").images) == 3
        assert work.face_plan(SCENE).crops == client.face_plan(SCENE).crops


def test_problems_are_exceptions(program: str) -> None:
    with Local(program, workers=1) as work:
        with pytest.raises(InvalidParameterError) as raised:
            work.frame(SCENE, aspect="0:1")
        assert [each.parameter for each in raised.value.errors] == ["aspect"]
        with pytest.raises(UnsupportedImageError):
            work.frame(b"text")
        with pytest.raises(InvalidParameterError):
            work.frame(b"")


def test_a_killed_process_is_replaced(program: str) -> None:
    # Bytes after the end of the image make each copy a different image.
    images = [SCENE.read_bytes() + bytes([number]) for number in range(24)]
    with Local(program) as work:
        expected = work.frame(SCENE, aspect="1:1", width=64).content
        first = work.process_id
        results = work.map(images, aspect="1:1", width=64)
        found = [next(results).content]
        os.kill(first, signal.SIGKILL)
        found += [each.content for each in results]
        assert found == [expected] * 24
        assert work.process_id != first


def test_closing_waits_for_answers(program: str) -> None:
    work = Local(program, workers=1)
    found: list[bytes] = []
    thread = threading.Thread(target=lambda: found.append(work.frame(SCENE, width=64).content))
    thread.start()
    while not work._jobs._jobs and not found:
        pass
    work.close()
    thread.join()
    assert len(found) == 1


def test_the_plain_name_is_the_program_of_the_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "__file__", str(tmp_path / "program.py"))
    assert program.path("headroom") == "headroom"
    carried = tmp_path / "bin" / "headroom"
    carried.parent.mkdir()
    carried.touch()
    assert program.path("headroom") == str(carried)
    assert program.path(Path("/usr/bin/headroom")) == "/usr/bin/headroom"

"""Rows of images, without an engine; `make check-engines` runs Spark and Ray."""

from __future__ import annotations

import json
import os
import pickle
import sys
from pathlib import Path
from typing import Literal

import pytest
from documents import IMAGES

from headroom import Client, ConnectionFailedError, UnsupportedImageError
from headroom.engines import RowError, Work, shared


def work(program: str, errors: Literal["return", "raise"] = "return", *arguments: str) -> Work:
    return Work.of({"aspect": "1:1"}, binary=program, workers=1, arguments=arguments, plan=True, errors=errors)


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    program = tmp_path / "fake"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).with_name("fake_work.py")}" "$@"\n')
    program.chmod(0o755)
    return program


def test_every_row_has_a_result_or_an_error(fake: Path) -> None:
    images = [b"a", None, "no URL", 7, b"", bytearray(b"b"), "https://example.com/" + "a" * 65_536]
    rows = list(work(str(fake), "return", str(fake.parent), "plain").rows([*images, b"c", b"d"]))
    assert [row.image for row in rows] == [b"a", None, None, None, None, b"b", None, b"c", b"d"]
    assert [row.error and row.error.type for row in rows[:7]] == [
        None,
        "invalid-row",
        "invalid-row",
        "invalid-row",
        "invalid-row",
        None,
        "too-large",
    ]
    assert rows[1].error == RowError("invalid-row", 0, "Expected bytes or a URL, got null.")
    assert rows[4].error == RowError("invalid-row", 0, "Expected bytes or a URL, got no bytes.")
    shared(str(fake), 1, (str(fake.parent), "plain")).close()


def test_a_process_that_ends_is_an_error_of_its_row(fake: Path) -> None:
    rows = list(work(str(fake), "return", str(fake.parent), "die").rows([b"a", b"poison", b"b"]))
    assert [row.image for row in rows] == [b"a", None, b"b"]
    assert rows[1].error is not None
    assert rows[1].error.type == "connection-failed"
    shared(str(fake), 1, (str(fake.parent), "die")).close()


def test_errors_are_raised_if_asked(fake: Path) -> None:
    options = (str(fake.parent), "die")
    with pytest.raises(ConnectionFailedError):
        list(work(str(fake), "raise", *options).rows([b"a", b"poison"]))
    with pytest.raises(ValueError, match="got null"):
        list(work(str(fake), "raise", *options).rows([None]))
    shared(str(fake), 1, options).close()


def test_work_is_a_value() -> None:
    value = work("headroom")
    assert pickle.loads(pickle.dumps(value)) == value
    with pytest.raises(TypeError, match="unknown parameter widht"):
        Work.of({"widht": 1}, binary="", workers=1, arguments=(), plan=True, errors="return")  # type: ignore[typeddict-unknown-key]


def test_processes_are_shared_within_a_process(fake: Path) -> None:
    options = (str(fake.parent), "plain")
    first = shared(str(fake), 1, options)
    assert shared(str(fake), 1, options) is first
    reader, writer = os.pipe()
    if os.fork() == 0:
        # A forked child must use a separate process, and must not run the cleanup of the tests.
        same = shared(str(fake), 1, options).process_id == first.process_id
        os.write(writer, b"same" if same else b"other")
        os._exit(0)
    os.wait()
    assert os.read(reader, 5) == b"other"
    os.close(reader)
    os.close(writer)
    first.close()


def test_one_that_is_closed_is_replaced(fake: Path) -> None:
    options = (str(fake.parent), "exit-later")
    rows = list(work(str(fake), "return", *options).rows([b"poison", "https://example.com/\ud800"]))
    assert [row.error and row.error.type for row in rows] == ["connection-failed", "invalid-parameter"]
    (fake.parent / "starts").unlink()
    assert [row.image for row in work(str(fake), "return", *options).rows([b"a"])] == [b"a"]
    shared(str(fake), 1, options).close()


def test_rows_are_those_of_the_service(program: str, real_address: str) -> None:
    scene = (IMAGES / "scene.jpg").read_bytes()
    rows = list(work(program).rows([scene, b"text"]))
    with Client(real_address) as client:
        assert rows[0].image == client.frame(scene, aspect="1:1").content
        plan = json.loads(client.frame(scene, aspect="1:1", format="json").content)
    found = json.loads(rows[0].plan or "")
    assert [each["crop"] for each in found["crops"]] == [each["crop"] for each in plan["crops"]]
    assert found["faces"] == plan["faces"]
    assert rows[1].error is not None
    assert (rows[1].error.type, rows[1].error.status) == ("unsupported-image", 415)
    with pytest.raises(UnsupportedImageError):
        list(work(program, "raise").rows([b"text"]))
    shared(program, 1, ()).close()

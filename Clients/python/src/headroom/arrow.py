"""Converts results of rows to Arrow."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Optional

import pyarrow as pa

from .engines import Row, Work

_MOST_ROWS, _MOST_BYTES = 256, 32 << 20
"""The maximum size of a batch of results: a number of rows, or of bytes of images."""


def result_batches(
    batches: Iterable[pa.RecordBatch], work: Work, column: str, names: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    """Yields batches with columns for results: image, plan (if there are three names), and error."""
    begun: deque[tuple[Any, int]] = deque()

    def images() -> Iterator[object]:
        for batch in batches:
            values = batch.column(batch.schema.get_field_index(column))
            for index in range(batch.num_rows):
                begun.append((batch, index))
                yield values[index].as_py()

    rows: list[Row] = []
    start: Optional[tuple[Any, int]] = None
    size = 0
    for row in work.rows(images()):
        batch, index = begun.popleft()
        if start and (start[0] is not batch or len(rows) >= _MOST_ROWS or size >= _MOST_BYTES):
            yield _batch(start, rows, names)
            start, rows, size = None, [], 0
        start = start or (batch, index)
        rows.append(row)
        size += len(row.image or b"")
    if start:
        yield _batch(start, rows, names)


def _batch(start: tuple[Any, int], rows: list[Row], names: Sequence[str]) -> pa.RecordBatch:
    batch, first = start
    part = batch.slice(first, len(rows))
    return pa.RecordBatch.from_arrays(
        [*part.columns, *columns(rows, plan=len(names) == 3)], names=[*part.schema.names, *names]
    )


def columns(rows: Sequence[Row], *, plan: bool) -> list[pa.Array]:
    """Returns the columns of results."""
    kind = pa.struct([("type", pa.string()), ("status", pa.int32()), ("detail", pa.string())])
    errors = [None if row.error is None else vars(row.error) for row in rows]
    plans = [pa.array([row.plan for row in rows], pa.string())] if plan else []
    return [pa.array([row.image for row in rows], pa.binary()), *plans, pa.array(errors, kind)]

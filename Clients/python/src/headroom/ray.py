"""Crops the images of a Ray dataset. It needs ``pip install 'headroom-client[ray]'``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Optional, Union

try:
    import pyarrow as pa
except ImportError as error:
    raise ImportError("headroom.ray needs PyArrow: pip install 'headroom-client[ray]'") from error

from .arrow import columns
from .engines import Work
from .parameters import FrameParameters

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Framer:
    """Returns a class for `Dataset.map_batches` with ``batch_format="pyarrow"``, which adds columns of results.

    Each actor runs one process of ``headroom work``. If an actor is lost, Ray starts it again and repeats its batch.

    Args:
        column: The name of a column of bytes, or of URLs that the actors fetch.
        image: The new column of crops, null for errors.
        plan: The new column of plans as JSON; None for no plans.
        error: The new column of errors, with ``type``, ``status`` and ``detail``; null for results.
        binary: The program on the nodes.
        workers: Number of images that one actor handles at once.
        arguments: Further options of ``headroom work``.
        errors: ``raise`` fails at the first error.
        **parameters: The parameters of `Client.frame`.
    """

    def __init__(
        self,
        column: str = "bytes",
        *,
        image: str = "image",
        plan: Optional[str] = "plan",
        error: str = "error",
        binary: Union[str, os.PathLike[str]] = "headroom",
        workers: Optional[int] = 1,
        arguments: Sequence[str] = (),
        errors: Literal["return", "raise"] = "return",
        **parameters: Unpack[FrameParameters],
    ) -> None:
        self._column = column
        self._names = [image, *([plan] if plan else []), error]
        self._work = Work.of(
            parameters, binary=binary, workers=workers, arguments=arguments, plan=plan is not None, errors=errors
        )

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Returns the batch with the new columns."""
        images = (value.as_py() for value in batch.column(self._column))
        rows = list(self._work.rows(images))
        for name, values in zip(self._names, columns(rows, plan=len(self._names) == 3)):
            batch = batch.append_column(name, values)
        return batch

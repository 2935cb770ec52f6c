"""Crops the images of a Spark data frame. It needs ``pip install 'headroom-client[spark]'``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, Optional, Union

try:
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.types import BinaryType, IntegerType, StringType, StructField, StructType
except ImportError as error:
    raise ImportError("headroom.spark needs PySpark and PyArrow: pip install 'headroom-client[spark]'") from error

from .arrow import result_batches
from .engines import Work
from .parameters import FrameParameters

if TYPE_CHECKING:
    from typing_extensions import Unpack


def frame(
    df: DataFrame,
    column: str,
    *,
    image: str = "image",
    plan: Optional[str] = "plan",
    error: str = "error",
    binary: Union[str, os.PathLike[str]] = "headroom",
    workers: Optional[int] = 1,
    arguments: Sequence[str] = (),
    errors: Literal["return", "raise"] = "return",
    **parameters: Unpack[FrameParameters],
) -> DataFrame:
    """Returns a data frame with crops of the images in a column, in new columns next to the columns of `df`.

    The column contains bytes, or URLs that the executors fetch. Each Python worker of Spark runs one process of
    ``headroom work`` and reuses it for later tasks. If an executor is lost, Spark repeats its tasks.

    Args:
        df: The data frame.
        column: The name of a binary or string column.
        image: The new column of crops, null for errors.
        plan: The new column of plans as JSON; None for no plans.
        error: The new column of errors, with ``type``, ``status`` and ``detail``; null for results.
        binary: The program on the executors.
        workers: Number of images that one task handles at once; Spark runs one task per core.
        arguments: Further options of ``headroom work``.
        errors: ``raise`` fails the job at the first error.
        **parameters: The parameters of `Client.frame`.
    """
    names = [image, *([plan] if plan else []), error]
    repeated = sorted(set(names) & set(df.columns))
    if repeated:
        raise ValueError(f"the data frame has a column {repeated[0]} already")
    if not isinstance(df.schema[column].dataType, (BinaryType, StringType)):
        raise ValueError(f"{column} is no column of bytes or URLs")
    kind = StructType(
        [StructField("type", StringType()), StructField("status", IntegerType()), StructField("detail", StringType())]
    )
    fields = [StructField(image, BinaryType()), *([StructField(plan, StringType())] if plan else [])]
    schema = StructType([*df.schema.fields, *fields, StructField(error, kind)])
    work = Work.of(
        parameters, binary=binary, workers=workers, arguments=arguments, plan=plan is not None, errors=errors
    )
    return df.mapInArrow(_Mapping(work, column, names), schema)


class _Mapping:
    """Returns the function that Spark runs for each partition."""

    def __init__(self, work: Work, column: str, names: list[str]) -> None:
        self._work, self._column, self._names = work, column, names

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return result_batches(batches, self._work, self._column, self._names)

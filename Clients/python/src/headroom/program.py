"""The program that a wheel for one platform carries."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Union

NAME = "headroom"
"""The name that stands for the program of the wheel, or the one in PATH."""


def path(binary: Union[str, os.PathLike[str]]) -> str:
    """The program to run: that of this package for the plain name, if it has one."""
    text = os.fspath(binary)
    carried = Path(__file__).with_name("bin") / NAME
    return str(carried) if text == NAME and carried.exists() else text

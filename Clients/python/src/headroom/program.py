"""The program in a wheel for one platform."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Union

NAME = "headroom"
"""The name of the program in the wheel, or in PATH."""


def path(binary: Union[str, os.PathLike[str]]) -> str:
    """Returns the program to run: for the plain name, the program of this package, if it contains one."""
    text = os.fspath(binary)
    carried = Path(__file__).with_name("bin") / NAME
    return str(carried) if text == NAME and carried.exists() else text

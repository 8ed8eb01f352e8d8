"""The data files of a game's package."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from typing import Any


def board_file(package: str, name: str) -> dict[str, Any]:
    """Return the plain data of the board `name` that comes with the game in `package`."""
    data: dict[str, Any] = json.loads(files(package).joinpath("boards", f"{name}.json").read_bytes())
    return data


def rules_of(package: str) -> Callable[[], str]:
    """Return a function that reads RULES.md in `package`."""
    return partial(files(package).joinpath("RULES.md").read_text, "utf-8")

"""The modules of the packages as syntax trees, which are parsed once in a process."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("gamelog", "gamelog_front", "cli", "reports")
"""Folders of the packages in the repository."""


@cache
def parse(path: Path) -> ast.Module:
    """Return the syntax tree of the module at `path`. Callers do not change it."""
    return ast.parse(path.read_text("utf-8"))


@cache
def own_modules() -> tuple[Path, ...]:
    """Return the paths of all modules of the packages, in alphabetical order."""
    return tuple(path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")))

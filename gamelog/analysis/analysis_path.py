"""The name of the file of an analysis, beside the file of its record."""

from __future__ import annotations

import os
from pathlib import Path

from gamelog.record.discovery import ENDINGS

ANALYSIS_ENDING = ".analysis.json"
"""Ending of the file of an analysis."""


def analysis_name(record: str) -> str:
    """Return the name of the analysis of a record, from the name of its file."""
    ending = next((ending for ending in ENDINGS if record.endswith(ending)), "")
    return record.removesuffix(ending) + ANALYSIS_ENDING


def analysis_path(
    record: str | os.PathLike[str], member: str = "", folder: str | os.PathLike[str] | None = None
) -> Path:
    """Return the path of the analysis of a record.

    Args:
        record: The path of the record or of its pack.
        member: The name of the record in its pack, whose folders become hyphens; empty for a record in a file
            of its own.
        folder: The folder of the analysis; None for the folder of the record or of its pack.
    """
    beside, name = os.path.split(record)
    return Path(beside if folder is None else folder, analysis_name(member.replace("/", "-") or name))

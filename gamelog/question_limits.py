"""Limits of a question to an archive. Help texts read them without loading the archive package."""

from __future__ import annotations

from msgspec import Struct

MEMORY, SECONDS = "4GB", 600.0
"""Default limits of a question."""


class QuestionLimits(Struct, frozen=True):
    """Limits of a question; None means no limit.

    Attributes:
        memory: Memory of the query, such as ``512MB``.
        timeout: Time in seconds.
        threads: Number of threads.
    """

    memory: str | None = MEMORY
    timeout: float | None = SECONDS
    threads: int | None = None


USUAL = QuestionLimits()
"""The usual limits of a question: `MEMORY` and `SECONDS`."""

UNLIMITED = QuestionLimits(None, None)
"""No limits, for programs that query their own archives in their own process."""

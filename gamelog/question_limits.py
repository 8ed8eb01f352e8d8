"""Limits of a question to an archive. Help texts read them without loading the archive package."""

from __future__ import annotations

from msgspec import Struct

MEMORY, SECONDS = "4GB", 600.0
"""Default limits of a question."""


class QuestionBounds(Struct, frozen=True):
    """Limits of a question: ``memory`` (``512MB``), ``timeout`` in seconds and ``threads``; None means no
    limit.
    """

    memory: str | None = MEMORY
    timeout: float | None = SECONDS
    threads: int | None = None


USUAL = QuestionBounds()

UNBOUNDED = QuestionBounds(None, None)
"""No limits, for programs that query their own archives in their own process."""

"""What a question to an archive may cost. Help texts read it without loading the archives."""

from __future__ import annotations

from msgspec import Struct

MEMORY, SECONDS = "4GB", 600.0
"""What a question may cost unless told otherwise."""


class QuestionBounds(Struct, frozen=True):
    """A question's ``memory`` (``512MB``), ``timeout`` in seconds and ``threads``; None for no bound."""

    memory: str | None = MEMORY
    timeout: float | None = SECONDS
    threads: int | None = None


USUAL = QuestionBounds()

UNBOUNDED = QuestionBounds(None, None)
"""For whoever asks archives of their own, in a process of their own."""

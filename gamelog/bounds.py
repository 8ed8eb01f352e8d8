"""What a question to an archive may cost. Knows nothing of archives,
so that a help text can say it without loading them.
"""

from __future__ import annotations

from msgspec import Struct

MEMORY, SECONDS = "4GB", 600.0
"""What a question may cost unless told otherwise."""


class QuestionBounds(Struct, frozen=True):
    """A question's ``memory`` (``512MB``), its ``timeout`` in seconds, and how many ``threads`` work on it;
    None for no bound.
    """

    memory: str | None = MEMORY
    timeout: float | None = SECONDS
    threads: int | None = None


USUAL = QuestionBounds()

UNBOUNDED = QuestionBounds(None, None)
"""For whoever asks archives of their own, in a process of their own."""

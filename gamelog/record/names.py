"""When two names are one: people are spelled in many ways."""

from __future__ import annotations

import unicodedata


def tidy(name: str) -> str:
    """`name` in composed form, with single spaces and none around it."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def same_name(name: str) -> str:
    """What all spellings of `name` have in common: as `tidy` has it, without case."""
    return unicodedata.normalize("NFC", tidy(name).casefold())

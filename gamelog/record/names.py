"""When two names are one: people are spelled in many ways."""

from __future__ import annotations

import unicodedata


def tidy(name: str) -> str:
    """`name` in composed form, with single spaces and none around it."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def same_name(name: str) -> str:
    """What all spellings of `name` have in common: as `tidy` has it, without case."""
    return unicodedata.normalize("NFC", tidy(name).casefold())


def name_and_id(text: str) -> tuple[str, str | None]:
    """The name and the id in ``Ana <ana@club>``; of anything else, all of it is the name."""
    name, _, rest = text.strip().partition("<")
    id, end, behind = rest.partition(">")
    if end and not behind and ">" not in name and "<" not in id and name.strip() and id.strip():
        return name.strip(), id.strip()
    return text.strip(), None

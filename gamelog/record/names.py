"""Names: when two spellings are one person's, and which names every system takes for a file."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

from gamelog.message import Message

_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])[ .]*(\..*)?", re.IGNORECASE)
"""Names that Windows takes for a device, whatever follows their first full stop."""

MOST_BYTES = 255
"""Bytes that a file's name has at most on most systems."""


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


def file_name_trouble(path: str) -> Message | None:
    """Return why some system takes no file of this name, folders included; None if all do."""
    for part in PurePosixPath(path).parts:
        if _DEVICE.fullmatch(part):
            return Message.of('"{=name}" is the name of a device on Windows', name=part[:80])
        if part.strip(".") and part.endswith((".", " ")):
            return Message.of(
                '"{=name}" ends in a full stop or a space, which Windows leaves out', name=part[:80]
            )
        size = len(part.encode(errors="surrogateescape"))
        if size > MOST_BYTES:
            return Message.of("a name of {n} bytes is too long", n=size)
    return None

"""Names: comparing people's names, and file names that every system accepts."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

from gamelog.message import Message

_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])[ .]*(\..*)?", re.IGNORECASE)
"""Names that Windows reserves for devices, even with an extension."""

_MAX_NAME_BYTES = 255
"""Maximum length of a file name in bytes on most systems."""


def tidy(name: str) -> str:
    """Return `name` in Unicode's composed form, with single spaces inside and none around it."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def name_key(name: str) -> str:
    """Return the form that all spellings of `name` share: composed, with single spaces, without case."""
    return unicodedata.normalize("NFC", tidy(name).casefold())


def split_name(text: str) -> tuple[str, str | None]:
    """Return name and id from ``Ana <ana@club>``. Without an id in brackets, all of `text` is the name."""
    name, _, rest = text.strip().partition("<")
    id, end, behind = rest.partition(">")
    if end and not behind and ">" not in name and "<" not in id and name.strip() and id.strip():
        return name.strip(), id.strip()
    return text.strip(), None


def file_name_problem(path: str) -> Message | None:
    """Return the message that says why some system does not accept this path, or None."""
    for part in PurePosixPath(path).parts:
        if _DEVICE.fullmatch(part):
            return Message.of('"{=name}" is the name of a device on Windows', name=part[:80])
        if part.strip(".") and part.endswith((".", " ")):
            return Message.of(
                '"{=name}" ends in a full stop or a space, which Windows removes', name=part[:80]
            )
        size = len(part.encode(errors="surrogateescape"))
        if size > _MAX_NAME_BYTES:
            return Message.of("the name has {n} bytes, which is too long", n=size)
    return None

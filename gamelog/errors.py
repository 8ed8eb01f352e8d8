"""All errors that Gamelog raises on purpose, in one class tree.

    GamelogError
    ├── RecordError            the file
    │   ├── NotReadable            missing, a directory, no permission
    │   │   └── ReadFailed             the disk, the network or the store failed; try again
    │   ├── Torn                   the last line has no line end
    │   ├── Damaged                a line does not verify or breaks the format
    │   ├── UnknownFormat          a format version that this release does not read
    │   ├── WriteFailed            the system refused a write; open the record again
    │   ├── Exists                 the file exists and Gamelog does not overwrite it
    │   └── BadSeal                an invalid key or seal
    ├── AppendError            an append that was not recorded
    │   ├── Conflict               new events were recorded first, or the key was used
    │   ├── Locked                 another program holds the lock; try again
    │   └── Refused                the rules forbid the event
    ├── PlayError              the play
    │   ├── UnknownGame            the game, or this version of its rules, is not installed
    │   ├── BrokenGame             an installed game cannot be loaded
    │   ├── BadSetup               the game does not accept the seats, options or board
    │   ├── Endless                a game between bots does not end
    │   └── CannotApply            an illegal event that cannot be carried out
    ├── ArchiveError           the archive: missing, locked, of another version, bad SQL
    └── MissingExtra           an optional package is not installed

Each class has a stable ``code`` that programs may compare, and a message that says what to do.
"""

from __future__ import annotations

from typing import Any

import msgspec

from gamelog.finding import Finding
from gamelog.message import Message, reason_of


class GamelogError(Exception):
    """Base class of all Gamelog errors.

    ``str(error)`` is an English sentence. ``code`` never changes.

    Attributes:
        message: The sentence as a template with arguments (`gamelog.message`), for translation.

    >>> try:
    ...     gamelog.read("evening.txt")
    ... except gamelog.GamelogError as error:
    ...     print(error.code, error)
    record.unreadable evening.txt does not exist.
    """

    code = "gamelog"

    def __init__(self, message: str | Message = "") -> None:
        super().__init__(str(message))
        self.message = message if isinstance(message, Message) else Message(message)

    @property
    def clause(self) -> Message:
        """The sentence without its full stop, for use inside another sentence."""
        return clause(self)


class RecordError(GamelogError):
    """Base class of errors about a record's file."""

    code = "record"


class NotReadable(RecordError):
    """The path cannot be read: it is missing, a directory or forbidden."""

    code = "record.unreadable"


class ReadFailed(NotReadable):
    """The disk, the network or the store failed during reading. The content is unknown."""

    code = "record.read_failed"


class Torn(RecordError):
    """The file ends in the middle of a line: an append that was never confirmed."""

    code = "record.torn"


class Damaged(RecordError):
    """A line does not verify, or the file is not a record."""

    code = "record.damaged"


class UnknownFormat(RecordError):
    """The record has a format version that this release does not read."""

    code = "record.format"


class WriteFailed(RecordError):
    """The system refused a write or a sync. The content after the last good line is unknown."""

    code = "record.write_failed"


class Exists(RecordError):
    """A file of this name exists, and Gamelog never overwrites files."""

    code = "record.exists"


class BadSeal(RecordError):
    """A key or a seal is invalid or was changed."""

    code = "record.seal"


class AppendError(GamelogError):
    """Base class of errors about an append. Nothing was recorded."""

    code = "append"


class Conflict(AppendError):
    """New events were recorded first (``expected``/``found``), or the ``id`` was used for another event."""

    code = "append.conflict"

    def __init__(
        self, message: str | Message, *, expected: int | None = None, found: int | None = None
    ) -> None:
        super().__init__(message)
        self.expected = expected
        self.found = found


class Locked(AppendError):
    """Another writer held the record's lock for too long."""

    code = "append.locked"


class Refused(AppendError):
    """The rules or the engine forbid the event. ``finding`` is the whole `gamelog.Finding`.

    ``proposed`` is the event that was proposed, or its data if they are not an event of the game. It is None
    if a recorded event is the reason.

    >>> record = gamelog.create("evening.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"})
    >>> try:
    ...     record.append({"do": "shout"})
    ... except gamelog.Refused as refused:
    ...     print(refused.finding)
    <Finding play.unknown_event, event 1: SliceWars has no event "shout">
    """

    code = "append.refused"

    def __init__(self, message: str | Message, finding: Finding | None = None, proposed: Any = None) -> None:
        super().__init__(message)
        self.finding, self.proposed = finding, proposed

    def __repr__(self) -> str:
        return f"Refused({str(self)[:80]!r})"


class PlayError(GamelogError):
    """Base class of errors in the play, not in the file."""

    code = "play"


class UnknownGame(PlayError):
    """No game with this id, or with this version of its rules, is installed."""

    code = "play.unknown_game"


class BrokenGame(PlayError):
    """An installed game failed to load. The message quotes the game's own error."""

    code = "play.broken_game"


class BadSetup(PlayError):
    """The game does not accept the seats, the options or the board."""

    code = "play.setup"


class Endless(PlayError):
    """A game between bots did not end within the allowed number of events."""

    code = "play.endless"


class CannotApply(PlayError):
    """An illegal event that cannot even be carried out physically (no such piece, no such place)."""

    code = "play.cannot_apply"


class ArchiveError(GamelogError):
    """The archive cannot be opened, changed or queried."""

    code = "archive"


class MissingExtra(GamelogError):
    """An optional package is not installed."""

    code = "missing_extra"

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            Message.of(
                "{what} needs an optional package: pip install {=command}.",
                what=Message(what),
                command=f"'gamelog[{extra}]'",
            )
        )
        self.extra = extra


def clause(error: Exception) -> Message:
    """Return the message of `error` without its full stop, for use inside another sentence."""
    message = error.message if isinstance(error, GamelogError) else reason_of(error)
    return Message(message.text.rstrip(". "), message.args)


class Stopped(BaseException):
    """Base class of requests to stop a thread. Code of a game does not catch it with ``except Exception``."""


_MAX_CHARACTERS = 200
"""Maximum length of a quoted foreign error message."""


def foreign_error_text(error: BaseException) -> str:
    """Return the type and message of a foreign `error` on one line without a full stop. Never raises."""
    try:
        message = str(error)
    except Exception:  # the code of `__str__` is foreign too
        message = "its message cannot be shown"
    text = " ".join(f"{type(error).__name__}: {message}".encode(errors="backslashreplace").decode().split())
    return text[:_MAX_CHARACTERS].rstrip(".: ")


JSON_ERRORS = (msgspec.DecodeError, RecursionError, UnicodeEncodeError)
"""Errors that decoding foreign text can raise: invalid JSON or a wrong type, deep nesting, or invalid UTF-8.
"""

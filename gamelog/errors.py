"""Every error Gamelog raises on purpose, in one tree.

    GamelogError
    ├── RecordError            the file
    │   ├── NotReadable            missing, a directory, no permission
    │   │   └── ReadFailed             the disk, the network or the store failed; try again
    │   ├── Torn                   the last line has no line end
    │   ├── Damaged                a line does not verify, or breaks the format
    │   ├── UnknownFormat          a format version this release does not read
    │   ├── WriteFailed            the disk refused; the handle is dead
    │   ├── Exists                 a file that would have to be overwritten
    │   └── BadSeal                a key or a seal that is not one
    ├── AppendError            an append that was not taken
    │   ├── Conflict               somebody else wrote first, or the key was used
    │   ├── Locked                 somebody else keeps the lock; try again
    │   └── Refused                the rules forbid the event
    ├── PlayError              the play
    │   ├── UnknownGame            no such game, or not this version of its rules
    │   ├── BrokenGame             an installed game that cannot be loaded
    │   ├── BadSetup               seats, options or board that the game does not accept
    │   ├── Endless                a game between bots that does not end
    │   └── CannotApply            an illegal event that has no physical meaning
    ├── ArchiveError           the archive: missing, locked, of another version, bad SQL
    └── MissingExtra           an optional dependency, named with the command that installs it

Each class has a stable ``code`` that programs may compare, and a message in one
sentence that says what to do.
"""

from __future__ import annotations

import msgspec

from gamelog.finding import Finding
from gamelog.message import Message, reason_of


class GamelogError(Exception):
    """Base class of all Gamelog errors. ``str(error)`` is an English sentence, ``code`` never changes.

    ``said`` is the sentence as a template and its arguments (`gamelog.message`).

    >>> try:
    ...     gamelog.read("evening.txt")
    ... except gamelog.GamelogError as error:
    ...     print(error.code, error)
    record.unreadable evening.txt does not exist.
    """

    code = "gamelog"

    def __init__(self, message: str | Message = "") -> None:
        super().__init__(str(message))
        self.said = message if isinstance(message, Message) else Message(message)

    @property
    def clause(self) -> Message:
        """The sentence without its full stop, to stand within another."""
        return clause(self)


class RecordError(GamelogError):
    """Something about a record's file."""

    code = "record"


class NotReadable(RecordError):
    """The path cannot be read: missing, a directory, or forbidden."""

    code = "record.unreadable"


class ReadFailed(NotReadable):
    """Reading failed on the way: the disk, the network or the store. Nothing is known of the record."""

    code = "record.read_failed"


class Torn(RecordError):
    """The file ends in the middle of a line: an append that was never acknowledged."""

    code = "record.torn"


class Damaged(RecordError):
    """A line that does not verify, or a file that is not a record."""

    code = "record.damaged"


class UnknownFormat(RecordError):
    """A record of a format version that this release does not read."""

    code = "record.format"


class WriteFailed(RecordError):
    """The system refused a write or a sync; what was written after the last good line is unknown."""

    code = "record.write_failed"


class Exists(RecordError):
    """Something of that name is there already, and nothing is ever overwritten."""

    code = "record.exists"


class BadSeal(RecordError):
    """What should be a key or a seal is not one, or one that was changed."""

    code = "record.seal"


class AppendError(GamelogError):
    """An append that was not taken. Nothing was written."""

    code = "append"


class Conflict(AppendError):
    """The record has moved on (``expected``/``found``), or an ``id`` was used for another event."""

    code = "append.conflict"

    def __init__(
        self, message: str | Message, *, expected: int | None = None, found: int | None = None
    ) -> None:
        super().__init__(message)
        self.expected = expected
        self.found = found


class Locked(AppendError):
    """Another writer keeps the record's lock longer than anybody waits."""

    code = "append.locked"


class Refused(AppendError):
    """The rules, or the engine, forbid the event. ``finding`` is the judge's whole `gamelog.Finding`.

    >>> record = gamelog.create("evening.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"})
    >>> try:
    ...     record.append({"do": "shout"})
    ... except gamelog.Refused as refused:
    ...     print(refused.finding)
    <Finding play.unknown_event, event 1: SliceWars has no event "shout">
    """

    code = "append.refused"

    def __init__(self, message: str | Message, finding: Finding | None = None) -> None:
        super().__init__(message)
        self.finding = finding

    def __repr__(self) -> str:
        return f"Refused({str(self)[:80]!r})"


class PlayError(GamelogError):
    """Something about the play rather than the file."""

    code = "play"


class UnknownGame(PlayError):
    """No game of that id, or none with that version of its rules, is installed."""

    code = "play.unknown_game"


class BrokenGame(PlayError):
    """An installed game failed to load; the message quotes its own error."""

    code = "play.broken_game"


class BadSetup(PlayError):
    """Seats, options or a board that the game does not accept."""

    code = "play.setup"


class Endless(PlayError):
    """A game between bots has not ended after as many events as were allowed."""

    code = "play.endless"


class CannotApply(PlayError):
    """An illegal event that cannot even be carried out physically (no such piece, no such place)."""

    code = "play.cannot_apply"


class ArchiveError(GamelogError):
    """The archive cannot be opened, written or asked."""

    code = "archive"


class MissingExtra(GamelogError):
    """An optional dependency is not installed."""

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
    """Return what `error` says, to stand within a sentence: authors of games may end theirs with a "
    "full stop."""
    said = error.said if isinstance(error, GamelogError) else reason_of(error)
    return Message(said.text.rstrip(". "), said.args)


class Stopped(BaseException):
    """Raised in whatever a thread is at, to stop it; no game's code catches it by catching `Exception`."""


_MAX_CHARACTERS = 200
"""Characters that somebody else's error may say of itself."""


def own_words(error: BaseException) -> str:
    """The kind of somebody else's error, and what it says, on one line without its full stop; never fails."""
    try:
        said = str(error)
    except Exception:  # it may be made of anything
        said = "it cannot even say what it is"
    text = " ".join(f"{type(error).__name__}: {said}".encode(errors="backslashreplace").decode().split())
    return text[:_MAX_CHARACTERS].rstrip(".: ")


NO_JSON = (msgspec.DecodeError, RecursionError, UnicodeEncodeError)
"""What decoding a text that somebody gave raises:
it is not JSON or not of that type, is nested too deep, or was not UTF-8.
"""

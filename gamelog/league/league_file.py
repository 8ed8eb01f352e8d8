"""Reading the file of a league. Every error names the line of the file, and what to do."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import msgspec
from msgspec import Struct

from gamelog.errors import ArchiveError, NotReadable
from gamelog.league.model import League
from gamelog.league.shape_problems import shape_problem
from gamelog.league.toml_lines import Place, line_of, syntax_error
from gamelog.league.value_problems import value_problems
from gamelog.message import Message
from gamelog.record.reading import read_bytes

FILE = "league.toml"
"""Name of the file of a league, in the folder of its records."""

_MAX_SIZE = 1 << 20
"""Maximum size of the file, in bytes."""


class LeagueFile(Struct, frozen=True):
    """A league with the file that describes it, for the lines of errors."""

    path: Path
    text: str
    league: League

    def error(self, place: Place, message: Message, word: str = "") -> ArchiveError:
        """Return an error with the line of the value at `place`, or of `word` in it."""
        return _error(self.path, line_of(self.text, place, word), message)


def read_league(path: str | os.PathLike[str]) -> LeagueFile:
    """Return the league in the file at `path`.

    Raises:
        ArchiveError: The file cannot be read, or is wrong at the line that the message names.
    """
    path = Path(path)
    try:
        content = read_bytes(path)
        if len(content) > _MAX_SIZE:
            words = "{=path} is larger than 1 MB, so it is not read as the file of a league."
            raise ArchiveError(Message.of(words, path=str(path)))
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except NotReadable as error:
        raise ArchiveError(error.message) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise _error(path, line, Message.of("This text is not UTF-8. Save the file in UTF-8.")) from None
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line, words = syntax_error(text, error)
        problem = Message.of("This is not valid TOML: {=error}. Correct the line.", error=words)
        raise _error(path, line, problem) from None
    try:
        league = msgspec.convert(data, League, str_keys=True)
    except msgspec.ValidationError as error:
        place, message, word = shape_problem(data, str(error))
        raise _error(path, line_of(text, place, word), message) from None
    file = LeagueFile(path, text, league)
    for place, message, word in value_problems(league):
        raise file.error(place, message, word)
    return file


def _error(path: Path, line: int, message: Message) -> ArchiveError:
    return ArchiveError(
        Message.of("{=path}, line {line}: {problem}", path=str(path), line=line, problem=message)
    )

"""The version of a judge as a text. It contains only what can make two judges judge differently.

A release of Gamelog that judges like the release before does not judge an archive again. Hosts with different
releases do not undo each other's work, because an older judge does not replace the verdict of a newer one.
Versions may not show which of two judges is newer: a game's code changed without a new version, or two
distributions have the game. Then the judge that came to the archive later counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from gamelog.errors import GamelogError
from gamelog.play.contract.registry import entry_point_of, find, registered_names

JUDGE = 1
"""Version of Gamelog's own judge. Increase it when records get other verdicts or other rows than before."""

JUDGE_OF_NONE = str(JUDGE)
"""The judge of records of games that are not installed."""

_VERSION_TEXT = re.compile(
    r"(?P<judge>\d+)( (?P<origin>[^ :]+)(?P<release> [^ :~]+)?(?:~[0-9a-f]+)?: (?P<rules>.*))?"
)

_MAX_FILES = 2_000
"""Largest number of files in a game's package for which the code gets a digest."""


@cache
def judge_versions() -> dict[str, str]:
    """Return the judge of each installed game."""
    ids = {name.partition("@")[0] for name in registered_names()}
    return {game: judge_version_of(game) for game in sorted(ids)}


@cache
def judge_version_of(game: str) -> str:
    """Return the judge of records of `game`.

    It has the version of Gamelog's judge, the game's distribution, and the versions of the rules. If the
    distribution is not Gamelog, its version and a digest of its code are included.
    """
    names = [name for name in registered_names() if name.partition("@")[0] == game]
    if not names:
        return JUDGE_OF_NONE
    try:
        point, current = entry_point_of(game), find(game).rules_version
    except (GamelogError, KeyError):  # the game cannot be loaded
        return JUDGE_OF_NONE
    origin = point.dist.name if point.dist else "?"
    release = (
        f" {point.dist.version}{_code_digest(point.module)}" if point.dist and origin != "gamelog" else ""
    )
    rules = sorted({current, *(name.partition("@")[2] for name in names if "@" in name)}, key=_numbers)
    return f"{JUDGE} {origin}{release}: {', '.join(rules)}"


def _code_digest(module: str) -> str:
    """Return a digest of the package of `module`, because code may change without a new version."""
    spec = find_spec(module.partition(".")[0])
    folders = [Path(folder) for folder in spec.submodule_search_locations or ()] if spec else []
    if spec and spec.origin and not folders:
        folders = [Path(spec.origin)]
    digest = sha256()
    files = [
        (file, folder)
        for folder in folders
        for file in ([folder] if folder.is_file() else sorted(folder.rglob("*")))
    ]
    if len(files) > _MAX_FILES:
        return ""
    for file, folder in files:
        if file.is_file() and file.suffix != ".pyc":
            digest.update(
                f"{file.relative_to(folder).as_posix()}\0".encode() + sha256(file.read_bytes()).digest()
            )
    return f"~{digest.hexdigest()[:8]}"


def is_outdated(recorded: str, current: str, archive_judges: Sequence[str] = ()) -> bool:
    """Return whether the judge `current` judges again after `recorded`: if it has the game and is not older.

    `archive_judges` lists the judges of an archive in the order in which they came to it.
    """
    earlier, present = _VERSION_TEXT.fullmatch(recorded), _VERSION_TEXT.fullmatch(current)
    if recorded == current or present is None:
        return False
    if earlier is None:
        return True
    if not present["origin"] and earlier["origin"]:  # the game is not installed here
        return False
    if int(earlier["judge"]) != int(present["judge"]):
        return int(earlier["judge"]) < int(present["judge"])
    if earlier["origin"] == present["origin"] and _version(earlier) != _version(present):
        return _version(earlier) < _version(present)
    return (
        current not in archive_judges
        or recorded not in archive_judges
        or archive_judges.index(recorded) < archive_judges.index(current)
    )


def has_conflict(recorded: str, current: str) -> bool:
    """Return whether two judges have different code for a game, and no version shows which is newer."""
    earlier, present = _VERSION_TEXT.fullmatch(recorded), _VERSION_TEXT.fullmatch(current)
    if (
        recorded == current
        or not (earlier and present and earlier["origin"] and present["origin"])
        or earlier["judge"] != present["judge"]
    ):
        return False
    return earlier["origin"] != present["origin"] or _version(earlier) == _version(present)


def _version(word: re.Match[str]) -> tuple[list[int], list[list[int]]]:
    """Return a sort key for the judges of one game: the release, then the rules from the newest."""
    return _numbers(word["release"] or ""), [
        _numbers(rules) for rules in reversed((word["rules"] or "").split(", "))
    ]


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]

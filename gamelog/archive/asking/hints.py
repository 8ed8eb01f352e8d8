"""Whoever asks for what is not there is told so, and what there is."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from gamelog.archive.asking.questions import CHOICE

if TYPE_CHECKING:
    import duckdb

_GAMES = "SELECT DISTINCT game FROM games"

ASKED = "FROM games WHERE $game::VARCHAR IS NULL OR game = $game::VARCHAR"
"""The records of the game that is asked for, or all."""

RULES = f"SELECT DISTINCT rules {ASKED}"

_SEATS = f"SELECT DISTINCT players::VARCHAR {ASKED}"

_OPTIONS = f"SELECT DISTINCT unnest(json_keys(options)) {ASKED}"

VALUES = f"SELECT DISTINCT options->>$name {ASKED} AND json_exists(options, $name)"

TAGS = f"SELECT DISTINCT unnest(json_keys(tags)) {ASKED}"

ANY = f"SELECT count(*) FROM picked({', '.join(f'CAST(${one.name} AS {one.type})' for one in CHOICE)})"

THROWERS = ("source", "game", "seat", "player")
"""What tells dice apart beside the tags that records have."""

_SHOWN, _LONG = 4, 20
"""Values that are listed, and the characters of each."""


def unmatched(connection: duckdb.DuckDBPyConnection, chosen: Mapping[str, Any]) -> Iterator[str]:
    """What is asked for that no record here has, in sentences; the parameters `chosen` choose games."""
    said = [*_said(connection, chosen)]
    yield from said
    if not said and any(chosen[name] is not None for name in chosen if name != "variant"):
        ((count,),) = connection.execute(ANY, dict(chosen)).fetchall()
        if not count:
            yield f"No record in the archive is all of this: {_asked(chosen)}."


def _said(connection: duckdb.DuckDBPyConnection, chosen: Mapping[str, Any]) -> Iterator[str]:
    def found(question: str, **more: Any) -> list[str]:
        rows = connection.execute(question, {"game": chosen["game"], **more}).fetchall()
        return sorted(str(value) for (value,) in rows if value is not None)

    game = chosen["game"]
    known = sorted(name for (name,) in connection.execute(_GAMES).fetchall())
    if game is not None and game not in known:
        yield f'There is no record of the game "{game}" in the archive; {hint(game, known)}'
        return
    if chosen["rules"] is not None and chosen["rules"] not in (there := found(RULES)):
        yield f'No game asked for has the rules "{chosen["rules"]}"; {hint(chosen["rules"], there)}'
    if chosen["players"] is not None and str(chosen["players"]) not in (there := found(_SEATS)):
        yield f"No game asked for has {chosen['players']} seats; there are: {first_values(there)}."
    yield from _options(chosen, found(_OPTIONS), lambda name: found(VALUES, name=name))


def _options(chosen: Mapping[str, Any], known: list[str], values: Any) -> Iterator[str]:
    """Which options, and which values of them, no game here has."""
    wanted = json.loads(chosen["option"] or "{}")
    variant = str(chosen["variant"] or "")
    named = {*wanted} | ({variant.removeprefix("option=")} if variant.startswith("option=") else set())
    for name in sorted(named - {*known}):
        yield f'No game asked for has an option "{name}"; {hint(name, known)}'
    for name in sorted(wanted.keys() & {*known}):
        value = wanted[name] if isinstance(wanted[name], str) else json.dumps(wanted[name])
        there = values(name)
        if value not in there and not (value == "null" and wanted[name] is None):
            yield f'No game asked for has the option {name} at "{value}"; {hint(value, there)}'


def unused_tag_hint(
    connection: duckdb.DuckDBPyConnection, chosen: Mapping[str, Any], by: str | None
) -> Iterator[str]:
    """Yield a hint if `by`, which tells dice apart, is a tag that no record here has."""
    if by is not None and by not in THROWERS:
        tags = [tag for (tag,) in connection.execute(TAGS, {"game": chosen["game"]}).fetchall()]
        if by not in tags:
            yield f'No game asked for has a tag "{by}"; {hint(by, sorted({*THROWERS, *tags}))}'


def _asked(chosen: Mapping[str, Any]) -> str:
    """The parameters that are given, as they are."""
    return ", ".join(
        f"{name}={value}" for name, value in chosen.items() if value is not None and name != "variant"
    )


def hint(word: str, known: Collection[str]) -> str:
    """What was meant by `word`, or what there is."""
    near = get_close_matches(word, [*known], n=1)
    if near:
        return f"did you mean {near[0]}?"
    return f"there are: {first_values([*known])}." if known else "there are none."


def first_values(values: list[str]) -> str:
    """The first of some values, cut short."""
    shown = [value if len(value) <= _LONG else value[: _LONG - 1] + "…" for value in values[:_SHOWN]]
    return ", ".join(shown + (["…"] if len(values) > _SHOWN else []))

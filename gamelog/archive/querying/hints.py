"""Hints for a question about games, rules, options or tags that no record has."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from gamelog.archive.querying.questions import PICKED_GAMES

if TYPE_CHECKING:
    import duckdb

_GAMES = "SELECT DISTINCT game FROM games"

_CHOSEN_GAMES = "FROM games WHERE $game::VARCHAR IS NULL OR game = $game::VARCHAR"
"""The records of the chosen game, or of all games."""

_RULES_SQL = f"SELECT DISTINCT rules {_CHOSEN_GAMES}"

_SEATS = f"SELECT DISTINCT players::VARCHAR {_CHOSEN_GAMES}"

_OPTIONS = f"SELECT DISTINCT unnest(json_keys(options)) {_CHOSEN_GAMES}"

_VALUES_SQL = f"SELECT DISTINCT options->>$name {_CHOSEN_GAMES} AND json_exists(options, $name)"

_TAGS_SQL = f"SELECT DISTINCT unnest(json_keys(tags)) {_CHOSEN_GAMES}"

_CHOSEN_COUNT_SQL = f"SELECT count(*) FROM {PICKED_GAMES}"

_THROWERS = ("source", "game", "seat", "player")
"""The values of the parameter ``by`` that are not tags of records."""

_SHOWN, _LONG = 4, 20
"""The number of values in a list, and the number of characters of each."""


def unmatched_choices(connection: duckdb.DuckDBPyConnection, chosen: Mapping[str, Any]) -> Iterator[str]:
    """Yield a hint on each of the parameters `chosen` that matches no record, or on all of them together."""
    hints = [*_unmatched_parameters(connection, chosen)]
    yield from hints
    if not hints and any(chosen[name] is not None for name in chosen if name != "variant"):
        ((count,),) = connection.execute(_CHOSEN_COUNT_SQL, dict(chosen)).fetchall()
        if not count:
            yield f"No record in the archive matches all of these: {_given_parameters(chosen)}."


def _unmatched_parameters(connection: duckdb.DuckDBPyConnection, chosen: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each chosen value that no record has, with the values to choose from."""

    def read(question: str, **more: Any) -> list[str]:
        rows = connection.execute(question, {"game": chosen["game"], **more}).fetchall()
        return sorted(str(value) for (value,) in rows if value is not None)

    game = chosen["game"]
    games = sorted(name for (name,) in connection.execute(_GAMES).fetchall())
    if game is not None and game not in games:
        yield f'The archive has no record of the game "{game}". {suggest(game, games)}'
        return
    if chosen["rules"] is not None and chosen["rules"] not in (known := read(_RULES_SQL)):
        yield f'No chosen game has the rules "{chosen["rules"]}". {suggest(chosen["rules"], known)}'
    if chosen["players"] is not None and str(chosen["players"]) not in (known := read(_SEATS)):
        yield f"No chosen game has {chosen['players']} seats. {_choose_from(known)}"
    yield from _unmatched_options(chosen, read(_OPTIONS), lambda name: read(_VALUES_SQL, name=name))


def _unmatched_options(chosen: Mapping[str, Any], known: list[str], values: Any) -> Iterator[str]:
    """Yield a hint on each chosen option, or value of an option, that no game has."""
    chosen_options = json.loads(chosen["option"] or "{}")
    variant = str(chosen["variant"] or "")
    option_names = {*chosen_options} | (
        {variant.removeprefix("option=")} if variant.startswith("option=") else set()
    )
    for name in sorted(option_names - {*known}):
        yield f'No chosen game has an option "{name}". {suggest(name, known)}'
    for name in sorted(chosen_options.keys() & {*known}):
        option = chosen_options[name]
        value = option if isinstance(option, str) else json.dumps(option)
        known_values = values(name)
        if value not in known_values and not (value == "null" and option is None):
            hint = suggest(value, known_values)
            yield f'No chosen game has the value "{value}" of the option {name}. {hint}'


def unused_tag_hint(
    connection: duckdb.DuckDBPyConnection, chosen: Mapping[str, Any], by: str | None
) -> Iterator[str]:
    """Yield a hint if the value `by`, which divides dice into rows, is a tag that no record has."""
    if by is not None and by not in _THROWERS:
        tags = [tag for (tag,) in connection.execute(_TAGS_SQL, {"game": chosen["game"]}).fetchall()]
        if by not in tags:
            yield f'No chosen game has a tag "{by}". {suggest(by, sorted({*_THROWERS, *tags}))}'


def _given_parameters(chosen: Mapping[str, Any]) -> str:
    """Return the parameters that have a value, as the user writes them."""
    return ", ".join(
        f"{name}={value}" for name, value in chosen.items() if value is not None and name != "variant"
    )


def suggest(word: str, known: Collection[str]) -> str:
    """Return a sentence with the known word most like `word`, or with the first known words."""
    matches = get_close_matches(word, [*known], n=1)
    return f"Did you mean {matches[0]}?" if matches else _choose_from([*known])


def _choose_from(known: list[str]) -> str:
    return f"Choose from: {first_values(known)}." if known else "There is nothing to choose from."


def first_values(values: list[str]) -> str:
    """Return the first few values as a list in one line, long values cut."""
    shown = [value if len(value) <= _LONG else value[: _LONG - 1] + "…" for value in values[:_SHOWN]]
    return ", ".join(shown + (["…"] if len(values) > _SHOWN else []))

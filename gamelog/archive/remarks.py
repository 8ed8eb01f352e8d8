"""What has to be said beside the answer to a stock question: which games it takes together, and which it leaves out."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from gamelog.archive.stock import CHOICE, Question
from gamelog.archive.store import FORK

if TYPE_CHECKING:
    import duckdb

PICKED = f"picked({', '.join(f'CAST(${one.name} AS {one.type})' for one in CHOICE)})"

SETUPS = f"SELECT DISTINCT game, rules, options FROM {PICKED} WHERE counted OR $uncounted::BOOLEAN LIMIT 1000"
"""By which rules and with which options the games were played; so many ways are enough to say that there are several."""

OPTIONS = "SELECT DISTINCT unnest(json_keys(options)) FROM games WHERE $game::VARCHAR IS NULL OR game = $game::VARCHAR"
"""The names of all options."""

LEFT_OUT = f"""
SELECT count(copy_of), count(*) FILTER (id IN (SELECT id FROM findings WHERE code = '{FORK}')) FROM {PICKED}
"""

TOLD = 3
"""Options that are named, the others are counted."""


def remarks(connection: duckdb.DuckDBPyConnection, question: Question, values: Mapping[str, Any]) -> tuple[str, ...]:
    """The sentences about a question that is asked with all these `values`."""
    if "option" not in values:
        return ()
    chosen = {parameter.name: values[parameter.name] for parameter in CHOICE}
    told = [*_unknown(connection, chosen)]
    if "uncounted" not in values:
        return tuple(told)
    if question.groups:
        told += _together(connection.execute(SETUPS, {**chosen, "uncounted": values["uncounted"]}).fetchall(), chosen)
    if str(values["uncounted"]).lower() in ("false", "0", "none"):
        told += left_out(*connection.execute(LEFT_OUT, chosen).fetchall()[0])
    return tuple(told)


def _unknown(connection: duckdb.DuckDBPyConnection, chosen: Mapping[str, Any]) -> Iterator[str]:
    """Which options are asked for that no game here has."""
    named = {*json.loads(chosen["option"] or "{}")}
    variant = str(chosen["variant"] or "")
    if variant.startswith("option="):
        named.add(variant.removeprefix("option="))
    if named:
        known = {name for (name,) in connection.execute(OPTIONS, {"game": chosen["game"]}).fetchall()}
        for name in sorted(named - known):
            near = get_close_matches(name, sorted(known), n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {_listed(sorted(known))}." if known else "there are none."
            yield f'No game asked for has an option "{name}"; {hint}'


def _together(setups: list[tuple[str, str, str]], chosen: Mapping[str, Any]) -> Iterator[str]:
    """Of which games several versions of the rules, or several values of an option, are taken together."""
    games: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for game, rules, options in setups:
        games[game]["rules"].add(rules)
        for name, value in json.loads(options).items():
            games[game][f"option={name}"].add(value if isinstance(value, str) else json.dumps(value))
    for game, members in sorted(games.items()):
        several = {name: sorted(found) for name, found in members.items() if len(found) > 1 and name != chosen["variant"]}
        if several:
            named = [f"{name.replace('=', ' ')} ({_listed(found)})" for name, found in list(several.items())[:TOLD]]
            more = [f"{len(several) - TOLD} more"] if several.keys() - list(several)[:TOLD] else []
            first = next(iter(several))
            yield (
                f"{game}: games that differ in {'; '.join(named + more)} are taken together; "
                f"--by {first} gives a row for each, --set {first}={several[first][0]} only one."
            )


def _listed(values: list[str]) -> str:
    shown = [value if len(value) <= 20 else value[:19] + "…" for value in values[:4]]
    return ", ".join(shown + (["…"] if len(values) > 4 else []))


def left_out(copies: int, forks: int) -> Iterator[str]:
    """What is said of records that do not count because they are there more than once."""
    if copies:
        what = (
            "1 record is a copy of another and does not" if copies == 1 else f"{copies:,} records are copies of others and do not"
        )
        yield f"{what} count; gamelog query copies shows which."
    if forks:
        what = "1 record does" if forks == 1 else f"{forks:,} records do"
        yield f"{what} not count because two files of one id differ, and neither extends the other; see gamelog query findings."

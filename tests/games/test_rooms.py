"""The modules of the five games have the same names, the same order, and the same tables for check and apply."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from gamelog.play.contract.registry import find, names
from gamelog.record.envelope import tag_of
from tests.sources import parse

GAMES = Path(import_module("gamelog.games").__file__ or "").parent

ROOMS = {
    *("__init__", "board", "bots", "choices", "declare", "due", "effects"),
    *("events", "features", "reducer", "rules", "scene", "state", "strong", "victory"),
}
"""Modules that every game has."""

MORE: dict[str, set[str]] = {
    "dice_flags": {
        "army",
        "battle",
        "distances",
        "landing",
        "moves",
        "shorthand",
        "taps",
        "turns",
        "walks",
    },
    "gp02a_territory": {"chips", "room", "scoring", "tables", "trades", "turns"},
    "slicewars": {"land", "turns"},
    "zone_control": {"taps", "zones"},
    "zone_s": {"abilities", "determinise", "moves", "roster", "screen"},
}
"""By game: its other modules."""

ALIKE = {"moves", "taps", "turns"}
"""Names that mean the same in each game: moves, taps, turns."""


def room(game: str, name: str) -> Any:
    return import_module(f"gamelog.games.{game}.{name}")


def functions(game: str, name: str) -> list[str]:
    """Return the functions of a module, in order."""
    tree = parse(GAMES / game / f"{name}.py")
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


def test_every_game_is_listed_here() -> None:
    assert set(MORE) == set(names()) == {path.parent.name for path in GAMES.glob("*/RULES.md")}


@pytest.mark.parametrize("game", MORE)
def test_the_modules_of_all_games_have_the_same_names(game: str) -> None:
    assert {path.stem for path in (GAMES / game).glob("*.py")} == ROOMS | MORE[game]
    shared = [
        name for name in MORE[game] if any(name in more for other, more in MORE.items() if other != game)
    ]
    assert set(shared) <= ALIKE, "two games have a module of this name: add its meaning to ALIKE"


@pytest.mark.parametrize("game", MORE)
@pytest.mark.parametrize(
    ("name", "verb", "table"), [("rules", "check", "CHECKS"), ("reducer", "apply", "APPLY")]
)
def test_every_kind_of_event_has_its_function_in_the_order_of_kinds(
    game: str, name: str, verb: str, table: str
) -> None:
    events = find(game).events
    handlers = getattr(room(game, name), table)
    assert tuple(handlers) == events, "the order of `events.EVENTS`, and none forgotten"
    order = functions(game, name)
    assert order[0] == verb
    own = [
        handler.__name__
        for handler in handlers.values()
        if handler.__module__ == f"gamelog.games.{game}.{name}"
    ]
    assert own == [one for one in order if one in own], "functions must be in the order of their events"
    for kind, handler in handlers.items():
        assert handler.__module__ != f"gamelog.games.{game}.{name}" or handler.__name__ in (
            f"_{tag_of(kind)}",
            "_claim",
        )


@pytest.mark.parametrize("game", MORE)
def test_every_phase_and_every_end_names_its_rule(game: str) -> None:
    due, phases = room(game, "due"), room(game, "state").Phase
    assert {*due.DUE, "over"} == set(phases.__args__)
    assert {"pending", "remaining_text", "turn_refusal", "not_due", "out_of_turn"} <= set(
        functions(game, "due")
    )
    rules = find(game).rules()
    assert all(
        f"**{rule}**" in rules for rule in [*due.ENDED_BY.values(), *(rule for rule, _ in due.DUE.values())]
    )


@pytest.mark.parametrize("game", MORE)
def test_orderless_members_are_members_of_events(game: str) -> None:
    loose = getattr(room(game, "events"), "ORDERLESS", {})
    assert all(
        kind in find(game).events and set(members) <= set(kind.__struct_fields__)
        for kind, members in loose.items()
    )


@pytest.mark.parametrize("game", MORE)
def test_games_import_only_from_gamelog_game_and_the_kit(game: str) -> None:
    for path in (GAMES / game).glob("*.py"):
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gamelog"):
                module = node.module or ""
                allowed = module == "gamelog.game" or module.startswith(
                    ("gamelog.games.kit", f"gamelog.games.{game}")
                )
                assert allowed or (path.name, module) == ("events.py", "gamelog.record"), (path.name, module)

"""Whole games, boards and rosters of Zone S for the tests."""

from __future__ import annotations

from typing import Any

from gamelog.games.kit.data import board_file
from gamelog.games.zone_s import GAME as ZONE_S
from gamelog.games.zone_s import board, roster
from gamelog.games.zone_s.state import Options, State, start
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.series import simulate_game
from gamelog.testing.plays import Play
from tests.games.zone_s.arrange import arrange
from tests.games.zone_s.reference import Reference

GAME: AnyGame = ZONE_S
"""The game, with event types as loose as in whole plays."""

KINDS: dict[str, Any] = roster.read_built_in("core")["kinds"]

STRANGE: dict[str, Any] = {
    "name": "strange",
    "remark": "Every special on the other side, ranges, walls, and a kind without any terrain.",
    "kinds": {
        "HO": {"name": "Hopper", "side": "dominion", "count": 2, "cost": 7, "course": "orthogonal", "special": "leaps_to_hills"},
        "ME": {"name": "Medic", "side": "dominion", "count": 2, "cost": 6, "course": "any", "range": 2, "preferred": "fields",
               "special": "returns_infantry"},
        "WO": {"name": "Woodsman", "side": "dominion", "count": 3, "cost": 3, "course": "diagonal", "preferred": "forest",
               "difficult": "hills", "restricted": "water", "special": "comes_from_forest"},
        "GH": {"name": "Ghost", "side": "dominion", "count": 1, "cost": 1, "type": "monster", "course": "any", "range": 3,
               "special": "passes_enemy"},
        "WL": {"name": "Wall", "side": "dominion", "count": 2, "cost": 2, "type": "fortification", "preferred": "hills"},
        "BO": {"name": "Bow", "side": "separatists", "count": 3, "cost": 4, "course": "orthogonal", "range": 1,
               "preferred": "hills", "special": "shoots"},
        "PH": {"name": "Phalanx", "side": "separatists", "count": 4, "cost": 4, "course": "any", "difficult": "fields",
               "restricted": "hills", "special": "joins_kind"},
        "SH": {"name": "Shield", "side": "separatists", "count": 2, "cost": 5, "course": "diagonal", "preferred": "water",
               "special": "shelters"},
        "BR": {"name": "Brute", "side": "separatists", "count": 2, "cost": 9, "type": "monster", "course": "any",
               "difficult": "forest", "special": "counts_double"},
        "TO": {"name": "Tower", "side": "separatists", "count": 1, "cost": 3, "type": "fortification", "preferred": "forest",
               "special": "shoots"},
    },
}  # fmt: skip

NARROW: dict[str, Any] = {
    "name": "narrow",
    "remark": "For tests.",
    "rows": ["-sss-", "ss-ss", "dd-dd", "-ddd-"],
}
NARROW_TILES = {"fields": 3, "forest": 3, "hills": 3, "water": 3}

SWITCHES: list[dict[str, Any]] = [
    {},
    {"swordsman_only_isolated": True},
    {"summon_destroys": True},
    {"shared_home_counts": False},
    {"tile_counts": {"fields": 18, "hills": 18}},
    {"repetitions": 2, "max_quiet": 10},
    {"max_actions": 25},
    {"roster": STRANGE},
    {
        "roster": STRANGE,
        "summon_destroys": True,
        "shared_home_counts": False,
        "swordsman_only_isolated": True,
    },
]


def play(index: int, bot: str = "random", on: dict[str, Any] | None = None, **options: Any) -> Play:
    """Return game `index` of a series with the same bot at both seats."""
    header, events = simulate_game(
        GAME, "zone_s", index, players=2, bots=(bot,), options=options, board=on, dice="table"
    )
    fold = Fold(header, GAME)
    failure = fold.extend(events)
    assert failure is None, failure
    return Play(GAME, header, events, fold.states)


def begin(**options: Any) -> State:
    """Return the start of a game on the board `zs38`."""
    return start(
        Options(**options), board.read_board(board_file("gamelog.games.zone_s", "zs38")), board.SIDES
    )


def given(words: dict[str, Any], **options: Any) -> State:
    """Return a position from words."""
    return arrange(begin(**options), words)


def reference(state: State) -> Reference:
    """Return the oracle for the game of `state`."""
    options, layout = state.setup.options, state.setup.board
    rows = [
        "".join("ds-"[half] for half in layout.halves[row * layout.columns : (row + 1) * layout.columns])
        for row in reversed(range(layout.rows))
    ]
    kinds = options.roster["kinds"] if isinstance(options.roster, dict) else KINDS
    return Reference(
        rows,
        kinds,
        summon_destroys=options.summon_destroys,
        shared_home_counts=options.shared_home_counts,
        swordsman_only_isolated=options.swordsman_only_isolated,
    )

"""The sample records of Zone S: whole games, illegal events and damage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import structs

from gamelog.games.zone_s.abilities import is_protected, supporters
from gamelog.games.zone_s.events import Move, Summon
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.common_events import Clock, Note, Resign, Result, Takeback
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event
from tests.samples.making import Table, ends_by, flipped, reaches, search, torn

GAME = "zone_s"
DUEL: dict[str, Any] = {
    "name": "duel",
    "remark": "Three pieces a side, for a short evening. Invented.",
    "kinds": {
        "KN": {
            "name": "Knight",
            "side": "dominion",
            "count": 2,
            "cost": 6,
            "course": "any",
            "restricted": "water",
        },
        "FO": {
            "name": "Fort",
            "side": "dominion",
            "count": 1,
            "cost": 3,
            "type": "fortification",
            "preferred": "hills",
        },
        "OG": {
            "name": "Ogre",
            "side": "separatists",
            "count": 3,
            "cost": 5,
            "type": "monster",
            "course": "any",
            "range": 2,
        },
    },
}

SIEGE: dict[str, Any] = {
    "name": "siege",
    "remark": "Walls against walls: nobody moves, and so nobody wins. Invented.",
    "kinds": {
        "DW": {
            "name": "Dam",
            "side": "dominion",
            "count": 4,
            "cost": 5,
            "type": "fortification",
            "preferred": "water",
        },
        "SW": {
            "name": "Stockade",
            "side": "separatists",
            "count": 4,
            "cost": 5,
            "type": "fortification",
            "preferred": "forest",
        },
    },
}


def records() -> dict[str, bytes]:
    """Return all samples by name."""
    return {
        "short": _opening("short").bytes(),
        "full-2": _full("full-2").bytes(),
        "seeded": _full("seeded", seeded=True).bytes(),
        "roster": _full("roster", roster=DUEL, swordsman_only_isolated=True, summon_destroys=True).bytes(),
        "ended-base": _ended("base", "greedy").bytes(),
        "ended-passes": _ended("passes", "random", roster=SIEGE).bytes(),
        "ended-repetition": _ended("repetition", "greedy").bytes(),
        "ended-quiet": _ended("quiet", "random", max_quiet=20).bytes(),
        "ended-limit": _ended("limit", "random", max_actions=20).bytes(),
        "resigned": _begun("resigned").add(Resign(0, 0, "separatists")).bytes(),
        "takeback": _takeback().bytes(),
        "illegal-line": _illegal("illegal-line", _crooked).bytes(),
        "illegal-summons": _illegal("illegal-summons", _far_from_home).bytes(),
        "illegal-turn": _illegal("illegal-turn", _again).bytes(),
        "illegal-protected": _as_played("illegal-protected", marked=False).bytes(),
        "as_played": _as_played("as_played", marked=True).bytes(),
        "torn": torn(_opening("torn").bytes()),
        "bit-flipped": flipped(_opening("bit-flipped").bytes(), 30),
    }


def _opening(name: str) -> Table:
    """Play the bases and the first tiles behind the screen."""
    table = Table(GAME, name, 2)
    return table.play(table.bots("strong"), reaches(32))


def _begun(name: str, **options: Any) -> Table:
    """Play a game with some actions."""
    table = Table(GAME, name, 2, **options)
    return table.play(table.bots("random"), lambda fold: fold.state.actions >= 6)


def _full(name: str, **options: Any) -> Table:
    table = Table(GAME, name, 2, **options)
    table.play(table.bots("strong", "greedy"), lambda fold: fold.state.phase == "play")
    table.add(Note(0, 0, "table", "Photographs of the board before the first action."))
    table.add(Clock(0, 0, "table", running=False)).add(Clock(0, 0, "table", running=True))
    table.play(table.bots("strong"))
    assert table.fold.outcome is not None
    return table.add(Result(0, 0, "table", table.fold.outcome))


def _ended(reason: str, bot: str, **options: Any) -> Table:
    def make(index: int) -> Table:
        table = Table(GAME, f"ended-{reason}-{index}", 2, **options)
        return table.play(table.bots(bot))

    return search(400, make, ends_by(reason))


def _takeback() -> Table:
    table = _begun("takeback")
    n = table.fold.n
    table.play(table.bots("random"), reaches(n + 1))
    table.add(Takeback(0, 0, "table", to=n, reason="the hand was still on the piece"))
    return table.play(table.bots("strong"), lambda fold: fold.outcome is not None)


def _illegal(name: str, wrong: Callable[[Fold], Event]) -> Table:
    """Add an illegal event without a mark."""
    table = _begun(name)
    return table.add(wrong(table.fold), judged=False)


def _crooked(fold: Fold) -> Move:
    """Return a move that is not along a line."""
    state = fold.state
    board, sides = state.setup.board, state.setup.roster.sides
    src = next(at for at, code in enumerate(state.pieces) if sides[code] == state.actor)
    dst = next(
        at for name, at in board.index.items() if not board.courses[src * board.size + at] and at != src
    )
    return Move(0, 0, state.setup.seats[state.actor], board.names[src], board.names[dst])


def _far_from_home(fold: Fold) -> Summon:
    """Return a summons next to the enemy's base, of a piece without such a special."""
    state = fold.state
    kind = {0: "SW", 1: "TW"}[state.actor]
    board, base, own = state.setup.board, state.bases[1 - state.actor], state.bases[state.actor]
    at = next(at for at in board.neighbours[base] if not state.pieces[at] and own not in board.neighbours[at])
    return Summon(0, 0, state.setup.seats[state.actor], kind, board.names[at])


def _again(fold: Fold) -> Event:
    """Return a second action of the side that has just acted."""
    state = fold.state
    return legal_for(fold.game, structs.replace(state, actor=1 - state.actor), None).events[0]


def _as_played(name: str, marked: bool) -> Table:
    """Play a capture of a protected piece without support; it is marked, and the game continues."""

    def make(index: int) -> Table:
        table = Table(GAME, f"{name}-{index}", 2)
        return table.play(
            table.bots("random"), lambda fold: fold.outcome is not None or _unsupported(fold) is not None
        )

    table = search(100, make, lambda table: table.fold.outcome is None)
    event = _unsupported(table.fold)
    assert event is not None
    if not marked:
        return table.add(event, judged=False)
    table.add(structs.replace(event, as_played=True))
    table.play(table.bots("strong"))
    assert table.fold.outcome is not None
    return table.add(Result(0, 0, "table", table.fold.outcome))


def _unsupported(fold: Fold) -> Move | None:
    """Return a capture that only the protection of the target forbids."""
    state = fold.state
    if state.phase != "play":
        return None
    setup = state.setup
    board, kinds = setup.board, setup.roster.kinds
    for src, code in enumerate(state.pieces):
        kind = kinds[code]
        if kind.side == state.actor and kind.special != "counts_double":
            for dst in board.neighbours[src]:
                enemy = setup.roster.sides[state.pieces[dst]] == 1 - state.actor
                fits = (
                    board.courses[src * board.size + dst] & kind.course
                    and state.terrain[dst] != kind.restricted
                )
                if enemy and fits and is_protected(state, dst) and not supporters(state, src, dst):
                    return Move(0, 0, setup.seats[state.actor], board.names[src], board.names[dst])
    return None

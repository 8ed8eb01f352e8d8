"""The sample records of Dice: whole games, illegal events and damage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamelog.games.dice_flags.events import Move, Roll
from gamelog.games.dice_flags.state import State
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.common_events import Clock, Note, Resign, Result, Substitute, Takeback
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event
from tests.samples.making import Table, ends_by, flipped, reaches, search, torn

GAME = "dice_flags"

VARIANTS = {"free_deployment": True, "extra_flags": True, "tie": "standoff", "carry_limit": 2}


def records() -> dict[str, bytes]:
    """Return all samples by name."""
    return {
        "short": _opening("short").bytes(),
        "full-2": _full("full-2", 2).bytes(),
        "full-3": _full("full-3", 3, max_rounds=30).bytes(),
        "full-4": _full("full-4", 4, max_rounds=20).bytes(),
        "seeded": _full("seeded", 2, seeded=True, max_rounds=20).bytes(),
        "df221": _full("df221", 2, board="df221", max_rounds=20).bytes(),
        "variants": _full("variants", 3, max_rounds=15, **VARIANTS).bytes(),
        "ended-flags": _ended_by_flags().bytes(),
        "ended-rounds": _full("ended-rounds", 2, max_rounds=5).bytes(),
        "ended-quiet": _full("ended-quiet", 4, quiet_rounds=2).bytes(),
        "ended-surrender": _surrender("ended-surrender", ("east", "north")).bytes(),
        "resigned": _surrender("resigned", ("east",)).bytes(),
        "takeback": _takeback().bytes(),
        "illegal-turn": _on_the_move("illegal-turn", _out_of_turn),
        "illegal-corner": _on_the_move("illegal-corner", _across_a_corner),
        "illegal-own-man": _on_the_move("illegal-own-man", _onto_his_own),
        "illegal-dice": _illegal_dice().bytes(),
        "as_played": _as_played().bytes(),
        "torn": torn(_opening("torn").bytes()),
        "bit-flipped": flipped(_opening("bit-flipped").bytes(), 9),
    }


def _opening(name: str) -> Table:
    table = Table(GAME, name, 2)
    return table.play(table.bots("strong", "greedy"), reaches(36))


def _full(name: str, players: int, **options: Any) -> Table:
    table = Table(GAME, name, players, **options)
    table.play(table.bots("strong", "greedy"), reaches(20))
    table.add(Note(0, 0, "table", "Coffee break after this one."))
    table.add(Clock(0, 0, "table", running=False)).add(Clock(0, 0, "table", running=True))
    table.add(Substitute(0, 0, "table", table.header.seat_ids[1], "Omar", person="omar@club"))
    table.play(table.bots("strong", "greedy"))
    assert table.fold.outcome is not None
    return table.add(Result(0, 0, "table", table.fold.outcome))


def _ended_by_flags() -> Table:
    """Return the first of many games that is won by flags within a number of events."""

    def make(index: int) -> Table:
        table = Table(GAME, f"ended-flags-{index}", 2)
        return table.play(table.bots("strong"), reaches(280))

    return search(200, make, ends_by("flags"))


def _rolls_from(n: int) -> Callable[[Fold], bool]:
    """Return a test for dice that are due at event `n` or later."""
    return lambda fold: fold.n >= n and fold.state.phase == "roll"


def _surrender(name: str, who: tuple[str, ...]) -> Table:
    table = Table(GAME, name, 3, max_rounds=12)
    for at, seat in enumerate(who, 1):
        table.play(table.bots("greedy"), _rolls_from(40 * at))
        table.add(Resign(0, 0, seat))
    return table.play(table.bots("greedy"))


def _takeback() -> Table:
    """Play a move of the wrong soldier that is taken back after the next general's dice have fallen."""
    table = Table(GAME, "takeback", 2)
    table.play(
        table.bots("strong"),
        lambda fold: fold.n > 30 and fold.state.phase == "act" and len(fold.state.dice) == 2,
    )
    before = table.fold.n
    table.play(table.bots("strong"), reaches(before + 3))
    table.add(Takeback(0, 0, "table", to=before, reason="the wrong man was moved"))
    return table.play(table.bots("random"), reaches(table.fold.n + 40))


def _acting(fold: Fold) -> bool:
    return fold.n > 20 and fold.state.phase == "act" and fold.state.attack is None


def _on_the_move(name: str, wrong: Callable[[Fold], Event | None]) -> bytes:
    """Add an illegal move at the first opportunity."""
    table = Table(GAME, name, 2)
    table.play(table.bots("strong"), lambda fold: _acting(fold) and wrong(fold) is not None)
    event = wrong(table.fold)
    assert event is not None
    return table.add(event, judged=False).bytes()


def _moves(fold: Fold) -> list[Move]:
    return [event for event in legal_for(fold.game, fold.state, None).events if isinstance(event, Move)]


def _out_of_turn(fold: Fold) -> Event:
    move = _moves(fold)[0]
    other = next(seat for seat in fold.header.seat_ids if seat != move.by)
    return Move(0, 0, other, move.soldier, move.die, move.path)


def _across_a_corner(fold: Fold) -> Event | None:
    """Return a move whose last step goes to a square that touches only at a corner."""
    state: State = fold.state
    board = state.setup.board
    for move in _moves(fold):
        if move.die == 2:
            corner = board.places[board.index[move.path[0]]]
            for at, (x, y) in enumerate(board.places):
                if (abs(corner[0] - x), abs(corner[1] - y)) == (1, 1):
                    return Move(0, 0, move.by, move.soldier, move.die, (move.path[0], board.names[at]))
    return None


def _onto_his_own(fold: Fold) -> Event | None:
    """Return a count that is illegal only because a soldier of the same army is at its end."""
    state: State = fold.state
    board = state.setup.board
    army = state.setup.seats.index(fold.pending.by[0]) * 12
    men = {
        board.names[at]: soldier
        for soldier, at in enumerate(state.places[army : army + 12], army)
        if at < len(board.names)
    }
    for move in _moves(fold):
        last = move.path[-2] if move.die > 1 else None
        for at in board.neighbours[board.index[last]] if last else ():
            path = (*move.path[:-1], board.names[at])
            found = fold.game.check(state, Move(0, 0, move.by, move.soldier, move.die, path))
            if board.names[at] in men and found and found.rule == "DF-8":
                return Move(0, 0, move.by, move.soldier, move.die, path)
    return None


def _illegal_dice() -> Table:
    table = Table(GAME, "illegal-dice", 2)
    table.play(table.bots("strong"), _rolls_from(21))
    owed = table.fold.game.pending(table.fold.state).chance
    assert owed is not None
    return table.add(Roll(0, 0, owed.by, (6, 7)), judged=False)


def _as_played() -> Table:
    """Play a game in which a soldier moves one space too far, and no player notices."""
    table = Table(GAME, "as_played", 2, max_rounds=12)
    table.play(table.bots("strong"), _acting)
    move = next(move for move in _moves(table.fold) if move.die > 1)
    shorter = next(
        other for other in _moves(table.fold) if other.soldier == move.soldier and other.path != move.path
    )
    path = move.path if move.die != shorter.die else move.path[:-1]
    table.add(Move(0, 0, move.by, move.soldier, shorter.die, path, as_played=True))
    table.play(table.bots("strong"))
    assert table.fold.outcome is not None
    return table.add(Result(0, 0, "table", table.fold.outcome))

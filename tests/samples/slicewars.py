"""The sample records of SliceWars: whole games, illegal events and damage."""

from __future__ import annotations

from typing import Any

from gamelog.games.slicewars.events import Attack, ClaimLand, Pass
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.common_events import Clock, Note, Result, Substitute, Takeback
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event
from tests.samples.making import Table, ends_by, flipped, forged, reaches, reordered, search, spliced, torn

GAME = "slicewars"


def records() -> dict[str, bytes]:
    """Return all samples by name."""
    full = {players: _full(f"full-{players}", players) for players in (2, 3, 4)}
    two = full[2].bytes()
    signed = _signed("signed").bytes()
    return {
        "short": _opening("short").bytes(),
        **{f"full-{players}": table.bytes() for players, table in full.items()},
        "seeded": _full("seeded", 2, seeded=True).bytes(),
        "hex36": _full("hex36", 2, board="hex36", extra_ownerless=12).bytes(),
        "ended-all": _ended("all", "greedy").bytes(),
        "ended-majority_full": _ended("majority_full", "random").bytes(),
        "ended-all_full": Table(GAME, "ended-all_full", 3).play(_passive).bytes(),
        "ended-guard": _guarded().bytes(),
        "resigned": _resigned().bytes(),
        "committed": _signed("committed", committed=True).bytes(),
        "signed": signed,
        "signed-forged": forged(signed, b'"attack":[6,1,6', b'"attack":[6,6,6'),
        "takeback": _takeback().bytes(),
        "illegal-reach": _attack("illegal-reach").bytes(),
        "illegal-turn": _opening("illegal-turn").add(ClaimLand(0, 0, "red", "I6"), judged=False).bytes(),
        "illegal-taken": _opening("illegal-taken").add(_claimed_again(), judged=False).bytes(),
        "as_played": _as_played().bytes(),
        "torn": torn(_opening("torn").bytes()),
        "bit-flipped": flipped(_opening("bit-flipped").bytes(), 9),
        "reordered": reordered(_opening("reordered").bytes(), 12),
        "spliced": spliced(two, _full("spliced", 2).bytes(), 100),
    }


def _opening(name: str) -> Table:
    table = Table(GAME, name, 2)
    return table.play(table.bots("greedy"), reaches(25))


def _signed(name: str, **dice: Any) -> Table:
    """Play an opening up to the second battle, signed by both players."""
    table = Table(GAME, name, 2, keyed=True, **dice)
    table.play(table.bots("greedy"), lambda fold: fold.chance_count == 3)
    return table.sign("red").sign("blue")


def _full(name: str, players: int, **options: Any) -> Table:
    table = Table(GAME, name, players, **options)
    table.play(table.bots("greedy", "random"), reaches(60))
    table.add(Note(0, 0, "table", "Coffee break after this one."))
    table.add(Clock(0, 0, "table", running=False)).add(Clock(0, 0, "table", running=True))
    table.add(Substitute(0, 0, "table", "blue", "Omar", person="omar@club"))
    table.play(table.bots("greedy", "random"))
    assert table.fold.outcome is not None
    return table.add(Result(0, 0, "table", table.fold.outcome))


def _ended(reason: str, bot: str) -> Table:
    def make(index: int) -> Table:
        table = Table(GAME, f"ended-{reason}-{index}", 2)
        return table.play(table.bots(bot))

    return search(60, make, ends_by(reason))


def _passive(fold: Fold, _seat: str) -> Event:
    """Return a decision that is not an attack."""
    legal = legal_for(fold.game, fold.state, None).events
    return next((event for event in legal if isinstance(event, Pass)), legal[0])


def _guarded() -> Table:
    table = Table(GAME, "ended-guard", 2, max_rounds=1)
    return table.play(table.bots("random"))


def _resigned() -> Table:
    from gamelog.play.fold.common_events import Resign

    table = Table(GAME, "resigned", 2)
    table.play(table.bots("greedy"), lambda fold: fold.state.round == 2 and fold.state.phase == "attack")
    return table.add(Resign(0, 0, "blue"))


def _takeback() -> Table:
    table = Table(GAME, "takeback", 2)
    table.play(table.bots("greedy"), lambda fold: fold.state.phase == "battle")
    table.play(table.bots("greedy"), reaches(table.fold.n + 1))
    table.add(Takeback(0, 0, "table", to=table.fold.n - 2, reason="the wrong territory was named"))
    table.play(table.bots("random"), reaches(table.fold.n + 40))
    return table


def _attack(name: str) -> Table:
    """Return an attack on a territory that is not a neighbour, in the attack phase."""
    table = Table(GAME, name, 2)
    table.play(table.bots("greedy"), lambda fold: fold.state.phase == "attack")
    return table.add(_far(table), judged=False)


def _far(table: Table) -> Attack:
    state = table.fold.state
    board, seat = state.setup.board, state.actor
    src = next(at for at, owner in enumerate(state.owners) if owner == seat and state.dice[at] > 1)
    dst = next(
        at for at, owner in enumerate(state.owners) if owner != seat and at not in board.neighbours[src]
    )
    return Attack(0, 0, state.setup.seats[seat], board.names[src], board.names[dst])


def _claimed_again() -> ClaimLand:
    table = _opening("illegal-taken")
    pending = table.fold.pending
    taken = next(event.at for event in table.events if isinstance(event, ClaimLand))
    return ClaimLand(0, 0, pending.by[0], taken)


def _as_played() -> Table:
    """Play a game with an attack across the board that no player notices."""
    table = Table(GAME, "as_played", 2)
    table.play(table.bots("greedy"), lambda fold: fold.state.phase == "attack")
    far = _far(table)
    table.add(Attack(0, 0, far.by, far.src, far.dst, as_played=True))
    table.play(table.bots("greedy"))
    assert table.fold.outcome is not None
    return table.add(Result(0, 0, "table", Outcome(table.fold.outcome.winners, table.fold.outcome.reason)))

"""The sample records of Territory: whole games, illegal events and damage."""

from __future__ import annotations

from typing import Any

from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.events import Chips
from gamelog.games.gp02a_territory.state import EMPTY, State
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.common_events import Clock, Note, Result, Substitute, Takeback
from gamelog.play.fold.fold import Fold
from tests.samples.making import Table, ends_by, reaches, search

GAME = "gp02a_territory"

GARDEN: dict[str, Any] = {
    "name": "garden",
    "remark": "A small board drawn for the club's children: four blocks, with a pond in the middle.",
    "blocks": ["11112222", "111  222", "333  444", "33334444"],
    "fields": ["..g...g.", "g..  ..g", "..g  g..", "g....g.."],
    "chronology": 12,
}


def records() -> dict[str, bytes]:
    """Return all samples by name."""
    tables = {
        "short": _opening("short"),
        "full-3": _full(3),
        "full-4": _full(4),
        "seeded": Table(GAME, "seeded", 3, seeded=True),
        "own-board": Table(GAME, "own-board", 3, board=GARDEN, groups_cross_blocks=False),
        "negotiation": _negotiation(),
        "ended-bag": _ended("bag"),
        "ended-chronology": _ended("chronology"),
        "ended-territory": _ended("territory"),
        "takeback": _takeback(),
        "as_played": _as_played(),
        "illegal-split": _split(),
        "illegal-gray": _grey(),
        "illegal-card": _before("illegal-card", "distribute", _keeps_card_4),
        "illegal-draw": _before("illegal-draw", "draw", _too_many),
        "illegal-purple": _unplaced_purple(),
    }
    for name in ("seeded", "own-board"):
        tables[name].play(tables[name].bots("greedy", "random"))
    return {name: table.bytes() for name, table in tables.items()}


def _opening(name: str, events: int = 36) -> Table:
    table = Table(GAME, name, 4)
    return table.play(table.bots("strong", "greedy"), reaches(events))


def _full(players: int) -> Table:
    """Play a whole game with a pause, a substitution and a recorded result."""
    table = Table(GAME, f"full-{players}", players)
    table.play(table.bots("strong", "greedy"), reaches(70))
    table.add(Note(0, 0, "table", "Coffee break after this one."))
    table.add(Clock(0, 0, "table", running=False)).add(Clock(0, 0, "table", running=True))
    table.add(Substitute(0, 0, "table", "green", "Omar", person="omar@club"))
    table.play(table.bots("strong", "greedy"))
    assert table.fold.outcome is not None
    return table.add(Result(0, 0, "table", table.fold.outcome))


def _ended(reason: str) -> Table:
    def make(index: int) -> Table:
        table = Table(GAME, f"ended-{reason}-{index}", 4 if reason == "chronology" else 3)
        return table.play(table.bots("random"))

    return search(60, make, ends_by(reason))


def _negotiation() -> Table:
    """Play a game with trades, by the rules before GP-A34, which allowed any trade."""
    table = Table(GAME, "negotiation", 3, negotiation=True).as_before(negotiation=True)
    table.add(ev.DealCards(0, 0, "table", {"blue": 4, "red": 1, "green": 2}))
    table.add(ev.Roll(0, 0, "blue", 4))
    table.add(ev.Draw(0, 0, "blue", Chips(blue=1, red=2, yellow=1)))
    table.add(ev.Draw(0, 0, "red", Chips(blue=2, green=2)))
    table.add(ev.Draw(0, 0, "green", Chips(red=1, yellow=2, purple=1)))
    table.add(ev.Trade(0, 0, "blue", "red", Chips(red=2), Chips(blue=2)))
    table.add(Note(0, 0, "table", "Rui gets card 2 for it, Ana has promised."))
    table.add(ev.Trade(0, 0, "blue", "green", Chips(yellow=1), Chips()))
    table.add(ev.Distribute(0, 0, "blue", {"blue": 1, "red": 2, "green": 4}))
    return table.play(table.bots("random"))


def _takeback() -> Table:
    """Play a game in which a chip on the wrong field leads to a takeback of three events."""
    table = Table(GAME, "takeback", 4)
    table.play(table.bots("strong"), lambda fold: fold.state.phase == "place" and fold.n > 25)
    table.play(table.bots("strong"), reaches(table.fold.n + 2))
    table.add(Takeback(0, 0, "table", to=table.fold.n - 3, reason="the chips were meant for another block"))
    table.play(table.bots("random"), reaches(table.fold.n + 40))
    return table


def _as_played() -> Table:
    """Play a game in which the Main Player keeps card 4, and no player notices."""
    table = _before("as_played", "distribute", _keeps_card_4, as_played=True)
    table.play(table.bots("greedy", "random"))
    assert table.fold.outcome is not None
    return table.add(Result(0, 0, "table", Outcome(table.fold.outcome.winners, table.fold.outcome.reason)))


def _before(name: str, phase: str, make: Any, as_played: bool = False) -> Table:
    """Add the event that `make` returns, in the second round, in `phase`."""
    table = Table(GAME, name, 4)

    def due(fold: Fold) -> bool:
        return bool(fold.state.round == 2 and fold.state.phase == phase)

    table.play(table.bots("greedy", "random"), due)
    return table.add(make(table.fold.state, as_played), judged=as_played)


def _keeps_card_4(state: State, as_played: bool) -> ev.Distribute:
    seats = state.setup.seats
    others = [seat for seat in seats if seat != seats[state.main]]
    cards = {seats[state.main]: 4, **dict(zip(others, (1, 2, 3), strict=True))}
    return ev.Distribute(0, 0, seats[state.main], cards, as_played=as_played)


def _too_many(state: State, as_played: bool) -> ev.Draw:
    return ev.Draw(0, 0, state.setup.seats[state.actor], Chips(blue=state.rolled + 1), as_played=as_played)


def _split() -> Table:
    """Return a placement in another block after half of the chips."""
    table = Table(GAME, "illegal-split", 3)
    table.play(
        table.bots("greedy"),
        lambda fold: fold.n > 20 and fold.state.phase == "place" and fold.state.block == 1,
    )
    legal = legal_for(table.fold.game, table.fold.state, None).events[0]
    assert isinstance(legal, ev.Place)
    return table.add(ev.Place(0, 0, legal.by, legal.colour, _free(table.fold.state, 2)), judged=False)


def _free(state: State, block: int) -> str:
    first, _, end = state.setup.board.spans[block - 1]
    return state.setup.board.names[state.fields.index(EMPTY, first, end)]


def _grey() -> Table:
    """Return a movement of a chip on a grey field after a 1."""

    def make(index: int) -> Table:
        table = Table(GAME, f"illegal-gray-{index}", 3)
        return table.play(table.bots("greedy"), lambda fold: fold.state.phase == "remove")

    def wanted(table: Table) -> bool:
        return table.fold.outcome is None and _grey_chip(table.fold.state) is not None

    table = search(40, make, wanted)
    state = table.fold.state
    return table.add(ev.Remove(0, 0, state.setup.seats[state.actor], _grey_chip(state) or ""), judged=False)


def _grey_chip(state: State) -> str | None:
    """Return a grey field with a chip on it."""
    names = state.setup.board.names
    taken = (
        names[at]
        for _, grey, end in state.setup.board.spans
        for at in range(grey, end)
        if state.fields[at] != EMPTY
    )
    return next(taken, None)


def _unplaced_purple() -> Table:
    """Return a use of the purple chip that removes no chips although it could."""

    def make(index: int) -> Table:
        table = Table(GAME, f"illegal-purple-{index}", 4)
        return table.play(table.bots("greedy"), _only_purple)

    table = search(40, make, lambda table: table.fold.outcome is None)
    state = table.fold.state
    return table.add(ev.Purple(0, 0, state.setup.seats[state.actor]), judged=False)


def _only_purple(fold: Fold) -> bool:
    state = fold.state
    return bool(
        state.phase == "place"
        and state.hands[5 * state.actor : 5 * state.actor + 5] == bytes((0, 0, 0, 0, 1))
    )

"""Games to fold: SliceWars at a table where the test decides every event."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec import structs

from gamelog.finding import Finding
from gamelog.games.slicewars.events import ClaimLand
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.registry import find
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.recording.header import new_header
from gamelog.record.envelope import DiceSpec, Event, Header, Seat
from gamelog.testing.plays import play

GAME = find("slicewars")
T = TypeVar("T")


def not_none(found: T | None) -> T:
    """Return `value`, which the test knows to exist."""
    assert found is not None
    return found


def claimed_territory(event: Event) -> str:
    """Return the territory that `event` claims."""
    assert isinstance(event, ClaimLand)
    return event.at


def header(players: int = 2, **members: Any) -> Header:
    """Return a header for the given number of people."""
    people = [
        Seat(seat, name) for seat, name in zip(GAME.seats[players], ("Ana", "Rui", "Lena"), strict=False)
    ]
    members.setdefault("dice", DiceSpec("table"))
    return new_header(GAME, people, id="test", started="2026-01-02T03:04:05Z", **members)


def event(fold: Fold, do: str, by: str, **members: Any) -> Event:
    """Return an event as the next of `fold`, three seconds later."""
    stamped = {"do": do, "n": fold.n + 1, "t": fold.t + 3000, "by": by, **members}
    made: Event = decoder(GAME).decode(msgspec.json.encode(stamped))
    return made


def push(fold: Fold, do: str, by: str, **members: Any) -> Finding | None:
    """Add the event, or return why it is refused."""
    return fold.push(event(fold, do, by, **members))


def outcome(fold: Fold) -> Outcome | None:
    """Return the outcome of the game now.

    A type checker takes an attribute for unchanged after an event.
    """
    return fold.outcome


def start_game(players: int = 2, **members: Any) -> Fold:
    """Return a game in which red begins and every player has claimed once."""
    fold = Fold(header(players, **members), GAME)
    if players == 3:
        assert not push(fold, "removal_roll", "table", rolls={"red": 6, "blue": 1, "yellow": 1})
        assert not push(fold, "remove", "red", at=["I5", "I6"])
    rolls = {seat: 6 - at for at, seat in enumerate(GAME.seats[players])}
    assert not push(fold, "start_roll", "table", rolls=rolls)
    for seat, at in zip(GAME.seats[players], ("A1", "C1", "E1"), strict=False):
        assert not push(fold, "claim", seat, at=at)
    return fold


def whole(players: int = 2, index: int = 0) -> tuple[Header, list[Event]]:
    """Return a whole random game."""
    game = play(GAME, index, players)
    return game.header, game.events


def renumber(events: list[Event], by: int) -> list[Event]:
    """Return the same events with numbers `by` higher."""
    return [structs.replace(event, n=event.n + by) for event in events]


RED_WINS = Outcome(("red",), "agreed")

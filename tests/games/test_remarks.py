"""Refusals in other languages: every reason is translated completely."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from gamelog.chance.rng import generator
from gamelog.message import Message, Renderer, with_names
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.locales import load_locale
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.violation import Violation
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.envelope import Event, tag_of
from gamelog.record.reading import read_record
from gamelog.testing.checks.malformed_events import MalformedEvents
from gamelog.testing.plays import play
from gamelog.testing.scenarios import load_scenarios, run
from tests.english_words import ENGLISH

ROOT = Path(__file__).parents[1]
PEOPLE = ("Ana", "Rui", "Lena", "Omar", "Mei", "Zé")


def check_told(game: AnyGame, said: dict[str, Message], people: tuple[str, ...] = PEOPLE) -> None:
    """Raise AssertionError if a message in `said` is not Portuguese or loses a name."""
    told = Renderer(load_locale("pt", game))
    for text, message in said.items():
        other = told.text(message)
        left = ENGLISH.search(re.sub(r'"[^"]*"|\{[^{}]*\}|--\w+|[^ ]*-of-[^ ]*', "", other))
        assert other != text and not left, f"{text!r} is told as {other!r}"
        assert [name for name in people if name in text and name not in other] == [], (
            f"{text!r} is told as {other!r}"
        )


def listening(game: AnyGame, heard: dict[str, Message]) -> AnyGame:
    """Return `game` with a `check` that adds each refusal to `heard`."""
    seats = game.seats[max(game.seats)]
    names_of = dict(zip(seats, PEOPLE, strict=False))

    def kept(found: Any) -> Any:
        if isinstance(found, Violation):
            message = with_names(found.message, lambda seat: names_of.get(seat, seat))
            heard[str(message)] = message
        return found

    retire = game.retire
    return replace(
        game,
        check=lambda state, event: kept(game.check(state, event)),
        retire=retire and (lambda state, seat: kept(retire(state, seat))),
    )


@pytest.mark.parametrize("name", names())
def test_the_refusals_of_all_scenarios_are_translated(name: str) -> None:
    game, heard = find(name), dict[str, Message]()
    arrange = import_module(f"tests.games.{name}.arrange").arrange
    for scenario in load_scenarios(ROOT / "scenarios" / name):
        run(listening(game, heard), scenario, arrange)
    assert len(heard) > 30
    check_told(game, heard)


def strange(game: AnyGame) -> Iterator[tuple[Any, Event]]:
    """Yield events that were not played, with the states in which they are tried."""
    rng = generator("strange")
    for players in game.seats:
        played = play(game, 1, players)
        kinds: dict[str, list[Event]] = {}
        for event in played.events:
            kinds.setdefault(tag_of(type(event)), []).append(event)
        strangers = MalformedEvents(game, kinds, played.header.seat_ids)
        for at in rng.sample(range(len(played.events)), min(60, len(played.events))):
            for event in strangers.random_events(rng, 20, played.events[at], played.header.seat_ids):
                yield played.states[at], event


@pytest.mark.grid
@pytest.mark.parametrize("name", names())
def test_the_refusals_of_unplayed_events_are_translated(name: str) -> None:
    game, heard = find(name), dict[str, Message]()
    told = listening(game, heard)
    for state, event in strange(game):
        told.check(state, event)
    assert len(heard) > 30
    check_told(game, heard)


@pytest.mark.parametrize("name", names())
def test_the_findings_of_sample_records_are_translated(name: str) -> None:
    game = find(name)
    for path in sorted((ROOT.parent / "sample_games" / name).glob("*.jsonl")):
        folded = fold_record(read_record(path))
        assert folded.record.header
        people = tuple(seat.name for seat in folded.record.header.seats if seat.name)
        reasons = [getattr(event, "reason", None) for event in folded.events]
        said = {found.text: found.message for found in folded.findings}
        check_told(
            game,
            {
                text: message
                for text, message in said.items()
                if not any(reason and reason.rstrip(".") in text for reason in reasons)
            },
            people,
        )

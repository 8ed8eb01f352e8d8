"""Tests that runs of events, which take a fast path, give the same fold as single events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from gamelog.errors import CannotApply
from gamelog.finding import Finding
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.common_events import Clock, Note, Reveal, Takeback
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import Event, Header
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose

LENGTH = 120


def played(game: str, dice: str) -> tuple[Header, list[Event]]:
    header, events = simulate_game(find(game), "extend", 1, players=min(find(game).seats), dice=dice)
    return header, events[:LENGTH]


def fold_facts(fold: Fold) -> dict[str, Any]:
    """Return everything that the fold of an event list knows."""
    return {
        "states": fold.states,
        "events": [*fold.events],
        "sessions": [fold.session_at(n) for n in range(fold.n + 1)],
        "clocks": fold.play_times(),
        "times": (fold.t, fold.play_time),
        "thrown": fold.chance_count if fold.source else None,
        "links": fold.reveals
        and (
            fold.reveals.intent,
            fold.reveals.revealed_links,
            fold.reveals.last_links,
            fold.reveals.missing_seats,
        ),
        "line": fold.main_line_numbers(),
    }


def fold_both_ways(header: Header, events: Sequence[Event]) -> tuple[Fold, Finding | None]:
    """Return the fold of all `events` at once, after a comparison with the fold of single events."""
    record = parse_record(compose(header, events)[0])
    heads = (record.header_head, *record.heads)
    game = find(header.game)
    at_once, singly = Fold(header, game, line_heads=heads), Fold(header, game, line_heads=heads)
    failure = at_once.extend(events)
    failures = filter(None, map(singly.push, events))
    assert failure == next(failures, None)
    assert fold_facts(at_once) == fold_facts(singly)
    return at_once, failure


def renumber_events(events: Sequence[Event], t: int) -> list[Event]:
    return [structs.replace(event, n=n, t=t + n) for n, event in enumerate(events, 1)]


@pytest.mark.parametrize("dice", ["table", "seeded", "commit-reveal"])
@pytest.mark.parametrize("game", names())
def test_at_once_or_singly_it_is_the_same(game: str, dice: str) -> None:
    header, events = played(game, dice)
    fold, failure = fold_both_ways(header, events)
    assert failure is None
    assert not fold.source or fold.chance_count

    spoiled = [*events]
    rolls = [at for at, event in enumerate(events) if type(event) in fold.chance_events]
    first, last = rolls[0], rolls[-1]
    other = next(one for one in reversed(events) if type(one) is type(events[last]))
    spoiled[first] = structs.replace(other, n=first + 1, t=events[first].t, as_played=True)
    fold_both_ways(header, spoiled)


@pytest.mark.parametrize("game", names())
def test_seeded_dice_go_on_after_notes_pauses_and_takebacks(game: str) -> None:
    header, events = played(game, "seeded")
    half = len(events) // 2
    beside = (
        Clock(0, 0, "table", running=False),
        Note(0, 0, "table", text="tea"),
        Clock(0, 0, "table", running=True),
    )
    fold, failure = fold_both_ways(header, renumber_events([*events[:half], *beside, *events[half:]], 0))
    assert failure is None
    assert fold.session.paused_time

    for slip in (False, True):
        takeback = Takeback(0, 0, "table", to=half // 2, slip=slip)
        fold_both_ways(header, renumber_events([*events[:half], takeback, *events[half // 2 :]], 0))


@pytest.mark.parametrize(
    "change",
    [{}, {"link": "0" * 64}, {"seat": "red"}, {"t": 0}, {"n": 1}, {"by": "nobody"}, None],
    ids=lambda change: "a note" if change is None else " ".join(change) or "nothing",
)
def test_links_in_a_row_are_judged_like_single_ones(change: dict[str, Any] | None) -> None:
    header, events = played("slicewars", "commit-reveal")
    begin = max(at for at, event in enumerate(events[:100]) if type(event) is not Reveal)
    second = next(at for at in range(begin, LENGTH) if type(events[at - 1]) is type(events[at]) is Reveal)
    link = events[second]
    between = Note(link.n, link.t, "table", text="tea") if change is None else structs.replace(link, **change)
    fold, failure = fold_both_ways(header, [*events[:second], between, *events[second + 1 :]])
    assert (failure is None) == (change == {})
    assert fold.n == (second if failure else len(events))


def test_dice_that_could_not_be_applied_were_not_thrown() -> None:
    header, events = played("slicewars", "seeded")
    whole = find("slicewars")

    def apply(state: Any, event: Any) -> Any:
        if event.n == roll.n:
            raise CannotApply("The dice fell off the table.")
        return whole.apply(state, event)

    roll = [event for event in events if type(event) in whole.chance_events][2]
    fold = Fold(header, replace(whole, apply=apply))
    failure = fold.extend(events[: roll.n])
    assert failure is None or failure.n == roll.n
    again = Fold(header, replace(whole, apply=apply))
    for event in events[: roll.n]:
        again.push(event)
    assert fold_facts(fold) == fold_facts(again)


def test_dice_of_a_game_without_any_cost_nothing() -> None:
    """The events of such a game are only checked and applied, whatever the header says about dice."""
    whole = find("slicewars")
    header, events = played("slicewars", "seeded")
    asked: list[object] = []
    dull = replace(whole, chance_events=(), pending=lambda state: asked.append(state) or whole.pending(state))  # type: ignore[func-returns-value]
    fold = Fold(header, dull)
    assert fold.extend(events) is None
    assert not asked

"""Tests of incidents: rules, choices and odds at an event, at that time and as finally ruled."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from gamelog.chance.draws import Bag, Dice, Weighted
from gamelog.chance.outcomes import probability, results_in_order
from gamelog.dispute.chances import (
    Likelihood,
    contest_odds,
    likelihood,
    results_of,
)
from gamelog.dispute.incident import Incident, IncidentRuling, incident, last_incident
from gamelog.dispute.incident_words import elapsed_text
from gamelog.games.dice_flags.events import Roll
from gamelog.games.zone_s.events import DrawTile
from gamelog.play.contract.effects import Contest, Effect
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.common_events import Note
from gamelog.play.fold.names_at_events import NamesAtEvents
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.recording.series import simulate_game
from gamelog.play.rendering.sentences import sentence
from gamelog.play.view.known_views import known_views
from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer
from gamelog.record.envelope import tag_of
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose
from gamelog.testing.plays import play
from tests.play.tables import header, not_none
from tests.play.test_registry import plug
from tests.play.test_rulings import STANDS, play_events, record_of

assert plug, "a fixture"

SAMPLES = Path(__file__).parents[2] / "sample_games"


def folded(*steps: tuple[str, str, dict[str, Any]]) -> FoldedRecord:
    return fold_record(parse_record(record_of(play_events(*steps))))


MARKED = ("claim", "blue", {"at": "I6", "as_played": True})
UNMARKED = ("claim", "blue", {"at": "I6"})


def test_a_legal_event_is_shown_with_the_other_legal_events() -> None:
    shown = incident(folded(), 2)
    assert (shown.n, shown.event["at"], shown.text) == (2, "A1", "Ana claims A1.")
    assert (shown.status_then, shown.finding, shown.rule, shown.disposition, shown.rulings) == (
        "ok",
        None,
        None,
        "stands",
        (),
    )
    assert (len(shown.legal), shown.legal_count, shown.is_complete) == (20, 50, True)
    assert shown.legal[0] == {"do": "claim", "by": "red", "at": "A1"}
    assert shown.before["territories"]["A1"] == ["free", 0]


def test_an_illegal_event_is_shown_with_the_position_before_it() -> None:
    replayed = folded(UNMARKED, ("claim", "red", {"at": "I5"}))
    assert last_incident(replayed) == 4
    shown = incident(replayed, 4)
    assert (shown.status_then, shown.disposition) == ("illegal", "refused")
    assert shown.finding is not None and shown.rule is not None
    assert (shown.finding.rule, shown.rule.id) == ("SW-3", "SW-3")
    assert shown.rule.text.startswith("The players take turns, starting with the player who begins.")
    assert shown.text == "Rui claims I6."
    assert {choice["by"] for choice in shown.legal} == {"red"}


def test_a_finding_does_not_show_a_seat_the_legal_events_of_others() -> None:
    replayed = folded(UNMARKED, ("claim", "red", {"at": "I5"}))
    whole, reds = incident(replayed, 4), incident(replayed, 4, Viewer.of("red"))
    assert whole.finding is not None and reds.finding is not None
    assert (len(whole.finding.legal), reds.finding.legal) == (20, ())
    assert reds.finding.text == whole.finding.text


def test_the_status_at_that_time_and_as_finally_ruled() -> None:
    replayed = folded(MARKED, ("claim", "red", {"at": "I5"}), STANDS)
    shown = incident(replayed, 4)
    assert (shown.status_then, shown.disposition) == ("disputed", "stands")
    assert shown.rulings == (IncidentRuling(6, "stands", "stands", "Lena", "both agreed", shown.n),)
    assert shown.finding is not None
    assert "ruled on" not in shown.finding.text
    assert incident(replayed, 6).status_then == "ruled"
    assert (incident(replayed, 5).status_then, incident(replayed, 5).finding) == ("disputed", None), (
        "the finding is about event 4"
    )
    assert incident(folded(UNMARKED, STANDS), 4).status_then == "illegal", (
        "the event was not marked as played"
    )
    later = (STANDS[0], STANDS[1], STANDS[2] | {"about": 5})
    noted = folded(("@note", "red", {"text": "hm"}), UNMARKED, later)
    assert incident(noted, 5).status_then == "illegal", "the events before it do not matter"
    assert incident(folded(MARKED, ("@takeback", "table", {"to": 3})), 4).disposition == "taken back"
    assert (
        incident(folded(MARKED, ("@takeback", "table", {"to": 3, "slip": True})), 4).disposition
        == "corrected"
    )


def test_points_and_names_are_those_before_the_event() -> None:
    penalty = (
        "@ruling",
        "arbiter",
        {"about": 3, "kind": "penalty", "points": {"blue": -5}, "reason": "late", "name": "Lena"},
    )
    replayed = folded(penalty, ("@substitute", "table", {"seat": "blue", "name": "Tom"}))
    scores = [view.position(view.last_number).score for view in known_views(replayed, WHOLE_TABLE, [3, 4])]
    assert scores == [{"red": 1, "blue": 1}, {"red": 1, "blue": -4}]
    (before,) = known_views(replayed, WHOLE_TABLE, [4])
    assert before.name_of("blue") == "Rui"


@pytest.mark.parametrize(
    ("t", "text"),
    [
        (59_999, "0:00:59"),
        (86_399_000, "23:59:59"),
        (86_400_000, "1 day and 0:00:00"),
        (180_061_000, "2 days and 2:01:01"),
    ],
)
def test_the_time_since_the_start_has_its_days(t: int, text: str) -> None:
    assert str(elapsed_text(t)) == text


@pytest.mark.parametrize("name", names())
def test_every_event_of_every_game_has_an_incident(name: str) -> None:
    game = find(name)
    header, events = simulate_game(game, "incident", 1, players=max(game.seats), dice="table")
    replayed = fold_record(parse_record(compose(header, events)[0]))
    assert replayed.fold is not None
    seen: list[Incident] = [incident(replayed, n) for n in range(1, len(events) + 1, 7)]
    for shown in seen:
        assert shown.disposition == "stands"
        assert bool(shown.chance_due) != bool(shown.legal)
        assert len(shown.legal) == min(20, shown.legal_count)
        if shown.chance_due:
            assert shown.likelihood is not None or shown.contest is not None, shown.event
    contests = {
        n: effect
        for n, event in enumerate(events, 1)
        for effect in game.effects(replayed.fold.states[n - 1], event, replayed.fold.states[n])
        if isinstance(effect, Contest)
    }
    for n in list(contests)[:20]:
        promised = incident(replayed, n).contest
        assert promised is not None
        assert (promised.odds, promised.by) == (contests[n].odds, contests[n].by), (
            "odds do not depend on the result of the dice"
        )
        assert promised.exact or name == "dice_flags", (
            "if ties are rolled again, odds are not a number of rolls"
        )
        assert float(Fraction(promised.exact or promised.odds)) == promised.odds


@pytest.mark.parametrize("name", names())
def test_the_text_of_every_kind_of_event_includes_its_effects(name: str) -> None:
    game = find(name)
    header, events = simulate_game(game, "words", 1, players=max(game.seats), dice="table")
    replayed = fold_record(parse_record(compose(header, events)[0]))
    fold = replayed.fold
    assert fold is not None
    most: dict[str, tuple[int, tuple[Effect, ...]]] = {}
    for event, before, after in zip(events, fold.states, fold.states[1:], strict=False):
        effects, kind = game.effects(before, event, after), tag_of(type(event))
        if len(effects) > len(most.get(kind, (0, ()))[1]):
            most[kind] = event.n, effects
    described = 0
    for n, effects in most.values():
        event, who = events[n - 1], NamesAtEvents(fold).of(events[n - 1])
        bare = sentence(game, event, (), who)
        text = incident(replayed, n).text
        assert text == sentence(game, event, effects, who)
        described += (
            text != bare
        )  # an event without a template is described by its members only if it has no effects
    assert described > 1, "most kinds of events have effects with sentences"


def test_the_text_of_an_illegal_event_has_effects_only_if_it_was_carried_out() -> None:
    carried, lost = folded(MARKED), folded(("claim", "red", {"at": "Z9", "as_played": True}))
    assert incident(carried, 4).text == "Rui claims I6."
    assert (incident(lost, 4).text, incident(lost, 4).status_then) == ("Ana claims Z9.", "illegal")


MINDS = """
from dataclasses import replace
from gamelog.games.slicewars import GAME as BASE

def effects(before, event, after):
    if event.__struct_config__.tag.startswith("@") or BASE.check(before, event):
        raise ValueError("unknown")
    return BASE.effects(before, event, after)

GAME = replace(BASE, id="strange", title="Strange", effects=effects)
"""


@pytest.mark.parametrize(("step", "disposition"), [(MARKED, "stands"), (UNMARKED, "refused")])
def test_a_game_is_asked_only_for_the_effects_of_legal_events(
    step: tuple[str, str, dict[str, object]], disposition: str, plug: Callable[[str, str], None]
) -> None:
    plug("strange=minds:GAME", MINDS)
    shown = incident(
        fold_record(parse_record(compose(structs.replace(header(), game="strange"), play_events(step))[0])), 4
    )
    assert (shown.disposition, shown.text) == (disposition, "Rui claims I6.")


def test_a_game_is_not_asked_for_the_effects_of_common_events(plug: Callable[[str, str], None]) -> None:
    plug("strange=minds:GAME", MINDS)
    noted = play_events(("@note", "blue", {"text": "hm"}))
    shown = incident(
        fold_record(parse_record(compose(structs.replace(header(), game="strange"), noted)[0])), 4
    )
    assert (shown.status_then, shown.event["text"]) == ("ok", "hm")


def test_damage_after_an_event_is_not_a_finding_on_it() -> None:
    data = record_of(play_events(UNMARKED, ("claim", "red", {"at": "I5"})))
    whole, torn = fold_record(parse_record(data)), fold_record(parse_record(data[:-3]))
    assert {found.code for found in torn.findings} - {found.code for found in whole.findings} == {
        "record.torn"
    }
    assert incident(torn, 4).status_then == incident(whole, 4).status_then == "illegal"
    assert incident(torn, 4).finding == incident(whole, 4).finding


@pytest.mark.parametrize(
    "path", sorted(SAMPLES.glob("*/illegal-*.jsonl")) + sorted(SAMPLES.glob("*/as_played.jsonl")), ids=str
)
def test_every_illegal_event_of_the_recorded_games(path: Path) -> None:
    replayed = fold_record(read_record(path))
    at = replayed.findings[0].n
    assert at is not None
    shown = incident(replayed, at)
    assert shown.rule is not None and shown.finding is not None
    assert shown.status_then in ("illegal", "disputed")
    assert shown.legal or shown.chance_due
    assert shown.event not in shown.legal


@pytest.mark.parametrize("name", names())
def test_the_results_of_a_chance_event_are_found(name: str) -> None:
    game = find(name)
    for players in game.seats:
        for before, event, _ in play(game, 2, players).steps():
            found = results_of(game, before, event)
            if type(event) in game.chance_events:
                assert found is not None
                assert [len(part) for part in found] == [
                    draw.count for draw in not_none(game.pending(before).chance).draws
                ]
            else:
                assert found is None


def test_all_possible_results_are_searched_up_to_a_limit() -> None:
    assert {*results_in_order((Dice(1, 3), Bag(1, (("a", 1), ("b", 1)))))} == {
        ((face,), (name,)) for face in (1, 2, 3) for name in "ab"
    }
    assert {*results_in_order((Dice(2, 2),))} == {((1, 1),), ((1, 2),), ((2, 1),), ((2, 2),)}
    assert not [*results_in_order((Dice(6, 6),))], "more results than the limit"
    assert (
        sum(1 for _ in results_in_order((Dice(1, 20_000),))),
        [*results_in_order((Dice(1, 20_001),))],
    ) == (20_000, []), "the limit itself"


def test_likelihoods_by_hand() -> None:
    dice = find("dice_flags")
    rolls = [(before, event) for before, event, _ in play(dice, 1, 2).steps() if isinstance(event, Roll)]
    of = {tuple(sorted(event.dice)): likelihood(dice, before, event) for before, event in rolls}
    assert of[(1, 2)] == Likelihood("1/18", "35/36")
    assert of[(6, 6)] == Likelihood("1/36", "1/36")
    zone = find("zone_s")
    before, tile = next(
        (before, event) for before, event, _ in play(zone, 1, 2).steps() if isinstance(event, DrawTile)
    )
    assert likelihood(zone, before, tile) == Likelihood("1/4"), "nine tiles of each of four kinds"
    territory = find("gp02a_territory")
    before, event, _ = next(iter(play(territory, 1, 4).steps()))
    assert likelihood(territory, before, event) == Likelihood("1/24"), "four cards, dealt in one of 24 orders"


@pytest.mark.parametrize(
    ("drawn", "exactly"),
    [
        (("sun",), Fraction(1, 2)),
        (("rain", "sun"), 2 * Fraction(1, 3) * Fraction(1, 2)),
        (("sun", "sun", "snow"), 3 * Fraction(1, 2) ** 2 * Fraction(1, 6)),
        (("sun", "rain", "snow"), 6 * Fraction(1, 2) * Fraction(1, 3) * Fraction(1, 6)),
    ],
)
def test_the_likelihood_of_weighted_draws_by_hand(drawn: tuple[str, ...], exactly: Fraction) -> None:
    weather = (("sun", 3), ("rain", 2), ("snow", 1))
    assert probability(Weighted(len(drawn), weather), drawn) == exactly


def test_there_are_no_contest_odds_without_a_contest() -> None:
    territory = find("gp02a_territory")
    assert {contest_odds(territory, state) for state in play(territory, 1, 3).states} == {None}


COVERED = """
from dataclasses import replace
from msgspec import structs
from gamelog.games.slicewars import GAME as BASE

def observe(state, seat):
    return state if seat == "red" else structs.replace(state, dice=bytes(len(state.dice)))

GAME = replace(BASE, id="covered", title="Covered", observe=observe)
"""


def test_only_seats_that_see_both_sides_get_the_odds_of_a_contest(
    plug: Callable[[str, str], None],
) -> None:
    plug("covered=covers:GAME", COVERED)
    head, events = simulate_game(find("slicewars"), "odds", 1, players=2)
    attack = next(event for event in events if tag_of(type(event)) == "attack")
    data = compose(structs.replace(head, game="covered"), events[: attack.n])[0]
    replayed = fold_record(parse_record(data))
    assert incident(replayed, attack.n).contest == incident(replayed, attack.n, Viewer.of("red")).contest
    assert incident(replayed, attack.n).contest is not None
    assert incident(replayed, attack.n, Viewer.of("blue")).contest is None


def test_a_note_between_an_attack_and_its_dice_has_no_contest_odds() -> None:
    head, events = simulate_game(find("slicewars"), "odds", 1, players=2)
    attack = next(event for event in events if tag_of(type(event)) == "attack")
    remark = Note(attack.n + 1, attack.t, "red", text="hm")
    shown = incident(fold_record(parse_record(compose(head, [*events[: attack.n], remark])[0])), remark.n)
    assert (shown.contest, shown.chance_due is None) == (None, False)


@pytest.mark.parametrize(("t", "up"), [(603_999, False), (604_000, True)])
def test_only_the_time_out_is_legal_after_the_clock_has_run_out(t: int, up: bool) -> None:
    """In this game, the clock runs out ten minutes after the first movement roll at second 4."""
    record = read_record(SAMPLES / "zone_control" / "ruled.jsonl")
    assert record.header is not None
    before, late = fold_record(record).events[:2], fold_record(record).events[2]
    shown = incident(
        fold_record(parse_record(compose(record.header, [*before, structs.replace(late, t=t)])[0])), 3
    )
    assert ([choice["do"] for choice in shown.legal] == ["time_up"]) is up
    assert shown.disposition == ("refused" if up else "stands")

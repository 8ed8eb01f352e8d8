"""Tests of the data of a page: the state after each event, without hidden information."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gamelog_reports import site
from gamelog_reports.replay_page.page import replay_page
from msgspec import structs

from gamelog.play.anonymity.anonymous_record import anonymous_replay
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.rulebook import parse_rulebook, rulebook
from gamelog.play.fold import common_events
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.reports.payload import STAGE, numbers, page_data
from tests.reports.toy import Clash, Go, Lay, folded, game, header, long_game
from tests.samples.__main__ import DIRECTORY


def history(page: dict[str, Any], track: str, key: int) -> list[tuple[int, Any]]:
    """Return the events that changed a key of a track, with the new values."""
    packed = page["tracks"][track]
    keys, values = numbers(packed["keys"]), numbers(packed["values"])
    counting = dict.fromkeys(numbers(packed["counting"]), 0)
    out: list[tuple[int, Any]] = []
    at = 0
    for n, count in enumerate(numbers(packed["counts"])):
        for changed, value in zip(keys[at : at + count], values[at : at + count], strict=True):
            if changed in counting:
                counting[changed] += -(value + 1) // 2 if value & 1 else value // 2
            if changed == key:
                out.append((n, counting[key] if key in counting else packed["table"][value]))
        at += count
    return out


def packed_page(*events: Any, **given: Any) -> dict[str, Any]:
    """Return the data in the page of a toy game."""
    return page_data(replay_page(folded(events), **given))


def test_points_and_turns_by_event() -> None:
    made = packed_page(*game())
    assert history(made, "score", 0) == [(0, 0), (10, 1)]
    assert history(made, "turn", 0)[:3] == [(0, {"by": ["red"]}), (1, {"by": ["N"]}), (2, {"by": ["red"]})]
    assert (4, {"chance": "red"}) in history(made, "turn", 0)


def test_names_after_each_event() -> None:
    corrected = common_events.Amend(3, 5_000, "arbiter", seats={"red": common_events.SeatNames(name="Anna")})
    made = packed_page(*game()[:2], corrected, common_events.Substitute(4, 6_000, "N", "N", "Eva"))
    assert history(made, "names", 0) == [(0, "Ana"), (3, "Anna")]
    assert history(made, "names", 1) == [(0, "Rui"), (4, "Eva")]


def test_names_after_the_end_of_play() -> None:
    refused = Lay(3, 5_000, "N", "Z9", "pawn")
    made = packed_page(*game()[:2], refused, common_events.Substitute(4, 6_000, "N", "N", "Eva"))
    assert made["played"] == 2
    assert history(made, "names", 1) == [(0, "Rui"), (4, "Eva")]


def test_an_agreed_end_and_its_takeback() -> None:
    result = Outcome(("red",), "agreed")
    made = packed_page(
        *game()[:2],
        common_events.Agree(3, 5_000, "N", result),
        common_events.Accept(4, 6_000, "red", 3),
        common_events.Takeback(5, 7_000, "red", 2),
    )
    turns = history(made, "turn", 0)
    assert turns[-2:] == [(4, {"winners": ["red"], "reason": "agreed"}), (5, {"by": ["red"]})]
    assert made["jumps"] == [[5, 2]]


def test_a_penalty_changes_the_points() -> None:
    ruling = common_events.Ruling(3, 5_000, "arbiter", 2, "penalty", "late", "Zoe", points={"N": -1})
    assert history(packed_page(*game()[:2], ruling), "score", 1) == [(0, 0), (3, -1)]


def test_an_illegal_event_that_was_played_has_its_rule_and_the_legal_events() -> None:
    made = page_data(replay_page(folded([*game()[:2], Lay(3, 9_000, "N", "c", "disc", as_played=True)])))
    assert made["played"] == 3
    (finding,) = made["findings"]
    assert (finding["n"], finding["rule"], finding["code"]) == (3, "TY-1", "play.as_played")
    assert finding["legal"][0] == {"do": "lay", "by": "red", "at": "a", "what": "disc"}
    assert made["rules"] == {"TY-1": "Each in turn; who attacks rolls at once."}


@pytest.mark.parametrize("name", names())
def test_a_page_in_portuguese_has_the_rules_in_portuguese(name: str) -> None:
    ruled = Path(__file__).parents[2] / "sample_games" / name / "ruled.jsonl"
    made = page_data(replay_page(fold_record(read_record(ruled)), language="pt"))
    (broken,) = {finding["rule"] for finding in made["findings"] if finding.get("rule")}
    game = find(name)
    assert made["rules"] == {broken: parse_rulebook(game.translation("pt").rules)[broken].text}
    assert made["rules"][broken] != rulebook(game)[broken].text


def test_an_unplayable_event_ends_the_play_and_stays_in_the_record() -> None:
    made = packed_page(*game()[:2], Go(3, 9_000, "red", "c", "d"))
    assert made["played"] == 2
    assert made["findings"][0]["n"] == 3
    assert len(numbers(made["tables"]["lines"]["order"])) == 3


def test_the_shared_data_do_not_depend_on_the_record() -> None:
    short, long = (replay_page(folded(events)) for events in (game()[:1], game()))
    assert page_data(short, STAGE) == page_data(long, STAGE)
    assert page_data(long, STAGE)["templates"]["lay"] == "{@by} lays a {what} on {at}."
    assert (
        page_data(replay_page(folded(game()), language="pt"), STAGE)["templates"]["lay"]
        == "{@by} põe um {what} em {at}."
    )


def test_fractions_are_rounded_for_pages() -> None:
    fought = Clash(5, 10_000, "red", (2,), (5,))
    assert 0 < len(packed_page(*game()[:4], fought)["tokens"]) < 400
    assert "0.4167" in packed_page(*game()[:4], fought)["tokens"]


def test_a_page_contains_the_whole_record_or_none_of_it() -> None:
    assert "first" in packed_page(*game())
    assert json.loads("{" + packed_page(*game())["first"])["id"] == header().id
    anonymous = page_data(replay_page(anonymous_replay(folded(game()))))
    for hidden in (packed_page(*game(), seat="red"), anonymous):
        assert "first" not in hidden
        assert "head" not in hidden


def test_the_page_of_a_seat_does_not_contain_the_seed() -> None:
    assert "dice" not in packed_page(*game(), seat="red")["header"]


def test_an_unknown_seat_or_language_is_refused() -> None:
    with pytest.raises(ValueError, match='no seat "purple"'):
        replay_page(folded([]), seat="purple")
    with pytest.raises(ValueError, match="pages have"):
        replay_page(folded([]), language="xx")


def test_an_event_takes_few_bytes() -> None:
    long, short = (replay_page(folded(long_game(count))) for count in (1_000, 10))
    assert (len(long) - len(short)) / 990 < 27


def test_a_page_has_the_time_of_play() -> None:
    claim = common_events.Claim(3, 90_000, "red", "no")
    made = packed_page(*game()[:2], claim)
    assert history(made, "off", 0) == [(0, 0), (3, 90_000 - game()[1].t)]


def test_corrected_events_differ_from_events_that_were_taken_back() -> None:
    back = (
        common_events.Takeback(3, 5_000, "red", 1),
        common_events.Takeback(3, 5_000, "table", 1, slip=True),
    )
    taken, corrected = (packed_page(*game()[:2], one) for one in back)
    assert (taken["jumps"], taken["slips"], taken["corrected"]) == ([[3, 1]], [], [])
    assert (corrected["jumps"], corrected["slips"], corrected["corrected"]) == ([[3, 1]], [3], [[2, 0]])
    again = packed_page(*game()[:2], back[1], structs.replace(game()[1], n=4, t=6_000))
    assert again["corrected"] == [[2, 4]], "event 4 replaces event 2"


def test_an_index_has_problems_in_its_language() -> None:
    torn = fold_record(read_record(DIRECTORY / "zone_s" / "torn.jsonl"))
    said = [site.entry(torn, "a.html", language).problem for language in ("en", "pt")]
    assert said == [
        "the last line is incomplete: the program or the computer stopped while writing it",
        "a última linha está incompleta: o programa ou o computador parou enquanto a escrevia",
    ]
    assert site.entry(anonymous_replay(torn), "a.html", "pt").problem == ""

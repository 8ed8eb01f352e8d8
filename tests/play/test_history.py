"""Tests that a fold's memory of earlier events agrees with a fold that ends there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from gamelog.play.fold.fold import Fold
from gamelog.play.fold.session import MAX_PENALTIES, MAX_PER_AUTHOR
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.prefixes import prefixes
from gamelog.play.judging.warnings import warnings
from gamelog.record.reading import parse_record, read_record
from tests.play.tables import push, start_game
from tests.play.test_rulings import rule

SAMPLES = sorted((Path(__file__).parents[2] / "sample_games").glob("*/*.jsonl"))
EVENTFUL = [
    path
    for path in SAMPLES
    if path.stem in ("ruled", "takeback", "committed", "as_played", "signed", "short", "resigned")
]


@pytest.mark.parametrize("path", EVENTFUL, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_after_every_event_it_is_the_table_of_a_fold_of_so_many(path: Path) -> None:
    folded = fold_record(read_record(path))
    assert folded.fold
    whole = folded.fold
    alone = Fold(whole.header, whole.game, whole.ruled_events, whole.line_heads)
    for n in range(whole.n + 1):
        if n:
            assert alone.push(folded.events[n - 1]) is None
        assert (whole.states[n], whole.pending_at(n)) == (alone.state, alone.pending)
        assert alone.score_with_final_penalties() == whole.score_at(n)
        assert whole.session_at(n) == alone.session
        assert whole.play_time_at(n) == alone.play_time


@pytest.mark.parametrize("path", EVENTFUL, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_beginning_of_a_record_is_judged_as_a_record_that_ends_there(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    whole = fold_record(parse_record(b"".join(lines))).fold
    assert whole
    for n, then in zip(range(whole.n + 1), prefixes(whole, range(whole.n + 1)), strict=True):
        alone = fold_record(parse_record(b"".join(lines[: n + 1]))).fold
        assert alone
        assert (then.n, then.state, then.pending) == (alone.n, alone.state, alone.pending)
        assert (then.score_with_final_penalties(), then.session) == (
            alone.score_with_final_penalties(),
            alone.session,
        )
        assert list(warnings(then)) == list(warnings(alone))


def test_rulings_are_those_of_the_time() -> None:
    fold = start_game()
    penalty = {"kind": "penalty", "reason": "late", "name": "Lena", "points": {"red": -2}}
    assert push(fold, "@ruling", "arbiter", about=3, **penalty) is None
    assert rule(fold, "refused", 4) is None
    assert rule(fold, "stands", 3) is None
    assert [
        [ruling.n for ruling in then.rulings.rulings_about(3)] for then in prefixes(fold, range(3, 7))
    ] == [
        [],
        [4],
        [],
        [6],
    ]
    assert [fold.score_at(n)["red"] for n in range(3, 7)] == [1, -1, 1, 1]


def test_penalties_count_for_seats_of_which_the_game_tells_no_points() -> None:
    fold = start_game()
    fold.game = replace(fold.game, score=lambda _: {"red": 3})
    assert rule(fold, "penalty", 3, points={"red": -1, "blue": -2}) is None
    assert (fold.score_with_final_penalties(), fold.score_at(3)) == ({"red": 2, "blue": -2}, {"red": 3})


def test_a_quiet_record_keeps_one_table_and_a_noisy_one_nothing_that_grows() -> None:
    fold = start_game()
    for _ in range(MAX_PER_AUTHOR):
        assert push(fold, "@claim", "red", text="no") is None
        assert push(fold, "@claim", "blue", text="no") is None
    for _ in range(MAX_PENALTIES):
        assert push(fold, "@note", "red", text="no") is None
    assert all(fold.session_at(n) is fold.session_at(0) for n in range(fold.n + 1))


def test_the_clock_of_the_page_the_archive_and_the_fold_is_one() -> None:
    fold = start_game()
    t = fold.t
    assert push(fold, "@claim", "blue", text="a day later", t=t + 86_400_000) is None
    assert (fold.play_time, fold.play_time_at(fold.n)) == (t, t)
    assert push(fold, "@clock", "table", running=False, t=fold.t) is None
    assert fold.play_time == fold.t, "stopping the clock is play: the day before it was play, too"
    assert push(fold, "@clock", "table", running=True, t=fold.t + 5000) is None
    assert fold.play_time == fold.t - 5000
    assert push(fold, "claim", "red" if fold.pending.by == ("red",) else "blue", at="A2") is None
    assert fold.play_time == fold.t - 5000
    assert fold.play_times() == [fold.play_time_at(n) for n in range(1, fold.n + 1)]
    assert structs.replace(fold.session, paused_at=None).clock(fold.t) == fold.play_time


def test_time_between_the_end_and_its_takeback_is_not_time_of_play() -> None:
    fold = start_game()
    end, result = fold.t, {"winners": ["red"], "reason": "adjudicated"}
    assert rule(fold, "result", 3, result=result) is None
    assert (fold.outcome is not None, fold.play_time) == (True, end)
    assert (
        push(
            fold,
            "@ruling",
            "arbiter",
            kind="refused",
            about=4,
            reason="too early",
            name="Lena",
            t=end + 600_000,
        )
        is None
    )
    assert (fold.outcome is not None, fold.play_time) == (False, end)
    assert push(fold, "claim", fold.pending.by[0], at="A2", t=end + 602_000) is None
    assert fold.play_time == end + 2000

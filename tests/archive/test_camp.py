"""Tests of Camp, a game with a shuffle, weighted and private draws, pending chance, facts of a judge, and two clocks."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from gamelog_reports.replay_page.page import replay_page
from playwright.sync_api import Browser

from gamelog.chance.rng import generator
from gamelog.errors import PlayError
from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.recording.series import simulate_game
from gamelog.record import chain
from gamelog.record.envelope import as_proposal, encode_body, tag_of
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from gamelog.testing.conformance import Conformance
from tests.archive.plugin import camp
from tests.cli.conftest import Gamelog, gamelog
from tests.play.tables import not_none

__all__ = ["gamelog"]


@pytest.mark.usefixtures("fewer_games")
class TestCamp(Conformance):
    """The conformance tests for Camp."""

    game = camp.GAME


def played(index: int, dice: str) -> Fold:
    header, events = simulate_game(camp.GAME, "camp", index, players=2, dice=dice)
    judged = fold_record(parse_record(compose(header, events)[0]), camp.GAME)
    assert judged.status == "ok", judged.findings
    return not_none(judged.fold)


@pytest.mark.parametrize("dice", ["table", "seeded", "commit-reveal"])
def test_chance_may_come_before_or_after_decisions_of_other_seats(dice: str) -> None:
    orders = set()
    for index in range(12):
        tags = [tag_of(type(event)) for event in played(index, dice).events if type(event) not in COMMON]
        orders |= {
            (first, second) for first, second in pairwise(tags) if {first, second} == {"deal", "sleep"}
        }
    wanted = {("deal", "sleep"), ("sleep", "deal")}
    assert orders == ({("deal", "sleep")} if dice == "commit-reveal" else wanted), (
        "links that are due go before everything"
    )


def test_links_come_before_decisions_of_other_seats() -> None:
    header, events = simulate_game(camp.GAME, "camp", 0, players=2, dice="commit-reveal")
    fold = Fold(header, camp.GAME, line_heads=[chain.chained_digest(chain.GENESIS, encode_body(header))])
    for event in events[: next(event.n for event in events if isinstance(event, camp.Deck))]:
        assert fold.push(event) is None
        fold.line_heads.append(chain.chained_digest(fold.line_heads[-1], encode_body(event)))
    assert fold.pending.by == ("blue",)
    refused = fold.judge(camp.Sleep(fold.n + 1, fold.t + 1, "blue"))
    assert refused is not None
    assert refused.code == "chance.missing"


def test_a_private_card_is_shown_to_its_owner_only() -> None:
    fold = played(0, "seeded")
    at = next(event.n for event in fold.events if isinstance(event, camp.Deal))
    deal, before = fold.events[at - 1], fold.states[at - 1]
    assert isinstance(deal, camp.Deal)
    assert camp.GAME.seen(deal, before, "red") == deal
    told = camp.GAME.seen(deal, before, "blue")
    assert isinstance(told, dict)
    assert "card" not in told
    assert camp.GAME.observe(fold.states[at], "blue").cards == ("?",)


def test_the_clock_that_runs_out_first_rings_first() -> None:
    state = camp.State(camp.Setup(camp.SEATS), camp.PRIZES)
    due = camp.GAME.pending(state)
    assert due.next_timeout == due.timeouts[1]
    assert due.next_timeout is not None
    assert isinstance(due.next_timeout.event, camp.Late)
    asleep = camp.GAME.apply(
        camp.GAME.apply(state, camp.Late(0, camp.SLEEPY, "table")), camp.Deal(0, 0, "red", "low")
    )
    assert isinstance(not_none(camp.GAME.pending(asleep).next_timeout).event, camp.Dawn)


def test_facts_are_typed_in_by_the_table_and_never_made_up_without_a_bot(gamelog: Gamelog) -> None:
    assert gamelog("new", "camp", "c.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui").status == 0
    typed = "rope tin lamp\nsleep\nhigh\nsky storm\nblue\nquit\n"
    done = gamelog("record", "c.jsonl", stdin=typed)
    assert done.status == 0, done.err
    assert "face down" in done.out
    lines = Path("c.jsonl").read_text().splitlines()[1:]
    assert [line.partition('"do":"')[2].partition('"')[0] for line in lines] == [
        "deck",
        "sleep",
        "deal",
        "sky",
        "wind",
    ]
    assert '"by":"table","was":"storm"' in lines[3]
    assert '"card"' not in gamelog("replay", "c.jsonl", "--every", "--seat", "blue", "--json").out
    assert '"card":"high"' in gamelog("replay", "c.jsonl", "--every", "--seat", "red", "--json").out
    with pytest.raises(PlayError, match='has no bot named "table"'):
        simulate_game(replace(camp.GAME, bots={}), "x", 0, players=2)
    assert 'no "table"' in gamelog("simulate", "camp", "--bot", "table", "-o", "out").err


@pytest.mark.parametrize(("dice", "when"), [("table", ""), ("seeded", "from its seed")])
def test_a_new_game_with_secrets_says_whether_its_dice_hide_them(
    gamelog: Gamelog, dice: str, when: str
) -> None:
    done = gamelog("new", "camp", "c.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui", "--dice", dice)
    assert done.status == 0
    assert ("can compute all draws" in done.err) is bool(when)
    assert when in done.err
    assert (
        "reckon"
        not in gamelog(
            "new", "slicewars", "s.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui", "--dice", dice
        ).err
    )


@pytest.mark.browser
def test_the_page_names_the_drawing_seat_and_the_seats_that_may_act(browser: Browser, tmp_path: Path) -> None:
    header, events = simulate_game(camp.GAME, "camp", 0, players=2, dice="table")
    (tmp_path / "camp.html").write_text(
        replay_page(fold_record(parse_record(compose(header, events)[0]), camp.GAME))
    )
    page = browser.new_page()
    page.goto(f"{(tmp_path / 'camp.html').as_uri()}#n=1")
    page.wait_for_selector("#seats .card")
    assert page.inner_text("#turn") == "Random red draws. To move: random blue"
    assert page.locator("#seats .active").count() == 2
    page.close()


def test_the_dealer_opens_the_cards_at_the_end_of_the_game(gamelog: Gamelog) -> None:
    commits: list[str] = []
    secrets: dict[str, list[str | Path]] = {}
    for seat in ("red", "blue", "table"):
        (made,) = gamelog(
            "dice", "commit", "--seat", seat, "-o", f"{seat}.secret", "--id", "x", "--links", 50, "--json"
        ).json
        commits += ["--commit", f"{seat}={made['commitment']}"]
        secrets[seat] = ["--secret", f"{seat}.secret"]
    start = [
        "new",
        "camp",
        "c.jsonl",
        "--seat",
        "red=Ana",
        "--seat",
        "blue=Rui",
        "--dice",
        "commit-reveal",
        "--id",
        "x",
    ]
    done = gamelog(*start, *commits)
    assert (done.status, "reckon" in done.err, "who does not play" in done.err) == (0, False, True), done.err
    record = EventRecorder("c.jsonl")
    while not record.fold.outcome:
        if record.fold.pending.chance:
            assert gamelog("dice", "reveal", "c.jsonl", *secrets["red"]).status == 0
            told = gamelog("dice", "reveal", "c.jsonl", *secrets["blue"])
            if "table's secret" in told.out:
                assert gamelog("replay", "c.jsonl", "--json").json[0]["pending"]["chance"]["do"] == "deal"
                told = gamelog("dice", "reveal", "c.jsonl", *secrets["table"])
            assert told.status == 0, told.err
        else:
            by = record.fold.pending.by[0]
            typed = (
                camp.GAME.bots["table"](record.fold.state, by, generator("x"))
                if by == "table"
                else camp.Sleep(0, 0, "blue")
            )
            assert gamelog("append", "c.jsonl", msgspec.json.encode(as_proposal(typed)).decode()).status == 0
        record = EventRecorder("c.jsonl")
    assert gamelog("validate", "c.jsonl", "--json").json[0]["status"] == "unknown"
    assert (
        "table's link"
        in gamelog("append", "c.jsonl", '{"do":"@note","by":"red","text":"over"}', *secrets["red"]).out
    )
    opened = gamelog("dice", "reveal", "c.jsonl", *secrets["table"])
    assert (opened.status, opened.err) == (0, "")
    assert gamelog("validate", "c.jsonl", "--json").json[0]["status"] == "ok"
    assert "No roll is due" in gamelog("dice", "reveal", "c.jsonl", *secrets["table"]).err

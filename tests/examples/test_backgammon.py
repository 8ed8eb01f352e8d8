"""Backgammon: dice, a doubling offer, and a stake that the outcome pays; recorded in short forms, indexed, reported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from backgammon import GAME, State
from backgammon.position import BAR, START, moved, playable, refusal
from msgspec import structs
from playwright.sync_api import Browser

from .conftest import EXAMPLES, Gamelog

SEATS = ("--seat", "white=Ana", "--seat", "black=Rui")


def men(**points: int) -> tuple[int, ...]:
    """Return the checkers of one player by point (``p6=2``); all others are off."""
    on = {int(point[1:]): count for point, count in points.items()}
    return tuple(15 - sum(on.values()) if at == 0 else on.get(at, 0) for at in range(26))


FAR = men(p1=2)


@pytest.mark.parametrize(
    ("own", "other", "dice", "legal", "forbidden"),
    [
        (
            START,
            START,
            (3, 1),
            {(8, 3), (6, 1), (24, 1), (24, 3), (13, 3), (8, 1), (6, 3)},
            {(13, 1): "BG-4"},
        ),
        (men(p25=1, p6=2), men(p5=2), (6, 5), {(25, 6)}, {(25, 5): "BG-5", (6, 5): "BG-5"}),
        (men(p6=1, p3=1), FAR, (5, 4), {(6, 5), (6, 4)}, {(3, 5): "BG-6"}),
        (men(p4=1, p2=1), FAR, (6, 6), {(4, 6)}, {(2, 6): "BG-6"}),
        (men(p7=1, p2=1), FAR, (6, 2), {(7, 6), (7, 2)}, {(2, 2): "BG-6"}),
        (men(p20=1), men(p11=2, p14=2), (6, 3), {(20, 3)}, {(20, 6): "BG-4"}),
        (men(p20=1), men(p14=2), (6, 3), {(20, 6)}, {(20, 3): "BG-7"}),
    ],
    ids=["opening", "bar", "bearing off", "larger die", "not all home", "blocked", "the larger of two"],
)
def test_which_moves_are_legal(
    own: Any, other: Any, dice: tuple[int, ...], legal: set[Any], forbidden: dict[Any, str]
) -> None:
    position = (own, other)
    found = {
        (src, die)
        for src in range(BAR, 0, -1)
        for die in set(dice)
        if refusal(position, 0, dice, src, die) is None
    }
    assert found == legal
    for (src, die), rule in forbidden.items():
        refused = refusal(position, 0, dice, src, die)
        assert refused is not None
        assert refused.rule == rule


def test_playable_agrees_with_trying_every_order() -> None:
    """Compare with a count that tries every order of dice and checkers, without a cache."""

    def tried(position: Any, dice: tuple[int, ...]) -> int:
        ways = [
            1 + tried(after, dice[:at] + dice[at + 1 :])
            for at, die in enumerate(dice)
            for src in range(1, 26)
            if (after := moved(position, 0, src, die))
        ]
        return max(ways, default=0)

    for own in (men(p25=2, p6=1), men(p20=1, p9=1), men(p5=1, p2=1), men(p13=2)):
        for other in (FAR, men(p19=2, p20=2), men(p11=2, p17=2, p21=2)):
            for dice in ((6, 1), (5, 2), (4, 4, 4, 4), (3, 6)):
                assert playable((own, other), 0, dice) == tried((own, other), dice)


@pytest.mark.parametrize(
    ("loser", "dropped", "cube", "reason", "paid"),
    [
        (men(p6=1), False, 1, "off", 1),
        (men(p6=15), False, 2, "gammon", 4),
        (men(p6=14, p25=1), False, 4, "backgammon", 12),
        (men(p6=14, p19=1), False, 1, "backgammon", 3),
        (START, True, 4, "dropped", 4),
    ],
)
def test_the_outcome_pays_the_stake(loser: Any, dropped: bool, cube: int, reason: str, paid: int) -> None:
    begun = GAME.start(GAME.Options(), None, ("white", "black"))
    state: State = structs.replace(
        begun, phase="turn", men=(START if dropped else men(), loser), cube=cube, dropped=dropped
    )
    outcome = GAME.pending(state).outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason, outcome.payoffs) == (
        ("white",),
        reason,
        {"white": paid, "black": -paid},
    )


def test_a_game_is_recorded_in_short_forms_until_a_double_is_dropped(gamelog: Gamelog) -> None:
    assert gamelog("new", "backgammon", "bg.jsonl", *SEATS).status == 0
    typed = "3 1\n8/5\n6/5\nroll\n6 6\n24/18\n24/18\n13/7\n13/7\ndouble\ndrop\n\nquit\n"
    done = gamelog("record", "bg.jsonl", stdin=typed)
    assert done.status == 0, done.out + done.err
    told = gamelog("replay", "bg.jsonl", "--every").out
    assert "The game is over. Winner: Ana (dropped). Payoffs: Ana 1, Rui -1." in told.replace("\n", " ")
    verdict = gamelog("validate", "bg.jsonl", "--json").json[0]
    assert (verdict["status"], verdict["outcome"]["payoffs"]) == ("ok", {"white": 1, "black": -1})
    assert gamelog("append", "bg.jsonl", '{"do":"take"}').status == 1


def test_an_event_that_cannot_come_now_is_refused_with_the_reason(gamelog: Gamelog) -> None:
    gamelog("new", "backgammon", "bg.jsonl", *SEATS)
    lines = [
        "3 1",
        "d",
        "8/5",
        "6/5",
        "double t 5",
        "rui roll",
        "roll",
        "roll 3",
        "6 6",
        "resign Rui",
        "roll 3",
        "quit",
    ]
    told = gamelog("record", "bg.jsonl", stdin="\n".join(lines) + "\n").out
    for sentence in (
        'No legal event begins with "d". Legal now: move.',
        'Type double alone, without "t 5".',
        "Type a colon after the player's name: Rui: roll",
        '"roll 3" is not possible now. Due now: Rui, dice: 2 dice',
        '"roll 3" is not possible now: the game is over',
    ):
        assert told.count(sentence) == 1, told


def test_a_double_that_is_taken_turns_the_cube(gamelog: Gamelog) -> None:
    gamelog("new", "backgammon", "bg.jsonl", *SEATS)
    events = [
        '{"do":"opening","faces":[3,1]}',
        '{"do":"move","src":8,"die":3}',
        '{"do":"move","src":6,"die":1}',
    ]
    assert gamelog("append", "bg.jsonl", *events, '{"do":"double"}', '{"do":"take"}').status == 0
    state = gamelog("replay", "bg.jsonl", "--json").json[-1]["state"]
    assert (state["cube"], state["owner"], state["phase"]) == (2, 0, "rolling")
    assert (
        gamelog("append", "bg.jsonl", '{"do":"dice","faces":[2,1]}', '{"do":"move","src":6,"die":2}').status
        == 0
    )


def test_it_is_simulated_indexed_reported_and_shown(gamelog: Gamelog) -> None:
    assert (
        gamelog(
            "simulate", "backgammon", "--games", "6", "--bot", "greedy", "--bot", "random", "-o", "out"
        ).status
        == 0
    )
    assert (
        gamelog("simulate", "backgammon", "--games", "1", "--dice", "commit-reveal", "-o", "proved").status
        == 0
    )
    assert gamelog("validate", "out", "proved").status == 0
    assert gamelog("index", "out", "--archive", "a.duckdb").status == 0
    rows = gamelog("query", "standings", "--archive", "a.duckdb", "--format", "json").json
    assert [row["seat"] for row in rows] == ["white", "black"]
    assert rows[0]["payoff_mean"] == -rows[1]["payoff_mean"]
    assert {row[name] for row in rows for name in ("first", "last", "place_mean")} == {None}, (
        "who says no places has none"
    )
    assert gamelog("query", "dice", "--archive", "a.duckdb", "--format", "json").json
    assert gamelog("report", "--archive", "a.duckdb", "-o", "r.html").status == 0
    assert "mean payoff" in Path("r.html").read_text()
    assert "mean place" not in Path("r.html").read_text()
    assert gamelog("export", "out", "-o", "site").status == 0
    assert len((EXAMPLES / "backgammon/backgammon/__init__.py").read_text().splitlines()) < 300


def test_two_sheets_with_another_order_of_dice_are_one_game(gamelog: Gamelog) -> None:
    for name, dice in (("a", "[6,5]"), ("b", "[5,6]")):
        gamelog("new", "backgammon", f"{name}.jsonl", *SEATS)
        moves = ['{"do":"move","src":8,"die":3}', '{"do":"move","src":6,"die":1}', '{"do":"roll"}']
        done = gamelog(
            "append",
            f"{name}.jsonl",
            '{"do":"opening","faces":[3,1]}',
            *moves,
            f'{{"do":"dice","faces":{dice}}}',
        )
        assert done.status == 0
    assert gamelog("compare", "a.jsonl", "b.jsonl").status == 0


ARROW_TO_CHECKER = """() => {
  const tip = document.querySelector("#board .tip"), end = tip.getPointAtLength(tip.getTotalLength()).matrixTransform(tip.getScreenCTM());
  const near = [...document.querySelectorAll("#board .piece")].map((one) => {
    const box = one.getBoundingClientRect();
    return Math.hypot(box.x + box.width / 2 - end.x, box.y + box.height / 2 - end.y) / box.width;
  });
  return Math.min(...near);
}"""
"""JavaScript that returns the distance from the arrow's head to the nearest checker, in checkers."""


@pytest.mark.browser
def test_the_arrow_of_a_move_leads_to_the_checker_and_not_to_the_middle_of_its_point(
    gamelog: Gamelog, browser: Browser
) -> None:
    gamelog("new", "backgammon", "arrow.jsonl", *SEATS)
    events = ('{"do":"opening","faces":[3,1]}', '{"do":"move","src":8,"die":3}')
    assert gamelog("append", "arrow.jsonl", *events).status == 0
    assert gamelog("export", "arrow.jsonl", "-o", "arrow.html").status == 0
    page = browser.new_page()
    page.goto(f"{Path('arrow.html').resolve().as_uri()}#n=2")
    page.wait_for_selector("#board .tip", state="attached")
    assert page.evaluate(ARROW_TO_CHECKER) < 1
    assert page.locator("#board polygon.k-maple, #board polygon.k-walnut").count() == 24
    page.close()


def test_the_summary_shows_what_the_players_won_and_lost(gamelog: Gamelog) -> None:
    gamelog("new", "backgammon", "bg.jsonl", *SEATS)
    typed = "3 1\n8/5\n6/5\nroll\n6 6\n24/18\n24/18\n13/7\n13/7\ndouble\ndrop\n\nquit\n"
    gamelog("record", "bg.jsonl", stdin=typed)
    assert gamelog("export", "bg.jsonl", "-o", "bg.html").status == 0
    page = Path("bg.html").read_text()
    assert "<bdi>Ana</bdi> ★ <b>1</b>" in page
    assert "<bdi>Rui</bdi> <b>\u22121</b>" in page
    assert gamelog("export", ".", "-o", "site").status == 0
    assert "1:\u22121" in Path("site/index.html").read_text()

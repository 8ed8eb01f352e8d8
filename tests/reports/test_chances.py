"""Tests of the chances on a replay page: words, curve, and what pages that hide something leave out."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from typing import Any

import pytest
from gamelog_reports import bundle
from gamelog_reports.replay_page.chance_curve import DASHES, SeatCurve, chance_curve, mean_chances
from gamelog_reports.replay_page.page import make_page, replay_page
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from gamelog.analysis.analysis import Analysis
from gamelog.analysis.turning_points import Alternative
from gamelog.play.anonymity.anonymous_record import anonymous_replay
from gamelog.play.contract.registry import names
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.playing.evaluator import MIN_CHECKED_GAMES, CalibrationBin
from gamelog.record.reading import read_record
from tests.reports import payload
from tests.reports.analyses import made_analysis
from tests.samples.__main__ import DIRECTORY
from tests.shares import examples

TURNING = (2, 119)


@cache
def record(name: str = "slicewars/full-2") -> FoldedRecord:
    return fold_record(read_record(DIRECTORY / f"{name}.jsonl"))


def analysis(**others: Any) -> Analysis:
    other = Alternative({"do": "pass"}, 0.9, 0.03, 0.2, True)
    return made_analysis(record(), TURNING, {119: other}, **others)


def shown(html: str) -> str:
    """Return the text of the chances on a page, or an empty text."""
    found = re.search(r'<details id="chances".*?</details>\n</details>', html, re.DOTALL)
    text = re.sub(r"<svg.*?</svg>\s*(?=<svg|<figcaption)", "", found[0], flags=re.DOTALL) if found else ""
    return re.sub(r"\s+", " ", unescape(re.sub(r"</?(?:bdi|b|q|a)\b[^>]*>", "", text)))


def test_the_page_says_in_words_what_luck_and_choices_did() -> None:
    text = shown(replay_page(record(), analysis=analysis()))
    assert "if both went on like the greedy bot, a program that plays: 0.60 means 60 of 100 games" in text
    assert "Ana: +0.25 by dice, −0.38 by choices, +0.62 by other events (each ±0.01)." in text
    assert "From 0.50 at the start to 1.00 at the end." in text
    assert "Omar: −0.25 by dice, +0.38 by choices, −0.62 by other events" in text
    assert "A mistake of one is a gain of the others." in text
    assert "◆ 2 By dice, the chance of Ana goes from 0.50 to 0.75 (±0.08). Ana rolls 5." in text
    assert (
        "◆ 119 By a choice of Ana, the chance of Ana goes from 0.75 to 0.38 (±0.08). Ana attacks E4" in text
    )
    assert "Better, with a chance of 0.90: Ana passes." in text
    assert re.findall(r"<td>(.*?)</td>", text) == ["60–80%", "321", "70%", "66%", "48–80%"]
    assert "compared with 30 other games of the bot. The chances were right within their error." in text
    assert "Extra wins, beside the points of a player, count contests instead" in text


def test_the_page_says_the_same_in_portuguese() -> None:
    text = shown(replay_page(record(), language="pt", analysis=analysis()))
    assert "se ambos continuassem como o bot greedy, um programa que joga: 0,60 quer dizer 60 em 100" in text
    assert "Ana: +0,25 pelos dados, −0,38 pelas escolhas, +0,62 por outros eventos" in text
    assert "◆ 119 Por uma escolha de Ana, a probabilidade de Ana passa de 0,75 para 0,38 (±0,08)." in text
    assert re.findall(r"<td>(.*?)</td>", text)[::3] == ["60–80 %", "66 %"]
    assert "As probabilidades estavam certas, dentro do seu erro." in text
    assert "As vitórias a mais, ao lado dos pontos de um jogador, contam antes confrontos" in text
    assert not re.search(r"\b(?:chance|by dice|choices|turning)\b", text)


def test_games_for_more_players_and_other_luck_have_their_words() -> None:
    territory = record("gp02a_territory/full-3")
    text = shown(replay_page(territory, analysis=made_analysis(territory)))
    assert "if all went on like the greedy bot" in text
    assert "by luck" in text and "by dice" not in text
    assert "There is no turning point: no event changed a chance by more than the margin of error." in text


def test_an_overconfident_evaluator_is_named_and_too_few_games_say_nothing() -> None:
    warning = "These chances are overconfident"
    assert warning not in shown(replay_page(record(), analysis=analysis(slope=0.8)))
    assert warning in shown(replay_page(record(), analysis=analysis(slope=0.79)))
    few = shown(replay_page(record(), analysis=analysis(slope=0.5, checked_games=MIN_CHECKED_GAMES - 1)))
    assert warning not in few
    assert "19 other games of the bot, too few to say whether it is right" in few


def test_an_analysis_without_playouts_says_that_its_line_is_an_estimate() -> None:
    plain = made_analysis(record(), playouts=0, examined=0, large=0)
    for point in plain.points:
        point.error = 0.0
    html = replay_page(record(), analysis=plain)
    assert "The whole line is an estimate. It has no band and no turning points" in shown(html)
    assert 'class="band"' not in html
    assert 'class="band"' in replay_page(record(), analysis=analysis())


def test_turning_points_join_those_of_the_points_and_come_first() -> None:
    moments = payload.page_data(replay_page(record(), analysis=analysis()))["moments"]
    assert len(moments) == 5
    assert [(n, text) for n, text, _ in moments if n in TURNING] == [
        (2, "By dice, the chance of {@seat} goes from {=before} to {=after}."),
        (119, "By a choice of {@by}, the chance of {@seat} goes from {=before} to {=after}."),
    ]
    many = made_analysis(record(), range(100, 130))
    assert len(payload.page_data(replay_page(record(), analysis=many))["moments"]) == 5


@pytest.mark.parametrize("name", sorted(names()))
def test_a_page_without_an_analysis_has_nothing_of_it(name: str) -> None:
    html = replay_page(record(f"{name}/short"))
    script = payload.script(html)
    assert not [part for part in (html, script) if "chances" in part]


def test_an_anonymous_page_has_seats_instead_of_people() -> None:
    text = shown(make_page(anonymous_replay(record()), analysis=analysis()).html)
    assert "red: +0.25 by dice" in text
    assert not [name for name in ("Ana", "Rui", "Omar", record().record.head) if name and name in text]


def test_a_game_with_hidden_information_is_folded_and_the_page_of_a_seat_has_no_chances() -> None:
    zone = record("zone_s/full-2")
    made = made_analysis(zone, (81, 85))
    html = replay_page(zone, analysis=made)
    assert '<details id="chances" class="panel">' in html
    assert "(this shows what was hidden during the game)" in html
    assert '<details id="chances" class="panel" open>' in replay_page(record(), analysis=analysis())
    seen = [text for _, text, _ in payload.page_data(html).get("moments", ())]
    assert not any("chance" in text for text in seen)
    for seat in made.seats:
        assert replay_page(zone, seat=seat, analysis=made) == replay_page(zone, seat=seat)
    assert shown(replay_page(record(), seat="red", analysis=analysis()))


def test_an_analysis_of_another_length_is_left_out() -> None:
    short = analysis()
    assert replay_page(record(), analysis=analysis(points=short.points[:-1])) == replay_page(record())


def test_names_of_people_cannot_leave_their_place() -> None:
    label = '<script>alert("x")</script>'
    html = chance_curve([SeatCurve(label, "#b92f28", [0.5, 1.0], [0.1, 0.0])], {1: label}, label)
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 3


def test_lines_have_the_dashes_of_the_chart_of_points() -> None:
    found = re.search(r"const DASHES = \[(.*?)\];", bundle.asset("chart.js"))
    assert found
    assert tuple(re.findall(r'"(.*?)"', found[1])) == DASHES


CHANCES = st.lists(st.floats(0, 1), min_size=1, max_size=400)


@settings(max_examples=examples(60), deadline=None)
@given(CHANCES, st.sets(st.integers(0, 400)), st.integers(1, 6))
def test_means_keep_jumps_and_the_end(chances: list[float], jumps: set[int], width: int) -> None:
    means = mean_chances(chances, jumps, width)
    assert len(means) == len(chances)
    assert means[-1] == chances[-1]
    for n, mean in enumerate(means):
        changes = [m for m in range(n + 1) if not m or m in jumps or chances[m] != chances[m - 1]]
        part = [chances[m] for m in changes[-width:]]
        if n == len(chances) - 1:
            part = chances[-1:]
        assert min(part) - 1e-9 <= mean <= max(part) + 1e-9
        assert n not in jumps or mean == chances[n]


def test_an_event_without_a_change_does_not_move_the_line() -> None:
    assert mean_chances([0.5, 0.7, 0.7, 0.7, 0.5, 0.0], (), 2) == pytest.approx(
        [0.5, 0.6, 0.6, 0.6, 0.6, 0.0]
    )


def walked(path: str) -> list[tuple[int, int]]:
    """Return the corners of a path of level and upright lines."""
    start = re.match(r"M0 (\d+)", path)
    assert start
    x, y = 0, int(start[1])
    corners = [(x, y)]
    for kind, size in re.findall(r"([hv])(-?\d+)", path):
        x, y = (x + int(size), y) if kind == "h" else (x, y + int(size))
        corners.append((x, y))
    return corners


@settings(max_examples=examples(60), deadline=None)
@given(CHANCES, st.floats(0, 0.2))
def test_line_and_band_stay_in_the_picture_and_end_at_the_last_chance(
    chances: list[float], margin: float
) -> None:
    html = chance_curve([SeatCurve("Ana", "#b92f28", chances, [margin] * len(chances))], {}, "x")
    paths: dict[str, str] = dict(re.findall(r'<path class="(line|band)" d="(.*?)"', html))
    line = walked(paths["line"])
    assert not paths["line"].endswith("Z")
    assert line[-1] == (300, round(100 * (1 - chances[-1])))
    if margin:
        band = walked(paths["band"])
        assert paths["band"].endswith("Z")
        assert band[-1][0] == 0
        heights, ends = [y for _, y in line], [y for _, y in band]
        assert min(ends) <= min(heights)
        assert max(ends) >= max(heights)
    else:
        assert "band" not in paths
    assert all(0 <= x <= 300 and 0 <= y <= 100 for path in paths.values() for x, y in walked(path))


def test_the_curve_of_a_long_game_is_small() -> None:
    """A game of four seats in which every event changes every chance as much as possible."""
    up_and_down = [n % 2 for n in range(20_000)]
    seats = [SeatCurve("Ana", "#b92f28", up_and_down, [0.02] * 20_000) for _ in range(4)]
    assert len(chance_curve(seats, {}, "x")) < 50_000


def test_the_verdict_follows_from_the_table() -> None:
    bins = [CalibrationBin(0.2 * k, 0.2 * (k + 1), 300, 0.1 + 0.2 * k, 0.1 + 0.2 * k) for k in range(5)]
    made = structs.replace(analysis(), calibration=tuple(bins), checked_games=500)
    text = shown(replay_page(record(), analysis=made))
    assert re.findall(r"<td>(.*?)</td>", text)[::5] == ["60–80%", "80–100%"], "the other ranges mirror them"
    assert "The chances were right within their error." in text
    off = structs.replace(made, calibration=(*bins[:4], structs.replace(bins[4], won=0.8)))
    assert "In 1 range of the table, the share of wins differs" in shown(replay_page(record(), analysis=off))
    assert "The chances were overconfident." in shown(
        replay_page(record(), analysis=structs.replace(made, slope=0.7))
    )
    three = record("gp02a_territory/full-3")
    whole = structs.replace(made_analysis(three), calibration=tuple(bins), checked_games=500)
    assert len(re.findall("<tr>", shown(replay_page(three, analysis=whole)))) == 1 + 5


def test_near_turning_points_share_a_mark() -> None:
    marks = {2: "a", 3: "b", 40: "c", 52: "d", 99: "e"}
    seat = SeatCurve("Ana", "red", [0.5] * 101, [0.0] * 101)
    links = re.findall(r'<a href="#n=(\d+)" aria-label="([^"]*)"', chance_curve([seat], marks, "chances"))
    assert links == [("2", "◆ 2 a ◆ 3 b"), ("40", "◆ 40 c ◆ 52 d"), ("99", "◆ 99 e")]

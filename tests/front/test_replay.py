"""A replay as a program sees it: steps, what stands, what cannot be followed, pictures."""

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import gamelog
from gamelog.errors import BrokenGame, Damaged, Exists, NotReadable, Torn, UnknownFormat
from gamelog.games.slicewars import GAME
from gamelog.games.zone_s import GAME as ANOTHER
from gamelog.record import chain

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "sample_games").glob("*/*.jsonl"))
SLICEWARS = ROOT / "sample_games/slicewars"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_sample_is_read_as_it_is_judged(path: Path) -> None:
    game, verdict = gamelog.read(path), gamelog.validate(path)
    assert game.status == verdict.status
    assert sorted(map(str, game.findings)) == sorted(map(str, verdict.findings))
    assert [step.n for step in game] == list(range(1, len(game) + 1))
    assert [step.n for step in game if step.stands] == [step.n for step in game.main_line()]
    if verdict.finished is not None:
        assert (game.finished, game.outcome) == (verdict.finished, verdict.outcome)
    some = [*game][:30] + [*game][-3:]
    for step in some:
        assert step.event.n == step.n
        assert step.n == 1 or step.before is game[step.n - 1].after
    for shown in (game, verdict, *game.findings, *some):
        assert "\n" not in repr(shown)
        assert len(repr(shown)) <= 120, repr(shown)


def test_steps_are_numbered_from_one_and_from_the_end() -> None:
    game = gamelog.read(SLICEWARS / "short.jsonl")
    assert (game[1].n, game[-1].n, game[-len(game)].n) == (1, len(game), 1)
    assert game[3] == game[3]
    assert game[3] != game[4]
    assert len({game[3], game[3], game[4]}) == 2
    for n in (0, len(game) + 1, -len(game) - 1):
        with pytest.raises(IndexError, match="from 1 to"):
            game[n]


def test_steps_are_sliced_and_reversed_by_their_numbers() -> None:
    game = gamelog.read(SLICEWARS / "takeback.jsonl")
    last = len(game)
    assert [step.n for step in game[1:3]] == [1, 2]
    assert [step.n for step in game[:3]] == [1, 2]
    assert [step.n for step in game[-2:]] == [last - 1, last]
    assert [step.n for step in game[::-1]] == [step.n for step in reversed(game)] == [*range(last, 0, -1)]
    assert game[last + 1 :] == ()


def test_people_who_changed_seats_are_those_who_sit_there_now(tmp_path: Path) -> None:
    with gamelog.create(tmp_path / "a.jsonl", "slicewars", seats={"blue": "Rui", "red": "Ana"}) as record:
        record.append({"do": "@substitute", "by": "arbiter", "seat": "blue", "name": "Mei"})
    game = gamelog.read(tmp_path / "a.jsonl")
    assert game.seats == {"red": "Ana", "blue": "Mei"}
    assert [person.name for person in game.header.seats] == ["Ana", "Rui"]


def record(path: Path, header: str) -> Path:
    """A record of nothing but a header with these members."""
    path.write_bytes(chain.chained_line(chain.GENESIS, header.encode() + b"\n")[0])
    return path


def test_what_cannot_be_read_raises_and_what_cannot_be_followed_has_no_steps(tmp_path: Path) -> None:
    for content, error in ((b"", Torn), (b"{}\n", Damaged)):
        (tmp_path / "x.jsonl").write_bytes(content)
        with pytest.raises(error):
            gamelog.read(tmp_path / "x.jsonl")
    with pytest.raises(NotReadable):
        gamelog.read(tmp_path)
    with pytest.raises(UnknownFormat):
        gamelog.read(record(tmp_path / "later.jsonl", '"gamelog":2}'))
    members = (SLICEWARS / "short.jsonl").read_text().splitlines()[0][51:].replace('"slicewars"', '"chess"')
    game = gamelog.read(record(tmp_path / "chess.jsonl", members))
    assert (game.status, len(game), list(game), game.main_line(), game.outcome) == (
        "unknown",
        0,
        [],
        (),
        None,
    )
    assert game.findings[0].code == "play.unknown_game"
    assert bool(game)
    with pytest.raises(IndexError, match="no steps"):
        game[1]
    with pytest.raises(ValueError, match="chess"):
        gamelog.svg(game)
    assert "chess" in gamelog.html(game)


def elsewhere(options: Any, board: Any, seats: tuple[str, ...]) -> Any:
    """The start of a game that is not Gamelog's own."""
    return GAME.start(options, board, seats)


def boom(*_: object) -> Any:
    raise ZeroDivisionError("boom")


def test_a_record_is_read_by_a_game_of_its_own_alone() -> None:
    assert gamelog.read(SLICEWARS / "short.jsonl", game=GAME).status == "ok"
    for other in (ANOTHER, replace(GAME, rules_version="9.9")):
        game = gamelog.read(SLICEWARS / "short.jsonl", game=other)
        assert (game.status, len(game)) == ("unknown", 0)
        assert "slicewars 1.0" in game.findings[0].text


def test_a_game_whose_code_fails_is_told_of_and_spoils_nothing_else() -> None:
    path = SLICEWARS / "ended-all.jsonl"
    game = gamelog.read(path, game=replace(GAME, start=elsewhere, pending=boom))
    assert (game.status, game.outcome, len(game)) == ("unknown", None, 0)
    assert "ZeroDivisionError: boom" in game.findings[-1].text
    game = gamelog.read(path, game=replace(GAME, start=elsewhere, effects=boom, scene=boom))
    assert (game.status, game.finished) == ("ok", True)
    assert "boom" in game[4].text
    with pytest.raises(BrokenGame, match="boom"):
        game[4].effects  # noqa: B018
    with pytest.raises(BrokenGame, match="boom"):
        gamelog.svg(game, 0)
    assert gamelog.html(game) != gamelog.html(gamelog.read(path))


def test_a_board_is_a_picture_of_the_position_after_the_event() -> None:
    game = gamelog.read(SLICEWARS / "short.jsonl")
    pictures = [gamelog.svg(game, n) for n in (0, 1, 6, len(game))]
    assert all(ET.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg" for picture in pictures)
    assert len(set(pictures)) == 4
    assert gamelog.svg(game) == gamelog.svg(game, -1) == pictures[-1]
    assert game[6]._repr_svg_() == pictures[2]
    assert pictures[2] in game[6]._repr_html_()
    assert "Rui claims F4" in game[6]._repr_html_().partition("<figcaption>")[2]
    with pytest.raises(IndexError):
        gamelog.svg(game, len(game) + 1)
    with pytest.raises(ValueError, match="no seat"):
        gamelog.svg(game, 1, seat="green")


def test_a_board_for_a_seat_shows_what_that_seat_sees_alone() -> None:
    game = gamelog.read(ROOT / "sample_games/zone_s/short.jsonl")
    red, blue = game.header.seat_ids
    assert len({gamelog.svg(game, 5), gamelog.svg(game, 5, seat=red), gamelog.svg(game, 5, seat=blue)}) == 3


def test_a_page_is_written_and_never_over_a_record(tmp_path: Path) -> None:
    game = gamelog.read(SLICEWARS / "short.jsonl")
    page = gamelog.html(game, tmp_path / "new" / "page.html", title="Club night", language="pt")
    assert (tmp_path / "new/page.html").read_text() == page
    assert "<title>Club night" in page
    anonymous = gamelog.html(game, anonymous=True)
    assert "Ana" not in re.sub(r"[A-Za-z0-9+/=]{200,}", "", anonymous), "packed bytes can spell a name"
    copy = shutil.copy(SLICEWARS / "short.jsonl", tmp_path / "mine.html")
    with pytest.raises(Exists, match="holds records"):
        gamelog.html(game, copy)
    assert Path(copy).read_bytes() == (SLICEWARS / "short.jsonl").read_bytes()
    with pytest.raises(gamelog.GamelogError):
        gamelog.html(game, tmp_path)


def test_bots_play_the_same_game_for_the_same_seed() -> None:
    one, same, other = (
        gamelog.simulate("slicewars", bots=["greedy", "random"], seed=seed) for seed in (7, 7, 8)
    )
    assert one.header == same.header != other.header
    assert [step.event for step in one] == [step.event for step in same]
    assert one.status == "ok"
    assert one.finished
    typed = gamelog.simulate(
        replace(GAME, start=elsewhere), players=4, board="hex36", options={"max_rounds": 5}, dice="table"
    )
    assert (typed.status, len(typed.seats), typed.header.options["max_rounds"]) == ("ok", 4, 5)
    wrongs: list[dict[str, Any]] = [
        {"players": 9}, {"bots": ["clever"]}, {"bots": []}, {"options": {"max_rounds": "x"}}, {"board": "none"}
    ]  # fmt: skip
    for wrong in wrongs:
        with pytest.raises(gamelog.GamelogError):
            gamelog.simulate("slicewars", **wrong)
    with pytest.raises(gamelog.GamelogError, match="chess"):
        gamelog.simulate("chess")
    with pytest.raises(gamelog.GamelogError, match="not ended"):
        gamelog.simulate("slicewars", max_events=5)


def test_a_step_has_the_points_after_its_event() -> None:
    game = gamelog.read(SLICEWARS / "ended-majority_full.jsonl")
    last = game.main_line()[-1]
    assert last.score == GAME.score(last.after)
    assert game[2].score != last.score

"""Tests of the entries of the index: points, tags, and the small picture of the last position."""

from __future__ import annotations

import json

import pytest
from gamelog_reports import site
from gamelog_reports.board_thumbnail import Thumbnail, thumbnail
from gamelog_reports.replay_page.page import make_page
from msgspec import json as msgspec_json
from msgspec import structs

from gamelog.play.anonymity.anonymous_record import anonymous_replay
from gamelog.play.contract.scene import BoardLayout, Cell, Link, Piece, Scene
from gamelog.play.fold import common_events
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.reports import toy
from tests.samples.__main__ import DIRECTORY


def test_an_entry_has_points_and_tags_as_corrected() -> None:
    events = [*toy.game(), common_events.Amend(15, 95_000, "red", tags={"event": "Cup", "place": "Lisbon"})]
    record = toy.folded(events, toy.header(event="Cub", round="2", table="3"))
    entry = site.entry(record, "a.html")
    assert (entry.event, entry.round, entry.tags) == ("Cup", "2", ("table 3", "Lisbon"))
    assert list(entry.points) == [1, 0]
    nameless = site.entry(anonymous_replay(record), "a.html")
    assert (nameless.event, nameless.round, nameless.tags, nameless.points) == ("", "", (), (1, 0))


def test_an_open_claim_is_in_the_status_until_it_is_withdrawn() -> None:
    claim = common_events.Claim(15, 95_000, "red", text="too late", about=3)
    record = toy.folded([*toy.game(), claim])
    assert (record.status, site.entry(record, "a.html").status) == ("ok", "claim")
    assert "valid, a claim is open" in make_page(record).html
    assert "válido, com reclamação em aberto" in make_page(record, language="pt").html
    withdrawn = toy.folded([*toy.game(), claim, common_events.Withdraw(16, 96_000, "red", about=15)])
    assert site.entry(withdrawn, "a.html").status == "ok"


def test_a_picture_has_the_cells_and_pieces_of_the_position() -> None:
    layout = BoardLayout(
        (Cell("a", 0, 0, kind="water"), Cell("b", 1, 0, "hex"), Cell("c", 2, 0, "disc", "cave")),
        (Link("a", "b"),),
        colours=(("Y", "yellow"),),
    )
    pieces = (
        Piece("a", "die", "red", "3"),
        Piece("b", "disc", "red"),
        Piece("c", "disc", text="Y 1"),
        Piece("b", "tile", text="forest"),
    )
    made = thumbnail(Scene(layout, pieces, (("a", "blue"),)), ("red", "blue"))
    area, board = json.loads(made.board)
    assert area[2] > area[3] > 0
    assert [(form, look) for form, look, _, _ in board] == [
        ("link", ""),
        ("cell", "k-water"),
        ("cell", "land"),
        ("cell", "tint0"),
    ]
    assert {(form, look) for form, look, _, _ in json.loads(made.position)} == {
        ("owner", "#2b6cc4"),
        ("cell", "k-forest"),
        ("square", "#b92f28"),
        ("round", "#b92f28"),
        ("round", "#f4c42e"),
    }


def test_pictures_of_one_board_share_its_text_after_a_journal() -> None:
    one = site.entry(toy.folded(toy.game()), "a.html")
    other = site.entry(toy.folded(toy.game()[:3]), "b.html")
    read = msgspec_json.decode(msgspec_json.encode([one, other]), type=list[site.Entry])
    assert [*read] == [one, other]
    assert read[0].thumbnail
    assert read[1].thumbnail
    assert read[0].thumbnail.board is read[1].thumbnail.board
    assert read[0].thumbnail.position != read[1].thumbnail.position


@pytest.mark.parametrize("reveal", [True, False])
def test_a_picture_does_not_show_what_a_player_does_not_know(reveal: bool) -> None:
    """The picture is the same for all pieces that lie face down, also with all hidden information."""
    events = toy.game()[:6]
    other = [*events[:5], structs.replace(events[5], what="die")]
    pictures = [site.entry(toy.folded(one), "a.html", reveal=reveal).thumbnail for one in (events, other)]
    assert isinstance(pictures[0], Thumbnail)
    assert pictures[0] == pictures[1]


def test_every_sample_game_has_a_small_picture() -> None:
    for path in DIRECTORY.glob("*/full-2.jsonl"):
        picture = site.entry(fold_record(read_record(path)), "a.html").thumbnail
        assert picture
        assert len(picture.position) < 4_000


def test_a_record_of_an_unknown_game_has_no_points_and_no_picture() -> None:
    entry = site.entry(fold_record(toy.folded(toy.game()).record), "a.html")
    assert (entry.points, entry.thumbnail) == ((), None)

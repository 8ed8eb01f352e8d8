"""Tests of the origin of results, and of answers that leave out walkovers and games ended by a ruling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from gamelog_reports.report.page import report

from gamelog.archive import Reader, Update
from gamelog.archive.indexing import commits
from gamelog.archive.querying.reader import INCOMPLETE_NOTE
from gamelog.archive.workers import batch_workers
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold import common_events
from gamelog.record.envelope import Event

from .conftest import Table

Run = Callable[..., Update]
Ask = Callable[..., list[tuple[Any, ...]]]
Turn = tuple[str, int, int]

PLAYED: list[Turn] = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]
BEGUN: list[Turn] = PLAYED[:2]
RED = Outcome(("red",), "as agreed")


def ruling(kind: Any, about: int) -> Event:
    return common_events.Ruling(0, 0, "arbiter", kind=kind, result=RED, about=about, reason="-", name="Lena")


def agreement(n: int) -> list[Event]:
    """Return the events `n` and `n + 1`, by which all agree on a result."""
    return [common_events.Agree(0, 0, "red", result=RED), common_events.Accept(0, 0, "blue", about=n)]


SAID = common_events.Result(0, 0, "table", Outcome(("red",), "points"))
GAP = common_events.Gap(0, 0, "table", state={"points": [1, 1], "actor": 0}, reason="the sheet got lost")
STANDS = common_events.Ruling(0, 0, "arbiter", kind="stands", about=5, reason="both say so", name="Lena")

ENDS: list[tuple[str, Sequence[Turn | Event], str, int]] = [
    ("played", PLAYED, "play", 0),
    ("noted", [*PLAYED, common_events.Note(0, 0, "table", "well played"), SAID], "play", 0),
    ("resigned", [*BEGUN, common_events.Resign(0, 0, "blue")], "resignation", 0),
    ("agreed", [*BEGUN, *agreement(5)], "agreement", 0),
    ("ruled", [*BEGUN, ruling("forfeit", 4)], "ruling", 0),
    ("forfeited", [common_events.Note(0, 0, "table", "did not come"), ruling("forfeit", 1)], "walkover", 0),
    ("gone", [common_events.Resign(0, 0, "blue")], "walkover", 0),
    ("left", [*BEGUN[:1], common_events.Resign(0, 0, "blue")], "walkover", 0),
    ("shaken", agreement(1), "walkover", 0),
    ("lost", [*BEGUN, GAP, STANDS, PLAYED[2]], "play", 1),
    ("open", BEGUN, "", 0),
]


@pytest.fixture
def club(table: Table, indexed: Run) -> None:
    for day, (id, turns, *_) in enumerate(ENDS, 1):
        table(*turns, id=id, started=f"2026-03-{2 * day:02}T20:00:00Z")  # no copies
    indexed()


@pytest.mark.usefixtures("club")
def test_origins_of_results(ask: Ask) -> None:
    ends = {
        id: (by or "", gaps) for id, by, gaps in ask("SELECT id, result_by, gaps FROM games WHERE counted")
    }
    assert ends == {id: (by, gaps) for id, _, by, gaps in ENDS}


@pytest.mark.usefixtures("club")
def test_shares_and_ratings_are_of_games_that_play_decided(ask: Ask, archive: Path) -> None:
    assert {row[2:5] for row in ask("seats")} == {("red", 1, 5), ("blue", 2, 5)}, (
        "played, noted, resigned, agreed, lost"
    )
    assert [row[1:4] for row in ask("players")] == [("Ana", 11, 5), ("Rui", 11, 5)]
    assert [row[2] for row in ask("leads")] == [5]
    assert sum(row[4] for row in ask("openings")) == 10
    assert sum(row[4] for row in ask("endings")) == 10, "every finished game is told how it ended"
    with Reader(archive) as reader:
        (note,) = reader.notes("seats")
        assert note == (
            "5 finished games are left out because the result did not come by complete play (4 by walkover, "
            "1 by a ruling). To count all games, ask the stock question endings."
        )
        assert reader.notes("players") == reader.notes("leads") == reader.notes("seats")
        assert reader.notes("endings") == reader.notes("dice") == ()
        assert reader.notes("seats", {"until": "2026-03-03"}) == ()


@pytest.mark.usefixtures("club")
def test_lengths_are_of_games_played_to_their_end(ask: Ask, archive: Path) -> None:
    ((_, _, games, *_),) = ask("lengths")
    assert games == 2
    with Reader(archive) as reader:
        assert "8 finished games are left out" in reader.notes("lengths")[0]
        assert "1 by play with moves that were not recorded" in reader.notes("lengths")[0]


@pytest.mark.usefixtures("club")
def test_the_report_says_so_too(archive: Path) -> None:
    page = report(archive)
    assert (
        "11 records count, 10 of them finished. 5 of the finished games ended by a walkover or a ruling"
        in page
    )
    assert "5 finished games are left out of shares and ratings" in page
    assert (
        "8 finished games are left out: ended by a resignation, an agreement, a ruling or a walkover" in page
    )


def test_the_report_has_notes_on_merged_variants_and_an_unfinished_run(
    table: Table, indexed: Run, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(*PLAYED, id="goal-2", options={"goal": 2})
    table(("left", 6, 1), id="goal-1", options={"goal": 1})
    indexed()
    page = report(archive)
    assert "Games that differ in option goal (1, 2) are counted together." in page
    assert INCOMPLETE_NOTE not in page

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    table(*PLAYED, id="later")
    table(*PLAYED, id="last")
    monkeypatch.setattr(batch_workers, "RECORDS", 1)
    monkeypatch.setattr(commits, "_MAX_WAITING_ROWS", 0)
    with pytest.raises(KeyboardInterrupt):
        indexed(progress=stop)
    assert INCOMPLETE_NOTE in report(archive)


@pytest.mark.usefixtures("club")
def test_a_nameless_report_does_not_name_whom_a_file_of_aliases_names(archive: Path) -> None:
    (archive.parent / "people.toml").write_text('[people]\n"Ana Sousa" = ["Ana", "Annabella"]\n')
    assert "people.toml: no one in the archive has the name" in report(archive)
    page = report(archive, anonymous=True)
    assert "Annabella" not in page
    assert "Ana" not in page


def test_a_report_names_files_without_the_folders_of_the_machine(
    table: Table, indexed: Run, archive: Path, tmp_path: Path
) -> None:
    for at in range(4):
        table(*PLAYED, id=f"sound-{at}")
    (table.folder / "junk.jsonl").write_text("junk\n")
    (table.folder / "nowhere.jsonl").symlink_to(tmp_path / "nothing")
    indexed()
    page = report(archive)
    assert "nowhere.jsonl does not exist" in page
    assert str(tmp_path) not in page


def test_standings_say_why_they_are_empty(table: Table, indexed: Run, archive: Path) -> None:
    """Tug gives the winner, but no places."""
    table(*BEGUN, id="open")
    indexed()
    with Reader(archive) as reader:
        assert reader.notes("standings") == (
            "No chosen game has a result by play, so there are no places or payoffs.",
        )
    for day in (2, 5):
        table(*PLAYED, started=f"2026-03-0{day}T20:00:00Z")
    indexed()
    with Reader(archive) as reader:
        asked = reader.ask("standings")
    assert asked.rows == []
    assert asked.notes == (
        "All 2 finished games give only the winners, without places or payoffs of the seats. To see results "
        "and ratings of players, ask the stock question players.",
    )

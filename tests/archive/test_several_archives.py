"""Tests that several archives answer like one archive of all their records."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gamelog.archive import TABLES, VIEWS, Answer, Reader, all_questions, index
from gamelog.errors import ArchiveError
from gamelog.record.envelope import Parent

from .conftest import Table

WON = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]
LOST = [("left", 1, 6), ("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]


def games(folder: Path, first: int, count: int) -> None:
    """Return games on days of their own. The same number gives the same record."""
    table = Table(folder)
    for at in range(first, first + count):
        names = ("Ana", "Rui") if at % 3 else ("Mei", "Omar")
        turns = WON if at % 2 else LOST
        day = datetime(2000, 1, 1, 20) + timedelta(days=at)
        table(*turns, id=f"{at:04}", names=names, pace=500 + at, started=f"{day.isoformat()}Z")


def rounded(answer: Answer) -> tuple[Any, ...]:
    """Return an answer with numbers to six digits, because the order of a sum changes the last digits."""
    rows = (
        tuple(float(f"{cell:.6g}") if isinstance(cell, float) else cell for cell in row)
        for row in answer.rows
    )
    return answer.columns, sorted(map(str, rows)), answer.notes


class Shelves:
    """Folders of records, an archive of each folder, and an archive of all folders."""

    def __init__(self, root: Path) -> None:
        self.one, self.two, self.whole = root / "one", root / "two", root / "whole.archive"
        self.archives = [root / "one.archive", root / "two.archive"]

    def index(self) -> None:
        for folder, archive in zip((self.one, self.two), self.archives, strict=True):
            index([folder], archive)
        index([self.one, self.two], self.whole)

    def agree(self, *, chosen: bool = False) -> None:
        """Check that all stock questions and tables agree and, with `chosen`, also for halves of the choices."""
        with Reader(self.archives) as both, Reader(self.whole) as whole:
            for name, question in all_questions().items():
                values: list[dict[str, Any]] = [{}]
                if chosen and any(one.name == "variant" for one in question.parameters):
                    values += [{"variant": "rules", "until": "2001-01-01"}]
                if chosen and any(one.name == "uncounted" for one in question.parameters):
                    values += [{"uncounted": True}]
                for given in values:
                    assert rounded(both.ask(name, given)) == rounded(whole.ask(name, given)), (name, given)
            for name in (*TABLES, *VIEWS):
                # whether a damaged file is read again depends on the time at which it was read
                changed = {"findings": "'' AS message", "files": "0 AS mtime_ns"}.get(name)
                columns = "* EXCLUDE (archive)" + (f" REPLACE ({changed})" if changed else "")
                assert (
                    rounded(both.ask(f"SELECT {columns} FROM {name}"))[1]
                    == rounded(whole.ask(f"SELECT {columns.replace(' EXCLUDE (archive)', '')} FROM {name}"))[
                        1
                    ]
                ), name


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    return Shelves(tmp_path)


def test_archives_that_share_100_games(shelves: Shelves) -> None:
    games(shelves.one, 0, 130)
    games(shelves.two, 30, 130)
    shelves.index()
    shelves.agree()
    with Reader(shelves.archives) as both:
        assert both.ask("SELECT count(*), count(DISTINCT id) FROM games WHERE counted").rows == [(160, 160)]
        assert both.ask("SELECT archive, count(*) FROM games GROUP BY archive ORDER BY archive").rows == [
            ("one", 130),
            ("two", 30),
        ]


def test_copies_forks_branches_and_spellings_across_archives(shelves: Shelves) -> None:
    one, two = Table(shelves.one), Table(shelves.two)
    games(shelves.one, 0, 40)
    games(shelves.two, 100, 40)
    one(*WON, id="a", names=("Ana", "José"))
    two(
        *WON, id="b", names=(" ana", "JOSE\u0301 "), started="2026-03-01T20:00:07Z", pace=900
    )  # two sheets of one evening
    for at in range(3):
        two(*LOST, id=f"ana-{at}", names=("ANA", "JOSÉ"), started=f"2026-04-0{2 * at + 1}T20:00:00Z")
    one(*WON[:1], id="fork", file="x.jsonl")
    two(*WON[1:], id="fork", file="y.jsonl")
    one(*WON, id="long", file="long.jsonl")  # the other one has its beginning
    two(*WON[:2], id="long", file="short.jsonl")
    shelves.index()
    with Reader(shelves.archives) as both:
        (head,) = both.ask("SELECT head FROM games WHERE id = 'a'").rows[0]
    two(*WON, id="branch", parents=(Parent("a", 2, head),), started="2026-05-01T20:00:00Z")
    shelves.index()
    shelves.agree(chosen=True)
    with Reader(shelves.archives) as both:
        assert both.ask("SELECT id, copy_of FROM games WHERE copy_of IS NOT NULL").rows == [("b", "a")]
        assert both.ask("SELECT path.parse_filename(), n FROM findings WHERE code = 'archive.fork'").rows == [
            ("x.jsonl", 1)
        ]
        assert both.ask("SELECT counted, events, archive FROM games WHERE id = 'long'").rows == [
            (True, 6, "one")
        ]
        assert both.ask("SELECT DISTINCT player FROM seats WHERE person = 'name:josé'").rows == [("JOSÉ",)]


def test_a_file_that_is_in_both_counts_once(shelves: Shelves) -> None:
    games(shelves.one, 0, 20)
    games(shelves.two, 20, 20)
    (shelves.one / "bad.jsonl").write_text("nothing")
    shelves.index()
    index([shelves.one], shelves.archives[1])
    shelves.agree()


def test_names_of_archives(shelves: Shelves, tmp_path: Path) -> None:
    games(shelves.one, 0, 3)
    games(shelves.two, 3, 3)
    shelves.index()
    with pytest.raises(ArchiveError, match="named twice"):
        Reader([shelves.whole, tmp_path / "." / "whole.archive"])
    with pytest.raises(ArchiveError, match="No archive is named"):
        Reader([])
    (tmp_path / "old").mkdir()
    old = Path(shutil.copy(shelves.archives[1], tmp_path / "old" / "one.archive"))
    with Reader([shelves.archives[0], old]) as both:
        assert both.ask("SELECT DISTINCT archive FROM files ORDER BY 1").rows == sorted(
            [(str(shelves.archives[0]),), (str(old),)]
        )
    with pytest.raises(ArchiveError, match="There is no archive at"):
        Reader([shelves.whole, tmp_path / "missing"])


def test_one_file_of_aliases_for_several_archives(shelves: Shelves, tmp_path: Path) -> None:
    games(shelves.one, 0, 3)
    games(shelves.two, 3, 3)
    shelves.index()
    (tmp_path / "people.toml").write_text('[people]\n"Ana Sousa" = ["Ana"]\n')
    (tmp_path / "old").mkdir()
    old = Path(shutil.copy(shelves.archives[1], tmp_path / "old"))
    with Reader(shelves.archives) as both:
        assert both.ask("SELECT count(*) FROM seats WHERE player = 'Ana Sousa'").rows == [(4,)]
    (tmp_path / "old" / "people.toml").write_text('[people]\n"A. S." = ["Ana"]\n')
    with pytest.raises(ArchiveError, match="Name one of them"):
        Reader([shelves.archives[0], old])
    with Reader([shelves.archives[0], old], people=tmp_path / "people.toml") as both:
        assert both.ask("SELECT count(*) FROM seats WHERE player = 'Ana Sousa'").rows == [(4,)]


def test_readers_leave_the_archives_as_they_were(shelves: Shelves) -> None:
    games(shelves.one, 0, 3)
    games(shelves.two, 1, 3)
    shelves.index()
    before = [archive.read_bytes() for archive in shelves.archives]
    with Reader(shelves.archives) as both:
        assert both.ask("SELECT count(*) FROM games").rows == [(4,)]
    assert [archive.read_bytes() for archive in shelves.archives] == before

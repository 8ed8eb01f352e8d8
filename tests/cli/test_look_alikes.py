"""Commands print the same about records that look alike to the player, or to all players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from duckdb import connect

from gamelog.archive.schema.tables import TABLES
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find
from tests.cli.conftest import Gamelog
from tests.table.alike import write
from tests.table.illegal_endings import varied_pairs

LINES = ("zz 3", "zz", "legal", "list", "odds", "why", "fix zz", "fix 3 zz", "undo 1 zz")
"""Lines typed into the recorder that record nothing, whatever the position is."""

SHEET = Path("..", "sheet.jsonl")
"""Another score sheet of the game, next to the folders of the records."""

PLACES = ("path", "mtime_ns")
"""Columns about the file of a record."""


Output = tuple[list[object], object]
"""A command, and what it prints or writes."""


def printed(gamelog: Gamelog, numbers: list[int], seat: str) -> Iterator[Output]:
    """Yield commands about the record here, and their output for `seat` and for all players."""
    for viewer in (["--seat", seat], []):
        replay: list[object] = ["replay", "evening.jsonl", *viewer]
        shown: list[list[object]] = [[], ["--list"], ["--every"], *(["--at", n] for n in numbers)]
        for words in shown:
            for form in ([], ["--json"]):
                yield [*replay, *words, *form], gamelog(*replay, *words, *form)
        record: list[object] = ["record", "evening.jsonl", *viewer]
        yield record, gamelog(*record, stdin="\n".join((*LINES, "quit\n")))


def published(gamelog: Gamelog) -> Iterator[Output]:
    """Yield commands that publish the record here, and what they publish."""
    index: list[object] = ["index", ".", "--archive", "games.duckdb"]
    yield index, gamelog(*index).err
    with connect("games.duckdb", read_only=True) as archive:
        for name in TABLES:
            found = archive.execute(f"SELECT * FROM {name} ORDER BY ALL")
            kept = [at for at, (column, *_) in enumerate(found.description) if column not in PLACES]
            yield [*index, name], [[row[at] for at in kept] for row in found.fetchall()]
    for form in ([], ["--json"]):
        yield ["incidents", *form], gamelog("incidents", "evening.jsonl", *form)
    export: list[object] = ["export", ".", "-o", "site"]
    yield export, (gamelog(*export), {path: path.read_bytes() for path in Path("site").rglob("*.html")})


def compared(gamelog: Gamelog) -> Iterator[Output]:
    """Yield comparisons of the record here with another score sheet, and what they print and write."""
    compare: list[object] = ["compare", "evening.jsonl", SHEET]
    for words in ([], ["--json"], ["--merge", "new.jsonl"], ["--merge", "new.jsonl", "--prefer", "a"]):
        yield [*compare, *words], gamelog(*compare, *words)
        Path("new.jsonl").unlink(missing_ok=True)
    yield [*compare, "-o"], (gamelog(*compare, "-o", "page.html"), Path("page.html").read_bytes())


def check_printed(
    game: AnyGame,
    gamelog: Gamelog,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seat: str,
    players: int | None = None,
) -> None:
    """Assert that commands print the same about both records of a pair for `seat`, with one illegal event."""
    varied = varied_pairs(game, 1, players, most=1)
    header, records = next((header, records) for one, header, records in varied if one == seat)
    for events, others in records:
        n = len(events)
        write(tmp_path / "sheet.jsonl", header, events)
        both: list[list[Output]] = []
        for name, line in (("one", events), ("other", others)):
            (tmp_path / name).mkdir(exist_ok=True)
            monkeypatch.chdir(tmp_path / name)
            write(Path("evening.jsonl"), header, line)
            both.append([*printed(gamelog, [n - 1, n, n + 1], seat), *published(gamelog), *compared(gamelog)])
        for (command, found), (_, alike) in zip(*both, strict=True):
            assert found == alike, command


@pytest.mark.grid
@pytest.mark.parametrize("seat", ["dominion", "separatists"])
def test_commands_print_the_same_about_records_that_look_alike(
    gamelog: Gamelog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seat: str
) -> None:
    check_printed(find("zone_s"), gamelog, tmp_path, monkeypatch, seat)

"""Analyses beside records: found, read once, replaced, removed, and never trusted."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from gamelog.analysis.adjusted_results import GameLuck, adjusted_results
from gamelog.analysis.analysis import Analysis, encode
from gamelog.analysis.analysis_path import analysis_path
from gamelog.analysis.turning_points import TurningPoint
from gamelog.archive import MIN_GAMES, Item, Reader, Update, index, pack
from gamelog.archive.indexing import analyses as reading
from gamelog.archive.querying.adjusted_results import MIN_TOGETHER
from gamelog.archive.workers import judge_batch
from gamelog.play.fold import common_events

from .analyses import invented, write_analysis
from .conftest import Table
from .faulty_store import needs_fsspec
from .test_several_archives import LOST, WON

Rows = Callable[[str], list[tuple[Any, ...]]]

FINDINGS = "SELECT code, message FROM findings WHERE code LIKE 'analysis.%' ORDER BY ALL"
USED = "SELECT parse_filename(path), used FROM analyses ORDER BY ALL"


@pytest.fixture
def update(shelf: Path, archive: Path) -> Callable[..., Update]:
    return lambda *paths: index(paths or [shelf], archive)


@pytest.fixture
def rows(archive: Path) -> Rows:
    def ask(sql: str) -> list[tuple[Any, ...]]:
        with Reader(archive) as reader:
            return reader.ask(sql).rows

    return ask


def test_the_tables_have_the_numbers_of_the_file(
    table: Table, update: Callable[..., Update], rows: Rows
) -> None:
    record = table(*WON, id="one")
    path = write_analysis(record)
    assert update().analyses == 1
    assert rows("SELECT id, path, used, bot, fit_games, playouts, large, examined FROM analyses") == [
        ("one", str(path), True, "greedy", 40, 500, 3, 2)
    ]
    assert rows("SELECT seat, initial, result, luck, choices, other, feature_luck FROM seat_luck") == [
        ("red", 0.5, 1.0, 0.25, 0.25, 0.0, [0.5, 0.25]),
        ("blue", 0.5, 0.0, -0.25, -0.25, 0.0, [-0.5, 0.25]),
    ]
    assert rows(
        "SELECT n, chance, round(change, 3), cause, decider FROM chances WHERE seat = 'red' ORDER BY n"
    )[:3] == [
        (0, 0.5, None, "other", None),
        (1, 0.5833, 0.083, "choice", "red"),
        (2, 0.6667, 0.083, "luck", None),
    ]
    assert rows("SELECT n, seat, change, error, threshold, cause, decider, gain, is_better FROM swings") == [
        (1, "red", 0.0833, 0.02, 0.05, "choice", "red", 0.2, True),
        (2, "red", 0.0833, 0.02, 0.05, "luck", None, None, None),
    ]
    (alternative,) = rows("SELECT alternative FROM swings WHERE n = 1")[0]
    assert json.loads(alternative) == {"do": "pull", "at": "right"}


def test_a_run_reads_only_new_and_changed_analyses_and_judges_no_record(
    table: Table, update: Callable[..., Update], rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [table(*WON, id=name) for name in "abc"]
    first = write_analysis(records[0])
    assert update().analyses == 1
    read: list[str] = []
    original = reading._read

    def counted(item: Item, *more: Any) -> Analysis:
        read.append(Path(item.path).name)
        return original(item, *more)

    monkeypatch.setattr(reading, "_read", counted)
    monkeypatch.setattr(judge_batch, "_rows_of", lambda *_: pytest.fail("a record is judged again"))
    second = write_analysis(records[1])
    assert (update().analyses, read) == (2, ["b.analysis.json"])
    assert (update().analyses, read) == (2, ["b.analysis.json"])
    changed = structs.replace(invented(records[0]), bot="other")
    first.write_bytes(encode(changed))
    assert (update().analyses, read) == (2, ["b.analysis.json", "a.analysis.json"])
    assert rows("SELECT bot, count(*) FROM analyses GROUP BY bot ORDER BY bot") == [
        ("greedy", 1),
        ("other", 1),
    ]
    first.unlink()
    second.unlink()
    assert update().analyses == 0
    for name in ("analyses", "seat_luck", "chances", "swings"):
        assert rows(f"FROM {name}") == []


def test_the_analysis_of_a_record_that_is_named_directly_is_found(
    table: Table, update: Callable[..., Update]
) -> None:
    record = table(*WON, id="one")
    path = write_analysis(record)
    assert update(record).analyses == 1
    assert update(record).analyses == 1
    path.unlink()
    assert update(record).analyses == 0


def test_the_analysis_goes_with_its_record(table: Table, update: Callable[..., Update], rows: Rows) -> None:
    table(*WON, id="stays")
    record = table(*WON, id="one")
    write_analysis(record)
    update()
    record.unlink()
    assert update().analyses == 0
    assert rows("FROM chances") == []


def test_other_folders_keep_their_analyses(
    table: Table, update: Callable[..., Update], tmp_path: Path
) -> None:
    write_analysis(table(*WON, id="one"))
    update()
    (tmp_path / "other").mkdir()
    assert update(tmp_path / "other").analyses == 1


def test_an_analysis_of_another_head_is_reported_and_not_used(
    table: Table, update: Callable[..., Update], rows: Rows
) -> None:
    record = table(*WON, id="one")
    path = write_analysis(record)
    update()
    note = common_events.Note(0, 0, "red", text="a later note")
    table(*WON, note, id="one")
    assert update().analyses == 0
    ((code, message),) = rows(FINDINGS)
    assert code == "analysis.stale"
    assert message == (f"{path} is not used: the record has changed since")
    assert rows("SELECT count(*) FROM chances") == [(0,)]
    assert rows("SELECT counted, status FROM games") == [(True, "ok")], "the record itself is good"
    assert update().findings == {"analysis.stale": 1}, "also without a change"
    write_analysis(record)
    assert update().analyses == 1
    assert rows(FINDINGS) == []


def test_the_finding_goes_with_the_analysis(table: Table, update: Callable[..., Update], rows: Rows) -> None:
    one, two = table(*WON, id="one"), table(*WON, id="two")
    paths = [write_analysis(one, invented(two)), analysis_path(two)]
    os.mkfifo(paths[1])
    update()
    assert [code for code, _ in rows(FINDINGS)] == ["analysis.stale", "analysis.unread"]
    paths[0].unlink()
    paths[1].unlink()
    update()
    assert rows(FINDINGS) == []


def test_an_unreadable_analysis_is_tried_again(
    table: Table, update: Callable[..., Update], rows: Rows
) -> None:
    record = table(*WON, id="one")
    path = analysis_path(record)
    os.mkfifo(path)
    update()
    assert [code for code, _ in rows(FINDINGS)] == ["analysis.unread"]
    path.unlink()
    write_analysis(record)
    assert update().analyses == 1
    assert rows(FINDINGS) == []


def changed(edit: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        plain = json.loads(data)
        edit(plain)
        return json.dumps(plain).encode()

    return change


HOSTILE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "text": lambda _: b"<script>alert(1)</script>",
    "cut": lambda data: data[: len(data) // 2],
    "deep": lambda _: b"[" * 100_000,
    "too large": lambda data: data + b" " * (1 << 21),
    "not UTF-8": lambda data: data.replace(b"greedy", b"\xff\xfe"),
    "surrogate": lambda data: data.replace(b"greedy", b"\\ud800"),
    "no member": changed(lambda plain: plain.pop("totals")),
    "no points": changed(lambda plain: plain.update(points=[])),
    "many points": changed(lambda plain: plain["points"].append(plain["points"][-1])),
    "other seats": changed(lambda plain: plain.update(seats=["red", "green"])),
    "large chance": changed(lambda plain: plain["points"][1].update(chances=[1e308, -1e308])),
    "large number": changed(lambda plain: plain.update(playouts=10**30)),
    "infinite": lambda data: data.replace(b'"slope": 0.9', b'"slope": 1e999'),
    "error": changed(lambda plain: plain["points"][1].update(error=-1)),
    "decider": changed(lambda plain: plain["points"][1].update(by="nobody")),
    "cause": changed(lambda plain: plain["points"][1].update(cause="magic")),
    "loser won": changed(lambda plain: [total.update(final=1 - total["final"]) for total in plain["totals"]]),
    "luck": changed(lambda plain: plain["totals"][0].update(luck=0.9)),
    "swing twice": changed(lambda plain: plain["turning_points"].append(plain["turning_points"][0])),
    "swing after the end": changed(lambda plain: plain["turning_points"][0].update(n=99)),
    "large swing": changed(lambda plain: plain["turning_points"][0].update(swing=[2, -2])),
    "alternative": changed(lambda plain: plain["turning_points"][0]["alternative"].update(chance=7)),
    "feature luck": changed(lambda plain: plain.update(feature_luck=[[1e300], [1e300]])),
    "ragged luck": changed(lambda plain: plain.update(feature_luck=[[1], [1, 2]])),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_is_a_finding_and_ends_no_run(
    kind: str, table: Table, update: Callable[..., Update], rows: Rows
) -> None:
    write_analysis(table(*LOST, id="good"))
    path = write_analysis(table(*WON, id="one"))
    path.write_bytes(HOSTILE[kind](path.read_bytes()))
    assert update().analyses == 1
    ((code, message),) = rows(FINDINGS)
    assert code == "analysis.damaged"
    assert message.startswith(f"{path} is not used: ")
    assert rows(USED) == [("good.analysis.json", True), ("one.analysis.json", False)]
    assert rows("SELECT DISTINCT id FROM chances") == [("good",)]
    assert rows("SELECT count(*) FROM games WHERE counted") == [(2,)]


def test_an_unfinished_game_has_no_analysis(table: Table, update: Callable[..., Update], rows: Rows) -> None:
    record = table(*WON, id="one")
    made = invented(record)
    record = table(*WON[:1], id="one")
    head = index([record], record.with_suffix(".archive"))
    assert head.records == 1
    with Reader(record.with_suffix(".archive")) as reader:
        ((current,),) = reader.ask("SELECT head FROM games").rows
    write_analysis(record, structs.replace(made, head=current, points=made.points[:3]))
    update(record)
    ((code, message),) = rows(FINDINGS)
    assert (code, "the game is not over" in message) == ("analysis.damaged", True)


def test_records_in_a_pack_have_their_analyses_beside_the_pack(
    table: Table, update: Callable[..., Update], rows: Rows, tmp_path: Path
) -> None:
    inside = Table(table.folder / "october")
    record = inside(*WON, id="one")
    table(*LOST, id="two")
    made = invented(record)
    packed = tmp_path / "packs" / "club.gamelog.parquet"
    packed.parent.mkdir()
    pack([table.folder], packed)
    member = "october/one.jsonl"
    path = write_analysis(packed, made, member)
    assert path == packed.parent / "october-one.analysis.json"
    assert update(packed.parent).analyses == 1
    assert rows("SELECT id FROM analyses") == [("one",)]
    path.unlink()
    assert update(packed.parent).analyses == 0


@needs_fsspec
def test_a_store_has_analyses_beside_its_records(
    table: Table, update: Callable[..., Update], rows: Rows
) -> None:
    from fsspec.implementations.memory import MemoryFileSystem

    store, record = MemoryFileSystem(), table(*WON, id="one")
    store.pipe("/evenings/2026/one.jsonl", record.read_bytes())
    store.pipe("/evenings/2026/one.analysis.json", encode(invented(record)))
    for url in ("memory://evenings", "memory://evenings/2026/one.jsonl"):
        assert update(url).analyses == 1
    assert rows("SELECT path FROM analyses") == [("memory:///evenings/2026/one.analysis.json",)]
    store.pipe("/evenings/2026/one.analysis.json", b"damaged")
    assert update("memory://evenings").analyses == 0
    assert [code for code, _ in rows(FINDINGS)] == ["analysis.damaged"]
    store.rm("/evenings/2026/one.analysis.json")
    assert update("memory://evenings/2026/one.jsonl").findings == {}


def test_a_copy_does_not_count_twice(table: Table, update: Callable[..., Update], archive: Path) -> None:
    for name in ("one", "two"):
        write_analysis(table(*WON, id=name))
    assert update().analyses == 2
    with Reader(archive) as reader:
        assert len(reader.ask("turning_points").rows) == 2
        assert len(reader.ask("turning_points", {"uncounted": True}).rows) == 4


def season(table: Table, games: int, swings: bool = True) -> None:
    """Write games on days of their own, each with an analysis. The second player wins each third game."""
    for at in range(games):
        record = table(
            *(LOST if at % 3 == 0 else WON), id=f"{at:03}", started=f"{2000 + 2 * at}-03-01T20:00:00Z"
        )
        made = invented(record)
        luck = [[0.4 * value for value in row] for row in made.feature_luck]
        luck = luck if at % 5 else luck[::-1]
        points: list[TurningPoint] = made.turning_points if swings else []
        write_analysis(record, structs.replace(made, feature_luck=luck, turning_points=points))


def test_results_less_luck_are_withheld_for_few_games(
    table: Table, update: Callable[..., Update], archive: Path
) -> None:
    def adjusted() -> list[dict[str, Any]]:
        update()
        with Reader(archive) as reader:
            return reader.ask("adjusted").dicts()

    season(table, MIN_TOGETHER - 1)
    assert adjusted() == []
    with Reader(archive) as reader:
        assert reader.ask("adjusted").notes == (
            "Too few games of the same rules, options, board and seats have an analysis. Analyse ten or more.",
        )
    season(table, MIN_GAMES - 1)
    assert [(row["games"], row["adjusted"], row["margin"]) for row in adjusted()] == [(19, None, None)] * 2
    season(table, 30)
    found = {row["player"]: row for row in adjusted()}
    assert found["Ana"]["games"] == 30
    assert found["Ana"]["result"] == pytest.approx(20 / 30)
    games = [invented(table.folder / f"{at:03}.jsonl") for at in range(30)]
    lucks = [[[0.4 * value for value in row] for row in made.feature_luck] for made in games]
    lucks = [luck if at % 5 else luck[::-1] for at, luck in enumerate(lucks)]
    expected = adjusted_results(
        [GameLuck(made.points[-1].chances[::-1], luck[::-1]) for made, luck in zip(games, lucks, strict=True)]
    )
    assert found["Ana"]["adjusted"] == pytest.approx(sum(row[1] for row in expected) / 30)
    assert found["Ana"]["adjusted"] != pytest.approx(found["Ana"]["result"], abs=0.01)
    assert found["Ana"]["adjusted"] + found["Rui"]["adjusted"] == pytest.approx(1)


def test_luck_and_choices_of_each_game_and_person(
    table: Table, update: Callable[..., Update], archive: Path
) -> None:
    season(table, 6)
    update()
    with Reader(archive) as reader:
        games = reader.ask("luck_and_choice", {"by": "game"}).dicts()
        people = reader.ask("luck_and_choice", {"by": "player"}).dicts()
        notes = reader.notes("luck_and_choice", {"by": "player"})
    assert len(games) == 12
    assert [row["seat"] for row in games[:2]] == ["red", "blue"]
    for row in (*games, *people):
        total = row["initial"] + row["luck"] + row["choices"] + row["other"]
        assert total == pytest.approx(row["result"], abs=0.001)
    ana, rui = people
    assert (ana["player"], ana["games"], ana["id"]) == ("Ana", 6, None)
    assert ana["result"] == pytest.approx(4 / 6)
    assert ana["luck"] == pytest.approx(-rui["luck"])
    assert not [note for note in notes if "tag" in note]


def test_decisive_moments_of_kinds_need_enough_games(
    table: Table, update: Callable[..., Update], archive: Path
) -> None:
    def ask(by: str) -> list[dict[str, Any]]:
        update()
        with Reader(archive) as reader:
            return reader.ask("decisive_moments", {"by": by}).dicts()

    season(table, MIN_GAMES - 1)
    assert [ask(by) for by in ("kind", "place", "turn")] == [[], [], []]
    moments = ask("moment")
    assert len(moments) == 20
    assert moments == sorted(moments, key=lambda row: -row["size"])
    season(table, MIN_GAMES)
    kinds = ask("kind")
    assert [(row["what"], row["moments"], row["part"], row["games"]) for row in kinds] == [
        ("dice", 20, 0.5, 20),
        ("pull", 20, 0.5, 20),
    ]
    assert [row["by_luck"] for row in kinds] == [1, 0]
    assert [(row["what"], row["moments"]) for row in ask("turn")] == [("turn 1", 40)]
    assert {row["what"] for row in ask("place")} <= {"left", "right"}


def test_an_answer_without_rows_says_why(table: Table, update: Callable[..., Update], archive: Path) -> None:
    def notes(question: str, **given: Any) -> tuple[str, ...]:
        update()
        with Reader(archive) as reader:
            return reader.notes(question, given)

    record = table(*WON, id="one")
    for question in ("turning_points", "luck_and_choice", "decisive_moments", "adjusted"):
        assert notes(question) == (
            "No chosen game has an analysis. Analyse the games, and index them again.",
        )
    write_analysis(record, invented(record, playouts=0, turning_points=[]))
    assert "measured only luck" in notes("turning_points")[0]
    write_analysis(record, invented(record, turning_points=[]))
    assert "found no turning point" in notes("decisive_moments")[0]
    write_analysis(record)
    assert "20 or more of one game" in notes("decisive_moments", by="kind")[0]


def test_sql_and_the_function_agree_on_the_name_of_a_file(
    table: Table, update: Callable[..., Update]
) -> None:
    """The path of an analysis is the same for strange names too."""
    for name in ("a.b.jsonl", "jsonl.jsonl", "x (1).jsonl", "ä'é.jsonl"):
        write_analysis(table(*WON, id=name, file=name))
    assert update().analyses == 4

"""Tests that anonymous outputs have no text that a person typed, wherever the format allows text.

The types show where text is free: every ``str`` of every event and of the header gets a marked word. If the type says that
a word is a seat or belongs to the game, the word is also tried alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import chain as chain_of
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
import msgspec
import pytest
from gamelog_cli.app import app
from msgspec import inspect as types
from typer.testing import CliRunner

from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find, names
from gamelog.play.fold import common_events
from gamelog.play.recording.series import simulate_game
from gamelog.record import chain
from gamelog.record.envelope import Event, Header, Seat, encode_body
from tests.reports.payload import PAGE_DATA, STAGE, site_page, unpack

MARK = "Zacharias"
PLAYED = 8
"""Events of a game before the event with the marked words."""

SAME_ID = 6
"""Number of records of one id, each of which is compared with all others."""


class Words:
    """Values of any type, with a different marked word for each string."""

    def __init__(self, seat: str | None, choice: int, whole: bool = True) -> None:
        self.seat = seat
        """Name of a seat; None gives it a marked word too."""
        self.choice = choice
        """Index of the value that a literal gets."""
        self.whole = whole
        """Whether structs inside an event also have their optional members."""
        self.count = 0

    def word(self) -> str:
        self.count += 1
        return f"{MARK} {self.count}"

    def of(self, shape: types.Type) -> Any:
        match shape:
            case types.Metadata(type=inner, extra=extra):
                return self.seat if self.seat and extra == {"names": "seat"} else self.of(inner)
            case types.StrType(pattern=None) | types.AnyType():
                return self.word()
            case types.StrType():
                return "2026-05-04T03:02:01Z"
            case types.StructType(fields=fields, tag=tag):
                every = self.whole or tag is not None
                return {one.encode_name: self.of(one.type) for one in fields if every or one.required}
            case types.DictType(key_type=key, value_type=inner):
                return {self.of(key): self.of(inner)}
            case types.TupleType(item_types=several):
                return [self.of(one) for one in several]
            case types.CollectionType(item_type=inner):
                return [self.of(inner)]
            case types.UnionType(types=several):
                return self.of(next(one for one in several if not isinstance(one, types.NoneType)))
            case types.LiteralType(values=values):
                return values[self.choice % len(values)]
            case types.BoolType():
                return bool(self.choice % 2)
            case _:
                return 1


def choices(kind: type[Event]) -> int:
    """Return the largest number of values in a literal of an event, and one more for an event of a game."""
    shape = types.type_info(kind)
    assert isinstance(shape, types.StructType)
    literals = [len(one.type.values) for one in shape.fields if isinstance(one.type, types.LiteralType)]
    return max(1 if kind in common_events.COMMON else 2, *literals)


def events_of(kind: type[Event], seat: str) -> Iterator[dict[str, Any]]:
    """Yield events of a type with marked words in all strings, and only in strings that are not seats."""
    shape = types.type_info(kind)
    tag = kind.__struct_config__.tag
    for named in (None, seat):
        for choice in range(choices(kind)):
            for whole in (True, False):
                yield {"do": tag, **Words(named, choice, whole).of(shape), "v": 1}


@cache
def sample_game(game: str) -> tuple[Header, list[Event]]:
    header, events = simulate_game(find(game), "canary", 0, players=min(find(game).seats), dice="table")
    return header, events[:PLAYED]


def lines(header: dict[str, Any], *bodies: bytes) -> bytes:
    line, head = chain.chained_line(chain.GENESIS, json.dumps(header)[1:].encode() + b"\n")
    data = [line]
    for text in bodies:
        line, head = chain.chained_line(head, text)
        data.append(line)
    return b"".join(data)


def records_of_events(game: AnyGame) -> Iterator[bytes]:
    """Yield records with each event. A few have the same id, and the others have ids of their own."""
    header, events = sample_game(game.id)
    ids = chain_of([header.id] * SAME_ID, (str(UUID(int=at, version=4)) for at in count(1)))
    plain = msgspec.to_builtins(header)
    bodies = [encode_body(event) for event in events]
    made: set[bytes] = set()
    for kind in (*common_events.EVENTS, *game.events):
        for members in events_of(kind, header.seat_ids[0]):
            for by in {str(members["by"]), header.seat_ids[0], "arbiter"}:
                n, t = PLAYED + 1, events[-1].t
                marked = json.dumps({**members, "n": n, "t": t, "by": by})[1:].encode() + b"\n"
                if marked in made:
                    continue
                made.add(marked)
                plain["id"] = next(ids)
                yield lines(plain, *bodies, marked)
                if kind is common_events.Agree:
                    others = [seat for seat in header.seat_ids if seat != by]
                    yes = [
                        common_events.Accept(n + at, t, seat, about=n) for at, seat in enumerate(others, 1)
                    ]
                    yield lines(plain, *bodies, marked, *map(encode_body, yes))


def records_of_headers(game: AnyGame) -> Iterator[bytes]:
    """Yield a record for each changed member of the header, and a record with all of them changed."""
    header, events = sample_game(game.id)
    plain = msgspec.to_builtins(header)
    bodies = [encode_body(event) for event in events]
    seats = [{**seat, **extra} for seat in plain["seats"] for extra in ({"name": f"{MARK} 1"},)]
    shape = types.type_info(Header)
    assert isinstance(shape, types.StructType)
    every = {field.encode_name: Words(None, 1).of(field.type) for field in shape.fields}
    every |= {"gamelog": 1, "unknown": MARK}
    yield lines({**plain, **every}, *bodies)
    for name, value in every.items():
        yield lines({**plain, name: value}, *bodies)
    seat_shape = types.type_info(Seat)
    for name, value in Words(None, 1).of(seat_shape).items():
        changed = [{**seat, name: f"{value} {at}"} for at, seat in enumerate(seats)]
        yield lines({**plain, "seats": changed}, *bodies)
    yield lines({**plain, "dice": {"source": "seeded", "seed": MARK}})
    options = Words(None, 0).of(types.type_info(game.Options))
    for name, value in options.items():
        yield lines({**plain, "options": {**plain["options"], name: value}}, *bodies)
    for board in islice(game.boards.values(), 1):
        data = board()
        for name in (name for name, value in data.items() if isinstance(value, str)):
            yield lines({**plain, "board": {**data, name: f"{MARK} 1"}}, *bodies)


def texts_of(path: Path) -> Iterator[str]:
    """Return all text in an output file."""
    data = path.read_bytes()
    yield data.decode("utf-8", errors="replace")
    if path.suffix == ".html":
        html = site_page(path)
        if PAGE_DATA.search(html):
            stage = unpack(html, STAGE)
            yield stage.decode()
            yield unpack(html, PAGE_DATA, stage).decode()


def assert_unmarked(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    found = {
        path.name: str(path.relative_to(folder)) for path in files if MARK in str(path.relative_to(folder))
    }
    for path in files:
        for text in texts_of(path):
            at = text.find(MARK)
            if at >= 0:
                found[path.name] = text[max(0, at - 150) : at + 80]
    assert not found


def run(*words: str) -> str:
    done = CliRunner().invoke(app([words[0]]), list(words))
    assert done.exit_code in (0, 1), (done.output, done.exception)
    return done.stdout


def write(records: Iterator[bytes], folder: Path) -> int:
    folder.mkdir()
    at = 0
    for at, data in enumerate(dict.fromkeys(records), 1):
        (folder / f"{MARK}-{at:04}.jsonl").write_bytes(data)
    return at


def make_outputs(folder: Path, out: Path) -> None:
    """Write all anonymous outputs for the records in `folder`."""
    plain, packed = folder.parent / "plain.archive", folder.parent / "packed.archive"
    pack = out / "all.gamelog.parquet"
    run("export", str(folder), "-o", str(out / "site"), "--anonymous", "--jobs", "1")
    run("pack", str(folder), "-o", str(pack), "--anonymous", "--jobs", "1")
    run("unpack", str(pack), "-o", str(out / "unpacked"))
    run("index", str(folder), "--archive", str(plain), "--jobs", "1")
    run("report", "--archive", str(plain), "-o", str(out / "report.html"), "--anonymous")
    run("index", str(pack), "--archive", str(packed), "--jobs", "1")
    run("report", "--archive", str(packed), "-o", str(out / "packed.html"))
    with duckdb.connect(str(packed), read_only=True) as archive:
        for (table,) in archive.execute("SELECT table_name FROM duckdb_tables()").fetchall():
            (out / f"{table}.txt").write_text(repr(archive.execute(f'FROM "{table}"').fetchall()))
    export = app(["export"])
    for path, ending in zip(
        sorted(folder.iterdir())[::3], cycle(("json", "svg", "json", "txt")), strict=False
    ):
        target = out / f"{path.stem[-4:]}.{ending}"
        CliRunner().invoke(export, ["export", str(path), "-o", str(target), "--anonymous"])


@pytest.mark.grid(keeps=("records_of_events-slicewars", "records_of_headers-slicewars"))
@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("records", [records_of_events, records_of_headers])
def test_no_anonymous_output_has_a_word_that_a_person_typed(name: str, records: Any, tmp_path: Path) -> None:
    game = find(name)
    folder = tmp_path / f"{MARK}s-records"
    assert write(records(game), folder) > 20
    out = tmp_path / "out"
    out.mkdir()
    make_outputs(folder, out)
    assert len(list(out.glob("*.json"))) > 2
    assert_unmarked(out)

"""Tests of the members that every line has. A change here changes the format."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import msgspec
import pytest
from msgspec import Struct

from gamelog import record
from gamelog.record import envelope
from gamelog.record.envelope import DiceSpec, Envelope, Header, Parent, Seat
from tests.record.sample import HEADER, Move

MODULES = [
    importlib.import_module(f"gamelog.record.{found.name}") for found in pkgutil.iter_modules(record.__path__)
]


def test_a_header_is_written_as_documented() -> None:
    assert envelope.encode_body(HEADER).decode() == (
        '"gamelog":1,"id":"3b1c7a52-0f0e-4a55-9c0e-0d6c5a9b7f10","game":"none","rules":"1","started":"2026-01-01T00:00:00Z",'
        '"seats":[{"seat":"red","name":"Ana"},{"seat":"blue","name":"Jiří"}],"options":{"size":5},'
        '"board":{"name":"plain","cells":["a","b"]},"dice":{"source":"table"},"takebacks":"scorer","tags":{},"parents":[]}\n'
    )


def test_an_event_is_written_as_documented() -> None:
    assert (
        envelope.encode_body(Move(3, 20, "red", "x")) == b'"do":"move","n":3,"t":20,"by":"red","text":"x"}\n'
    )
    later = Move(3, 20, "red", id="k", as_played=True, v=2)  # type: ignore[arg-type]  # a version that is not yet
    assert envelope.encode_body(later).endswith(b'"id":"k","as_played":true,"v":2}\n')


def test_the_limits_match_the_format() -> None:
    assert (envelope.MAX_INT, envelope.MAX_LINE, envelope.MAX_RECORD) == (
        9_007_199_254_740_991,
        1_048_576,
        268_435_456,
    )


@pytest.mark.parametrize(
    ("member", "values", "beyond"),
    [("n", (1, 2**53 - 1), (0, -1, 2**53, 1.5, "1", None)), ("t", (0, 2**53 - 1), (-1, 2**53, True))],
)
def test_invalid_numbers_of_events_are_refused(
    member: str, values: tuple[int, ...], beyond: tuple[object, ...]
) -> None:
    given: dict[str, object] = {"do": "move", "n": 1, "t": 0, "by": "red"}
    for kind in (Envelope, Move):
        for value in values:
            assert getattr(msgspec.convert({**given, member: value}, kind), member) == value
        for wrong in beyond:
            with pytest.raises(msgspec.ValidationError, match=member):
                msgspec.convert({**given, member: wrong}, kind)


@pytest.mark.parametrize(
    ("member", "good", "bad"),
    [
        ("id", ["x", "x" * 200], ["", "x" * 201, None]),
        ("game", ["x", "x" * 200], ["", "x" * 201]),
        (
            "started",
            ["2026-01-01T00:00:00.123456789Z"],
            ["2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01"],
        ),
        ("seats", [[{"seat": "a"}]], [[], [{"seat": ""}], [{"name": "Ana"}]]),
        ("takebacks", ["scorer", "agreed", "arbiter"], ["", "anybody"]),
        ("rolls", ["scorer", "players"], ["", "anybody", None]),
        (
            "parents",
            [[{"id": "p", "n": 0, "head": "h"}]],
            [[{"id": "p", "n": -1, "head": "h"}], [{"id": "p"}]],
        ),
        ("dice", [{"source": "seeded", "seed": "s"}], [{"source": "lucky"}, {}]),
    ],
)
def test_invalid_members_of_the_header_are_refused(
    member: str, good: list[object], bad: list[object]
) -> None:
    given = msgspec.to_builtins(HEADER)
    for value in good:
        header = msgspec.convert({**given, member: value}, Header)
        assert msgspec.json.decode(msgspec.json.encode(header))[member] == value
    for value in bad:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({**given, member: value}, Header)


def test_missing_members_have_their_defaults() -> None:
    given = msgspec.to_builtins(HEADER)
    for name in ("gamelog", "takebacks", "tags", "parents"):
        del given[name]
    assert msgspec.convert(given, Header) == HEADER
    assert (HEADER.gamelog, HEADER.takebacks, HEADER.tags, HEADER.parents) == (1, "scorer", {}, ())
    assert HEADER.seat_ids == ("red", "blue")


def test_the_rolls_of_a_header_are_written_only_if_they_are_given() -> None:
    plain = msgspec.to_builtins(HEADER)
    assert "rolls" not in plain
    for given in ("scorer", "players"):
        header = msgspec.convert(plain | {"rolls": given}, Header)
        assert header.rolls == given
        assert f'"takebacks":"scorer","rolls":"{given}","tags"' in envelope.encode_body(header).decode()


def test_unknown_members_are_refused_in_events_and_kept_in_the_header() -> None:
    event = {"do": "move", "n": 1, "t": 0, "by": "red", "mood": "good"}
    with pytest.raises(msgspec.ValidationError, match="mood"):
        msgspec.convert(event, Move)
    assert msgspec.convert(event, Envelope).do == "move"
    assert msgspec.convert({**msgspec.to_builtins(HEADER), "mood": "good"}, Header) == HEADER


def test_a_seat_and_dice_omit_missing_members() -> None:
    assert msgspec.json.encode(Seat("red", key="k")) == b'{"seat":"red","key":"k"}'
    assert msgspec.json.encode(DiceSpec("seeded", "s")) == b'{"source":"seeded","seed":"s"}'
    assert msgspec.json.encode(Parent("p", 0, "h")) == b'{"id":"p","n":0,"head":"h"}'


def test_everything_that_was_read_is_immutable() -> None:
    structs = {
        found
        for module in MODULES
        for _, found in inspect.getmembers(module, inspect.isclass)
        if issubclass(found, Struct) and found.__module__ == module.__name__
    }
    assert len(structs) > 10
    assert [found.__name__ for found in structs if not found.__struct_config__.frozen] == []

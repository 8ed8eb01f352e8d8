"""Tests that run the definitions in the description of the format, without Gamelog, and check its answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamelog.dispute.branch import rechain
from gamelog.play.contract import boards
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.common_events import Accept, Agree
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import Verdict, verdict
from gamelog.play.recording.series import simulate_game
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "format.md").read_text()
_, DIGESTS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
DEFINED: dict[str, Any] = {}
exec(compile(DIGESTS, "format.md", "exec"), DEFINED)
NO_ORDER: dict[str, dict[str, list[str]]] = DEFINED["NO_ORDER"]
RECORDS = sorted((ROOT / "sample_games").glob("*/*.jsonl"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def schemas(game: str) -> list[dict[str, Any]]:
    return [json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text()) for name in ("record", game)]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_play_digest_follows_the_documentation(path: Path) -> None:
    judged = json.loads(path.with_suffix(".verdict.json").read_text())
    if judged["play"] is None:
        assert judged["status"] in ("torn", "damaged", "unknown")
        return
    header, *events = lines(path)
    ends = [found["n"] for found in judged["findings"] if found["severity"] == "error"]
    played = events[: ends[0] - 1] if ends else events
    assert DEFINED["play_digest"](header, played, *schemas(path.parent.name)) == judged["play"]


def test_an_agreed_end_is_written_as_documented() -> None:
    header, events = simulate_game(find("slicewars"), "agreed", 1, players=2, dice="table")
    result = Outcome(("red",), "late hour")
    agreed = [
        *events[:60],
        Agree(61, events[59].t, "red", result=result),
        Accept(62, events[59].t, "blue", about=61),
    ]
    data, _ = compose(header, agreed)
    head, *rest = [json.loads(line) for line in data.splitlines()]
    hashed: list[str] = []

    def digest(text: str) -> str:
        hashed.append(text)
        return ""

    DEFINED["play_digest"].__globals__["digest"] = digest
    try:
        DEFINED["play_digest"](head, rest, *schemas("slicewars"))
    finally:
        exec(compile(DIGESTS, "format.md", "exec"), DEFINED)
    text = hashed[0] + '{"winners":["red"],"reason":"late hour"}\n'
    assert DEFINED["digest"](text) == verdict(fold_record(parse_record(data))).play


@pytest.mark.parametrize("name", names())
def test_the_board_digest_follows_the_documentation(name: str) -> None:
    game = find(name)
    for board in game.boards:
        data = json.loads((ROOT / "gamelog/games" / name / "boards" / f"{board}.json").read_text())
        assert f"{board}@{DEFINED['digest'](DEFINED['written'](data))}" == boards.board_reference(game, board)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), values, max_size=5))
def test_any_board_is_written_as_documented(data: dict[str, Any]) -> None:
    assert DEFINED["digest"](DEFINED["written"](data)) == boards.digest(data)


def test_the_test_vectors_on_the_page_are_right() -> None:
    data = {"b": 5.0, "a": [1e-7, "é"]}
    assert DEFINED["written"](data) == '{"a":[1e-7,"é"],"b":5.0}'
    assert f"`{boards.digest(data)}`" in PAGE
    kept = json.loads((ROOT / "sample_games/slicewars/short.verdict.json").read_text())
    assert f"`sample_games/slicewars/short.jsonl` it is `{kept['play']}`" in PAGE


def test_the_page_lists_the_unordered_members_of_the_games() -> None:
    from tests.games.test_canonical import ORDERLESS

    mappings = {"rolls", "cards"}  # whose members have no order in any JSON
    for name, kinds in ORDERLESS.items():
        loose = {kind: {member for member in members if (name, kind) == ("zone_control", "final_roll") or member not in mappings}
                 for kind, members in kinds.items()}  # fmt: skip
        told = {kind: set(members) for kind, members in NO_ORDER.get(name, {}).items()}
        assert told == {kind: members for kind, members in loose.items() if members}, name


def judge(*changes: tuple[int, bytes, bytes], more: bytes = b"") -> Verdict:
    """Return the verdict on a short record, chained again after some bytes of some lines were changed."""
    bodies = [
        line[51:]
        for line in (ROOT / "sample_games/slicewars/short.jsonl").read_bytes().splitlines(keepends=True)
    ]
    for at, old, new in changes:
        assert bodies[at].count(old) == 1, bodies[at]
        bodies[at] = bodies[at].replace(old, new)
    return verdict(fold_record(parse_record(rechain(bodies) + more)))


ID = b'"n":3,', b'"n":3,"id":"k",'


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ([(3, b'"n":3', b'"n":3.0')], "damaged", "record.members"),
        ([(3, b'"n":3', b'"n":3e0')], "damaged", "record.members"),
        ([(3, b'"n":3', b'"n":4')], "damaged", "record.sequence"),
        ([(3, b'"n":3', b'"n":3,"n":3')], "damaged", "record.json"),
        ([(3, b'"n":3', b'"n":3,"colour":1')], "damaged", "record.members"),
        ([(0, b'"gamelog":1', b'"gamelog":1.0')], "damaged", "record.damaged"),
        ([(3, b'"n":3', b'"n":3,"as_played":false')], "ok", None),
        ([(3, b'"n":3', b'"n":3,"v":1')], "ok", None),
        ([(3, b'"n":3', b'"n":3,"v":2')], "unknown", "play.unknown_event"),
        ([(3, b'"n":3', b'"n":3,"id":""')], "ok", None),
        ([(3, b'"n":3', b'"n":3,"id":"k"'), (4, b'"n":4', b'"n":4,"id":"k"')], "ok", None),
        ([(0, b":30:00Z", b":30:60Z")], "damaged", "record.damaged"),
        ([(0, b"T19:30:00Z", b"T24:00:00Z")], "damaged", "record.damaged"),
        ([(0, b'"started":"2026', b'"started":"0000')], "damaged", "record.damaged"),
        ([(0, b":30:00Z", b":30:00.123456789Z")], "ok", None),
        ([(0, b'"gamelog":1,"id":"', b'"gamelog":1,"id":"\\u0001\\n')], "ok", None),
    ],
)
def test_the_page_answers_questions_of_other_programs(
    changes: list[tuple[int, bytes, bytes]], status: str, code: str | None
) -> None:
    found = judge(*changes)
    assert (found.status, found.findings[0].code if found.findings else None) == (status, code)


def test_the_limits_of_length_and_depth_are_as_documented() -> None:
    def noted(text: bytes, close: bytes = b'"}\n') -> str | None:
        bodies = [
            line[51:]
            for line in (ROOT / "sample_games/slicewars/short.jsonl").read_bytes().splitlines(keepends=True)
        ][:1]
        return verdict(
            fold_record(
                parse_record(
                    rechain([*bodies, b'"do":"@note","n":1,"t":0,"by":"red","text":"' + text + close])
                )
            )
        ).status

    rest = 51 + len(b'"do":"@note","n":1,"t":0,"by":"red","text":""}\n')
    assert noted(b"x" * (1_048_576 - rest)) == "ok"
    assert noted(b"x" * (1_048_577 - rest)) == "damaged"

    def nested(levels: int) -> str | None:
        deep = b"[" * levels + b"]" * levels
        bodies = [
            line[51:]
            for line in (ROOT / "sample_games/slicewars/short.jsonl").read_bytes().splitlines(keepends=True)
        ][:1]
        return verdict(fold_record(parse_record(rechain([b'"own":' + deep + b"," + bodies[0]])))).status

    assert (nested(63), nested(64)) == ("ok", "damaged")


def test_the_most_serious_status_wins() -> None:
    assert judge((3, b'"n":3', b'"n":4'), more=b'{"h":"').status == "damaged"
    assert judge(more=b'{"h":"').status == "torn"
    assert judge((0, b'"rules":"1.0"', b'"rules":"9.9"'), more=b'{"h":"').status == "torn"
    assert judge((0, b'"rules":"1.0"', b'"rules":"9.9"')).status == "unknown"
    assert verdict(fold_record(parse_record(b""))).status == "torn"
    assert msgspec.json.encode(judge()).startswith(b'{"path"')

"""Tests of the file of an analysis: it is read for its own record only, and whatever a stranger changes is found."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamelog.analysis.analysis import Analysis, AnalysisSettings, analyse, encode
from gamelog.analysis.analysis_file import read_analysis
from gamelog.analysis.analysis_path import analysis_path
from gamelog.analysis.turning_points import Alternative
from gamelog.errors import GamelogError
from gamelog.play.contract.registry import find, names
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.playing.evaluator import Evaluators
from gamelog.play.recording.series import simulate_game
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose
from tests.reports.analyses import made_analysis, written
from tests.samples.__main__ import DIRECTORY
from tests.shares import examples

EVALUATORS = Evaluators()
TURNING = (2, 119)


@cache
def record(name: str = "slicewars/full-2") -> FoldedRecord:
    return fold_record(read_record(DIRECTORY / f"{name}.jsonl"))


@cache
def plain() -> str:
    """Return the text of an analysis of `record`, whose second turning point has an alternative."""
    other = Alternative({"do": "pass"}, 0.9, 0.03, 0.2, True)
    return encode(made_analysis(record(), TURNING, {119: other})).decode()


def read(tmp_path: Path, text: str | bytes, of: FoldedRecord | None = None) -> Analysis:
    path = tmp_path / "a.analysis.json"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_analysis(path, of or record())


@pytest.mark.parametrize("name", sorted(names()))
def test_the_analysis_of_a_game_is_read_for_its_record(name: str, tmp_path: Path) -> None:
    header, events = simulate_game(find(name), "file", 0, players=min(find(name).seats))
    folded = fold_record(parse_record(compose(header, events)[0]))
    found = analyse(folded, AnalysisSettings("random", 10, 2, 0.1), EVALUATORS)
    assert encode(read_analysis(written(found, tmp_path / "x.analysis.json"), folded)) == encode(found)


def test_the_file_is_beside_the_record() -> None:
    assert analysis_path("a/b.jsonl") == analysis_path("a/b.jsonl.zst") == Path("a/b.analysis.json")
    assert analysis_path("b") == Path("b.analysis.json")


def test_an_analysis_of_another_record_or_of_an_earlier_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GamelogError, match="it is the analysis of another record"):
        read(tmp_path, plain(), record("slicewars/full-3"))
    old = read(tmp_path, plain())
    later = made_analysis(record("slicewars/full-3"))
    with pytest.raises(GamelogError, match="the record has changed since"):
        read(tmp_path, encode(old).replace(old.head.encode(), later.head.encode()))


def test_the_analysis_of_a_running_game_is_refused(tmp_path: Path) -> None:
    whole = record()
    lines = [whole.record.opening, *whole.record.bodies]
    header, fold = whole.record.header, whole.fold
    assert header and fold and len(lines) > 100
    running = fold_record(parse_record(compose(header, [*fold.events[:100]])[0]))
    with pytest.raises(GamelogError, match="is not over"):
        read(tmp_path, plain(), running)


def change(path: tuple[str | int, ...], value: Any) -> Callable[[dict[str, Any]], None]:
    def apply(data: Any) -> None:
        for part in path[:-1]:
            data = data[part]
        data[path[-1]] = value

    return apply


WRONG = {
    "seats": (change(("seats",), ["blue", "red"]), "its seats"),
    "totals of other seats": (change(("totals", 0, "seat"), "blue"), "its seats"),
    "a bot": (change(("bot",), "<b>me</b>"), 'has no bot "<b>me</b>"'),
    "a point less": (lambda data: data["points"].pop(50), "one point for each event"),
    "a number twice": (change(("points", 50, "n"), 51), "one point for each event"),
    "a large chance": (change(("points", 50, "chances"), [1.5, -0.5]), "not the file of an analysis"),
    "a sum above 1": (change(("points", 50, "chances"), [0.9, 0.9]), "do not add up to 1"),
    "three chances": (change(("points", 50, "chances"), [0.5, 0.25, 0.25]), "do not add up to 1"),
    "a stranger's choice": (change(("points", 50, "by"), "green"), "do not add up to 1"),
    "another winner": (change(("points", 311, "chances"), [0.0, 1.0]), "not the result"),
    "luck": (change(("totals", 0, "luck"), 0.9), "its totals"),
    "a large error": (change(("totals", 0, "error"), 1e9), "its totals"),
    "turning points backwards": (lambda data: data["turning_points"].reverse(), "not in order"),
    "a turning point after the end": (change(("turning_points", 1, "n"), 999), "its turning points"),
    "another event": (change(("turning_points", 1, "n"), 122), "its turning points"),
    "another swing": (change(("turning_points", 0, "swing"), [0.9, -0.9]), "its turning points"),
    "another cause": (change(("turning_points", 0, "cause"), "choice"), "its turning points"),
    "an illegal alternative": (
        change(("turning_points", 1, "alternative", "event"), {"do": "attack", "src": "A1", "dst": "I6"}),
        "an alternative is not possible",
    ),
    "an alternative of words": (
        change(("turning_points", 1, "alternative", "event"), {"do": "@note", "text": "hello"}),
        "an alternative is not possible",
    ),
    "an alternative without a name": (
        change(("turning_points", 1, "alternative", "event"), {}),
        "an alternative is not possible",
    ),
    "a long calibration": (
        lambda data: data.update(calibration=data["calibration"] * 11),
        "not the file of an analysis",
    ),
    "a range backwards": (change(("calibration", 0, "high"), 0.1), "its calibration is not in order"),
    "ranges backwards": (lambda data: data["calibration"].reverse(), "its calibration is not in order"),
    "a huge slope": (change(("slope",), 1e300), "not the file of an analysis"),
    "a count below 0": (change(("playouts",), -1), "not the file of an analysis"),
}


def test_the_unchanged_file_is_read(tmp_path: Path) -> None:
    assert [point.n for point in read(tmp_path, plain()).turning_points] == [*TURNING]


@pytest.mark.parametrize("what", WRONG)
def test_a_file_that_does_not_match_its_record_is_refused(tmp_path: Path, what: str) -> None:
    apply, reason = WRONG[what]
    data = json.loads(plain())
    apply(data)
    with pytest.raises(GamelogError) as error:
        read(tmp_path, json.dumps(data))
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not the file of an analysis"),
        (b"\xff\xfe", "not the file of an analysis"),
        (b"[1, 2]", "not the file of an analysis"),
        (b'{"record":' + b"[" * 100_000, "not the file of an analysis"),
        (plain().replace('"slope": 1.0', '"slope": 1e999').encode(), "not the file of an analysis"),
        (b" " * 3_000_000 + plain().encode(), "too large for a record of 311 events"),
    ],
)
def test_bytes_that_are_not_an_analysis_are_refused(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(GamelogError, match=reason):
        read(tmp_path, data)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.analysis.json", tmp_path):
        with pytest.raises(GamelogError):
            read_analysis(path, record())


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 400),
    st.floats(-2, 2),
    st.text(max_size=5),
    st.lists(st.floats(0, 1), max_size=3),
    st.just({}),
)


@settings(max_examples=examples(60), deadline=None)
@given(data=st.data())
def test_any_change_is_refused_or_leaves_chances(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """After a change anywhere in the file, the answer is an error of Gamelog or an analysis that can be shown."""
    changed = copy.deepcopy(json.loads(plain()))
    place: Any = changed
    while True:
        keys = [*place] if isinstance(place, dict) else [*range(len(place))]
        key = data.draw(st.sampled_from(keys))
        inside = place[key]
        if not isinstance(inside, dict | list) or not inside or data.draw(st.integers(0, 5)) == 0:
            place[key] = data.draw(VALUES)
            break
        place = inside
    try:
        found = read(tmp_path_factory.mktemp("file"), json.dumps(changed))
    except GamelogError:
        return
    assert all(abs(sum(point.chances) - 1) < 0.01 for point in found.points)
    assert all(0 <= chance <= 1 for point in found.points for chance in point.chances)
    assert all(0 < point.n < len(found.points) for point in found.turning_points)

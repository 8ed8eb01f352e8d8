"""Tests that columns restore their lines exactly."""

from __future__ import annotations

import json
from typing import Any

from gamelog_reports.packed import TableWriter, compact_integers
from gamelog_reports.replay_page.tracks import Track
from hypothesis import given
from hypothesis import strategies as st

from tests.reports import payload

whole = st.integers(min_value=0, max_value=2**53)
texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x7f\x80\x81\x82\x83"), max_size=5
)
odd = st.text(st.sampled_from('a"\\é\x7f\x80\x81\x82\x83'), max_size=4)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
lines = st.lists(
    st.dictionaries(st.sampled_from(["do", "n", "t", "by", "at", "x"]), json_values, max_size=5), max_size=8
)


@given(st.lists(whole))
def test_numbers_are_restored(values: list[int]) -> None:
    text = compact_integers(values)
    assert payload.numbers(text) == values
    assert not set(text) & set('"\\<>\n') - {"<", ">"}


def test_small_numbers_take_one_character() -> None:
    assert len(compact_integers(range(46))) == 46


@given(lines, st.booleans())
def test_lines_are_restored_exactly(objects: list[dict[str, Any]], spaced: bool) -> None:
    separators = (", ", " : ") if spaced else (",", ":")
    texts = [json.dumps(one, separators=separators, ensure_ascii=spaced)[1:] for one in objects]
    writer = TableWriter()
    assert writer.add_unchanged("lines", texts)
    assert payload.lines(writer.plain(), "lines") == texts


def test_consecutive_numbers_and_increasing_times_need_no_room() -> None:
    texts = [f'"do":"go","n":{n},"t":{n * 1000},"by":"red"}}' for n in range(1, 200)]
    writer = TableWriter()
    writer.add("lines", texts)
    plain = writer.plain()
    assert len(plain["tables"]["lines"]["shapes"]) == 1
    assert payload.lines(plain, "lines") == texts


def test_decreasing_times_and_wrong_numbers_are_restored() -> None:
    texts = ['"n":1,"t":50}', '"n":7,"t":20}', '"n":3,"t":60}']
    writer = TableWriter()
    writer.add("lines", texts)
    assert payload.lines(writer.plain(), "lines") == texts


def test_a_line_with_a_character_of_the_format_cannot_be_written_byte_for_byte() -> None:
    assert not TableWriter().add_unchanged("lines", ['"a":"\x82"}'])


@given(st.lists(st.dictionaries(odd, texts | odd)))
def test_characters_of_the_format_come_back_as_escapes(objects: list[dict[str, str]]) -> None:
    writer = TableWriter()
    writer.add("lines", [json.dumps(one, ensure_ascii=False)[1:] for one in objects])
    assert [json.loads("{" + line) for line in payload.lines(writer.plain(), "lines")] == objects


@given(
    st.lists(
        st.lists(
            st.tuples(st.integers(0, 4), st.sampled_from([0, 3, 50, "7", "set-up", "", "x"])), max_size=4
        )
    )
)
def test_tracks_have_every_value_after_every_event(steps: list[list[tuple[int, Any]]]) -> None:
    track, now, states = Track(), dict[int, str](), []
    for n, step in enumerate(steps):
        last = dict(step)
        track.step(n, ((key, value, value) for key, value in last.items()))
        now.update({key: str(value) for key, value in last.items()})
        states.append(dict(now))
    plain = track.plain(len(states))
    keys, values = payload.numbers(plain["keys"]), payload.numbers(plain["values"])
    counting = dict.fromkeys(payload.numbers(plain["counting"]), 0)
    shown: dict[int, str] = {}
    at = 0
    for count, state in zip(payload.numbers(plain["counts"]), states, strict=True):
        for key, value in zip(keys[at : at + count], values[at : at + count], strict=True):
            if key in counting:
                counting[key] += -(value + 1) // 2 if value & 1 else value // 2
                shown[key] = str(counting[key])
            else:
                shown[key] = str(plain["table"][value])
        at += count
        assert shown == state


def test_a_writer_continues_the_tokens_of_another() -> None:
    first = TableWriter()
    first.add("cells", ['"id":"C3"}', '"id":"D4"}'])
    second = TableWriter(first)
    second.add("lines", ['"at":"D4","to":"E5"}', '"at":"C3","to":"C3"}'])
    assert second.plain()["tokens"] == "E5\x7f"
    assert payload.lines(second.plain(), "lines", first.plain()) == [
        '"at":"D4","to":"E5"}',
        '"at":"C3","to":"C3"}',
    ]

"""What is written in columns comes back."""

from __future__ import annotations

import json
from itertools import accumulate
from typing import Any

from gamelog_reports.columns import Writer, numbers
from gamelog_reports.track import Track
from hypothesis import given
from hypothesis import strategies as st

from tests.reports import payload

whole = st.integers(min_value=0, max_value=2**53)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x7f\x80\x81\x82\x83"), max_size=5)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
lines = st.lists(st.dictionaries(st.sampled_from(["do", "n", "t", "by", "at", "x"]), json_values, max_size=5), max_size=8)


@given(st.lists(whole))
def test_numbers_come_back(values: list[int]) -> None:
    text = numbers(values)
    assert payload.numbers(text) == values
    assert not set(text) & set('"\\<>\n') - {"<", ">"}


def test_small_numbers_take_one_character() -> None:
    assert len(numbers(range(46))) == 46


def rebuilt(plain: dict[str, Any], name: str) -> list[str]:
    """The lines of a table, from the description of the format."""
    table = plain["tables"][name]
    tokens = [token[1:] if token.startswith("\x80") else f'"{token}"' for token in plain["tokens"].split("\x7f")]

    def values(column: str) -> list[str]:
        kind, found = column[0], payload.numbers(column[1:])
        if kind == "j":
            return [str(value) for value in accumulate(-(step + 1) // 2 if step & 1 else step // 2 for step in found)]
        if kind == "i":
            return [str(value) for value in found]
        if kind == "s":
            return [tokens[value] for value in found]
        out = []
        while found:
            count, found = found[0], found[1:]
            out.append("[" + ",".join(map(str, found[:count])) + "]")
            found = found[count:]
        return out

    columns = [[iter(values(column)) for column in shape] for shape in table["columns"]]
    times, clock, out = iter(payload.numbers(table["times"])), 0, []
    for at, shape in enumerate(payload.numbers(table["order"]), 1):
        holes = iter(columns[shape])
        line = ""
        for letter in table["shapes"][shape]:
            if letter == "\x81":
                line += next(next(holes))
            elif letter == "\x82":
                line += str(at)
            elif letter == "\x83":
                clock += next(times)
                line += str(clock)
            else:
                line += letter
        out.append(line)
    return out


@given(lines, st.booleans())
def test_lines_come_back_to_the_letter(objects: list[dict[str, Any]], spaced: bool) -> None:
    separators = (", ", " : ") if spaced else (",", ":")
    texts = [json.dumps(one, separators=separators, ensure_ascii=spaced)[1:] for one in objects]
    writer = Writer()
    assert writer.add("lines", texts)
    assert rebuilt(writer.plain(), "lines") == texts


def test_counted_numbers_and_growing_times_cost_nothing_by_line() -> None:
    texts = [f'"do":"go","n":{n},"t":{n * 1000},"by":"red"}}' for n in range(1, 200)]
    writer = Writer()
    writer.add("lines", texts)
    plain = writer.plain()
    assert len(plain["tables"]["lines"]["shapes"]) == 1
    assert rebuilt(plain, "lines") == texts


def test_a_time_that_runs_back_and_a_wrong_number_come_back_too() -> None:
    texts = ['"n":1,"t":50}', '"n":7,"t":20}', '"n":3,"t":60}']
    writer = Writer()
    writer.add("lines", texts)
    assert rebuilt(writer.plain(), "lines") == texts


def test_a_line_with_a_character_of_the_format_is_refused() -> None:
    assert not Writer().add("lines", ['"a":"\x82"}'])


@given(st.lists(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([0, 3, 50, "7", "set-up", "", "x"])), max_size=4)))
def test_tracks_hold_every_value_after_every_event(steps: list[list[tuple[int, Any]]]) -> None:
    track, now, states = Track(), dict[int, str](), []
    for step in steps:
        last = dict(step)
        track.step((key, value, value) for key, value in last.items())
        now.update({key: str(value) for key, value in last.items()})
        states.append(dict(now))
    plain = track.plain()
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

"""Tests of people's names with ids, and of file names."""

from __future__ import annotations

import pytest
from gamelog_cli.input.people import _plain_letters

from gamelog.record.names import file_name_problem, split_name


@pytest.mark.parametrize(
    ("text", "name", "id"),
    [
        (" Ana < ana@club > ", "Ana", "ana@club"),
        ("李梅<mei>", "李梅", "mei"),
        ("<b>Eva</b>", "<b>Eva</b>", None),
        ("Ana <>", "Ana <>", None),
        ("<ana>", "<ana>", None),
        ("Ana <ana> x", "Ana <ana> x", None),
        (f"Ana{' ' * 60_000}Sousa", f"Ana{' ' * 60_000}Sousa", None),  # in time that grows as the text does
    ],
    ids=["spaces", "none", "tags", "empty", "no name", "behind", "long"],
)
def test_a_name_may_be_followed_by_an_id(text: str, name: str, id: str | None) -> None:
    assert split_name(text) == (name, id)


def test_names_compare_in_every_alphabet() -> None:
    assert _plain_letters("Łukasz") == _plain_letters("lukasz")
    assert [_plain_letters(chr(code)) for code in range(0x11_0000) if chr(code).isalpha()]


@pytest.mark.parametrize(
    "name",
    [
        "con", "CON.jsonl", "aux .jsonl", "COM1.gamelog.parquet", "lpt9", "a/nul.jsonl/b", "conin$", "com².jsonl",
        "ends.", "ends /x.jsonl", "x" * 306, "é" * 128 + ".jsonl",
    ],
)  # fmt: skip
def test_file_names_that_some_system_refuses_are_reported(name: str) -> None:
    assert file_name_problem(name)


@pytest.mark.parametrize(
    "name",
    [
        "contest.jsonl",
        "2026/aux-1.jsonl",
        "com10.jsonl",
        "..",
        "./a b.jsonl",
        ".hidden",
        "é" * 100 + ".jsonl",
    ],
)
def test_file_names_that_every_system_accepts_pass(name: str) -> None:
    assert file_name_problem(name) is None

"""Tests that text of people cannot control a terminal or break a line."""

from __future__ import annotations

import unicodedata

import pytest

from gamelog.record.escaping import escape_invisible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ana\u2069\u202e", "Ana\\u2069\\u202e"),
        ("a\x1b[2Jb\x9b1m", "a\\x1b[2Jb\\x9b1m"),
        ("good\nrules\r\u2028\u0085x", "good\\x0arules\\x0d\\u2028\\x85x"),
        ("\u200eאנה\u061c\u200f", "\\u200eאנה\\u061c\\u200f"),
        ("Zé 👩‍👩‍👧 שלום", "Zé 👩‍👩‍👧 שלום"),
        ("\ud83d", "\\ud83d"),
    ],
)
def test_control_characters_are_escaped(text: str, shown: str) -> None:
    assert escape_invisible(text) == shown


def test_requested_characters_are_kept() -> None:
    assert escape_invisible("a\tb\nc\x07", keep="\t\n") == "a\tb\nc\\x07"


def test_no_character_that_breaks_lines_or_controls_terminals_is_left() -> None:
    """Check all controls and every explicit mark of the bidirectional algorithm."""
    marks = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    codes = [*range(0xD800), *range(0xE000, 0x110000)]
    steering = [
        chr(code)
        for code in codes
        if unicodedata.category(chr(code)) in ("Cc", "Zl", "Zp")
        or unicodedata.bidirectional(chr(code)) in marks
    ]
    assert len(steering) > 70
    assert [letter for letter in steering if letter in escape_invisible(letter)] == []

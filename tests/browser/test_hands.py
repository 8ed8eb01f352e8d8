"""Tests of hands of cards in a real browser."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import expect

import gamelog
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.browser.conftest import Open
from tests.examples.conftest import EXAMPLES, installed

pytestmark = pytest.mark.browser

DEAL = {"do": "deal", "hands": {"red": [1, 7, 12], "blue": [2, 8, 11]}}

CARDS = """() => [...document.querySelectorAll("#board .content")].map((hand) => [
  [...hand.querySelectorAll("rect.tile")].map((card) => card.getBoundingClientRect().left), hand.textContent,
])"""
"""JavaScript for the left sides of the cards of each hand, and for its words."""


def test_a_hand_is_a_fan_and_a_face_down_hand_shows_its_count(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    with installed(tmp_path / "site", [EXAMPLES / "duel"]):
        path = tmp_path / "duel.jsonl"
        gamelog.create(path, "duel", seats={"red": "Ana", "blue": "Rui"})
        with gamelog.open(path) as record:
            record.append(DEAL)
        page = open_page(fold_record(read_record(path)), "#n=1", seat="red")
    hands = page.evaluate(CARDS)
    assert [words for _, words in hands] == ["1712", "×3"]
    for name in ("hand · Ana", "hand · Rui"):
        expect(page.locator("#board .label", has_text=name)).to_be_visible()
    for lefts, _ in hands:
        assert all(right - left > 15 for left, right in pairwise(lefts)), "each card shows its corner"
        assert len(lefts) == 3

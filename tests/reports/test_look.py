"""Seats are told apart without colour, and everything that is read can be read."""

from __future__ import annotations

import itertools

import pytest
from gamelog_reports.look import COLOURS, looks, luminance
from gamelog_reports.palette import INKS, KINDS, TINTS


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_eight_seats_differ_in_every_way() -> None:
    seats = ["red", "blue", "north", "S", "violet", "E", "west", "nobody"]
    told = looks(seats)
    for ways in ("colour", "pattern", "shape", "letter"):
        assert len({getattr(look, ways) for look in told}) == len(seats)


def test_seats_called_by_a_colour_have_it() -> None:
    assert [look.colour for look in looks(["green", "Gray", "red"])] == [COLOURS["green"], COLOURS["grey"], COLOURS["red"]]


def test_two_names_of_one_colour_get_two_colours() -> None:
    first, second = looks(["grey", "gray"])
    assert first.colour != second.colour


@pytest.mark.parametrize("theme", [0, 1])
@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        *itertools.product(("text", "soft"), ("paper", "card", "here")),
        ("bad", "bad-paper"),
        ("bad", "card"),
        ("warn", "warn-paper"),
        ("good", "card"),
        ("accent", "card"),
        ("accent-ink", "accent"),
        ("text", "bad-paper"),
        ("text", "warn-paper"),
    ],
)
def test_text_has_the_contrast_that_wcag_aa_asks_for(ink: str, paper: str, theme: int) -> None:
    assert contrast(INKS[ink][theme], INKS[paper][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1])
def test_labels_can_be_read_on_every_ground(theme: int) -> None:
    known = [pair[theme] for kind, pair in KINDS.items() if kind != "blocked"]
    grounds = [INKS["land"][theme], *known, *(pair[theme] for pair in TINTS)]
    assert min(contrast(INKS["text"][theme], ground) for ground in grounds) >= 4.5


def test_ink_on_seats_can_be_read() -> None:
    assert all(contrast(look.colour, look.ink) >= 4.5 for look in looks(list(COLOURS)))

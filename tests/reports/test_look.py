"""Tests that seats can be distinguished without colours, and that all text has enough contrast."""

from __future__ import annotations

import itertools
import math

import pytest
from gamelog_reports.palette import INKS, KINDS, TINTS
from gamelog_reports.replay_page.page_data import page_data
from gamelog_reports.replay_page.shown_record import ShownRecord
from gamelog_reports.seat_style import COLOURS, luminance, seat_styles

from gamelog.play.contract.registry import find, names
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.reading import read_record
from tests.samples.__main__ import DIRECTORY


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_eight_seats_differ_in_every_way() -> None:
    seats = ["red", "blue", "north", "S", "violet", "E", "west", "nobody"]
    told = seat_styles(seats)
    for ways in ("colour", "pattern", "shape", "letter"):
        assert len({getattr(look, ways) for look in told}) == len(seats)


def test_a_seat_has_one_colour_in_games_of_any_size() -> None:
    for game in map(find, names()):
        looks = dict(zip(game.all_seats, seat_styles(game.all_seats), strict=True))
        assert {seat for seats in game.seats.values() for seat in seats} == looks.keys()
    found = {}
    for players in (2, 4):
        (path, *_) = DIRECTORY.glob(f"dice_flags/full-{players}.jsonl")
        stage, _ = page_data(ShownRecord(fold_record(read_record(path)), Viewer()))
        found[players] = {look["seat"]: look["colour"] for look in stage["seats"]}
    assert found[2].items() <= found[4].items()


def test_seats_with_a_colour_name_have_this_colour() -> None:
    assert [look.colour for look in seat_styles(["green", "Gray", "red"])] == [
        COLOURS["green"],
        COLOURS["grey"],
        COLOURS["red"],
    ]


def test_two_names_of_one_colour_get_two_colours() -> None:
    first, second = seat_styles(["grey", "gray"])
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
def test_text_has_the_contrast_that_wcag_aa_requires(ink: str, paper: str, theme: int) -> None:
    assert contrast(INKS[ink][theme], INKS[paper][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1])
def test_labels_can_be_read_on_every_ground(theme: int) -> None:
    known = [pair[theme] for kind, pair in KINDS.items() if kind != "blocked"]
    grounds = [INKS["land"][theme], *known, *(pair[theme] for pair in TINTS)]
    assert min(contrast(INKS["text"][theme], ground) for ground in grounds) >= 4.5


def test_ink_on_seats_can_be_read() -> None:
    assert all(contrast(look.colour, look.ink) >= 4.5 for look in seat_styles(list(COLOURS)))


DICHROMACIES = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Matrices of colour blindness for linear red, green and blue (Machado et al. 2009, severity 1)."""


def lab(colour: str, sight: str) -> tuple[float, float, float]:
    """Return a colour as a person with this sight sees it, in CIE L*a*b*."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    red, green, blue = (
        min(max(sum(a * b for a, b in zip(row, linear, strict=True)), 0), 1) for row in DICHROMACIES[sight]
    )
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def seats_of_games() -> set[tuple[str, ...]]:
    """Return the seats of every sample game, and seats without colour names."""
    found = {
        header.seat_ids
        for path in DIRECTORY.glob("*/*.jsonl")
        if (header := read_record(path).header) is not None
    }
    return {*found, ("red", "blue", "yellow", "green", "purple", "white"), tuple("abcdef")}


@pytest.mark.parametrize("sight", list(DICHROMACIES))
def test_all_seats_look_different_with_every_colour_blindness(sight: str) -> None:
    """A difference of 2.3 is just noticeable. The test requires ten times as much."""
    seatings = seats_of_games()
    assert len(seatings) > 5
    for seats in seatings:
        told = seat_styles(seats)
        for one, other in itertools.combinations(told, 2):
            assert math.dist(lab(one.colour, sight), lab(other.colour, sight)) > 23, (
                seats,
                one.colour,
                other.colour,
            )
            assert one.pattern != other.pattern
            assert one.letter != other.letter
            assert one.shape != other.shape

"""Tables on a terminal: rounded numbers on the right, whole words, and every value."""

from __future__ import annotations

from gamelog_cli.printing.text_table import RangeCell, round_value, table_lines
from hypothesis import given
from hypothesis import strategies as st

from gamelog.play.rendering.board_lines import display_width

NAMES = st.from_regex(r"[a-z]{1,9}", fullmatch=True)
KINDS = (
    st.integers(-10_000, 10_000),
    st.floats(-1e4, 1e4),
    st.lists(st.text("abcdeй日", min_size=1, max_size=6), max_size=9).map(" ".join),
)


def lines(columns: list[str], rows: list[list[object]], width: int | None = 80) -> list[str]:
    return [line.text for line in table_lines(columns, rows, width)]


def test_numbers_are_rounded_and_stand_on_the_right() -> None:
    rows: list[list[object]] = [["north", 5, 0.5101091635454027, 1654.12], ["south", 12, 1.0, 9.5]]
    assert lines(["seat", "games", "low", "rating"], rows) == [
        "seat   games    low  rating",
        "north      5  0.510  1654.1",
        "south     12  1.000     9.5",
    ]


def test_a_number_that_is_not_zero_is_not_shown_as_zero() -> None:
    assert [round_value(0.0002), round_value(-0.0002), round_value(0.0), round_value(-0.25, 1)] == [
        "<0.001",
        ">-0.001",
        "0.000",
        "-0.2",
    ]


def test_infinite_numbers_and_missing_values_are_shown() -> None:
    assert lines(["a", "b"], [[float("inf"), ""], [0.5, True]]) == ["    a  b", "  inf", "0.500  True"]


def test_a_table_that_is_too_wide_has_headings_and_texts_below_its_rows() -> None:
    message = "one game cannot show an effect; about 100 are needed"
    rows: list[list[object]] = [
        ["dice_flags", "north", 4, 0.25, "", message],
        ["dice_flags", "south", 4, 0.75, "", "a tie"],
    ]
    assert lines(["game", "seat", "games", "share", "expected", "withheld"], rows, 40) == [
        "seat   games  share",
        "game: dice_flags",
        "north      4  0.250",
        "    withheld: one game cannot show an",
        "      effect; about 100 are needed",
        "south      4  0.750",
        "    withheld: a tie",
    ]


def test_a_long_text_of_several_rows_is_printed_once_for_each_heading() -> None:
    message = "ten games with these players cannot show an effect"
    rows: list[list[object]] = [
        [game, seat, 10, message] for game in ("tug", "ludo") for seat in ("north", "south")
    ]
    shown = lines(["game", "seat", "games", "not tested"], rows, 70)
    assert [line.split()[0] for line in shown] == ["game", "tug", "tug", "not", "ludo", "ludo", "not"]


def test_ranges_have_one_precision_and_headings_can_have_two_lines() -> None:
    rows: list[list[object]] = [[110.5, RangeCell(69, 1009)], [172, RangeCell(140.25, 209)]]
    assert lines(["median events", "events"], rows) == [
        "median       events",
        "events",
        " 110.5  69.0–1009.0",
        " 172.0  140.2–209.0",
    ]


@given(st.data(), st.integers(20, 120))
def test_no_line_is_too_long_and_no_value_is_missing(data: st.DataObject, width: int) -> None:
    names = data.draw(st.lists(NAMES, min_size=1, max_size=12, unique=True))
    cells = [st.just("") | data.draw(st.sampled_from(KINDS)) for _ in names]
    rows: list[list[object]] = [
        [data.draw(cell) for cell in cells] for _ in range(data.draw(st.integers(0, 6)))
    ]
    shown, whole = lines(names, rows, width), lines(names, rows, None)
    assert all(display_width(line) <= width for line in shown), shown
    words = {word for line in whole[1:] for word in line.split()}
    assert words <= {word.rstrip(",") for line in shown for word in line.split()}

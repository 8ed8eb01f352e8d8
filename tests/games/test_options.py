"""Both ends of every option's range are accepted, and the values just beyond them are refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import structs

from gamelog.play.contract.option_fields import without_description
from gamelog.play.contract.registry import find, names

RANGES: dict[str, dict[str, tuple[int, int | None]]] = {
    "slicewars": {"extra_ownerless": (0, None), "max_rounds": (1, 1000)},
    "gp02a_territory": {"chronology_fields": (1, 100)},
    "zone_control": {"clock_minutes": (1, 1440), "turn_limit": (1, 10_000)},
    "zone_s": {"repetitions": (2, 100), "max_quiet": (2, 10_000), "max_actions": (1, 10_000)},
    "dice_flags": {
        "max_doubles": (0, None),
        "carry_limit": (1, 4),
        "max_rounds": (1, 1000),
        "quiet_rounds": (1, 1000),
    },
}
"""By numeric option: the smallest and the largest value; None if the board or the play sets the limit."""

ENDS = [
    (game, option, smallest, largest)
    for game, options in RANGES.items()
    for option, (smallest, largest) in options.items()
]


def accepts(game: str, option: str, value: int) -> bool:
    try:
        msgspec.convert({option: value}, find(game).Options)
    except (msgspec.ValidationError, ValueError):
        return False
    return True


@pytest.mark.parametrize(("game", "option", "smallest", "largest"), ENDS)
def test_the_ends_of_a_range_are_accepted_and_values_beyond_are_refused(
    game: str, option: str, smallest: int, largest: int | None
) -> None:
    assert accepts(game, option, smallest)
    assert not accepts(game, option, smallest - 1)
    if largest is not None:
        assert accepts(game, option, largest)
        assert not accepts(game, option, largest + 1)


def test_every_numeric_option_has_a_range() -> None:
    for name in names():
        numbers = {field.name for field in structs.fields(find(name).Options) if _is_number(field.type)}
        assert numbers == RANGES[name].keys(), name


def _is_number(kind: Any) -> bool:
    shape = without_description(msgspec.inspect.type_info(kind))
    parts = shape.types if isinstance(shape, msgspec.inspect.UnionType) else (shape,)
    return any(isinstance(part, msgspec.inspect.IntType) for part in parts)

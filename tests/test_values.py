"""Tests that everything read or reported is immutable: an event, finding or difference never changes."""

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace

import pytest
from msgspec import Struct

import gamelog.archive
import gamelog.chance
import gamelog.dispute
import gamelog.play
import gamelog.record
from gamelog.archive.indexing.planning import Plan
from gamelog.archive.rows.consequences import EffectRows
from gamelog.archive.rows.record_rows import RecordRows
from gamelog.archive.schema import analysis_tables, league_tables, tables
from gamelog.play.contract.registry import find
from gamelog.play.judging.fold_record import FoldedRecord

FLOORS = (gamelog.record, gamelog.chance, gamelog.play, gamelog.dispute, gamelog.archive)

GROWING = {FoldedRecord, Plan, RecordRows, EffectRows}
"""Mutable structs: a replay with its record, a plan with its findings, rows with the events; also rows of
tables.
"""


def _structs(base: type[Struct]) -> Iterator[type[Struct]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _structs(kind)


def test_structs_are_frozen_except_the_growing_ones() -> None:
    for floor in FLOORS:
        for module in pkgutil.walk_packages(floor.__path__, f"{floor.__name__}."):
            importlib.import_module(module.name)
    inside = tuple(f"{floor.__name__}." for floor in FLOORS)
    found = [kind for kind in _structs(Struct) if kind.__module__.startswith(inside)]
    assert len(found) > 120, "most of them are looked at"
    changing = {kind for kind in found if not kind.__struct_config__.frozen}
    rows = {tables.__name__, league_tables.__name__, analysis_tables.__name__}
    assert {kind for kind in changing if kind.__module__ not in rows} == GROWING


@pytest.mark.parametrize("member", ["id", "check", "apply"])
def test_a_game_is_equal_only_to_itself(member: str) -> None:
    game = find("slicewars")
    with pytest.raises(FrozenInstanceError):
        setattr(game, member, getattr(game, member))
    assert replace(game) != game

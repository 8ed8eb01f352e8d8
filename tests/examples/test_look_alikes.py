"""A player of duel is told the same of records that look alike, whatever cards the others hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamelog.play.contract.registry import find
from tests.table.test_look_alikes import check_alike


@pytest.mark.usefixtures("gamelog")
def test_a_player_is_told_the_same_whatever_cards_the_others_hold(tmp_path: Path) -> None:
    check_alike(find("duel"), tmp_path, 8, 3)

"""Two duel records that look alike to a player give that player the same answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamelog.play.contract.registry import find
from tests.table.test_look_alikes import check_alike


@pytest.mark.usefixtures("gamelog")
def test_answers_to_a_player_do_not_depend_on_the_cards_of_others(tmp_path: Path) -> None:
    check_alike(find("duel"), tmp_path, 8, 3)

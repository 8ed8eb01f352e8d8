"""Two duel records that look alike to a player give that player the same answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamelog.play.contract.registry import find
from tests.cli.test_look_alikes import check_printed
from tests.dispute.test_look_alikes import check_incidents
from tests.examples.conftest import Gamelog
from tests.shares import examples
from tests.table.test_look_alikes import check_alike


@pytest.mark.usefixtures("gamelog")
def test_answers_to_a_player_do_not_depend_on_the_cards_of_others(tmp_path: Path) -> None:
    check_alike(find("duel"), tmp_path, examples(8), 3)


@pytest.mark.grid
@pytest.mark.parametrize("seat", ["red", "blue", "green"])
def test_commands_do_not_depend_on_the_cards_of_others(
    gamelog: Gamelog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seat: str
) -> None:
    check_printed(find("duel"), gamelog, tmp_path, monkeypatch, seat, players=3)


def test_incidents_do_not_depend_on_the_cards_of_others() -> None:
    check_incidents(find("duel"), 8, 3)

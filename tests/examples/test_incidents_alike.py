"""Incidents of two Duel records that look alike to a player are shown alike to that player."""

from __future__ import annotations

import pytest

from gamelog.play.contract.registry import find
from tests.dispute.test_look_alikes import check_incidents


@pytest.mark.usefixtures("gamelog")
def test_incidents_do_not_depend_on_the_cards_of_others() -> None:
    check_incidents(find("duel"), 8, 3)

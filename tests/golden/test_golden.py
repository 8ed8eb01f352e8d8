"""The golden playthroughs agree with the code; ``make golden`` writes them again."""

import pytest

from gamelog.play.contract.registry import find, names
from gamelog.testing.golden import path, player_counts, playthrough

KEPT = [(name, players) for name in names() for players in player_counts(find(name))]


@pytest.mark.parametrize(("name", "players"), KEPT)
def test_playthrough_is_unchanged(name: str, players: int) -> None:
    file = path(find(name), players)
    assert file.exists(), f"{file} is missing; make golden writes it"
    assert playthrough(find(name), players) == file.read_text(), "make golden, and review the diff"

"""Number of keystrokes for sample games: the shortest lines, with the Enter key."""

from __future__ import annotations

from pathlib import Path

import pytest
from gamelog_cli.events import reading
from gamelog_cli.events.choices import Choices

from gamelog.record.envelope import as_proposal
from tests.cli.keystrokes import lines_of, means, stretches

BUDGET = {"slicewars": 3.6, "zone_control": 3.8, "gp02a_territory": 3.3, "zone_s": 2.8, "dice_flags": 5.4}
"""Maximum number of keystrokes for an event."""


@pytest.mark.grid
@pytest.mark.parametrize("game", BUDGET)
def test_sample_games_are_typed_with_few_keys(game: str, tmp_path: Path) -> None:
    keys, times, before = 0, 1, None
    for (recorder, event), line in zip(stretches(game, tmp_path), lines_of(game), strict=True):
        choices, said = (
            Choices(recorder),
            {name: value for name, value in as_proposal(event).items() if name != "t"},
        )
        assert means(choices, line, event), (
            f"{line!r} no longer means {event}: python -m tests.cli.keystrokes {game}"
        )
        keys += 0 if said == before else len(line) + 1
        keys += 2 if said == before and times == 1 else 0  # I1, I1, I1 are typed as I1x3
        times = times + 1 if said == before else 1
        before = said if reading.split_repetition(choices, f"{line}x9") == (line, 9) else None
        recorder.append([{**as_proposal(event), "t": event.t}])
    assert keys / len(lines_of(game)) <= BUDGET[game]

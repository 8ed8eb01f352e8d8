"""Games between bots for measurements."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from gamelog.play.contract.registry import find
from gamelog.play.recording.series import simulate_game
from gamelog.record.record_file import compose


def play(
    game_id: str, folder: Path, numbers: Iterable[int], dice: str = "table", enough: float = float("inf")
) -> int:
    """Write records of games, with every number of players in turn, until they have enough events.

    Return the number of their events.
    """
    game = find(game_id)
    players = sorted(game.seats)
    folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for at in numbers:
        header, events = simulate_game(
            game, "bench", at, players=players[at % len(players)], bots=("random", "greedy"), dice=dice
        )
        (folder / f"{header.id}.jsonl").write_bytes(compose(header, events)[0])
        total += len(events)
        if total >= enough:
            break
    return total

"""Golden playthroughs: whole games as text that a person reviews as a diff.

A playthrough shows every event as recorded, its sentence, and the number of events that were legal before it.
This number changes with most changes of the rules. The board is drawn after every 50 events.
``python -m gamelog.testing.golden`` writes the playthroughs of the named games, or of all installed games.
A changed rule is visible in the diff.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.game_errors import Audience
from gamelog.play.recording.series import simulate_game
from gamelog.play.rendering.ascii_board import ascii_board, initials, plain_lines
from gamelog.play.rendering.sentences import sentence
from gamelog.record.envelope import Event, as_proposal

EVENTS_PER_BOARD = 50
"""Number of events between two drawings of the board."""

DIRECTORY = Path("tests/golden")
"""The default folder of the playthroughs."""


def playthrough(
    game: AnyGame, players: int, bots: tuple[str, ...] = ("random",), options: dict[str, object] | None = None
) -> str:
    """Return a game between bots as text. The same code always returns the same text.

    Args:
        game: The game.
        players: The number of players. It is the number of the game in its series too.
        bots: The names of bots, which get the seats in turn.
        options: Values of options by name; None for the defaults.
    """
    header, events = simulate_game(
        game, "golden", players, players=players, bots=bots, options=options, dice="seeded"
    )
    return "\n".join(_lines(Fold(header, game, audience=Audience.ALL_SEEING), events)) + "\n"


def _lines(fold: Fold, events: list[Event]) -> Iterator[str]:
    """Yield the lines of a golden playthrough: the setup, each event with its sentence, and the outcome."""
    game, header = fold.game, fold.header
    yield f"{game.title}, rules {game.rules_version}, {len(header.seats)} seats, board {header.board}"
    yield f"options {msgspec.json.encode(header.options).decode()}"
    for event in events:
        legal = "chance" if fold.pending.chance else str(len(legal_for(game, fold.state, None).events))
        before = fold.state
        failure = fold.push(event)
        assert failure is None, failure
        text = sentence(game, event, game.effects(before, event, fold.state), str)
        yield f"{fold.n:4} {msgspec.json.encode(as_proposal(event)).decode()}  [{legal}] {text}"
        if fold.n % EVENTS_PER_BOARD == 0 or fold.outcome:
            yield from _board(fold)
    points = f", score {game.score(fold.state)}" if game.has_points else ""
    yield f"outcome {msgspec.json.encode(fold.outcome).decode()}{points}"


def _board(fold: Fold) -> Iterator[str]:
    drawn = plain_lines(ascii_board(fold.game.scene(fold.state, None), initials(fold.header.seat_ids)))
    yield from ("     | " + line for line in drawn.splitlines())


def player_counts(game: AnyGame) -> list[int]:
    """Return the numbers of players that have a playthrough: the two smallest."""
    return sorted(game.seats)[:2]


def path(game: AnyGame, players: int, directory: Path = DIRECTORY) -> Path:
    """Return the path of the playthrough of `game` with this number of players."""
    return directory / f"{game.id}-{players}.txt"


def main() -> int:
    """Write the playthroughs, or list changed ones with ``--check``. Return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m gamelog.testing.golden", description="Write the golden playthroughs."
    )
    parser.add_argument("games", nargs="*", help="Ids of the games. By default, all installed games.")
    parser.add_argument(
        "--check", action="store_true", help=("List the playthroughs that have changed, but write nothing.")
    )
    parser.add_argument("--directory", type=Path, default=DIRECTORY)
    asked = parser.parse_args()
    changed = 0
    for game in map(find, asked.games or names()):
        for players in player_counts(game):
            file, now = path(game, players, asked.directory), playthrough(game, players)
            if file.exists() and file.read_text() == now:
                continue
            changed += 1
            print(file)
            if not asked.check:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(now)
    return 1 if asked.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())

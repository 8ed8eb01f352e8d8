"""Make the folder of a club's season: simulated games, given to people on evenings, with rounds and a file `league.toml`.

python -m tests.league.season FOLDER [--games 1000] [--people 60] [--game zone_s]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random

from msgspec import structs

from gamelog.play.contract.registry import find
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import Seat
from gamelog.record.record_file import compose

_FIRST = datetime(2026, 1, 7, 19, tzinfo=UTC)
_EVENING, _DAYS = 20, 7
"""Games of an evening, and days from one evening to the next."""


def write_season(folder: Path, games: int, people: int, game: str = "zone_s") -> None:
    """Write this number of games into the folder, with the file of the league."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"Member {number:02}" for number in range(1, people + 1)]
    places = [f"{players} = {[*range(2 * players - 2, -1, -2)]}" for players in find(game).seats]
    lines = ['name = "Season"', 'tie_breaks = ["head_to_head", "wins", "buchholz"]', 'round_tag = "round"']
    lines += ["[points]", "draw = 1", "[points.places]", *places]
    lines += ["[people]", *(f'"{name}" = ["{name.lower().replace(" ", "")}@club"]' for name in names)]
    (folder / "league.toml").write_text("\n".join(lines) + "\n")
    with ProcessPoolExecutor() as pool:
        list(pool.map(partial(write_game, folder, names, game), range(games), chunksize=20))


def write_game(folder: Path, names: Sequence[str], game: str, number: int) -> Path:
    """Write the game of this number, and return its file. The same number gives the same record."""
    chosen, evening = find(game), number // _EVENING
    header, events = simulate_game(
        chosen, "season", number, players=min(chosen.seats), bots=("greedy", "random")
    )
    people = Random(number).sample(names, len(header.seats))
    started = _FIRST + timedelta(days=_DAYS * evening, minutes=5 * (number % _EVENING))
    header = structs.replace(
        header,
        started=started.strftime("%Y-%m-%dT%H:%M:%SZ"),
        tags={"event": "Club", "round": str(evening + 1)},
        seats=tuple(
            Seat(seat.seat, name=name, id=f"{name.lower().replace(' ', '')}@club")
            for seat, name in zip(header.seats, people, strict=True)
        ),
    )
    file = folder / f"game-{number:04}.jsonl"
    file.write_bytes(compose(header, events)[0])
    return file


def main() -> None:
    """Write a season as the arguments say."""
    wanted = argparse.ArgumentParser(
        prog="python -m tests.league.season", description=(__doc__ or "").split("\n")[0]
    )
    wanted.add_argument("folder", type=Path)
    wanted.add_argument("--games", type=int, default=1000)
    wanted.add_argument("--people", type=int, default=60)
    wanted.add_argument("--game", default="zone_s")
    asked = wanted.parse_args()
    write_season(asked.folder, asked.games, asked.people, asked.game)


if __name__ == "__main__":
    main()

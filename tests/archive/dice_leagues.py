"""Simulated leagues of throws, fair or not, in one archive: each league is a game of its own, with its own tests.

`python -m tests.archive.dice_leagues` measures the rates of alarms that the documentation gives.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from gamelog.archive import Reader
from gamelog.archive.schema import tables
from gamelog.statistics import share_interval
from tests.archive.piles import Pile

PEOPLE = ("Ana", "Eva", "Mei", "Ole", "Rui", "Una", "Vic", "Zoe")
"""The people of a league. In an unfair league, Ana is the one whose dice are not fair."""

ALARM = 0.05
"""The promised rate of leagues with a false alarm."""


class Cheat:
    """The way in which the dice of Ana are not fair.

    Attributes:
        six: Share of the face 6.
        undoes: Part of Ana's low throws that a takeback undoes.
        corrects: Part of Ana's low throws that are recorded and then corrected to another throw.
        repeats: Part of Ana's throws that repeat the throw before.
    """

    def __init__(
        self, *, six: float = 1 / 6, undoes: float = 0.0, corrects: float = 0.0, repeats: float = 0.0
    ) -> None:
        self.six, self.undoes, self.corrects, self.repeats = six, undoes, corrects, repeats


FAIR = Cheat()


def add_league(pile: Pile, league: str, throws: int, cheat: Cheat, rng: Random) -> None:
    """Add a league in which each person makes `throws` throws of one to three dice, in games of ten each.

    Each tenth throw of the others is undone, and each fortieth is corrected, whatever its faces.
    """
    for at, person in enumerate(PEOPLE):
        unfair = cheat if not at else FAIR
        weights = [(1 - unfair.six) / 5] * 5 + [unfair.six]
        before: tuple[int, ...] = (1,)
        for number in range(throws):
            if number % 10 == 0:
                id = pile.game(("red",), game=league, players_=(person, f"{person}'s rival"))
            faces = tuple(rng.choices(range(1, 7), weights, k=rng.randint(1, 3)))
            if rng.random() < unfair.repeats:
                faces = before
            before, is_low = faces, sum(faces) < 3.5 * len(faces)
            if rng.random() < (unfair.corrects if is_low and unfair.corrects else 0.025):
                pile.rows.append(
                    tables.CorrectedRollRow(id=id, n=2 * number, seat="red", sides=6, faces=faces)
                )
                faces = tuple(rng.choices(range(1, 7), weights, k=len(faces)))
                is_low = sum(faces) < 3.5 * len(faces)
            undone = rng.random() < (unfair.undoes if is_low and unfair.undoes else 0.1)
            pile.rows.append(
                tables.RollRow(id=id, n=2 * number + 1, seat="red", sides=6, faces=faces, stands=not undone)
            )


def alarms(seeds: Sequence[int], throws: int, cheat: Cheat, archive: Path) -> int:
    """Return the number of leagues with an alarm: about Ana if someone cheats, otherwise about anyone."""
    pile = Pile()
    for seed in seeds:
        add_league(pile, f"league {seed}", throws, cheat, Random(f"{seed} {throws}"))
    with Reader(pile.stored(archive)) as reader:
        rows = reader.ask("fairness").dicts()
    alarmed = {row["game"] for row in rows if row["p_all"] is not None and row["p_all"] < ALARM}
    if cheat is not FAIR:
        found = {row["game"] for row in rows if row["player"] == "Ana" and row["p_all"] < ALARM}
        return len(found)
    return len(alarmed)


CHEATS = {
    "fair": FAIR,
    "a face 6 with probability 0.25": Cheat(six=0.25),
    "a face 6 with probability 0.22": Cheat(six=0.22),
    "a third of the low throws taken back": Cheat(undoes=1 / 3),
    "a fifth of the low throws corrected": Cheat(corrects=0.2),
    "a fifth of the throws repeated": Cheat(repeats=0.2),
}
"""The leagues of the measurements."""


def main(leagues: int, batch: int = 20) -> None:
    """Print how many leagues of each kind have alarms."""
    for name, cheat in CHEATS.items():
        number = leagues if cheat is FAIR else max(1, leagues // 5)
        for throws in (60, 250, 500):
            count = 0
            with TemporaryDirectory() as folder:
                for first in range(0, number, batch):
                    seeds = range(first, min(number, first + batch))
                    count += alarms(seeds, throws, cheat, Path(folder) / f"{first}.archive")
            interval = share_interval(count, number)
            print(
                f"{name}\t{throws}\t{count} of {number}\t{interval.low:.3f} to {interval.high:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)

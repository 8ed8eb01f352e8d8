"""A short game of each kind with commit-reveal dice, in which each player has a machine and one file is passed on."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path

import pytest
from msgspec import structs

from gamelog.chance.draws import Results
from gamelog.play.contract.registry import find
from gamelog.play.contract.seats import sample_for
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import validate
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import as_proposal
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog
from tests.play.test_declare import drawn

SHORT = {
    "slicewars": (2, ["max_rounds=1"]),
    "zone_control": (4, ["clock_minutes=null", "turn_limit=4"]),
    "gp02a_territory": (3, ["chronology_fields=4"]),
    "zone_s": (2, ["max_actions=6"]),
    "dice_flags": (2, ["max_rounds=2"]),
}
"""Games with a number of players and options for a short game."""


class Club:
    """People with a folder each; the person who had the record last has it in their folder."""

    def __init__(self, gamelog: Gamelog, game: str) -> None:
        players, options = SHORT[game]
        self.gamelog, self.root = gamelog, Path.cwd()
        self.seats = find(game).seats[players]
        self.at = self.seats[0]
        for seat in self.seats:
            Path(seat).mkdir()
        commits: list[str] = []
        id = ""
        for seat in self.seats:
            (made,) = self.run(
                seat,
                "dice",
                "commit",
                "--seat",
                seat,
                "-o",
                "mine",
                "--links",
                300,
                *(["--id", id] if id else []),
            )
            id = made["id"]
            commits += ["--commit", f"{seat}={made['commitment']}"]
        people = [word for seat in self.seats for word in ("--seat", f"{seat}={seat.title()}")]
        chosen = [word for option in options for word in ("--option", option)]
        os.chdir(self.root / self.at)
        done = gamelog(
            "new", game, "g.jsonl", *people, "--dice", "commit-reveal", "--id", id, *commits, *chosen
        )
        assert done.status == 0, done.err

    def run(self, seat: str, *args: object) -> list[dict[str, str]]:
        os.chdir(self.root / seat)
        done = self.gamelog(*args, "--json")
        assert done.status == 0, (args, done.err)
        return done.json

    def give(self, seat: str) -> None:
        if seat != self.at:
            shutil.copy(self.root / self.at / "g.jsonl", self.root / seat / "g.jsonl")
            self.at = seat

    @property
    def record(self) -> Path:
        return self.root / self.at / "g.jsonl"


@pytest.mark.grid
@pytest.mark.parametrize("game", SHORT)
def test_a_whole_game_is_played_with_dice_of_all_players(gamelog: Gamelog, game: str) -> None:
    club, rng = Club(gamelog, game), random.Random(game)
    while True:
        fold = EventRecorder(club.record).fold
        if fold.outcome:
            break
        assert fold.reveals is not None
        if fold.reveals.missing_seats:
            club.give(club.at if club.at in fold.reveals.missing_seats else fold.reveals.missing_seats[0])
            club.run(club.at, "dice", "reveal", "g.jsonl", "--secret", "mine")
        else:
            club.give(fold.pending.by[0])
            decided = json.dumps(
                as_proposal(sample_for(fold.game, fold.state, fold.game.pending(fold.state).by[0], rng))
            )
            club.run(club.at, "append", "g.jsonl", decided, "--secret", "mine")
    verdict = validate(club.record)
    assert (verdict.status, verdict.finished, verdict.findings) == ("ok", True, ())
    links = sum(b'"do":"@reveal"' in body for body in read_record(club.record).bodies)
    assert links >= 3 * len(club.seats)
    assert_no_roll_could_be_another(club.record)


def assert_no_roll_could_be_another(path: Path) -> None:
    """Assert that all possible results except those from the links are refused."""
    folded = fold_record(read_record(path))
    fold = folded.fold
    assert fold is not None
    rng = random.Random(1)
    chances = [event for event in folded.events if type(event) in fold.game.chance_events]
    for event in rng.sample(chances, min(12, len(chances))):
        before = Fold(fold.header, fold.game, line_heads=fold.line_heads)
        assert before.extend(folded.events[: event.n - 1]) is None
        other = next(
            made
            for made in (fold.game.chance(before.state, thrown(before, rng)) for _ in range(200))
            if as_proposal(made) != as_proposal(event) and fold.game.check(before.state, made) is None
        )
        found = before.judge(structs.replace(other, n=event.n, t=event.t))
        assert found is not None
        assert found.code == "chance.reveals"


def thrown(fold: Fold, rng: random.Random) -> Results:
    """Return possible results of the roll that is due."""
    assert fold.pending.chance is not None
    return tuple(tuple(drawn(draw, rng)) for draw in fold.pending.chance.draws)

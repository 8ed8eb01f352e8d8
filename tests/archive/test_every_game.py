"""Tests of each stock question on simulated evenings of every game: slips and other games change no answer."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec import structs

from gamelog.archive import Reader, all_questions, index
from gamelog.chance.sources import Seeded
from gamelog.play.contract import registry
from gamelog.play.fold import common_events
from gamelog.play.fold.fold import Fold
from gamelog.play.recording import play_loop
from gamelog.play.recording.header import new_header
from gamelog.record.envelope import DiceSpec, Event, Header, Seat

from .conftest import write

NAMES = ("Ana", "Rui", "Mei", "Zé", "Lena", "Omar")
STRETCH, SLIPS = 14, 12
"""Largest number of events between two slips, and of slips in a record."""

Answers = dict[str, list[dict[str, Any]]]


class Evening:
    """A game on two sheets: ``plain`` has the play, and ``other`` also has slips and their corrections.

    ``numbers`` has the number on the other sheet for each event of the plain sheet.
    """

    def __init__(self, header: Header, seed: int) -> None:
        self.game = registry.find(header.game)
        self.rng = Random(seed)
        self.plain, self.other = Fold(header, self.game), Fold(header, self.game)
        self.numbers = {0: 0}
        self.kinds: set[str] = set()
        seating = play_loop.SeatedBots(dict.fromkeys(header.seat_ids, self.game.bots["random"]), seed)
        self._steps = play_loop.play_to_end(
            self.plain, seating, Seeded("plain", header.id), play_loop.think_time_clock(Random(seed))
        )
        self._astray = play_loop.SeatedBots(
            dict.fromkeys(header.seat_ids, self.game.bots["random"]), seed, "astray"
        )

    def play(self, most: int) -> int:
        """Play a number of events at most, and record each on both sheets."""
        done = 0
        for event in islice(self._steps, most):
            self._copy(event)
            done += 1
        return done

    def say(self, event: Event) -> None:
        """Record an event that bots do not record on both sheets."""
        event = structs.replace(event, n=self.plain.n + 1, t=self.plain.t + 700)
        assert self.plain.push(event) is None, event
        self._copy(event)

    def _copy(self, event: Event) -> None:
        """Record an event of the plain sheet on the other, after the same time since the last event of play."""
        before = event.n - 1
        corrected = self.other.n in self.other.slips
        ago = event.t - (
            self.plain.play_time_at(before) if corrected or not before else self.plain.events[before - 1].t
        )
        changes: dict[str, Any] = {"n": self.other.n + 1, "t": self.other.t + ago}
        if isinstance(event, common_events.Takeback):
            changes["to"] = self.numbers[event.to]
        assert self.other.push(structs.replace(event, **changes)) is None, event
        self.numbers[event.n] = self.other.n

    def _wrong(self, event: Event) -> bool:
        event = structs.replace(event, n=self.other.n + 1, t=self.other.t + self.rng.randrange(60_000))
        return self.other.push(event) is None

    def slip(self) -> None:
        """Record up to nine events that were never played on the other sheet, and correct them."""
        fold, back = self.other, self.other.n
        source = Seeded(f"astray {back}", fold.header.id)
        for event in islice(
            play_loop.play_to_end(fold, self._astray, source, play_loop.think_time_clock(self.rng)),
            self.rng.randrange(9),
        ):
            self.kinds.add("chance" if type(event) in self.game.chance_events else "decision")
        self._astray_beside()
        if fold.n > back and self.rng.random() < 0.3:  # corrected, and still not right
            assert self._wrong(
                common_events.Takeback(0, 0, "table", self.rng.randrange(back, fold.n), slip=True)
            )
            self._astray_beside()
        if fold.outcome:
            self.kinds.add("end")
        assert self._wrong(common_events.Takeback(0, 0, "table", back, slip=True))

    def _astray_beside(self) -> None:
        """Record an event that is allowed at any time: a takeback, a resignation, a move out of turn, or a remark."""
        fold, seats = self.other, self.other.header.seat_ids
        seat = self.rng.choice(seats)
        what = self.rng.choice(["takeback", "resign", "as played", "note"])
        event: Event = common_events.Note(0, 0, "table", "what now?")
        if what == "takeback" and fold.n:
            event = common_events.Takeback(0, 0, "table", self.rng.randrange(fold.n))
        elif what == "resign":
            event = common_events.Resign(0, 0, seat)
        elif what == "as played" and (
            played := [event for event in fold.events if type(event) in self.game.events]
        ):
            event = structs.replace(self.rng.choice(played), as_played=True)
        if self._wrong(event):
            self.kinds.add(what)


def header(game: str, players: int, number: int, rng: Random) -> Header:
    """Return the header of a game of people or of bots, on an evening of its own."""
    kind = registry.find(game)
    bots = number % 2 == 1
    people = [
        Seat(seat, name, bot=rng.choice(["random", "greedy"]) if bots else None)
        for seat, name in zip(kind.seats[players], rng.sample(NAMES, len(NAMES)), strict=False)
    ]
    begun = datetime(2026, 1, 1, 20, tzinfo=UTC) + timedelta(days=number)
    id = f"{game}-{players}-{number}"
    return new_header(
        kind, people, id=id, started=begun.strftime("%Y-%m-%dT%H:%M:%SZ"), dice=DiceSpec("table")
    )


def evening(game: str, players: int, number: int) -> Evening:
    """Return a game with takebacks, remarks, claims and slips, and a corrected end."""
    rng = Random(f"{game} {players} {number}")
    table = Evening(header(game, players, number, rng), rng.randrange(1 << 32))
    table.slip()
    for slips in range(10_000):
        done = table.play(rng.randrange(1, STRETCH))
        if not done:
            break
        if rng.random() < 0.15 and not table.plain.outcome:
            to = max(0, table.plain.n - rng.randrange(1, 6))
            table.say(common_events.Takeback(0, 0, "table", to))
        if rng.random() < 0.1:
            table.say(common_events.Note(0, 0, "table", "well played"))
        if slips < SLIPS or table.plain.outcome:
            table.slip()
    return table


GAMES = ("dice_flags", "gp02a_territory", "slicewars", "zone_control", "zone_s")
CASES = [(id, players) for id in GAMES for players in sorted(registry.find(id).seats)]


@pytest.fixture(scope="module")
def evenings() -> list[Evening]:
    return [evening(game, players, number) for game, players in CASES for number in range(2)]


def indexed(folder: Path, sheets: Iterable[Fold]) -> Path:
    for fold in sheets:
        write(folder / f"{fold.header.id}.jsonl", fold.header, fold.events)
    index([folder], folder / "all.duckdb")
    return folder / "all.duckdb"


WAYS: dict[str, list[dict[str, Any]]] = {
    "dice": [{"by": by} for by in ("source", "game", "seat", "player")],
    "luck": [{"by": "seat"}, {"by": "player"}],
    "slow": [{"most": 100_000}],
    "comebacks": [{"most": 100_000}],
    "openings": [{"decisions": 1}, {"decisions": 3}, {"decisions": 2, "by": "player"}],
    "game_results": [{"most": 100_000}],
    "sitters": [{"changed": False}],
    "time_trouble": [{"least": 1}],
}
"""Parameters for questions that have some of their own."""


ANALYSED = {f"{name} {{}}" for name in ("adjusted", "decisive_moments", "luck_and_choice", "turning_points")}
"""The questions that need analyses. ``tests/archive/test_analyses.py`` asks them."""


OF_SLIPS = ("corrected", "corrected_low", "p_corrected", "tests", "p_all", "detectable", "needed")
"""The columns of the question fairness that depend on slips."""


def answers(archive: Path, **chosen: Any) -> Answers:
    """Return the answers to all stock questions, without folders, and with numbers to nine places.

    An archive without a league does not answer the questions about one: ``tests/league`` asks them.
    """
    found: Answers = {}
    with Reader(archive) as reader:
        for name, question in all_questions().items():
            known = {parameter.name for parameter in question.parameters}
            if chosen.keys() <= known and not name.startswith("league_"):
                for given in WAYS.get(name, [{}]):
                    found[f"{name} {given}"] = rows = reader.ask(name, given | chosen).dicts()
                    if name == "fairness":  # it counts slips, which no other question knows
                        rows[:] = [
                            {key: row[key] for key in row if key not in OF_SLIPS}
                            for row in sorted(
                                rows, key=lambda row: (row["game"], row["player"], row["sides"])
                            )
                        ]
                    for row in rows:
                        row.update(
                            {
                                key: Path(value).name
                                for key, value in row.items()
                                if key in ("path", "copy_path", "example")
                            }
                        )
                        row.update(
                            {key: round(value, 9) for key, value in row.items() if isinstance(value, float)}
                        )
    return found


def test_each_question_answers_as_if_nothing_had_been_written_wrongly(
    evenings: list[Evening], tmp_path: Path
) -> None:
    assert set().union(*(table.kinds for table in evenings)) == {
        "chance", "decision", "end", "takeback", "resign", "as played", "note",
    }  # fmt: skip
    numbers = {table.plain.header.id: table.numbers for table in evenings}
    plain, other = (
        indexed(tmp_path / sheet, (getattr(table, sheet) for table in evenings))
        for sheet in ("plain", "other")
    )
    for chosen in ({}, {"uncounted": "true"}):
        wanted, found = answers(plain, **chosen), answers(other, **chosen)
        assert {question for question, rows in wanted.items() if not rows} <= {
            "copies {}",
            "findings {}",
            "rules_broken {}",
            "standings {}",
            *(
                f"{name} {{}}"
                for name in ("adjusted", "decisive_moments", "luck_and_choice", "turning_points")
            ),
        }
        for question, rows in wanted.items():
            for row in rows:
                if "n" in row:
                    row["n"] = numbers[row["id"]][row["n"]]
            assert found[question] == rows, question


def beside(table: Evening) -> list[Fold]:
    """Write another sheet of the first evening of people, and a game in which an illegal event counts."""
    fold = table.plain
    if not fold.header.id.endswith("-0"):
        return []
    copy = Fold(structs.replace(fold.header, id=f"{fold.header.id}-copy"), table.game)
    assert copy.extend(fold.events) is None
    short = Fold(structs.replace(fold.header, id=f"{fold.header.id}-short"), table.game)
    short.extend(fold.events[:20])
    wrong = next(
        event for event in fold.events if short.judge(structs.replace(event, n=21, t=short.t)) is not None
    )
    assert short.push(structs.replace(wrong, n=21, t=short.t, as_played=True)) is None
    assert short.violations
    return [copy, short]


RATED = {"expected", "p", "withheld"}
"""Columns that depend on strengths.

A question rates strengths by all chosen games, with any number of players. So these columns differ from an archive that has only
games with one number of players, unless the question chooses that number.
"""


def of_one(question: str, rows: list[dict[str, Any]], **told: Any) -> list[dict[str, Any]]:
    """Return the rows of one game, without values that depend on the number of rows or on other games."""
    rated = "players" in told and question.startswith(("seats ", "turn_order "))
    left_out = {"p_all"} | (RATED if rated else set())
    return [
        {name: value for name, value in row.items() if name not in left_out}
        for row in rows
        if told.items() <= row.items()
    ]


class Mixed(NamedTuple):
    """Sheets of all games with copies and illegal events, their archive, and its answers."""

    sheets: list[Fold]
    archive: Path
    answers: Answers


@pytest.fixture(scope="module")
def mixed(evenings: list[Evening], tmp_path_factory: pytest.TempPathFactory) -> Mixed:
    sheets = [sheet for table in evenings for sheet in (table.plain, *beside(table))]
    archive = indexed(tmp_path_factory.mktemp("mixed"), sheets)
    return Mixed(sheets, archive, answers(archive))


@pytest.mark.grid
@pytest.mark.parametrize("game", GAMES)
def test_the_answer_for_one_game_equals_that_of_an_archive_of_this_game(
    mixed: Mixed, tmp_path: Path, game: str
) -> None:
    """The same holds for a number of seats."""
    sheets, archive, everything = mixed
    assert {question for question, rows in everything.items() if not rows} == {"standings {}", *ANALYSED}, (
        "none of these games gives places, or has an analysis"
    )
    for players in (None, min(registry.find(game).seats)):
        some = [
            sheet
            for sheet in sheets
            if sheet.header.game == game and players in (None, len(sheet.header.seats))
        ]
        alone = answers(indexed(tmp_path / f"{game} {players}", some))
        told = {"game": game} | ({"players": players} if players else {})
        for question, rows in answers(archive, **told).items():
            assert rows == alone[question], question
        for question, rows in alone.items():
            if all(told.keys() <= row.keys() for row in everything[question]):
                assert of_one(question, everything[question], **told) == of_one(question, rows, **told), (
                    question
                )

"""Simulated leagues: the rows of an archive, and a file `league.toml`, with ties, walkovers, substitutes and decisions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Raw

from gamelog.archive.indexing.store import Store
from gamelog.archive.schema import tables
from gamelog.archive.schema.league_tables import TIE_BREAKS

FIRST_DAY = date(2026, 3, 1)
DAYS = 30
BOARD = "hex50"
SEATS = ("red", "blue", "green", "yellow")


@dataclass
class Sitter:
    """A person at a seat, with the number of their decisions."""

    name: str
    decisions: int


@dataclass
class Chair:
    """A seat of a game: its people one after another, its place, score and whether it won."""

    sitters: list[Sitter]
    place: int | None = None
    score: int | None = None
    won: bool | None = None


@dataclass
class Game:
    """A game of a league, as the archive knows it."""

    id: str
    day: date
    chairs: list[Chair]
    result_by: str | None
    kind: str = "slicewars"
    board: str = BOARD
    rounds: int = 200
    tag: str | None = None
    valid: bool = True

    @property
    def is_drawn(self) -> bool:
        return self.result_by is not None and not any(chair.won for chair in self.chairs)


@dataclass
class Rules:
    """The rules of a league, and its games."""

    places: dict[int, list[float]]
    draw: float | None
    walkover: tuple[float, float] | None
    ties: str
    places_by: str
    substitutes: str
    tie_breaks: list[str]
    games: list[Game]
    names: list[str]
    aliases: dict[str, list[str]] = field(default_factory=dict)
    kinds: list[dict[str, Any]] = field(default_factory=list)
    tagged: bool = False
    rounds: list[dict[str, Any]] = field(default_factory=list)
    corrections: list[dict[str, Any]] = field(default_factory=list)
    newcomers: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return the file of the league."""
        lines = ['name = "Simulated"', f"tie_breaks = {json.dumps(self.tie_breaks)}"]
        lines += [f'places_by = "{self.places_by}"', f'substitutes = "{self.substitutes}"']
        lines += ['round_tag = "round"'] if self.tagged else []
        lines += [f"newcomers = {json.dumps(self.newcomers)}", "[points]", f'ties = "{self.ties}"']
        lines += [f"draw = {self.draw}"] if self.draw is not None else []
        lines += [f"walkover = {list(self.walkover)}"] if self.walkover else []
        lines += ["[points.places]", *(f"{players} = {points}" for players, points in self.places.items())]
        lines += ["[people]", *(f'"{name}" = {json.dumps(others)}' for name, others in self.aliases.items())]
        for name, tables_of_name in (
            ("games", self.kinds), ("rounds", self.rounds), ("corrections", self.corrections),
        ):  # fmt: skip
            for members in tables_of_name:
                lines += [f"[[{name}]]", *(f"{key} = {_toml(value)}" for key, value in members.items())]
        return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{key}" = {_toml(part)}' for key, part in value.items()) + " }"
    return value.isoformat() if isinstance(value, date) else json.dumps(value)


def simulated(seed: int) -> Rules:
    """Return a league of 2 to 8 people with 0 to 45 games."""
    rng = Random(seed)
    count = rng.randint(2, 8)
    names = [f"P{number}" for number in range(count)]
    sizes = [size for size in rng.choice(((2,), (2, 3), (3,), (2, 4), (2, 3, 4))) if size <= count] or [2]
    scale = rng.choice((1, 2, 3))
    places = {
        size: sorted((float(rng.randint(0, scale)) for _ in range(size)), reverse=True) for size in sizes
    }
    for size in sizes:
        if rng.random() < 0.5:
            places[size] = [float(size - at) for at in range(size)]
    games = [_game(rng, number, names, sizes) for number in range(rng.randint(0, 45))]
    played = {sitter.name for game in games for chair in game.chairs for sitter in chair.sitters}
    tie_breaks = rng.sample(TIE_BREAKS, rng.randint(0, len(TIE_BREAKS)))
    rules = Rules(
        places=places,
        draw=rng.choice((None, 0.5, 1.0)),
        walkover=rng.choice((None, (2.0, -1.0), (3.0, 0.0))),
        ties=rng.choice(("mean", "mean", "best")),
        places_by=rng.choice(("game", "score")),
        substitutes=rng.choice(("none", "starter", "finisher", "share")),
        tie_breaks=[*tie_breaks],
        games=games,
        names=names,
    )
    if len(played) > 1 and rng.random() < 0.3:
        first, second = rng.sample(sorted(played), 2)
        rules.aliases = {f"{first} {second}": [first, second]}
        rules.games = [game for game in games if not _meets_itself(game, {first, second})]
    played = {sitter.name for game in rules.games for chair in game.chairs for sitter in chair.sitters}
    listed = {name for names in rules.aliases.values() for name in names}
    rules.newcomers = [name for name in names if name not in played | listed]
    rules.newcomers += [] if played & listed else [*rules.aliases]
    if rng.random() < 0.3:
        rules.kinds = [{"game": "slicewars"}]
        if rng.random() < 0.5:
            rules.kinds = [{"game": "slicewars", "boards": [BOARD], "options": {"max_rounds": 200}}]
    mode = rng.choice(("none", "none", "tag", "days", "both"))
    rules.tagged = mode in ("tag", "both")
    if mode in ("days", "both"):
        rules.rounds = [
            {
                "name": str(number + 1),
                "first_day": FIRST_DAY + timedelta(7 * number),
                "last_day": FIRST_DAY + timedelta(7 * number + rng.randint(2, 6)),
            }
            for number in range(4)
        ]
    _decide(rng, rules, mode != "none")
    return rules


def _meets_itself(game: Game, people: set[str]) -> bool:
    return sum(any(sitter.name in people for sitter in chair.sitters) for chair in game.chairs) > 1 or any(
        len(chair.sitters) > 1 and any(sitter.name in people for sitter in chair.sitters)
        for chair in game.chairs
    )


def _game(rng: Random, number: int, names: list[str], sizes: list[int]) -> Game:
    size = rng.choice(sizes)
    people = rng.sample(names, size)
    spare = [name for name in names if name not in people]
    chairs = [Chair([Sitter(name, rng.randint(1, 5))]) for name in people]
    if spare and rng.random() < 0.15:
        chair = rng.choice(chairs)
        chair.sitters = [
            Sitter(chair.sitters[0].name, rng.randint(0, 2)),
            Sitter(rng.choice(spare), rng.randint(0, 2)),
        ]
    result_by = rng.choice(("play", "play", "play", "resignation", "agreement", "ruling", "walkover", None))
    game = Game(
        id=f"g{number:03}",
        day=FIRST_DAY + timedelta(rng.randrange(DAYS)),
        chairs=chairs,
        result_by=result_by,
        kind=rng.choice(("slicewars",) * 5 + ("zone_s",)),
        board=rng.choice((BOARD, BOARD, "own")),
        rounds=rng.choice((200, 200, 100)),
        tag=rng.choice((None, "1", "2", "finale")),
        valid=rng.random() > 0.08,
    )
    if rng.random() < 0.6:
        for chair in chairs:
            chair.score = rng.randint(0, 4)
    if result_by is None:
        return game
    winners = rng.choice(([], [0], [0], [0], [0, 1], [*range(size)]))
    for at, chair in enumerate(chairs):
        chair.won = at in winners
    if rng.random() < 0.3 and len(winners) == 1:
        for at, chair in enumerate(chairs):
            chair.place = 1 if at == 0 else rng.randint(2, 3)
    return game


def _decide(rng: Random, rules: Rules, has_rounds: bool) -> None:
    """Add decisions of the organiser."""
    people_of = {old: new for new, olds in rules.aliases.items() for old in olds}
    for game in rng.sample(rules.games, min(len(rules.games), rng.randint(0, 4))):
        members: dict[str, Any] = {"reason": "decided", "record": game.id}
        people = [chair.sitters[-1].name for chair in game.chairs]
        decision = rng.choice(("annulled", "forfeit", "result"))
        if decision == "forfeit":
            members["winner"] = people_of.get(people[0], people[0])
        if decision == "result":
            some = people[: rng.randint(1, len(people))]
            members["places"] = {name: rng.randint(1, 3) for name in some}
        if rng.random() < 0.4:
            members["day"] = FIRST_DAY + timedelta(rng.randrange(DAYS))
        rules.corrections.append({"decision": decision, **members})
    size = next(iter(rules.places))
    everyone = [*rules.aliases, *(name for name in rules.names if name not in people_of)]
    if len(everyone) >= size and rng.random() < 0.5:
        people = rng.sample(everyone, size)
        day = FIRST_DAY + timedelta(rng.randrange(DAYS))
        members = {"reason": "nobody came", "day": day, **({"round": "1"} if has_rounds else {})}
        if rng.random() < 0.5:
            members |= {"decision": "forfeit", "winner": people[-1], "people": people}
        else:
            members |= {"decision": "result", "places": {name: rng.randint(1, 3) for name in people}}
        rules.corrections.append(members)


def store(rules: Rules, archive: Path) -> None:
    """Write the games of a league to an archive."""
    games: list[tables.Row] = []
    seats: list[tables.Row] = []
    stays: list[tables.Row] = []
    for game in rules.games:
        winners = tuple(seat for seat, chair in zip(SEATS, game.chairs, strict=False) if chair.won)
        games.append(
            tables.GameRow(
                id=game.id, game=game.kind, rules="1", board=game.board, players=len(game.chairs),
                started=f"{game.day} 20:00:00", dice="table", options=Raw(b'{"max_rounds":%d}' % game.rounds),
                tags={"round": game.tag} if game.tag else {}, status="ok" if game.valid else "disputed", valid=game.valid,
                finished=game.result_by is not None, counted=game.valid, events=9, turns=9, gaps=0,
                winners=winners if game.result_by else None, result_by=game.result_by, path=f"/{game.id}.jsonl",
            )
        )  # fmt: skip
        for at, (seat, chair) in enumerate(zip(SEATS, game.chairs, strict=False), 1):
            seats.append(
                tables.SeatRow(
                    id=game.id, seat=seat, position=at, **_person(chair.sitters[-1].name), sitters=len(chair.sitters),
                    won=chair.won, place=chair.place, score=chair.score, decisions=sum(one.decisions for one in chair.sitters),
                )
            )  # fmt: skip
            if len(chair.sitters) > 1:
                for number, sitter in enumerate(chair.sitters):
                    stays.append(
                        tables.StayRow(
                            id=game.id, seat=seat, from_n=number * 5, to_n=None if number else 4,
                            decisions=sitter.decisions, **_person(sitter.name),
                        )
                    )  # fmt: skip
    with Store(archive) as opened:
        for name, rows in (("games", games), ("seats", seats), ("stays", stays)):
            opened.sql(f"DELETE FROM {name}")
            opened.add(name, rows)


def _person(name: str) -> dict[str, Any]:
    key = f"name:{name.casefold()}"
    return {"name": name, "same_name": name.casefold(), "key": key, "person": key, "player": name}

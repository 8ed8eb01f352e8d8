"""Impossible values in a file of a league, as far as they can be seen without an archive."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from math import isfinite

import msgspec

from gamelog.errors import BrokenGame, UnknownGame
from gamelog.league.model import Correction, Decision, Kind, League, Points, Problem
from gamelog.league.shape_problems import shown_value, unknown_key, unknown_value
from gamelog.league.toml_lines import Place
from gamelog.message import Message
from gamelog.play.contract.registry import find


def value_problems(league: League) -> Iterator[Problem]:
    """Yield the problems that need no archive to be seen."""
    if not league.name.strip():
        yield ("name",), Message.of("The name is empty. Write the name of the league."), ""
    yield from _point_problems(league.points)
    for position, name in enumerate(league.tie_breaks):
        if name in league.tie_breaks[:position]:
            text = 'The tie-break "{=name}" is listed twice. Delete one of the two.'
            yield ("tie_breaks", position), Message.of(text, name=name), name
    if league.meetings is not None and league.meetings < 1:
        yield ("meetings",), Message.of("The number of meetings must be 1 or more."), ""
    for position, kind in enumerate(league.games):
        yield from _kind_problems(("games", position), kind)
    yield from _round_problems(league)
    yield from _people_problems(league)
    for position, correction in enumerate(league.corrections):
        yield from _correction_problems(("corrections", position), correction, league)
    for position, separate in enumerate(league.separate):
        if len(set(separate.records)) < max(2, len(separate.records)):
            text = "Name two different records or more."
            yield ("separate", position, "records"), Message.of(text), ""


def _point_problems(points: Points) -> Iterator[Problem]:
    if not points.places:
        yield ("points", "places"), Message.of("No points are given. Write a line like: 2 = [3, 0]"), ""
    for players, values in points.places.items():
        place = ("points", "places", str(players))
        if players < 1 or len(values) != players:
            text = (
                "A game of {n} {n:player|players} has {n} {n:place|places}, but the list has {count}. Write "
                "a number for each place."
            )
            message = Message.of(text, n=players, count=len(values))
            yield place, message, ""
        if not all(map(isfinite, values)):
            yield place, Message.of("Points must be finite numbers."), ""
        if any(later > earlier for earlier, later in pairwise(values)):
            text = (
                "A worse place gives more points than a better one. Write the points from the first place on."
            )
            yield place, Message.of(text), ""
    walkover = points.walkover
    if walkover is not None and len(walkover) != 2:
        text = "Write two numbers: the points for the winner of a walkover, and those for the others."
        yield ("points", "walkover"), Message.of(text), ""
    for key, numbers in (("draw", [points.draw or 0]), ("walkover", walkover or [])):
        if not all(map(isfinite, numbers)):
            yield ("points", key), Message.of("Points must be finite numbers."), ""


def _kind_problems(place: Place, kind: Kind) -> Iterator[Problem]:
    try:
        game = find(kind.game)
    except (UnknownGame, BrokenGame) as error:
        yield (*place, "game"), error.message, kind.game
        return
    for board in kind.boards or ():
        if board != "own" and board not in game.boards:
            yield (*place, "boards"), unknown_value(board, (*game.boards, "own")), board
    for players in kind.players or ():
        if players not in game.seats:
            known = tuple(map(str, sorted(game.seats)))
            yield (*place, "players"), unknown_value(str(players), known), str(players)
    names = game.Options.__struct_fields__
    for name, value in kind.options.items():
        if name not in names:
            yield (*place, "options", name), unknown_key(name, list(names)), name
            continue
        try:
            msgspec.convert({name: value}, game.Options)
        except (msgspec.ValidationError, ValueError) as error:
            text = "The option {=name} of {=game} cannot be {=value} ({=error}). Write a possible value."
            words = str(error).partition(" - at ")[0]
            message = Message.of(text, name=name, game=kind.game, value=shown_value(value), error=words)
            yield (*place, "options", name), message, name


def _round_problems(league: League) -> Iterator[Problem]:
    names: set[str] = set()
    for position, round in enumerate(league.rounds):
        place: Place = ("rounds", position)
        if round.name in names:
            text = 'There are two rounds "{=name}". Give each round its own name.'
            yield (*place, "name"), Message.of(text, name=round.name), ""
        names.add(round.name)
        for key in ("first_day", "last_day"):
            if isinstance(getattr(round, key), datetime):
                yield (*place, key), Message.of("Write a day without a time."), ""
        if round.first_day and round.last_day and round.last_day < round.first_day:
            yield (
                (*place, "last_day"),
                Message.of("The round ends before it begins. Correct one of the days."),
                "",
            )
        if not (league.round_tag or round.first_day or round.last_day or round.pairings):
            text = "The games of this round are unknown. Add days, pairings, or a round_tag for the league."
            yield place, Message.of(text), ""
        for number, people in enumerate(round.pairings):
            if len(people) < 2 or len(set(people)) < len(people):
                text = "A pairing needs two different people or more."
                yield (*place, "pairings", number), Message.of(text), people[0] if people else ""


def _people_problems(league: League) -> Iterator[Problem]:
    owners: dict[str, str] = {}
    for person, names in league.people.items():
        for name in (person, *names):
            if owners.setdefault(name.casefold(), person) != person:
                text = '"{=name}" is listed for {=first} and for {=second}. Delete one of the two.'
                first = owners[name.casefold()]
                message = Message.of(text, name=name, first=first, second=person)
                yield ("people", person), message, name


def _correction_problems(place: Place, correction: Correction, league: League) -> Iterator[Problem]:
    if not correction.reason.strip():
        yield (*place, "reason"), Message.of("The reason is empty. Write why you decided this."), ""
    for key, decisions in _KEYS_OF_DECISIONS.items():
        if getattr(correction, key) and correction.decision not in decisions:
            text = 'The decision "{=decision}" has no key "{=key}". Delete the key, or correct the decision.'
            yield (*place, key), Message.of(text, decision=correction.decision, key=key), ""
    needed = {"forfeit": "winner", "result": "places"}.get(correction.decision)
    if needed and not getattr(correction, needed):
        text = 'The decision "{=decision}" needs the key "{=key}". Add it.'
        yield place, Message.of(text, decision=correction.decision, key=needed), ""
    for person, value in correction.places.items():
        if value < 1:
            text = "The place of {=person} must be 1 or more."
            yield (*place, "places", person), Message.of(text, person=person), person
    if correction.record is None:
        yield from _unrecorded_problems(place, correction, league)
    else:
        for key in ("people", "round"):
            if getattr(correction, key):
                text = 'The record of the game says this already. Delete the key "{=key}".'
                yield (*place, key), Message.of(text, key=key), ""
        for earlier, other in enumerate(league.corrections):
            if other is not correction and earlier < int(place[-1]) and other.record == correction.record:
                text = "This record has two corrections. Delete one of them."
                yield (*place, "record"), Message.of(text), ""


_KEYS_OF_DECISIONS: dict[str, tuple[Decision, ...]] = {
    "winner": ("forfeit",),
    "people": ("forfeit",),
    "places": ("result",),
}
"""The decisions that have a key, for each key that not all decisions have."""


def _unrecorded_problems(place: Place, correction: Correction, league: League) -> Iterator[Problem]:
    """Yield the problems of a correction about a game without a record."""
    if correction.decision == "annulled":
        yield place, Message.of("Only a game with a record can be annulled. Add its record."), ""
    people = list(correction.places) if correction.decision == "result" else correction.people
    if len(set(people)) < max(2, len(people)):
        text = "Name the people of the game, two or more, or the record of the game."
        yield place, Message.of(text), ""
    if correction.winner and correction.winner not in correction.people:
        text = "The winner {=winner} is not among the people of the game. Correct one of the names."
        yield (*place, "winner"), Message.of(text, winner=correction.winner), ""
    if correction.day is None:
        yield place, Message.of("The day of the game is missing. Add a day like 2026-10-31."), ""
    if (league.rounds or league.round_tag) and correction.round is None:
        yield place, Message.of("The round of the game is missing. Add it."), ""
    names = [round.name for round in league.rounds]
    if correction.round is not None and names and correction.round not in names:
        yield (*place, "round"), unknown_value(correction.round, tuple(names)), ""
    if len(people) not in league.points.places:
        text = "The league has no points for a game of {n} {n:player|players}. Add them to the points."
        yield place, Message.of(text, n=len(people)), ""

"""The standings of a simulated league in plain Python: the independent judge of the SQL."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

from tests.league.simulated import Chair, Game, Rules


class Line(NamedTuple):
    """The points of one person in one game. `part` is their share of the seat."""

    game: str
    chair: int
    person: str
    part: Fraction
    place: int
    last: int
    points: Fraction
    score: int | None
    difference: Fraction | None
    lost_walkover: bool


def _round_of(rules: Rules, game: Game) -> str | None:
    if rules.tagged and game.tag:
        return game.tag
    for one in rules.rounds:
        if one["first_day"] <= game.day <= one["last_day"]:
            return str(one["name"])
    return None


def _is_of_the_league(rules: Rules, game: Game) -> bool:
    if rules.kinds:
        (kind,) = rules.kinds
        if game.kind != kind["game"] or game.board not in kind.get("boards", [game.board]):
            return False
        if kind.get("options", {}).get("max_rounds", game.rounds) != game.rounds:
            return False
    return not (rules.rounds or rules.tagged) or _round_of(rules, game) is not None


def _credited(rules: Rules, chair: Chair) -> list[tuple[str, Fraction]]:
    people = [(sitter.name, sitter.decisions) for sitter in chair.sitters]
    deciders = [(name, count) for name, count in people if count]
    if len(people) == 1 or not deciders:
        if len(people) > 1 and rules.substitutes == "starter":
            return [(people[-1][0], Fraction(1))]
        return [(people[-1][0], Fraction(1))]
    if rules.substitutes == "starter":
        return [(deciders[0][0], Fraction(1))]
    if rules.substitutes == "finisher":
        return [(deciders[-1][0], Fraction(1))]
    if rules.substitutes == "share":
        total = sum(count for _, count in deciders)
        return [(name, Fraction(count, total)) for name, count in deciders]
    return [(deciders[0][0], Fraction(1))] if len(deciders) == 1 else []


def _points(rules: Rules, places: list[int], at: int, is_walkover: bool) -> tuple[int, int, Fraction]:
    """Return the place of a seat, the place of the last seat that ties with it, and its points."""
    better = sum(other < places[at] for other in places)
    ties = places.count(places[at])
    place, last = better + 1, better + ties
    table = [Fraction(number) for number in rules.places[len(places)]]
    if ties == len(places):
        if rules.draw is not None:
            return place, last, Fraction(rules.draw)
    elif is_walkover and rules.walkover:
        if place == 1:
            return place, last, Fraction(rules.walkover[0])
        return place, last, Fraction(rules.walkover[1])
    if rules.ties == "best":
        return place, last, table[place - 1]
    return place, last, sum(table[place - 1 : last], Fraction(0)) / ties


def _own_places(rules: Rules, game: Game) -> list[int]:
    if game.is_drawn and rules.places_by == "score":
        return [1 for _ in game.chairs]
    if rules.places_by == "score":
        order = sorted({chair.score or 0 for chair in game.chairs}, reverse=True)
        return [1 if chair.won else 2 + order.index(chair.score or 0) for chair in game.chairs]
    return [
        chair.place if chair.place is not None else 1 if chair.won or game.is_drawn else 2
        for chair in game.chairs
    ]


def lines(rules: Rules, as_of: date | None) -> list[Line]:
    """Return what each game gives each person."""
    found: list[Line] = []
    renamed = {old: new for new, olds in rules.aliases.items() for old in olds}

    def real(name: str) -> str:
        return renamed.get(name, name)

    decisions = {
        one["record"]: one
        for one in rules.corrections
        if "record" in one and (as_of is None or "day" not in one or one["day"] <= as_of)
    }
    for game in rules.games:
        decided = decisions.get(game.id)
        if as_of is not None and game.day > as_of:
            continue
        if not _is_of_the_league(rules, game) or (decided and decided["decision"] == "annulled"):
            continue
        if decided is None and (game.result_by is None or not game.valid):
            continue
        if decided is None:
            places = _own_places(rules, game)
        else:
            given = decided.get("places") or {decided.get("winner"): 1}
            given = {real(name): place for name, place in given.items()}
            worst = max(given.values()) + 1
            places = [
                min(
                    (given[real(one.name)] for one in chair.sitters if real(one.name) in given), default=worst
                )
                for chair in game.chairs
            ]
        walkover = decided["decision"] == "forfeit" if decided else game.result_by == "walkover"
        scores = [chair.score for chair in game.chairs]
        for at, chair in enumerate(game.chairs):
            place, last, points = _points(rules, places, at, walkover)
            difference = None
            if chair.score is not None:
                others = [score or 0 for other, score in enumerate(scores) if other != at]
                difference = chair.score - Fraction(sum(others), len(others))
            for name, part in _credited(rules, chair):
                found.append(
                    Line(game.id, at, real(name), part, place, last, points * part, chair.score, difference, walkover and place > 1)
                )  # fmt: skip
    for one in rules.corrections:
        if "record" in one or (as_of is not None and one["day"] > as_of):
            continue
        names = list(one["places"] if "places" in one else one["people"])
        places = [one["places"][name] if "places" in one else 1 + (name != one["winner"]) for name in names]
        for at, name in enumerate(names):
            forfeit = one["decision"] == "forfeit"
            place, last, points = _points(rules, places, at, forfeit)
            found.append(
                Line(
                    "without a record",
                    at,
                    name,
                    Fraction(1),
                    place,
                    last,
                    points,
                    None,
                    None,
                    forfeit and place > 1,
                )
            )
    return found


def standings(rules: Rules, as_of: date | None) -> list[dict[str, Any]]:
    """Return the standings, in their order."""
    all_lines = lines(rules, as_of)
    by_person: dict[str, list[Line]] = defaultdict(list)
    sizes: dict[str, int] = {game.id: len(game.chairs) for game in rules.games}
    for line in all_lines:
        by_person[line.person].append(line)
    for name in (*rules.newcomers, *rules.aliases):
        by_person.setdefault(name, [])
    totals = {person: sum((line.points for line in own), Fraction(0)) for person, own in by_person.items()}
    rows: dict[str, dict[str, Any]] = {}
    for person, own in by_person.items():

        def drawn(line: Line) -> bool:
            size = sizes.get(line.game) or sum(other.game == line.game for other in all_lines)
            return line.place == 1 and line.last == size

        sonneborn = buchholz = Fraction(0)
        for line in own:
            for other in all_lines:
                if other.game == line.game and other.chair != line.chair and other.person != person:
                    weight = line.part * other.part * totals[other.person]
                    buchholz += weight
                    sonneborn += (
                        weight
                        * (2 if line.place < other.place else 1 if line.place == other.place else 0)
                        / 2
                    )
        scores = [line.score * line.part for line in own if line.score is not None]
        differences = [line.difference * line.part for line in own if line.difference is not None]
        rows[person] = {
            "player": person,
            "points": totals[person],
            "games": len({line.game for line in own}),
            "wins": sum(line.part for line in own if line.place == 1 and not drawn(line)),
            "draws": sum(line.part for line in own if drawn(line)),
            "losses": sum(line.part for line in own if line.place > 1),
            "sonneborn_berger": sonneborn,
            "buchholz": buchholz,
            "difference": sum(differences) if differences else None,
            "score": sum(scores) if scores else None,
            "per_game": totals[person] / sum(line.part for line in own) if own else None,
            "forfeits": len({line.game for line in own if line.lost_walkover}),
            "head_to_head": None,
            "analysed": 0,
            "share": None,
            "adjusted": None,
        }
    groups = _divided([[*rows]], lambda person, _group: totals[person])
    for tie_break in rules.tie_breaks:

        def value(person: str, group: list[str], name: str = tie_break) -> Any:
            if name != "head_to_head":
                found = rows[person][name]
                return -found if name == "forfeits" else found
            if len(group) == 1:
                return None
            met = {line.game for other in group if other != person for line in by_person[other]}
            rows[person]["head_to_head"] = sum(
                (line.points for line in by_person[person] if line.game in met), Fraction(0)
            )
            return rows[person]["head_to_head"]

        groups = _divided(groups, value)
    ordered = []
    rank = 1
    for group in groups:
        ordered += [{"rank": rank, **rows[person]} for person in sorted(group)]
        rank += len(group)
    return ordered


def _divided(groups: list[list[str]], value: Any) -> list[list[str]]:
    """Return the groups, each divided by falling values of its people. None comes last."""
    divided: list[list[str]] = []
    for group in groups:
        by_value: dict[Any, list[str]] = defaultdict(list)
        for person in group:
            by_value[value(person, group)].append(person)
        order = sorted((one for one in by_value if one is not None), reverse=True)
        divided += [by_value[one] for one in [*order, *([None] if None in by_value else [])]]
    return divided

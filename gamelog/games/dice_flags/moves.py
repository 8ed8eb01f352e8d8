"""The moves of soldiers: obstacles on a path, forbidden ends, and tests for a legal move.

``places`` is the `State` member. Soldiers, armies and spaces are given by number.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.games.dice_flags.army import CARRIERS, MAX_ARMIES, MEN
from gamelog.games.dice_flags.board import BUNKER, FLAG, GRID
from gamelog.games.dice_flags.state import PRISON, Setup
from gamelog.games.dice_flags.walks import walk_table_of, walks

TAO_COUNTS = (1, 2, 3)
"""The numbers of spaces that a soldier may move in a Tao (DF-15)."""

_PRISONS = bytes(range(PRISON, PRISON + MAX_ARMIES))


def forbidding_rule(setup: Setup, places: bytes, soldier: int, end: int) -> str | None:
    """Return the rule that forbids `soldier` to end a count on `end`, or None.

    Args:
        setup: The board and the options.
        places: The space of each soldier, one byte each.
        soldier: The number of the soldier, through all armies.
        end: The space. Whether the soldier can reach it is not checked.
    """
    kind, options = setup.board.kinds[end], setup.options
    if kind == FLAG and options.flag_square == "carriers" and soldier not in CARRIERS:
        return "DF-A13"
    standing = places.find(end)
    if standing < 0:
        return None
    if standing // MEN == soldier // MEN:
        if kind == GRID:
            return "DF-8"
        if kind == FLAG:
            return "DF-A13"
        return "DF-10" if places.count(end) > 1 else None
    if kind == BUNKER:
        if places.count(end) == 1:
            return "DF-11"
        if options.bunker_pair_safe:
            return "DF-A10"
    return None


def ends(
    setup: Setup, places: bytes, soldier: int, count: int, trail: bytes = b""
) -> Iterator[tuple[int, bytes]]:
    """Yield the spaces where `soldier` may end a count, each with one path to it.

    Args:
        setup: The board and the options.
        places: The space of each soldier, one byte each.
        soldier: The number of the soldier, through all armies.
        count: The number of steps, as a die shows.
        trail: The spaces that the path may not enter, because the soldier has been there in this roll (DF-7).
    """
    seen: set[int] = set()
    if trail:
        for path in passable_paths(setup, places, soldier, count, trail):
            if path[-1] not in seen:
                seen.add(path[-1])
                yield path[-1], path
        return
    for end, roads, path in walk_table_of(setup.board).walks_from(count, places[soldier]):
        if (
            end not in seen
            and not is_blocked(places, roads)
            and forbidding_rule(setup, places, soldier, end) is None
        ):
            seen.add(end)
            yield end, path


def is_blocked(places: bytes, roads: bytes) -> bool:
    """Return whether a blockade is on any of the road spaces `roads` (DF-13)."""
    for at in roads:  # noqa: SIM110 - a generator would take twice the time
        if places.count(at) > 1:
            return True
    return False


def passable_paths(
    setup: Setup, places: bytes, soldier: int, count: int, trail: bytes = b""
) -> Iterator[bytes]:
    """Yield all paths of `count` steps that `soldier` may take.

    Args:
        setup: The board and the options.
        places: The space of each soldier, one byte each.
        soldier: The number of the soldier, through all armies.
        count: The number of steps.
        trail: The spaces that a path may not enter (DF-7).
    """
    for path in walks(setup.board, count, places[soldier], trail):
        roads = bytes([at for at in path[:-1] if setup.board.kinds[at] != GRID])
        if not is_blocked(places, roads) and forbidding_rule(setup, places, soldier, path[-1]) is None:
            yield path


def can_use(setup: Setup, places: bytes, army: int, count: int, walker: int = -1, trail: bytes = b"") -> bool:
    """Return whether any soldier of `army` can move `count` spaces.

    Args:
        setup: The board and the options.
        places: The space of each soldier, one byte each.
        army: The number of the army, in the order of the seats.
        count: The number of steps.
        walker: The soldier that has moved in this roll, or -1.
        trail: The spaces on which `walker` has been in this roll (DF-7).
    """
    known_walks, kinds = walk_table_of(setup.board).cache[count], setup.board.kinds
    for soldier, at in enumerate(places[army * MEN : army * MEN + MEN], army * MEN):
        if at >= PRISON or soldier == walker:
            continue
        for end, roads, _ in known_walks[at] or walk_table_of(setup.board).walks_from(count, at):
            if roads and is_blocked(places, roads):
                continue
            if (end not in places and kinds[end] != FLAG) or forbidding_rule(
                setup, places, soldier, end
            ) is None:
                return True
    if walker // MEN == army and places[walker] < PRISON:
        return next(ends(setup, places, walker, count, trail), None) is not None
    return False


def can_tao(setup: Setup, places: bytes, army: int, moved: int) -> bool:
    """Return whether any soldier of `army` that has not moved in this Tao can move one, two or three spaces.

    Args:
        setup: The board and the options.
        places: The space of each soldier, one byte each.
        army: The number of the army, in the order of the seats.
        moved: The soldiers of the army that have moved, one bit each, the first soldier in the lowest bit.
    """
    for soldier in range(army * MEN, army * MEN + MEN):
        if places[soldier] < PRISON and not moved >> soldier % MEN & 1:
            for count in TAO_COUNTS:
                if next(ends(setup, places, soldier, count), None) is not None:
                    return True
    return False


def has_men(places: bytes, army: int) -> bool:
    """Return whether any soldier of `army` is free."""
    return bool(places[army * MEN : army * MEN + MEN].strip(_PRISONS))


def count_captives(places: bytes, army: int) -> int:
    """Return the number of soldiers of `army` in prison."""
    return sum(at >= PRISON for at in places[army * MEN : army * MEN + MEN])


def can_rescue(setup: Setup, places: bytes, army: int) -> bool:
    """Return whether `army` has a legal rescue."""
    if len(places[army * MEN : army * MEN + MEN].translate(None, setup.posts)) == MEN:
        return False  # faster, and true in most turns: no soldier of the army is outside a prison
    return next(rescues(setup, places, army), None) is not None


def rescues(setup: Setup, places: bytes, army: int) -> Iterator[tuple[int, int, int]]:
    """Yield the legal rescues of `army`: rescuer, prisoner and square (DF-22, DF-A29, DF-A30)."""
    for other, home in enumerate(setup.homes):
        base = setup.board.bases[home]
        rescuer = places.find(base.post)
        if other == army or rescuer // MEN != army or PRISON + other not in places:
            continue
        for square in base.beside:
            if square not in places:
                for prisoner, at in enumerate(places):
                    if at == PRISON + other:
                        yield rescuer, prisoner, square

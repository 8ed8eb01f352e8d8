"""The abilities of pieces: slides, leaps, shots, entries, protection and support.

All functions compute from a `State`, and none depends on the side to move. A piece is given by its
place, a kind by its code, a side by its number.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.games.zone_s.roster import FOREST, HILLS
from gamelog.games.zone_s.state import BASE, DEPLOYED_PIECES, NOWHERE, OPEN, State, deployed_count


def slides(state: State, src: int) -> Iterator[int]:
    """Yield the places to which the piece on `src` may slide, captures included (ZS-9 to ZS-14, ZS-20)."""
    setup, pieces, terrain = state.setup, state.pieces, state.terrain
    roster = setup.roster
    kind, sides = roster.kinds[pieces[src]], roster.sides
    side, difficult, restricted = kind.side, kind.difficult, kind.restricted
    passes = kind.special == "passes_enemy"
    for ray in setup.board.rays[kind.course][src]:
        may_pass = passes
        for dst in ray[: kind.range] if kind.range else ray:
            ground, there = terrain[dst], pieces[dst]
            if ground in (restricted, BASE):
                break
            if there:
                if sides[there] == side:
                    break
                if can_capture(state, src, dst):
                    yield dst
                if not may_pass or ground == difficult:
                    break
                may_pass = False
            else:
                yield dst
                if ground == difficult:
                    break


def leaps(state: State, src: int) -> Iterator[int]:
    """Yield the hill tiles that the piece on `src` may reach by a leap but not by a slide (ZS-24, ZS-A36)."""
    roster, pieces = state.setup.roster, state.pieces
    kind = roster.kinds[pieces[src]]
    if kind.special != "leaps_to_hills" or kind.restricted == HILLS:
        return
    near = set(slides(state, src))
    dst = state.terrain.find(HILLS)
    while dst >= 0:
        there = pieces[dst]
        if dst not in near and (
            not there or (roster.sides[there] != kind.side and can_capture(state, src, dst))
        ):
            yield dst
        dst = state.terrain.find(HILLS, dst + 1)


def shots(state: State, src: int) -> Iterator[int]:
    """Yield the places of the enemies that the piece on `src` may shoot (ZS-19)."""
    roster, pieces = state.setup.roster, state.pieces
    kind = roster.kinds[pieces[src]]
    if kind.special == "shoots":
        for dst in state.setup.board.neighbours[src]:
            if roster.sides[pieces[dst]] == 1 - kind.side and can_capture(state, src, dst):
                yield dst


def entries(state: State, code: int) -> Iterator[int]:
    """Yield the places to which a piece of kind `code` may be summoned (ZS-7, ZS-8, ZS-16 to ZS-18).

    The reserve is not checked.
    """
    kind, terrain, pieces = state.setup.roster.kinds[code], state.terrain, state.pieces
    board, restricted, homebound, base = (
        state.setup.board,
        kind.restricted,
        kind.homebound,
        state.bases[kind.side],
    )
    if homebound and base == NOWHERE:
        return
    for at in board.neighbours[base] if homebound else range(board.size):
        if (
            not pieces[at]
            and OPEN < terrain[at] < BASE
            and terrain[at] != restricted
            and (homebound or can_enter(state, code, at))
        ):
            yield at


def deployments(state: State, side: int) -> Iterator[tuple[int, int]]:
    """Yield the code and place of each piece that `side` may place behind the screen (ZS-4, ZS-A6)."""
    for code in state.setup.roster.own[side]:
        for at in _deployments(state, side, code):
            yield code, at


def _deployments(state: State, side: int, code: int) -> Iterator[int]:
    """Yield the places behind the screen for a piece of kind `code`."""
    halves = state.setup.board.halves
    if state.reserve[code]:
        for at in entries(state, code):
            if halves[at] == side:
                yield at


def can_enter(state: State, code: int, at: int) -> bool:
    """Return whether a piece of kind `code` may enter on the tile `at`, occupied or not."""
    setup = state.setup
    kind, neighbours = setup.roster.kinds[code], setup.board.neighbours
    home = state.bases[kind.side] in neighbours[at]
    if kind.type == "fortification":
        return state.terrain[at] == kind.preferred and not home
    if home:
        return True
    if kind.special == "comes_from_forest":
        return state.terrain[at] == FOREST
    return kind.special == "joins_kind" and any(state.pieces[near] == code for near in neighbours[at])


def can_act(state: State, side: int) -> bool:
    """Return whether `side` has an action other than a pass (ZS-A26)."""
    roster, pieces = state.setup.roster, state.pieces
    for code in roster.own[side]:
        if state.reserve[code] and next(entries(state, code), None) is not None:
            return True
        src = pieces.find(code)
        while src >= 0:
            if any(next(targets(state, src), None) is not None for targets in (slides, leaps, shots)):
                return True
            src = pieces.find(code, src + 1)
    return False


def can_deploy(state: State, side: int) -> bool:
    """Return whether `side` still has a piece to deploy (ZS-A6)."""
    if deployed_count(state, side) < DEPLOYED_PIECES:
        for code in state.setup.roster.homebound[side]:
            for _ in _deployments(state, side, code):
                return True
    return False


def can_capture(state: State, src: int, dst: int) -> bool:
    """Return whether the piece on `src` may capture the enemy on `dst`, as far as ZS-10 goes."""
    return not is_protected(state, dst) or can_capture_protected(state, src, dst)


def is_protected(state: State, at: int) -> bool:
    """Return whether the piece on `at` is protected: by its terrain or by a neighbour (ZS-10, ZS-23)."""
    return state.terrain[at] == state.setup.roster.kinds[state.pieces[at]].preferred or is_sheltered(
        state, at
    )


def is_sheltered(state: State, at: int) -> bool:
    """Return whether a piece of the same side shelters the piece on `at` (ZS-23)."""
    roster, pieces = state.setup.roster, state.pieces
    for code in roster.shelters[roster.sides[pieces[at]]]:
        if code in pieces:
            for near in state.setup.board.neighbours[at]:
                if pieces[near] == code:
                    return True
    return False


def can_capture_protected(state: State, src: int, dst: int) -> bool:
    """Return whether the piece on `src` may capture a protected piece on `dst` (ZS-10, ZS-21)."""
    roster, pieces = state.setup.roster, state.pieces
    kind = roster.kinds[pieces[src]]
    if kind.special == "counts_double" and not (
        state.setup.options.swordsman_only_isolated and has_friend(state, dst)
    ):
        return True
    return bool(supporters(state, src, dst))


def supporters(state: State, src: int, dst: int) -> list[int]:
    """Return the places next to `dst` of other pieces of the same side as the piece on `src` (ZS-A13)."""
    sides, pieces = state.setup.roster.sides, state.pieces
    side = sides[pieces[src]]
    return [near for near in state.setup.board.neighbours[dst] if sides[pieces[near]] == side and near != src]


def has_friend(state: State, at: int) -> bool:
    """Return whether a piece of the same side is next to the piece on `at` (ZS-A15)."""
    sides, pieces = state.setup.roster.sides, state.pieces
    side = sides[pieces[at]]
    return any(sides[pieces[near]] == side for near in state.setup.board.neighbours[at])


def counted_homes(state: State, side: int) -> tuple[int, ...]:
    """Return the home tiles of `side` that count for the destruction of its base (ZS-7, ZS-A25)."""
    setup, other = state.setup, state.bases[1 - side]
    near = setup.board.neighbours
    homes = near[state.bases[side]]
    return homes if setup.options.shared_home_counts else tuple(at for at in homes if other not in near[at])


def count_homes_held(state: State, side: int) -> int:
    """Return the number of the enemy's counted home tiles that `side` occupies (ZS-25)."""
    sides, pieces = state.setup.roster.sides, state.pieces
    if state.bases[1 - side] < 0:
        return 0
    return sum(sides[pieces[at]] == side for at in counted_homes(state, 1 - side))

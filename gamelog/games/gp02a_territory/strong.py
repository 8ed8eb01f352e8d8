"""A bot that plans its whole turn before the first event, and plays to win.

It values a position by its points and by its chances: a group next to free fields may reach the next band,
and a block that is not full may still be won. Chances count less as the game goes on. To plan a turn, the
bot tries each chip for the chronology and each block, and puts the chips one by one on the best fields. It
plans a movement in the same way. It keeps nothing between events, so it plans each event again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from random import Random

from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.board import Board
from gamelog.games.gp02a_territory.bots import hand_out
from gamelog.games.gp02a_territory.chips import hand, has_purple
from gamelog.games.gp02a_territory.choices import (
    can_return_alone,
    landing_fields,
    liftable_fields,
    purple_targets,
    removable_fields,
)
from gamelog.games.gp02a_territory.events import Decision
from gamelog.games.gp02a_territory.room import can_move, count_free, to_move
from gamelog.games.gp02a_territory.scoring import groups, score
from gamelog.games.gp02a_territory.state import CHIPS, COLOURS, EMPTY, PURPLE, State
from gamelog.games.gp02a_territory.tables import TABLES, block_points, group_points

_LONE_FIELD = 0.2
"""The worth of the chances of a single chip with room to grow."""
_LEADER = 0.6
"""The share of the leading rival in what counts against us. The rest is the mean of all rivals."""
_NEVER = -1e9
"""The worth of an impossible choice."""


def _growth_values() -> tuple[float, ...]:
    """Return, for each size of a group, the points of its band and a part of the way to the next band."""
    steps = [(1, _LONE_FIELD), *TABLES.groups]
    worth = [0.0]
    for (size, points), (wider, more) in pairwise(steps):
        worth += [points + (more - points) * step / (wider - size) * 0.6 for step in range(wider - size)]
    return (*worth, float(steps[-1][1]))


_GROWTH_VALUES = _growth_values()
"""The worth of a group that can still grow, by its size."""


class Valuation:
    """The worth of positions to one seat, for fields that the bot tries out."""

    def __init__(self, state: State) -> None:
        setup = state.setup
        self.board: Board = setup.board
        self.options = setup.options
        self.own = setup.colours[state.actor]
        self.rivals = [colour for colour in setup.colours if colour != self.own]
        self.hope = 1 - len(state.chronology) / setup.chronology
        self.chronology = [state.chronology.count(colour) for colour in range(len(COLOURS))]

    def worth_of(self, fields: bytes, known: dict[int, float] | None = None) -> float:
        """Return the worth of `fields` to the bot. `known` has the worth of known groups."""
        worth = self.blocks(fields)
        for colour in (self.own, *self.rivals):
            grown = self.groups(fields, colour) if known is None or colour not in known else known[colour]
            worth[colour] += self.chronology[colour] + grown
        against = [worth[colour] for colour in self.rivals]
        return worth[self.own] - _LEADER * max(against) - (1 - _LEADER) * sum(against) / len(against)

    def groups(self, fields: bytes, colour: int) -> float:
        """Return the worth of the groups of a colour."""
        neighbours = self.board.neighbours
        worth = 0.0
        for group in groups(self.board, fields, colour, self.options.groups_cross_blocks):
            sure = float(group_points(len(group)))
            if self.hope and any(fields[near] == EMPTY for at in group for near in neighbours[at]):
                sure += (_GROWTH_VALUES[min(len(group), len(_GROWTH_VALUES) - 1)] - sure) * self.hope
            worth += sure
        return worth

    def blocks(self, fields: bytes) -> list[float]:
        """Return the worth of all blocks to each colour: the fuller a block, the more its leader counts."""
        worth = [0.0] * len(COLOURS)
        for first, _, end in self.board.spans:
            counts = [fields.count(colour, first, end) for colour in range(len(COLOURS))]
            most = max(counts)
            if not most:
                continue
            open_ = self.hope * fields.count(EMPTY, first, end) / (end - first)
            weights = [count * count for count in counts]
            ahead = counts.count(most)
            for colour, count in enumerate(counts):
                worth[colour] += open_ * TABLES.block * weights[colour] / sum(weights)
                if count == most:
                    worth[colour] += (1 - open_) * block_points(ahead)
        return worth

    def with_chip(self, fields: bytes, chip: int, places: Iterable[int]) -> tuple[float, int, bytes]:
        """Return the best of `places` for a chip (`EMPTY` removes one): the new worth, the place, the fields.

        Only the groups of the chip's colour are counted again. The chip also leaves other groups less room to
        grow; this is ignored.
        """
        known = {colour: self.groups(fields, colour) for colour in (self.own, *self.rivals)}
        best: list[tuple[float, int, bytes]] = []
        for at in places:
            mover = fields[at] if chip == EMPTY else chip
            changed = _with_chip(fields, at, chip)
            best.append(
                (
                    self.worth_of(
                        changed, {colour: worth for colour, worth in known.items() if colour != mover}
                    ),
                    at,
                    changed,
                )
            )
        return max(best)

    def best_placement(self, fields: bytes, counts: list[int], block: int) -> tuple[float, int, int]:
        """Return the worth after putting all chips on their best fields in `block`, and the first field."""
        first, _, end = self.board.spans[block - 1]
        left, step = list(counts), None
        worth = self.worth_of(fields)
        while any(left):
            free = [at for at in range(first, end) if fields[at] == EMPTY]
            colour, (worth, at, fields) = max(
                (
                    (colour, self.with_chip(fields, colour, free))
                    for colour, count in enumerate(left)
                    if count
                ),
                key=lambda found: found[1][0],
            )
            step = step or (colour, at)
            left[colour] -= 1
        colour, at = step or (EMPTY, -1)
        return worth, colour, at


def strong(state: State, seat: str, rng: Random) -> Decision:  # noqa: ARG001 - a bot's signature; this bot plays without chance
    """Return the decision with the highest worth."""
    valuation, names = Valuation(state), state.setup.board.names
    match state.phase:
        case "distribute":
            return ev.Distribute(
                0, 0, seat, hand_out(state, [(points, other) for other, points in score(state).items()])
            )
        case "remove":
            return ev.Remove(
                0, 0, seat, names[valuation.with_chip(state.fields, EMPTY, removable_fields(state))[1]]
            )
        case "chronology":
            return _chronology(state, seat, valuation)
        case "lift":
            return ev.Lift(
                0, 0, seat, names[valuation.with_chip(state.fields, EMPTY, liftable_fields(state))[1]]
            )
        case "put":
            return ev.Put(0, 0, seat, names[_best_put(state, valuation)])
        case "place" if any(hand(state, state.actor)[:PURPLE]):
            _, colour, at = valuation.best_placement(
                state.fields, list(hand(state, state.actor)[:PURPLE]), state.block
            )
            return ev.Place(0, 0, seat, CHIPS[colour], names[at])
        case "action":
            return _action(state, seat, valuation)
    return _purple(state, seat, valuation)


def _chronology(state: State, seat: str, valuation: Valuation) -> Decision:
    """Return the chip for the chronology that leaves the best hand to place."""
    counts = list(hand(state, state.actor)[:PURPLE])
    best: list[tuple[float, int]] = []
    for colour, count in enumerate(counts):
        if count:
            counts[colour] -= 1
            valuation.chronology[colour] += 1
            best.append(
                (
                    max(
                        (worth for worth, _ in _placements(state, counts, valuation)),
                        default=valuation.worth_of(state.fields),
                    ),
                    colour,
                )
            )
            valuation.chronology[colour] -= 1
            counts[colour] += 1
    return ev.Chronology(0, 0, seat, CHIPS[max(best)[1]])


def _placements(state: State, counts: list[int], valuation: Valuation) -> Iterator[tuple[float, int]]:
    """Yield the worth of a placement in each block that has room, and the block."""
    board, fields = state.setup.board, state.fields
    for block in range(1, len(board.spans) + 1):
        if count_free(board, fields, block) >= sum(counts):
            yield valuation.best_placement(fields, counts, block)[0], block


def _action(state: State, seat: str, valuation: Valuation) -> Decision:
    """Return the choice of a block or the start of a movement, whichever has the higher value.

    If no chip can be placed, return the use of the purple chip.
    """
    counts = list(hand(state, state.actor)[:PURPLE])
    best = max(_placements(state, counts, valuation), default=None) if any(counts) else None
    aims = list(purple_targets(state)) if has_purple(state, state.actor) else []
    if can_move(state):
        removal = valuation.with_chip(state.fields, EMPTY, aims)[0] if aims else _NEVER
        if _movement_value(state, valuation) >= (best[0] if best else removal):
            return ev.MoveStart(0, 0, seat)
    return ev.ChooseBlock(0, 0, seat, best[1]) if best else _purple(state, seat, valuation)


def _movement_value(state: State, valuation: Valuation) -> float:
    """Return the worth after a movement that lifts the least useful chips and puts them in the best block."""
    board, fields, moves = state.setup.board, state.fields, to_move(state)
    for _ in range(moves):
        at = [at for at in removable_fields(state) if fields[at] == valuation.own]
        fields = valuation.with_chip(fields, EMPTY, at)[2]
    counts = [moves if colour == valuation.own else 0 for colour in range(len(COLOURS))]
    blocks = [block for block in range(1, len(board.spans) + 1) if count_free(board, fields, block) >= moves]
    return max((valuation.best_placement(fields, counts, block)[0] for block in blocks), default=_NEVER)


def _best_put(state: State, valuation: Valuation) -> int:
    """Return the best field for a lifted chip, with the other lifted chips put in the same block."""
    counts = list(hand(state, state.actor)[:PURPLE])
    blocks = {state.setup.board.block[at] for at in landing_fields(state)}
    _, _, at = max(valuation.best_placement(state.fields, counts, block) for block in sorted(blocks))
    return at


def _purple(state: State, seat: str, valuation: Valuation) -> Decision:
    if can_return_alone(state):
        return ev.Purple(0, 0, seat)
    return ev.Purple(
        0,
        0,
        seat,
        state.setup.board.names[valuation.with_chip(state.fields, EMPTY, purple_targets(state))[1]],
    )


def _with_chip(fields: bytes, at: int, chip: int) -> bytes:
    return fields[:at] + bytes([chip]) + fields[at + 1 :]

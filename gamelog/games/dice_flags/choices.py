"""Legal decisions: a list, a shorter list with one path for each destination, or one at random."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from gamelog.game import Event, Legal
from gamelog.games.dice_flags.army import MEN, SOLDIERS
from gamelog.games.dice_flags.events import (
    Decision,
    Deploy,
    March,
    Move,
    PickUp,
    Rescue,
    Stop,
    Tao,
    TaoEnd,
    TaoMove,
)
from gamelog.games.dice_flags.moves import (
    TAO_COUNTS,
    ends,
    forbidding_rule,
    is_blocked,
    passable_paths,
    rescues,
)
from gamelog.games.dice_flags.state import PRISON, RESERVE, State, flags_under
from gamelog.games.dice_flags.turns import allows_tao, army_to_move
from gamelog.games.dice_flags.walks import walk_table_of

_MAX_SAMPLED_PATHS = 30
"""The number of random paths that `sample` tries before it lists all moves."""


def legal(state: State, seat: str) -> Legal:
    """Return the decisions that are legal for `seat`, or none while dice are due or when the game is over.

    The list has one path for each space that a soldier can reach. While a second die is left, it has one
    path for each set of spaces on the way, because the soldier cannot enter them again (DF-7): with two dice
    about 800 moves, of which about 150 have different ends. The moves of `destinations` come first.
    """
    near = destinations(state)
    if near.events and near.events[0].by != seat:
        return Legal(())
    if state.phase != "act" or len(state.dice) < 2 or not near.events:
        return near
    return Legal((*near.events, *_detours(state, army_to_move(state), near.events)), complete=False)


def destinations(state: State) -> Legal:
    """Return the legal decisions of the seat to act, with one path for each end of a soldier's count."""
    seats = state.setup.seats
    if state.attack is not None or state.outcome is not None:
        return Legal(())
    if state.picker >= 0:
        return Legal(tuple(_pick_ups(state)))
    army = army_to_move(state)
    match state.phase:
        case "deploy":
            return Legal(tuple(_deployments(state, army)))
        case "orders":
            return Legal((*_rescues(state, army), March(0, 0, seats[army])))
        case "act":
            return Legal((*_moves(state, army), *_alternatives(state, army)), complete=False)
        case "tao":
            return Legal((*_tao_moves(state, army), TaoEnd(0, 0, seats[army])), complete=False)
        case _:
            return Legal(())


def sample(state: State, seat: str, rng: Random) -> Decision:
    """Return a random legal decision of `seat`, the seat to act: a random soldier, die and destination.

    It never ends a Tao while a soldier can move.

    Raises:
        ValueError: No decision is due in this phase.
    """
    army = army_to_move(state)
    if state.picker >= 0:
        return rng.choice(list(_pick_ups(state)))
    match state.phase:
        case "act":
            beside = _alternatives(state, army)
            if beside and rng.random() < 0.2:
                return rng.choice(beside)
            move = _random_move(state, army, rng)
            choices: list[Decision] = [] if move else [*_moves(state, army), *beside]
            return move or rng.choice(choices)
        case "tao":
            return rng.choice(list(_tao_moves(state, army)))
        case "orders":
            orders: list[Decision] = [*_rescues(state, army), March(0, 0, seat)]
            return rng.choice(orders)
        case "deploy":
            return rng.choice(list(_deployments(state, army)))
        case _:
            raise ValueError(f"no decision is due in phase {state.phase}")


def _random_move(state: State, army: int, rng: Random) -> Move | None:
    """Return a legal move found by trying random paths, or None."""
    setup, places = state.setup, state.places
    walk_table, random = walk_table_of(setup.board), rng.random
    for _ in range(_MAX_SAMPLED_PATHS):
        soldier = army * MEN + int(random() * MEN)
        die = state.dice[int(random() * len(state.dice))]
        if places[soldier] >= PRISON or soldier == state.walker:
            continue
        end, roads, path = rng.choice(walk_table.walks_from(die, places[soldier]))
        if not is_blocked(places, roads) and forbidding_rule(setup, places, soldier, end) is None:
            return _move(state, army, soldier, die, path)
    return None


def _moves(state: State, army: int) -> Iterator[Move]:
    setup, places = state.setup, state.places
    for die in sorted(set(state.dice)):
        for soldier in range(army * MEN, army * MEN + MEN):
            if places[soldier] < PRISON:
                trail = state.trail if soldier == state.walker else b""
                for _, path in ends(setup, places, soldier, die, trail):
                    yield _move(state, army, soldier, die, path)


def _detours(state: State, army: int, known: tuple[Event, ...]) -> Iterator[Move]:
    """Yield moves that pass over other spaces than the `known` moves with the same soldier, die and end."""
    setup, index = state.setup, state.setup.board.index
    seen = {
        (e.soldier, e.die, e.path[-1], frozenset(map(index.__getitem__, e.path)))
        for e in known
        if isinstance(e, Move)
    }
    for die in sorted(set(state.dice)):
        for soldier in range(army * MEN, army * MEN + MEN):
            if state.places[soldier] < PRISON:
                name, trail = SOLDIERS[soldier % MEN], state.trail if soldier == state.walker else b""
                for path in passable_paths(setup, state.places, soldier, die, trail):
                    walk = (name, die, setup.board.names[path[-1]], frozenset(path))
                    if walk not in seen:
                        seen.add(walk)
                        yield _move(state, army, soldier, die, path)


def _move(state: State, army: int, soldier: int, die: int, path: bytes) -> Move:
    names = state.setup.board.names
    return Move(
        0, 0, state.setup.seats[army], SOLDIERS[soldier % MEN], die, tuple([names[at] for at in path])
    )


def _alternatives(state: State, army: int) -> list[Tao | Stop]:
    """Return the decisions other than a move that a roll allows."""
    seat = state.setup.seats[army]
    alternatives: list[Tao | Stop] = [Tao(0, 0, seat)] if allows_tao(state) else []
    return alternatives if state.setup.options.must_move else [*alternatives, Stop(0, 0, seat)]


def _tao_moves(state: State, army: int) -> Iterator[TaoMove]:
    setup, places, names = state.setup, state.places, state.setup.board.names
    for soldier in range(army * MEN, army * MEN + MEN):
        if places[soldier] < PRISON and not state.moved >> soldier % MEN & 1:
            for count in TAO_COUNTS:
                for _, path in ends(setup, places, soldier, count):
                    yield TaoMove(
                        0, 0, setup.seats[army], SOLDIERS[soldier % MEN], tuple([names[at] for at in path])
                    )


def _rescues(state: State, army: int) -> Iterator[Rescue]:
    seats, names = state.setup.seats, state.setup.board.names
    for rescuer, prisoner, square in rescues(state.setup, state.places, army):
        seat = seats[prisoner // MEN]
        yield Rescue(
            0, 0, seats[army], SOLDIERS[rescuer % MEN], seat, SOLDIERS[prisoner % MEN], names[square]
        )


def _pick_ups(state: State) -> Iterator[PickUp]:
    setup, soldier = state.setup, state.picker
    for which in flags_under(state, soldier):
        flag = setup.board.bases[setup.flags[which]].seat
        yield PickUp(0, 0, setup.seats[soldier // MEN], SOLDIERS[soldier % MEN], flag)


def _deployments(state: State, army: int) -> Iterator[Deploy]:
    setup, places = state.setup, state.places
    for soldier in range(army * MEN, army * MEN + MEN):
        if places[soldier] == RESERVE:
            for square in setup.board.bases[setup.homes[army]].field:
                if square not in places:
                    yield Deploy(0, 0, setup.seats[army], SOLDIERS[soldier % MEN], setup.board.names[square])

"""The position: where every soldier and every flag is, and whose turn it is to do which thing."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from gamelog.game import Message, Outcome
from gamelog.games.dice_flags.army import MEN
from gamelog.games.dice_flags.board import CLOCKWISE, MAX_SPACES, Board

SEATS = {2: ("north", "south"), 3: ("north", "east", "south"), 4: CLOCKWISE}
"""Two armies sit opposite each other (DF-A36)."""

PRISON = MAX_SPACES
"""Places from here on are prisons: ``PRISON + a`` is that of the ``a``-th army."""

RESERVE = 255
"""The place of a soldier who is still to be deployed."""

CARRIED = 16
"""A flag's place from here on is a carrier: ``CARRIED + soldier``.
Below, it is the base on whose flag square the flag lies.
"""

Phase = Literal["start_roll", "deploy", "orders", "roll", "act", "tao", "over"]
"""What is going on: ``orders`` is the choice between a rescue and a roll, ``act`` the use of a roll's dice.
"""


TURNS = frozenset(("orders", "roll", "act", "tao"))
"""The phases of a turn."""


class Options(Struct, frozen=True, kw_only=True):
    """The switches of the rulings, each with our ruling as its default. Raises ValueError for what makes no
    sense.

    ``free_deployment``
        Each general puts his soldiers on his small field as he likes (DF-A1).
    ``must_move``
        A die that can be used has to be (DF-A3).
    ``max_doubles``
        So many doubles of a turn, at most, bring a new roll; None: all of them (DF-A8).
    ``bunker_pair_safe``
        A pair in a bunker cannot be attacked (DF-A10).
    ``flag_square``
        Who may end on a flag square: ``any`` soldier, or ``carriers`` only (DF-A13).
    ``carry_limit``
        Flags that one carrier can hold, 1 to 4 (DF-A15).
    ``win_by_capture``
        The last flag may come by capturing its carrier (DF-A18).
    ``tie``
        Equal sums in battle: ``reroll``, for the ``defender``, or a ``standoff`` (DF-A19).
    ``extra_flags``
        Bases without an army have a flag too (DF-A35).
    ``max_rounds``
        After so many rounds, 1 to 1000, the game ends (DF-A38).
    ``quiet_rounds``
        So does it after so many, 1 to 1000, in which no soldier was captured or freed and no flag changed
        hands (DF-A38).
    """

    free_deployment: bool = False
    must_move: bool = True
    max_doubles: Annotated[int, Meta(ge=0)] | None = None
    bunker_pair_safe: bool = False
    flag_square: Literal["any", "carriers"] = "any"
    carry_limit: Annotated[int, Meta(ge=1, le=4)] = 1
    win_by_capture: bool = True
    tie: Literal["reroll", "defender", "standoff"] = "reroll"
    extra_flags: bool = False
    max_rounds: Annotated[int, Meta(ge=1, le=1000)] = 150
    quiet_rounds: Annotated[int, Meta(ge=1, le=1000)] = 40


class Setup(Struct, frozen=True):
    """What is settled before the first event.

    ``homes``: the base of each army, by its number on the board. ``posts``: the squares outside
    their prisons. ``flags``: the bases whose flags are in play.
    """

    seats: tuple[str, ...]
    options: Options
    board: Board
    homes: tuple[int, ...]
    posts: bytes
    flags: tuple[int, ...]


class State(Struct, frozen=True, gc=False):
    """A position. Armies are numbered like seats, soldiers through all armies, spaces as on the board.

    ``places``: one byte a soldier: his space, a prison, or `RESERVE`. ``flags``: one byte a flag,
    in the order of `Setup`: a base, or a carrier (see `CARRIED`).
    ``turn``: turns that are over, skipped ones included. ``first``: the army that began.
    ``roll``: the dice as they fell. ``dice``: those of them that are still to be used.
    ``walker``: the soldier who moved last in this roll, and ``trail`` the spaces he has been on (DF-7).
    ``moved``: the soldiers who have moved in a Tao, one bit each.
    ``again``: rolls that doubles have brought in this turn.
    ``attack``: the soldier who attacks and the way he takes, while the battle's dice are owed.
    ``picker``: the carrier who has several flags to choose from, else -1.
    ``rolling``: the armies that owe a die for the right to begin.
    ``quiet_since``: the first turn after the last in which a soldier was captured or freed or a flag changed
    hands (DF-A38). ``surrendered``: armies that have given up.
    """

    setup: Setup
    phase: Phase
    turn: int
    first: int
    places: bytes
    flags: bytes
    quiet_since: int = 0
    roll: tuple[int, ...] = ()
    dice: tuple[int, ...] = ()
    walker: int = -1
    trail: bytes = b""
    moved: int = 0
    again: int = 0
    attack: tuple[int, bytes] | None = None
    picker: int = -1
    rolling: tuple[int, ...] = ()
    surrendered: tuple[int, ...] = ()
    outcome: Outcome | None = None


def start(options: Options, board: Board, seats: tuple[str, ...]) -> State:
    """The armies at their places. Raises ValueError when seats, board and options do not go together."""
    unknown = [seat for seat in seats if seat not in CLOCKWISE]
    if unknown or not 2 <= len(seats) <= len(CLOCKWISE) or len(set(seats)) != len(seats):
        raise ValueError(
            Message.of(
                "the seats must be two to four different armies of {=armies}, not {=found}",
                armies=", ".join(CLOCKWISE),
                found=", ".join(seats) or "none",
            )
        )
    homes = tuple(CLOCKWISE.index(seat) for seat in seats)
    steps = [
        (there - here) % len(CLOCKWISE) for here, there in zip(homes, homes[1:] + homes[:1], strict=True)
    ]
    if len(seats) == 2 and steps != [2, 2]:
        raise ValueError(
            Message.of(
                "two armies must sit opposite each other, and {one} and {other} do not",
                one=seats[0],
                other=seats[1],
            )
        )
    if sum(steps) != len(CLOCKWISE):
        raise ValueError(
            Message.of(
                "the seats must go clockwise around the board: {=seats}; not {=found}",
                seats=", ".join(CLOCKWISE),
                found=", ".join(seats),
            )
        )
    flags = tuple(range(len(CLOCKWISE))) if options.extra_flags else tuple(sorted(homes))
    posts = bytes(board.bases[home].post for home in homes)
    formation = b"".join(board.bases[home].formation for home in homes)
    return State(
        setup=Setup(seats, options, board, homes, posts, flags),
        phase="start_roll",
        turn=0,
        first=0,
        places=bytes([RESERVE]) * (MEN * len(seats)) if options.free_deployment else formation,
        flags=bytes(flags),
        rolling=tuple(range(len(seats))),
    )


def base_at(board: Board, space: int) -> int:
    """The base whose flag square `space` is."""
    return next(number for number, base in enumerate(board.bases) if base.flag == space)


def lying_under(state: State, soldier: int) -> tuple[int, ...]:
    """The flags, by their numbers in the game, that lie on the flag square where `soldier` stands."""
    base = base_at(state.setup.board, state.places[soldier])
    return tuple(which for which, at in enumerate(state.flags) if at == base)

"""The position: places of soldiers and flags, phase, turn and dice."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from gamelog.game import Message, Outcome, option
from gamelog.games.dice_flags.army import MEN
from gamelog.games.dice_flags.board import CLOCKWISE, MAX_SPACES, Board

SEATS = {2: ("north", "south"), 3: ("north", "east", "south"), 4: CLOCKWISE}
"""By number of players: the seats. Two armies sit opposite each other (DF-A36)."""

PRISON = MAX_SPACES
"""The first place that is a prison: ``PRISON + a`` is the prison of army ``a``."""

RESERVE = 255
"""The place of a soldier that is not yet deployed."""

CARRIED = 16
"""The first place of a carried flag: ``CARRIED + soldier``. A lower place is a base with its flag square."""

Phase = Literal["start_roll", "deploy", "orders", "roll", "act", "tao", "over"]
"""The phase: ``orders`` is the choice between a rescue and a roll, ``act`` the use of the rolled dice."""


TURNS = frozenset(("orders", "roll", "act", "tao"))
"""The phases of a turn."""


class Options(Struct, frozen=True, kw_only=True):
    """The options of the game. Each default is the ruling in RULES.md."""

    free_deployment: Annotated[
        bool,
        option(
            "Free deployment",
            "Each general places their soldiers freely on their small field.",
            rule="DF-A1",
        ),
    ] = False
    must_move: Annotated[
        bool, option("Must move", "A player must use each die that can be used.", rule="DF-A3")
    ] = True
    max_doubles: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        option(
            "Extra rolls",
            "The number of doubles in one turn that give another roll.",
            rule="DF-A8",
            choices={None: "all doubles"},
        ),
    ] = None
    bunker_pair_safe: Annotated[
        bool,
        option("Safe pair in a bunker", "Two soldiers in a bunker cannot be attacked.", rule="DF-A10"),
    ] = False
    flag_square: Annotated[
        Literal["any", "carriers"],
        option(
            "Flag squares",
            "The soldiers that may end their move on a flag square.",
            rule="DF-A13",
            choices={"any": "any soldier", "carriers": "only flag carriers"},
        ),
    ] = "any"
    carry_limit: Annotated[
        int,
        option(
            "Flags per carrier", "The number of flags that one carrier can carry.", rule="DF-A15", ge=1, le=4
        ),
    ] = 1
    win_by_capture: Annotated[
        bool,
        option(
            "Win by capture",
            "A player can win the last flag by capturing its carrier.",
            rule="DF-A18",
        ),
    ] = True
    tie: Annotated[
        Literal["reroll", "defender", "standoff"],
        option(
            "Tied battle",
            "The result if both sides of a battle roll the same value.",
            rule="DF-A19",
            choices={
                "reroll": "both roll again",
                "defender": "the defender wins",
                "standoff": "nothing happens (a standoff)",
            },
        ),
    ] = "reroll"
    extra_flags: Annotated[
        bool, option("Flags in empty bases", "Bases without an army have a flag too.", rule="DF-A35")
    ] = False
    max_rounds: Annotated[
        int,
        option(
            "Longest game", "The number of rounds after which the game ends.", rule="DF-A38", ge=1, le=1000
        ),
    ] = 150
    quiet_rounds: Annotated[
        int,
        option(
            "Longest quiet time",
            "The number of rounds without a capture, a rescue or a moved flag after which the game ends.",
            rule="DF-A38",
            ge=1,
            le=1000,
        ),
    ] = 40


class Setup(Struct, frozen=True):
    """The parts of a game that are fixed before the first event.

    Attributes:
        homes: By army, the number of its base on the board.
        posts: By army, the square outside its prison.
        flags: Bases whose flags are in play.
    """

    seats: tuple[str, ...]
    options: Options
    board: Board
    homes: tuple[int, ...]
    posts: bytes
    flags: tuple[int, ...]


class State(Struct, frozen=True, gc=False):
    """A position. Armies are numbered like seats, soldiers through all armies, spaces as on the board.

    Attributes:
        turn: Number of turns that are over, skipped turns included.
        first: Army that began.
        places: One byte for each soldier: its space, a prison, or `RESERVE`.
        flags: One byte for each flag, in the order of `Setup`: a base, or a carrier (see `CARRIED`).
        quiet_since: Number of the turn after the last capture, rescue or moved flag (DF-A38).
        roll: Rolled dice.
        dice: Dice that are not used yet.
        walker: Last soldier that moved in this roll.
        trail: Spaces on which this soldier has been (DF-7).
        moved: Soldiers that have moved in a Tao, one bit each.
        again: Number of rolls that doubles have brought in this turn.
        attack: Attacker and its path, while the battle dice are due.
        picker: Carrier that must choose between flags, else -1.
        rolling: Armies that must roll for the first turn.
        surrendered: Armies that have resigned.
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
    """Return the position before the first roll.

    Raises:
        ValueError: Seats, board and options do not fit together.
    """
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
    """Return the base that has the flag square `space`."""
    return next(number for number, base in enumerate(board.bases) if base.flag == space)


def flags_under(state: State, soldier: int) -> tuple[int, ...]:
    """Return the flags, by number in the game, on the flag square where `soldier` is."""
    base = base_at(state.setup.board, state.places[soldier])
    return tuple(which for which, at in enumerate(state.flags) if at == base)

"""Positions of SliceWars from words, for scenarios and tests."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.games.slicewars.state import FREE, OWNERLESS, OWNERLESS_DICE, VOID, Phase, State
from gamelog.play.contract.outcome import Outcome

Land = str | tuple[str, int]


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The words of `gamelog.games.slicewars.scene.describe`, with short forms.

    A key of ``territories`` is one or more names or patterns (``"A? B1 B2"``). A later key overrides an
    earlier one. Territories that no key names are ``rest``. Land is an owner and dice, or one of the words
    ``ownerless``, ``free``, ``void``.
    """

    territories: dict[str, Land]
    rest: Land = "ownerless"
    phase: Phase = "attack"
    round: int = 2
    on_turn: str | None = None
    first: str | None = None
    hand: int = 0
    rolling: tuple[str, ...] = ()
    attack: tuple[str, str] | None = None
    outcome: Outcome | None = None


def arrange(start: State, words: dict[str, Any]) -> State:
    """Return the position that `words` describe, on the board and for the seats of `start`.

    Raises:
        ValueError: The words name an unknown territory, seat or member.
    """
    given = msgspec.convert(words, Given)
    setup = start.setup
    board, seats = setup.board, setup.seats
    land = [given.rest] * len(board.names)
    for patterns, what in given.territories.items():
        for pattern in patterns.split():
            found = [at for at, name in enumerate(board.names) if fnmatchcase(name, pattern)]
            if not found:
                raise ValueError(f"the board {board.name} has no territory {pattern}")
            for at in found:
                land[at] = what
    empty = {"ownerless": (OWNERLESS, OWNERLESS_DICE), "free": (FREE, 0), "void": (VOID, 0)}
    named = [(what, 0) if isinstance(what, str) else what for what in land]
    pairs = [empty[owner] if owner in empty else (seats.index(owner), dice) for owner, dice in named]
    return State(
        setup=setup,
        phase=given.phase,
        round=given.round,
        actor=seats.index(given.on_turn) if given.on_turn else 0,
        owners=bytes(owner for owner, _ in pairs),
        dice=bytes(dice for _, dice in pairs),
        hand=given.hand,
        first=seats.index(given.first) if given.first else 0,
        rolling=tuple(seats.index(seat) for seat in given.rolling),
        attack=(board.index[given.attack[0]], board.index[given.attack[1]]) if given.attack else None,
        outcome=given.outcome,
    )

"""Short forms of moves: a soldier, by name or by space, and the space where it goes."""

from __future__ import annotations

from gamelog.game import Violation, forbids
from gamelog.games.dice_flags.army import MEN, NUMBER, SOLDIERS
from gamelog.games.dice_flags.board import Board
from gamelog.games.dice_flags.due import is_unresolved
from gamelog.games.dice_flags.events import Move, TaoMove
from gamelog.games.dice_flags.moves import TAO_COUNTS
from gamelog.games.dice_flags.state import PRISON, State
from gamelog.games.dice_flags.turns import army_to_move
from gamelog.games.dice_flags.walks import MAX_COUNT, walks


def shorthand(state: State, words: tuple[str, ...]) -> tuple[Move | TaoMove, ...] | Violation | None:
    """Return all moves, legal or not, that words such as ``P1 r2`` or ``b1 r2`` may mean.

    A space is written with its name, or with the part after the dot. After the soldier, a die limits the
    count: ``P1 3 r2``. Spaces that the soldier passes may stand before the end, in their order:
    ``P1 c3 r2``. The result is None for other words, and if no soldier has to move.
    """
    if is_unresolved(state) or state.phase not in ("act", "tao") or not 2 <= len(words) <= MAX_COUNT + 2:
        return None
    counts, between = set(TAO_COUNTS if state.phase == "tao" else state.dice), words[1:-1]
    if between and between[0].isdecimal():
        counts, between = {int(between[0])} & {*range(1, MAX_COUNT + 1)}, between[1:]
    board, ends = state.setup.board, _spaces(state.setup.board, words[-1])
    passed = [_spaces(board, word) for word in between]
    if not (counts and all(passed)):
        return None
    if not ends:
        return forbids("DF-3", 'the board has no {kind} "{=name}"', kind="space", name=words[-1])
    soldiers = _soldiers(state, words[0])
    if isinstance(soldiers, Violation):
        return soldiers
    walked = [
        _walk(state, man, count, path)
        for man in soldiers
        for count in sorted(counts)
        for path in walks(board, count, state.places[man], b"")
        if path[-1] in ends and _passes(path[:-1], passed)
    ]
    if walked:
        return tuple(walked)

    return forbids(
        "DF-15" if state.phase == "tao" else "DF-3",
        "{man} cannot get from {src} to {dst} with the dice that are left: {@counts}",
        man=SOLDIERS[soldiers[0] % MEN],
        src=board.names[state.places[soldiers[0]]],
        dst=words[-1],
        counts=[*map(str, sorted(counts))],
    )


def _passes(path: bytes, spaces: list[set[int]]) -> bool:
    """Return whether `path` contains a space from each set of `spaces`, in their order."""
    rest = iter(path)
    return all(any(at in some for at in rest) for some in spaces)


def _soldiers(state: State, word: str) -> list[int] | Violation:
    """Return the soldiers of the army to move that `word` names, or why there are none."""
    army, board = army_to_move(state), state.setup.board
    number = NUMBER.get(word.upper())
    if number is not None:
        man = army * MEN + number
        return (
            [man]
            if state.places[man] < PRISON
            else forbids("DF-A37", "{man} is in prison", man=SOLDIERS[number])
        )
    spaces = _spaces(board, word)
    if not spaces:
        return forbids(
            "DF-3",
            '"{=word}" is neither a soldier ({=soldiers}) nor a space of the board',
            word=word,
            soldiers=", ".join(SOLDIERS),
        )
    men = [man for man in range(army * MEN, army * MEN + MEN) if state.places[man] in spaces]
    return men or forbids("DF-3", "no soldier of {@seat} is on {=at}", seat=state.setup.seats[army], at=word)


def _spaces(board: Board, word: str) -> set[int]:
    """Return the spaces named `word`, whole or after the dot, in upper or lower case."""
    wanted = word.casefold()
    whole = {at for at, name in enumerate(board.names) if name.casefold() == wanted}
    return whole or {at for at, name in enumerate(board.names) if name.casefold().partition(".")[2] == wanted}


def _walk(state: State, man: int, count: int, path: bytes) -> Move | TaoMove:
    seat, soldier = state.setup.seats[man // MEN], SOLDIERS[man % MEN]
    names = tuple(state.setup.board.names[at] for at in path)
    if state.phase == "tao":
        return TaoMove(0, 0, seat, soldier, names)
    return Move(0, 0, seat, soldier, count, names)

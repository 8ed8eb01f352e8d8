"""Dice and draws as people type them: ``4 3 3``."""

from __future__ import annotations

from collections.abc import Callable

from gamelog.chance.draws import Dice, Draw, Results, Shuffle, kinds_of, results_problem
from gamelog.message import many
from gamelog.play.contract.game import ChanceDue
from gamelog_cli.typed_members import Misread, begins


def parse_dice(owed: ChanceDue, text: str, name_of: Callable[[str], str] = str) -> Results:
    """The results typed for the chance that is owed: faces or names in order, spaces or commas between.

    Single digits may be typed together (``433``), all of them or those of each draw (``6655 123``), and so
    may first letters of what is drawn (``rrb``).
    Raises `Misread` saying what is owed.
    """
    typed = text.replace(",", " ").split()
    total = sum(draw.count for draw in owed.draws)
    small = all(isinstance(draw, Dice) and draw.sides < 10 for draw in owed.draws)
    together = [len(word) for word in typed]
    if small and together in ([total], [draw.count for draw in owed.draws]):
        typed = list("".join(typed))
    elif (
        together == [total]
        and total > 1
        and all(_initial(draw, letter) for draw in owed.draws for letter in typed[0])
    ):
        typed = list(typed[0])
    if len(typed) != total:
        raise Misread(f"{dice_prompt(owed, name_of)}: type {total} of them")
    results: list[tuple[int | str, ...]] = []
    at = 0
    for draw in owed.draws:
        part = typed[at : at + draw.count]
        at += draw.count
        if isinstance(draw, Dice) and not all(word.isdecimal() for word in part):
            raise Misread(f"{dice_prompt(owed, name_of)}: type numbers")
        results.append(tuple(int(word) if isinstance(draw, Dice) else _thing(draw, word) for word in part))
    problem = results_problem(owed.draws, tuple(results))
    if problem:
        raise Misread(problem)
    return tuple(results)


def _initial(draw: Draw, letter: str) -> bool:
    """Whether `letter` is enough for one of the things that may be drawn."""
    return not isinstance(draw, Dice) and _thing(draw, letter) in kinds_of(draw)


def _thing(draw: Draw, word: str) -> str:
    begun = word.casefold()
    known = {name: count for name, count in kinds_of(draw).items() if count}
    names = [name for name in known if begins(name.casefold(), begun)]
    return word if word in known else names[0] if len(names) == 1 else word


def dice_prompt(owed: ChanceDue, name_of: Callable[[str], str] = str) -> str:
    """What is to be rolled or drawn, for a prompt; `name_of` gives the people at seats their names."""
    parts = []
    for draw in owed.draws:
        whose = f" of {name_of(draw.seat)}" if draw.seat else ""
        if isinstance(draw, Dice):
            sides = "" if draw.sides == 6 else f" with {draw.sides} sides"
            parts.append(f"{many(draw.count, 'die', 'dice')}{sides}{whose}")
        else:
            things = ", ".join(name for name, count in kinds_of(draw).items() if count)
            what = (
                "all in their new order,"
                if isinstance(draw, Shuffle) and draw.dealt is None
                else f"{draw.count}"
            )
            parts.append(f"{what}{f' for {name_of(draw.seat)}' if draw.seat else ''} out of {things}")
        parts[-1] += ", face down" if draw.private else ""
    return f"{owed.do}: " + ", then ".join(parts)

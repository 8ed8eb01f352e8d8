"""Dice and draws as people type them: ``4 3 3``."""

from __future__ import annotations

from collections.abc import Callable

from gamelog.chance.draws import Dice, Draw, Results, Shuffle, kinds_of, results_problem
from gamelog.message import Message
from gamelog.play.contract.game import ChanceDue
from gamelog_cli.errors import Misread
from gamelog_cli.input.typed_members import has_prefix


def parse_dice(chance_due: ChanceDue, text: str, name_of: Callable[[str], str] = str) -> Results:
    """Return the results that `text` gives for the chance that is due.

    Faces or names come in order, between spaces or commas. Single digits may be typed together (``433``, or
    each draw by itself: ``6655 123``), and so may the first letters of things (``rrb``).

    Raises:
        Misread: `text` is something else. The message describes what is due.
    """
    typed = text.replace(",", " ").split()
    total = sum(draw.count for draw in chance_due.draws)
    small = all(isinstance(draw, Dice) and draw.sides < 10 for draw in chance_due.draws)
    together = [len(word) for word in typed]
    if small and together in ([total], [draw.count for draw in chance_due.draws]):
        typed = list("".join(typed))
    elif (
        together == [total]
        and total > 1
        and all(_is_initial(draw, letter) for draw in chance_due.draws for letter in typed[0])
    ):
        typed = list(typed[0])
    if len(typed) != total:
        problem = "Type {n} {n:result|results}, not {found}. Due now: {due}."
        raise Misread(Message.of(problem, n=total, found=len(typed), due=dice_prompt(chance_due, name_of)))
    results: list[tuple[int | str, ...]] = []
    begin = 0
    for draw in chance_due.draws:
        part = typed[begin : begin + draw.count]
        begin += draw.count
        if isinstance(draw, Dice) and not all(word.isdecimal() for word in part):
            raise Misread(
                Message.of(
                    "Type the results as numbers. Due now: {due}.", due=dice_prompt(chance_due, name_of)
                )
            )
        results.append(tuple(int(word) if isinstance(draw, Dice) else _thing(draw, word) for word in part))
    wrong = results_problem(chance_due.draws, tuple(results))
    if wrong:
        text = "These results are impossible: {problem}. Type them again."
        raise Misread(Message.of(text, problem=wrong))
    return tuple(results)


def _is_initial(draw: Draw, letter: str) -> bool:
    """Return whether `letter` begins exactly one of the things in `draw`."""
    return not isinstance(draw, Dice) and _thing(draw, letter) in kinds_of(draw)


def _thing(draw: Draw, word: str) -> str:
    start = word.casefold()
    known = {name: count for name, count in kinds_of(draw).items() if count}
    names = [name for name in known if has_prefix(name.casefold(), start)]
    return word if word in known else names[0] if len(names) == 1 else word


def dice_prompt(chance_due: ChanceDue, name_of: Callable[[str], str] = str) -> Message:
    """Return the dice or draws that are due, for a prompt, with people by `name_of`."""
    draws = [_draw_text(draw, name_of) for draw in chance_due.draws]
    due = draws.pop()
    for draw in reversed(draws):
        due = Message.of("{draw}, then {rest}", draw=draw, rest=due)
    return Message.of("{event}: {due}", event=Message(chance_due.do.replace("_", " ")), due=due)


def _draw_text(draw: Draw, name_of: Callable[[str], str]) -> Message:
    """Return a draw in words: the number of dice or things, and the player who draws them."""
    player = name_of(draw.seat) if draw.seat else ""
    if isinstance(draw, Dice):
        text = "{n} {n:die|dice}" if draw.sides == 6 else "{n} {n:die|dice} with {sides} sides"
        message = Message.of(text, n=draw.count, sides=draw.sides)
        if player:
            message = Message.of("{dice} of {=player}", dice=message, player=player)
    else:
        things = ", ".join(name for name, count in kinds_of(draw).items() if count)
        whole = isinstance(draw, Shuffle) and draw.dealt is None
        text = "all in their new order out of {=things}" if whole else "{n} out of {=things}"
        if player:
            text = "all in their new order for {=player} out of {=things}"
            text = text if whole else "{n} for {=player} out of {=things}"
        message = Message(text, {"n": draw.count, "things": things, "player": player})
    return Message.of("{draw}, face down", draw=message) if draw.private else message

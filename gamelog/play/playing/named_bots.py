"""Bots by their names: the bots of a game, and ``search:N``, which every game has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gamelog.errors import BadSetup
from gamelog.play.contract.game import AnyGame, Bot
from gamelog.play.playing.evaluator import Evaluators
from gamelog.play.playing.playout import with_judge
from gamelog.play.playing.search import MAX_POSITIONS, MIN_POSITIONS, Search
from gamelog.record.envelope import TABLE, Header

SEARCH = "search:"
"""The beginning of the name of a bot that searches. The number of positions for a decision follows."""

_FIT_GAMES = 60
"""Number of games for the evaluator of a search."""

_evaluators = Evaluators()
"""The evaluators of the last setups. A fit takes seconds, and the games of a series have the same setup."""


def bot_names(game: AnyGame) -> list[str]:
    """Return the names of the game's own bots that can play at a seat."""
    return [name for name in game.bots if name != TABLE]


def is_bot(game: AnyGame, name: str) -> bool:
    """Return whether `name` is the name of a bot that can play at a seat."""
    return name in bot_names(game) or _positions(name) is not None


def needs_fit(bots: Iterable[str | None]) -> bool:
    """Return whether one of the `bots` plays games for its evaluator before its first decision."""
    return any(bot is not None and bot.startswith(SEARCH) for bot in bots)


def check_bots(game: AnyGame, names: tuple[str, ...]) -> None:
    """Check that all `names` are names of bots.

    Raises:
        BadSetup: One of them is not.
    """
    for name in names:
        if is_bot(game, name):
            continue
        if name.startswith(SEARCH.rstrip(":")):
            raise BadSetup(
                f'The bot "{name}" needs a number of positions for a decision, from {MIN_POSITIONS} to '
                f"{MAX_POSITIONS:,}, for example {SEARCH}200."
            )
        raise BadSetup(f'{game.title} has the bots {", ".join(bot_names(game))}, {SEARCH}N, and no "{name}".')


def bots_at_seats(game: AnyGame, header: Header, start: Any) -> dict[str, Bot]:
    """Return the bots that the seats of `header` name, and the bot of a judge if the game has one.

    The first search of a setup plays games to fit its evaluator.

    Args:
        game: The game.
        header: The header. All its seats must have bots (`check_bots`).
        start: The state before the first event.
    """
    return with_judge(game, {seat.seat: _bot(game, header, start, seat.bot or "") for seat in header.seats})


def _bot(game: AnyGame, header: Header, start: Any, name: str) -> Bot:
    """Return the bot with this name."""
    positions = _positions(name)
    if name in game.bots or positions is None:
        return game.bots[name]
    playing = "greedy" if "greedy" in game.bots else "random"
    return Search(_evaluators.fitted(game, header, start, playing, _FIT_GAMES), positions).bot


def _positions(name: str) -> int | None:
    """Return the number of positions in the name of a search, or None if it is another name."""
    number = name.removeprefix(SEARCH)
    if (
        number == name
        or not number.isascii()
        or not number.isdigit()
        or len(number) > len(str(MAX_POSITIONS))
    ):
        return None
    return int(number) if MIN_POSITIONS <= int(number) <= MAX_POSITIONS and number[0] != "0" else None

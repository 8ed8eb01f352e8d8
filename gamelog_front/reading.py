"""Replays of files and of games between bots."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

from gamelog.finding import Finding
from gamelog.play.contract.game import AnyGame, Game
from gamelog.play.contract.registry import find
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.recording import series
from gamelog.record import reading
from gamelog.record.record_file import compose
from gamelog_front.replay import EventT_co, Replay, StateT_co


@overload
def read(
    path: str | os.PathLike[str], *, game: Game[StateT_co, EventT_co, Any, Any]
) -> Replay[StateT_co, EventT_co]: ...
@overload
def read(path: str | os.PathLike[str], *, game: None = None) -> Replay[Any, Any]: ...
def read(path: str | os.PathLike[str], *, game: AnyGame | None = None) -> Replay[Any, Any]:
    """Read the record at `path` (``.jsonl`` or ``.jsonl.zst``) and judge it by the rules of its game.

    With `game`, type checkers know the types of states and events, and the game does not need to be
    registered. A record of another game or of other rules then has no steps. All other problems are in the
    ``findings`` of the replay. This function does not write anything.

    Raises:
        gamelog.GamelogError: The file cannot be read, or has no header.

    >>> evening = gamelog.read("sample_games/slicewars/ended-majority_full.jsonl")
    >>> evening
    <Replay ended-majority_full.jsonl: slicewars, ok, 789 steps, won by red>
    >>> evening.outcome
    Outcome(winners=('red',), reason='majority_full')
    """
    record = reading.read_record(path)
    header = record.header
    if game and header and (header.game, header.rules) != (game.id, game.rules_version):
        text = f"the record is of {header.game} {header.rules}, not of {game.id} {game.rules_version}"
        return Replay(FoldedRecord(record, None, [], [Finding("play.unknown_game", text, offset=0)]))
    return Replay(fold_record(record, game))


@overload
def simulate(
    game: Game[StateT_co, EventT_co, Any, Any],
    *,
    players: int | None = None,
    bots: Sequence[str] = ...,
    seed: int | str = ...,
    options: Mapping[str, Any] | None = None,
    board: str | dict[str, Any] | None = None,
    dice: Literal["table", "seeded", "commit-reveal"] = ...,
    max_events: int = ...,
) -> Replay[StateT_co, EventT_co]: ...
@overload
def simulate(
    game: str,
    *,
    players: int | None = None,
    bots: Sequence[str] = ...,
    seed: int | str = ...,
    options: Mapping[str, Any] | None = None,
    board: str | dict[str, Any] | None = None,
    dice: Literal["table", "seeded", "commit-reveal"] = ...,
    max_events: int = ...,
) -> Replay[Any, Any]: ...
def simulate(
    game: str | AnyGame,
    *,
    players: int | None = None,
    bots: Sequence[str] = ("random",),
    seed: int | str = 1,
    options: Mapping[str, Any] | None = None,
    board: str | dict[str, Any] | None = None,
    dice: Literal["table", "seeded", "commit-reveal"] = "seeded",
    max_events: int = 100_000,
) -> Replay[Any, Any]:
    """Play a game between bots and return its replay. The same arguments give the same game.

    This function does not write anything.

    Args:
        game: The id of an installed game, with ``@`` and a version of its rules if not the newest, or a
            `gamelog.game.Game`.
        players: The number of players, or None for the smallest number that the game allows.
        bots: The names of bots of the game, which get the seats in turn.
        seed: The seed of the dice and of the bots' choices.
        options: Values of options by name, as in `gamelog.create`.
        board: The name or the data of a board, as in `gamelog.create`.
        dice: The source of the dice in the header.
        max_events: The largest number of events in the game.

    Raises:
        gamelog.GamelogError: The game does not have such players, bots, options or board, or has not ended
            after `max_events`.

    >>> played = gamelog.simulate("slicewars", players=3, bots=["greedy"], seed=7)
    >>> played.status, played.finished, list(played.seats)
    ('ok', True, ['red', 'blue', 'yellow'])
    """
    installed = find(*game.split("@", 1)) if isinstance(game, str) else game
    header, events = series.simulate_game(
        installed,
        str(seed),
        0,
        players=series.player_count(installed, players, bots),
        bots=tuple(bots),
        options=dict(options or {}),
        board=board,
        dice=dice,
        max_events=max_events,
    )
    data, _ = compose(header, events)
    return Replay(fold_record(reading.parse_record(data, f"{installed.id}-{seed}"), installed))

"""`gamelog replay`: the board after any event."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gamelog.play.declare import described
from gamelog.play.fold import COMMON, Fold
from gamelog.play.narrate import sentence
from gamelog.play.sketch import initials, sketch
from gamelog.play.verify import Replay, proposal
from gamelog.play.verify import replay as fold_record
from gamelog.record.envelope import Event
from gamelog.record.reading import read
from gamelog_cli.arguments import File, Json
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.output import drawing, emit, say


def replay(
    file: File,
    at: Annotated[int | None, typer.Option(help="The event after which to look; 0 is the start. The last by default.")] = None,
    every: Annotated[bool, typer.Option("--every", help="All positions, one after the other.")] = False,
    ruled: Annotated[
        bool, typer.Option("--ruled", help="As finally ruled: only events that stand, N the nearest of them. Else as known then.")
    ] = False,
    seat: Annotated[str | None, typer.Option(help="What this seat may see.")] = None,
    json: Json = False,
) -> None:
    """Show the board after event N, what happened, and who is to move."""
    replayed = fold_record(read(file))
    fold = replayed.fold
    if fold is None:
        usage(f"{file} cannot be replayed: {replayed.findings[0].message}.")
    if at is not None and not 0 <= at <= fold.n:
        reason = f": the record stops there ({replayed.findings[0].message})" if replayed.findings else ""
        usage(f"There is no good event {at}; the last is {fold.n}{reason}.")
    line = [0, *fold.line()] if ruled else range(fold.n + 1)
    wanted = line if every else [max(n for n in line if at is None or n <= at)]
    for n in wanted:
        if json:
            emit(position(replayed, fold, n, seat))
        else:
            show(replayed, fold, n, seat)
    for finding in replayed.findings:
        if not json:
            say(f"{finding.severity}: {'event ' + str(finding.n) + ': ' if finding.n else ''}{finding.message}")
    if replayed.status not in ("ok", "ruled"):
        raise typer.Exit(NOT_VALID)


def text_of(replayed: Replay, fold: Fold, n: int) -> str:
    """What happened at event `n`, in a sentence; nothing for 0."""
    if n == 0:
        return ""
    event = replayed.events[n - 1]
    effects = () if type(event) in COMMON else fold.game.effects(fold.states[n - 1], event, fold.states[n])
    return sentence(fold.game, event, effects, fold.table.name_of)


def position(replayed: Replay, fold: Fold, n: int, seat: str | None) -> dict[str, Any]:
    """The position after event `n` as data."""
    state = fold.game.observe(fold.states[n], seat)
    event: Event | None = replayed.events[n - 1] if n else None
    return {
        "n": n,
        "event": proposal(event) | {"n": event.n, "t": event.t} if event else None,
        "text": text_of(replayed, fold, n),
        "state": described(fold.game, state),
        "pending": fold.pending if n == fold.n else fold.game.pending(fold.states[n]),
        "score": fold.game.score(fold.states[n]),
    }


def show(replayed: Replay, fold: Fold, n: int, seat: str | None) -> None:
    """The position after event `n`, drawn."""
    state = fold.game.observe(fold.states[n], seat)
    seats = fold.header.seat_ids
    drawing(sketch(fold.game.scene(state, seat), initials(seats)), seats)
    score = ", ".join(f"{fold.table.name_of(who)} {points}" for who, points in fold.game.score(fold.states[n]).items())
    say(f"After event {n} of {fold.n}. Score: {score}.")
    if n:
        say(text_of(replayed, fold, n))
    pending = fold.pending if n == fold.n else fold.game.pending(fold.states[n])
    if pending.outcome:
        winners = " and ".join(map(fold.table.name_of, pending.outcome.winners)) or "nobody"
        say(f"The game is over: {winners} ({pending.outcome.reason}).")
    elif pending.chance:
        say(f"Owed: {pending.chance.do} by {fold.table.name_of(pending.chance.by)}.")
    else:
        say(f"To act: {' or '.join(map(fold.table.name_of, pending.by))}.")

"""`gamelog replay`: the board after any event, and what happened there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from gamelog_reports.replay.position import position_data, text_of
from gamelog_reports.replay.privacy import Privacy

from gamelog.play.contract.declare import described
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.replay import FoldedRecord
from gamelog.play.judging.replay import replay as fold_record
from gamelog.play.telling.ascii_board import Run, ascii_board, initials
from gamelog.play.telling.messages import game_over
from gamelog.play.telling.seeing import View, observed, onlooker, pending_for, public_view, score_for, seen_in
from gamelog_cli import completion
from gamelog_cli.arguments import Json, RecordFile
from gamelog_cli.commands.record import HIDDEN
from gamelog_cli.conversation.listing import listed
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.named_record import named
from gamelog_cli.output import complain, drawing, drawing_width, emit, prose, say
from gamelog_cli.people import seat_named
from gamelog_cli.typed_dice import dice_prompt
from gamelog_cli.typed_members import event_words

if TYPE_CHECKING:
    from gamelog.dispute.incident import Incident


def replay(
    file: RecordFile,
    at: Annotated[
        int | None,
        typer.Option(
            help="What happened at event N: the position before and after, the rule, what was legal, the "
            "odds."
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--every", help="All positions, one after the other.")] = False,
    list_: Annotated[
        bool,
        typer.Option(
            "--list", help="All events in sentences, with what does not stand; with --at, those up to N."
        ),
    ] = False,
    ruled: Annotated[
        bool,
        typer.Option(
            "--ruled",
            help="As finally ruled: only events that stand, N the nearest of them. Else as known then.",
        ),
    ] = False,
    seat: Annotated[
        str | None,
        typer.Option(
            help="What this player may see, by name or seat.", autocompletion=completion.complete_seats
        ),
    ] = None,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Show what the players hide from each other, too.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the board after the last event, or after event N and what happened there; 0 is the start.

    In a game with hidden information only what all players may see is shown, unless you ask for more.
    """
    replayed = fold_record(named(file))
    fold = replayed.fold
    if fold is None:
        usage(f"{file} cannot be replayed: {replayed.findings[0].message}.")
    if seat is not None and reveal:
        usage("--seat shows what one player sees and --reveal everything: give one of them.")
    view: View = seat_named(fold, seat) if seat is not None else None if reveal else public_view(fold)
    if isinstance(view, tuple):
        complain([HIDDEN])
    if list_:
        _listed(replayed, fold, at, ruled, view, json)
    elif at is not None and not every:
        _told(replayed, fold, at, ruled, view, json)
    else:
        _positions(replayed, fold, at, every, ruled, view, json)
    if not json:
        for finding in Privacy(view).findings(replayed):
            if at is None or finding.n != at:
                say(
                    f"{finding.severity}: "
                    f"{'event ' + str(finding.n) + ': ' if finding.n else ''}{finding.message}"
                )
    if replayed.status not in ("ok", "ruled"):
        raise typer.Exit(NOT_VALID)


def _listed(replayed: FoldedRecord, fold: Fold, at: int | None, ruled: bool, view: View, json: bool) -> None:
    """A line for each event, as ``list`` in the recorder has them."""
    if at is not None:
        _reachable(replayed, fold, at, fold.n)
    numbers = [n for n in (fold.mainline() if ruled else range(1, fold.n + 1)) if at is None or n <= at]
    privacy = Privacy(view)
    for line in listed(fold, replayed.events, numbers, lambda n: text_of(replayed.events, fold, n, privacy)):
        if json:
            emit(line)
        else:
            prose(str(line), "  ")


def _positions(
    replayed: FoldedRecord, fold: Fold, at: int | None, every: bool, ruled: bool, view: View, json: bool
) -> None:
    from gamelog.dispute.incident import as_known

    line = [0, *fold.mainline()] if ruled else range(fold.n + 1)
    if at is not None:
        _reachable(replayed, fold, at, fold.n)
        line = [n for n in line if n <= at]
    wanted = line if every else line[-1:]
    for n, then in zip(wanted, as_known(replayed, wanted), strict=True):
        known = fold if ruled else then
        if json:
            emit(position_data(replayed.events, known, n, view))
        else:
            show(replayed, known, n, view)


def _told(replayed: FoldedRecord, fold: Fold, at: int, ruled: bool, view: View, json: bool) -> None:
    from gamelog.dispute.incident import as_known, incident, last

    _reachable(replayed, fold, at, last(replayed))
    n = max(number for number in (0, *fold.mainline()) if number <= at) if ruled else at
    (then,) = (fold,) if ruled else as_known(replayed, [min(n, fold.n)])
    event = replayed.readable[n - 1] if n else None
    secret = event is not None and seen_in(fold, event, view) is not event
    happened = None if secret or not n else incident(replayed, n, view)
    if json:
        found = position_data(replayed.events, then, n, view)
        if happened:
            more = msgspec.structs.asdict(happened)
            found |= {"event": more.pop("event"), "text": more.pop("text")}
            more["before"] = described(fold.game, observed(fold.game, fold.states[n - 1], view))
            found["incident"] = more
        emit(found)
        return
    before = _sketch(fold, fold.states[max(0, n - 1)], view)
    after = _sketch(fold, fold.states[min(n, fold.n)], view)
    if happened:
        drawing(before, fold.header.seat_ids)
        say(f"Before event {n}.")
        _report(happened, fold)
    if secret:
        say(text_of(replayed.readable, fold, n, Privacy(view)))
    if not happened or after != before:
        drawing(after, fold.header.seat_ids)
    _after(then, n, view)


def _reachable(replayed: FoldedRecord, fold: Fold, at: int, end: int) -> None:
    if not 0 <= at <= end:
        stopped = next((found for found in replayed.findings if found.severity == "error"), None)
        reason = f": the record stops there ({stopped.message})" if stopped else ""
        usage(f"There is no good event {at}; the last is {fold.n}{reason}.")


def _report(happened: Incident, fold: Fold) -> None:
    """The incident in words."""
    from gamelog.dispute.incident_words import incident_words

    told = incident_words(happened, fold, lambda event: " ".join(event_words(event)), dice_prompt)
    legal = f"Legal ({told.counted}): {'; '.join(told.legal)}" if told.legal else ""
    for line in (
        f"{told.event} {told.played}".rstrip(),
        told.text,
        told.due,
        told.finding,
        told.rule,
        told.known,
        *told.matters,
        legal,
        told.odds,
    ):
        if line:
            prose(line)


def show(replayed: FoldedRecord, fold: Fold, n: int, view: View) -> None:
    """The position after event `n`, drawn."""
    drawing(_sketch(fold, fold.states[n], view), fold.header.seat_ids)
    prose(f"After event {n} of {len(replayed.events)}.")
    if n:
        prose(text_of(replayed.events, fold, n, Privacy(view)))
    _after(fold, n, view)


def _sketch(fold: Fold, state: Any, view: View) -> list[list[Run]]:
    return ascii_board(
        fold.game.scene(observed(fold.game, state, view), onlooker(view)),
        initials(fold.header.seat_ids),
        drawing_width(),
    )


def _after(fold: Fold, n: int, view: View) -> None:
    """Score, and what is to happen next."""
    at, name = min(n, fold.n), fold.session.name_of
    state, seen = fold.states[at], observed(fold.game, fold.states[at], view)
    if score := score_for(fold.game, state, fold.score(at), seen):
        prose(f"Score: {', '.join(f'{name(who)} {points}' for who, points in score.items())}.")
    pending = pending_for(fold.game, state, fold.pending if at == fold.n else fold.game.pending(state), seen)
    if pending.outcome:
        prose(game_over(fold.game, pending.outcome, name))
    elif pending.chance:
        prose(f"Due: {dice_prompt(pending.chance)}, by {name(pending.chance.by)}.")
    else:
        prose(f"To act: {' or '.join(map(name, pending.by))}.")

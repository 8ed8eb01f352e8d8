"""`gamelog replay`: the board after any event, and the event itself."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from gamelog.message import Message, with_names
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.rendering.board_lines import Lines
from gamelog.play.rendering.sentences import game_over_message
from gamelog.play.view.known_views import known_views
from gamelog.play.view.position_data import position_data
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.session_view import SessionView
from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer, public_viewer
from gamelog.record.escaping import escape_invisible
from gamelog_cli import completion
from gamelog_cli.arguments import HIDDEN_NOTICE, ChosenLanguage, Json, RecordFile
from gamelog_cli.events.listing import listed_events
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.input.people import seat_named
from gamelog_cli.input.typed_dice import dice_prompt
from gamelog_cli.input.typed_members import event_words
from gamelog_cli.named_record import cannot_replay, read_named
from gamelog_cli.printing.boards import board_lines
from gamelog_cli.printing.language import alternatives, current_language, current_locale, text_of, use_game
from gamelog_cli.printing.output import emit, print_drawing, print_line, print_warnings

if TYPE_CHECKING:
    from gamelog.dispute.incident import Incident


def replay(
    file: RecordFile,
    at: Annotated[
        int | None,
        typer.Option(
            help="Show event N: the positions before and after it, the rule, the legal events and the odds. "
            "Event 0 is the start.",
            metavar="N",
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--every", help="Show all positions, one after the other.")] = False,
    list_: Annotated[
        bool,
        typer.Option(
            "--list",
            help="List all events as sentences, and mark events that do not count; with --at, up to event N.",
        ),
    ] = False,
    ruled: Annotated[
        bool,
        typer.Option(
            "--ruled",
            help=(
                "Show the game as it is after all rulings. If event N does not count, show "
                "the last event before N that counts. Without --ruled, show what was known at "
                "event N."
            ),
        ),
    ] = False,
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Show what this player may see (name or seat).",
            autocompletion=completion.complete_seats,
        ),
    ] = None,
    reveal: Annotated[bool, typer.Option("--reveal", help="Show all hidden information.")] = False,
    _language: ChosenLanguage = None,
    json: Json = False,
) -> None:
    """Show the board after the last event, or event N with the boards before and after it.

    In a game with hidden information, only what all players may see is shown, unless you ask for more.
    """
    folded = fold_record(read_named(file))
    fold = folded.fold
    if fold is None:
        usage(cannot_replay(file, folded))
    use_game(fold.game)
    if seat is not None and reveal:
        usage(Message.of("You cannot use --seat and --reveal together. Give only one of them."))
    viewer = WHOLE_TABLE if reveal else public_viewer(fold)
    if seat is not None:
        viewer = Viewer((seat_named(SessionView(fold), seat),))
    elif viewer.seats:
        print_warnings([HIDDEN_NOTICE])
    view = RecordView(fold, viewer, folded.unfolded_events)
    if list_:
        _print_list(folded, view, at, ruled, json)
    elif at is not None and not every:
        _print_event(folded, view, at, ruled, json)
    else:
        _print_positions(folded, view, at, every, ruled, json)
    if not json:
        for finding in map(view.shown_finding, folded.findings):
            if at is None or finding.n != at:
                text = "{severity}: event {n}: {problem}" if finding.n else "{severity}: {problem}"
                severity = Message(finding.severity)
                print_line(Message.of(text, severity=severity, n=finding.n, problem=finding.message), "  ")
    if folded.status not in ("ok", "ruled"):
        raise typer.Exit(NOT_VALID)


def _print_list(folded: FoldedRecord, view: RecordView, end: int | None, ruled: bool, json: bool) -> None:
    """Print a line for each event, as ``list`` in the recorder does."""
    if end is not None:
        _check_event_number(folded, view, end, view.last_played)
    numbers = view.main_line_numbers() if ruled else range(1, view.last_played + 1)
    for line in listed_events(view, [n for n in numbers if end is None or n <= end], escape_invisible):
        if json:
            emit(line)
        else:
            print_line(str(line), "  ")


def _print_positions(
    folded: FoldedRecord, view: RecordView, chosen: int | None, every: bool, ruled: bool, json: bool
) -> None:
    """Print the last position, or `every` position, up to event `chosen`."""
    line = [0, *view.main_line_numbers()] if ruled else range(view.last_played + 1)
    if chosen is not None:
        _check_event_number(folded, view, chosen, view.last_played)
        line = [n for n in line if n <= chosen]
    wanted = line if every else line[-1:]
    known = repeat(view) if ruled else known_views(folded, view.viewer, wanted)
    for n, view_then in zip(wanted, known, strict=False):
        if json:
            emit(position_data(view_then, n, ruled=ruled))
            continue
        _draw(view_then, n)
        print_line(Message.of("After event {n} of {all}.", n=n, all=len(folded.events)))
        if n:
            print_line(_sentence(view_then, n))
        _print_outlook(view_then, n, ruled)


def _print_event(folded: FoldedRecord, view: RecordView, chosen: int, ruled: bool, json: bool) -> None:
    """Print event `chosen`, with the positions before and after it."""
    from gamelog.dispute.incident import incident, last_incident

    _check_event_number(folded, view, chosen, last_incident(folded))
    n = max(number for number in (0, *view.main_line_numbers()) if number <= chosen) if ruled else chosen
    (view_then,) = (view,) if ruled else known_views(folded, view.viewer, [n])
    language = current_language()
    happened = incident(folded, n, view.viewer, language) if n and view.sees_whole(n) else None
    if json:
        position = position_data(view_then, n, ruled=ruled)
        if happened:
            more = msgspec.to_builtins(happened)
            more["finding"] = happened.finding and happened.finding.plain
            position |= {"event": more.pop("event"), "text": more.pop("text"), "incident": more}
        emit(position)
        return
    after = _sketch(view_then, n)
    if happened:
        before = board_lines(view_then, max(0, n - 1), max(0, n - 1))
        print_drawing(before, view.header.seat_ids)
        print_line(Message.of("Before event {n}.", n=n))
        _print_incident(happened, folded)
    elif n:
        print_line(_sentence(view_then, n))
    if not happened or view_then.scene(n) != view_then.scene(max(0, n - 1)):
        print_drawing(after, view.header.seat_ids)
    _print_outlook(view_then, n, ruled)


def _check_event_number(folded: FoldedRecord, view: RecordView, n: int, end: int) -> None:
    """Exit with a message if there is no event `n` up to event `end`."""
    if not 0 <= n <= end:
        stopped = next((finding for finding in folded.findings if finding.severity == "error"), None)
        finding = None if stopped is None else view.shown_finding(stopped)
        text = "There is no valid event {at}. The last valid event is event {last}."
        if finding:
            text = (
                "There is no valid event {at}. The last valid event is event {last}. The record is not good "
                "after it: {problem}."
            )
        problem = finding.message if finding else ""
        usage(Message.of(text, at=n, last=view.last_played, problem=problem))


def _sentence(view: RecordView, n: int) -> str:
    """Return the sentence about event `n` in the language in use."""
    return view.sentence(n, escape_invisible, locale=current_locale())


def _print_incident(happened: Incident, folded: FoldedRecord) -> None:
    """Print the incident as sentences."""
    from gamelog.dispute.incident_words import incident_words

    told = incident_words(
        happened,
        folded,
        lambda event: " ".join(event_words(event)),
        lambda due: text_of(dice_prompt(due)),
        text_of,
    )
    legal = Message.of("Legal ({=count}): {=events}", count=told.legal_count, events="; ".join(told.legal))
    for line in (
        f"{told.heading} {told.recorded_event}".rstrip(),
        told.text,
        told.chance_due,
        told.finding,
        told.rule,
        told.status,
        *told.claims_and_rulings,
        legal if told.legal else "",
        told.odds,
    ):
        if line:
            print_line(line)


def _draw(view: RecordView, n: int) -> None:
    """Draw the position after event `n`, and mark what it has changed."""
    print_drawing(_sketch(view, n), view.header.seat_ids)


def _sketch(view: RecordView, n: int) -> Lines:
    return board_lines(view, n, max(0, n - 1))


def _print_outlook(view: RecordView, n: int, ruled: bool) -> None:
    """Print the score and the next thing that the rules require."""
    position, name = view.position(n), view.names_at(n)
    if score := view.score_with_final_penalties(n) if ruled else position.score:
        points = ", ".join(f"{name(who)} {points}" for who, points in score.items())
        print_line(Message.of("Score: {=points}.", points=points))
    pending = position.pending
    if pending.outcome:
        print_line(with_names(game_over_message(pending.outcome), name))
    elif pending.chance:
        due = dice_prompt(pending.chance)
        print_line(Message.of("Due: {due}, by {=player}.", due=due, player=name(pending.chance.by)))
    elif pending.by:
        print_line(Message.of("To move: {players}.", players=alternatives([*map(name, pending.by)])))

"""`gamelog ruling`: a decision of the arbiter."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer
from msgspec import to_builtins

from gamelog.errors import JSON_ERRORS, Conflict
from gamelog.play.contract.outcome import Outcome
from gamelog.play.recording import ruling_parts
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.session_view import SessionView
from gamelog_cli import arguments
from gamelog_cli.arguments import File, Json
from gamelog_cli.errors import Misread
from gamelog_cli.events import remarks, typed_commands
from gamelog_cli.exits import usage
from gamelog_cli.input.people import seat_named
from gamelog_cli.input.typed_clocks import parse_clocks
from gamelog_cli.printing.language import use_game
from gamelog_cli.printing.output import emit, print_line


def ruling(
    file: File,
    by: Annotated[str, typer.Option(metavar="NAME", help="Name of the arbiter.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Reason for the ruling.")],
    about: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help=(
                "Number of the event, claim or ruling that you rule on. Without --about, the "
                "options --result, --forfeit and --clock first record a note and then rule on "
                "the note."
            ),
        ),
    ] = None,
    stands: Annotated[
        bool,
        typer.Option("--stands", help="Let the event count, even if it is illegal, or confirm a ruling."),
    ] = False,
    takeback: Annotated[
        bool,
        typer.Option(
            "--takeback",
            help=("Take the game back to the position before the event, or to the position given with --to."),
        ),
    ] = False,
    to: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help=("With --takeback: number of the event after which the game continues.")
        ),
    ] = None,
    penalty: Annotated[
        list[str],
        typer.Option(
            "--penalty", help="Points to add or subtract, for example Ana=-2.", metavar="PLAYER=POINTS"
        ),
    ] = [],
    warning: Annotated[list[str], typer.Option("--warning", help="Warn this player.", metavar="PLAYER")] = [],
    clock: Annotated[
        list[str],
        typer.Option(
            "--clock",
            help="Set the clock of a player (PLAYER=12:30), or change it (PLAYER=-20:00). The game's clock "
            "changes by the same time, unless you set it too (table=31:40).",
            metavar="PLAYER=TIME",
        ),
    ] = [],
    result: Annotated[
        str | None,
        typer.Option(
            metavar="WINNERS", help=('Names or seats of the winners, or {"winners":[…],"reason":"…"}.')
        ),
    ] = None,
    forfeit: Annotated[
        str | None,
        typer.Option(metavar="WINNERS", help=("The winners after a forfeit, in the form of --result.")),
    ] = None,
    refused: Annotated[
        bool,
        typer.Option("--refused", help="Refuse a claim, or withdraw a ruling with all its effects."),
    ] = False,
    upheld: Annotated[
        bool, typer.Option("--upheld", help="Uphold a claim without taking anything back.")
    ] = False,
    t: arguments.Time = None,
    json: Json = False,
) -> None:
    """Record the arbiter's decision about an event. Nothing is erased: the event stays in the record.

    You can combine penalties, warnings and clocks with one of the other decisions. All parts are recorded
    together or not at all.
    """
    decides = {
        "stands": stands,
        "takeback": takeback,
        "result": result,
        "forfeit": forfeit,
        "refused": refused,
        "upheld": upheld,
    }
    beside = {"warning": warning, "penalty": penalty, "clock": clock}
    kinds = [kind for kind, given in (beside | decides).items() if given]
    if len(ruling_parts.decisions(kinds)) > 1 or not kinds:
        usage(
            "Choose one of --stands, --takeback, --result, --forfeit, --refused, --upheld. You can combine "
            "it with --penalty, --warning and --clock, or use only those."
        )
    if to is not None and not takeback:
        usage("--to needs --takeback.")
    if about is None and ruling_parts.needs_event(kinds):
        usage("Name the event of the ruling: --about N")
    if about is None and not (by.strip() and reason.strip()):
        usage("Name the arbiter and the reason: --by NAME --reason TEXT")
    recorder = EventRecorder(file)
    view = recorder.record_view
    use_game(view.game)
    members: dict[str, dict[str, Any]] = {
        "warning": {"warned": [seat_named(view, name) for name in warning]},
        "penalty": {
            "points": _numbers(view, penalty, "A penalty is a whole number of points: --penalty red=-2")
        },
        "clock": {"clock": _clocks(view, clock)},
        "takeback": {} if to is None else {"to": to},
    }
    if result or forfeit:
        members["forfeit" if forfeit else "result"] = {
            "result": _outcome(recorder, result or forfeit or "", "forfeit" if forfeit else "ruled")
        }
    same: dict[str, Any] = {"do": "@ruling", "about": about, "reason": reason, "name": by, "t": t}
    same = {name: value for name, value in same.items() if value is not None}
    _decide(recorder, [same | {"kind": kind} | members.get(kind, {}) for kind in kinds], json)


def _decide(recorder: EventRecorder, parts: list[dict[str, Any]], json: bool) -> None:
    """Record the parts of the ruling, and print their effects."""
    while True:
        waiting = frozenset(recorder.record_view.open_claims)
        events = ruling_parts.ruling_events(recorder, parts)
        try:
            acks = recorder.append(events, expect=recorder.n)[-len(parts) :]
        except Conflict:  # someone else recorded an event, and the recorder has read it
            continue
        break
    view = recorder.record_view
    for ack in acks:
        before = waiting if ack is acks[-1] else frozenset(view.open_claims)
        if json:
            emit(to_builtins(ack) | {"did": remarks.effect_of_ruling(recorder, ack.n, before)})
            continue
        print_line(f"{ack.n} {ack.head}")
        for sentence in remarks.ruling_sentences(recorder, ack.n, before):
            print_line(sentence)
        doubt = recorder.remaining_problem(ack.n) if ack.n <= view.last_played else None
        if doubt:
            print_line(doubt)


def _numbers(view: SessionView, given: list[str], problem: str) -> dict[str, int]:
    """Return whole numbers by seat. Print `problem` and exit if one is not a whole number."""
    try:
        numbers = {name: int(number) for name, number in arguments.parse_pairs(given, "number").items()}
    except ValueError:
        usage(problem)
    seats = [(seat_named(view, name), number) for name, number in numbers.items()]
    if len(dict(seats)) < len(seats):
        usage("A player is named twice. Add up the points, and name each player once.")
    return dict(seats)


def _clocks(view: SessionView, given: list[str]) -> dict[str, int]:
    """Return the times of clocks in ms, by seat. Print a message and exit if a time cannot be read."""
    try:
        return parse_clocks(view, arguments.parse_pairs(given, "clock").items())
    except Misread as error:
        usage(error.message)


def _outcome(recorder: EventRecorder, text: str, reason: str) -> dict[str, Any]:
    """Return the result in `text`: JSON, the winners by name, or draw. Print a message and exit otherwise."""
    view = recorder.record_view
    if not text.lstrip().startswith("{"):
        typed_members = typed_commands.parse_outcome(recorder, text, reason)
        if typed_members is None:
            usage(f"{view.unknown_seat(text)}. Type the winners, or draw.")
        return typed_members
    try:
        outcome = msgspec.json.decode(text.encode(), type=Outcome)
    except JSON_ERRORS as error:
        usage(
            f'"{text[:60]}" is not a result ({error}). Type the winners, or '
            f'{{"winners":["red"],"reason":"forfeit"}}'
        )
    members: dict[str, Any] = msgspec.to_builtins(outcome) | {
        "winners": [seat_named(view, name) for name in outcome.winners]
    }
    if outcome.places:
        members["places"] = [[seat_named(view, name) for name in tied] for tied in outcome.places]
    if outcome.payoffs:
        members["payoffs"] = {seat_named(view, name): amount for name, amount in outcome.payoffs.items()}
    if outcome.teams:
        members["teams"] = {
            team: [seat_named(view, name) for name in names] for team, names in outcome.teams.items()
        }
    return members

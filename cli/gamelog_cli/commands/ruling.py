"""`gamelog ruling`: the arbiter's decision."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer
from msgspec import to_builtins

from gamelog.errors import NO_JSON, Conflict, Refused
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import ARBITER
from gamelog_cli import arguments
from gamelog_cli.arguments import File, Json
from gamelog_cli.conversation import screen, typed_commands
from gamelog_cli.exits import usage
from gamelog_cli.output import emit, print_line
from gamelog_cli.people import seat_named
from gamelog_cli.typed_clocks import parse_clocks
from gamelog_cli.typed_members import Misread


def ruling(
    file: File,
    by: Annotated[str, typer.Option(help="The name of the person who rules.")],
    reason: Annotated[str, typer.Option(help="Why.")],
    about: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="The event, claim or ruling; without it a --result, --forfeit or --clock "
            "writes a note first, and rules on that.",
        ),
    ] = None,
    stands: Annotated[
        bool, typer.Option("--stands", help="It stands, illegal or not; of a ruling: it is confirmed.")
    ] = False,
    takeback: Annotated[
        bool, typer.Option("--takeback", help="It is taken back: to before it, or to --to.")
    ] = False,
    to: Annotated[
        int | None, typer.Option(min=0, help="With --takeback: the event after which the game goes on.")
    ] = None,
    penalty: Annotated[
        list[str], typer.Option("--penalty", help="Points given or taken, as PLAYER=POINTS.")
    ] = [],
    warning: Annotated[list[str], typer.Option("--warning", help="Who is warned.", metavar="PLAYER")] = [],
    clock: Annotated[
        list[str],
        typer.Option(
            "--clock",
            help="What a player's clock shows now, as PLAYER=12:30, or a change of it, PLAYER=-20:00; the "
            "game's own clock goes with it, or is given as table=31:40.",
            metavar="PLAYER=TIME",
        ),
    ] = [],
    result: Annotated[
        str | None, typer.Option(help='Who has won, by name, or {"winners":[…],"reason":"…"}.')
    ] = None,
    forfeit: Annotated[str | None, typer.Option(help="The result of a forfeit, likewise.")] = None,
    refused: Annotated[
        bool,
        typer.Option(
            "--refused", help="The claim is refused; of a ruling: it is withdrawn, with all that it did."
        ),
    ] = False,
    upheld: Annotated[
        bool, typer.Option("--upheld", help="The claim was right, and nothing is left to undo.")
    ] = False,
    t: arguments.Time = None,
    json: Json = False,
) -> None:
    """Append the arbiter's decision about event N. Nothing is erased: what was ruled on stays in the record,
    flagged.

    Penalties, warnings and clocks may stand beside one of the others: a ruling of several parts, written
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
    chosen = [kind for kind, given in decides.items() if given]
    beside = [
        kind for kind, given in {"warning": warning, "penalty": penalty, "clock": clock}.items() if given
    ]
    if len(chosen) > 1 or not (chosen or beside):
        usage(
            "Choose one of --stands, --takeback, --result, --forfeit, --refused, --upheld; the others go "
            "beside it or alone."
        )
    if to is not None and not takeback:
        usage("--to goes with --takeback.")
    if about is None and not (result or forfeit or beside == ["clock"]):
        usage("Say which event is ruled on: --about N.")
    if about is None and not (by.strip() and reason.strip()):
        usage("Say who rules, --by NAME, and why, --reason TEXT.")
    recorder = EventRecorder(file)
    fold = recorder.fold
    if about is None and recorder.n and fold.reveals and fold.reveals.intent is not None:
        about = fold.reveals.intent or 1  # while links are due, no note may come first
    members: dict[str, dict[str, Any]] = {
        "warning": {"warned": [seat_named(fold, name) for name in warning]},
        "penalty": {
            "points": _numbers(fold, penalty, "A penalty is a whole number of points: --penalty red=-2.")
        },
        "clock": {"clock": _clocks(fold, clock)},
        "takeback": {} if to is None else {"to": to},
    }
    if result or forfeit:
        members[chosen[0]] = {
            "result": _outcome(fold, result or forfeit or "", "forfeit" if forfeit else "ruled")
        }
    same: dict[str, Any] = {"do": "@ruling", "about": about, "reason": reason, "name": by, "t": t}
    same = {name: value for name, value in same.items() if value is not None}
    _decide(recorder, [same | {"kind": kind} | members.get(kind, {}) for kind in (*beside, *chosen)], json)


def _decide(recorder: EventRecorder, parts: list[dict[str, Any]], json: bool) -> None:
    """Write the parts of the ruling, and say what they did."""
    from gamelog.dispute.ruling_summary import ruling_effect

    while True:
        waiting = frozenset(recorder.fold.rulings.claims.open)
        noted = [] if "about" in parts[0] else [_note(parts[0])]
        events = [part | {"about": recorder.n + 1} for part in parts] if noted else parts
        _rehearse(recorder.log.path, [*noted, *events])
        try:
            acks = recorder.append([*noted, *events], expect=recorder.n)[len(noted) :]
        except Conflict:  # somebody wrote meanwhile, and the recorder has caught up
            continue
        break
    fold = recorder.fold
    for ack in acks:
        before = waiting if ack is acks[-1] else frozenset(fold.rulings.claims.open)
        done = ruling_effect(fold, ack.n, before) if ack.n <= fold.n else None
        if json:
            emit(to_builtins(ack) | {"did": done})
            continue
        print_line(f"{ack.n} {ack.head}")
        for sentence in screen.ruling_sentences(fold, ack.n, before):
            print_line(sentence)
        doubt = recorder.remaining_problem(ack.n) if ack.n <= fold.n else None
        if doubt:
            print_line(doubt)


def _rehearse(path: str, events: list[dict[str, Any]]) -> None:
    """Raise `Refused` for the first of `events` that would be: parts are written together or not at all."""
    if len(events) < 2:
        return
    rehearsal = EventRecorder(path, only_rehearse=True)
    for event in events:
        refused = rehearsal.rehearse(event)
        if refused:
            raise Refused(rehearsal.explain(refused), refused)


def _note(ruling: dict[str, Any]) -> dict[str, Any]:
    """What is written down before a ruling about no event in particular, a walkover say."""
    when = {"t": ruling["t"]} if "t" in ruling else {}
    return {"do": "@note", "by": ARBITER, "text": ruling["reason"], **when}


def _numbers(fold: Fold, given: list[str], otherwise: str) -> dict[str, int]:
    """Whole numbers by player; `otherwise` says what they should be."""
    try:
        numbers = {name: int(number) for name, number in arguments.parse_pairs(given, "number").items()}
    except ValueError:
        usage(otherwise)
    seats = [(seat_named(fold, name), number) for name, number in numbers.items()]
    if len(dict(seats)) < len(seats):
        usage("One player is named twice: give all that a player gets together.")
    return dict(seats)


def _clocks(fold: Fold, given: list[str]) -> dict[str, int]:
    """What clocks show, in ms by player."""
    try:
        return parse_clocks(fold, arguments.parse_pairs(given, "clock").items())
    except Misread as error:
        usage(error.said)


def _outcome(fold: Fold, text: str, reason: str) -> dict[str, Any]:
    """The result that `text` says, as JSON or as the winners by name; draw is nobody."""
    if not text.lstrip().startswith("{"):
        found = typed_commands.parse_outcome(fold, text, reason)
        if found is None:
            usage(f"{fold.unknown_seat(text)}; write who has won, or draw.")
        return found
    try:
        outcome = msgspec.json.decode(text.encode(), type=Outcome)
    except NO_JSON as error:
        usage(
            f"{text[:60]!r} is not a result ({error}); write who has won, or "
            f'{{"winners":["red"],"reason":"forfeit"}}.'
        )
    said: dict[str, Any] = msgspec.to_builtins(outcome) | {
        "winners": [seat_named(fold, name) for name in outcome.winners]
    }
    if outcome.places:
        said["places"] = [[seat_named(fold, name) for name in tied] for tied in outcome.places]
    if outcome.payoffs:
        said["payoffs"] = {seat_named(fold, name): amount for name, amount in outcome.payoffs.items()}
    if outcome.teams:
        said["teams"] = {
            team: [seat_named(fold, name) for name in names] for team, names in outcome.teams.items()
        }
    return said

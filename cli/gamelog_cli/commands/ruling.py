"""`gamelog ruling`: the arbiter's decision."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer
from msgspec import to_builtins

from gamelog.errors import NO_JSON, Conflict
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.seating import no_seat
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import ARBITER
from gamelog_cli import arguments
from gamelog_cli.arguments import File, Json
from gamelog_cli.conversation import spoken
from gamelog_cli.exits import usage
from gamelog_cli.output import emit, say
from gamelog_cli.people import seat_named


def ruling(
    file: File,
    by: Annotated[str, typer.Option(help="The name of the person who rules.")],
    reason: Annotated[str, typer.Option(help="Why.")],
    about: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="The event, claim or ruling; without it a --result or --forfeit writes a note first, and rules on that.",
        ),
    ] = None,
    stands: Annotated[bool, typer.Option("--stands", help="It stands, illegal or not; of a ruling: it is confirmed.")] = False,
    takeback: Annotated[bool, typer.Option("--takeback", help="It is taken back: to before it, or to --to.")] = False,
    to: Annotated[int | None, typer.Option(min=0, help="With --takeback: the event after which the game goes on.")] = None,
    penalty: Annotated[list[str], typer.Option("--penalty", help="Points given or taken, as PLAYER=POINTS.")] = [],
    result: Annotated[str | None, typer.Option(help='Who has won, by name, or {"winners":[…],"reason":"…"}.')] = None,
    forfeit: Annotated[str | None, typer.Option(help="The result of a forfeit, likewise.")] = None,
    refused: Annotated[
        bool, typer.Option("--refused", help="The claim is refused; of a ruling: it is withdrawn, with all that it did.")
    ] = False,
    t: arguments.Time = None,
    json: Json = False,
) -> None:
    """Append the arbiter's decision about event N. Nothing is erased: what was ruled on stays in the record, flagged."""
    kinds: dict[str, Any] = {
        "stands": stands,
        "takeback": takeback,
        "penalty": penalty,
        "result": result,
        "forfeit": forfeit,
        "refused": refused,
    }
    chosen = [kind for kind, given in kinds.items() if given]
    if len(chosen) != 1:
        usage("Choose one of --stands, --takeback, --penalty, --result, --forfeit, --refused.")
    if to is not None and not takeback:
        usage("--to goes with --takeback.")
    if about is None and not (result or forfeit):
        usage("Say which event is ruled on: --about N.")
    if about is None and not (by.strip() and reason.strip()):
        usage("Say who rules, --by NAME, and why, --reason TEXT.")
    event: dict[str, Any] = {"do": "@ruling", "kind": chosen[0], "reason": reason, "name": by}
    if about is not None:
        event["about"] = about
    if to is not None:
        event["to"] = to
    if t is not None:
        event["t"] = t
    recorder = EventRecorder(file)
    if penalty:
        event["points"] = _points(recorder.fold, penalty)
    if result or forfeit:
        event["result"] = _outcome(recorder.fold, result or forfeit or "", "forfeit" if forfeit else "ruled")
    _decide(recorder, event, json)


def _decide(recorder: EventRecorder, event: dict[str, Any], json: bool) -> None:
    """Write the ruling, and say what it did."""
    from gamelog.dispute.ruling_told import decided, told

    while True:
        waiting = frozenset(recorder.fold.rulings.claims.open)
        events = [event] if "about" in event else [_note(event), event | {"about": recorder.n + 1}]
        try:
            ack = recorder.append(events, expect=recorder.n)[-1]
        except Conflict:  # somebody wrote meanwhile, and the recorder has caught up
            continue
        break
    fold = recorder.fold
    done = decided(fold, ack.n, waiting) if fold.n == ack.n else None
    if json:
        emit(to_builtins(ack) | {"did": done})
        return
    say(f"{ack.n} {ack.head}")
    if done is None:
        say(f"It takes effect once event {fold.n + 1}, which is not good, has been ruled on.")
        return
    for sentence in told(fold, fold.rulings.made[ack.n], done):
        say(sentence)


def _note(ruling: dict[str, Any]) -> dict[str, Any]:
    """What is written down before a ruling about no event in particular, a walkover say."""
    when = {"t": ruling["t"]} if "t" in ruling else {}
    return {"do": "@note", "by": ARBITER, "text": ruling["reason"], **when}


def _points(fold: Fold, given: list[str]) -> dict[str, int]:
    try:
        points = {name: int(number) for name, number in arguments.parse_pairs(given, "penalty").items()}
    except ValueError:
        usage("A penalty is a whole number of points: --penalty red=-2.")
    seats = [(seat_named(fold, name), number) for name, number in points.items()]
    if len(dict(seats)) < len(seats):
        usage("One player is named twice: give all the points of a player together.")
    return dict(seats)


def _outcome(fold: Fold, text: str, reason: str) -> dict[str, Any]:
    """The result that `text` says, as JSON or as the winners by name; draw is nobody."""
    if not text.lstrip().startswith("{"):
        found = spoken.parse_outcome(fold, text, reason)
        if found is None:
            usage(f"{no_seat(fold, text)}; write who has won, or draw.")
        return found
    try:
        outcome = msgspec.json.decode(text.encode(), type=Outcome)
    except NO_JSON as error:
        usage(f'{text[:60]!r} is not a result ({error}); write who has won, or {{"winners":["red"],"reason":"forfeit"}}.')
    said: dict[str, Any] = msgspec.to_builtins(outcome) | {"winners": [seat_named(fold, name) for name in outcome.winners]}
    if outcome.places:
        said["places"] = [[seat_named(fold, name) for name in tied] for tied in outcome.places]
    if outcome.payoffs:
        said["payoffs"] = {seat_named(fold, name): amount for name, amount in outcome.payoffs.items()}
    if outcome.teams:
        said["teams"] = {team: [seat_named(fold, name) for name in names] for team, names in outcome.teams.items()}
    return said

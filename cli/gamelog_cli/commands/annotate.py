"""Commands for common events: `note`, `claim`, `withdraw`, `pause`, `resign`, `takeback` and others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct, to_builtins

from gamelog.errors import JSON_ERRORS
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.session_view import SessionView
from gamelog.record.escaping import isolate
from gamelog.record.names import split_name
from gamelog_cli import arguments, completion
from gamelog_cli.arguments import File, Json, Tags, Time
from gamelog_cli.errors import Misread
from gamelog_cli.events import remarks, typed_commands
from gamelog_cli.exits import usage
from gamelog_cli.input.people import is_seated, seat_of
from gamelog_cli.printing.output import emit, print_line

_SHOWN_WITH_EFFECTS = ("@takeback", "@accept", "@decline", "@agree", "@resign")
"""Events whose effect depends on other players, so that the commands print it."""

About = Annotated[int | None, typer.Option(metavar="N", help="Number of the event that the text is about.")]
Answered = Annotated[int, typer.Option(metavar="N", help="Number of the event with the offer.")]
By = Annotated[
    str,
    typer.Option(
        metavar="AUTHOR",
        help="Author of the event: a player (name or seat), table or arbiter.",
        autocompletion=completion.complete_seats,
    ),
]
BySeat = Annotated[
    str,
    typer.Option(
        metavar="PLAYER", help="Name or seat of the player.", autocompletion=completion.complete_seats
    ),
]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="Reason for the end of the game.")]
Text = Annotated[str, typer.Argument(metavar="TEXT", help="The text to record.")]


class _Change(Struct, frozen=True):
    """A change of a name, id or tag. ``was`` is None if there was none."""

    what: str
    was: str | None
    now: str | None


def note(
    file: File, text: Text, about: About = None, by: By = "table", t: Time = None, json: Json = False
) -> None:
    """Record a comment."""
    _record(file, {"do": "@note", "by": by, "t": t, "text": text, "about": about}, json)


def claim(
    file: File,
    text: Text,
    by: BySeat,
    about: About = None,
    intended: Annotated[
        str | None, typer.Option(metavar="JSON", help="The event that the player wanted to play, as JSON.")
    ] = None,
    t: Time = None,
    json: Json = False,
) -> None:
    """Record a claim of a player. It is open until the arbiter rules on it."""
    try:
        event = msgspec.json.decode(intended.encode(), type=dict[str, Any]) if intended else None
    except JSON_ERRORS as error:
        usage(f"--intended is not a JSON object: {error}.")
    _record(file, {"do": "@claim", "by": by, "t": t, "text": text, "about": about, "intended": event}, json)


def withdraw(
    file: File,
    about: Annotated[int, typer.Option(min=1, metavar="N", help="Number of the claim or offer.")],
    t: Time = None,
    json: Json = False,
) -> None:
    """Record that its author withdraws an open claim or offer. The claim or offer stays in the record."""
    _record(
        file, {"do": "@withdraw", "t": t}, json, lambda recorder: typed_commands.withdrawal(recorder, about)
    )


def pause(file: File, by: By = "table", t: Time = None, json: Json = False) -> None:
    """Stop the clock. The time until resume does not count as time of play."""
    _record(file, {"do": "@clock", "by": by, "t": t, "running": False}, json)


def resume(file: File, by: By = "table", t: Time = None, json: Json = False) -> None:
    """Start the clock again."""
    _record(file, {"do": "@clock", "by": by, "t": t, "running": True}, json)


def resign(file: File, by: BySeat, t: Time = None, json: Json = False) -> None:
    """Record that a player resigns. The effect depends on the rules of the game."""
    _record(file, {"do": "@resign", "by": by, "t": t}, json)


def agree(
    file: File,
    winners: Annotated[
        str,
        typer.Argument(metavar="WINNERS", help=("Names or seats of the winners, or draw if no one wins.")),
    ],
    by: BySeat,
    reason: Reason = "agreed",
    t: Time = None,
    json: Json = False,
) -> None:
    """Record an offer to end the game. It takes effect when all other players have accepted it."""
    _record(
        file,
        {"do": "@agree", "by": by, "t": t},
        json,
        lambda recorder: {"result": _outcome(recorder, winners, reason)},
    )


def result(
    file: File,
    winners: Annotated[
        str | None,
        typer.Argument(
            metavar="[WINNERS]",
            help=(
                "Names or seats of the winners, or draw if no one wins. By default, the result by the rules."
            ),
        ),
    ] = None,
    by: By = "table",
    reason: Reason = typed_commands.DEFAULT_REASON,
    t: Time = None,
    json: Json = False,
) -> None:
    """Record the result that the table saw. gamelog validate compares it with the play."""

    def members(recorder: EventRecorder) -> dict[str, Any]:
        if winners:
            return {"outcome": typed_commands.table_result(recorder, _outcome(recorder, winners, reason))}
        outcome = recorder.record_view.outcome
        if outcome is None:
            usage("The game is not over. Name the winners: gamelog result FILE WINNERS")
        return {"outcome": {"winners": list(outcome.winners), "reason": outcome.reason}}

    _record(file, {"do": "@result", "by": by, "t": t}, json, members)


def gap(
    file: File,
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            help=(
                "The position: JSON in the form of gamelog replay --json, @FILE, or the "
                "number of an event after which the same position was on the table."
            ),
        ),
    ],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Reason for the declaration.")],
    by: By = "table",
    t: Time = None,
    json: Json = False,
) -> None:
    """Declare the position on the table, if moves were not recorded or the effect of a move is unknown.

    The number of an event means the position after this event.
    """

    def members(recorder: EventRecorder) -> dict[str, Any]:
        try:
            return {"state": typed_commands.parse_position(recorder, position)}
        except Misread as error:
            usage(error.message)

    _record(file, {"do": "@gap", "by": by, "t": t, "reason": reason}, json, members)


def takeback(
    file: File,
    to: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Number of the event after which the game continues. 0 is the start."
        ),
    ],
    by: By = "table",
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help="Reason for the takeback.")] = None,
    t: Time = None,
    json: Json = False,
) -> None:
    """Take the game back to the position after an earlier event. The undone events stay in the record."""
    _record(file, {"do": "@takeback", "by": by, "t": t, "to": to, "reason": reason}, json)


def accept(file: File, about: Answered, by: By, t: Time = None, json: Json = False) -> None:
    """Accept a takeback or an agreement."""
    _record(file, {"do": "@accept", "by": by, "t": t, "about": about}, json)


def decline(file: File, about: Answered, by: By, t: Time = None, json: Json = False) -> None:
    """Decline a takeback or an agreement."""
    _record(file, {"do": "@decline", "by": by, "t": t, "about": about}, json)


def substitute(
    file: File,
    seat: Annotated[
        str,
        typer.Option(
            metavar="SEAT",
            help="The seat, or the name of its player.",
            autocompletion=completion.complete_seats,
        ),
    ],
    name: Annotated[
        str,
        typer.Option(metavar="NAME", help="Name of the new player; 'NAME <id>' also gives the player's id."),
    ],
    person: Annotated[str | None, typer.Option(metavar="ID", help="Id of the new player.")] = None,
    by: By = "table",
    t: Time = None,
    json: Json = False,
) -> None:
    """Let another person take a seat."""
    if person is None:
        name, person = split_name(name)

    def members(recorder: EventRecorder) -> dict[str, Any]:
        view = recorder.record_view
        if is_seated(view, seat_of(view, seat), name, person):
            usage(f"{name} already sits there. If it is another person with this name, add --person ID.")
        return {}

    _record(
        file,
        {"do": "@substitute", "by": by, "t": t, "seat": seat, "name": name, "person": person},
        json,
        members,
    )


def amend(
    file: File,
    tag: Tags = [],
    seat: Annotated[
        list[str],
        typer.Option(
            "--seat",
            help="A corrected name; SEAT='NAME <id>' also gives the player's id.",
            metavar="SEAT=NAME",
            autocompletion=completion.complete_players,
        ),
    ] = [],
    by: By = "arbiter",
    t: Time = None,
    json: Json = False,
) -> None:
    """Correct names and tags. Options, board and dice never change."""
    if not tag and not seat:
        usage("There is nothing to correct. Add --tag NAME=VALUE or --seat SEAT=NAME.")
    people = {where: split_name(text) for where, text in arguments.parse_pairs(seat, "seat").items()}
    names = {where: {"name": name} | ({"id": id} if id else {}) for where, (name, id) in people.items()}
    _record(
        file,
        {"do": "@amend", "by": by, "t": t, "tags": arguments.parse_pairs(tag, "tag"), "seats": names},
        json,
    )


def _labelled_values(view: SessionView) -> dict[str, str | None]:
    """Return the present names, ids and tags of the record, with a label for each."""
    people = {f"Name of {person.seat}": person.name or None for person in view.people}
    ids = {f"Id of {person.seat}": person.id for person in view.people}
    return people | ids | {f"Tag {name}": value for name, value in view.tags.items()}


def _changes(before: dict[str, str | None], after: dict[str, str | None]) -> list[_Change]:
    """Return the names, ids and tags that differ."""
    return [_Change(what, before.get(what), now) for what, now in after.items() if before.get(what) != now]


def _outcome(recorder: EventRecorder, winners: str, reason: str) -> dict[str, Any]:
    """Return the result with these winners. Print a message and exit if `winners` names no players."""
    outcome = typed_commands.parse_outcome(recorder, winners, reason)
    if outcome is None or outcome["reason"] != reason:
        view = recorder.record_view
        people = ", ".join(f"{view.name_of(seat)} ({seat})" for seat in view.header.seat_ids)
        usage(f'"{winners}" does not name the winners. Type draw, or players: {people}.')
    return outcome


def _record(
    file: Path,
    proposal: dict[str, Any],
    json: bool,
    members: Callable[[EventRecorder], dict[str, Any]] = lambda _recorder: {},
) -> None:
    """Record `proposal`, with seats instead of names and with the `members` that depend on the record."""
    recorder = EventRecorder(file)
    given = {name: value for name, value in (proposal | members(recorder)).items() if value is not None}
    for name in ("by", "seat"):
        if name in given:
            given[name] = seat_of(recorder.record_view, given[name])
    before = _labelled_values(recorder.record_view)
    ack = recorder.append([given])[0]
    changed = _changes(before, _labelled_values(recorder.record_view)) if given["do"] == "@amend" else None
    if json:
        emit(ack if changed is None else to_builtins(ack) | {"changed": changed})
        return
    print_line(f"{ack.n} {ack.head}")
    for change in changed or ():
        was, now = ("(none)" if text is None else f'"{text}"' for text in (change.was, change.now))
        print_line(f"{change.what}: {was} -> {now}")
    if changed == []:
        print_line("Nothing has changed, because the record already had these names and tags.")
    if given["do"] in _SHOWN_WITH_EFFECTS and ack.n <= recorder.record_view.last_played:
        print_line(recorder.text(ack.n, isolate))
    for line in remarks.remarks_on(recorder, ack.n):
        print_line(line)

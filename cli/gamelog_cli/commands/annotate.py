"""The events beside the game: `note`, `claim`, `pause`, `resign`, `takeback`, `accept`,
`substitute` and their like.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct, to_builtins

from gamelog.errors import NO_JSON
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.escaping import isolate
from gamelog.record.names import split_name
from gamelog_cli import arguments, completion
from gamelog_cli.arguments import File, Json, Tags, Time
from gamelog_cli.conversation import screen, typed_commands
from gamelog_cli.exits import usage
from gamelog_cli.output import emit, print_line, print_wrapped
from gamelog_cli.people import seat_of, sits_there
from gamelog_cli.typed_members import Misread

ANSWERED = ("@takeback", "@accept", "@decline", "@agree", "@resign")
"""What has an effect that depends on others: people are told what came of it."""

About = Annotated[int | None, typer.Option(help="The event it is about.")]
Answered = Annotated[int, typer.Option(help="The number of the offer that is answered.")]
By = Annotated[
    str, typer.Option(help="Who: a player, table or arbiter.", autocompletion=completion.complete_seats)
]
BySeat = Annotated[
    str, typer.Option(help="Which player, by name or seat.", autocompletion=completion.complete_seats)
]
Reason = Annotated[str, typer.Option(help="Why it ended, in a word.")]
Text = Annotated[str, typer.Argument(help="The words.")]


class _Change(Struct, frozen=True):
    """A name, id or tag that was amended; ``was`` is None if there was none."""

    what: str
    was: str | None
    now: str | None


def note(
    file: File, text: Text, about: About = None, by: By = "table", t: Time = None, json: Json = False
) -> None:
    """Write a comment into the record."""
    _write(file, {"do": "@note", "by": by, "t": t, "text": text, "about": about}, json)


def claim(
    file: File,
    text: Text,
    by: BySeat,
    about: About = None,
    intended: Annotated[
        str | None, typer.Option(help="The event that the player means to play, as JSON.")
    ] = None,
    t: Time = None,
    json: Json = False,
) -> None:
    """Write a player's claim, which stays open until it is ruled on."""
    try:
        event = msgspec.json.decode(intended.encode(), type=dict[str, Any]) if intended else None
    except NO_JSON as error:
        usage(f"--intended is not a JSON object: {error}.")
    _write(file, {"do": "@claim", "by": by, "t": t, "text": text, "about": about, "intended": event}, json)


def pause(file: File, by: By = "table", t: Time = None, json: Json = False) -> None:
    """Stop the clock: what passes until resume is not time of play."""
    _write(file, {"do": "@clock", "by": by, "t": t, "running": False}, json)


def resume(file: File, by: By = "table", t: Time = None, json: Json = False) -> None:
    """Let the clock run again."""
    _write(file, {"do": "@clock", "by": by, "t": t, "running": True}, json)


def resign(file: File, by: BySeat, t: Time = None, json: Json = False) -> None:
    """Let a player give up; the game's rules say what that means."""
    _write(file, {"do": "@resign", "by": by, "t": t}, json)


def agree(
    file: File,
    winners: Annotated[
        str, typer.Argument(metavar="WINNERS", help="Who wins, by name or seat; draw for nobody.")
    ],
    by: BySeat,
    reason: Reason = "agreed",
    t: Time = None,
    json: Json = False,
) -> None:
    """Offer to end the game; in force when every other player has accepted."""
    _write(
        file,
        {"do": "@agree", "by": by, "t": t},
        json,
        lambda fold: {"result": _outcome(fold, winners, reason)},
    )


def result(
    file: File,
    winners: Annotated[
        str | None,
        typer.Argument(
            metavar="[WINNERS]", help="Who has won; draw for nobody; left out, as the play gives it."
        ),
    ] = None,
    by: By = "table",
    reason: Reason = typed_commands.AT_TABLE,
    t: Time = None,
    json: Json = False,
) -> None:
    """Write down the result as the people at the table saw it; validate compares it with the play."""

    def members(fold: Fold) -> dict[str, Any]:
        if winners:
            return {"outcome": typed_commands.seen(fold, _outcome(fold, winners, reason))}
        if fold.outcome is None:
            usage("The game is not over, so say who has won: gamelog result FILE WINNERS.")
        return {"outcome": {"winners": list(fold.outcome.winners), "reason": fold.outcome.reason}}

    _write(file, {"do": "@result", "by": by, "t": t}, json, members)


def gap(
    file: File,
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION", help="As replay --json shows it: JSON, @FILE, or the number of an event."
        ),
    ],
    reason: Annotated[str, typer.Option(help="Why it is declared.")],
    by: By = "table",
    t: Time = None,
    json: Json = False,
) -> None:
    """Declare what stands on the table where moves were not written down, or nobody can say what one did.

    The number of an event stands for the position after it.
    """

    def members(fold: Fold) -> dict[str, Any]:
        try:
            return {"state": typed_commands.parse_position(fold, position)}
        except Misread as error:
            usage(error.said)

    _write(file, {"do": "@gap", "by": by, "t": t, "reason": reason}, json, members)


def takeback(
    file: File,
    to: Annotated[int, typer.Option(min=0, help="The event after which the game goes on; 0 is the start.")],
    by: By = "table",
    reason: Annotated[str | None, typer.Option(help="Why.")] = None,
    t: Time = None,
    json: Json = False,
) -> None:
    """Take the game back to an earlier event; what is undone stays in the record."""
    _write(file, {"do": "@takeback", "by": by, "t": t, "to": to, "reason": reason}, json)


def accept(file: File, about: Answered, by: By, t: Time = None, json: Json = False) -> None:
    """Accept a takeback or an agreement."""
    _write(file, {"do": "@accept", "by": by, "t": t, "about": about}, json)


def decline(file: File, about: Answered, by: By, t: Time = None, json: Json = False) -> None:
    """Decline a takeback or an agreement."""
    _write(file, {"do": "@decline", "by": by, "t": t, "about": about}, json)


def substitute(
    file: File,
    seat: Annotated[
        str,
        typer.Option(
            help="The seat that changes hands, or who sits there.", autocompletion=completion.complete_seats
        ),
    ],
    name: Annotated[str, typer.Option(help="Who sits there from now on; 'NAME <id>' gives an id too.")],
    person: Annotated[str | None, typer.Option(help="That person's id.")] = None,
    by: By = "table",
    t: Time = None,
    json: Json = False,
) -> None:
    """Let another person take a seat."""
    if person is None:
        name, person = split_name(name)

    def members(fold: Fold) -> dict[str, Any]:
        if sits_there(fold, seat_of(fold, seat), name, person):
            usage(f"{name} sits there already. Another person of that name has another id: --person ID.")
        return {}

    _write(
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
            help="A corrected name; SEAT='NAME <id>' gives an id too.",
            metavar="SEAT=NAME",
            autocompletion=completion.sitting,
        ),
    ] = [],
    by: By = "arbiter",
    t: Time = None,
    json: Json = False,
) -> None:
    """Correct names and tags; options, board and dice never change."""
    if not tag and not seat:
        usage("Nothing to amend: give --tag NAME=VALUE or --seat SEAT=NAME.")
    people = {where: split_name(text) for where, text in arguments.parse_pairs(seat, "seat").items()}
    names = {where: {"name": name} | ({"id": id} if id else {}) for where, (name, id) in people.items()}
    _write(
        file,
        {"do": "@amend", "by": by, "t": t, "tags": arguments.parse_pairs(tag, "tag"), "seats": names},
        json,
    )


def _named(fold: Fold) -> dict[str, str | None]:
    """Return all names, ids and tags of the record as they are now, by what they are."""
    people = {f"Name of {one.seat}": one.name or None for one in fold.session.seats}
    ids = {f"Id of {one.seat}": one.id for one in fold.session.seats}
    return people | ids | {f"Tag {name}": value for name, value in fold.tags.items()}


def _changed(before: dict[str, str | None], after: dict[str, str | None]) -> list[_Change]:
    """Return the names, ids and tags that differ."""
    return [_Change(what, before.get(what), now) for what, now in after.items() if before.get(what) != now]


def _outcome(fold: Fold, winners: str, reason: str) -> dict[str, Any]:
    found = typed_commands.parse_outcome(fold, winners, reason)
    if found is None or found["reason"] != reason:
        people = ", ".join(f"{fold.session.name_of(seat)} ({seat})" for seat in fold.header.seat_ids)
        usage(f"{winners!r} does not say who wins; write draw, or players: {people}.")
    return found


def _write(
    file: Path,
    proposal: dict[str, Any],
    json: bool,
    members: Callable[[Fold], dict[str, Any]] = lambda _fold: {},
) -> None:
    """Append `proposal`, with its players by their seats and with the `members` that depend on the record."""
    recorder = EventRecorder(file)
    given = {name: value for name, value in (proposal | members(recorder.fold)).items() if value is not None}
    for name in ("by", "seat"):
        if name in given:
            given[name] = seat_of(recorder.fold, given[name])
    before = _named(recorder.fold)
    ack = recorder.append([given])[0]
    changed = _changed(before, _named(recorder.fold)) if given["do"] == "@amend" else None
    if json:
        emit(ack if changed is None else to_builtins(ack) | {"changed": changed})
        return
    print_line(f"{ack.n} {ack.head}")
    for one in changed or ():
        was, now = ("(none)" if text is None else f'"{text}"' for text in (one.was, one.now))
        print_line(f"{one.what}: {was} -> {now}")
    if changed == []:
        print_line("Nothing has changed: the record had these names and tags already.")
    if given["do"] in ANSWERED and ack.n <= recorder.fold.n:
        print_wrapped(recorder.text(ack.n, isolate))
    for line in screen.around(recorder, ack.n):
        print_wrapped(line)

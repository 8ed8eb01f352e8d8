"""`gamelog dice`: the secret of a seat for commit-reveal dice."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from gamelog.chance.commit_reveal import LINKS, Chain
from gamelog.errors import BadSetup, Refused
from gamelog.message import Message
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.disk import write_new
from gamelog.record.escaping import isolate
from gamelog.record.reading import read_record
from gamelog_cli import completion
from gamelog_cli.arguments import File, Json, Secrets
from gamelog_cli.printing.output import emit, print_line, print_warnings
from gamelog_cli.secrets.dice_secrets import next_step_text, read_secret, record_due_events

dice = typer.Typer(
    no_args_is_help=True,
    help="Roll commit-reveal dice, which no player can influence: commit to a secret, then reveal its links.",
)


@dice.command()
def commit(
    seat: Annotated[
        str,
        typer.Option(
            metavar="SEAT",
            help="Your seat at the table, for example red.",
            autocompletion=completion.complete_seats,
        ),
    ],
    out: Annotated[Path, typer.Option("-o", "--out", help="Output file for your secret.", metavar="SECRET")],
    id: Annotated[
        str | None,
        typer.Option(
            metavar="ID", help="Id of the record that you are going to start. By default, a new id."
        ),
    ] = None,
    links: Annotated[
        int,
        typer.Option(
            min=1,
            max=10_000_000,
            metavar="N",
            help=("Number of rolls that the secret is for, including rolls that are undone."),
        ),
    ] = LINKS,
    json: Json = False,
) -> None:
    """Make the secret of a seat, and print the commitment that belongs in the header of the record.

    The dealer of face-down cards commits with --seat table, and opens the cards after the game.
    """
    chain = Chain.new(id or str(uuid.uuid4()), seat, links)
    write_new(out, msgspec.json.encode(chain) + b"\n", mode=0o600)
    if json:
        emit({"id": chain.id, "seat": seat, "commitment": chain.commitment, "links": links})
    else:
        print_line(f"--id {chain.id} --commit {seat}={chain.commitment}")
        print_line(
            f"Keep {out} secret until the game is over. Give the line above to the person who starts the "
            "record."
        )


@dice.command()
def reveal(
    file: File,
    secret: Secrets,
    json: Json = False,
) -> None:
    """Reveal the links that are due. After the last of them, the roll is recorded too.

    SECRET.seen keeps the head before and after each link that you have revealed. If the record has changed
    since then, someone may have known the link, so the record gets no more links. If several people have
    revealed links in copies of one record at the same time, unite the copies with gamelog compare --merge.
    """
    secrets = {path: read_secret(path) for path in secret}
    recorder = EventRecorder(file)
    reveals = recorder.fold.reveals
    if reveals is None:
        raise BadSetup(
            Message.of("{=path} has no commit-reveal dice, so there is nothing to reveal.", path=str(file))
        )
    if reveals.intent is None and not (
        recorder.fold.outcome and reveals.dealer and reveals.dealer.first_closed_roll
    ):
        raise Refused("No roll is due, so there is nothing to reveal.")
    for ack in record_due_events(recorder, secrets):
        if json:
            emit(ack)
        else:
            print_line(f"{ack.n} {ack.head} {recorder.text(ack.n, isolate)}")
    if not json:
        print_line(next_step_text(recorder))
    if recorder.fold.outcome and reveals.dealer:
        print_warnings(
            [
                finding.message
                for finding in fold_record(read_record(file)).findings
                if finding.code == "chance.reveals"
            ]
        )

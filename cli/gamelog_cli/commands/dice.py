"""`gamelog dice`: a seat's secret for dice that nobody can bend."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from gamelog.chance.commit import LINKS, Chain
from gamelog.errors import NO_JSON, BadSetup, Conflict, Refused
from gamelog.message import join_words
from gamelog.play.fold.reveal_book import RevealBook
from gamelog.play.judging.replay import replay
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.telling.sentences import game_over_text
from gamelog.record.disk import write_new
from gamelog.record.envelope import TABLE, as_proposal
from gamelog.record.escaping import isolate
from gamelog.record.reading import read_record
from gamelog.record.record_file import Ack
from gamelog.record.seal import read_small_file
from gamelog_cli import completion
from gamelog_cli.arguments import File, Json, Secrets
from gamelog_cli.output import emit, print_line, print_warnings
from gamelog_cli.revealed_links import check_links_seen, note_link

dice = typer.Typer(
    no_args_is_help=True, help="Dice that nobody can bend: commit to a secret, reveal it link by link."
)


@dice.command()
def commit(
    seat: Annotated[str, typer.Option(help="Your seat.", autocompletion=completion.complete_seats)],
    out: Annotated[Path, typer.Option("-o", "--out", help="The file for your secret.", metavar="SECRET")],
    id: Annotated[
        str | None,
        typer.Option(help="The id of the record that is going to be started; a new one if left out."),
    ] = None,
    links: Annotated[
        int, typer.Option(min=1, max=10_000_000, help="How many rolls it is good for, undone ones too.")
    ] = LINKS,
    json: Json = False,
) -> None:
    """Make a seat's secret, and print the commitment to it that belongs into the record's header.

    Whoever deals cards that others may not see commits as SEAT table, and opens what was dealt when the game
    is over.
    """
    chain = Chain.new(id or str(uuid.uuid4()), seat, links)
    write_new(out, msgspec.json.encode(chain) + b"\n", mode=0o600)
    if json:
        emit({"id": chain.id, "seat": seat, "commitment": chain.commitment, "links": links})
    else:
        print_line(f"--id {chain.id} --commit {seat}={chain.commitment}")
        print_line(
            f"{out}: keep it to yourself until the game is over. The line above goes to whoever starts the "
            "record."
        )


@dice.command()
def reveal(
    file: File,
    secret: Secrets,
    json: Json = False,
) -> None:
    """Reveal the links that are due; with the last of them, the roll that follows is written, too.

    SECRET.seen keeps the head before and after each link you have revealed. If the record was changed
    since, someone may have known that link, so the record gets no other. Copies of one record to which
    several people have revealed at the same time are united with gamelog compare --merge.
    """
    hands = {path: chain_in(path) for path in secret}
    recorder = EventRecorder(file)
    reveals = recorder.fold.reveals
    if reveals is None:
        raise BadSetup(f"{file} has no commit-reveal dice, so nothing is to be revealed.")
    if reveals.intent is None and not (recorder.fold.outcome and reveals.dealer and reveals.dealer.closed):
        raise Refused("No roll is due, so nothing is to be revealed.")
    for ack in answers(recorder, hands):
        if json:
            emit(ack)
        else:
            print_line(f"{ack.n} {ack.head} {recorder.text(ack.n, isolate)}")
    if not json:
        print_line(whose_turn(recorder))
    if recorder.fold.outcome and reveals.dealer:
        print_warnings(
            [one.message for one in replay(read_record(file)).findings if one.code == "chance.reveals"]
        )


def whose_turn(recorder: EventRecorder) -> str:
    """Who has to have the record next, for a link or for a decision."""
    fold, name = recorder.fold, recorder.fold.session.name_of
    pending = fold.pending
    if fold.reveals and fold.reveals.missing:
        missing = join_words(
            f"{name(seat)} ({seat})" if name(seat) != seat else seat for seat in fold.reveals.missing
        )
        return f"Pass the record on: for this roll it waits for the link of {missing}."
    if (
        fold.reveals
        and fold.reveals.dealer
        and (fold.reveals.is_roll_closed or (pending.outcome and fold.reveals.dealer.closed))
    ):
        return (
            "Pass the record on to who deals: it waits for the table's "
            f"{'link' if pending.outcome else 'secret'}."
        )
    if pending.outcome:
        return game_over_text(fold.game, pending.outcome, name)
    return f"To act: {' or '.join(map(name, pending.by))}."


def check_hands(recorder: EventRecorder, hands: Mapping[Path, Chain]) -> None:
    """Raises `BadSetup` for a secret of no seat of this record, `Damaged` for a record changed since."""
    fold = recorder.fold
    for path, chain in hands.items():
        if fold.reveals is None or chain.id != fold.header.id or chain.seat not in fold.reveals.shown:
            raise BadSetup(
                f"{path} is the secret of {chain.seat} for record {chain.id}, not for a seat of this one."
            )
        check_links_seen(path, recorder)


def answers(recorder: EventRecorder, hands: Mapping[Path, Chain]) -> Iterator[Ack]:
    """Write what is due and can be written: the links of the secrets at hand, and a roll that follows from
    links or a seed.

    The table's secret gives the rolls that lie face down, and is shown once the game is over.
    """
    fold = recorder.fold
    check_hands(recorder, hands)
    dealt = None
    for path, chain in hands.items():
        if fold.reveals and chain.seat in fold.reveals.missing:
            yield _reveal(recorder, path, chain)
        elif fold.reveals and fold.reveals.dealer and chain.seat == TABLE:
            if fold.outcome and fold.reveals.dealer.closed:
                yield _reveal(recorder, path, chain)
            elif fold.reveals.is_roll_closed:
                dealt = _next_link(fold.reveals, chain, 1)
    results = fold.due_results(dealt)
    if results is not None:
        roll = as_proposal(fold.game.chance(fold.state, results))
        if fold.reveals:  # at the time of the last link, so that everyone who has the links has the same line
            roll["t"] = recorder.events[-1].t
        yield from recorder.append([roll], expect=recorder.n)


def _reveal(recorder: EventRecorder, path: Path, chain: Chain) -> Ack:
    """Write the next link of `chain`, the secret in `path`, and note the record before and with it."""
    while True:
        assert recorder.fold.reveals is not None, "links are revealed where they are due"
        event = _link(recorder.fold.reveals, chain)
        note_link(path, recorder, before=True)
        try:
            (ack,) = recorder.append([event], expect=recorder.n)
        except Conflict:  # somebody wrote meanwhile, and the recorder has caught up
            check_links_seen(path, recorder)
            continue
        note_link(path, recorder)
        return ack


def chain_in(path: Path) -> Chain:
    """The secret in a file. Raises `BadSetup` for one that is not one."""
    try:
        return msgspec.json.decode(read_small_file(path), type=Chain)
    except NO_JSON as error:
        raise BadSetup(f"{path} is not a secret as gamelog dice commit makes it: {error}.") from None


def _link(reveals: RevealBook, chain: Chain) -> dict[str, str]:
    """The event that reveals the next link of `chain`, the table's with all that it has used."""
    link = _next_link(reveals, chain, 0 if chain.seat == TABLE else 1)
    return {"do": "@reveal", "by": chain.seat, "seat": chain.seat, "link": link}


def _next_link(reveals: RevealBook, chain: Chain, further: int) -> str:
    """The link so many `further` than those of `chain` that are used."""
    dealer = reveals.dealer if chain.seat == TABLE else None
    link = chain.before(reveals.shown[chain.seat], further + (dealer.unopened if dealer else 0))
    if link is None:
        raise BadSetup(
            f"{chain.seat} has committed to another secret than this one, or all its links are used up."
        )
    return link

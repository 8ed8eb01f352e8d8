"""Secrets for commit-reveal dice: the links that they reveal, and the rolls that follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from gamelog.chance.commit_reveal import Chain
from gamelog.errors import JSON_ERRORS, BadSetup, Conflict
from gamelog.message import Message, join_words
from gamelog.play.fold.parts.reveal_book import RevealBook
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.rendering.sentences import game_over_text
from gamelog.record.envelope import TABLE, as_proposal
from gamelog.record.record_file import Ack
from gamelog.record.seal import read_small_file
from gamelog_cli.errors import json_problem
from gamelog_cli.secrets.revealed_links import check_links_seen, note_link


def read_secret(path: Path) -> Chain:
    """Return the secret in a file.

    Raises:
        BadSetup: The file is not a secret.
        BadSeal: The file is not text, or it is too large.
        NotReadable: The file cannot be read.
    """
    try:
        return msgspec.json.decode(read_small_file(path), type=Chain)
    except JSON_ERRORS as error:
        text = "{=path} is not a secret made by gamelog dice commit: {problem}."
        raise BadSetup(Message.of(text, path=str(path), problem=json_problem(error))) from None


def check_secrets(recorder: EventRecorder, secrets: Mapping[Path, Chain]) -> None:
    """Check that the secrets belong to seats of this record, which still has all links revealed with them.

    Raises:
        BadSetup: A secret belongs to no seat of the record.
        Damaged: The record no longer contains the links that were revealed with a secret.
    """
    fold = recorder.fold
    for path, chain in secrets.items():
        if fold.reveals is None or chain.id != fold.header.id or chain.seat not in fold.reveals.last_links:
            text = "{=path} is the secret of {=seat} for the record {=id}, not for a seat of this record."
            raise BadSetup(Message.of(text, path=str(path), seat=chain.seat, id=chain.id))
        check_links_seen(path, recorder)


def record_due_events(recorder: EventRecorder, secrets: Mapping[Path, Chain]) -> Iterator[Ack]:
    """Record what is due and needs no typing: links of these secrets, and rolls from links or a seed.

    The table's secret gives the face-down draws. Its next link is revealed when the game is over.

    Raises:
        BadSetup: A secret belongs to no seat of the record, or it has no next link.
        Damaged: The record no longer contains the links that were revealed with a secret.
        AppendError: An event cannot be recorded.
    """
    fold = recorder.fold
    check_secrets(recorder, secrets)
    dealer_link = None
    for path, chain in secrets.items():
        if fold.reveals and chain.seat in fold.reveals.missing_seats:
            yield _record_reveal(recorder, path, chain)
        elif fold.reveals and fold.reveals.dealer and chain.seat == TABLE:
            if fold.outcome and fold.reveals.dealer.first_closed_roll:
                yield _record_reveal(recorder, path, chain)
            elif fold.reveals.is_roll_closed:
                dealer_link = _link_after(fold.reveals, chain, 1)
    results = fold.due_results(dealer_link)
    if results is not None:
        roll = as_proposal(fold.game.chance(fold.state, results))
        if fold.reveals:
            # The roll has the time of the last link, so that all people with the links get the same line.
            roll["t"] = recorder.events[-1].t
        yield from recorder.append([roll], expect=recorder.n)


def _record_reveal(recorder: EventRecorder, path: Path, chain: Chain) -> Ack:
    """Record the next link of the secret `chain` in `path`, and note the head before and after it."""
    while True:
        assert recorder.fold.reveals is not None, "links are due only with commit-reveal dice"
        event = _reveal_event(recorder.fold.reveals, chain)
        note_link(path, recorder, before=True)
        try:
            (ack,) = recorder.append([event], expect=recorder.n)
        except Conflict:  # someone else recorded an event, and the recorder has read it
            check_links_seen(path, recorder)
            continue
        note_link(path, recorder)
        return ack


def _reveal_event(reveals: RevealBook, chain: Chain) -> dict[str, str]:
    """Return the event that reveals the next link of `chain`; for the table, its last used link."""
    link = _link_after(reveals, chain, 0 if chain.seat == TABLE else 1)
    return {"do": "@reveal", "by": chain.seat, "seat": chain.seat, "link": link}


def _link_after(reveals: RevealBook, chain: Chain, steps: int) -> str:
    """Return the link that comes `steps` links after the last used link of `chain`.

    Raises:
        BadSetup: The chain has no such link.
    """
    dealer = reveals.dealer if chain.seat == TABLE else None
    link = chain.earlier_link(reveals.last_links[chain.seat], steps + (dealer.closed_count if dealer else 0))
    if link is None:
        text = "The commitment of {@seat} belongs to another secret, or all links of the secret are used."
        raise BadSetup(Message.of(text, seat=chain.seat))
    return link


def next_step_text(recorder: EventRecorder) -> str:
    """Return a sentence that says who needs the record next, for a link or for a decision."""
    view = recorder.record_view
    pending, name = view.pending, view.name_of
    if view.missing_links:
        missing = join_words(
            f"{name(seat)} ({seat})" if name(seat) != seat else seat for seat in view.missing_links
        )
        return f"Pass the record on. The roll is waiting for the link of {missing}."
    if view.due_from_dealer:
        return f"Pass the record on to the dealer. The game waits for the table's {view.due_from_dealer}."
    if pending.outcome:
        return game_over_text(view.game, pending.outcome, name)
    return f"To move: {' or '.join(map(name, pending.by))}."

"""Signatures inside a record: the event ``@sign``, whose signature is that of a seal of all lines before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, structs

from gamelog.errors import BadSeal, Conflict, MissingExtra, RecordError
from gamelog.play.common import Sign
from gamelog.play.findings import Finding
from gamelog.play.game import who
from gamelog.record.envelope import ARBITER, Header
from gamelog.record.seal import Key, Seal, Signer, statement

if TYPE_CHECKING:
    from gamelog.play.fold import Fold
    from gamelog.play.recorder import Recorder


class Signature(Struct, frozen=True):
    """Seat `seat` has signed all lines before event `n`.

    ``doubt`` says why that is worth less than it seems: nothing names the key as the seat's, or it
    was another record that was signed. ``unchecked``: nobody can say from this record alone whether it holds.
    """

    n: int
    seat: str
    key: str
    doubt: str | None = None
    unchecked: bool = False


def seal_in(header: Header, head: str, event: Sign) -> Seal:
    """The seal that `event`, behind a line with `head`, carries. Raises `BadSeal` and `RecordError`."""
    said = statement(header, event.n - 1, head, event.seat, event.t, Key.read(event.key))
    return structs.replace(said, sig=event.sig)


def inherited(header: Header) -> int:
    """The number of the last event that a branch shares with a parent: it was signed, and rolled, for the parent."""
    return max((parent.n for parent in header.parents if not parent.merged), default=0)


def refuse(fold: Fold, event: Sign) -> Finding | None:
    """Why the signature does not hold, or None.

    The key has to be the one that the header names for the seat, if it names one and the person
    still sits there. Signatures that a branch has taken over are those of its parent, and are checked
    where the branch proves what the parent's lines were.
    """
    seat, n = event.seat, event.n
    if seat not in (*fold.header.seat_ids, ARBITER):
        return Finding("play.common", f'@sign: there is no seat "{seat}"', n=n)
    parent = fold.ancestry.origin(n)
    head = _head_before(fold, n)
    if parent and head is None:
        return None
    wrong = another(fold, seat, event.key)
    if wrong:
        return Finding("sign.key", wrong, n=n)
    if head is None:
        return Finding("sign.unchecked", "a signature cannot be checked without the digests of the lines before it", n=n)
    header = structs.replace(fold.header, id=parent.id) if parent else fold.header
    try:
        genuine = seal_in(header, head.decode(), event).genuine
    except (BadSeal, RecordError) as error:
        return Finding("sign.forged", f"the signature cannot be one: {error}".rstrip("."), n=n)
    except MissingExtra as error:
        return Finding("sign.unchecked", str(error).rstrip("."), n=n)
    if genuine:
        return None
    whose = who(seat)
    text = f"the signature of {whose} does not cover what stands before it: that was changed after it was signed, or it is forged"
    return Finding("sign.forged", text, n=n)


def signature(fold: Fold, event: Sign) -> Signature:
    """What a signature that `refuse` has nothing against is worth."""
    doubt, parent = None, fold.ancestry.origin(event.n)
    if parent and _head_before(fold, event.n) is None:
        text = f"in record {parent.id[:100]}, which this one says it goes on from and does not prove; it has to be checked there"
        return Signature(event.n, event.seat, event.key, text, unchecked=True)
    if parent:
        doubt = f"in record {parent.id[:100]}, which this one goes on from"
    elif _named(fold, event.seat) is None:
        doubt = f"the record names no key for {fold.table.name_of(event.seat)}, so somebody else has to say whose it is"
    return Signature(event.n, event.seat, event.key, doubt)


def _head_before(fold: Fold, n: int) -> bytes | None:
    """The head that a signature in event `n` has to cover: of the record for which it was written."""
    if fold.ancestry.origin(n):
        return fold.ancestry.head_before(n)
    return fold.heads[n - 1] if len(fold.heads) >= n else None


def _named(fold: Fold, seat: str) -> str | None:
    """The key of who sits at `seat` now."""
    return next((person.key for person in fold.table.seats if person.seat == seat), None)


def another(fold: Fold, seat: str, key: str) -> str | None:
    """That `key` is not the one which the record names for who sits at `seat` now; None where it is, or none is named."""
    named = _named(fold, seat)
    whose = fold.table.name_of(seat)
    return f"{whose} signs with {key[:100]}, but the record names {named[:100]}" if named and named != key else None


def signed(header: Header, n: int, head: str, seat: str, t: int, signer: Signer) -> Seal:
    """The seal of `seat` over the first `n` events, at `t`. Raises `RecordError` for what cannot be sealed."""
    said = statement(header, n, head, seat, t, signer.key)
    return structs.replace(said, sig=signer.sign(said.text))


def sign(recorder: Recorder, signer: Signer, seat: str) -> Seal:
    """Append the signature of `seat` over the record as it is now, and return the seal it carries.

    Raises `Refused` where the header names another key for the seat, and what `Recorder.append` raises.
    """
    while True:
        n, t = recorder.n, recorder.now()
        seal = signed(recorder.log.header, n, recorder.head, seat, t, signer)
        event = {"do": "@sign", "t": t, "by": seat, "seat": seat, "key": str(signer.key), "sig": seal.sig}
        try:
            recorder.append([event], expect=n)
        except Conflict:  # somebody wrote meanwhile, and the recorder has caught up
            continue
        return seal

"""Signatures: the seal of a record, and the event ``@sign`` that has one."""

from __future__ import annotations

from msgspec import structs

from gamelog.errors import Conflict
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import Header
from gamelog.record.seal import Seal, Signer, unsigned_seal


def make_seal(header: Header, n: int, head: str, seat: str, t: int, signer: Signer) -> Seal:
    """Return the seal of a seat over the first events of a record.

    Args:
        header: The header of the record.
        n: The number of the last sealed event; 0 seals the header alone.
        head: The digest of the record up to event `n`.
        seat: The seat that signs.
        t: The time of the seal, in ms since the start.
        signer: The private key of the seat. Whether the header names the key is not checked.

    Raises:
        RecordError: The record cannot be sealed, because of control characters or its time.
        MissingExtra: The package that signs is not installed.
    """
    unsigned = unsigned_seal(header, n, head, seat, t, signer.key)
    return structs.replace(unsigned, sig=signer.sign(unsigned.text))


def sign(recorder: EventRecorder, signer: Signer, seat: str) -> Seal:
    """Record the signature of `seat` over the record as it is now, and return its seal.

    Raises:
        Refused: The header has another key for the seat.
        GamelogError: The event cannot be recorded.
    """
    while True:
        n, t = recorder.n, recorder.now()
        seal = make_seal(recorder.file.header, n, recorder.head, seat, t, signer)
        event = {"do": "@sign", "t": t, "by": seat, "seat": seat, "key": str(signer.key), "sig": seal.sig}
        try:
            recorder.append([event], expect=n)
        except Conflict:  # the recorder has folded the events of another writer: sign again
            continue
        return seal

"""Signing a record: the seal of what stands in it, and the event ``@sign`` that carries one."""

from __future__ import annotations

from msgspec import structs

from gamelog.errors import Conflict
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import Header
from gamelog.record.seal import Seal, Signer, statement


def signed(header: Header, n: int, head: str, seat: str, t: int, signer: Signer) -> Seal:
    """The seal of `seat` over the first `n` events, at `t`. Raises `RecordError` for what has no head."""
    said = statement(header, n, head, seat, t, signer.key)
    return structs.replace(said, sig=signer.sign(said.text))


def sign(recorder: EventRecorder, signer: Signer, seat: str) -> Seal:
    """Append the signature of `seat` over the record as it is now, and return the seal it carries.

    Raises `Refused` where the header names another key for the seat, and what `EventRecorder.append` raises.
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

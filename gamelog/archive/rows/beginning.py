"""How a play begins, as a digest: records of one game have the same, whichever of them is longer."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256

import msgspec

from gamelog.play.fold.common import COMMON, Resign
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.digest import played_structs
from gamelog.record.envelope import Event

BEGINNING = 4
"""Decisions, dice and draws that make a beginning."""

_BESIDE = COMMON - {Resign}

_encoder = msgspec.json.Encoder(order="deterministic")


def beginning_digest(fold: Fold, events: Sequence[Event], line: Sequence[int]) -> str | None:
    """Return the digest of how the play on `line` begins, in any order; None if the play is shorter."""
    first: list[Event] = []
    for n in line:
        if type(events[n - 1]) not in _BESIDE:
            first.append(events[n - 1])
            if len(first) == BEGINNING:
                break
    else:
        return None
    header = fold.header
    settled = [header.game, header.rules, header.options, header.board, header.seat_ids]
    lines = sorted(map(_encoder.encode, played_structs(fold, first)))
    return urlsafe_b64encode(sha256(_encoder.encode(settled) + b"\n".join(lines)).digest()[:12]).decode()

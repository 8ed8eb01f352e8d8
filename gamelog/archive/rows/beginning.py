"""The digest of the beginning of a play, which a longer and a shorter record of one game have in common."""

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
"""Number of decisions, dice and draws in a beginning."""

_NOT_PLAY = COMMON - {Resign}

_encoder = msgspec.json.Encoder(order="deterministic")


def beginning_digest(fold: Fold, events: Sequence[Event], line: Sequence[int]) -> str | None:
    """Return the digest of the first events on `line`, in any order; None if the play is too short."""
    first: list[Event] = []
    for n in line:
        if type(events[n - 1]) not in _NOT_PLAY:
            first.append(events[n - 1])
            if len(first) == BEGINNING:
                break
    else:
        return None
    header = fold.header
    settled = [header.game, header.rules, header.options, header.board, header.seat_ids]
    lines = sorted(map(_encoder.encode, played_structs(fold, first)))
    return urlsafe_b64encode(sha256(_encoder.encode(settled) + b"\n".join(lines)).digest()[:12]).decode()

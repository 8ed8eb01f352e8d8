"""What whoever is to act has decided last: what is likeliest to walk on, or to be placed again."""

from __future__ import annotations

from collections.abc import Sequence

from gamelog.play.fold.common import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event


def last_decided(fold: Fold, events: Sequence[Event]) -> Event | None:
    """The last decision among `events`, which are those of `fold`, of a player who is to act; None once more
    than the game's
    own events came since."""
    for event in reversed(events):
        if type(event) in COMMON or not fold.stands(event.n):
            return None
        if event.by in fold.pending.by and type(event) not in fold.game.chance_events:
            return event
    return None

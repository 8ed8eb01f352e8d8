"""The dice sources a header can name, and what each lets a verifier recompute.

``table``
    Dice rolled by hand. Possible faces in the right number are all that can be checked.
``seeded``
    Every outcome follows from the seed in the header: a verifier recomputes them all. It proves
    nothing about fairness, for whoever wrote the record knew the seed.
``commit-reveal``
    Every outcome follows from links that all seats reveal and have committed to in the header
    (`gamelog.chance.commit`): recomputed too, and fair if one seat is honest.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Protocol

from gamelog.chance.draws import Draw, Results
from gamelog.chance.stream import draw_results
from gamelog.message import Message
from gamelog.record.envelope import DiceSpec


class ChanceSource(Protocol):
    """Answers owed chance. `ordinal` counts the chance lines of the file from 0, undone ones included."""

    def results(self, draws: tuple[Draw, ...], ordinal: int) -> Results: ...


class Seeded:
    """Outcomes from a seed; each chance line has a substream of its own, so a takeback winds nothing back."""

    def __init__(self, seed: str, record_id: str) -> None:
        self._key = sha256(b"gamelog/1 seeded\n" + seed.encode()).digest()
        self._context = record_id.encode() + b"\n"

    def results(self, draws: tuple[Draw, ...], ordinal: int) -> Results:
        """The outcomes of chance line `ordinal`."""
        return draw_results(self._key, self._context + ordinal.to_bytes(8, "big"), draws)


def check_dice(spec: DiceSpec) -> Message | None:
    """Why a header cannot name its dice so, or None: it lacks what a source needs, or has another's."""
    if spec.source == "seeded" and not spec.seed:
        return Message.of("seeded dice need a seed")
    if spec.source != "seeded" and spec.seed is not None:
        return Message.of("a seed belongs to seeded dice, and the source is {=source}", source=spec.source)
    if spec.source != "commit-reveal" and (spec.commitments is not None or spec.forfeit is not None):
        return Message.of(
            "commitments and a forfeit belong to commit-reveal dice, and the source is {=source}",
            source=spec.source,
        )
    return None


def recomputable(spec: DiceSpec, record_id: str) -> ChanceSource | None:
    """The source whose outcomes follow from the header alone, or None."""
    if spec.source == "seeded":
        return Seeded(spec.seed or "", record_id)
    return None

"""The dice sources of a header, and what a verifier can recompute for each.

``table``
    Dice rolled by hand. A verifier can only check that the faces are possible and their number is right.
``seeded``
    Every outcome follows from the seed in the header, so a verifier recomputes all of them. This does not
    prove fairness, because the author of the record knew the seed.
``commit-reveal``
    Every outcome follows from links that all seats reveal and have committed to in the header
    (`gamelog.chance.commit_reveal`). A verifier recomputes all outcomes. They are fair if one seat is honest.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Protocol

from gamelog.chance.draws import Dice, Draw, Results, Weighted, kinds_of
from gamelog.chance.rng import Random
from gamelog.chance.stream import draw_results
from gamelog.message import Message
from gamelog.record.envelope import DiceSpec


class ChanceSource(Protocol):
    """A source of results for chance that is due.

    `ordinal` counts the chance lines of the file from 0, undone lines included.
    """

    def results(self, draws: tuple[Draw, ...], ordinal: int) -> Results:
        """Return the results of `draws` on chance line `ordinal`."""
        ...


class Seeded:
    """Outcomes from a seed.

    Each chance line has its own substream, so a takeback changes no later outcome.
    """

    def __init__(self, seed: str, record_id: str) -> None:
        self._key = sha256(b"gamelog/1 seeded\n" + seed.encode()).digest()
        self._context = record_id.encode() + b"\n"

    def results(self, draws: tuple[Draw, ...], ordinal: int) -> Results:
        """Return the outcomes of chance line `ordinal`."""
        return draw_results(self._key, self._context + ordinal.to_bytes(8, "big"), draws)


class QuickDice:
    """Outcomes from a generator, for playouts. They are faster than `Seeded`, and in no record.

    The outcomes depend on all earlier ones, so `ordinal` has no effect.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def results(self, draws: tuple[Draw, ...], ordinal: int) -> Results:  # noqa: ARG002  # a ChanceSource
        """Return the next outcomes."""
        rng = self._rng
        results: list[tuple[int | str, ...]] = []
        for draw in draws:
            if isinstance(draw, Dice):
                number, sides = rng.random, draw.sides
                results.append(tuple([int(number() * sides) + 1 for _ in range(draw.count)]))
                continue
            kinds = kinds_of(draw)
            names, counts = list(kinds), list(kinds.values())
            if isinstance(draw, Weighted):
                results.append(tuple(rng.choices(names, counts, k=draw.count)))
            else:
                results.append(tuple(rng.sample(names, counts=counts, k=draw.count)))
        return tuple(results)


def dice_problem(spec: DiceSpec) -> Message | None:
    """Return the message that says why the header's dice are invalid, or None.

    Members are missing, or there are members of another source.
    """
    if spec.source == "seeded" and not spec.seed:
        return Message.of("the dice are seeded, but the header has no seed")
    if spec.source != "seeded" and spec.seed is not None:
        return Message.of(
            "the header has a seed, but the source of the dice is {=source}; only seeded dice have a seed",
            source=spec.source,
        )
    if spec.source != "commit-reveal" and (spec.commitments is not None or spec.forfeit is not None):
        return Message.of(
            "the header has commitments or a forfeit, but the source of the dice is {=source}; only"
            " commit-reveal dice have them",
            source=spec.source,
        )
    return None


def recomputable_source(spec: DiceSpec, record_id: str) -> ChanceSource | None:
    """Return the source whose outcomes follow from the header alone, or None."""
    if spec.source == "seeded":
        return Seeded(spec.seed or "", record_id)
    return None

"""Loaded dice, for simulated records: known biases on which the tests of dice can be tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from re import fullmatch

from gamelog.chance.draws import Dice, Draw, Results, Weighted
from gamelog.chance.sources import ChanceSource
from gamelog.errors import BadSetup
from gamelog.message import Message, join_words

LoadedFaces = Mapping[str, Mapping[int, Fraction]]
"""For each seat with loaded dice, the probability of each loaded face. The other faces share the rest."""

_FORM = r"([^=:]+)=(\d{1,9}):(\d{1,4}(?:\.\d{1,9})?|\.\d{1,9})"
"""A text such as ``red=6:0.25``."""


def parse_loaded(texts: Iterable[str]) -> dict[str, dict[int, Fraction]]:
    """Return the loaded faces in texts such as ``red=6:0.25``.

    Raises:
        BadSetup: A text has another form, a face is given twice, or probabilities are impossible.
    """
    found: dict[str, dict[int, Fraction]] = {}
    for text in texts:
        match = fullmatch(_FORM, text)
        if not match:
            form = 'Loaded dice must be SEAT=FACE:PROBABILITY, for example red=6:0.25, and not "{=text}".'
            raise BadSetup(Message.of(form, text=text))
        seat, face, chance = match[1], int(match[2]), Fraction(match[3])
        faces = found.setdefault(seat, {})
        if face in faces:
            raise BadSetup(Message.of("The face {=face} of {=seat} is loaded twice.", face=face, seat=seat))
        faces[face] = chance
        if sum(faces.values()) > 1:
            impossible = "The probabilities of the loaded faces of {=seat} add up to more than 1."
            raise BadSetup(Message.of(impossible, seat=seat))
    return found


def loaded_text(loaded: LoadedFaces) -> str:
    """Return the loaded faces in one text, for the tag ``loaded`` of a record."""
    return " ".join(
        f"{seat}={face}:{float(chance):.9g}"
        for seat, faces in loaded.items()
        for face, chance in faces.items()
    )


class LoadedDice:
    """Results of another source, in which the dice of some seats are loaded. No verifier recomputes them."""

    def __init__(self, source: ChanceSource, loaded: LoadedFaces) -> None:
        self._source, self._loaded = source, loaded

    def results(self, draws: tuple[Draw, ...], ordinal: int) -> Results:
        """Return the results of `draws` on chance line `ordinal`.

        Raises:
            BadSetup: A die does not have a loaded face, or no other face for the rest of the probability.
        """
        weighted = tuple(self._weighted(draw) for draw in draws)
        results = self._source.results(weighted, ordinal)
        return tuple(
            result if now is draw else tuple(map(int, result))
            for draw, now, result in zip(draws, weighted, results, strict=True)
        )

    def _weighted(self, draw: Draw) -> Draw:
        """Return `draw`, or a draw of loaded faces if the seat has loaded dice.

        Raises:
            BadSetup: A die does not have a loaded face, or no other face for the rest of the probability.
        """
        faces = self._loaded.get(draw.seat or "") if isinstance(draw, Dice) else None
        if not isinstance(draw, Dice) or not faces:
            return draw
        impossible = [face for face in faces if not 1 <= face <= draw.sides]
        if impossible:
            text = "A die of {=seat} has {n} {n:side|sides}, and no face {=face}."
            raise BadSetup(
                Message.of(text, seat=draw.seat, n=draw.sides, face=join_words(map(str, impossible)))
            )
        rest, others = 1 - sum(faces.values(), Fraction(0)), draw.sides - len(faces)
        if rest and not others:
            text = "All faces of a die of {=seat} are loaded, but their probabilities do not add up to 1."
            raise BadSetup(Message.of(text, seat=draw.seat))
        chances = {face: faces.get(face, rest / max(1, others)) for face in range(1, draw.sides + 1)}
        whole = lcm(*(chance.denominator for chance in chances.values()))
        return Weighted(
            draw.count, tuple((str(face), int(chance * whole)) for face, chance in chances.items())
        )

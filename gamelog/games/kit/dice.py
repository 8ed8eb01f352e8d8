"""Six-sided dice."""

from __future__ import annotations

from collections.abc import Collection

from gamelog.game import Violation, forbids

FACES = frozenset(range(1, 7))
"""Faces of a die with six sides."""


def face_violation(rule: str, faces: Collection[int]) -> Violation | None:
    """Return a violation of `rule`, or None if a die can show each of `faces`."""
    if FACES.issuperset(faces):
        return None
    return forbids(rule, "a die cannot show {n}", n=next(face for face in faces if face not in FACES))


def whole_percent(probability: float) -> int:
    """Return `probability` in percent, rounded. Only what is certain has 0 or 100."""
    return round(100 * probability) if probability in (0, 1) else min(max(round(100 * probability), 1), 99)

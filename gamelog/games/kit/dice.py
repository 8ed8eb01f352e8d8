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

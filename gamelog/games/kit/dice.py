"""Six-sided dice."""

from __future__ import annotations

from collections.abc import Iterable

from gamelog.game import Violation

FACES = frozenset(range(1, 7))


def wrong_face(rule: str, faces: Iterable[int]) -> Violation | None:
    """That a die cannot show one of `faces`, against `rule`; None where it can show all."""
    wrong = next((face for face in faces if face not in FACES), None)
    return None if wrong is None else Violation(rule, f"a die cannot show {wrong}")

"""The armies: twelve soldiers of four kinds each.

In a game, soldier ``k`` of army ``a`` has the number ``12 * a + k``.
"""

from __future__ import annotations

PAWN, CARRIER, MEDIUM, HEAVY = "P", "F", "M", "H"
"""The kinds: pawn, flag carrier, medium and heavy artillery."""

SOLDIERS = ("P1", "P2", "P3", "P4", "P5", "P6", "F1", "F2", "M1", "M2", "H1", "H2")
"""The soldiers of an army in the order of their numbers. The first letter is the kind."""

MEN = len(SOLDIERS)
"""Number of soldiers in an army."""
MAX_ARMIES = 4
"""Largest number of armies in a game."""

NUMBER = {soldier: number for number, soldier in enumerate(SOLDIERS)}
"""The number of each soldier in its army."""

_KIND_WORDS = {PAWN: "pawn", CARRIER: "carrier", MEDIUM: "medium", HEAVY: "heavy"}

DICE = bytes({PAWN: 0, CARRIER: 0, MEDIUM: 1, HEAVY: 2}[soldier[0]] for soldier in SOLDIERS) * MAX_ARMIES
"""By soldier of a game: the number of dice that it rolls in a battle (DF-17)."""

FIXED = bytes({PAWN: 3, CARRIER: 3, MEDIUM: 0, HEAVY: 0}[soldier[0]] for soldier in SOLDIERS) * MAX_ARMIES
"""By soldier of a game: its value without dice (DF-17)."""

CARRIERS = frozenset(number for number in range(MEN * MAX_ARMIES) if SOLDIERS[number % MEN][0] == CARRIER)
"""The flag carriers of a game."""

SENTENCE_NAMES = tuple(f"{_KIND_WORDS[soldier[0]]} {soldier}" for soldier in SOLDIERS) * MAX_ARMIES
"""By soldier of a game: its name in sentences, such as ``pawn P1``."""

"""A second, slow and plain implementation of Zone S: the oracle for legal actions and their results.

It works on the words of `describe` and on the roster's own file, with names for slots and sets for
everything, and shares no code with the game. Of the guards it knows nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

Words = dict[str, Any]

WAYS = {
    "orthogonal": [(0, 1), (1, 0), (0, -1), (-1, 0)],
    "diagonal": [(1, 1), (1, -1), (-1, -1), (-1, 1)],
}
WAYS["any"] = WAYS["orthogonal"] + WAYS["diagonal"]
OTHER = {"dominion": "separatists", "separatists": "dominion"}


class Reference:
    """The rules for one board, one roster and one set of options."""

    def __init__(self, rows: list[str], kinds: dict[str, Any], **options: Any) -> None:
        self.kinds = kinds
        self.options = options
        self.half = {
            f"{'abcdefghijklmnopqrstuvwxyz'[column]}{len(rows) - row}": {"d": "dominion", "s": "separatists"}[
                letter
            ]
            for row, line in enumerate(rows)
            for column, letter in enumerate(line)
            if letter != "-"
        }

    def step(self, slot: str, way: tuple[int, int]) -> str | None:
        there = f"{chr(ord(slot[0]) + way[0])}{int(slot[1:]) + way[1]}"
        return there if there in self.half else None

    def round(self, slot: str) -> set[str]:
        return {there for way in WAYS["any"] if (there := self.step(slot, way))}

    def side(self, words: Words, slot: str) -> str | None:
        kind = words["pieces"].get(slot)
        return self.kinds[kind]["side"] if kind else None

    def homes(self, words: Words, side: str) -> set[str]:
        return self.round(words["bases"][side]) - set(words["bases"].values())

    def counted(self, words: Words, side: str) -> set[str]:
        shared = set() if self.options.get("shared_home_counts", True) else self.homes(words, OTHER[side])
        return self.homes(words, side) - shared

    def gift(self, words: Words, slot: str) -> str | None:
        kind = words["pieces"].get(slot)
        return self.kinds[kind].get("special") if kind else None

    def may_take(self, words: Words, src: str, dst: str) -> bool:
        mine, theirs = self.side(words, src), self.side(words, dst)
        prey = self.kinds[words["pieces"][dst]]
        near = self.round(dst)
        friends = {at for at in near if self.side(words, at) == theirs}
        protected = prey.get("preferred") == words["terrain"][dst] or any(
            self.gift(words, at) == "shelters" for at in friends
        )
        helped = any(self.side(words, at) == mine for at in near - {src})
        alone = self.gift(words, src) == "counts_double" and not (
            self.options.get("swordsman_only_isolated") and friends
        )
        return not protected or helped or alone

    def slides(self, words: Words, src: str) -> Iterator[str]:
        kind = self.kinds[words["pieces"][src]]
        for way in WAYS.get(kind.get("course"), []):
            at, passed, far = src, 0, 0
            while (there := self.step(at, way)) is not None:
                at, far = there, far + 1
                terrain = words["terrain"].get(at)  # None on a base
                if terrain is None or terrain == kind.get("restricted") or far > (kind.get("range") or 99):
                    break
                if self.side(words, at) == kind["side"]:
                    break
                if self.side(words, at):
                    if self.may_take(words, src, at):
                        yield at
                    passed += 1
                    if (
                        kind.get("special") != "passes_enemy"
                        or passed > 1
                        or terrain == kind.get("difficult")
                    ):
                        break
                    continue
                yield at
                if terrain == kind.get("difficult"):
                    break

    def entries(self, words: Words, letters: str) -> Iterator[str]:
        kind = self.kinds[letters]
        home = self.homes(words, kind["side"])
        for slot, terrain in words["terrain"].items():
            if slot in words["pieces"] or terrain == kind.get("restricted"):
                continue
            if kind.get("type") == "fortification":
                if terrain == kind["preferred"] and slot not in home:
                    yield slot
            elif (
                slot in home
                or (kind.get("special") == "comes_from_forest" and terrain == "forest")
                or (
                    kind.get("special") == "joins_kind"
                    and any(words["pieces"].get(at) == letters for at in self.round(slot))
                )
            ):
                yield slot

    def actions(self, words: Words) -> set[tuple[str, ...]]:
        """Return all actions of the side to move as (what, source or kind, target)."""
        me = words["on_turn"]
        found: set[tuple[str, ...]] = set()
        if words["phase"] == "return":
            lost = words["captures"][OTHER[me]]
            return {
                ("return_infantry", letters)
                for letters in lost
                if self.kinds[letters].get("type", "infantry") == "infantry"
            }
        if words["phase"] != "play":
            return found
        for src in words["pieces"]:
            if self.side(words, src) == me:
                near = set(self.slides(words, src))
                found |= {("move", src, dst) for dst in near}
                enemies = {at for at in words["pieces"] if self.side(words, at) == OTHER[me]}
                if self.gift(words, src) == "leaps_to_hills":
                    hills = {at for at, terrain in words["terrain"].items() if terrain == "hills"} - near
                    hills -= {at for at in words["pieces"] if self.side(words, at) == me}
                    found |= {
                        ("leap", src, at)
                        for at in hills
                        if at not in enemies or self.may_take(words, src, at)
                    }
                if self.gift(words, src) == "shoots":
                    found |= {
                        ("shoot", src, at)
                        for at in self.round(src) & enemies
                        if self.may_take(words, src, at)
                    }
        for letters in words["reserve"][me]:
            found |= {("summon", letters, at) for at in self.entries(words, letters)}
        return found or {("pass",)}

    def play(self, words: Words, action: tuple[str, ...]) -> Words:
        """Return the position after `action` in words: pieces, reserve, captures, phase, side to move."""
        after: Words = deepcopy(words)
        me = words["on_turn"]
        what = action[0]
        before = {at for at in self.counted(words, OTHER[me]) if self.side(words, at) == me}
        prey = None
        if what in ("move", "leap", "shoot"):
            prey = after["pieces"].pop(action[2], None)
            if what != "shoot":
                after["pieces"][action[2]] = after["pieces"].pop(action[1])
            if prey:
                self.add(after["captures"][me], prey, 1)
        elif what == "summon":
            self.add(after["reserve"][me], action[1], -1)
            after["pieces"][action[2]] = action[1]
        elif what == "return_infantry":
            self.add(after["captures"][OTHER[me]], action[1], -1)
            self.add(after["reserve"][me], action[1], 1)
        held = {at for at in self.counted(words, OTHER[me]) if self.side(after, at) == me}
        won = len(held) > len(before) and len(held) > 1
        won = won and (
            what in ("move", "leap") or (what == "summon" and bool(self.options.get("summon_destroys")))
        )
        after["won"] = won or words.get("won", False)
        if what in ("move", "leap") and prey and self.gift(words, action[1]) == "returns_infantry":
            infantry = [
                one
                for one in after["captures"][OTHER[me]]
                if self.kinds[one].get("type", "infantry") == "infantry"
            ]
            if infantry and self.kinds[prey].get("type", "infantry") == "infantry":
                return after | {"phase": "return"}
        if after["won"]:
            for letters, count in after["reserve"][OTHER[me]].items():
                self.add(after["captures"][me], letters, count)
            after["reserve"][OTHER[me]] = {}
            self.add(after["captures"][me], "base", 1)
            return after | {"phase": "over", "on_turn": OTHER[me]}
        return after | {"phase": "play", "on_turn": OTHER[me]}

    @staticmethod
    def add(counts: dict[str, int], letters: str, count: int) -> None:
        counts[letters] = counts.get(letters, 0) + count
        if not counts[letters]:
            del counts[letters]

    def perft(self, words: Words, depth: int) -> int:
        """Return the number of sequences of `depth` actions from this position."""
        actions = self.actions(words) if words["phase"] in ("play", "return") else set()
        if depth <= 1:
            return len(actions)
        return sum(self.perft(self.play(words, action), depth - 1) for action in actions)

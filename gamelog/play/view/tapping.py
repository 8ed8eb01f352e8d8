"""Taps: what a person touches to enter an event, from `Game.taps` or from the event's members."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import NODEFAULT, Struct, structs, to_builtins

from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.scene import Piece, Scene
from gamelog.record.envelope import STAMP_MEMBERS, Event

_END_MEMBERS = ("dst", "at", "path")
"""Members that contain the end of an event. Without them, the last member is the end."""


class Tapping:
    """Taps of the possible decisions in `state`, as far as the person who taps may know them.

    `scene` shows the board.

    A tap is the id of a cell, the name of a zone, the id of a piece, a seat, or a word. The last tap is the
    event's end: if only one event has it, this tap alone selects the event. The other taps only begin an
    event, and their order does not matter. Events of one type with the same taps look the same to people.
    """

    def __init__(self, game: AnyGame, state: Any, scene: Scene, seats: Sequence[str]) -> None:
        """Index the cells, zones and pieces of a scene.

        Args:
            game: The game.
            state: The state of the position, as far as the person who taps may know it.
            scene: The scene of this state.
            seats: The seats of the game.
        """
        self._game, self._state = game, state
        self.seats = frozenset(seats)
        self.cells = {cell.id: cell for cell in scene.ground.cells}
        self.zones: dict[str, list[str]] = {}
        for cell in scene.ground.cells:
            if cell.zone:
                self.zones.setdefault(cell.zone, []).append(cell.id)
        self.pieces: dict[str, list[Piece]] = {}
        self.pieces_by_owner: dict[tuple[str | None, str], list[Piece]] = {}
        for piece in scene.pieces:
            if piece.id:
                self.pieces.setdefault(piece.id, []).append(piece)
            if piece.text and not piece.hidden and piece.kind != "tile":
                self.pieces_by_owner.setdefault((piece.seat, piece.text), []).append(piece)
        self._sets: dict[tuple[type[Event], str], bool] = {}

    def taps_of(self, event: Event) -> tuple[str, ...]:
        """Return the taps of `event`, each once."""
        if self._game.taps is not None:
            return self._game.taps(self._state, event)
        members = {name: value for name, value in given_members(event) if name not in STAMP_MEMBERS}
        end = next((name for name in _END_MEMBERS if name in members), None) or next(reversed(members), None)
        ordered = sorted(members, key=lambda name: name == end)
        return tuple(
            dict.fromkeys(tap for name in ordered for tap in self._taps_of_member(event, name, members[name]))
        )

    def places_member(self, event: Event) -> str:
        """Return the only member of `event` that is a set of several cells, or an empty text."""
        sets = [
            name
            for name, value in given_members(event)
            if isinstance(value, tuple) and len(value) > 1 and self.cells.keys() >= set(value)
        ]
        return sets[0] if len(sets) == 1 and self._is_set(event, sets[0]) else ""

    def cells_among(self, taps: Iterable[str]) -> set[str]:
        """Return the cells of all `taps` that are cells or pieces with an id."""
        cells = {tap for tap in taps if tap in self.cells}
        return cells | {
            piece.at for tap in taps if tap not in self.cells for piece in self.pieces.get(tap, ())
        }

    def _taps_of_member(self, event: Event, name: str, value: Any) -> Iterator[str]:
        if isinstance(value, tuple):
            for part in value if self._is_set(event, name) else value[-1:]:
                yield self._tap_of_value(event, name, part)
        elif isinstance(value, Mapping):
            for key, part in value.items():
                yield from (key, part) if key in self.cells and part in self.cells else (f"{key} {part}",)
        else:
            yield self._tap_of_value(event, name, value)

    def _tap_of_value(self, event: Event, name: str, value: Any) -> str:
        """Return the tap for one `value` of the member `name`, in words if it is not on the board.

        The member's name comes first if the value alone does not identify the thing to tap. Counts of things
        begin with the player, as in ``red gives 1 blue``.
        """
        if isinstance(value, Struct):
            counts = ", ".join(f"{count} {kind}" for kind, count in to_builtins(value).items() if count)
            return f"{event.by} {name} {counts or 'nothing'}"
        text = str(value)
        if text in self.cells or text in self.pieces:
            return text
        if f"{name} {text}" in self.zones:
            return f"{name} {text}"
        texts = [
            string
            for other, string in given_members(event)
            if other not in STAMP_MEMBERS and isinstance(string, str)
        ]
        similar = [
            string
            for string in texts
            if string not in self.cells
            and string not in self.pieces
            and (string in self.seats) == (text in self.seats)
        ]
        is_only_one = isinstance(value, str) and len(similar) == 1
        return text if is_only_one else f"{name} {text}"

    def _is_set(self, event: Event, name: str) -> bool:
        """Return whether the tuple `name` is unordered by the rules, and so not a path.

        One event per type is tested.
        """
        value, key = getattr(event, name), (type(event), name)
        if key not in self._sets and value != value[::-1]:
            turned = structs.replace(event, **{name: value[::-1]})
            self._sets[key] = bool(self._game.canonical(turned) == self._game.canonical(event))
        return self._sets.get(key, False)


def is_other_path(event: Event, other: Event) -> bool:
    """Return whether two events differ only in paths between the same ends."""
    differing = [
        name
        for name in event.__struct_fields__
        if name not in ("n", "t", "id") and getattr(event, name) != getattr(other, name)
    ]
    pairs = [(getattr(event, name), getattr(other, name)) for name in differing]
    return all(isinstance(a, tuple) and isinstance(b, tuple) and a[-1:] == b[-1:] for a, b in pairs)


def given_members(event: Event) -> Iterator[tuple[str, Any]]:
    """Yield the members of `event` that are not at their default, by their encoded names."""
    for field in _own_fields(type(event)):
        value = getattr(event, field.name)
        if field.default is NODEFAULT or value != field.default:
            yield field.encode_name, value


@cache
def _own_fields(kind: type[Event]) -> tuple[structs.FieldInfo, ...]:
    return structs.fields(kind)

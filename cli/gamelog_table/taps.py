"""What a person touches to say an event: each legal event as tokens, derived from its members and the picture, for any game.

A token is a cell, a zone, a piece, a seat or a word. Members at their default say nothing; of a way only its end is touched;
what has no order by the rules is a set. Events of one type with equal tokens are the same to people, and the first that is
listed stands for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import NODEFAULT, Struct, structs, to_builtins

from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.scene import Scene
from gamelog.record.envelope import Event, tag_of

TARGETS = ("dst", "at", "path")
"""Members that say where something ends: who touches one means the event; who touches another has only begun."""

_STAMP = frozenset(("do", "n", "t", "by", "id", "as_played", "v"))


class Token(Struct, frozen=True, omit_defaults=True):
    """Something to touch: its ``id``, the ``cells`` on which it can be touched, what a button for it says.

    ``tray``: it lies with many others, so that a button is better than the place.
    """

    id: str
    text: str
    cells: tuple[str, ...] = ()
    tray: bool = False


class Choice(Struct, frozen=True, omit_defaults=True):
    """An event that may be decided: as people propose it, the ids of its tokens, and which of them end it or make up a set."""

    event: dict[str, Any]
    tokens: tuple[str, ...]
    targets: tuple[str, ...] = ()
    set: tuple[str, ...] = ()


class Taps:
    """The tokens of the events that are legal in one position, of which `scene` is the picture."""

    def __init__(self, game: AnyGame, scene: Scene, seats: Sequence[str]) -> None:
        self._game, self._seats = game, frozenset(seats)
        self._cells = {cell.id: cell for cell in scene.ground.cells}
        self._zones: dict[str, list[str]] = {}
        for cell in scene.ground.cells:
            if cell.zone:
                self._zones.setdefault(cell.zone, []).append(cell.id)
        self._labelled = {cell.label: cell.zone for cell in scene.ground.cells if cell.zone and cell.label}
        self._standing: dict[tuple[str | None, str], list[str]] = {}
        for piece in scene.pieces:
            if piece.text and not piece.hidden and piece.kind != "tile":
                self._standing.setdefault((piece.seat, piece.text), []).append(piece.at)
        self.tokens: dict[str, Token] = {}

    def choices(self, events: Iterable[Event]) -> list[Choice]:
        """Each different event, in the order of the list."""
        events = list(events)
        orderless = self._orderless(events)
        found: dict[tuple[str, tuple[str, ...]], Choice] = {}
        for event in events:
            choice = self._choice(event, orderless)
            found.setdefault((tag_of(type(event)), tuple(sorted(choice.tokens))), choice)
        return list(found.values())

    def _orderless(self, events: Iterable[Event]) -> set[tuple[type[Event], str]]:
        """The members that are sets: turned round they are the same play. One event of a type says it for all."""
        found: dict[tuple[type[Event], str], bool] = {}
        for event in events:
            for name in _tuples(type(event)):
                value = getattr(event, name)
                if (type(event), name) in found or not isinstance(value, tuple) or value == value[::-1]:
                    continue
                turned = structs.replace(event, **{name: value[::-1]})
                found[type(event), name] = bool(self._game.canonical(turned) == self._game.canonical(event))
        return {member for member, is_set in found.items() if is_set}

    def _choice(self, event: Event, orderless: set[tuple[type[Event], str]]) -> Choice:
        members = {name: value for name, value in _said(event) if name not in _STAMP}
        end = next((name for name in TARGETS if name in members), None) or next(reversed(members), None)
        tokens: list[str] = []
        targets: list[str] = []
        several: list[str] = []
        for name, value in members.items():
            own = [token.id for token in self._tokens(event, name, value, set_of=(type(event), name) in orderless)]
            tokens += own
            if name == end:
                targets += own
            if isinstance(value, tuple | Mapping) and len(own) > 1:
                several += own
        plain = {name: value for name, value in to_builtins(event).items() if name not in ("n", "t")}
        return Choice(plain, tuple(dict.fromkeys(tokens)), tuple(targets), tuple(several))

    def _tokens(self, event: Event, name: str, value: Any, *, set_of: bool) -> Iterator[Token]:
        if isinstance(value, tuple):
            for part in value if set_of else value[-1:]:
                yield self._token(event, name, part)
        elif isinstance(value, Mapping):
            for key, part in value.items():
                if key in self._cells and part in self._cells:
                    yield from (self._token(event, name, key), self._token(event, name, part))
                else:
                    yield self._kept(Token(f"{name}:{key}={part}", f"{key} {part}"))
        else:
            yield self._token(event, name, value)

    def _token(self, event: Event, name: str, value: Any) -> Token:
        text = str(value)
        named = [one for other, one in _said(event) if other not in (name, "by") and isinstance(one, str)]
        whose = next((one for one in named if one in self._seats), event.by)
        if text in self._cells:
            cell = self._cells[text]
            return self._kept(Token(f"cell:{text}", cell.label or text, (text,), cell.shape == "tray"))
        zone = f"{name} {text}" if f"{name} {text}" in self._zones else self._labelled.get(text, "")
        if zone and isinstance(value, str | int):
            return self._kept(Token(f"zone:{zone}", zone, tuple(self._zones[zone])))
        places = self._standing.get((whose, text)) or self._standing.get((event.by, text))
        if places:
            open_ground = tuple(dict.fromkeys(at for at in places if self._cells[at].shape != "tray"))
            id = f"piece:{whose} {text}" if whose in self._seats else f"piece:{text}"
            return self._kept(Token(id, text, open_ground or (places[0],), not open_ground))
        if text in self._seats:
            return self._kept(Token(f"seat:{text}", text))
        return self._kept(Token(f"{name}:{text}", text if isinstance(value, str) else f"{name} {_plain(value)}"))

    def _kept(self, token: Token) -> Token:
        return self.tokens.setdefault(token.id, token)


@cache
def _tuples(kind: type[Event]) -> tuple[str, ...]:
    """The members of an event that may hold several values."""
    return tuple(field.name for field in structs.fields(kind) if "tuple" in str(field.type))


def _plain(value: Any) -> str:
    """A value of a kind that has no place, in words."""
    if isinstance(value, Struct):
        counted = {name: count for name, count in to_builtins(value).items() if count}
        return " ".join(f"{count} {name}" for name, count in counted.items())
    return str(value)


def _said(event: Event) -> Iterator[tuple[str, Any]]:
    """The members of `event` that are not at their default, by the names in which they are written."""
    for field in structs.fields(event):
        value = getattr(event, field.name)
        default: Callable[[], Any] | Any = field.default
        if default is NODEFAULT or value != default:
            yield field.encode_name, value

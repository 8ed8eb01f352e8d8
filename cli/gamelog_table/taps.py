"""What may be decided, as it is tapped: each legal event with its tokens.

A token is a cell, a zone, a piece, a seat or a word. Events of one type with the same tokens are the same to
people, and the first that is listed stands for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, structs, to_builtins

from gamelog.play.contract.scene import Piece
from gamelog.play.contract.tapping import Tapping
from gamelog.record.envelope import Event, tag_of


class Token(Struct, frozen=True, omit_defaults=True):
    """Something to touch: its ``id``, the ``cells`` on which it can be touched, what a button for it says.

    ``tray``: it lies with many others, so that a button is better than the place. ``seat``: whose piece
    lies there.
    """

    id: str
    text: str
    cells: tuple[str, ...] = ()
    tray: bool = False
    seat: str = ""


class Choice(Struct, frozen=True, omit_defaults=True):
    """An event that may be decided: as people propose it, the ids of its tokens, which of them end it or make
    up a set.

    ``times``: how often it may be said one time after the other. ``first``: what has to be written before it.
    """

    event: dict[str, Any]
    tokens: tuple[str, ...]
    targets: tuple[str, ...] = ()
    set: tuple[str, ...] = ()
    times: int = 1
    first: tuple[dict[str, Any], ...] = ()


class Taps:
    """The tokens of the events that are legal in one position;
    ``events`` are those that stand for all of their tokens.
    """

    def __init__(self, tapping: Tapping) -> None:
        self._tapping = tapping
        self.tokens: dict[str, Token] = {}
        self.events: list[Event] = []
        self._seen: set[tuple[str, frozenset[str]]] = set()

    def choices(self, events: Iterable[Event], first: tuple[dict[str, Any], ...] = ()) -> list[Choice]:
        """Each event that is not like one before it, in the order of the list;
        `first` has to be written before them.
        """
        found: list[Choice] = []
        for event in events:
            taps = self._tapping.of(event)
            key = tag_of(type(event)), frozenset(taps)
            if key not in self._seen:
                self._seen.add(key)
                self.events.append(event)
                found.append(structs.replace(self._choice(event, taps), first=first))
        return found

    def known(self, taps: Iterable[str]) -> list[str]:
        """The ids of those tokens of the choices that are among `taps`."""
        return [id for id in self.tokens if id.partition(":")[2] in taps]

    def _choice(self, event: Event, taps: tuple[str, ...]) -> Choice:
        parts = set(_parts(event))
        several = [tap for tap in taps if tap in parts]
        ends = several if taps[-1:] == tuple(several[-1:]) else taps[-1:]
        tokens = {tap: self._token(event, tap).id for tap in taps}
        plain = {name: value for name, value in to_builtins(event).items() if name not in ("n", "t")}
        together = tuple(tokens[tap] for tap in several) if len(several) > 1 else ()
        return Choice(plain, tuple(tokens.values()), tuple(tokens[tap] for tap in ends), together)

    def _token(self, event: Event, tap: str) -> Token:
        known = self._tapping
        if tap in known.cells:
            cell = known.cells[tap]
            return self._kept(Token(f"cell:{tap}", cell.label or tap, (tap,), cell.shape == "tray"))
        if tap in known.zones:
            return self._kept(Token(f"zone:{tap}", tap, tuple(known.zones[tap])))
        if tap in known.pieces:
            return self._kept(
                self._lying(f"piece:{tap}", known.pieces[tap][0].text or tap, known.pieces[tap])
            )
        if (event.by, tap) in known.standing:
            return self._kept(self._lying(f"piece:{tap}", tap, known.standing[event.by, tap]))
        return self._kept(Token(f"{'seat' if tap in known.seats else 'word'}:{tap}", tap))

    def _lying(self, id: str, text: str, pieces: list[Piece]) -> Token:
        """A token that is touched where `pieces` lie: on open ground, if any of them does."""
        places = dict.fromkeys(piece.at for piece in pieces)
        open_ground = tuple(at for at in places if self._tapping.cells[at].shape != "tray")
        whose = {piece.seat for piece in pieces}
        seat = (whose.pop() or "") if len(whose) == 1 and not open_ground else ""
        return Token(id, text, open_ground or (next(iter(places)),), not open_ground, seat)

    def _kept(self, token: Token) -> Token:
        return self.tokens.setdefault(token.id, token)


def _parts(event: Event) -> Iterable[str]:
    """What the members of `event` that hold several values have in them."""
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if isinstance(value, tuple):
            yield from map(str, value)
        elif isinstance(value, Mapping):
            for key, part in value.items():
                yield from (str(key), str(part), f"{key} {part}")

"""Decisions as people tap or drag them: each legal event with its tokens.

A token is a cell, a zone, a piece, a seat or a word. Events of one type with the same tokens look the same
to people, so only the first event in the list is offered. Everything is computed in the position as a viewer
knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, structs, to_builtins

from gamelog.errors import CannotApply
from gamelog.message import with_names
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.scene import Piece
from gamelog.play.contract.seats import legal_for
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.common_events import COMMON
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.tapping import Tapping, is_other_path
from gamelog.record.envelope import TABLE, Event, as_proposal, tag_of

_MAX_REPEATED = 200
"""Maximum number of decisions in a list for which repetitions are computed."""

_MAX_CELLS, _MAX_TRIED, _MAX_AT_ONCE = 64, 200, 9
"""Maximum numbers of cells in one drag, of events that are tried for it, and of repetitions of an event."""


class Token(Struct, frozen=True, omit_defaults=True):
    """A thing to tap.

    Attributes:
        text: Text of a button for it.
        cells: Cells on which it can be tapped.
        tray: Whether it is among many others, so that a button is better than the cell.
        seat: Owner of the piece.
    """

    id: str
    text: str
    cells: tuple[str, ...] = ()
    tray: bool = False
    seat: str = ""


class TappedChoice(Struct, frozen=True, omit_defaults=True):
    """A possible decision.

    Attributes:
        event: The proposed event as plain data.
        tokens: Tokens that a person taps to enter it.
        targets: Tokens that end it.
        set: Tokens that can be tapped in any order.
        times: Number of times that the event can be repeated.
        first: Events that have to be recorded before it.
        member: Member of the event for the places, if a person chooses `count` of all `tokens`; empty if
            `tokens` are the tokens of this event.
        count: Number of places that the person chooses.
    """

    event: dict[str, Any]
    tokens: tuple[str, ...]
    targets: tuple[str, ...] = ()
    set: tuple[str, ...] = ()
    times: int = 1
    first: tuple[dict[str, Any], ...] = ()
    member: str = ""
    count: int = 0


class Taps:
    """The tokens of the legal events in one position. ``events`` has one event for each set of tokens."""

    def __init__(self, tapping: Tapping) -> None:
        self._tapping = tapping
        self.tokens: dict[str, Token] = {}
        self.events: list[Event] = []
        self._seen: set[tuple[str, frozenset[str]]] = set()

    def choices(self, events: Iterable[Event], first: tuple[dict[str, Any], ...] = ()) -> list[TappedChoice]:
        """Return a choice for each event with new tokens. `first` has to be recorded before them."""
        choices: list[TappedChoice] = []
        for event in events:
            taps = self._tapping.taps_of(event)
            key = tag_of(type(event)), frozenset(taps)
            if key not in self._seen:
                self._seen.add(key)
                self.events.append(event)
                choices.append(structs.replace(self._choice(event, taps), first=first))
        return choices

    def places_choice(
        self, view: RecordView, legal: Sequence[Event], *, is_complete: bool
    ) -> TappedChoice | None:
        """Return one choice for all `legal` events if they differ only in the set of their places.

        Then a person chooses each place by itself, also if there are too many sets for a list. The rules
        can forbid a set of places that are each possible.

        Args:
            view: The record.
            legal: The legal events, or examples of them.
            is_complete: Whether `legal` contains every possible place.
        """
        example = legal[0] if legal else None
        name = example and self._tapping.places_member(example)
        if example is None or not name or (is_complete and len(legal) == 1):
            return None
        places = getattr(example, name)
        others = [structs.replace(event, **{name: places}) for event in legal]
        if any(type(event) is not type(example) or event != example for event in others):
            return None
        if any(len(getattr(event, name)) != len(places) for event in legal):
            return None
        possible = {place for event in legal for place in getattr(event, name)}
        if not is_complete:
            possible |= {cell for cell in self._tapping.cells if self._fits(view, example, name, cell)}
        tokens = tuple(self._token(example, cell).id for cell in self._tapping.cells if cell in possible)
        return structs.replace(
            self._choice(example, places),
            tokens=tokens,
            targets=(),
            set=tokens,
            member=name,
            count=len(places),
        )

    def _fits(self, view: RecordView, example: Event, name: str, cell: str) -> bool:
        """Return whether `cell` can replace one of the places of the `example`.

        Args:
            view: The record.
            example: A legal event.
            name: The member with its places.
            cell: The cell.
        """
        places = getattr(example, name)
        replaced = ((*places[:at], cell, *places[at + 1 :]) for at in range(len(places)))
        state = view.current.state
        return cell not in places and any(
            view.game.check(state, structs.replace(example, **{name: new})) is None for new in replaced
        )

    def ids_among(self, taps: Iterable[str]) -> list[str]:
        """Return the ids of the tokens that are among `taps`."""
        return [id for id in self.tokens if id.partition(":")[2] in taps]

    def _choice(self, event: Event, taps: tuple[str, ...]) -> TappedChoice:
        parts = set(_parts(event))
        several = [tap for tap in taps if tap in parts]
        ends = several if taps[-1:] == tuple(several[-1:]) else taps[-1:]
        tokens = {tap: self._token(event, tap).id for tap in taps}
        plain = {name: value for name, value in to_builtins(event).items() if name not in ("n", "t")}
        together = tuple(tokens[tap] for tap in several) if len(several) > 1 else ()
        return TappedChoice(plain, tuple(tokens.values()), tuple(tokens[tap] for tap in ends), together)

    def _token(self, event: Event, tap: str) -> Token:
        """Return the token for a tap of `event`: a cell, a zone, a piece, a seat or a word."""
        known = self._tapping
        if tap in known.cells:
            cell = known.cells[tap]
            return self._intern(Token(f"cell:{tap}", cell.label or tap, (tap,), cell.shape == "tray"))
        if tap in known.zones:
            return self._intern(Token(f"zone:{tap}", tap, tuple(known.zones[tap])))
        if tap in known.pieces:
            return self._intern(
                self._piece_token(f"piece:{tap}", known.pieces[tap][0].text or tap, known.pieces[tap])
            )
        if (event.by, tap) in known.pieces_by_owner:
            return self._intern(self._piece_token(f"piece:{tap}", tap, known.pieces_by_owner[event.by, tap]))
        return self._intern(Token(f"{'seat' if tap in known.seats else 'word'}:{tap}", tap))

    def _piece_token(self, id: str, text: str, pieces: list[Piece]) -> Token:
        """Return a token that is tapped where `pieces` are: on open ground if possible."""
        places = dict.fromkeys(piece.at for piece in pieces)
        open_ground = tuple(cell for cell in places if self._tapping.cells[cell].shape != "tray")
        whose = {piece.seat for piece in pieces}
        seat = (whose.pop() or "") if len(whose) == 1 and not open_ground else ""
        return Token(id, text, open_ground or (next(iter(places)),), not open_ground, seat)

    def _intern(self, token: Token) -> Token:
        return self.tokens.setdefault(token.id, token)


def tapped_choices(view: RecordView, legal: Sequence[Event], *, is_complete: bool = True) -> dict[str, Any]:
    """Return the decisions `legal` at the end of `view` as they are tapped, and their tokens.

    `is_complete` says whether they are all decisions.
    """
    position, last = view.current, view.last_number
    taps = Taps(tapping_at(view, position.state))
    places = taps.places_choice(view, legal, is_complete=is_complete)
    listed = [places] if places else taps.choices(legal)
    if not places and len(listed) <= _MAX_REPEATED:
        listed = [
            structs.replace(choice, times=repetitions(view.game, position.state, event))
            for choice, event in zip(listed, taps.events, strict=True)
        ]
    for other, event in choices_after_other_paths(view):
        first = ({"do": "@takeback", "by": TABLE, "to": last - 1, "slip": True}, as_proposal(other))
        listed += taps.choices([event], first)
    return {"choices": listed, "tokens": taps.tokens, "kept": taps.ids_among(likely_taps(view))}


def tapping_at(view: RecordView, state: Any) -> Tapping:
    """Return the taps in `state` that the viewer of `view` can know."""
    game = view.game
    return Tapping(game, state, game.scene(state, view.viewer.seat), view.header.seat_ids)


def likely_taps(view: RecordView) -> tuple[str, ...]:
    """Return the taps of the last decision of the player to act: likeliest to move on, or be placed again."""
    event = view.last_decision()
    return () if event is None else tapping_at(view, view.position(event.n - 1).state).taps_of(event)


def repetitions(game: AnyGame, state: Any, event: Event) -> int:
    """Return the number of times that `event` can be repeated from `state` on."""
    for count in range(1, _MAX_AT_ONCE + 1):
        try:
            state = game.apply(state, event)
        except CannotApply:
            return count
        if game.pending(state).by != (event.by,) or game.check(state, event) is not None:
            return count
    return _MAX_AT_ONCE


def choices_after_other_paths(view: RecordView) -> Iterator[tuple[Event, Event]]:
    """Yield decisions that would be legal if the last event had taken another path, each with that event.

    This needs takebacks by the scorer, which take effect at once, and no other event since then.
    """
    last, header = view.whole_event(view.last_number) if view.last_number else None, view.header
    if last is None or view.viewer.seats or header.takebacks != "scorer":
        return
    if type(last) in COMMON or last.as_played:
        return
    game, before = view.game, view.position(last.n - 1).state
    if type(last) in game.chance_events or view.current.pending.by != (last.by,):
        return
    tapping = tapping_at(view, before)
    taps = frozenset(tapping.taps_of(last))
    others = [
        legal_event
        for legal_event in legal_for(game, before, last.by).events
        if type(legal_event) is type(last) and is_other_path(legal_event, last)
    ]
    for other in others[:_MAX_TRIED]:
        if frozenset(tapping.taps_of(other)) == taps:
            state = game.apply(before, structs.replace(other, n=last.n, t=last.t))
            if game.pending(state).by == (last.by,):
                yield from ((other, event) for event in legal_for(game, state, last.by).events)


class Drag:
    """A drag over the board, from cell to cell, in the last position of `view`."""

    def __init__(self, view: RecordView) -> None:
        self._view, self._game = view, view.game
        self._tried = 0
        self.violation: Violation | None = None

    def events(self, cells: Sequence[str]) -> list[Event]:
        """Return the events of a drag over `cells`: one path, or several steps.

        If there are none, `violation` may say why.
        """
        if not 1 < len(cells) <= _MAX_CELLS:
            return []
        return self._events_from(self._view.current.state, self._view.viewer.seats, tuple(cells)) or []

    def _events_from(self, state: Any, seats: tuple[str, ...], cells: tuple[str, ...]) -> list[Event] | None:
        """Return the events from `state` on, of `seats` or of the seats to act, or None without a meaning."""
        if len(cells) == 1:
            return []
        for seat in self._game.pending(state).by:
            for event in self._next_moves(state, seat, cells) if seat in (seats or (seat,)) else ():
                violation, self._tried = self._game.check(state, event), self._tried + 1
                if violation is not None or self._tried > _MAX_TRIED:
                    self.violation = self.violation or violation
                    continue
                path_member = _path_member(event, cells)
                rest = self._events_from(
                    self._game.apply(state, event),
                    (seat,),
                    cells[len(getattr(event, path_member)) if path_member else 1 :],
                )
                if rest is not None:
                    return [event, *rest]
        return None

    def _next_moves(self, state: Any, seat: str, cells: tuple[str, ...]) -> Iterator[Event]:
        """Yield possible events for the beginning of the drag: listed events with another path."""
        if seat == TABLE:
            return
        tapping = tapping_at(self._view, state)
        yielded: list[Event] = []
        for event in legal_for(self._game, state, seat).events:
            taps = tapping.taps_of(event)
            if not taps or tapping.cells_among(taps[:-1]) != {cells[0]}:
                continue
            path_member = _path_member(event, taps[-1:])
            if path_member is None and taps[-1] == cells[1]:
                yield event
            elif path_member is not None and len(getattr(event, path_member)) < len(cells):
                path = cells[1 : len(getattr(event, path_member)) + 1]
                walked = structs.replace(event, **{path_member: path})
                if walked not in yielded:
                    yielded.append(walked)
                    yield walked


def drag_events(view: RecordView, cells: list[str]) -> dict[str, Any]:
    """Return the events of a drag over `cells`, or the text of the rule that forbids it."""
    drag = Drag(view)
    events, violation = [as_proposal(event) for event in drag.events(cells)], drag.violation
    text = str(with_names(violation.message, view.name_of)) if violation and not events else ""
    return {"events": events, "text": text}


def _path_member(event: Event, ends: Sequence[str]) -> str | None:
    """Return the member that is a path to one of `ends`."""
    paths = (name for name in event.__struct_fields__ if isinstance(getattr(event, name), tuple))
    return next((name for name in paths if getattr(event, name) and getattr(event, name)[-1] in ends), None)


def _parts(event: Event) -> Iterable[str]:
    """Yield the values of the members of `event` that have several values."""
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if isinstance(value, tuple):
            yield from map(str, value)
        elif isinstance(value, Mapping):
            for key, part in value.items():
                yield from (str(key), str(part), f"{key} {part}")

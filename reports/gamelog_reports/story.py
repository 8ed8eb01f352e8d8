"""What a replay page tells, as plain data: the ground once, and by event what changed.

`tell` walks through the folded states and asks the game for scenes, effects and scores; nothing
of it is judged here. Everything that a page can work out for itself (sentences, sums of luck,
which lines a takeback undid) is left to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import structs

from gamelog.play import common
from gamelog.play.effects import Effect
from gamelog.play.fold import COMMON, Fold
from gamelog.play.game import Pending
from gamelog.play.narrate import ENGINE_PHRASES, tag_of
from gamelog.play.rulebook import rulebook
from gamelog.play.scene import Cell, Ground, Piece, Scene
from gamelog.play.verify import Replay
from gamelog.record.envelope import Event
from gamelog_reports.columns import Track, Writer
from gamelog_reports.look import looks
from gamelog_reports.privacy import UNSEEN, Privacy, header_body

_encode = msgspec.json.Encoder().encode


def tell(replayed: Replay, privacy: Privacy) -> dict[str, Any]:
    """Everything the page of `replayed` shows, as far as `privacy` lets it be seen."""
    record, fold = replayed.record, replayed.fold
    writer = Writer()
    story: dict[str, Any] = {"status": replayed.status, "played": fold.n if fold else 0}
    lines = privacy.lines(replayed)
    body = header_body(record) if privacy.open else None
    if lines is None or not writer.add("lines", lines):  # text that columns cannot hold: one character a byte
        story["raw"] = [body.decode("latin-1")[:-1] for body in record.bodies]
    story |= {"header": privacy.header(record)} if body is None else {"first": body, "head": record.head}
    story["findings"] = msgspec.to_builtins(privacy.findings(replayed))
    if fold is not None:
        story |= _play(fold, replayed.events, writer, privacy)
        cited = {finding.rule for finding in replayed.findings if finding.rule}
        rules = rulebook(fold.game)
        story["rules"] = {id_: rules[id_].text for id_ in sorted(cited) if id_ in rules}
    return story | writer.plain()


def _play(fold: Fold, events: Sequence[Event], writer: Writer, privacy: Privacy) -> dict[str, Any]:
    """The moving part: the ground, tracks and effects of every event."""
    game, seats = fold.game, fold.header.seat_ids
    phrases = {UNSEEN: "{@by} does something that cannot be seen from here.", **ENGINE_PHRASES, **game.phrases}
    ground = game.scene(fold.states[0], privacy.seat).ground
    painter = _Painter(ground, seats)
    effects: list[str] = []
    tags: set[str] = set()
    view = game.observe if privacy.seat else _everything
    pending: Any = None
    before: Any = None
    names = {seat.seat: privacy.name(seat.seat, seat.name) for seat in fold.header.seats}
    painter.names(names)
    for n, after in enumerate(fold.states):
        event = events[n - 1] if n else None
        if event is not None:
            seen = type(event) in COMMON or event.by == privacy.seat or privacy.shows(fold, n)
            found = _effects(fold, before, event, after) if seen else ()
            effects.append(_encode(found).decode())
            tags.add(tag_of(type(event)) if seen else UNSEEN)
            tags.update(tag_of(type(effect)) for effect in found)
        if after is not before or n == 0:
            painter.paint(game.scene(after, privacy.seat))
            painter.score(game.score(view(after, privacy.seat)))
            pending = game.pending(after)
        else:
            painter.still()
        if event is not None and type(event) in COMMON:
            _rename(names, event, privacy)
        painter.names(names)
        ended = fold.ends.get(n)
        painter.turn(Pending(outcome=ended) if ended else pending)
        before = after
    writer.add("cells", [_encode(_placed(cell, ground)).decode() for cell in ground.cells])
    writer.add("effects", effects)
    writer.add("links", [_encode(link).decode() for link in ground.links])
    tracks = painter.plain()
    writer.add("contents", [_encode(content).decode() for content in tracks["pieces"].pop("table")])
    return {
        "game": game.title,
        "seats": [{"seat": seat, **structs.asdict(look)} for seat, look in zip(seats, looks(seats), strict=True)],
        "remark": ground.remark,
        "templates": {tag: text for tag in sorted(tags) if (text := phrases.get(tag))},
        "jumps": sorted(fold.jumps.items()),
        "tracks": tracks,
    }


def _placed(cell: Cell, ground: Ground) -> dict[str, Any]:
    """A cell as plain data, its place in thousandths of a cell's width from the picture's left and upper edge."""
    left, top = min(other.x for other in ground.cells), min(other.y for other in ground.cells)
    plain: dict[str, Any] = msgspec.to_builtins(cell)
    return plain | {"x": round((cell.x - left) * 1000), "y": round((cell.y - top) * 1000)}


def _everything(state: Any, _seat: str | None) -> Any:
    return state


def _effects(fold: Fold, before: Any, event: Event, after: Any) -> tuple[Effect, ...]:
    """The consequences of the game's own events; common events have none of their own."""
    if type(event) in COMMON:
        return ()
    return fold.game.effects(before, event, after)


def _rename(names: dict[str, str], event: Event, privacy: Privacy) -> None:
    if isinstance(event, common.Substitute):
        names[event.seat] = privacy.name(event.seat, event.name)
    elif isinstance(event, common.Amend):
        for seat, person in event.seats.items():
            if person.name is not None:
                names[seat] = privacy.name(seat, person.name)


class _Painter:
    """Turns scenes, scores and turns into tracks. Every method is called once for each event, the start first."""

    def __init__(self, ground: Ground, seats: tuple[str, ...]) -> None:
        self._cells = {cell.id: at for at, cell in enumerate(ground.cells)}
        self._seats = {seat: at for at, seat in enumerate(seats)}
        self._captions: dict[tuple[str, str | None], int] = {}
        self._tracks = {name: Track() for name in ("pieces", "fills", "marks", "captions", "score", "turn", "names")}
        self._laid: dict[str, list[Piece]] = {}
        self._filled: dict[str, str] = {}
        self._marked: dict[int, tuple[tuple[str, str], ...]] = {}

    def paint(self, scene: Scene) -> None:
        """The position after an event."""
        cells, tracks = self._cells, self._tracks
        laid: dict[str, list[Piece]] = {}
        for piece in scene.pieces:
            laid.setdefault(piece.at, []).append(piece)
        old = self._laid
        changed = [at for at, pieces in laid.items() if old.get(at) != pieces]
        changed += [at for at in old if at not in laid]
        tracks["pieces"].step(sorted(self._content(at, laid.get(at, ())) for at in changed))
        self._laid = laid
        filled = dict(scene.fills)
        fills = [(cells[at], seat, self._seats.get(seat)) for at, seat in filled.items() if self._filled.get(at) != seat]
        fills += [(cells[at], "", None) for at in self._filled if at not in filled]
        tracks["fills"].step(sorted(fills))
        self._filled = filled
        marked: dict[int, tuple[tuple[str, str], ...]] = {}
        for mark in scene.marks:
            at = cells[mark.at]
            marked[at] = (*marked.get(at, ()), (mark.kind, mark.text))
        tracks["marks"].step((at, marked.get(at), marked.get(at)) for at in sorted({*marked, *self._marked}))
        self._marked = marked
        self._caption(scene)

    def _content(self, at: str, pieces: Iterable[Piece]) -> tuple[int, Any, Any]:
        key = tuple((piece.kind, piece.seat, piece.text, piece.hidden, piece.id) for piece in pieces)
        rows = [
            [kind, self._seats.get(seat, -1) if seat else -1, text, int(hidden), id_] for kind, seat, text, hidden, id_ in key
        ]
        return self._cells[at], repr(key), rows

    def _caption(self, scene: Scene) -> None:
        known = self._captions
        values: dict[int, str] = dict.fromkeys(known.values(), "")
        for caption in scene.captions:
            values[known.setdefault((caption.name, caption.seat), len(known))] = caption.value
        self._tracks["captions"].step((key, value, value) for key, value in sorted(values.items()))

    def still(self) -> None:
        """Nothing on the board has changed."""
        for name in ("pieces", "fills", "marks", "captions", "score"):
            self._tracks[name].step(())

    def score(self, score: dict[str, int]) -> None:
        """Points of each seat."""
        self._tracks["score"].step((self._seats[seat], points, points) for seat, points in score.items())

    def turn(self, pending: Pending) -> None:
        """Who may act, which chance is owed, or how the game ended."""
        if pending.outcome:
            value: Any = {"winners": list(pending.outcome.winners), "reason": pending.outcome.reason}
        elif pending.chance:
            value = {"chance": pending.chance.by}
        else:
            value = {"by": list(pending.by)}
        self._tracks["turn"].step([(0, repr(value), value)])

    def names(self, names: dict[str, str]) -> None:
        """Who sits where."""
        self._tracks["names"].step((self._seats[seat], name, name) for seat, name in names.items())

    def plain(self) -> dict[str, Any]:
        """All tracks, and what the keys of the captions mean."""
        captions = [[name, self._seats.get(seat, -1) if seat else -1] for name, seat in self._captions]
        return {**{name: track.plain() for name, track in self._tracks.items()}, "slots": captions}

"""Records that look alike to a seat, with an illegal event after them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.proposals import event_from
from gamelog.play.rendering.events import effects_of
from gamelog.play.visibility.events import visible_data, visible_in_fold
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.envelope import TABLE, Event, Header, as_proposal, tag_of
from tests.table.alike import folded, pairs


def varied_pairs(
    game: AnyGame, index: int, players: int | None = None, most: int = 40
) -> Iterator[tuple[str, Header, Iterator[tuple[list[Event], list[Event]]]]]:
    """Yield a seat, a header, and several pairs of records that look alike to the seat.

    The first pair ends with common events. Each other pair ends with an illegal event. It is marked as played, so
    that it counts, or it ends the play. There are at most `most` of each sort, and those come first that the
    rules forbid for other reasons in the other record.
    """
    ends = zip(pairs(game, index, players), pairs(game, index, players, common=False), strict=True)
    for (seat, header, *pair), (_, _, *bare) in ends:
        yield seat, header, _varied(game, seat, header, (pair[0], pair[1]), (bare[0], bare[1]), most)


def _varied(
    game: AnyGame,
    seat: str,
    header: Header,
    pair: tuple[list[Event], list[Event]],
    bare: tuple[list[Event], list[Event]],
    most: int,
) -> Iterator[tuple[list[Event], list[Event]]]:
    yield pair
    folds = folded(game, header, bare[0]), folded(game, header, bare[1])
    for as_played in (False, True):
        found = sorted(
            _illegal_events(seat, folds, as_played), key=lambda two: two[0].reason == two[1].reason
        )
        for one, other in found[:most]:
            yield [*bare[0], one.event], [*bare[1], other.event]


class _Illegal(NamedTuple):
    """An illegal event at the end of a record, and what is known of it: to the seat, and to the scorer."""

    event: Event
    shown: tuple[Any, ...]
    reason: str


def _illegal_events(
    seat: str, folds: tuple[Fold, Fold], as_played: bool
) -> Iterator[tuple[_Illegal, _Illegal]]:
    """Yield illegal events that look alike to `seat`, of each kind two with other reasons and two with the same."""
    tried = set[tuple[object, ...]]()
    played = [as_proposal(event) for fold in folds for event in fold.events if type(event) not in COMMON]
    given = {
        repr(one): one
        for event in played
        for by in (*folds[0].header.seat_ids, TABLE)
        for one in [event | {"by": by}]
    }
    some = [
        [one for event in given.values() if (one := _illegal(seat, fold, event, as_played))] for fold in folds
    ]
    alike: dict[tuple[Any, ...], list[_Illegal]] = {}
    for one in some[1]:
        alike.setdefault(one.shown, []).append(one)
    for one in some[0]:
        for other in alike.get(one.shown, []):
            kind = (type(one.event), one.event.by == seat, one.reason == other.reason)
            if kind not in tried:
                tried.add(kind)
                yield one, other


def _illegal(seat: str, fold: Fold, given: dict[str, Any], as_played: bool) -> _Illegal | None:
    """Return the event `given` after `fold` if the rules forbid it, else None."""
    event = event_from(fold, given | ({"as_played": True} if as_played else {}), fold.n + 1, fold.t)
    then = fold.copy()
    found = then.push(event)
    if found:
        shown = (tag_of(type(event)), _data(fold, event, seat), found.code, found.rule)
        return _Illegal(event, shown, found.text) if found.code == "play.illegal" else None
    violation = then.violations.get(event.n)
    if violation is None:
        return None
    known = fold.game.observe(then.state, seat), effects_of(then, event), event.n in then.unknown_effects
    shown = (tag_of(type(event)), _data(fold, event, seat), violation.rule, repr(known))
    return _Illegal(event, shown, str(violation.message))


def _data(fold: Fold, event: Event, seat: str) -> str:
    return repr(visible_data(event, visible_in_fold(fold, event, Viewer.of(seat))))

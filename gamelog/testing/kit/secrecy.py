"""Checks that nobody is told what they may not know, on positions that look alike to a seat.

A game is walked through together with another in which something was done that the seat cannot tell apart. As
long as it cannot, everything that it is told has to be the same in both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec
from msgspec import structs

from gamelog.chance.rng import Random, generator
from gamelog.errors import CannotApply
from gamelog.message import places
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.seats import legal_for
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.event_list import decoder
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.sentences import message_template
from gamelog.play.telling.visibility import UNSEEN, SeenEvent, seen_event, visible_tag
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.step import STEP_ENCODER
from gamelog.play.view.viewer import Viewer
from gamelog.record.envelope import TABLE, Event, tag_of
from gamelog.testing.kit.malformed_events import STAMP
from gamelog.testing.kit.random_games import Checks
from gamelog.testing.random_play import Play

TRIED_INSTEAD = 24
"""Events that are tried in place of one that a seat does not see whole."""

WALKED = 300
"""Events of a game that are walked through."""


class Secrecy(Checks):
    """`observe`, `seen`, and whatever is told of a position or an event.

    ``covered`` are the tags of events of which everybody sees more than the state shows afterwards: a card
    that is turned up and over again, one that leaves a hand and lies nowhere. Of all others, what tells two
    of them apart does so in the state, too.
    """

    covered: ClassVar[tuple[str, ...]] = ()

    def test_what_a_seat_may_do_follows_from_what_it_sees(self) -> None:
        for game, state in self.sample.states("follows"):
            for seat in game.header.seat_ids:
                seen = self.game.observe(state, seat)
                if seen is state or seen == state:
                    continue
                told = self.game.legal(state, seat)
                assert told == self.game.legal(seen, seat), (
                    f"legal lists for {seat} what hangs on what {seat} does not see"
                )
                if told.events:
                    chosen = [self.game.sample(one, seat, generator("follows")) for one in (state, seen)]
                    assert chosen[0] == chosen[1], f"sample chooses for {seat} by what {seat} does not see"

    def test_everybody_sees_what_they_decide_themselves(self) -> None:
        for _, state, event, _ in self.sample.steps("own"):
            if event.by != TABLE and not isinstance(event, self.game.chance_events):
                whole = seen_event(self.game, event, state, event.by) is event
                assert whole, f"{event.by} does not see what {event.by} has done: {event}"

    def test_what_is_seen_of_an_event_can_be_told(self) -> None:
        for game, at, event in self.sample.strange_events():
            for seat in game.header.seat_ids:
                seen_event(self.game, event, game.states[at], seat)
        for game, state, event, _ in self.sample.steps("told"):
            for seat in game.header.seat_ids:
                seen = seen_event(self.game, event, state, seat)
                told = visible_tag(self.game, event, seen)
                tag = tag_of(type(event))
                assert seen is None or told != UNSEEN, (
                    f"{seat} sees a part of {tag}, and no message {tag}? tells it"
                )
                if isinstance(seen, dict) and told != UNSEEN:
                    lost = [
                        place.name
                        for place in places(message_template(self.game, told))
                        if place.name not in seen
                    ]
                    assert not lost, (
                        f"the phrase for {told} asks for {lost[0]}, which seen leaves out for {seat}: {seen}"
                    )

    def test_what_looks_alike_is_told_alike(self) -> None:
        for found in self.sample.plays if self._hides() else ():
            for seat in found.header.seat_ids:
                for state, twin in look_alikes(self.game, found, seat, self.sample.kinds, self.covered):
                    self._told_alike(state, twin, seat, generator("alike", found.header.id, seat))
                    self._retired_alike(state, twin, seat)

    def test_records_that_look_alike_have_the_same_steps(self) -> None:
        for found in self.sample.plays if self._hides() else ():
            for seat in found.header.seat_ids:
                for pair in look_alike_records(self.game, found, seat, self.sample.kinds, self.covered):
                    steps = [_steps(self.game, found, events, seat) for events in pair]
                    for one, other in zip(*steps, strict=True):
                        assert one == other, f"{seat} is shown what {seat} cannot know: {one}, or {other}"

    def _hides(self) -> bool:
        """Whether anything is hidden from anybody in the states and events that are looked at."""
        return any(
            self.game.observe(state, seat) != state or seen_event(self.game, event, state, seat) is not event
            for game, state, event, _ in self.sample.steps("hides")
            for seat in game.header.seat_ids
        )

    def _retired_alike(self, state: Any, twin: Any, seat: str) -> None:
        """Raise AssertionError if `retire` tells apart states that are alike to `seat`."""
        if self.game.retire is not None:
            refused, or_so = (self.game.retire(one, seat) for one in (state, twin))
            if isinstance(refused, Violation) or isinstance(or_so, Violation):
                assert refused == or_so, f"retire tells {seat} what {seat} cannot know: {refused}, or {or_so}"

    def _told_alike(self, state: Any, twin: Any, seat: str, rng: Random) -> None:
        """Raise AssertionError where `seat` is told different things in states alike to it."""
        for kind in self.sample.kinds.values():
            event = rng.choice(kind)
            seen, other = (seen_event(self.game, event, one, seat) for one in (state, twin))
            assert seen == other, f"seen tells {seat} of {event} what {seat} cannot know: {seen}, or {other}"
            mine = structs.replace(event, by=seat)
            refused, or_so = (self.game.check(one, mine) for one in (state, twin))
            assert not (refused and or_so) or refused == or_so, (
                f"check tells {seat} why {mine} is refused, and by that what {seat} cannot know: "
                f"{refused}, or {or_so}"
            )


def look_alikes(
    game: AnyGame, found: Play, seat: str, kinds: dict[str, list[Event]], covered: tuple[str, ...] = ()
) -> Iterator[tuple[Any, Any]]:
    """The states of a game, each with another that looks alike to `seat`, where the search has found one.

    Raises AssertionError where on the way `seat` is told of a difference that it does not see, by a whole
    event too if its tag is not one of `covered`, or sees one that nobody has told.
    """
    rng, twin = generator("twins", found.header.id, seat), found.states[0]
    for state, event, after in list(found.steps())[:WALKED]:
        if twin is not state and twin != state:
            yield state, twin
        _, twin = _followed(game, (state, event, after), twin, seat, rng, kinds, covered)


def look_alike_records(
    game: AnyGame, found: Play, seat: str, kinds: dict[str, list[Event]], covered: tuple[str, ...] = ()
) -> Iterator[tuple[list[Event], list[Event]]]:
    """Yield beginnings of a game, each with the events of another record that looks alike to `seat`.

    Raises what `look_alikes` raises.
    """
    if found.lead:
        return
    rng, twin, line = generator("twins", found.header.id, seat), found.states[0], list[Event]()
    for n, step in enumerate(list(found.steps())[:WALKED]):
        event, twin = _followed(game, step, twin, seat, rng, kinds, covered)
        if twin is not step[2]:
            line.append(event)
            continue
        if line != found.events[:n]:
            yield found.events[:n], line
        line = found.events[: n + 1]
    if line != found.events[: len(line)]:
        yield found.events[: len(line)], line


def _steps(game: AnyGame, found: Play, events: list[Event], seat: str) -> list[bytes]:
    """Return the steps of `events` as `seat` may see them."""
    fold = Fold(found.header, game)
    failure = fold.extend(events)
    assert failure is None, f"{game.id}: events that were legal do not fold: {failure}"
    return [STEP_ENCODER.encode(step) for step in RecordView(fold, Viewer((seat,))).steps()]


def _followed(
    game: AnyGame,
    step: tuple[Any, Event, Any],
    twin: Any,
    seat: str,
    rng: Random,
    kinds: dict[str, list[Event]],
    covered: tuple[str, ...],
) -> tuple[Event, Any]:
    """Return an event and the state into which it takes `twin`, alike to the state before this step.

    They are the event and the state of the step itself if no other state looks like the one after it.
    """
    state, event, after = step
    seen = seen_event(game, event, state, seat)
    told = game.effects(state, event, after)
    known = game.observe(after, seat)
    for other in _others(game, event, twin, rng, kinds):
        apart = seen is event or seen_event(game, other, twin, seat) != seen
        if apart and (
            twin != state or type(other) is not type(event) or other.by != event.by or event.by == seat
        ):
            continue
        changed = _after(game, twin, other)
        if changed is None or changed == after:
            continue
        alike = game.observe(changed, seat) == known
        if apart:
            assert not alike or tag_of(type(event)) in covered, (
                f"seen tells {seat} {event} from {other}, and observe does not, after which the state "
                "looks the same: leave out "
                "of what is seen what tells them apart, show it in the state, or name the tag in covered"
            )
            continue
        same = visible_tag(game, event, seen) == UNSEEN or game.effects(twin, other, changed) == told
        assert alike or not same, (
            f"observe tells {seat} more than seen does: after {event} it is not the same as after {other}"
        )
        assert same or not alike, (
            f"effects tell {seat} what {seat} does not see: after {event} they are not the same as after "
            f"{other}"
        )
        if alike:
            return other, changed
    return event, _with_the_same(game, step, twin, seat, told, known)


def _with_the_same(
    game: AnyGame, step: tuple[Any, Event, Any], twin: Any, seat: str, told: Any, known: Any
) -> Any:
    """What the very same event makes of `twin`, where that still looks alike."""
    state, event, after = step
    changed = None if twin is state else _after(game, twin, event)
    if changed is None or game.observe(changed, seat) != known:
        return after
    told_of: SeenEvent = seen_event(game, event, state, seat)
    assert visible_tag(game, event, told_of) == UNSEEN or game.effects(twin, event, changed) == told, (
        f"effects tell {seat} what {seat} does not see: of {event}, {told}, or "
        f"{game.effects(twin, event, changed)}"
    )
    return changed


def _after(game: AnyGame, state: Any, event: Event) -> Any:
    """What a legal `event` makes of `state`; None for another."""
    try:
        return None if game.check(state, event) else game.apply(state, event)
    except CannotApply:
        return None


def _others(
    game: AnyGame, event: Event, state: Any, rng: Random, kinds: dict[str, list[Event]]
) -> Iterator[Event]:
    """Events that might stand in the place of `event`: others that are legal, and itself changed."""
    if not isinstance(event, game.chance_events) and event.by in game.pending(state).by:
        listed = legal_for(game, state, event.by).events
        for other in rng.sample(listed, min(TRIED_INSTEAD // 2, len(listed))):
            yield structs.replace(other, n=event.n, t=event.t)
    like = [msgspec.to_builtins(one) for one in kinds.get(tag_of(type(event)), ())]
    for _ in range(TRIED_INSTEAD if like else 0):
        members = msgspec.json.decode(msgspec.json.encode(event))
        leaves, given = list(_leaves(members)), list(_leaves(rng.choice(like)))
        if not leaves or not given:
            return
        (holder, at), (source, place) = rng.choice(leaves), rng.choice([*given, *leaves])
        holder[at], source[place] = source[place], holder[at]
        try:
            other = decoder(game).decode(msgspec.json.encode({"n": 1, **members}))
        except msgspec.ValidationError:
            continue
        yield structs.replace(other, n=event.n, t=event.t)


def _leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where in an event's plain data its words and numbers are: what holds each, and under what name."""
    if isinstance(value, dict | list):
        for at, item in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(item, dict | list):
                yield from _leaves(item)
            elif at not in STAMP and at != "do":
                yield value, at

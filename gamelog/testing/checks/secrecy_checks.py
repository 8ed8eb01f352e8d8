"""Checks of secrecy: a seat gets no information that it may not know.

Each check follows a game together with a twin, a game that looks the same to a seat because the seat cannot
see the difference. As long as the games look the same, everything that the seat gets must be the same in
both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec
from msgspec import structs

from gamelog.chance.rng import Random, generator
from gamelog.errors import CannotApply
from gamelog.message import placeholders
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.seats import legal_for
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.game_errors import Audience
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.rendering.events import visible_tag
from gamelog.play.rendering.sentences import message_template
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.step import STEP_ENCODER
from gamelog.play.visibility.events import UNSEEN, SeenEvent, visible_event
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.envelope import STAMP_MEMBERS, TABLE, Event, tag_of
from gamelog.testing.checks.random_games import Checks
from gamelog.testing.plays import Play

_MAX_ALTERNATIVES = 24
"""Number of events that are tried instead of an event that a seat sees only in part."""

_MAX_FOLLOWED = 300
"""Maximum number of events of a game that are followed."""


class SecrecyChecks(Checks):
    """Checks of `observe`, `seen`, and of all information about a position or an event.

    ``covered`` are the tags of events that show more than the state shows after them, such as a card that is
    turned face up and down again. For all other events, a difference that a seat sees in two events must also
    be in the states that it sees.
    """

    covered: ClassVar[tuple[str, ...]] = ()

    def test_legal_events_depend_only_on_visible_things(self) -> None:
        """Check that ``legal`` and ``sample`` give the same results in the visible state."""
        for game, state in self.sample.states("follows"):
            for seat in game.header.seat_ids:
                seen = self.game.observe(state, seat)
                if seen is state or seen == state:
                    continue
                listed = self.game.legal(state, seat)
                assert listed == self.game.legal(seen, seat), (
                    f"the list of legal for {seat} depends on things that {seat} does not see"
                )
                if listed.events:
                    chosen = [
                        self.game.sample(position, seat, generator("follows")) for position in (state, seen)
                    ]
                    assert chosen[0] == chosen[1], (
                        f"the choice of sample for {seat} depends on things that {seat} does not see"
                    )

    def test_determinised_states_look_the_same(self) -> None:
        """Check that ``determinise`` returns states that look the same to the seat that is to act."""
        for _, state in self.sample.states("whole") if self.game.determinise else ():
            for seat in self.game.pending(state).by:
                if seat == TABLE or self.game.determinise is None:
                    continue
                seen = self.game.observe(state, seat)
                whole = self.game.determinise(seen, seat, generator("whole"))
                assert self.game.observe(whole, seat) == seen, (
                    f"determinise gives a state that looks different to {seat}"
                )
                assert seat in self.game.pending(whole).by, (
                    f"determinise gives a state in which {seat} is not to act"
                )

    def test_seats_see_their_own_events(self) -> None:
        for _, state, event, _ in self.sample.steps("own"):
            if event.by != TABLE and not isinstance(event, self.game.chance_events):
                whole = visible_event(self.game, event, state, event.by) is event
                assert whole, f"{event.by} does not see their own event: {event}"

    def test_seen_events_have_messages(self) -> None:
        """Check that each event has a message for every seat, as far as the seat sees it."""
        for game, at, event in self.sample.unplayed_events():
            for seat in game.header.seat_ids:
                visible_event(self.game, event, game.states[at], seat)
        for game, state, event, _ in self.sample.steps("told"):
            for seat in game.header.seat_ids:
                seen = visible_event(self.game, event, state, seat)
                shown = visible_tag(self.game, event, seen)
                tag = tag_of(type(event))
                assert seen is None or shown != UNSEEN, (
                    f"{seat} sees a part of {tag}, but there is no message {tag}? for it"
                )
                if isinstance(seen, dict) and shown != UNSEEN:
                    lost = [
                        place.name
                        for place in placeholders(message_template(self.game, shown))
                        if place.name not in seen
                    ]
                    assert not lost, (
                        f"the message for {shown} has the place {lost[0]}, which seen leaves out for "
                        f"{seat}: {seen}"
                    )

    def test_look_alikes_get_the_same_information(self) -> None:
        for play in self.sample.plays if self._hides() else ():
            for seat in play.header.seat_ids:
                for state, twin in look_alikes(self.game, play, seat, self.sample.kinds, self.covered):
                    self._check_events_alike(state, twin, seat, generator("alike", play.header.id, seat))
                    self._check_retire_alike(state, twin, seat)

    def test_records_that_look_alike_have_the_same_steps(self) -> None:
        for play in self.sample.plays if self._hides() else ():
            for seat in play.header.seat_ids:
                for pair in look_alike_records(self.game, play, seat, self.sample.kinds, self.covered):
                    steps = [_steps(self.game, play, events, seat) for events in pair]
                    for one, other in zip(*steps, strict=True):
                        assert one == other, (
                            f"the steps show {seat} something that {seat} cannot know: {one}, or {other}"
                        )

    def _hides(self) -> bool:
        """Return whether a state or an event of the sample hides anything from a seat."""
        return any(
            self.game.observe(state, seat) != state
            or visible_event(self.game, event, state, seat) is not event
            for game, state, event, _ in self.sample.steps("hides")
            for seat in game.header.seat_ids
        )

    def _check_retire_alike(self, state: Any, twin: Any, seat: str) -> None:
        """Raise AssertionError if `retire` distinguishes states that look the same to `seat`."""
        if self.game.retire is not None:
            violation, other = (self.game.retire(position, seat) for position in (state, twin))
            if isinstance(violation, Violation) or isinstance(other, Violation):
                assert violation == other, (
                    f"retire shows {seat} something that {seat} cannot know: {violation}, or {other}"
                )

    def _check_events_alike(self, state: Any, twin: Any, seat: str, rng: Random) -> None:
        """Raise AssertionError if `seen` or `check` distinguishes states that look the same to `seat`."""
        for kind in self.sample.kinds.values():
            event = rng.choice(kind)
            seen, other = (visible_event(self.game, event, position, seat) for position in (state, twin))
            assert seen == other, (
                f"seen shows {seat} something of {event} that {seat} cannot know: {seen}, or {other}"
            )
            mine = structs.replace(event, by=seat)
            violation, twins = (self.game.check(position, mine) for position in (state, twin))
            assert not (violation and twins) or violation == twins, (
                f"the reason why check refuses {mine} shows {seat} something that {seat} cannot know: "
                f"{violation}, or {twins}"
            )


def look_alikes(
    game: AnyGame, play: Play, seat: str, kinds: dict[str, list[Event]], covered: tuple[str, ...] = ()
) -> Iterator[tuple[Any, Any]]:
    """Yield states of a game, each with a different state that looks the same to `seat`, if one was found.

    Args:
        game: The game.
        play: A played game.
        seat: The seat.
        kinds: Events of the sample, by tag, from which a twin's hidden events are chosen.
        covered: Tags of events that may show more than the states after them.

    Raises:
        AssertionError: An event shows `seat` a difference that is not in the states that it sees, or these
            states have a difference that no event shows.
    """
    rng, twin = generator("twins", play.header.id, seat), play.states[0]
    for state, event, after in list(play.steps())[:_MAX_FOLLOWED]:
        if twin is not state and twin != state:
            yield state, twin
        _, twin = _follow(game, (state, event, after), twin, seat, rng, kinds, covered)


def look_alike_records(
    game: AnyGame, play: Play, seat: str, kinds: dict[str, list[Event]], covered: tuple[str, ...] = ()
) -> Iterator[tuple[list[Event], list[Event]]]:
    """Yield beginnings of a game, each with the events of another record that looks the same to `seat`.

    The rest of a game after a resignation gives none.

    Args:
        game: The game.
        play: A played game.
        seat: The seat.
        kinds: Events of the sample, by tag, as in `look_alikes`.
        covered: Tags of events that may show more than the states after them.

    Raises:
        AssertionError: Events and states show different things, as in `look_alikes`.
    """
    if play.lead:
        return
    rng, twin, line = generator("twins", play.header.id, seat), play.states[0], list[Event]()
    for n, step in enumerate(list(play.steps())[:_MAX_FOLLOWED]):
        event, twin = _follow(game, step, twin, seat, rng, kinds, covered)
        if twin is not step[2]:
            line.append(event)
            continue
        if line != play.events[:n]:
            yield play.events[:n], line
        line = play.events[: n + 1]
    if line != play.events[: len(line)]:
        yield play.events[: len(line)], line


def _steps(game: AnyGame, play: Play, events: list[Event], seat: str) -> list[bytes]:
    """Return the steps of `events` as `seat` may see them."""
    fold = Fold(play.header, game, audience=Audience.ALL_SEEING)
    failure = fold.extend(events)
    assert failure is None, f"{game.id}: events that were legal do not fold: {failure}"
    return [STEP_ENCODER.encode(step) for step in RecordView(fold, Viewer((seat,))).steps()]


def _follow(
    game: AnyGame,
    step: tuple[Any, Event, Any],
    twin: Any,
    seat: str,
    rng: Random,
    kinds: dict[str, list[Event]],
    covered: tuple[str, ...],
) -> tuple[Event, Any]:
    """Return an event in `twin` and the next state, which looks the same to `seat` as the state after `step`.

    If no other state looks the same, they are the event and the next state of `step`.
    """
    state, event, after = step
    seen = visible_event(game, event, state, seat)
    effects = game.effects(state, event, after)
    known = game.observe(after, seat)
    for other in _others(game, event, twin, rng, kinds):
        apart = seen is event or visible_event(game, other, twin, seat) != seen
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
                f"for {seat}, seen distinguishes {event} from {other}, but observe shows the same state "
                "after both: hide the difference in seen, show it in observe, or name the tag in covered"
            )
            continue
        same = visible_tag(game, event, seen) == UNSEEN or game.effects(twin, other, changed) == effects
        assert alike or not same, (
            f"observe shows {seat} more than seen: the states after {event} and after {other} differ"
        )
        assert same or not alike, (
            f"effects show {seat} something that {seat} does not see: the effects of {event} and of {other} "
            "differ"
        )
        if alike:
            return other, changed
    return event, _after_same_event(game, step, twin, seat, effects, known)


def _after_same_event(
    game: AnyGame, step: tuple[Any, Event, Any], twin: Any, seat: str, effects: Any, known: Any
) -> Any:
    """Return the state after the same event in `twin`, or after `step` if `twin` no longer looks the same."""
    state, event, after = step
    changed = None if twin is state else _after(game, twin, event)
    if changed is None or game.observe(changed, seat) != known:
        return after
    seen: SeenEvent = visible_event(game, event, state, seat)
    assert visible_tag(game, event, seen) == UNSEEN or game.effects(twin, event, changed) == effects, (
        f"effects show {seat} something that {seat} does not see: {effects} of {event}, or "
        f"{game.effects(twin, event, changed)}"
    )
    return changed


def _after(game: AnyGame, state: Any, event: Event) -> Any:
    """Return the state after `event`, or None if the event is illegal."""
    try:
        return None if game.check(state, event) else game.apply(state, event)
    except CannotApply:
        return None


def _others(
    game: AnyGame, event: Event, state: Any, rng: Random, kinds: dict[str, list[Event]]
) -> Iterator[Event]:
    """Yield events that could replace `event`: other legal events, and changed copies of it."""
    if not isinstance(event, game.chance_events) and event.by in game.pending(state).by:
        listed = legal_for(game, state, event.by).events
        for other in rng.sample(listed, min(_MAX_ALTERNATIVES // 2, len(listed))):
            yield structs.replace(other, n=event.n, t=event.t)
    like = [msgspec.to_builtins(sample) for sample in kinds.get(tag_of(type(event)), ())]
    for _ in range(_MAX_ALTERNATIVES if like else 0):
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
    """Yield the place of each word and number in an event: its container, and its name or index there."""
    if isinstance(value, dict | list):
        for at, item in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(item, dict | list):
                yield from _leaves(item)
            elif at not in STAMP_MEMBERS:
                yield value, at

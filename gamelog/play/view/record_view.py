"""The view of a record: the source of everything that a viewer can see of the record.

A view knows only the events of its fold. To show what was known after event `n`, make the view of a fold of
`n` events (`gamelog.play.judging.prefixes`). Later events cannot leak, because they are not in that fold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import structs

from gamelog.chance.draws import Results
from gamelog.errors import Refused
from gamelog.finding import Finding
from gamelog.message import Locale
from gamelog.play.contract.effects import Effect
from gamelog.play.contract.game import Pending
from gamelog.play.contract.scene import Scene
from gamelog.play.fold.common_event_rules import resignation
from gamelog.play.fold.common_events import COMMON, Substitute
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.replacements import replacements
from gamelog.play.judging.prefixes import prefixes
from gamelog.play.rendering.events import (
    describe_event,
    effects_of,
    visible_sentence,
    visible_tag,
)
from gamelog.play.rendering.refusals import explain
from gamelog.play.rendering.sentences import Mark
from gamelog.play.rendering.session_effects import phrase_of
from gamelog.play.view.board_change import board_change
from gamelog.play.view.seen_position import SeenPosition
from gamelog.play.view.session_change import NEVER_UNDONE, line_change, session_at_start, session_change
from gamelog.play.view.session_view import SessionView
from gamelog.play.view.step import BoardChange, EventStatus, Fact, Position, SessionChange, StepView
from gamelog.play.visibility.events import (
    DIGEST_EVENTS,
    UNSEEN,
    SeenEvent,
    is_roll_visible,
    visible_data,
    visible_in_fold,
)
from gamelog.play.visibility.findings import (
    finding_for,
    finding_in_view,
    hidden_reason,
    legal_events,
    proposal_finding,
)
from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer, is_list_visible, observe_as, observed_copy
from gamelog.record.envelope import NOT_FACT_MEMBERS, Event, as_proposal, tag_of


class RecordView(SessionView):
    """A record as `viewer` may see it, up to the last event of its fold: the session, events and positions.

    A view grows with its fold. It gives no access to the fold, or to a state with hidden information.
    """

    def __init__(self, fold: Fold, viewer: Viewer = WHOLE_TABLE, unfolded: Sequence[Event] = ()) -> None:
        """Make a view of `fold` and of the `unfolded` events after it, with which the play ends."""
        super().__init__(fold, unfolded)
        self.viewer = viewer
        self._kept_positions: dict[int, SeenPosition] = {}
        self._corrections: tuple[int, dict[int, int]] = (-1, {})

    @property
    def knows_all(self) -> bool:
        """Whether nothing is hidden from the viewer in the last position."""
        state = self._fold.state
        seen = observe_as(self._game, state, self.viewer)
        return bool(seen is state or seen == state)

    @property
    def hides_nothing(self) -> bool:
        """Whether the viewer may see all of every event and position, so that digests reveal nothing."""
        if not (self.viewer.seats and self._game.hides):
            return True
        return not any(map(self.hides_at, range(self.last_number + 1))) and all(
            self.sees_whole(n) or isinstance(self._event(n), DIGEST_EVENTS)
            for n in range(1, self.last_number + 1)
        )

    @property
    def current(self) -> Position:
        """The position after the last event."""
        return self.position(self.last_number)

    @property
    def pending(self) -> Pending:
        """The next possible events after the last event that was not refused, or the outcome."""
        return self._seen_position(self._fold.n).pending

    @property
    def head(self) -> str:
        """The digest of the record up to the last event, hidden information included."""
        return self._fold.line_heads[self.last_number].decode()

    def resigning_seats(self) -> tuple[str, ...]:
        """Return the seats that can resign after the last event, as far as the viewer may know.

        A seat for which the game fails is among them: the error appears when the seat resigns.
        """
        return () if self.outcome else tuple(filter(self._may_resign, self.header.seat_ids))

    def _may_resign(self, seat: str) -> bool:
        try:
            return resignation(self.game, self.header, self.current.state, seat)[1] is None
        except Exception:  # the game can raise anything
            return True

    def due_results(self) -> Results | None:
        """Return the results of the chance due, or None if the viewer may not know them."""
        fold = self._fold if self.knows_all else observed_copy(self._fold, self.viewer)
        return fold.due_results()

    def is_roll_visible(self, seat: str) -> bool:
        """Return whether nothing about the draws that are due is hidden from `seat`."""
        return is_roll_visible(self._fold, seat)

    def step(self, n: int) -> StepView:
        """Return the step of event `n`. Step 0, the start, has the whole position.

        Raises:
            IndexError: There is no event `n`.
        """
        if n == 0:
            return self._start()
        fold, event = self._fold, self._event(n)
        if n > fold.n:
            people = SessionChange({event.seat: event.name}) if isinstance(event, Substitute) else None
            return StepView(n, event.t, fold.play_time_at(fold.n), self.facts(n), table=people)
        before, after = self._seen_position(n - 1), self._seen_position(n)
        board, score, pending = after.changes_since(before)
        return StepView(
            n,
            event.t,
            fold.play_time_at(n),
            self.facts(n),
            board,
            score,
            pending,
            session_change(fold, event),
            line_change(fold, event),
            self.idle_time(n),
        )

    def steps(self, first: int = 1) -> Iterator[StepView]:
        """Yield the steps from event `first` on."""
        return map(self.step, range(first, self.last_number + 1))

    def position(self, n: int) -> Position:
        """Return the position after event `n`. A refused event does not change it.

        Raises:
            IndexError: There is no event `n`.
        """
        if not 0 <= n <= self.last_number:
            raise IndexError(f"there is no event {n}; the last is {self.last_number}")
        number, fold = min(n, self._fold.n), self._fold
        position = self._seen_position(number)
        names = {person.seat: person.name for person in fold.session_at(number).seats}
        return Position(
            n,
            position.visible_state,
            position.scene,
            position.score,
            position.pending,
            fold.play_time_at(number),
            names,
        )

    def score_with_final_penalties(self, n: int) -> dict[str, int]:
        """Return the points after event `n`, with the penalties in force at the end of the view."""
        n = min(n, self._fold.n)
        return self._seen_position(n).visible_score(self._fold.score_with_final_penalties(n))

    def result_in_numbers(self) -> Mapping[str, int | float]:
        """Return the payoffs of the seats if the game has ended with payoffs, or else their points."""
        outcome = self.pending.outcome
        return (outcome and outcome.payoffs) or self.score_with_final_penalties(self.last_played)

    def sees_whole(self, n: int) -> bool:
        """Return whether the viewer may see all of event `n`."""
        event = self._event(n)
        return self._visible_part(event) is event

    def state(self, n: int) -> Any:
        """Return the state after event `n`, without what is hidden from the viewer."""
        return self._seen_position(min(n, self._fold.n)).visible_state

    def scene(self, n: int) -> Scene:
        """Return the picture of the position after event `n`."""
        return self._seen_position(min(n, self._fold.n)).scene

    def hides_at(self, n: int) -> bool:
        """Return whether something in the position after event `n` is hidden from the viewer."""
        position = self._seen_position(min(n, self._fold.n))
        return not (position.visible_state is position.state or position.visible_state == position.state)

    def event_fact(self, n: int) -> Fact:
        """Return event `n` as a fact, without its effects."""
        fold, event = self._fold, self._event(n)
        seen, tag = self._visible_part(event), tag_of(type(event))
        if seen is event:
            phrase = phrase_of(fold, event) if type(event) in COMMON else tag
        else:
            phrase = visible_tag(fold.game, event, seen)
        if phrase == UNSEEN:
            return Fact(UNSEEN, {"by": event.by})
        members: dict[str, Any] = msgspec.to_builtins(seen)
        if phrase == tag:
            members.pop("do", None)
        for name in NOT_FACT_MEMBERS:
            members.pop(name, None)
        return Fact(phrase, members)

    def shown_finding(self, finding: Finding, proposed: Event | None = None) -> Finding:
        """Return `finding`, about a recorded event or the event `proposed`, as the viewer may know it."""
        n = finding.n or 0
        if proposed is not None and n == proposed.n:
            return proposal_finding(self._fold, finding, proposed, self.viewer)
        event = self._event(n) if 1 <= n <= self.last_number else None
        return finding_for(self._fold, finding, event, self.viewer)

    def with_legal_events(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return `findings` with the legal events instead of each illegal event that was played.

        The list has hidden information, so it is for the whole table.
        """
        fold = self._fold
        illegal = [n for n, violation in fold.violations.items() if violation.rule]
        legal = {
            n: legal_events(prefix, self._event(n).t)
            for n, prefix in zip(illegal, prefixes(fold, [n - 1 for n in illegal]), strict=True)
        }
        return [
            structs.replace(finding, legal=legal.get(finding.n or 0, ()))
            if finding.rule and not finding.legal
            else finding
            for finding in findings
        ]

    def shown_refusal(self, error: Refused) -> Refused:
        """Return `error` as far as the viewer can know it.

        The refusal of a proposed event has its reason if the event is refused for the same reason in the
        position that the viewer knows.
        """
        finding, event, viewer = error.finding, error.proposed, self.viewer
        if finding is None or not (viewer.seats and self._game.hides) or isinstance(event, Mapping):
            return error
        fold = observed_copy(self._fold, viewer)
        if event is None or event.n != finding.n:
            shown = self.shown_finding(finding)
        else:
            own = finding_in_view(
                fold, structs.replace(event, n=self.last_number + 1, t=max(event.t, self.t)), viewer
            )
            is_same = own and (own.code, own.text) == (finding.code, finding.text)
            shown = own if own and is_same else hidden_reason(finding.n)
        return Refused(explain(fold, shown), shown, event)

    def may_be_legal(self, event: Event) -> bool:
        """Return whether the proposed `event` is legal, or may be legal as far as the viewer knows."""
        fold, viewer = self._fold, self.viewer
        if self.knows_all:
            return fold.judge(event) is None
        if event.by in fold.pending.by and not is_list_visible(self._game, fold.state, event.by, viewer):
            return True
        return finding_in_view(observed_copy(fold, viewer), event, viewer) is None

    def corrections(self) -> Mapping[int, int]:
        """Return the events that corrections have removed, each with the event recorded instead, or 0."""
        fold = self._fold
        if self._corrections[0] != fold.n:
            now = replacements(fold, [*fold.events], self._content) if fold.slips else {}
            self._corrections = fold.n, {n: now.get(n, 0) for n in sorted(fold.corrected_events())}
        return self._corrections[1]

    def facts(self, n: int) -> tuple[Fact, ...]:
        """Return event `n` and its effects. An unseen or refused event has none."""
        facts = [self.event_fact(n)]
        if facts[0].tag == UNSEEN or n > self._fold.n:
            return tuple(facts)
        for effect in effects_of(self._fold, self._event(n)):
            members: dict[str, Any] = msgspec.to_builtins(effect)
            facts.append(Fact(members.pop("effect"), members))
        return tuple(facts)

    def effects(self, n: int) -> tuple[Effect, ...]:
        """Return the effects of event `n` as in `facts`, but in the game's own types."""
        if n > self._fold.n or self.event_fact(n).tag == UNSEEN:
            return ()
        return effects_of(self._fold, self._event(n))

    def event(self, n: int) -> dict[str, Any]:
        """Return event `n` as plain data without its key, as far as the viewer may see it."""
        event = self._event(n)
        return visible_data(event, self._visible_part(event))

    def recorded_event(self, n: int) -> dict[str, Any]:
        """Return event `n` with its key if the viewer is the whole table, otherwise as `event` does."""
        event = self._event(n)
        if self.viewer.seats:
            return self.event(n)
        return as_proposal(event) | {"n": event.n, "t": event.t}

    def whole_event(self, n: int) -> Event | None:
        """Return event `n` if the viewer may see all of it, or None."""
        event = self._event(n)
        return event if self._visible_part(event) is event else None

    def last_decision(self) -> Event | None:
        """Return the last decision of a player who is to act now, if the viewer may see it.

        Events of chance and of players who are not to act may follow it; otherwise the result is None.
        """
        game, acting = self._game, self.pending.by
        for n in range(self.last_number, 0, -1):
            event = self.whole_event(n)
            if type(self._event(n)) in COMMON or not self._fold.stands(n):
                return None
            if self._event(n).by in acting and not isinstance(event, game.chance_events):
                return event
        return None

    def sentence(
        self,
        n: int,
        written: Callable[[str], str] = str,
        mark: Mark | None = None,
        locale: Locale | None = None,
    ) -> str:
        """Return a sentence that describes event `n`, with the names of the people at that event.

        Args:
            n: The number of the event, from 1 to `last_number`.
            written: Converts each name, for example to escape it.
            mark: Prepares each value for display, or None. It is used only if the viewer sees everything.
            locale: The language, or None for English.
        """
        fold, event = self._fold, self._event(n)
        name_of = self.names_at(n)
        if not self.viewer.seats and written is str and n <= fold.n:
            return describe_event(fold, event, mark, locale)
        effects = effects_of(fold, event) if n <= fold.n else ()
        return visible_sentence(
            fold, event, self.viewer, effects, lambda seat: written(name_of(seat)), locale
        )

    def event_status(self, n: int) -> EventStatus:
        """Return the status of event `n` at the end of the view."""
        fold, event = self._fold, self._event(n)
        if n > fold.n:
            return EventStatus("refused", n)
        if n in fold.rulings.by_number:
            ending = fold.rulings.ended_by(n)
            return EventStatus("withdrawn", ending) if ending else EventStatus()
        if n in fold.rulings.claims.withdrawals:
            return EventStatus("withdrawn", fold.rulings.claims.withdrawals[n])
        if fold.stands(n) or isinstance(event, NEVER_UNDONE):
            return EventStatus(is_disputed=fold.is_disputed(n))
        now = self.corrections().get(n)
        if now is None:
            return EventStatus("undone", self._undone_by(n))
        return EventStatus("corrected", self._undone_by(n), now)

    def _content(self, event: Event) -> bytes:
        """Return the members of `event` that the viewer sees, without its number and time, as JSON."""
        members = visible_data(event, self._visible_part(event))
        return msgspec.json.encode(
            {name: value for name, value in members.items() if name not in NOT_FACT_MEMBERS}
        )

    def _start(self) -> StepView:
        """Return step 0, which has the whole position."""
        position, fold = self._seen_position(0), self._fold
        board = board_change(Scene(position.scene.ground), position.scene) or BoardChange()
        return StepView(0, 0, 0, (), board, position.score, position.pending, session_at_start(fold))

    def _seen_position(self, n: int) -> SeenPosition:
        """Return the position after event `n`. The last two positions are kept."""
        kept = self._kept_positions
        position = kept.get(n)
        if position is None:
            fold, before = self._fold, kept.get(n - 1)
            if before and fold.states[n] is before.state and fold.session_at(n) is fold.session_at(n - 1):
                position = before
            else:
                position = SeenPosition(fold, n, self.viewer, before)
            self._kept_positions = {n: position} if before is None else {n - 1: before, n: position}
        return position

    def _visible_part(self, event: Event) -> SeenEvent:
        return visible_in_fold(self._fold, event, self.viewer)


class ViewCache:
    """The last view of each viewer, kept while it is of the same events."""

    def __init__(self) -> None:
        self._views: dict[Viewer, tuple[Fold, int, RecordView]] = {}

    def view(self, fold: Fold, viewer: Viewer, unfolded: Sequence[Event] = ()) -> RecordView:
        """Return the view of `fold`, and of the `unfolded` events after it, by `viewer`."""
        kept = self._views.get(viewer)
        if kept is None or kept[0] is not fold or kept[1] != len(unfolded):
            kept = self._views[viewer] = fold, len(unfolded), RecordView(fold, viewer, unfolded)
        return kept[2]

"""Checks of taps: the taps of the game, or the default taps of events, make each decision."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from gamelog.errors import CannotApply
from gamelog.play.contract.commitments import Commitment
from gamelog.play.contract.growing_board import visible_scene
from gamelog.play.contract.seats import legal_for
from gamelog.play.view.tapping import Tapping, is_other_path
from gamelog.record.envelope import TABLE, Event
from gamelog.testing.checks.random_games import Checks
from gamelog.testing.plays import Play

_EVERY, _TAPPED = 4, 200
"""One in 4 states is checked, with at most 200 legal events."""

_MAX_WORD_LENGTH = 60
"""Maximum length of a word on a button."""


class TapChecks(Checks):
    """Checks of `taps` and `commitments`."""

    def decisions(self) -> Iterator[tuple[Play, Any, Tapping, tuple[Event, ...]]]:
        """Yield states in which a seat decides, with the taps that it has, and its legal events."""
        for game, state in islice(self.sample.states("taps"), 0, None, _EVERY):
            for seat in self.game.pending(state).by:
                if seat != TABLE:
                    seen = self.game.observe(state, seat)
                    tapping = Tapping(self.game, seen, self.game.scene(seen, seat), game.header.seat_ids)
                    yield game, state, tapping, legal_for(self.game, state, seat).events[:_TAPPED]

    def test_events_with_the_same_taps_are_the_same(self) -> None:
        """Check that events with the same taps lead to equal states, or are other paths."""
        for _, state, tapping, events in self.decisions():
            known: dict[tuple[type[Event], frozenset[str]], Event] = {}
            for event in events:
                first = known.setdefault((type(event), frozenset(tapping.taps_of(event))), event)
                if first is event or is_other_path(first, event):
                    continue
                try:
                    same = self.game.apply(state, first) == self.game.apply(state, event)
                except CannotApply:
                    same = False
                assert same, (
                    f"{event} and {first} have the same taps but different results: taps must distinguish "
                    "them"
                )

    def test_taps_are_in_the_scene_or_seats_or_words(self) -> None:
        """Check that taps are cells, zones, pieces, seats or words, each at most once."""
        ids = {piece: game for game, _, tapping, _ in self.decisions() for piece in tapping.pieces}
        for _, _, tapping, events in self.decisions():
            places = {*tapping.cells, *tapping.zones, *tapping.pieces, *tapping.seats}
            alike = {place.casefold(): place for place in places}
            for event in events:
                taps = tapping.taps_of(event)
                assert isinstance(taps, tuple) and all(isinstance(tap, str) for tap in taps), (
                    f"the taps of {event} are {taps!r}, not a tuple of strings"
                )
                assert len(set(taps)) == len(taps), f"the taps of {event} contain one thing twice: {taps}"
                for tap in taps:
                    if tap in places:
                        continue
                    assert tap not in ids, (
                        f"the taps of {event} contain {tap!r}, a piece that is not in this scene"
                    )
                    assert tap.casefold() not in alike, (
                        f"the taps of {event} contain {tap!r} instead of {alike[tap.casefold()]!r}"
                    )
                    assert tap.strip() and tap.isprintable() and len(tap) <= _MAX_WORD_LENGTH, (
                        f"the taps of {event} contain {tap!r}, which is not in the scene, not a seat and "
                        "not a word for a button"
                    )

    def test_a_growing_board_shows_the_places_of_legal_events(self) -> None:
        """Check that `BoardLayout.margin` is large enough for people to tap every legal event."""
        for game, state in islice(self.sample.states("margin"), 0, None, _EVERY):
            for seat in {*self.game.pending(state).by} - {TABLE}:
                seen = self.game.observe(state, seat)
                scene = self.game.scene(seen, seat)
                if not scene.ground.margin:
                    return
                tapping = Tapping(self.game, seen, scene, game.header.seat_ids)
                outside = tapping.cells.keys() - {cell.id for cell in visible_scene(scene).ground.cells}
                for event in legal_for(self.game, state, seat).events[:_TAPPED]:
                    lost = outside & {*tapping.taps_of(event)}
                    assert not lost, (
                        f"{event} is legal, but the board does not show {', '.join(sorted(lost))}: "
                        "BoardLayout.margin must be larger"
                    )

    def test_commitments_can_be_opened(self) -> None:
        for game, state in self.sample.states("commitments"):
            for seat in self.game.pending(state).by:
                if seat != TABLE:
                    for chosen in self.game.commitments(self.game.observe(state, seat), seat).choices:
                        self._check_opening(state, seat, chosen, game.header.seat_ids)

    def _check_opening(self, state: Any, seat: str, chosen: Commitment, seats: tuple[str, ...]) -> None:
        """Raise AssertionError if a seat cannot open its commitment after all seats have committed."""
        commit, opened = chosen.make_events(f"{1:032x}")
        digest = {getattr(commit, name) for name in commit.__struct_fields__}
        for other in (seat, *(rival for rival in seats if rival != seat)):
            choices = self.game.commitments(self.game.observe(state, other), other).choices
            if other == seat or choices:
                event = commit if other == seat else choices[0].make_events(f"{2:032x}")[0]
                violation = self.game.check(state, event)
                assert violation is None, (
                    f"{event} is the commitment of {other}, but check refuses it: {violation}"
                )
                state = self.game.apply(state, event)
        opens = self.game.commitments(self.game.observe(state, seat), seat).opens
        assert opens in digest, f"{seat} committed with {commit}, but commitments opens {opens!r}"
        violation = self.game.check(state, opened)
        assert violation is None, (
            f"{opened} opens the commitment of {seat}, but check refuses it: {violation}"
        )

"""The kit finds leaks that are planted in Duel, and look-alike states in every game with secrets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from gamelog.play.contract.game import AnyGame, Legal
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.seats import legal_for
from gamelog.play.contract.violation import Violation
from gamelog.record.envelope import Event, tag_of
from gamelog.testing.checks import random_games
from gamelog.testing.checks.random_games import Sample
from gamelog.testing.checks.secrecy_checks import look_alikes
from gamelog.testing.conformance import Conformance
from gamelog.testing.plays import play

Planted = Callable[[AnyGame], AnyGame]


@pytest.fixture(autouse=True)
def fewer_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_games, "GAMES_PER_PLAYER_COUNT", 3)


def shows_hands(game: AnyGame) -> AnyGame:
    return replace(
        game, observe=lambda state, seat: structs.replace(game.observe(state, seat), hands=state.hands)
    )


def shows_the_highest_card_held(game: AnyGame) -> AnyGame:
    def observe(state: Any, seat: str | None) -> Any:
        seen = game.observe(state, seat)
        top = max((card for hand in state.hands for card in hand), default=0)
        return structs.replace(seen, shown=(*seen.shown, top)) if seat else seen

    return replace(game, observe=observe)


def shows_what_lies_face_down(game: AnyGame) -> AnyGame:
    return replace(
        game, observe=lambda state, seat: structs.replace(game.observe(state, seat), chosen=state.chosen)
    )


def sees_every_choice(game: AnyGame) -> AnyGame:
    return replace(
        game,
        seen=lambda event, before, seat: (
            event if tag_of(type(event)) == "choose" else game.seen(event, before, seat)
        ),
    )


def sees_nothing_but_the_highest_choice(game: AnyGame) -> AnyGame:
    return replace(
        game,
        seen=lambda event, before, seat: (
            event if getattr(event, "card", 0) == 12 else game.seen(event, before, seat)
        ),
    )


def sees_whether_a_card_is_high(game: AnyGame) -> AnyGame:
    def seen(event: Any, before: Any, seat: str) -> Any:
        told: Any = game.seen(event, before, seat)
        return (
            told
            if event is told or "card" not in event.__struct_fields__
            else {**told, "high": event.card > max(before.hands[0])}
        )

    return replace(game, seen=seen)


def lists_by_the_hand_of_another(game: AnyGame) -> AnyGame:
    def legal(state: Any, seat: str) -> Legal:
        listed = game.legal(state, seat)
        others = [
            max(hand, default=0)
            for one, hand in zip(state.setup.seats, state.hands, strict=True)
            if one != seat
        ]
        return Legal(tuple(sorted(listed.events, key=lambda event: getattr(event, "card", 0) < max(others))))

    return replace(game, legal=legal)


def chooses_by_the_hand_of_another(game: AnyGame) -> AnyGame:
    def choose(state: Any, seat: str, _rng: object) -> Event:
        held = sum(card for hand in state.hands for card in hand)
        events = game.legal(state, seat).events
        chosen: Event = events[held % len(events)]
        return chosen

    return replace(game, sample=choose)


def tells_what_was_chosen(game: AnyGame) -> AnyGame:
    from duel import Hit

    def effects(before: Any, event: Any, after: Any) -> Any:
        told = game.effects(before, event, after)
        return (
            (*told, Hit(after.setup.seats[event.card % 2]))
            if tag_of(type(event)) == "choose" and any(after.chosen)
            else told
        )

    return replace(game, effects=effects)


def refuses_with_what_another_holds(game: AnyGame) -> AnyGame:
    def check(state: Any, event: Any) -> Violation | None:
        found = game.check(state, event)
        return Violation(found.rule, f"{found.text}, and {state.hands[-1]} are held") if found else None

    return replace(game, check=check)


def lets_nobody_resign_with_what_another_holds(game: AnyGame) -> AnyGame:
    return replace(
        game, retire=lambda state, _seat: Violation("DU-6", f"nobody resigns while {state.hands} are held")
    )


def asks_first_by_what_another_holds(game: AnyGame) -> AnyGame:
    def pending(state: Any) -> Any:
        due = game.pending(state)
        odd = sum(card for hand in state.hands for card in hand if card > 0) % 2
        return structs.replace(due, by=due.by[::-1]) if odd else due

    return replace(game, pending=pending)


def hides_a_deed_from_its_doer(game: AnyGame) -> AnyGame:
    return replace(
        game,
        seen=lambda event, before, seat: (
            None if tag_of(type(event)) == "choose" else game.seen(event, before, seat)
        ),
    )


def leaves_out_without_words(game: AnyGame) -> AnyGame:
    return replace(game, messages={tag: text for tag, text in game.messages.items() if tag != "choose?"})


def lets_the_last_to_choose_lead(game: AnyGame) -> AnyGame:
    def apply(state: Any, event: Any) -> Any:
        after = game.apply(state, event)
        last = (
            tag_of(type(event)) == "choose" and not any(after.chosen) and game.pending(after).outcome is None
        )
        return structs.replace(after, leader=state.setup.seats.index(event.by)) if last else after

    return replace(game, apply=apply)


def lets_nobody_choose_a_higher_card_afterwards(game: AnyGame) -> AnyGame:
    def check(state: Any, event: Any) -> Violation | None:
        found = game.check(state, event)
        high = found is None and tag_of(type(event)) == "choose" and 0 < max(state.chosen) < event.card
        return Violation("DU-3", "a higher card was not chosen") if high else found

    return replace(game, check=check)


def says_nothing_of_together(game: AnyGame) -> AnyGame:
    return replace(game, together=False)


ALIKE, FOLLOWS = (
    "test_look_alikes_get_the_same_information",
    "test_legal_events_depend_only_on_visible_things",
)

STEPS = "test_records_that_look_alike_have_the_same_steps"

LEAKS: dict[Planted, tuple[str, str]] = {
    shows_hands: (ALIKE, r"observe shows \w+ more than seen"),
    shows_the_highest_card_held: (ALIKE, r"observe shows \w+ more than seen"),
    shows_what_lies_face_down: (ALIKE, r"observe shows \w+ more than seen"),
    sees_every_choice: (ALIKE, "seen (distinguishes|shows)"),
    sees_nothing_but_the_highest_choice: (ALIKE, "seen (distinguishes|shows)"),
    sees_whether_a_card_is_high: (ALIKE, "seen (distinguishes|shows)"),
    lists_by_the_hand_of_another: (FOLLOWS, "the list of legal for"),
    chooses_by_the_hand_of_another: (FOLLOWS, "the choice of sample for"),
    tells_what_was_chosen: (ALIKE, "effects show"),
    refuses_with_what_another_holds: (ALIKE, "the reason why check refuses"),
    lets_nobody_resign_with_what_another_holds: (ALIKE, "retire shows"),
    asks_first_by_what_another_holds: (STEPS, "the steps show"),
    hides_a_deed_from_its_doer: ("test_seats_see_their_own_events", "does not see their own event"),
    leaves_out_without_words: ("test_seen_events_have_messages", r"there is no message choose\? for it"),
}


ORDER = "test_decisions_taken_together_have_no_order"

ORDERED: dict[Planted, str] = {
    lets_the_last_to_choose_lead: "gives another game than the same decisions in another order",
    lets_nobody_choose_a_higher_card_afterwards: "is refused after",
    says_nothing_of_together: "so the game needs together=True",
}


@pytest.mark.parametrize("mistake", ORDERED, ids=lambda mistake: mistake.__name__.replace("_", " "))
def test_an_order_with_a_meaning_is_reported(mistake: Planted) -> None:
    played = Sample(find("duel"))
    planted = mistake(find("duel"))
    found: Any = suite(planted)
    random_games._samples[id(planted)] = Sample(planted)
    random_games._samples[id(planted)].__dict__["plays"] = played.plays  # the plays by the correct rules
    with pytest.raises(AssertionError, match=ORDERED[mistake]):
        getattr(found, ORDER)()


def suite(planted: AnyGame) -> Conformance:
    found: Conformance = type("Suite", (Conformance,), {"game": planted})()
    return found


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__.replace("_", " "))
def test_a_leak_is_reported(leak: Planted) -> None:
    check, words = LEAKS[leak]
    with pytest.raises(AssertionError, match=words):
        getattr(suite(leak(find("duel"))), check)()


def test_information_that_is_shown_and_hidden_again_is_declared_by_the_author() -> None:
    found: Any = type(
        "Suite", (Conformance,), {"game": sees_every_choice(find("duel")), "covered": ("choose",)}
    )()
    getattr(found, ALIKE)()


def test_a_game_that_keeps_its_secrets_passes() -> None:
    for check in sorted({check for check, _ in LEAKS.values()}):
        getattr(suite(find("duel")), check)()


def secretive() -> list[str]:
    """Return the games with hidden information."""
    return [name for name in names() if _hides(find(name))]


def _hides(game: AnyGame) -> bool:
    played = play(game)
    return any(game.observe(one, seat) != one for one in played.states for seat in played.header.seat_ids)


def test_look_alikes_are_found_in_every_game_with_secrets() -> None:
    assert secretive() == ["duel", "zone_s"]
    for name in secretive():
        game, pairs = find(name), 0
        found = Sample(game)
        for played in found.plays[:4]:
            for seat in played.header.seat_ids:
                for state, twin in look_alikes(game, played, seat, found.kinds):
                    assert state != twin and game.observe(state, seat) == game.observe(twin, seat)
                    assert legal_for(game, state, seat) == legal_for(game, twin, seat)
                    pairs += 1
        assert pairs > 50, name

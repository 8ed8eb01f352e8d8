"""Tests of commit-reveal dice with a dealer, whose face-down rolls are judged once they are opened."""

from __future__ import annotations

import pytest
from msgspec import structs

from gamelog.chance.commit_reveal import Chain, Chains, link_before, results
from gamelog.errors import BadSetup
from gamelog.play.fold import common_events
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import Verdict, verdict
from gamelog.play.recording.header import new_header
from gamelog.play.recording.series import simulate_game
from gamelog.record import chain
from gamelog.record.envelope import TABLE, DiceSpec, Event, Header, Seat, encode_body
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from tests.archive.plugin import camp
from tests.play.tables import not_none

GAME = camp.GAME


def game() -> tuple[Header, list[Event]]:
    return simulate_game(GAME, "dealing", 3, players=2, dice="commit-reveal")


def judge(header: Header, events: list[Event]) -> Verdict:
    return verdict(fold_record(parse_record(compose(header, events)[0]), GAME))


def codes(found: Verdict) -> list[tuple[str, int | None]]:
    return [(one.code, one.n) for one in found.findings]


def fold_events(header: Header, events: list[Event]) -> Fold:
    fold = Fold(header, GAME, line_heads=[chain.chained_digest(chain.GENESIS, encode_body(header))])
    for event in events:
        assert fold.push(event) is None
        fold.line_heads.append(chain.chained_digest(fold.line_heads[-1], encode_body(event)))
    return fold


def deals(events: list[Event]) -> list[int]:
    return [event.n for event in events if isinstance(event, camp.Deal)]


def forge_event(event: Event) -> Event:
    assert isinstance(event, camp.Deal)
    return structs.replace(event, card=next(card for card, _ in camp.HAND if card != event.card))


def test_deals_can_be_computed_once_they_are_opened() -> None:
    header, events = game()
    assert isinstance(events[-1], common_events.Reveal)
    assert events[-1].seat == TABLE
    assert len(deals(events)) > 1
    assert (judge(header, events).status, judge(header, events).findings) == ("ok", ())


def test_a_deal_cannot_be_computed_before_it_is_opened() -> None:
    header, events = game()
    first = deals(events)[0]
    fold = fold_events(header, events[: first - 1])
    assert not_none(fold.reveals).missing_seats == ()
    assert not_none(fold.reveals).is_roll_closed
    assert fold.due_results() is None
    draws = not_none(fold.pending.chance).draws
    heads, given = (
        fold.line_heads[not_none(not_none(fold.reveals).intent)],
        not_none(fold.reveals).revealed_links,
    )
    with_it = {one: results({**given, TABLE: f"{one:064x}"}, heads.decode(), draws) for one in range(40)}
    assert len(set(with_it.values())) > 1, "the deal depends on the dealer's own link"


def test_a_public_roll_needs_no_link_of_the_dealer() -> None:
    header, events = game()
    at = next(event.n for event in events if isinstance(event, camp.Deck))
    fold = fold_events(header, events[: at - 1])
    assert fold.due_results() is not None


def test_a_forged_card_is_found_at_its_deal() -> None:
    header, events = game()
    for n in deals(events):
        false = [*events[: n - 1], forge_event(events[n - 1]), *events[n:]]
        assert codes(judge(header, false[:n])) == [("chance.closed", deals(events)[0])], "nobody knows yet"
        *_, (code, where) = codes(judge(header, false))
        assert (code, where) == ("chance.reveals", n)
        assert judge(header, false).status == "illegal"


def test_a_finished_record_without_opened_deals_is_unknown() -> None:
    header, events = game()
    found = judge(header, events[:-1])
    assert (found.status, found.finished, codes(found)) == (
        "unknown",
        True,
        [("chance.unopened", deals(events)[0])],
    )
    early = judge(header, events[: deals(events)[1]])
    assert (early.status, codes(early)) == ("ok", [("chance.closed", deals(events)[0])])
    assert codes(judge(header, events[: deals(events)[0] - 1])) == []


@pytest.mark.parametrize(
    "which", ["too early", "too far", "not far enough", "another", "not a link", "twice"]
)
def test_openings_that_do_not_fit(which: str) -> None:
    header, events = game()
    opening = events[-1]
    assert isinstance(opening, common_events.Reveal)
    shallow = link_before(header.id, TABLE, opening.link)
    link = {"not far enough": shallow, "another": "0" * 64, "not a link": "x", "too far": opening.link}.get(
        which, opening.link
    )
    stands = events if which == "twice" else events[:-1]
    if which == "too early":
        stands = events[: deals(events)[-1]]
    if which == "too far":  # there was one deal less than it opens
        stands = [event for event in events[:-1] if event.n < deals(events)[-1]]
        stands = events[: len(stands)]
    fold = fold_events(header, stands)
    failure = fold.push(structs.replace(opening, n=fold.n + 1, t=fold.t, link=link))
    assert failure is not None
    assert failure.code == "chance.link"


def test_an_invented_opening_excuses_nothing() -> None:
    header, events = game()
    opening = events[-1]
    assert isinstance(opening, common_events.Reveal)
    false = [*events[:-1], structs.replace(opening, link="0" * 64)]
    found = judge(header, false)
    assert (found.status, codes(found)[-1]) == ("unknown", ("chance.link", opening.n))


def test_a_game_that_is_taken_back_after_the_opening_deals_with_new_links_and_is_opened_again() -> None:
    header, events = game()
    fold = fold_events(header, events)
    back = deals(events)[-1]
    before = max(
        event.n for event in events if event.n < back and not isinstance(event, common_events.Reveal)
    )
    assert fold.push(common_events.Takeback(fold.n + 1, fold.t, "red", to=before)) is None
    book = not_none(fold.reveals)
    assert book.is_roll_closed or book.missing_seats
    assert not_none(book.dealer).open_count == len(deals(events))
    assert not_none(book.dealer).link is None, "opened links do not show later deals"


def test_without_a_dealer_every_roll_can_be_computed_at_once() -> None:
    chains = Chains({seat: Chain("x", seat, seat.encode().hex().ljust(64, "0"), 9) for seat in camp.SEATS})
    spec = DiceSpec("commit-reveal", commitments=chains.commitments, forfeit="loses")
    header = new_header(
        GAME, [Seat(seat) for seat in camp.SEATS], id="x", started="2026-01-02T03:04:05Z", dice=spec
    )
    assert not_none(Fold(header, GAME, line_heads=[b"A" * 43]).reveals).dealer is None
    with pytest.raises(BadSetup, match="commitment of table"):
        new_header(
            GAME,
            [Seat(seat) for seat in camp.SEATS],
            id="x",
            started="2026-01-02T03:04:05Z",
            dice=structs.replace(spec, commitments={**chains.commitments, TABLE: "no"}),
        )


def test_other_seats_wait_for_the_links_and_then_for_the_roll() -> None:
    header, events = game()
    at = next(
        n
        for n in deals(events)
        if not fold_events(header, events[: n - 1]).states[-1].asleep
        and type(events[n - 2]) is common_events.Reveal
    )
    waiting = [event.n for event in events[: at - 1] if isinstance(event, common_events.Reveal)][-1]
    for end, words in (
        (waiting - 1, "the roll is waiting for the links of "),
        (at - 1, ("the roll that is due must be recorded first")),
    ):
        fold = fold_events(header, events[:end])
        assert not_none(fold.reveals).intent is not None
        sleep = camp.Sleep(end + 1, fold.t, "blue")
        assert GAME.check(fold.states[-1], sleep) is None, "the game itself lets blue act"
        refused = not_none(fold.judge(sleep))
        assert (refused.code, refused.text[: len(words)]) == ("chance.missing", words)

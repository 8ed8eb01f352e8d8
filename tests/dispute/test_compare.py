"""Tests of comparisons: differences, later seals, and records of different games."""

import re
from typing import Any

import pytest
from msgspec import structs

from gamelog.dispute.compare import Comparison, compare
from gamelog.dispute.comparison_words import comparison_words
from gamelog.dispute.game_difference import MAX_OPTIONS, game_difference
from gamelog.dispute.merging import merge
from gamelog.dispute.score_sheet import as_numbers
from gamelog.errors import PlayError
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.common_events import Accept, Agree, Note, Sign, Takeback
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.series import simulate_game
from gamelog.play.recording.signing import make_seal
from gamelog.record.envelope import Event, Header, tag_of
from gamelog.record.reading import Record, parse_record
from gamelog.record.seal import Seal, Signer
from tests.dispute.sheets import record, sheets
from tests.play.tables import GAME, renumber, start_game, whole
from tests.play.test_rulings import STANDS, play_events


def test_times_notes_names_keys_and_takebacks_are_not_differences() -> None:
    head, other, events = sheets()
    slower = [structs.replace(event, t=event.t + 999, id=f"k{event.n}") for event in events]
    noted = [*slower[:20], Note(21, slower[19].t, "red", text="hm"), *renumber(slower[20:], 1)]
    found = compare(record(head, events), record(other, noted, "b"))
    assert (found.same, found.agreed, found.first_difference, found.prefix_head) == (
        True,
        len(events),
        None,
        None,
    )
    assert (found.why, found.kind) == (None, None)
    assert found.plain()["why"] == ""
    assert found.a.play == found.b.play
    wrong = next(
        one for one in legal_for(GAME, _state(head, events, 30), None).events if one != _proposed(events[30])
    )
    mistaken = structs.replace(wrong, n=31, t=events[30].t)
    corrected = [
        *events[:30],
        mistaken,
        Takeback(32, events[30].t, "table", to=30),
        *renumber(events[30:], 2),
    ]
    assert compare(record(head, events), record(other, corrected)).same


def _state(head: Header, events: list[Event], n: int) -> Any:
    fold = fold_record(record(head, events)).fold
    assert fold is not None
    return fold.states[n]


def _proposed(event: Event) -> Event:
    return structs.replace(event, n=0, t=0)


def test_the_first_difference_has_both_sides_and_their_legality() -> None:
    head, other, events = sheets()
    first: Any = next(event for event in events if tag_of(type(event)) == "claim")
    spoiled = structs.replace(events[20], at=first.at)
    found = compare(record(head, events), record(other, [*events[:20], spoiled, *events[21:]], "b"))
    assert (found.same, found.agreed, found.first_difference) == (False, 20, 21)
    assert found.a.says is not None
    assert found.b.says is not None
    assert (found.a.n, found.b.n) == (21, 21)
    assert found.a.says["at"] != found.b.says["at"]
    assert found.a.text and found.b.text
    assert found.a.illegal is None
    assert found.b.illegal is not None
    assert found.b.illegal.n == 21


def test_a_sheet_is_illegal_only_if_an_event_ends_the_play() -> None:
    unmarked, marked = (("claim", "blue", {"at": "I6"} | more) for more in ({}, {"as_played": True}))
    header = start_game().header
    sheets = [record(header, play_events(*steps)) for steps in ([unmarked], [marked], [marked, STANDS])]
    sides = [compare(sheet, sheet).a for sheet in sheets]
    assert [(side.status, side.illegal and side.illegal.n) for side in sides] == [
        ("illegal", 4),
        ("disputed", None),
        ("ruled", None),
    ]
    assert [side.disputed and side.disputed.n for side in sides] == [None, 4, None]
    fewer = record(header, play_events())
    words = "\n".join(map(str, comparison_words(compare(sheets[1], fewer))))
    assert "Event 4 is illegal and was played anyway: " in words
    assert words.count("Its events are legal.") == 1


def test_rulings_that_only_one_record_has_are_named() -> None:
    illegal = ("claim", "blue", {"at": "I6"})
    back, fine = (
        ("@ruling", "arbiter", {"about": 4, "name": "Mei", "reason": "it was late"} | more)
        for more in ({"kind": "takeback"}, {"kind": "penalty", "points": {"blue": -2}})
    )
    header = start_game().header
    stands, undone, both, same = (
        record(header, play_events(illegal, *rulings), path)
        for path, rulings in (("one", [STANDS]), ("two", [back]), ("both", [STANDS, fine]), ("x", [STANDS]))
    )
    found = compare(stands, undone)
    assert [(one.of, one.n, one.about, one.kind, one.name) for one in found.rulings] == [
        ("a", 5, 4, "stands", "Lena"),
        ("b", 5, 4, "takeback", "Mei"),
    ]
    words = [*map(str, comparison_words(found))]
    at = words.index("The rulings in force differ:")
    assert words[at + 1] == "  one, event 5: ruling of Lena about event 4, stands. Reason: both agreed."
    assert (
        words[at + 2]
        == "  two, event 5: ruling of Mei about event 4, takeback to the position before this event. Reason: it was late."
    )
    more = compare(stands, both)
    assert more.same
    assert [*map(str, comparison_words(more))][1:4] == [
        "The rulings in force differ:",
        "  one has no ruling that the other record lacks.",
        "  both, event 6: ruling of Mei about event 4, penalty (Rui -2). Reason: it was late.",
    ]
    assert compare(stands, same).rulings == ()


def test_the_shorter_record_has_no_event_at_the_difference() -> None:
    head, other, events = sheets()
    found = compare(record(head, events), record(other, events[:50], "b"))
    assert (found.agreed, found.first_difference, found.b.says, found.b.text) == (50, 51, None, "")
    extended = compare(record(head, events), record(head, events[:50]))
    assert extended.prefix_head == record(head, events).head_at(50)


@pytest.mark.parametrize("name", names())
def test_the_kind_of_the_first_difference_in_every_game(name: str) -> None:
    game = find(name)
    header, events = simulate_game(game, "part", 2, players=min(game.seats), dice="table")
    at = next(
        n for n in range(20, len(events)) if len({without_stamps(event) for event in events[n : n + 3]}) == 3
    )
    whole = record(header, events)

    def against(changed: list[Event]) -> Comparison:
        renumbered = [structs.replace(event, n=n, t=n) for n, event in enumerate(changed, 1)]
        return compare(whole, record(structs.replace(header, id="b"), renumbered, "b"))

    missing = against([*events[:at], *events[at + 1 :]])
    assert (missing.agreed, missing.kind) == (at, "missing in b")
    assert missing.a.says is not None
    twice = against([*events[: at + 1], events[at], *events[at + 1 :]])
    assert (twice.agreed, twice.kind) == (at + 1, "twice in b")
    swapped = against([*events[:at], events[at + 1], events[at], *events[at + 2 :]])
    assert (swapped.agreed, swapped.kind) == (at, "in another order")
    short = against(events[:at])
    assert (short.agreed, short.kind, short.b.says) == (at, "missing in b", None)
    assert against(events).same


@pytest.mark.parametrize("name", names())
def test_all_differences_are_listed_in_every_game_from_both_sides(name: str) -> None:
    game = find(name)
    header, events = simulate_game(game, "all", 3, players=min(game.seats), dice="table")
    places = [
        at
        for at in range(20, len(events) - 3)
        if len({without_stamps(event) for event in events[at - 1 : at + 3]}) == 4
    ]
    chosen = [at for at, before in zip(places[1:], places, strict=False) if at - before]
    gone, twice, swapped, changed = (next(at for at in chosen if at >= start) for start in (20, 30, 40, 50))
    other = next(
        event
        for event in events[60:]
        if without_stamps(event) not in map(without_stamps, events[changed - 5 : changed + 6])
    )
    lines = [
        *events[:gone],
        *events[gone + 1 : twice + 1],
        *events[twice:swapped],
        events[swapped + 1],
        events[swapped],
    ]
    lines += [*events[swapped + 2 : changed], other, *events[changed + 1 :]]
    sheet = [structs.replace(event, n=n, t=n) for n, event in enumerate(lines, 1)]
    a, b = record(header, events), record(structs.replace(header, id="b"), sheet, "b")
    found = compare(a, b)
    assert [(one.kind, one.a.n, one.b.n) for one in found.differences] == [
        ("missing in b", gone + 1, gone),
        ("twice in b", twice + 1, twice + 1),
        ("in another order", swapped + 1, swapped + 2),
        ("another", changed + 1, changed + 1),
    ]
    assert (found.kind, found.agreed, found.unlisted) == ("missing in b", gone, 0)
    for one in found.differences:
        assert (one.a.says is None, one.b.says is None) == (
            one.kind == "twice in b",
            one.kind == "missing in b",
        )
        assert all(entry.text for entry in (one.a, one.b) if entry.says), (
            "every event has a sentence, in every state of the sheet"
        )
    kinds = [one.kind for one in compare(b, a).differences]
    assert kinds == ["missing in a", "twice in a", "in another order", "another"]


def test_differences_beyond_the_maximum_are_only_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    head, other, events = sheets()
    ours = record(head, events)
    spoiled = [
        structs.replace(event, by="nobody") if event.n in (20, 40, 60, 80, 100) else event for event in events
    ]
    theirs = record(other, spoiled, "b")
    whole = compare(ours, theirs)
    assert ([one.a.n for one in whole.differences], whole.unlisted) == ([20, 40, 60, 80, 100], 0)
    monkeypatch.setattr("gamelog.dispute.compare.MAX_LISTED", 3)
    found = compare(ours, theirs)
    assert (found.differences, found.unlisted) == (whole.differences[:3], 2)


def test_at_most_ten_thousand_differences_are_listed() -> None:
    head, other, events = sheets()
    a, b = (
        [structs.replace(events[0], n=n, t=0, by=f"{side}{n}") for n in range(1, 10_002)] for side in "ab"
    )
    found = compare(record(head, a), record(other, b, "b"))
    assert (len(found.differences), found.unlisted) == (10_000, 1)


def test_differences_of_headers() -> None:
    head, other, events = sheets()
    tagged = structs.replace(other, tags=head.tags | {"round": "3"}, takebacks="agreed")
    differences = compare(record(head, events), record(tagged, events)).headers
    found = {one.member: (one.a, one.b) for one in differences}
    assert sorted(one.member for one in differences) == [
        "id",
        "seats.blue",
        "seats.red",
        "started",
        "tags.round",
        "takebacks",
    ]
    assert found["tags.round"] == (None, "3")
    assert found["seats.red"][1]["name"] == "RED"
    assert compare(record(head, events), record(head, events)).headers == ()


def test_the_order_of_dice_in_a_hand_is_not_a_difference() -> None:
    from gamelog.games.slicewars.events import Battle

    head, other, events = sheets()
    turned = [
        structs.replace(event, attack=event.attack[::-1], defence=event.defence[::-1])
        if isinstance(event, Battle)
        else event
        for event in events
    ]
    assert turned != events
    found = compare(record(head, events), record(other, turned))
    assert (found.same, found.differences, found.a.play) == (True, (), found.b.play)


def test_the_order_of_members_is_not_a_difference() -> None:
    from gamelog.games.slicewars.events import StartRoll

    head, other, events = sheets()
    turned = [
        structs.replace(event, rolls=dict(reversed(event.rolls.items())))
        if isinstance(event, StartRoll)
        else event
        for event in events
    ]
    a, b = record(head, events), record(other, turned)
    assert a.bodies != b.bodies
    found = compare(a, b)
    assert (found.same, found.a.play) == (True, found.b.play)
    red_first, blue_first = (
        StartRoll(0, 0, "table", rolls) for rolls in ({"red": 6, "blue": 5}, {"blue": 5, "red": 6})
    )
    assert as_numbers([red_first, red_first], [blue_first]) == ([0, 0], [0]), (
        "also in a game without a canonical order"
    )


def without_stamps(event: Event) -> str:
    return repr(structs.replace(event, n=0, t=0))


def test_an_agreed_end_is_part_of_the_game() -> None:
    head, other, events = sheets()
    result = Outcome(("red",), "late hour")
    agreed = [
        *events[:60],
        Agree(61, events[59].t, "red", result=result),
        Accept(62, events[59].t, "blue", about=61),
    ]
    noted = [Note(1, 0, "table", text="x"), *renumber(events[:60], 1)]
    later = [
        *noted,
        Agree(62, events[59].t, "blue", result=result),
        Accept(63, events[59].t, "red", about=62),
    ]
    found = compare(record(head, agreed), record(other, later))
    assert (found.same, found.agreed) == (True, 61)
    assert found.a.play == found.b.play
    found = compare(record(head, agreed), record(other, noted))
    assert (found.same, found.kind) == (False, "missing in b")
    assert (
        found.a.text
        == "random blue accepts the offer of event 61. The game is over. Winner: random red (late hour)."
    )
    assert found.a.play != found.b.play
    merged = parse_record(merge(record(head, agreed), record(other, later), "m"))
    assert len(merged.bodies) == 60


def signed_by(head: Header, events: list[Event], at: int, t: int) -> tuple[Record, Seal]:
    """Return the record of `events`, and blue's seal of the first `at` events."""
    signer = Signer.of("rui", bytes(32))
    seats = tuple(
        structs.replace(seat, key=str(signer.key)) if seat.seat == "blue" else seat for seat in head.seats
    )
    made = record(structs.replace(head, seats=seats), events)
    assert made.header is not None
    return made, make_seal(made.header, at, made.head_at(at), "blue", t, signer)


def test_who_has_the_later_seal() -> None:
    head, other, events = sheets()
    mine, early = signed_by(head, events[:60], 40, 1_000)
    _, late = signed_by(head, events[:60], 60, 2_000)
    theirs = record(other, events[:50], "b")
    found = compare(mine, theirs, [early])
    assert found.later == "a"
    (one,) = found.a.sealed
    assert (one.seat, one.n, one.covers, found.b.sealed) == ("blue", 40, False, ())
    found = compare(mine, theirs, [late, early])
    assert [(one.n, one.covers) for one in found.a.sealed] == [(40, False), (60, True)]
    assert compare(theirs, mine, [late]).later == "b"
    same = compare(mine, record(other, events[:60], "b"), [early])
    assert [str(line) for line in comparison_words(same)][:2] == [
        "a and b: the same game, 60 decisions and dice.",
        "  a: blue signed all events up to event 40 on 2026-01-01T00:00:01.000Z.",
    ]
    assert compare(theirs, record(head, events[:60]), [late]).later is None, (
        "the record does not extend the seal"
    )


def test_seals_with_the_same_time_are_ordered_by_their_events() -> None:
    head, other, events = sheets()
    signer = Signer.of("both", bytes(32))
    keyed = structs.replace(
        head, seats=tuple(structs.replace(seat, key=str(signer.key)) for seat in head.seats)
    )
    mine = record(keyed, events[:60])
    blues, reds = (
        make_seal(keyed, n, mine.head_at(n), seat, 1_000, signer) for seat, n in (("blue", 60), ("red", 40))
    )
    found = compare(mine, record(other, events[:50]), [blues, reds])
    assert [(one.seat, one.n) for one in found.a.sealed] == [("red", 40), ("blue", 60)]


def test_a_signature_in_the_record_counts_if_it_is_valid() -> None:
    head, other, events = sheets()
    mine, seal = signed_by(head, events[:60], 60, events[59].t)
    assert mine.header is not None
    valid = Sign(61, events[59].t, "blue", seat="blue", key=str(seal.key), sig=seal.sig)
    found = compare(record(mine.header, [*events[:60], valid]), record(other, events[:50]))
    assert [(one.seat, one.n, one.covers) for one in found.a.sealed] == [("blue", 60, True)]
    assert found.later == "a"
    forged = structs.replace(valid, sig=seal.sig[:-8] + "AAAAAAA=")
    assert compare(record(mine.header, [*events[:60], forged]), record(other, events[:50])).a.sealed == ()


def test_reasons_why_headers_belong_to_different_games() -> None:
    def reason(a: Header, b: Header) -> str:
        return str(game_difference(a, b))

    head, other, _ = sheets()
    assert game_difference(head, other) is None
    changed = {name: structs.replace(head, **{name: "x"}) for name in ("game", "rules", "board")}
    for (name, header), several in zip(changed.items(), ("games", "rules", "boards"), strict=True):
        ours = getattr(head, name)
        assert reason(head, header) == f'the {several} are "{ours}" and "x"'
        assert reason(header, head) == f'the {several} are "x" and "{ours}"'
    rules = structs.replace(head, options=head.options | {"max_rounds": 7})
    assert (
        reason(head, rules) == f"the options are different (max_rounds: {head.options['max_rounds']} and 7)"
    )
    more = structs.replace(rules, options=rules.options | {"pie": [1] * 200})
    assert reason(rules, more) == f"the options are different (pie: not given and [{'1,' * 39}1…)"
    strange = [
        structs.replace(head, options=dict.fromkeys("abcdefghi"[:count], 1))
        for count in (0, MAX_OPTIONS, MAX_OPTIONS + 1)
    ]
    assert reason(strange[0], strange[1]).endswith("; d: not given and 1)")
    assert reason(strange[0], strange[2]).endswith("; d: not given and 1; …)")
    boards = [structs.replace(head, board={"cells": ["a"] * 99 + [name]}) for name in ("red", "blue")]
    one, two = reason(*boards).removeprefix("the boards are ").split(" and ")
    assert (one != two, '"red"' in one, '"blue"' in two) == (True, True, True)
    assert reason(head, whole(3)[0]) == "the seats are red, blue and red, blue, yellow"


def test_a_record_that_cannot_be_folded_is_not_compared() -> None:
    head, other, events = sheets()
    strange = record(structs.replace(other, game="nosuch"), events, "b")
    for pair in ((record(head, events), strange), (strange, record(head, events))):
        with pytest.raises(PlayError, match=r"^Cannot compare b: .*nosuch"):
            compare(*pair)


def test_other_options_or_seats_are_other_games() -> None:
    head, _, events = sheets()
    options = structs.replace(head, options=head.options | {"max_rounds": 7})
    found = compare(record(head, events), record(options, events[:10]))
    assert (found.same, found.first_difference) == (False, 0)
    assert "the options are different" in found.plain()["why"]
    three, played = whole(3)
    assert (
        str(compare(record(head, events), record(three, played)).why)
        == "the seats are red, blue and red, blue, yellow"
    )
    differ = re.escape(str(game_difference(head, options)))
    with pytest.raises(PlayError, match=rf"^These records are of different games: {differ}\.$"):
        merge(record(head, events), record(options, events[:10]), "m")

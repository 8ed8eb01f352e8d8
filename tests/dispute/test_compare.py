"""Two score sheets of one game, and branches."""

from collections.abc import Callable

import pytest
from msgspec import structs

from gamelog.dispute.branch import branch
from gamelog.dispute.compare import compare, merge
from gamelog.errors import PlayError
from gamelog.play.common import Note, Takeback
from gamelog.play.driver import simulate
from gamelog.play.game import AnyGame
from gamelog.play.registry import find, names
from gamelog.play.verify import replay, verdict
from gamelog.record.compose import compose
from gamelog.record.envelope import Event, Header
from gamelog.record.reading import Record, parse
from tests.play.tables import GAME, moved, whole


def record(header: Header, events: list[Event], path: str = "a") -> Record:
    return parse(compose(header, events)[0], path)


def sheets() -> tuple[Header, Header, list[Event]]:
    head, events = whole()
    people = tuple(structs.replace(seat, name=seat.seat.upper()) for seat in head.seats)
    return head, structs.replace(head, id="other", seats=people, started="2026-02-02T02:02:02Z"), events


def test_times_notes_names_keys_and_takebacks_are_no_differences() -> None:
    head, other, events = sheets()
    slower = [structs.replace(event, t=event.t + 999, id=f"k{event.n}") for event in events]
    noted = [*slower[:20], Note(21, slower[19].t, "red", text="hm"), *moved(slower[20:], 1)]
    found = compare(record(head, events), record(other, noted, "b"))
    assert (found.same, found.agreed, found.first_difference, found.prefix_head) == (True, len(events), None, None)
    assert found.a.play == found.b.play
    wrong = next(one for one in GAME.legal(_state(head, events, 30)).events if one != _proposed(events[30]))
    mistaken = structs.replace(wrong, n=31, t=events[30].t)
    corrected = [*events[:30], mistaken, Takeback(32, events[30].t, "table", to=30), *moved(events[30:], 2)]
    assert compare(record(head, events), record(other, corrected)).same


def _state(head: Header, events: list[Event], n: int):  # type: ignore[no-untyped-def]
    fold = replay(record(head, events)).fold
    assert fold is not None
    return fold.states[n]


def _proposed(event: Event) -> Event:
    return structs.replace(event, n=0, t=0)


def test_the_first_difference_is_told_with_both_sides_and_their_legality() -> None:
    head, other, events = sheets()
    claims = [event for event in events if event.__struct_config__.tag == "claim"]
    spoiled = structs.replace(events[20], at=claims[0].at)  # type: ignore[call-arg]
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


def test_the_shorter_of_two_has_no_more_to_say() -> None:
    head, other, events = sheets()
    found = compare(record(head, events), record(other, events[:50], "b"))
    assert (found.agreed, found.first_difference, found.b.says, found.b.text) == (50, 51, None, "")
    extended = compare(record(head, events), record(head, events[:50]))
    assert extended.prefix_head == record(head, events).head_at(50)


def test_other_options_or_seats_are_other_games() -> None:
    head, _, events = sheets()
    options = structs.replace(head, options=head.options | {"max_rounds": 7})
    found = compare(record(head, events), record(options, events[:10]))
    assert (found.same, found.first_difference) == (False, 0)
    assert "options" in found.why
    three, played = whole(3)
    assert "seats" in compare(record(head, events), record(three, played)).why
    with pytest.raises(PlayError):
        merge(record(head, events), record(options, events[:10]), "m")


def test_the_agreed_line_is_merged_with_both_parents() -> None:
    head, other, events = sheets()
    a, b = record(head, events), record(other, [Note(1, 0, "table", text="x"), *moved(events[:60], 1)], "b")
    made = parse(merge(a, b, "merged"))
    assert verdict(replay(made)).status == "ok"
    assert len(made.bodies) == 60
    assert made.header is not None
    assert [(parent.id, parent.n, parent.head) for parent in made.header.parents] == [
        (head.id, 60, a.head_at(60)),
        ("other", 61, b.head_at(61)),
    ]


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("dice", ["table", "seeded"])
def test_a_branch_of_any_game_verifies_and_goes_on(name: str, dice: str) -> None:
    game: AnyGame = find(name)
    header, events = simulate(game, "branch", 1, players=min(game.seats), dice=dice)
    parent = record(header, events)
    child = parse(branch(parent, 40, "child"))
    judged = replay(child)
    assert verdict(judged).status == "ok"
    assert judged.fold is not None
    assert judged.fold.states == replay(parent).fold.states[:41]  # type: ignore[union-attr]
    assert child.bodies == parent.bodies[:40]
    assert child.header is not None
    assert [(one.id, one.n, one.head) for one in child.header.parents] == [(header.id, 40, parent.head_at(40))]
    grandchild = parse(branch(child, 20, "grandchild"))
    assert verdict(replay(grandchild)).status == "ok"
    assert grandchild.header is not None
    assert [(one.id, one.n) for one in grandchild.header.parents] == [(header.id, 20), ("child", 20)]


def test_a_branch_keeps_what_the_header_holds_for_others() -> None:
    from gamelog.dispute.branch import rechain

    head, events = whole()
    plain = record(head, events)
    carried = b'"club":"Rook",' + plain_header(plain)
    parent = parse(rechain([carried, *plain.bodies]))
    child = parse(branch(parent, 5, "child"))
    assert child.members["club"] == "Rook"


def plain_header(plain: Record) -> bytes:
    import msgspec

    return msgspec.json.encode({name: value for name, value in plain.members.items() if name != "h"})[1:] + b"\n"


def _beyond(parent: Record) -> int:
    return len(parent.bodies) + 1


@pytest.mark.parametrize("at", [lambda _: -1, _beyond])
def test_there_is_no_branch_from_nowhere(at: Callable[[Record], int]) -> None:
    head, events = whole()
    parent = record(head, events)
    with pytest.raises(PlayError, match="no good event"):
        branch(parent, at(parent), "child")
    illegal = record(head, [*events[:9], structs.replace(events[9], by="table"), *events[10:]])
    with pytest.raises(PlayError, match="the last is 9"):
        branch(illegal, 10, "child")

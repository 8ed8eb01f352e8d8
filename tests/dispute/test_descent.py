"""Tests of the parents that the headers of branches and merged records name."""

from collections.abc import Callable

import pytest
from msgspec import structs

from gamelog.dispute.branch import branch
from gamelog.dispute.merging import merge
from gamelog.dispute.parents import ParentCheck, compare_parent, compare_parents
from gamelog.errors import PlayError
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.common_events import Note, Ruling
from gamelog.play.fold.parts.ancestry import last_inherited
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import Parent
from gamelog.record.reading import Record, parse_record
from tests.dispute.sheets import record, sheets
from tests.play.tables import GAME, not_none, renumber, whole


def test_the_agreed_line_is_merged_with_both_parents() -> None:
    head, other, events = sheets()
    a, b = (
        record(head, events),
        record(other, [Note(1, 0, "table", text="x"), *renumber(events[:60], 1)], "b"),
    )
    made = parse_record(merge(a, b, "merged"))
    assert verdict(fold_record(made)).status == "ok"
    assert len(made.bodies) == 60
    assert made.header is not None
    assert made.header.parents == (
        Parent(head.id, 60, a.head_at(60), merged=True),
        Parent("other", 61, b.head_at(61), merged=True),
    )
    assert last_inherited(made.header) == 0, "a merged record has none of their lines and signatures"
    for name, parent, n in ((head.id, a, 60), ("other", b, 61)):
        found = compare_parent(made, parent)
        assert found == ParentCheck(name, n, parent.head_at(n), found.shared)
        assert str(found.shared) == f"the 60 decisions and dice of the first {n} events"
        plain = {"id": name, "n": n, "head": parent.head_at(n), "shared": str(found.shared)}
        assert found.plain() == plain | {"objection": None, "code": None}
    spoiled = record(made.header, [*events[:30], *renumber(events[31:60], -1)], "spoiled")
    assert "decision or roll 31 is not the same as in a" in str(compare_parent(spoiled, a).objection)
    cut = record(made.header, events[:20], "cut")
    assert "decision or roll 21 is not the same as in a" in str(compare_parent(cut, a).objection)


def test_records_with_recomputed_dice_are_not_merged() -> None:
    head, other, events = sheets()
    seeded, rolled = simulate_game(GAME, "merging", 1, players=2, dice="seeded")
    a, b = record(head, events), record(structs.replace(seeded, options=head.options), rolled, "b")
    c = record(structs.replace(seeded, options=head.options, id="c"), rolled, "c")
    for pair in ((a, b), (b, a), (b, c)):
        with pytest.raises(PlayError, match="dice rolled at the table"):
            merge(*pair, "m")
    assert merge(a, record(other, events[:9]), "m")
    shorter = record(structs.replace(seeded, options=head.options), rolled[:9], "b")
    assert parse_record(merge(b, shorter, "m")).heads == b.heads, "copies of one record stay this record"


def test_merged_events_have_no_idempotency_keys() -> None:
    head, other, events = sheets()
    keyed = [structs.replace(event, id=f"k{event.n}") for event in events]
    made = fold_record(parse_record(merge(record(head, keyed), record(other, events), "m")))
    assert [event.id for event in made.events] == [None] * len(events)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("dice", ["table", "seeded"])
def test_a_branch_of_any_game_is_valid_and_can_be_branched_again(name: str, dice: str) -> None:
    game: AnyGame = find(name)
    header, events = simulate_game(game, "branch", 1, players=min(game.seats), dice=dice)
    parent = record(header, events)
    child = parse_record(branch(parent, 40, "child"))
    judged = fold_record(child)
    assert verdict(judged).status == "ok"
    assert judged.fold is not None
    assert judged.fold.states == not_none(fold_record(parent).fold).states[:41]
    assert child.bodies == parent.bodies[:40]
    assert child.header is not None
    assert [(one.id, one.n, one.head) for one in child.header.parents] == [
        (header.id, 40, parent.head_at(40))
    ]
    grandchild = parse_record(branch(child, 20, "grandchild"))
    assert verdict(fold_record(grandchild)).status == "ok"
    assert grandchild.header is not None
    assert grandchild.header.parents == (
        Parent(header.id, 20, parent.head_at(20)),
        Parent("child", 20, child.head_at(20)),
    )
    for ancestor in (parent, child):
        assert str(compare_parent(grandchild, ancestor).shared) == "the first 20 events, byte for byte"


def test_a_branch_keeps_unknown_members_of_the_header() -> None:
    from gamelog.dispute.branch import rechain

    head, events = whole()
    plain = record(head, events)
    carried = b'"club":"Rook",' + plain_header(plain)
    parent = parse_record(rechain([carried, *plain.bodies]))
    child = parse_record(branch(parent, 5, "child"))
    assert child.members["club"] == "Rook"


def plain_header(plain: Record) -> bytes:
    import msgspec

    return (
        msgspec.json.encode({name: value for name, value in plain.members.items() if name != "h"})[1:] + b"\n"
    )


def _beyond(parent: Record) -> int:
    return len(parent.bodies) + 1


@pytest.mark.parametrize("at", [lambda _: -1, _beyond])
def test_a_branch_needs_a_good_event(at: Callable[[Record], int]) -> None:
    head, events = whole()
    parent = record(head, events)
    with pytest.raises(PlayError, match="no valid event"):
        branch(parent, at(parent), "child")
    illegal = record(head, [*events[:9], structs.replace(events[9], by="table"), *events[10:]])
    with pytest.raises(PlayError, match="The last valid event is 9"):
        branch(illegal, 10, "child")


def test_the_parent_of_a_branch_is_checked_against_the_header() -> None:
    head, events = whole()
    parent = record(head, events, "p")
    child = parse_record(branch(parent, 40, "child"), "c")
    assert compare_parent(child, parent).objection is None
    cut, changed = (
        record(head, events[:30], "cut"),
        record(head, [*events[:9], Note(10, events[9].t, "red", text="x")], "changed"),
    )
    longer = record(
        head, [*events[:39], structs.replace(events[39], t=events[39].t + 1), *events[40:50]], "longer"
    )
    stranger = record(structs.replace(head, id="stranger"), events, "stranger")
    other_options = record(
        structs.replace(head, options=head.options | {"max_rounds": 7}), events[:45], "options"
    )
    for parent_given, text in (
        (cut, "ends with event 30"),
        (changed, "ends with event 10"),
        (longer, "one of the records was changed"),
        (stranger, "is not a parent of this record"),
        (other_options, "the options are different"),
    ):
        found = compare_parent(child, parent_given)
        assert found.shared is None
        assert text in str(found.objection), parent_given.path
    assert child.header is not None
    edited = record(
        child.header,
        [*events[:20], structs.replace(events[20], t=events[20].t - 1), *events[21:40]],
        "edited",
    )
    assert "event 21 is not the same as in p" in str(compare_parent(edited, parent).objection)
    shorter = compare_parent(record(child.header, events[:30]), parent)
    assert "event 31 is not the same as in p" in str(shorter.objection)


def test_parents_whose_header_cannot_be_rebuilt() -> None:
    from gamelog.dispute.branch import rechain

    for dice, left in (("table", 1), ("seeded", None)):
        header, events = simulate_game(GAME, "foreign", 1, players=2, dice=dice)
        plain = record(header, events)
        spaced = parse_record(
            rechain([plain_header(plain).replace(b'"game":', b'"game": '), *plain.bodies]), "spaced"
        )
        child = parse_record(branch(spaced, 40, "child"), "c")
        assert verdict(fold_record(child)).status == "ok"
        if left is None:
            with pytest.raises(PlayError, match="Make the branch from that record at event 20"):
                branch(child, 20, "grandchild")
            continue
        grandchild = parse_record(branch(child, 20, "grandchild"))
        assert grandchild.header is not None
        assert [one.id for one in grandchild.header.parents] == ["child"]


def test_a_branch_is_refused_if_it_needs_a_later_ruling() -> None:
    head, events = whole()
    wrong = structs.replace(events[9], by="blue" if events[9].by == "red" else "red")
    ruling = Ruling(11, events[9].t, "arbiter", 10, "takeback", "not his turn", "Mei")
    ruled = record(head, [*events[:9], wrong, ruling])
    assert verdict(fold_record(ruled)).status == "ruled"
    with pytest.raises(PlayError, match="are not valid without the later events"):
        branch(ruled, 10, "child")
    other = "blue" if events[5].by == "red" else "red"
    before = [structs.replace(events[5], by=other), structs.replace(ruling, n=7, about=6, t=events[5].t)]
    twice = record(
        head, [*events[:5], *before, *renumber([*events[5:9], wrong, structs.replace(ruling, about=12)], 2)]
    )
    assert verdict(fold_record(twice)).status == "ruled"
    with pytest.raises(
        PlayError, match=r"without the later events: it is random \w+'s turn, not random \w+'s\.$"
    ):
        branch(twice, 12, "child")
    assert verdict(fold_record(parse_record(branch(ruled, 11, "child")))).status == "ruled"
    assert verdict(fold_record(parse_record(branch(ruled, 9, "child")))).status == "ok"


def test_only_a_branch_of_a_commit_reveal_record_has_other_dice_than_its_parent() -> None:
    header, events = simulate_game(GAME, "dice", 1, players=2, dice="commit-reveal")
    parent = record(header, events)
    child = parse_record(branch(parent, 40, "child"))
    assert str(compare_parent(child, parent).shared) == "the first 40 events, byte for byte"
    seeded, rolled = simulate_game(GAME, "dice", 1, players=2, dice="seeded")
    parent = record(seeded, rolled, "p")
    honest = parse_record(branch(parent, 40, "child"))
    other = structs.replace(not_none(honest.header), dice=structs.replace(seeded.dice, seed="another"))
    found = compare_parent(record(other, rolled[:40], "c"), parent)
    assert "dice in the header is not the same as in p" in str(found.objection)


def test_a_parent_that_was_not_given_is_named_as_branched_or_merged() -> None:
    head, other, events = sheets()
    a, b = record(head, events), record(other, events[:50], "b")
    merged, branched = parse_record(merge(a, b, "m")), parse_record(branch(a, 40, "child"))
    for child, how in (
        (merged, "this record was merged from record "),
        (branched, "this record continues record "),
    ):
        assert all(str(found.objection).startswith(how) for found, _ in compare_parents(child, []))
        assert [(found.id, found.n, found.head) for found, _ in compare_parents(child, [])] == [
            (parent.id, parent.n, parent.head) for parent in not_none(child.header).parents
        ]

"""Tests of branches: a branch names each parent with its head at the last shared event."""

from __future__ import annotations

import pytest
from msgspec import structs

from gamelog.dispute.branch import branch
from gamelog.dispute.compare import compare
from gamelog.dispute.game_difference import game_difference
from gamelog.dispute.parents import ParentCheck, compare_parent
from gamelog.errors import PlayError
from gamelog.message import Message
from gamelog.play.fold.common_events import Claim, Sign
from gamelog.play.fold.parts.ancestry import Ancestry
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording.series import simulate_game
from gamelog.play.recording.signing import make_seal
from gamelog.record.envelope import Event, Header, Parent
from gamelog.record.reading import Record, parse_record
from gamelog.record.record_file import compose
from gamelog.record.seal import Signer
from tests.play.tables import GAME, whole


def record(header: Header, events: list[Event], path: str = "a") -> Record:
    return parse_record(compose(header, events)[0], path)


def branched(parent: Record, n: int, name: str) -> Record:
    return parse_record(branch(parent, n, name), name)


def parents(child: Record) -> list[Parent]:
    assert child.header is not None
    return list(child.header.parents)


@pytest.fixture(scope="module")
def first() -> Record:
    return record(structs.replace(whole()[0], id="A"), whole()[1])


@pytest.mark.parametrize("n", [0, 1, 40])
def test_a_branch_names_its_parent_and_shares_its_lines(first: Record, n: int) -> None:
    child = branched(first, n, "B")
    assert parents(child) == [Parent("A", n, first.head_at(n))]
    assert child.bodies == first.bodies[:n]
    shared = Message.of("the first {n} {n:event|events}, byte for byte", n=n)
    assert compare_parent(child, first) == ParentCheck("A", n, first.head_at(n), shared)
    assert verdict(fold_record(child)).valid


@pytest.mark.parametrize(("second", "third"), [(40, 60), (40, 40), (60, 40)])
def test_three_generations_after_at_and_before_the_fork(first: Record, second: int, third: int) -> None:
    b = branched(first, second, "B")
    longer = parse_record(b"".join([branch(first, second, "B"), *_lines(b, first, second)]), "B")
    assert verdict(fold_record(longer)).valid
    c = branched(longer, third, "C")
    assert parents(c) == [
        Parent("A", min(second, third), first.head_at(min(second, third))),
        Parent("B", third, longer.head_at(third)),
    ]
    for ancestor in (first, longer):
        assert compare_parent(c, ancestor).objection is None


def test_the_lines_of_sixteen_ancestors_are_proved(first: Record) -> None:
    """Each event was recorded in another record first."""
    child = first
    for n in range(1, 18):
        data = branch(child, n, f"G{n}")
        child = parse_record(b"".join([data, *_lines(parse_record(data), first, n)]), f"G{n}")
    assert child.header is not None
    ancestry = Ancestry(child.header, child)
    assert [ancestry.head_before(n) is not None for n in range(1, 18)] == [True] * 16 + [False]


def test_a_parent_is_left_out_if_its_header_cannot_be_rebuilt(first: Record) -> None:
    """B names A at event 60 and C names A at event 50. The header of D names A only at event 45."""
    b = branched(first, 60, "B")
    c = branched(b, 50, "C")
    d = branched(c, 45, "D")
    e = branched(d, 20, "E")
    assert parents(d) == [Parent("A", 45, first.head_at(45)), Parent("C", 45, c.head_at(45))]
    assert parents(e) == [Parent("A", 20, first.head_at(20)), Parent("D", 20, d.head_at(20))]
    for ancestor in (first, d):
        assert compare_parent(e, ancestor).objection is None
    assert "is not a parent of this record" in str(compare_parent(e, b).objection)


def test_an_objection_names_the_parent_as_the_header_does(first: Record) -> None:
    """The branch continues A after event 40. A was cut, changed or is another game, or the branch was cut."""
    child, events = branched(first, 40, "B"), whole()[1]
    assert first.header is not None and child.header is not None
    later = [structs.replace(event, t=event.t + 1) for event in events]
    other = structs.replace(first.header, options=first.header.options | {"max_rounds": 7})
    pairs = {
        "the header names event 40 of a, but a ends with event 30": (
            child,
            record(first.header, events[:30]),
        ),
        "the head at event 40 is ": (child, record(first.header, later)),
        f"a is a record of another game: {game_difference(child.header, other)}": (
            child,
            record(other, events),
        ),
        "event 31 is not the same as in a": (record(child.header, events[:30]), first),
    }
    for objection, (here, there) in pairs.items():
        found = compare_parent(here, there)
        assert (found.id, found.n, found.head, found.shared) == ("A", 40, first.head_at(40), None), objection
        assert objection in str(found.objection)
    strange = compare_parent(child, record(structs.replace(first.header, id="Z"), events))
    assert (strange.id, strange.n, strange.head, strange.shared) == ("Z", 0, "", None)
    assert str(strange.objection).endswith(
        "is record Z, which is not a parent of this record; its parents are A"
    )


def _lines(child: Record, parent: Record, n: int) -> list[bytes]:
    """Return the events of `parent` after event `n`, as lines that continue `child`."""
    from gamelog.record import chain

    assert child.head is not None
    head, lines = child.head.encode(), []
    for body in parent.bodies[n : n + 30]:
        line, head = chain.chained_line(head, body)
        lines.append(line)
    return lines


def test_no_branch_continues_after_an_illegal_event(first: Record) -> None:
    assert first.header is not None
    events = list(whole()[1][:40])
    bad = structs.replace(events[30], by="nobody")
    failing = record(first.header, [*events[:30], bad, *events[31:]])
    assert len(branched(failing, 30, "B").bodies) == 30
    with pytest.raises(
        PlayError, match=r"a has no valid event 31. The last valid event is 30: \"nobody\" has no seat"
    ):
        branch(failing, 31, "B")
    with pytest.raises(PlayError, match=r"no valid event -1"):
        branch(failing, -1, "B")


def test_the_refusal_of_a_missing_event_does_not_quote_a_warning(first: Record) -> None:
    assert first.header is not None
    events = list(whole()[1][:40])
    claimed = record(first.header, [*events, Claim(41, events[-1].t, "red", text="no")])
    with pytest.raises(PlayError, match=r"a has no valid event 42\. The last valid event is 41\.$"):
        branch(claimed, 42, "B")


def test_a_branch_after_a_signature_keeps_it_and_a_branch_before_it_does_not(first: Record) -> None:
    assert first.header is not None
    signer = Signer.of("ana", bytes(32))
    head = structs.replace(
        first.header,
        seats=tuple(structs.replace(seat, key=str(signer.key)) for seat in first.header.seats[:1])
        + first.header.seats[1:],
    )
    events = list(whole()[1][:40])
    before = record(head, events)
    seal = make_seal(head, 40, before.head_at(40), "red", events[-1].t, signer)
    sign = Sign(41, events[-1].t, "red", seat="red", key=str(seal.key), sig=seal.sig)
    with_sign = record(head, [*events, sign])
    assert verdict(fold_record(with_sign)).status == "ok"
    at = branched(with_sign, 41, "B")
    judged = verdict(fold_record(at))
    assert (judged.status, [found.code for found in judged.findings]) == ("ok", ["sign.doubt"])
    sides = compare(with_sign, at)
    assert [(one.seat, one.n) for one in sides.a.sealed] == [("red", 40)]
    assert sides.b.sealed == (), "red signed the record that was branched, and not the branch"
    assert not verdict(fold_record(branched(with_sign, 40, "B"))).findings


def test_seeded_dice_continue_after_the_fork() -> None:
    head, events = simulate_game(GAME, "branches", 1, players=2, dice="seeded")
    parent = record(head, events)
    child = branched(parent, 60, "B")
    assert verdict(fold_record(child)).status == "ok"
    assert parents(child) == [Parent(head.id, 60, parent.head_at(60))]


def test_a_branch_of_a_commit_reveal_record_has_dice_of_the_table() -> None:
    """The players may know the secrets of the parent, and so its future rolls."""
    head, events = simulate_game(GAME, "branches", 1, players=2, dice="commit-reveal")
    parent = record(head, events)
    child = branched(parent, 60, "B")
    assert child.header is not None
    assert (parent.members["dice"]["source"], child.members["dice"]) == ("commit-reveal", {"source": "table"})
    assert verdict(fold_record(child)).status == "ok"

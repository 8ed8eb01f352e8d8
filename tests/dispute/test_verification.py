"""Tests of proofs: a record is proved only if all checks were made and none failed, whatever a forger writes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from gamelog.dispute.branch import branch, rechain
from gamelog.dispute.merging import merge
from gamelog.dispute.parents import MAX_PARENTS
from gamelog.dispute.verification import Proof, prove
from gamelog.play.fold import common_events
from gamelog.play.recording.series import simulate_game
from gamelog.play.recording.signing import make_seal
from gamelog.record.encoding import encode_line
from gamelog.record.envelope import DiceSpec, Event, Header, Parent
from gamelog.record.reading import Record, parse_record, read_record
from gamelog.record.seal import Key, Seal, Signer
from tests.dispute.sheets import record, sheets
from tests.play.tables import GAME, header, not_none, whole
from tests.play.test_signatures import (
    ANA,
    BOTH,
    OLD,
    RUI,
    forge_game,
    header_with_keys,
    renumber,
    sign_game,
    signature,
    under,
)

MALLORY = Signer.of("mallory", b"mallory!" * 4)
SIGNED = sign_game(header_with_keys(), BOTH)
LAST = len(SIGNED)


def codes(proof: Proof) -> list[str]:
    """Return the codes of all objections. A proof without a problem holds if there are none."""
    assert proof.holds is (proof.problem is None and not proof.objections)
    return [one.code for one in proof.objections]


def seal(made: Record, signer: Signer, seat: str) -> tuple[str, Seal]:
    """Return a path, and a seal of all events of `made`."""
    assert made.header is not None
    return "it.seal", make_seal(made.header, len(made.bodies), not_none(made.head), seat, 0, signer)


def mallorys(head: Header) -> Header:
    """Return the header with Mallory's key for all seats."""
    seats = tuple(structs.replace(one, key=str(MALLORY.key)) for one in head.seats)
    return structs.replace(head, seats=seats)


def _edited(events: list[Event]) -> list[Event]:
    return [*events[:3], structs.replace(events[3], t=events[3].t + 1), *events[4:]]


FORGERIES: dict[str, tuple[Callable[[], Record], list[str]]] = {
    "an edited event": (lambda: record(header_with_keys(), forge_game()), ["sign.forged"]),
    "an invented parent": (
        lambda: record(under(header_with_keys(), Parent("x", LAST, "A" * 43)), forge_game()),
        ["sign.unchecked", "sign.unchecked", "parent.unchecked"],
    ),
    "an invented merged parent": (
        lambda: record(under(header_with_keys(), Parent("x", LAST, "A" * 43, merged=True)), forge_game()),
        ["sign.forged", "parent.unchecked"],
    ),
    "a parent that is named twice": (
        lambda: record(
            under(header_with_keys(), *[Parent("x", n, "A" * 43) for n in (3, LAST)]), forge_game()
        ),
        ["sign.unchecked", "sign.unchecked", "parent.unchecked", "parent.unchecked"],
    ),
    "a parent with more events than there are": (
        lambda: record(under(header_with_keys(), Parent("x", 10**6, "A" * 43)), forge_game()),
        ["sign.unchecked", "parent.unchecked"],
    ),
    "more parents than are checked": (
        lambda: record(
            under(header_with_keys(), *[Parent(f"x{n}", LAST - 40 + n, "A" * 43) for n in range(41)]),
            forge_game(),
        ),
        ["sign.unchecked", "sign.unchecked", *["parent.unchecked"] * 41],
    ),
    "no key in the header": (
        lambda: record(header(), sign_game(header(), {"red": MALLORY})),
        ["sign.doubt"],
    ),
    "a key that no header names, with a matching parent": (
        lambda: parse_record(branch(record(header(), sign_game(header(), {"red": MALLORY})), LAST - 1, "b")),
        ["sign.doubt", "parent.unchecked"],
    ),
    "the arbiter's signature, whose key no header names": (
        lambda: record(header_with_keys(), sign_game(header_with_keys(), {"arbiter": MALLORY})),
        ["sign.doubt"],
    ),
    "a signature after an illegal event": (
        lambda: record(header_with_keys(), renumber([*SIGNED[:3], SIGNED[2], *SIGNED[3:]])),
        ["sign.unchecked"],
    ),
    "the same, with its tag disguised": (
        lambda: _respelled(record(header_with_keys(), renumber([*SIGNED[:3], SIGNED[2], *SIGNED[3:]]))),
        ["sign.unchecked"],
    ),
    "a line that two readers read differently": (
        lambda: _with_line(b'"do":"claim","do":"@sign","n":%d,"t":0,"by":"red","at":"A1"}\n' % (LAST + 1)),
        ["record.json"],
    ),
    "a line that is not an event": (lambda: _with_line(b'"n":%d}\n' % (LAST + 1)), ["record.members"]),
    "a line with another number": (
        lambda: record(header_with_keys(), [*SIGNED[:-1], structs.replace(SIGNED[-1], n=3)]),
        ["record.sequence"],
    ),
    "a game that is not installed": (
        lambda: record(structs.replace(header_with_keys(), game="nogame"), SIGNED),
        ["sign.unchecked"],
    ),
}


def _with_line(body: bytes) -> Record:
    return _bodies(record(header_with_keys(), SIGNED), body)


def _bodies(made: Record, *more: bytes) -> Record:
    return parse_record(rechain([made.opening, *made.bodies, *more]))


def _respelled(made: Record) -> Record:
    return parse_record(
        rechain([made.opening, *(body.replace(b'"@sign"', b'"\\u0040sign"') for body in made.bodies)])
    )


@pytest.mark.parametrize("what", FORGERIES)
def test_no_forgery_holds(what: str) -> None:
    make, expected = FORGERIES[what]
    assert codes(prove(make())) == expected


def test_signatures_by_the_keys_of_the_header_hold() -> None:
    assert codes(prove(record(header_with_keys(), SIGNED))) == []
    assert codes(prove(record(header(), whole()[1]))) == [], "there is nothing to check"
    illegal = [*whole()[1][:3], structs.replace(whole()[1][2], n=4)]
    assert codes(prove(record(header(), illegal))) == [], "only validate checks the rules"


def test_trusted_keys_replace_the_keys_of_the_header() -> None:
    made = record(header_with_keys(), SIGNED)
    assert codes(prove(made, trusted=[ANA.key, RUI.key])) == []
    assert codes(prove(made, trusted=[ANA.key])) == ["sign.key"]
    false = record(
        mallorys(header_with_keys()),
        sign_game(mallorys(header_with_keys()), {"red": MALLORY, "blue": MALLORY}),
    )
    assert codes(prove(false)) == [], "the forger wrote the header with its keys"
    assert codes(prove(false, trusted=[ANA.key, RUI.key])) == ["sign.key", "sign.key"]
    unnamed = record(header(), sign_game(header(), {"red": ANA}))
    assert codes(prove(unnamed, trusted=[ANA.key])) == []


@pytest.mark.parametrize(
    ("head", "signer", "seat", "trusted", "expected"),
    [
        (header_with_keys(), ANA, "red", [], []),
        (header_with_keys(), ANA, "red", [ANA.key], []),
        (header_with_keys(), OLD, "red", [], ["seal.key"]),
        (header_with_keys(), ANA, "red", [RUI.key], ["seal.key"]),
        (header_with_keys(), MALLORY, "arbiter", [], ["seal.doubt"]),
        (header_with_keys(), MALLORY, "arbiter", [MALLORY.key], []),
        (header(), MALLORY, "red", [], ["seal.doubt"]),
        (header(), ANA, "red", [ANA.key], []),
    ],
)
def test_a_seal_holds_if_its_key_is_known(
    head: Header, signer: Signer, seat: str, trusted: list[Key], expected: list[str]
) -> None:
    made = record(head, whole()[1])
    given = seal(made, signer, seat)
    proof = prove(made, [given], trusted)
    assert codes(proof) == expected
    (checked,) = proof.seals
    sealed = checked.seal, checked.seat, checked.events, checked.head
    assert sealed == ("it.seal", seat, len(made.bodies), made.head)
    assert (checked.time, checked.key) == (given[1].time, str(signer.key))
    assert checked.objection == next(iter(checked.objections), None)


def test_a_seal_of_a_person_who_has_left_the_seat_is_doubtful() -> None:
    events = whole()[1]
    left = common_events.Substitute(len(events) + 1, events[-1].t, "table", "red", "Mei")
    before, after = record(header_with_keys(), events), record(header_with_keys(), [*events, left])
    assert codes(prove(after, [seal(after, ANA, "red")])) == ["seal.doubt"]
    assert codes(prove(after, [seal(after, ANA, "red")], [ANA.key])) == []
    assert codes(prove(after, [seal(after, RUI, "blue"), seal(before, ANA, "red")])) == []


def test_without_pynacl_signatures_do_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    made = record(header_with_keys(), SIGNED)
    outside = seal(made, ANA, "red")
    monkeypatch.setitem(sys.modules, "nacl", None)
    monkeypatch.setitem(sys.modules, "nacl.signing", None)
    assert codes(prove(made, [outside])) == ["seal.unchecked", "sign.unchecked"]


def test_a_branch_holds_only_with_all_its_parents() -> None:
    first = record(header_with_keys(), SIGNED, "first")
    second = parse_record(branch(first, LAST, "second"), "second")
    third = parse_record(branch(second, LAST - 1, "third"), "third")
    assert codes(prove(second)) == ["parent.unchecked"]
    assert codes(prove(second, parents=[first])) == []
    assert codes(prove(third)) == ["parent.unchecked", "parent.unchecked"]
    assert codes(prove(third, parents=[second])) == ["parent.unchecked"]
    assert codes(prove(third, parents=[second, first])) == []
    stranger = record(structs.replace(header_with_keys(), id="stranger"), SIGNED, "stranger")
    assert codes(prove(third, parents=[second, first, stranger])) == ["parent.differs"]
    assert codes(prove(first, parents=[first])) == ["parent.differs"], "no record is its own parent"


def test_a_given_parent_proves_signatures_of_its_branch() -> None:
    """The header of the parent has other spaces than Gamelog writes, so the branch cannot rebuild it."""
    events = whole()[1]
    plain = record(header_with_keys(), events)
    spaced = parse_record(rechain([plain.opening.replace(b'"game":', b'"game": '), *plain.bodies]))
    parent = _bodies(spaced, signature_after(spaced, ANA, "red"))
    parent = _bodies(parent, signature_after(parent, RUI, "blue"))
    child = parse_record(branch(parent, LAST, "child"))
    assert codes(prove(child)) == ["sign.unchecked", "sign.unchecked", "parent.unchecked"]
    proof = prove(child, parents=[parent])
    assert (codes(proof), [str(one.doubt) for one in proof.signatures]) == (
        [],
        ["the signature is from record test, which this record continues"] * 2,
    )
    assert codes(prove(child, trusted=[RUI.key], parents=[parent])) == ["sign.key"]
    assert codes(prove(_bodies(spaced, signature_after(spaced, MALLORY, "red")))) == ["sign.key"]


def test_the_record_of_an_inherited_signature_is_named_by_100_characters() -> None:
    plain = record(structs.replace(header_with_keys(), id="long" * 26), whole()[1])
    spaced = parse_record(rechain([plain.opening.replace(b'"game":', b'"game": '), *plain.bodies]))
    parent = _bodies(spaced, signature_after(spaced, ANA, "red"))
    child = parse_record(branch(parent, LAST - 1, "child"))
    (one,) = prove(child, parents=[parent]).signatures
    assert str(one.doubt) == f"the signature is from record {'long' * 25}, which this record continues"


def signature_after(made: Record, signer: Signer, seat: str) -> bytes:
    """Return the body of a signature by `seat` after the last event of `made`."""
    n = len(made.bodies) + 1
    event = signature(made, signer, seat, n, 10**12)
    return encode_line(event, b"").body


def test_a_forged_parent_proves_nothing() -> None:
    """A forger who also forges the parent cannot sign its lines."""
    parent = record(header_with_keys(), forge_game(), "parent")
    child = record(
        under(header_with_keys(), Parent("test", LAST, parent.head_at(LAST))), forge_game(), "child"
    )
    assert codes(prove(child, parents=[parent])) == ["sign.forged"]
    changed = record(
        under(header_with_keys(tags={"round": "3"}), Parent("test", LAST, parent.head_at(LAST))),
        forge_game(),
        "changed",
    )
    found = prove(changed, parents=[parent])
    assert codes(found) == ["sign.unchecked", "sign.unchecked", "parent.differs"]
    assert "tags in the header is not the same as in parent" in str(found.parents[0].objection)


def test_a_branch_whose_header_was_changed_does_not_hold() -> None:
    parent = record(header(), whole()[1], "parent")
    child = parse_record(branch(parent, 9, "child"), "child")
    assert child.header is not None
    renamed = tuple(structs.replace(seat, name="Eva") for seat in child.header.seats)
    for change in ({"seats": renamed}, {"tags": {"round": "3"}}, {"started": "2026-02-02T02:02:02Z"}):
        made = record(structs.replace(child.header, **change), whole()[1][:9])
        assert codes(prove(made, parents=[parent])) == ["parent.differs"], change


def test_a_branch_with_other_dice_than_its_parent_does_not_hold() -> None:
    head, events = simulate_game(GAME, "proof", 1, players=2, dice="seeded")
    parent = record(head, events, "parent")
    child = parse_record(branch(parent, 30, "child"))
    assert codes(prove(child, parents=[parent])) == []
    assert child.header is not None
    hidden = record(structs.replace(child.header, dice=DiceSpec("table")), events[:30])
    assert codes(prove(hidden, parents=[parent])) == ["parent.differs"]


def test_only_some_of_thousands_of_parents_are_checked() -> None:
    made = record(header(), whole()[1])
    named = tuple(Parent("test", n % 9, made.head_at(n % 9)) for n in range(5000))
    child = record(structs.replace(header(), id="child", parents=named), whole()[1])
    assert codes(prove(child, parents=[made])) == ["parent.unchecked"]
    assert len(codes(prove(child))) == MAX_PARENTS + 1


@given(st.data())
def test_a_signed_event_cannot_be_edited_with_invented_parents(data: st.DataObject) -> None:
    """The forger computes the chain again, names parents and also writes these parents, but has no key."""
    at = data.draw(st.integers(0, LAST - 3), "edited event")
    events = [*SIGNED[:at], structs.replace(SIGNED[at], t=SIGNED[at].t + 1), *SIGNED[at + 1 :]]
    edited = record(header_with_keys(), events)
    fake = record(structs.replace(header_with_keys(), id="fake"), events, "fake")
    elsewhere = record(structs.replace(header_with_keys(), id="test"), events, "test")
    parents, given_parents = list[Parent](), list[Record]()
    for _ in range(data.draw(st.integers(0, 3), "parents")):
        source = data.draw(st.sampled_from([fake, elsewhere]), "parent")
        n = data.draw(st.integers(0, LAST), "shared")
        head_ = data.draw(st.sampled_from([source.head_at(n), "A" * 43]), "head")
        parents.append(Parent(source.header.id if source.header else "", n, head_, data.draw(st.booleans())))
        given_parents.append(source)
    made = record(under(header_with_keys(), *parents), events) if parents else edited
    assert not prove(made).holds
    assert not prove(made, parents=given_parents).holds
    assert not prove(made, trusted=[ANA.key, RUI.key], parents=given_parents).holds


def test_a_branch_of_a_commit_reveal_record_holds_with_its_parent() -> None:
    path = Path(__file__).parents[2] / "sample_games/slicewars/committed.jsonl"
    parent = read_record(path)
    child = parse_record(branch(parent, len(parent.bodies) - 2, "child"))
    assert "parent.unchecked" in codes(prove(child))
    assert codes(prove(child, parents=[parent])) == []


def test_a_merged_record_needs_both_sheets() -> None:
    head, other, events = sheets()
    a, b = record(head, events[:30], "a"), record(other, events, "b")
    made = parse_record(merge(a, b, "merged"))
    assert codes(prove(made, parents=[b])) == ["parent.unchecked"]
    assert codes(prove(made, parents=[b, a])) == []


def test_two_copies_of_one_record_are_two_parents() -> None:
    """A parent that is named twice, with two heads, needs both copies."""
    events = whole()[1]
    a, b = record(header(), events[:20], "a"), record(header(), _edited(events[:20]), "b")
    named = [Parent("test", 20, one.head_at(20), merged=True) for one in (a, b)]
    made = record(structs.replace(header(), id="m", parents=tuple(named)), events[:20])
    assert codes(prove(made, parents=[a])) == ["parent.differs"]
    assert codes(prove(made, parents=[b, a])) == []


def test_a_parent_that_cannot_be_folded_cannot_be_checked() -> None:
    events = whole()[1]
    bad = record(structs.replace(header(), board="nowhere@x"), events[:5], "bad")
    head = structs.replace(
        bad.header or header(), id="m", parents=(Parent("test", 5, bad.head_at(5), merged=True),)
    )
    proof = prove(record(head, events[:5]), parents=[bad])
    assert codes(proof) == ["parent.unchecked"]
    assert [(one.id, one.n, one.head, one.shared) for one in proof.parents] == [
        ("test", 5, bad.head_at(5), None)
    ]


def test_a_record_with_a_damaged_first_line_does_not_hold() -> None:
    parent = record(header(), whole()[1])
    for damaged in (b"", b"X", parent.opening.replace(b"{", b"(", 1)):
        proof = prove(parse_record(damaged), parents=[parent])
        assert proof.problem
        assert not proof.holds
        assert proof.parents == []


def test_a_damaged_parent_is_reported_as_damaged() -> None:
    parent = record(header(), whole()[1])
    child = parse_record(branch(parent, LAST - 4, "b"))
    lines = rechain([parent.opening, *parent.bodies]).splitlines(keepends=True)
    lines[10] = lines[10].replace(b'"t":', b'"T":')
    (objection,) = prove(child, parents=[parse_record(b"".join(lines), "parent")]).objections
    assert objection.code == "parent.unchecked"
    assert objection.text.startswith("parent is damaged after event 9: ")


def test_dice_from_a_seed_need_no_signature_to_hold() -> None:
    head, events = simulate_game(GAME, "proof", 1, players=2, dice="seeded")
    assert codes(prove(record(head, events))) == []

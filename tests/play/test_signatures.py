"""Tests of signatures inside records: the lines that they cover, their keys, and their findings."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from gamelog.dispute.branch import branch
from gamelog.errors import Refused
from gamelog.finding import Finding
from gamelog.play.fold import common_events, sign_events
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording import signing
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import Event, Header, Parent
from gamelog.record.reading import Record, parse_record, read_record
from gamelog.record.record_file import compose, create_record
from gamelog.record.seal import Signer
from gamelog.record.seal_checks import seal_finding
from tests.play.tables import GAME, header, whole

ANA, RUI, OLD = (Signer.of(name, name.encode() * 8) for name in ("ana!", "rui!", "ana?"))


def header_with_keys(**members: Any) -> Header:
    """Return a header that names a key for both seats."""
    plain = header(**members)
    keys = {"red": str(ANA.key), "blue": str(RUI.key)}
    return structs.replace(
        plain, seats=tuple(structs.replace(seat, key=keys[seat.seat]) for seat in plain.seats)
    )


def signature(record: Record, signer: Signer, seat: str, n: int, t: int) -> common_events.Sign:
    """Return the signature of `seat` as event `n`, after the lines of a record."""
    assert record.header is not None
    seal = signing.make_seal(record.header, n - 1, record.head_at(n - 1), seat, t, signer)
    return common_events.Sign(n, t, seat, seat=seat, key=str(signer.key), sig=seal.sig)


def sign_game(head: Header, signers: dict[str, Signer], events: list[Event] | None = None) -> list[Event]:
    """Return a whole game with signatures at its end."""
    made: list[Event] = list(whole()[1] if events is None else events)
    for seat, signer in signers.items():
        record = parse_record(compose(head, made)[0])
        made.append(signature(record, signer, seat, len(made) + 1, made[-1].t))
    return made


def fold_events(head: Header, events: list[Event]) -> FoldedRecord:
    return fold_record(parse_record(compose(head, events)[0]))


def only(folded: FoldedRecord) -> Finding:
    (finding,) = folded.findings
    return finding


BOTH = {"red": ANA, "blue": RUI}


def test_signatures_of_both_seats_hold() -> None:
    events = sign_game(header_with_keys(), BOTH)
    done = fold_events(header_with_keys(), events)
    assert (done.status, done.findings) == ("ok", [])
    assert done.fold is not None
    assert [(signed_.seat, signed_.doubt) for signed_ in done.fold.signatures] == [
        ("red", None),
        ("blue", None),
    ]
    last = events[-2]
    assert isinstance(last, common_events.Sign)
    seal = sign_events.seal_in(header_with_keys(), done.record.head_at(len(events) - 2), last)
    assert seal_finding(done.record, seal) is None, (
        "a signature in the record is a seal of what stands before it"
    )


def renumber(events: list[Event]) -> list[Event]:
    return [structs.replace(event, n=n) for n, event in enumerate(events, 1)]


def test_changes_under_a_signature_are_found_despite_a_new_chain() -> None:
    events = sign_game(header_with_keys(), BOTH)
    note = common_events.Note(0, events[-3].t, "table", "x")
    spoiled = {
        "edit": [*events[:-3], structs.replace(events[-3], t=events[-3].t - 1), *events[-2:]],
        "insertion": renumber([*events[:-2], note, *events[-2:]]),
        "deletion of a signature": renumber([*events[:-2], events[-1]]),
        "reorder of the signatures": renumber([*events[:-2], events[-1], events[-2]]),
        "duplicate of a signature": renumber([*events, events[-1]]),
        "time of signing": [*events[:-2], *(structs.replace(event, t=event.t + 1) for event in events[-2:])],
    }
    for what, made in spoiled.items():
        done = fold_events(header_with_keys(), made)
        finding = only(done)
        assert (finding.code, done.status) == ("sign.forged", "damaged"), what
        assert finding.offset == done.record.offsets[(finding.n or 0) - 1]
        assert isinstance(made[(finding.n or 0) - 1], common_events.Sign), what
    other = structs.replace(
        header_with_keys(),
        seats=tuple(structs.replace(seat, name="Eva") for seat in header_with_keys().seats),
    )
    assert only(fold_events(other, events)).code == "sign.forged"


def test_swapped_forged_and_strange_signatures() -> None:
    events = sign_game(header_with_keys(), BOTH)
    red, blue = events[-2], events[-1]
    assert isinstance(red, common_events.Sign)
    assert isinstance(blue, common_events.Sign)
    wrong = {
        "swapped": (structs.replace(red, sig=blue.sig), "sign.forged"),
        "nothing": (structs.replace(red, sig=""), "sign.forged"),
        "no base64": (structs.replace(red, sig="é"), "sign.forged"),
        "another key": (structs.replace(red, key=str(RUI.key)), "sign.key"),
        "no key": (structs.replace(red, key="k"), "sign.key"),
        "an old key": (sign_game(header_with_keys(), {"red": OLD})[-1], "sign.key"),
        "no seat": (structs.replace(red, seat="green"), "play.common"),
    }
    for what, (event, code) in wrong.items():
        assert only(fold_events(header_with_keys(), [*events[:-2], event])).code == code, what


def test_a_signature_with_an_unnamed_key_is_doubtful() -> None:
    done = fold_events(header(), sign_game(header(), {"red": ANA, "arbiter": OLD}))
    assert (done.status, [finding.code for finding in done.findings]) == ("ok", ["sign.doubt", "sign.doubt"])
    assert all(finding.severity == "warning" for finding in done.findings)
    nonsense = structs.replace(sign_game(header(), {"red": ANA})[-1], key="k")
    assert only(fold_events(header(), [*whole()[1], nonsense])).code == "sign.forged"


def test_a_substitute_has_a_key_of_his_own() -> None:
    base = [*whole()[1]]
    base.append(common_events.Substitute(len(base) + 1, base[-1].t, "table", "red", "Mei"))
    done = fold_events(header_with_keys(), sign_game(header_with_keys(), {"red": OLD, "blue": RUI}, base))
    assert [(finding.code, finding.n) for finding in done.findings] == [("sign.doubt", len(base) + 1)]


def test_a_branch_does_not_claim_its_parents_signatures() -> None:
    events = sign_game(header_with_keys(), BOTH)
    parent = parse_record(compose(header_with_keys(), events)[0])
    made = fold_record(parse_record(branch(parent, len(events), "branch")))
    assert (made.status, {finding.code for finding in made.findings}) == ("ok", {"sign.doubt"})
    assert all("which this record continues" in finding.text for finding in made.findings)


def test_a_long_id_of_a_parent_is_cut_to_a_hundred_characters() -> None:
    head = structs.replace(header_with_keys(), id="y" * 150)
    events = sign_game(head, BOTH)
    parent = parse_record(compose(head, events)[0])
    made = fold_record(parse_record(branch(parent, len(events), "branch")))
    assert {finding.code for finding in made.findings} == {"sign.doubt"}
    for finding in made.findings:
        assert finding.text.count("y" * 100) == 1
        assert "y" * 101 not in finding.text


@pytest.mark.parametrize("change", [{"id": "a\nb"}, {"started": "9999-12-31T23:59:59.999Z"}])
def test_records_with_impossible_signatures(change: dict[str, str]) -> None:
    head = structs.replace(header_with_keys(), **change)
    event = sign_game(header_with_keys(), {"red": ANA})[-1]
    assert only(fold_events(head, [*whole()[1], event])).code == "sign.forged"


def test_without_pynacl_or_digests_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    events = sign_game(header_with_keys(), BOTH)
    failure = Fold(header_with_keys(), GAME).extend(events)
    assert failure is not None
    assert (failure.code, failure.n) == ("sign.unchecked", len(events) - 1)
    monkeypatch.setitem(sys.modules, "nacl", None)
    monkeypatch.setitem(sys.modules, "nacl.signing", None)
    done = fold_events(header_with_keys(), events)
    assert (done.status, only(done).code, "gamelog[sign]" in only(done).text) == (
        "unknown",
        "sign.unchecked",
        True,
    )


# --- signing while recording ---


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    create_record(path, header_with_keys())
    recorder = EventRecorder(path)
    recorder.append([{"do": "start_roll", "rolls": {"red": 5, "blue": 2}}, {"do": "claim", "at": "C3"}])
    return path


def test_a_recorder_signs_the_record_on_the_disk(game: Path) -> None:
    recorder = EventRecorder(game)
    seal = signing.sign(recorder, ANA, "red")
    record = read_record(game)
    assert (seal.n, seal.head) == (2, record.head_at(2))
    assert verdict(fold_record(record)).status == "ok"
    assert seal_finding(record, seal) is None
    recorder.append([{"do": "claim", "at": "A1"}])
    assert seal_finding(read_record(game), seal) is None


def test_signing_includes_new_events_of_others(game: Path) -> None:
    slow, quick = EventRecorder(game), EventRecorder(game)
    quick.append([{"do": "claim", "at": "A1"}])
    seal = signing.sign(slow, RUI, "blue")
    assert seal.n == 3
    assert verdict(fold_record(read_record(game))).status == "ok"


def test_a_recorder_refuses_signatures_that_do_not_hold(game: Path) -> None:
    before = game.read_bytes()
    recorder = EventRecorder(game)
    with pytest.raises(Refused, match="the record names"):
        signing.sign(recorder, OLD, "red")
    good = signature(read_record(game), ANA, "red", 3, recorder.now())
    for change in ({"sig": "A" * 92}, {"seat": "blue"}, {"key": str(RUI.key)}):
        event = {
            "do": "@sign",
            "t": good.t,
            "by": "red",
            "seat": "red",
            "key": good.key,
            "sig": good.sig,
            **change,
        }
        with pytest.raises(Refused):
            recorder.append([event])
    assert game.read_bytes() == before


def test_several_events_and_a_signature_in_one_append(game: Path) -> None:
    """The signature covers a line that is not on the disk yet when it is judged."""
    claim = {"do": "claim", "t": 10**12, "by": "blue", "at": "A1"}
    rehearsal = EventRecorder(game)
    assert rehearsal.rehearse(claim) is None
    seal = signing.make_seal(header_with_keys(), 3, rehearsal.head, "red", 10**12, ANA)
    sign = {"do": "@sign", "t": 10**12, "by": "red", "seat": "red", "key": str(ANA.key), "sig": seal.sig}
    assert [ack.n for ack in EventRecorder(game).append([claim, sign])] == [3, 4]
    assert verdict(fold_record(read_record(game))).status == "ok"


def under(head: Header, *parents: Parent) -> Header:
    return structs.replace(head, id="forged", parents=parents)


def forge_game() -> list[Event]:
    """Return a signed game in which a time was changed afterwards."""
    events = sign_game(header_with_keys(), BOTH)
    events[3] = structs.replace(events[3], t=events[3].t + 1)
    return events


def test_an_invented_parent_excuses_no_forged_signature() -> None:
    events = forge_game()
    assert fold_events(header_with_keys(), events).status == "damaged"
    for parent in (Parent("test", len(events), "A" * 43), Parent("x", len(events), "A" * 43, merged=True)):
        found = verdict(fold_events(under(header_with_keys(), parent), events))
        assert not found.valid, parent
        assert {one.code for one in found.findings} <= {"sign.unchecked", "sign.forged"}
    beyond = verdict(fold_events(under(header_with_keys(), Parent("test", 10**9, "A" * 43)), events))
    assert (beyond.valid, [one.code for one in beyond.findings]) == (False, ["play.setup"])


def test_a_parent_that_is_made_to_fit_proves_the_forgery() -> None:
    events = forge_game()
    plain = parse_record(compose(structs.replace(header_with_keys(), parents=()), events)[0])
    head = under(header_with_keys(), Parent("test", len(events), plain.head_at(len(events))))
    assert [one.code for one in fold_events(head, events).findings] == ["sign.forged"]


def test_signatures_of_a_parent_that_is_not_proved_are_doubted() -> None:
    """The parent's header was changed, so its heads are unknown here."""
    events = sign_game(header_with_keys(), BOTH)
    parent = parse_record(compose(header_with_keys(tags={"round": "3"}), events)[0])
    made = fold_events(
        under(header_with_keys(), Parent("test", len(events), parent.head_at(len(events)))), events
    )
    assert (made.status, {found.code for found in made.findings}) == ("unknown", {"sign.unchecked"})
    assert made.fold is not None
    assert made.fold.n == len(events), "it is folded, and can be gone on from"


def test_a_branch_of_a_branch_proves_both() -> None:
    first = parse_record(compose(header_with_keys(), sign_game(header_with_keys(), {"red": ANA}))[0])
    second = parse_record(branch(first, len(first.bodies), "second"))
    third = parse_record(branch(second, len(first.bodies), "third"))
    made = fold_record(third)
    assert (made.status, {found.code for found in made.findings}) == ("ok", {"sign.doubt"})

"""Tests of seals: what a record must extend, and every way in which it can fail."""

from __future__ import annotations

import stat
import sys
from base64 import b64encode
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec import structs

from gamelog.errors import BadSeal, Exists, MissingExtra, NotReadable, RecordError
from gamelog.record import chain
from gamelog.record.envelope import Event, Header, Parent, Seat
from gamelog.record.reading import Record, parse_record
from gamelog.record.record_file import compose
from gamelog.record.seal import (
    Key,
    Seal,
    Signer,
    header_key,
    read_small_file,
    unsigned_seal,
    utc_time,
    write_keys,
)
from gamelog.record.seal_checks import seal_finding
from tests.record.sample import HEADER, Move, moves, nobody

ANA, RUI, OLD = (Signer.of(name, name.encode() * 8) for name in ("ana!", "rui!", "ana?"))
KEYED = structs.replace(
    HEADER, seats=(Seat("red", "Ana", key=str(ANA.key)), Seat("blue", "Rui", key=str(RUI.key)))
)
EVENTS: list[Event] = [*moves(8)]


def record(header: Header = KEYED, events: list[Event] = EVENTS) -> Record:
    return parse_record(compose(header, events)[0])


def make_sealed(
    of: Record, signer: Signer = ANA, seat: str = "red", n: int | None = None, t: int = 1000
) -> Seal:
    assert of.header is not None
    at = len(of.bodies) if n is None else n
    said = unsigned_seal(of.header, at, of.head_at(at), seat, t, signer.key)
    return structs.replace(said, sig=signer.sign(said.text))


def renumber(events: list[Event]) -> list[Event]:
    """Return the events with gapless numbers and times, as a careful forger would leave them."""
    return [structs.replace(event, n=n, t=10 * n) for n, event in enumerate(events, 1)]


# --- the form ---


def test_keys_and_signatures_follow_signed_notes() -> None:
    """Use the example in the documentation of Go's sumdb/note, on whose format the C2SP specification is
    based.
    """
    public = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    private = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
    text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    signature = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
    assert Key.parse(public).verify(text, signature)
    signer = Signer.parse(private)
    assert (signer.key, signer.sign(text), str(signer)) == (Key.parse(public), signature, private)
    assert not signer.key.verify(text + " ", signature)


def test_the_text_of_a_seal_states_its_content() -> None:
    whole = record()
    lines = str(make_sealed(whole)).splitlines()
    assert lines[:3] == [f"gamelog/1 {HEADER.id}", "8", whole.head]
    assert lines[3:7] == ["seat red", "time 2026-01-01T00:00:01.000Z", f"key {ANA.key}", ""]
    assert lines[7].startswith("— ana! ")
    assert Seal.parse(str(make_sealed(whole))) == make_sealed(whole)


def test_no_character_of_a_seal_can_be_changed() -> None:
    text = str(make_sealed(record()))
    for at in range(len(text)):
        changed = text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
        with suppress(BadSeal):
            assert not Seal.parse(changed).is_valid, at
        with pytest.raises(BadSeal):
            Seal.parse(text[:at])


@pytest.mark.parametrize(
    "text", ["", "x", "ana+00000000+" + "A" * 44, "a b+00000000+AQ==", "+1+AQ==", "ana+zz", "ana+a+é"]
)
def test_texts_that_are_not_keys_are_reported(text: str) -> None:
    with pytest.raises(BadSeal):
        Key.parse(text)
    with pytest.raises(BadSeal) as caught:
        Signer.parse(f"PRIVATE+KEY+{text}")
    assert not text or text not in str(caught.value), "nothing of a private key is shown"
    with pytest.raises(BadSeal, match="does not begin with"):
        Signer.parse(text)


def test_keys_of_another_length_or_algorithm_are_refused() -> None:
    for data in (b"x" * 31, b"x" * 33, b""):
        with pytest.raises(BadSeal, match=r'^"ana.* is not an Ed25519 key'):
            Key.parse(str(Key("ana", data)))
    other = Key("ana", b"x" * 32)
    with pytest.raises(BadSeal, match="is not an Ed25519 key"):
        Key.parse(f"ana+{other.id.hex()}+{b64encode(b'%c' % 2 + other.data).decode()}")
    assert Key.parse(str(other)) == other
    for name in ("a b", "", "a\u00a0b"):
        with pytest.raises(BadSeal):
            Key.parse(str(Key(name, other.data)))


def test_a_typing_error_in_a_key_is_found_by_its_id() -> None:
    with pytest.raises(BadSeal, match="not a valid public key"):
        Key.parse(str(ANA.key).replace("ana!", "ana"))
    with pytest.raises(BadSeal, match="damaged"):
        Signer.parse(str(ANA).replace("ana!", "ana"))


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb", "\u00a0", "\udcff"])
def test_key_names_that_a_note_cannot_contain_are_refused(name: str) -> None:
    with pytest.raises(BadSeal, match="A key cannot have the name"):
        Signer.new(name)


def test_new_keys_differ_and_can_sign() -> None:
    one, two = Signer.new("Jiří"), Signer.new("Jiří")
    assert one.key != two.key
    assert one.key.verify("text\n", one.sign("text\n"))
    assert not two.key.verify("text\n", one.sign("text\n"))
    assert Key.parse(str(one.key)) == one.key


@pytest.mark.parametrize(
    ("started", "t", "text"),
    [
        ("2026-01-01T00:00:00Z", 0, "2026-01-01T00:00:00.000Z"),
        ("2026-12-31T23:59:59.9996Z", 1, "2027-01-01T00:00:00.000Z"),
        ("2026-01-01T00:00:00.123456789Z", 5, "2026-01-01T00:00:00.128Z"),
    ],
)
def test_a_seal_states_its_time(started: str, t: int, text: str) -> None:
    assert utc_time(started, t) == text


@pytest.mark.parametrize(
    ("started", "t"), [("9999-12-31T23:59:59Z", 1000), ("2026-01-01T00:00:00Z", 2**53 - 1)]
)
def test_times_out_of_range_are_refused(started: str, t: int) -> None:
    assert utc_time(started, 999)
    with pytest.raises(RecordError, match="is out of range"):
        utc_time(started, t)


@pytest.mark.parametrize("change", [{"id": "a\nb"}, {"id": "\u202e"}])
def test_ids_that_would_make_a_seal_ambiguous_are_refused(change: dict[str, str]) -> None:
    with pytest.raises(RecordError, match="control characters"):
        make_sealed(record(structs.replace(KEYED, **change)))


# --- what extends a seal, and what does not ---


def test_a_record_extends_every_seal_of_itself() -> None:
    whole = record()
    for n in range(len(EVENTS) + 1):
        for grown in (whole, record(events=[*EVENTS[:n]])):
            assert seal_finding(grown, make_sealed(whole, n=n)) is None
        assert seal_finding(whole, make_sealed(whole, RUI, "blue", n)) is None


HEADERS: dict[str, Header] = {
    "a name": structs.replace(KEYED, seats=(structs.replace(KEYED.seats[0], name="Eva"), KEYED.seats[1])),
    "an option": structs.replace(KEYED, options={"size": 6}),
    "a tag": structs.replace(KEYED, tags={"x": "y"}),
    "another seat's key": structs.replace(
        KEYED, seats=(KEYED.seats[0], structs.replace(KEYED.seats[1], key=str(OLD.key)))
    ),
    "its own key left out": structs.replace(
        KEYED, seats=(structs.replace(KEYED.seats[0], key=None), KEYED.seats[1])
    ),
}

OTHER_GAME: list[Event] = [Move(n, 10 * n, "blue", f"other {n}") for n in range(1, 9)]

FORGERIES: dict[str, tuple[Header, list[Event]]] = {
    "edit": (KEYED, [*EVENTS[:3], structs.replace(EVENTS[3], by="blue", text="!"), *EVENTS[4:]]),
    "edit of the time alone": (KEYED, [*EVENTS[:3], structs.replace(EVENTS[3], t=41), *EVENTS[4:]]),
    "deletion": (KEYED, renumber([*EVENTS[:3], *EVENTS[4:], *moves(1)])),
    "reorder": (KEYED, renumber([*EVENTS[:3], EVENTS[4], EVENTS[3], *EVENTS[5:]])),
    "duplicate": (KEYED, renumber([*EVENTS[:4], EVENTS[3], *EVENTS[4:]])),
    "splice from another game": (KEYED, [*EVENTS[:4], *OTHER_GAME[4:]]),
    "cut and grown again": (KEYED, [*EVENTS[:7], structs.replace(EVENTS[7], text="another end")]),
    "insertion": (KEYED, renumber([Move(1, 0, "red", "before"), *EVENTS])),
    **{f"header: {what}": (header, EVENTS) for what, header in HEADERS.items()},
}


@pytest.mark.parametrize("what", FORGERIES)
def test_forgeries_with_a_recomputed_chain_are_found(what: str) -> None:
    forged = record(*FORGERIES[what])
    assert forged.problem is None, "the chain alone notices nothing"
    found = seal_finding(forged, make_sealed(record()))
    assert found is not None
    assert found.code == "seal.differs"
    assert "up to event 8" in found.text
    assert (
        f"the sealed head is {record().heads[7][:8].decode()}…, but the record's head is {forged.heads[7][:8].decode()}…"
        in found.text
    )


def test_a_forger_with_a_new_key_in_the_header_is_found() -> None:
    forged = structs.replace(KEYED, seats=(structs.replace(KEYED.seats[0], key=str(OLD.key)), KEYED.seats[1]))
    for trusted, code in (((), "seal.key"), ((ANA.key,), "seal.differs")):
        found = seal_finding(record(forged), make_sealed(record()), trusted)
        assert found is not None
        assert found.code == code


def test_seals_of_earlier_events_locate_the_change() -> None:
    forged = record(*FORGERIES["edit"])
    holding = [n for n in range(9) if seal_finding(forged, make_sealed(record(), n=n)) is None]
    assert holding == [0, 1, 2, 3]


@pytest.mark.parametrize("n", range(8))
def test_a_cut_at_any_line_is_found(n: int) -> None:
    found = seal_finding(record(events=EVENTS[:n]), make_sealed(record()))
    assert found is not None
    assert (found.code, f"ends with event {n}" in found.text) == ("seal.cut", True)


def test_forgeries_without_a_recomputed_chain_are_damage() -> None:
    data, _ = compose(KEYED, EVENTS)
    rows = data.splitlines(keepends=True)
    spoiled = {
        "edit": [*rows[:4], rows[4].replace(b'"t":40', b'"t":41'), *rows[5:]],
        "deletion": [*rows[:4], *rows[5:]],
        "reorder": [*rows[:4], rows[5], rows[4], *rows[6:]],
        "duplicate": [*rows[:5], rows[4], *rows[5:]],
        "splice": [*rows[:4], *compose(KEYED, OTHER_GAME)[0].splitlines(keepends=True)[4:]],
    }
    for what, lines in spoiled.items():
        found = parse_record(b"".join(lines))
        assert found.problem is not None, what
        assert found.problem.code == "record.damaged", what
        against = seal_finding(found, make_sealed(record()))
        assert against is not None, what
        assert (against.code, "is undamaged only up to event" in against.text) == ("seal.cut", True), what
        assert seal_finding(found, make_sealed(record(), n=3)) is None, "an earlier seal still holds"


def test_a_damaged_header_differs_from_the_sealed_one() -> None:
    found = seal_finding(parse_record(b"{}\n"), make_sealed(record()))
    assert found is not None
    assert found.code == "seal.differs"


def test_a_seal_of_another_game_is_refused() -> None:
    other = structs.replace(KEYED, id="00000000-0000-0000-0000-000000000000")
    found = seal_finding(record(), make_sealed(record(other)))
    assert found is not None
    assert (found.code, HEADER.id in found.text) == ("seal.other_game", True)
    branch = structs.replace(other, parents=(Parent(HEADER.id, 8, record().head_at(8)),))
    found = seal_finding(record(branch), make_sealed(record()))
    assert found is not None
    assert (found.code, "which this record continues" in found.text) == ("seal.other_game", True)


def test_swapped_and_forged_signatures_are_refused() -> None:
    red, blue = make_sealed(record()), make_sealed(record(), RUI, "blue")
    wrong = [
        structs.replace(red, sig=blue.sig),
        structs.replace(red, key=RUI.key),
        structs.replace(red, key=RUI.key, sig=blue.sig),
        structs.replace(red, seat="blue"),
        structs.replace(red, n=7),
        structs.replace(red, sig=""),
        structs.replace(red, sig="?"),
        structs.replace(red, sig="é"),
        structs.replace(red, sig=RUI.sign(red.text)),
        structs.replace(red, sig=make_sealed(record(), n=7).sig),
    ]
    for seal in wrong:
        found = seal_finding(record(), seal)
        assert found is not None
        assert found.code == "seal.forged"


def test_an_old_key_and_a_key_of_another_seat_are_refused() -> None:
    for signer, seat in ((OLD, "red"), (ANA, "blue")):
        found = seal_finding(record(), make_sealed(record(), signer, seat))
        assert found is not None
        assert (found.code, str(signer.key) in found.text) == ("seal.key", True)
        assert seal_finding(record(), make_sealed(record(), signer, seat), [signer.key]) is None, (
            "it is trusted by who checks"
        )
    found = seal_finding(record(), make_sealed(record()), [OLD.key])
    assert found is not None
    assert found.code == "seal.key"


def test_a_header_may_lack_keys_but_not_contain_invalid_ones() -> None:
    assert seal_finding(record(HEADER), make_sealed(record(HEADER))) is None
    assert seal_finding(record(), make_sealed(record(), OLD, "arbiter")) is None
    odd = structs.replace(HEADER, seats=(Seat("red", "Ana", key="secret"), Seat("blue")))
    found = seal_finding(record(odd), make_sealed(record(odd)))
    assert found is not None
    assert found.code == "seal.key"
    assert header_key(KEYED, "blue") == RUI.key


def test_a_torn_end_after_the_sealed_event_does_not_matter() -> None:
    data, _ = compose(KEYED, EVENTS)
    torn = parse_record(data + chain.OPEN)
    assert torn.problem is not None
    assert seal_finding(torn, make_sealed(record())) is None


# --- files ---


def test_only_the_owner_can_read_a_new_private_key(tmp_path: Path) -> None:
    path = tmp_path / "ana"
    public = write_keys(path, ANA)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Signer.parse(read_small_file(path)) == ANA
    assert Key.parse(read_small_file(public)) == ANA.key
    with pytest.raises(Exists, match="exists"):
        write_keys(path, RUI)
    public.unlink()
    with pytest.raises(Exists, match="exists"):
        write_keys(path, RUI)
    assert not public.exists(), "a public key without its private one is of no use"
    assert Signer.parse(read_small_file(path)) == ANA


def test_files_that_are_neither_key_nor_seal_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadSeal, match="not a text file"):
        read_small_file(path)
    path.write_text("x" * 70_000)
    with pytest.raises(BadSeal, match="too large"):
        read_small_file(path)
    with pytest.raises(NotReadable, match="does not exist"):
        read_small_file(tmp_path / "none")
    with pytest.raises(NotReadable, match="folder"):
        read_small_file(tmp_path)


def test_a_key_without_read_permission_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "ana"
    write_keys(path, ANA)
    path.chmod(0)
    with nobody(tmp_path), pytest.raises(NotReadable, match="Permission denied"):
        read_small_file(path)


def test_without_pynacl_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    seal = make_sealed(record())
    monkeypatch.setitem(sys.modules, "nacl", None)
    monkeypatch.setitem(sys.modules, "nacl.signing", None)
    with pytest.raises(MissingExtra, match=r"gamelog\[sign\]"):
        seal_finding(record(), seal)

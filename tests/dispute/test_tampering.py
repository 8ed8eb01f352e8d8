"""Tests of tampering: the lines after a break of the chain show the change."""

from __future__ import annotations

import pytest

from gamelog.dispute.tampering import find_tampering
from gamelog.play.recording.signing import make_seal
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from gamelog.record.seal import Seal, Signer
from tests.play.tables import whole

HEAD, EVENTS = whole()
LINES = compose(HEAD, EVENTS[:40])[0].splitlines(keepends=True)
OTHER = compose(whole(2, 1)[0], whole(2, 1)[1][:40])[0].splitlines(keepends=True)


def change_text(lines: list[bytes], *seals: Seal) -> str | None:
    data = b"".join(lines)
    done = find_tampering(data, parse_record(data), seals)
    return str(done) if done else None


def sealed(n: int) -> Seal:
    record = parse_record(b"".join(LINES))
    assert record.header is not None
    return make_seal(record.header, n, record.head_at(n), "red", 0, Signer.of("ana", bytes(32)))


def edited(line: bytes) -> bytes:
    at = line.index(b'"t":') + 4
    return line[:at] + (b"2" if line[at : at + 1] != b"2" else b"3") + line[at + 1 :]


def test_a_whole_record_and_a_torn_one_were_not_tampered_with() -> None:
    assert change_text(LINES) is None
    assert change_text([*LINES[:-1], LINES[-1][:-5]]) is None
    assert change_text([b"rubbish\n"]) is None


@pytest.mark.parametrize("at", [1, 7, 20, 39])
def test_each_kind_of_change_is_named(at: int) -> None:
    assert change_text([*LINES[:at], *LINES[at + 1 :]]) == f"event {at} is missing: lines were removed"
    assert (
        change_text([*LINES[: at + 1], LINES[at], *LINES[at + 1 :]])
        == f"the line of event {at} is repeated where event {at + 1} should be"
    )
    swapped = [*LINES[:at], LINES[at + 1], LINES[at], *LINES[at + 2 :]]
    assert (
        change_text(swapped)
        == f"lines were moved: event {at + 1} is where event {at} should be, and event {at} comes later"
    )
    junk = [*LINES[:at], b"well\n", *LINES[at:]]
    assert change_text(junk) == f"the line where event {at} should be is not a line of a record"


def test_several_removed_lines_and_an_inserted_line() -> None:
    assert change_text([*LINES[:5], *LINES[9:]]) == "events 5 to 8 are missing: lines were removed"
    assert (
        change_text([*LINES[:20], OTHER[3], *LINES[20:]])
        == "the line where event 20 should be has the number 3"
    )


def test_an_edited_line_and_another_record() -> None:
    spoiled = [*LINES[:12], edited(LINES[12]), *LINES[13:]]
    assert "edited, or all lines from event" in (change_text(spoiled) or "")
    assert change_text(spoiled, sealed(30)) == "event 12 was edited: event 30 is still as red sealed it"
    assert "a seal of a later event can show" in (change_text(spoiled, sealed(5)) or "")
    spliced = [*LINES[:12], *OTHER[12:]]
    assert "edited, or all lines from" in (change_text(spliced) or "")
    assert (
        change_text(spliced, sealed(30)) == "from event 12 on, lines were edited or come from another record"
    )
    for n, certain in ((11, False), (12, True)):
        assert ("lines were edited or come from" in (change_text(spliced, sealed(n)) or "")) == certain, (
            "a seal of the changed event shows it"
        )
    assert "lines were edited or come from" in (change_text([*LINES[:12], *map(edited, LINES[12:])]) or "")


@pytest.mark.parametrize(("n", "shown"), [(11, False), (12, True), (13, True)])
def test_a_seal_of_the_edited_event_shows_the_change(n: int, shown: bool) -> None:
    spoiled = [*LINES[:12], edited(LINES[12]), *LINES[13:]]
    assert (f"event {n} is still as red sealed it" in (change_text(spoiled, sealed(n)) or "")) == shown


def test_the_last_line_of_a_record_was_edited() -> None:
    spoiled = [*LINES[:-1], edited(LINES[-1])]
    assert (change_text(spoiled) or "").startswith(f"event {len(LINES) - 1} was edited, or all lines from")


def test_a_line_without_a_number_is_reported() -> None:
    for body in (b"nothing\n", b'"n":"12"}\n', b"[" * 5000 + b"\n"):
        spoiled = [*LINES[:12], LINES[12][:51] + body, *LINES[13:]]
        assert change_text(spoiled) == "the line where event 12 should be has no number"

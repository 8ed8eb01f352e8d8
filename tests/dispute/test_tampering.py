"""What the lines behind a broken chain tell of what was done to them."""

from __future__ import annotations

import pytest

from gamelog.dispute.tampering import tampering
from gamelog.play.recording.signing import make_seal
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from gamelog.record.seal import Seal, Signer
from tests.play.tables import whole

HEAD, EVENTS = whole()
LINES = compose(HEAD, EVENTS[:40])[0].splitlines(keepends=True)
OTHER = compose(whole(2, 1)[0], whole(2, 1)[1][:40])[0].splitlines(keepends=True)


def told(lines: list[bytes], *seals: Seal) -> str | None:
    data = b"".join(lines)
    done = tampering(data, parse_record(data), seals)
    return str(done) if done else None


def sealed(n: int) -> Seal:
    record = parse_record(b"".join(LINES))
    assert record.header is not None
    return make_seal(record.header, n, record.head_at(n), "red", 0, Signer.of("ana", bytes(32)))


def edited(line: bytes) -> bytes:
    at = line.index(b'"t":') + 4
    return line[:at] + (b"2" if line[at : at + 1] != b"2" else b"3") + line[at + 1 :]


def test_a_whole_record_and_a_torn_one_were_not_tampered_with() -> None:
    assert told(LINES) is None
    assert told([*LINES[:-1], LINES[-1][:-5]]) is None
    assert told([b"rubbish\n"]) is None


@pytest.mark.parametrize("at", [1, 7, 20, 39])
def test_each_kind_is_named(at: int) -> None:
    assert told([*LINES[:at], *LINES[at + 1 :]]) == f"event {at} is missing: lines were removed"
    assert (
        told([*LINES[: at + 1], LINES[at], *LINES[at + 1 :]])
        == f"the line of event {at} stands a second time, where event {at + 1} should"
    )
    swapped = [*LINES[:at], LINES[at + 1], LINES[at], *LINES[at + 2 :]]
    assert (
        told(swapped)
        == f"lines were moved: event {at + 1} stands where event {at} should, which comes further down"
    )
    junk = [*LINES[:at], b"well\n", *LINES[at:]]
    assert told(junk) == f"where event {at} should stand is not a line of a record"


def test_several_lines_removed_and_a_strange_one_put_in() -> None:
    assert told([*LINES[:5], *LINES[9:]]) == "events 5 to 8 are missing: lines were removed"
    assert (
        told([*LINES[:20], OTHER[3], *LINES[20:]])
        == "a line that says it is event 3 stands where event 20 should"
    )


def test_an_edited_line_and_another_record() -> None:
    spoiled = [*LINES[:12], edited(LINES[12]), *LINES[13:]]
    assert "edited, or from there on stand lines out of another record" in (told(spoiled) or "")
    assert told(spoiled, sealed(30)) == "event 12 was edited: what red sealed at event 30 still stands there"
    assert "a seal of a later event tells" in (told(spoiled, sealed(5)) or "")
    spliced = [*LINES[:12], *OTHER[12:]]
    assert "edited, or from there on" in (told(spliced) or "")
    assert (
        told(spliced, sealed(30))
        == "from event 12 on stand other lines than were written: edited, or out of another record"
    )
    for n, certain in ((11, False), (12, True)):
        assert ("other lines than were written" in (told(spliced, sealed(n)) or "")) == certain, (
            "a seal on the very event tells"
        )
    assert "other lines than were written" in (told([*LINES[:12], *map(edited, LINES[12:])]) or "")


@pytest.mark.parametrize(("n", "told_of"), [(11, False), (12, True), (13, True)])
def test_a_seal_on_the_edited_event_itself_tells(n: int, told_of: bool) -> None:
    spoiled = [*LINES[:12], edited(LINES[12]), *LINES[13:]]
    assert (f"what red sealed at event {n} still stands" in (told(spoiled, sealed(n)) or "")) == told_of


def test_the_last_line_of_a_record_was_edited() -> None:
    spoiled = [*LINES[:-1], edited(LINES[-1])]
    assert (told(spoiled) or "").startswith(f"event {len(LINES) - 1} was edited, or from there on stand")


def test_a_line_whose_body_says_no_number_is_another_line() -> None:
    for body in (b"nothing\n", b'"n":"12"}\n', b"[" * 5000 + b"\n"):
        spoiled = [*LINES[:12], LINES[12][:51] + body, *LINES[13:]]
        assert told(spoiled) == "a line that does not say its number stands where event 12 should"

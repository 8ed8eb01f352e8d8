"""Tests of the chain, byte for byte, and of every damage that it must detect."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamelog.record import chain
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from tests.record.sample import HEADER, Move, moves

DATA, _ = compose(HEADER, moves(85))
LINES = DATA.splitlines(keepends=True)

# Made without Gamelog. $h starts as 43 times A, $body is a line from its 51st byte on:
#   h=$(printf 'gamelog/1\n%s%s\n' "$h" "$body" | sha256sum | cut -c1-64 | xxd -r -p | base64 | tr '+/' '-_' | cut -c1-43)
VECTOR = (
    '{"h":"fgtZXGl5j2EyyqnqkA08ZtXViI8Duy4XCsNFbIqamEI","gamelog":1,"id":"vector","game":"none","rules":"1",'
    '"started":"2026-01-01T00:00:00Z","seats":[{"seat":"red"}],"options":{},"board":"b","dice":{"source":"table"}}\n'
    '{"h":"RTmn1MF664hzI8lgXsxmDVxGyPNrrp89x-4HQd-K7Uw","do":"move","n":1,"t":0,"by":"red","text":"první tah"}\n'
    '{"h":"brcSujylgSLMv6xo3Ic5n4VL29wvmUqal4bOSVqejFs","do":"move","n":2,"t":5,"by":"red"}\n'
).encode()


def kind(data: bytes) -> str | None:
    problem = parse_record(data).problem
    return problem.code.removeprefix("record.") if problem else None


def test_a_record_made_with_sha256sum_verifies() -> None:
    record = parse_record(VECTOR)
    assert record.problem is None
    assert record.head == "brcSujylgSLMv6xo3Ic5n4VL29wvmUqal4bOSVqejFs"
    assert [record.head_at(n)[:4] for n in range(3)] == ["fgtZ", "RTmn", "brcS"]
    assert record.header is not None
    assert record.header.id == "vector"


def test_every_head_follows_the_specification() -> None:
    assert len(DATA) >= 8192
    before = "A" * 43
    for line in LINES:
        digest = hashlib.sha256(b"gamelog/1\n" + before.encode() + line[51:]).digest()
        before = urlsafe_b64encode(digest).decode().rstrip("=")
        assert line[:51] == b'{"h":"' + before.encode() + b'",'
    assert parse_record(DATA).head == before


def test_offsets_and_bodies_match_the_file() -> None:
    record = parse_record(DATA)
    assert record.valid_size == len(DATA)
    assert len(record.bodies) == 85
    for offset, body, head in zip(record.offsets, record.bodies, record.heads, strict=True):
        assert DATA[offset : offset + 51 + len(body)] == b'{"h":"' + head + b'",' + body


def test_a_record_cut_at_any_byte_is_torn_or_a_whole_prefix() -> None:
    ends = {0}
    for line in LINES:
        ends.add(max(ends) + len(line))
    whole = parse_record(DATA)
    for size in range(len(DATA)):
        record = parse_record(DATA[:size])
        good = max(end for end in ends if end <= size)
        assert record.valid_size == good
        assert record.bodies == whole.bodies[: len(record.bodies)]
        if size in ends and size:
            assert record.problem is None
        else:
            assert record.problem is not None
            assert (record.problem.code, record.problem.offset) == ("record.torn", good)


def test_every_flipped_bit_is_found_at_its_line() -> None:
    """Flip every bit. `walk` starts at the flipped line with the head before it, like a walk from the
    start.
    """
    heads = [chain.GENESIS, *(line[6:49] for line in LINES)]
    start = flips = 0
    for k, line in enumerate(LINES):
        following = LINES[k + 1] if k + 1 < len(LINES) else b""
        flipped = bytearray(line + following)
        for at in range(len(line)):
            for bit in range(8):
                flipped[at] ^= 1 << bit
                links = chain.verify_lines(bytes(flipped), heads[k], start)
                assert links.valid_size == start, (start + at, bit)
                last = start + at == len(DATA) - 1
                assert links.problem == ("torn" if last else "damaged"), (start + at, bit)
                flipped[at] ^= 1 << bit
                flips += 1
        start += len(line)
    assert flips == 8 * len(DATA)


def test_a_flipped_bit_is_found_from_the_start_of_the_file_too() -> None:
    data = bytearray(DATA)
    for place in [*range(0, len(DATA) * 8, 13), *range((len(DATA) - 1) * 8, len(DATA) * 8)]:
        data[place // 8] ^= 1 << place % 8
        record = parse_record(bytes(data))
        assert record.problem is not None
        assert record.problem.code == ("record.torn" if place // 8 == len(DATA) - 1 else "record.damaged")
        assert record.problem.offset is not None
        assert record.problem.offset <= place // 8
        assert record.valid_size == record.problem.offset
        data[place // 8] ^= 1 << place % 8


def test_the_two_spare_bits_of_a_digest_are_compared_too() -> None:
    """43 characters have 258 bits, so four texts decode to the same 32 bytes. Only one of them is right."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    right = alphabet.index(chr(DATA[48]))
    for spare in range(1, 4):
        same = DATA[:48] + alphabet[right ^ spare].encode() + DATA[49:]
        assert kind(same) == "damaged"


@pytest.mark.parametrize(
    ("lines", "good"),
    [
        pytest.param([*LINES[:5], LINES[4], *LINES[5:]], 5, id="duplicated"),
        pytest.param([*LINES[:5], LINES[6], LINES[5], *LINES[7:]], 5, id="reordered"),
        pytest.param([*LINES[:5], *LINES[6:]], 5, id="deleted"),
        pytest.param(LINES[1:], 0, id="without its header"),
        pytest.param([*LINES[:5], b"\n", *LINES[5:]], 5, id="an empty line"),
        pytest.param(
            [*LINES[:5], VECTOR.splitlines(keepends=True)[1], *LINES[5:]], 5, id="a line of another record"
        ),
        pytest.param([VECTOR.splitlines(keepends=True)[0], *LINES[1:]], 1, id="the header of another record"),
        pytest.param([*LINES, *LINES], 86, id="twice"),
        pytest.param([line.replace(b"\n", b"\r\n") for line in LINES], 0, id="CR LF"),
        pytest.param([b"\xef\xbb\xbf" + LINES[0], *LINES[1:]], 0, id="byte order mark"),
        pytest.param([LINES[0], LINES[1].replace(b'"blue"', b'"red"'), *LINES[2:]], 1, id="another seat"),
    ],
)
def test_moved_or_changed_lines_are_found(lines: list[bytes], good: int) -> None:
    record = parse_record(b"".join(lines))
    assert record.problem is not None
    assert record.problem.code == "record.damaged"
    assert record.valid_size == record.problem.offset == len(b"".join(lines[:good]))
    assert len(record.bodies) == max(0, good - 1)


def test_deleted_last_lines_are_found_only_with_a_known_head() -> None:
    """Only this is promised: lines up to a line end are a record with another head."""
    record = parse_record(b"".join(LINES[:-3]))
    assert record.problem is None
    assert record.head != parse_record(DATA).head
    assert record.head == parse_record(DATA).head_at(82)


@settings(deadline=None)
@given(st.lists(st.text(max_size=30), max_size=20), st.data())
def test_every_prefix_contains_the_first_events(texts: list[str], draw: st.DataObject) -> None:
    events = [Move(n, n, "red", text) for n, text in enumerate(texts, 1)]
    data, head = compose(HEADER, events)
    whole = parse_record(data)
    assert (whole.problem, whole.head, len(whole.bodies)) == (None, head, len(texts))
    size = draw.draw(st.integers(0, len(data)))
    record = parse_record(data[:size])
    assert record.bodies == whole.bodies[: len(record.bodies)]
    assert record.heads == whole.heads[: len(record.heads)]
    assert (record.problem is None) == (data[:size].endswith(b"\n"))


@settings(deadline=None)
@given(st.integers(0, len(DATA)), st.integers(0, 300), st.binary(max_size=60))
def test_no_edit_is_accepted(start: int, size: int, instead: bytes) -> None:
    """Write any bytes in place of any others: only lines of the record ever verify."""
    edited = DATA[:start] + instead + DATA[start + size :]
    record = parse_record(edited)
    assert edited[: record.valid_size] == DATA[: record.valid_size]
    if record.problem is None:
        assert DATA.startswith(edited)


def test_a_continued_walk_equals_one_walk() -> None:
    whole = chain.verify_lines(DATA)
    for k in (1, 7, 85):
        begin = whole.offsets[k]
        rest = chain.verify_lines(DATA[begin:], whole.heads[k - 1], begin)
        assert rest.offsets == whole.offsets[k:]
        assert rest.bodies == whole.bodies[k:]
        assert rest.heads == whole.heads[k:]
        assert rest.valid_size == whole.valid_size


@pytest.mark.parametrize(("first", "last"), [(0, 86), (0, 1), (5, 6), (7, 86)])
def test_lines_verified_together_equal_lines_verified_singly(first: int, last: int) -> None:
    """Test the fast path alone. The slow path would correct its mistakes, so no other test would find
    them.
    """
    lines = LINES[first:last]
    data, before, base = b"".join(lines), LINES[first - 1][6:49] if first else chain.GENESIS, 1_000 * first
    longest = max(map(len, lines))
    links = chain._verify_together(data, before, base, longest)
    assert links is not None
    assert (
        links == chain._verify_singly(data, before, base, longest) == chain.verify_lines(data, before, base)
    )
    assert chain._verify_together(data, before, base, longest - 1) is None
    for spoiled in (data[:-1], b"\n" + data, data[:48] + data[49:], data.replace(b'"h"', b'"x"', 1), b""):
        assert chain._verify_together(spoiled, before, base, longest) is None


def test_empty_data_has_no_lines() -> None:
    assert chain.verify_lines(b"", base=7) == chain.ValidLines([], [], [], 7)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (LINES[0].replace(b"Ana", b"Eva"), "the line before it was changed, removed, inserted or moved"),
        (LINES[0].replace(b"\n", b"\r\n"), "CR LF"),
        (b"\xef\xbb\xbf" + LINES[0], "byte order mark"),
        (b"hello\n", "not a line of a record"),
        (b'{"h":"short"}\n', "not a line of a record"),
        (LINES[0][:-1] + b" " * (1 << 20) + b"\n", "1,048,576"),
        (LINES[0][:49] + b'"?' + LINES[0][51:], "not a line of a record"),
        (b'{"h":"' + b"\x1b]0;" * 20 + b"\n", "not a line of a record"),
    ],
)
def test_the_reason_names_the_likeliest_accident(line: bytes, words: str) -> None:
    problem = parse_record(line).problem
    assert problem is not None
    assert words in problem.text


def test_the_reason_shows_no_digest_because_it_could_confirm_a_guess() -> None:
    line = LINES[0].replace(b"Ana", b"Eva")
    _, head = chain.chained_line(chain.GENESIS, line[51:])
    problem = parse_record(line).problem
    assert problem is not None
    assert problem.text.endswith("the digest in the line does not fit the content")
    assert not [digest for digest in (LINES[0][6:14], head[:8]) if digest.decode() in problem.text]


@pytest.mark.parametrize("end", [b"rubbish\n", b'{"h":"'])
@pytest.mark.parametrize("base", [0, 1_000])
def test_the_good_lines_before_a_bad_end_are_returned_unchanged(end: bytes, base: int) -> None:
    whole = chain.verify_lines(DATA)
    for k in range(len(LINES) + 1):
        good = b"".join(LINES[:k])
        links = chain.verify_lines(good + end, base=base)
        assert links.offsets == [base + offset for offset in whole.offsets[:k]]
        assert (links.bodies, links.heads) == (whole.bodies[:k], whole.heads[:k])
        assert links.valid_size == base + len(good)
        assert links.problem == ("damaged" if end.endswith(b"\n") else "torn")


@pytest.mark.parametrize("end", [b"", b"rubbish\n"])
def test_a_line_may_have_the_maximum_length(end: bytes) -> None:
    longest = max(map(len, LINES))
    links = chain.verify_lines(DATA + end, max_line=longest)
    assert links.valid_size == len(DATA)
    links = chain.verify_lines(DATA + end, max_line=longest - 1)
    assert links.valid_size == sum(map(len, LINES[: [len(line) for line in LINES].index(longest)]))
    assert f"can have at most {longest - 1:,} bytes" in str(links.reason)
    assert "longest" not in str(chain.damage_reason(b"x" * longest, longest))

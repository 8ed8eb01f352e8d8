"""Tests that reading is safe for any file, and reports what is wrong with it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from gamelog.errors import Damaged, NotReadable, Torn, UnknownFormat
from gamelog.record import chain, envelope, reading
from gamelog.record.reading import (
    ERROR_CLASSES,
    Record,
    decompress,
    parse_record,
    problem_error,
    read_opening,
    read_record,
)
from tests.record.sample import HEADER, moves, nobody, write_record

MEMBERS = envelope.encode_body(HEADER).decode().removesuffix("}\n")


def header_line(body: str | bytes) -> bytes:
    """Return a file with one line, which has this body and the right digest."""
    return chain.chained_line(chain.GENESIS, body if isinstance(body, bytes) else body.encode())[0]


def trouble(data: bytes) -> tuple[str, int | None, str]:
    record = parse_record(data)
    assert record.problem is not None
    assert record.header is None
    kind = ERROR_CLASSES[record.problem.code].__name__.lower()
    return kind, record.problem.offset, record.problem.text


def test_a_whole_record_is_read(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    data = write_record(path, moves(20))
    record = read_record(path)
    assert record.problem is None
    assert record.header == HEADER
    assert record.path == str(path)
    assert len(record.bodies) == len(record.heads) == len(record.offsets) == 20
    assert record.valid_size == len(data)


def test_unknown_members_of_the_header_are_kept() -> None:
    record = parse_record(header_line(MEMBERS + ',"weather":{"sky":"clear"}}\n'))
    assert record.problem is None
    assert record.header == HEADER
    assert record.members["weather"] == {"sky": "clear"}


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        pytest.param(b"", "torn", "empty", id="empty"),
        pytest.param(b'{"h', "torn", "the last line is incomplete", id="three bytes"),
        pytest.param(b"x", "damaged", "not a line of a record", id="another byte"),
        pytest.param(b"\0" * 5000, "damaged", "not a line of a record", id="zeros"),
        pytest.param(bytes(range(256)) * 50, "damaged", "not a line of a record", id="binary"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + bytes(900), "damaged", "not a line of a record", id="a picture"),
        pytest.param(b'{"gamelog":1}\n', "damaged", "not a line of a record", id="no digest"),
        pytest.param("{}\n".encode("utf-16"), "damaged", "not a line of a record", id="UTF-16"),
        pytest.param(b"a" * 10_000_000, "damaged", "10,000,000 bytes", id="10 MB without a line end"),
        pytest.param(
            header_line('"a":"' + "a" * 10_000_000 + '"}\n'), "damaged", "10,000,0", id="a line of 10 MB"
        ),
        pytest.param(header_line("}\n"), "damaged", "no member gamelog", id="an empty header"),
        pytest.param(
            header_line('"do":"move","n":1,"t":0,"by":"red"}\n'),
            "damaged",
            "no member gamelog",
            id="an event first",
        ),
        pytest.param(header_line("nonsense\n"), "damaged", "not JSON", id="not JSON"),
        pytest.param(header_line("\n"), "damaged", "not JSON", id="nothing behind the digest"),
        pytest.param(header_line(MEMBERS + "}{}\n"), "damaged", "not JSON", id="two objects"),
        pytest.param(
            header_line(b'"gamelog":1,"id":"\xff"}\n'), "damaged", "not valid UTF-8", id="not UTF-8"
        ),
        pytest.param(
            header_line(b'"gamelog":1,"id":"\xed\xa0\x80"}\n'),
            "damaged",
            "not valid UTF-8",
            id="a surrogate in UTF-8",
        ),
        pytest.param(
            header_line(MEMBERS + ',"x":"\\ud800"}\n'),
            "damaged",
            "half of a surrogate pair",
            id="half a pair",
        ),
        pytest.param(
            header_line(MEMBERS + ',"x":"\\udc00 "}\n'),
            "damaged",
            "half of a surrogate pair",
            id="the other half",
        ),
        pytest.param(header_line(MEMBERS + ',"x":NaN}\n'), "damaged", "NaN", id="NaN"),
        pytest.param(header_line(MEMBERS + ',"x":-Infinity}\n'), "damaged", "Infinity", id="infinity"),
        pytest.param(header_line(MEMBERS + ',"x":1e999}\n'), "damaged", "too large", id="1e999"),
        pytest.param(
            header_line(MEMBERS + ',"x":9007199254740992}\n'), "damaged", "53 bits", id="2 to the 53"
        ),
        pytest.param(
            header_line(MEMBERS + ',"x":' + "9" * 100_000 + "}\n"), "damaged", "53 bits", id="100,000 digits"
        ),
        pytest.param(
            header_line(MEMBERS + ',"id":"other"}\n'), "damaged", '"id" is listed twice', id="a member twice"
        ),
        pytest.param(
            header_line(MEMBERS + ',"h":"x"}\n'), "damaged", '"h" is listed twice', id="a second digest"
        ),
        pytest.param(
            header_line(MEMBERS + ',"x":{"a":1,"a":1}}\n'),
            "damaged",
            '"a" is listed twice',
            id="twice inside",
        ),
        pytest.param(
            header_line('"gamelog":"1","id":"x"}\n'), "unknownformat", "format '1'", id="the version as text"
        ),
        pytest.param(header_line('"gamelog":2,"id":[]}\n'), "unknownformat", "format 2", id="a later format"),
        pytest.param(
            header_line('"gamelog":"' + "9" * 500_000 + '"}\n'),
            "unknownformat",
            "Install a newer",
            id="a long version",
        ),
        pytest.param(header_line('"gamelog":true}\n'), "damaged", "does not fit", id="true for 1"),
        pytest.param(header_line('"gamelog":1,"id":"x"}\n'), "damaged", "does not fit", id="members missing"),
        pytest.param(
            header_line(MEMBERS.replace('"game":"none"', '"game":5') + "}\n"),
            "damaged",
            "does not fit",
            id="a wrong type",
        ),
        pytest.param(
            header_line(MEMBERS.replace('"red"', '""') + "}\n"),
            "damaged",
            "does not fit",
            id="a nameless seat",
        ),
        pytest.param(
            header_line(MEMBERS.replace("-01-01T", "-02-30T") + "}\n"),
            "damaged",
            "day is out of range",
            id="no such day",
        ),
        pytest.param(header_line(MEMBERS + "\r}\n"), "damaged", "carriage return", id="a carriage return"),
    ],
)
def test_files_that_are_not_records_are_reported(data: bytes, kind: str, words: str) -> None:
    found, offset, text = trouble(data)
    assert (found, offset) == (kind, 0)
    assert words in text
    assert len(text) < 300


@pytest.mark.parametrize(
    "depth", [63, 64, 500, sys.getrecursionlimit() - 5, sys.getrecursionlimit() + 5, 250_000]
)
@pytest.mark.parametrize("brackets", ["[]", '{"a":}'])
def test_the_limit_of_nesting_does_not_depend_on_the_stack(depth: int, brackets: str) -> None:
    opening, closing = brackets[:-1], brackets[-1]
    data = header_line(MEMBERS + f',"x":{opening * depth}0{closing * depth}}}\n')
    if len(data) > envelope.MAX_LINE:
        assert "1,048,576" in trouble(data)[2]
    elif depth < 64:  # the header itself is one level
        assert parse_record(data).problem is None
    else:
        assert trouble(data)[2] == "in the header, the JSON is nested more than 64 levels deep"


def test_brackets_in_texts_do_not_nest() -> None:
    text = '\\"[{\\\\' * 200
    record = parse_record(header_line(MEMBERS + f',"x":"{text}","y":[[0],[1]]}}\n'))
    assert record.problem is None


def test_a_body_that_verifies_is_returned_without_decoding() -> None:
    """The code that decodes lines later, which knows the game, judges whether they are events."""
    first, head = chain.chained_line(chain.GENESIS, envelope.encode_body(HEADER))
    second, _ = chain.chained_line(head, b"nonsense\n")
    record = parse_record(first + second)
    assert record.problem is None
    assert record.bodies == [b"nonsense\n"]


def test_messages_about_a_file_cannot_control_the_terminal() -> None:
    escape = b"\x1b]0;title\x07"
    for data in (
        chain.OPEN + escape.ljust(43, b"A") + chain.CLOSE + b'"gamelog":1}\n',
        header_line(MEMBERS + ',"x":{"\\u001b[2J":1,"\\u001b[2J":2}}\n'),
        header_line('"gamelog":"\\u001b[2J"}\n'),
    ):
        assert trouble(data)[2].isprintable()


def test_a_problem_becomes_an_error_of_its_kind() -> None:
    for data, kind in ((b"", Torn), (b"x", Damaged), (header_line('"gamelog":7}\n'), UnknownFormat)):
        problem = parse_record(data).problem
        assert problem is not None
        error = problem_error(problem, "game.jsonl")
        assert type(error) is kind
        assert str(error).startswith("game.jsonl, byte 0: ")


# --- the file ---


def check_refusal(path: Any, words: str) -> None:
    with pytest.raises(NotReadable, match=words) as caught:
        read_record(path)
    assert str(caught.value).count("\n") == 0


def test_a_path_without_a_file_is_reported(tmp_path: Path) -> None:
    check_refusal(tmp_path / "none.jsonl", "does not exist")
    check_refusal(tmp_path, "is a folder")
    check_refusal(tmp_path / "a\0b", "is not a valid file name")
    check_refusal(tmp_path / ("n" * 300), "name too long")
    (tmp_path / "file").write_bytes(b"")
    check_refusal(tmp_path / "file" / "in-it", "[Nn]ot a directory")


def test_pipes_and_devices_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    check_refusal(tmp_path / "pipe.jsonl", "a pipe or a device")
    check_refusal("/dev/zero", "a pipe or a device")


def test_links(tmp_path: Path) -> None:
    write_record(tmp_path / "game.jsonl", moves(3))
    (tmp_path / "link.jsonl").symlink_to("game.jsonl")
    assert len(read_record(tmp_path / "link.jsonl").bodies) == 3
    (tmp_path / "nowhere.jsonl").symlink_to("gone.jsonl")
    check_refusal(tmp_path / "nowhere.jsonl", "does not exist")
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    check_refusal(tmp_path / "loop.jsonl", "symbolic links")


def test_a_file_without_read_permission_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    write_record(path, moves(3))
    path.chmod(0)
    with nobody(tmp_path):
        assert path.exists()
        check_refusal(path, "Permission denied")


def test_a_file_too_large_for_a_record_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # a hole: it takes no room
    check_refusal(path, "1,099,511,627,776 bytes")


@pytest.mark.parametrize("ending", ["", ".zst"])
def test_the_first_line_can_be_read_alone(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"game.jsonl{ending}"
    data = write_record(tmp_path / "game.jsonl", moves(3))
    for whole in (data, data[:-5], data.replace(b"\n{", b"\n[", 1)):
        squeezed(path, whole) if ending else path.write_bytes(whole)
        opening = read_opening(path)
        assert (opening.header, opening.header_head) == (
            read_record(path).header,
            read_record(path).header_head,
        )
        assert opening.header is not None
        assert opening.bodies == []
    begin = data[: data.index(b"\n")]
    squeezed(path, begin) if ending else path.write_bytes(begin)
    assert (read_opening(path).header, read_record(path).header) == (None, None)
    for wrong in (tmp_path / f"none.jsonl{ending}", tmp_path):
        with pytest.raises(NotReadable):
            read_opening(wrong)


@pytest.mark.parametrize("ending", ["", ".zst"])
def test_the_largest_record_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    data = write_record(tmp_path / "game.jsonl", moves(300))
    squeezed(tmp_path / "game.jsonl.zst", data)
    monkeypatch.setattr(reading, "MAX_RECORD", len(data))
    assert read_record(tmp_path / f"game.jsonl{ending}").valid_size == len(data)
    monkeypatch.setattr(reading, "MAX_RECORD", len(data) - 1)
    check_refusal(tmp_path / f"game.jsonl{ending}", "at most|more than")


# --- .jsonl.zst ---


def squeezed(path: Path, *frames: bytes) -> Path:
    path.write_bytes(b"".join(zstandard.ZstdCompressor().compress(frame) for frame in frames))
    return path


def same(record: Record, data: bytes) -> bool:
    return record == msgspec.structs.replace(parse_record(data), path=record.path)


def test_compressed_records_are_read(tmp_path: Path) -> None:
    data = write_record(tmp_path / "game.jsonl", moves(300))
    assert same(read_record(squeezed(tmp_path / "one.jsonl.zst", data)), data)
    assert same(read_record(squeezed(tmp_path / "two.jsonl.zst", data[:999], b"", data[999:])), data)
    skippable = b"\x50\x2a\x4d\x18\x03\0\0\0abc"  # a frame that decompressors step over, as parallel compressors write
    path = squeezed(tmp_path / "skip.jsonl.zst", data)
    path.write_bytes(skippable + path.read_bytes() + skippable)
    assert same(read_record(path), data)


def test_a_compressed_record_cut_at_any_byte_is_refused(tmp_path: Path) -> None:
    """This includes cuts between two lines: without the end mark, it is unknown what is missing."""
    path = squeezed(tmp_path / "game.jsonl.zst", write_record(tmp_path / "game.jsonl", moves(30)))
    whole = path.read_bytes()
    for size in range(len(whole)):
        with pytest.raises(Damaged, match="ends in the middle"):
            decompress(whole[:size], "game.jsonl.zst")
    path.write_bytes(whole[:-1])
    with pytest.raises(Damaged, match="ends in the middle"):
        read_record(path)


def test_a_flipped_bit_in_a_compressed_record_is_found(tmp_path: Path) -> None:
    """A few bits do not matter to the decompressor. Then the record is unchanged, and never another
    record.
    """
    data = write_record(tmp_path / "game.jsonl", moves(10))
    whole = bytearray(squeezed(tmp_path / "game.jsonl.zst", data).read_bytes())
    harmless = 0
    for place in range(8 * len(whole)):
        whole[place // 8] ^= 1 << place % 8
        try:
            content = decompress(bytes(whole), "game.jsonl.zst")
        except Damaged:
            continue
        finally:
            whole[place // 8] ^= 1 << place % 8
        if parse_record(content).problem is None:
            assert content == data
            harmless += 1
    assert harmless < len(whole)  # one bit in eight at most


def test_a_zst_file_that_is_not_compressed_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl.zst"
    data = write_record(path, moves(3))
    with pytest.raises(Damaged, match="not a zstd file"):
        read_record(path)
    path.write_bytes(zstandard.ZstdCompressor().compress(data) + b"rubbish behind it")
    with pytest.raises(Damaged, match="The file is damaged or is not a zstd file"):
        read_record(path)


def test_a_small_file_that_expands_to_gigabytes_is_not_decompressed(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.zst"
    compressor = zstandard.ZstdCompressor(level=1).compressobj()
    block = bytes(1 << 24)
    with path.open("wb") as file:
        for _ in range(64):  # 1 GiB
            file.write(compressor.compress(block))
        file.write(compressor.flush())
    assert path.stat().st_size < 100_000
    check_refusal(path, f"more than {envelope.MAX_RECORD:,} bytes")

"""Tests of small files that unpack to gigabytes: each command refuses them within bounds, and reads the others."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import duckdb
import pytest
import zstandard

from gamelog.archive.sources import packs
from gamelog.record.envelope import MAX_RECORD
from tests.bench.process import run_command

SAMPLE = Path(__file__).parents[2] / "sample_games" / "slicewars" / "short.jsonl"

MOST = 3.5 * MAX_RECORD / (1 << 20) + 100
"""Memory limit of a command in MiB: a few copies of the largest content, and the programs themselves."""

SECONDS = 30
"""Limit of processor time; a command takes about three seconds."""

MAGIC = b"\x28\xb5\x2f\xfd"
BLOCK = 128 << 10
"""Largest number of bytes in a block that repeats one byte."""


def repeat_bytes(byte: bytes, blocks: int) -> bytes:
    """Return a frame of blocks of four bytes each, which repeat `byte`."""
    return MAGIC + b"\0\x38" + _blocks(byte, blocks)


def _blocks(byte: bytes, blocks: int) -> bytes:
    one = (BLOCK << 3 | 2).to_bytes(3, "little") + byte
    last = (BLOCK << 3 | 3).to_bytes(3, "little") + byte
    return one * (blocks - 1) + last


def compressed_gibibyte(byte: bytes) -> bytes:
    """Return a compressed gibibyte of one byte."""
    compressor = zstandard.ZstdCompressor(level=3, write_content_size=False).compressobj()
    piece = byte * (16 << 20)
    return b"".join([*(compressor.compress(piece) for _ in range(64)), compressor.flush()])


def frame_with_dictionary() -> bytes:
    """Return a frame that needs a dictionary that no reader has."""
    known = zstandard.ZstdCompressionDict(b'"do":"@note"\n' * 4096, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
    whole = zstandard.ZstdCompressor(dict_data=known).compress(b'"do":"@note"\n' * 1_000_000)
    assert whole[:4] == MAGIC
    return MAGIC + bytes([whole[4] | 1]) + whole[5:6] + b"\x07" + whole[6:]  # and it says which


BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "4 GiB of line ends, a byte repeated": (lambda: repeat_bytes(b"\n", 32768), "more than 268,435,456 bytes"),
    "1 GiB of line ends, as a compressor makes it": (lambda: compressed_gibibyte(b"\n"), "more than 268,435,456 bytes"),
    "4 GiB in many frames": (lambda: repeat_bytes(b"\n", 64) * 512, "more than 268,435,456 bytes"),
    "as large as a record may be": (lambda: repeat_bytes(b"\n", MAX_RECORD // BLOCK), "only line endings"),
    "a window of 2 TiB": (lambda: MAGIC + b"\0\xf8" + _blocks(b"\n", 9), "The file is damaged or is not a zstd file"),
    "says that it holds 2 ** 62 bytes": (
        lambda: MAGIC + b"\xc0\x38" + (1 << 62).to_bytes(8, "little") + _blocks(b"\n", 9), "The file is damaged or is not a zstd file"
    ),
    "made with a dictionary": (frame_with_dictionary, "The file is damaged or is not a zstd file"),
    "a frame of 4 GiB to be skipped": (
        lambda: b"\x50\x2a\x4d\x18" + b"\xff" * 4 + b"abc", "ends in the middle of its compressed data"
    ),
}  # fmt: skip

needs_linux = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="Linux says there what a process held at most"
)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """Return a folder with a good record."""
    folder = tmp_path / "records"
    folder.mkdir()
    shutil.copy(SAMPLE, folder)
    return folder


def run_within_limits(sentences: Iterable[str], *words: str) -> str:
    """Run a command, check its bounds and its refusals, and return its output."""
    done = run_command(*words)
    assert "Traceback" not in done.said
    for sentence in sentences:
        assert sentence in done.said
    assert done.status in ((1, 2) if sentences else (0, 1))
    assert done.mib < MOST, done
    assert done.seconds < SECONDS, done
    return done.said


@needs_linux
def test_bombs_are_refused_alone_and_in_a_folder(shelf: Path, archive: Path) -> None:
    for at, (make, sentence) in enumerate(BOMBS.values()):
        bomb = shelf / f"bomb-{at}.jsonl.zst"
        bomb.write_bytes(make())
        assert bomb.stat().st_size < 200_000
        if at == 0:
            run_within_limits([sentence], "validate", str(bomb))
    sentences = [sentence for _, sentence in BOMBS.values()]
    said = run_within_limits(sentences, "validate", str(shelf))
    assert "1 ok" in said
    for at, sentence in enumerate(sentences):
        assert re.search(rf"bomb-{at}\.jsonl\.zst: .*\n.*{sentence}", said)
    assert f"Not indexed: {len(BOMBS)}." in run_within_limits(
        sentences, "index", str(shelf), "--archive", str(archive)
    )


LONG = f"repeat(chr(10), {MAX_RECORD})"


@pytest.mark.grid
@needs_linux
@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"name": "'bomb.jsonl.zst'", "raw": "bomb", "size": "octet_length(bomb)"}, "not a line of a record"),
        ({"name": "'bomb.jsonl'", "raw": f"{LONG}::BLOB", "size": f"{MAX_RECORD}"}, "only line endings"),
        ({"name": "'bomb.jsonl'", "raw": f"{LONG}::BLOB", "size": "7"}, "is longer than its stated size of 7 bytes"),
        ({"name": "'bomb.jsonl'", "lines": LONG, "raw": "NULL::BLOB", "size": "7"}, "is longer than its stated size of 7"),
    ],
)  # fmt: skip
def test_a_bomb_in_a_pack_is_refused(
    row: dict[str, str], sentence: str, shelf: Path, archive: Path, tmp_path: Path
) -> None:
    pack = shelf / f"all{packs.ENDING}"
    columns = {
        "name": "''",
        "size": "0",
        "head": "NULL::VARCHAR",
        "lines": "NULL::VARCHAR",
        "raw": "NULL::BLOB",
    } | row
    told = ", ".join(f"{value} AS {name}" for name, value in columns.items())
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT {told} FROM (SELECT ?::BLOB AS bomb)) TO '{pack}' "
            "(FORMAT parquet, COMPRESSION zstd, KV_METADATA {gamelog_pack: '1'})",
            [repeat_bytes(b"\n", 32768)],
        )
    assert pack.stat().st_size < 300_000
    assert "1 ok" in run_within_limits([sentence], "validate", str(shelf))
    assert "Not indexed: 1." in run_within_limits([sentence], "index", str(shelf), "--archive", str(archive))
    run_within_limits([], "unpack", str(pack), "-o", str(tmp_path / "back"))

"""Tests of records and packs in remote stores: fsspec's store in memory, and an S3 server."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import zstandard

from gamelog.archive import Pack, find_items, index, pack, unpack, verdicts
from gamelog.errors import ArchiveError, MissingExtra, NotReadable, ReadFailed
from gamelog.play.fold import common_events

from .conftest import EVEN, Table, numbers
from .faulty_store import FaultyStore, needs_fsspec, needs_s3, run
from .test_packs import contents

Ask = Callable[..., list[tuple[Any, ...]]]


def test_the_missing_extra_is_named(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)  # what an import finds that is not installed
    with pytest.raises(MissingExtra, match=r"pip install 'gamelog\[remote\]'"):
        index(["s3://club/records"], archive)
    assert not archive.exists()


@needs_fsspec
def test_a_store_is_followed_like_a_folder(table: Table, archive: Path, ask: Ask) -> None:
    from fsspec.implementations.memory import MemoryFileSystem

    store = MemoryFileSystem()
    for name in ("a", "b", "c"):
        store.pipe(f"/club/2026/{name}.jsonl", table(*EVEN, id=name).read_bytes())
    store.pipe("/club/d.jsonl.zst", zstandard.compress(table(*EVEN, id="d").read_bytes()))
    store.pipe("/club/notes.txt", b"no record")
    store.pipe("/club/broken.jsonl.zst", b"no zstd")
    url = "memory://club"
    assert numbers(index([url], archive)) == (5, 0, 0, 0, 4, 4)
    assert ask("SELECT id, path FROM games ORDER BY id")[::3] == [
        ("a", "memory:///club/2026/a.jsonl"),
        ("d", "memory:///club/d.jsonl.zst"),
    ]
    assert ask("SELECT path, code FROM findings") == [("memory:///club/broken.jsonl.zst", "record.damaged")]
    assert numbers(index([url], archive)) == (0, 0, 5, 0, 4, 4)
    store.pipe("/club/2026/b.jsonl", table(*EVEN, ("right", 2, 2), id="b").read_bytes())
    store.rm("/club/2026/c.jsonl")
    assert numbers(index([url], archive)) == (0, 1, 3, 1, 3, 3)
    assert index(["memory://club/2026/a.jsonl", table.folder], archive).new == 4
    with pytest.raises(NotReadable, match="nothing at memory://elsewhere"):
        index(["memory://elsewhere"], archive)
    with pytest.raises(NotReadable, match="Cannot reach "):
        index(["gopher://club/records"], archive)


pytestmark = pytest.mark.filterwarnings("default")  # those of the S3 client and server


@needs_s3
def test_records_and_packs_on_s3_are_validated_indexed_packed_and_unpacked(
    s3: Any, table: Table, archive: Path, ask: Ask, tmp_path: Path
) -> None:
    for at in range(4):
        s3.pipe(f"club/2026/game {at}.jsonl", table(*EVEN, ("left", at + 1, 1), id=f"game-{at}").read_bytes())
    s3.pipe("club/2026/packed.jsonl.zst", zstandard.compress(table(*EVEN, id="packed").read_bytes()))
    assert run("validate", "s3://club/2026") == (0, "5 records: 5 ok.\n")
    assert run("pack", "s3://club/2026", "-o", "s3://club/all [1].gamelog.parquet")[0] == 0
    with pytest.raises(ArchiveError, match="exists already"):
        pack([table.folder], "s3://club/all [1].gamelog.parquet")
    assert run("validate", "s3://club") == (0, "10 records: 10 ok.\n")
    _, said = run("index", "s3://club/all [1].gamelog.parquet", "--archive", str(archive), "--json")
    told = json.loads(said)
    assert [told[name] for name in ("new", "changed", "same", "gone", "records", "counted")] == [
        1,
        0,
        0,
        0,
        5,
        5,
    ]
    assert (told["findings"], told["not_taken"]) == ({}, 0)
    assert ask("SELECT path, member FROM games ORDER BY member LIMIT 1") == [
        ("s3://club/all [1].gamelog.parquet", "game 0.jsonl")
    ]
    assert numbers(index(["s3://club"], archive)) == (5, 0, 1, 0, 5, 5)
    assert unpack("s3://club/all [1].gamelog.parquet", tmp_path / "back").records == 5
    assert contents(tmp_path / "back") == {
        **{f"game {at}.jsonl": s3.cat(f"club/2026/game {at}.jsonl") for at in range(4)},
        "packed.jsonl": (table.folder / "packed.jsonl").read_bytes(),
    }


@needs_s3
def test_a_pack_on_s3_that_was_cut_short_or_is_gone(s3: Any, table: Table, tmp_path: Path) -> None:
    table(*EVEN)
    pack([table.folder], tmp_path / "whole.gamelog.parquet")
    s3.pipe("club/cut/cut.gamelog.parquet", (tmp_path / "whole.gamelog.parquet").read_bytes()[:-9])
    (verdict,) = verdicts(find_items(["s3://club/cut"]))
    assert (verdict.status, verdict.findings[0].code) == ("damaged", "record.damaged")
    assert "is damaged: " in verdict.findings[0].text
    with pytest.raises(NotReadable, match="nothing at s3://club/gone"):
        Pack("s3://club/gone.gamelog.parquet")
    with pytest.raises(ArchiveError, match=r"Cannot write s3://nowhere/x.gamelog.parquet: .*bucket"):
        pack([table.folder], "s3://nowhere/x.gamelog.parquet")


@needs_s3
def test_one_record_is_fetched_without_the_rest(
    s3: Any, faulty: FaultyStore, table: Table, tmp_path: Path
) -> None:
    for at in range(1000):
        noise = "".join(
            sha256(b"%d %d" % (at, block)).hexdigest() for block in range(320)
        )  # what no compression makes small
        table(*EVEN, common_events.Note(0, 0, "table", noise), id=f"game-{at:04}")
    local = tmp_path / "many.gamelog.parquet"
    pack([table.folder], local)
    s3.put_file(str(local), "club/many.gamelog.parquet")
    with Pack("s3://club/many.gamelog.parquet") as records:
        assert records.read("game-0700.jsonl").bodies
    assert 0 < faulty.sent < local.stat().st_size / 3  # the table of contents, and one part of five


@needs_s3
def test_files_that_a_store_refused_are_tried_again_by_the_next_run(
    s3: Any, faulty: FaultyStore, table: Table, archive: Path, ask: Ask
) -> None:
    for at in range(30):
        s3.pipe(f"club/moody/game-{at:02}.jsonl", table(*EVEN, id=f"game-{at:02}").read_bytes())
    words = ("index", "s3://club/moody", "--archive", str(archive))
    gets = count()
    faulty.fault = lambda method, path: (
        403 if method == "GET" and path.endswith(".jsonl") and next(gets) % 5 == 4 else None
    )
    status, said = run(*words)
    assert status == 1, said
    assert faulty.failed == 6
    assert "Not indexed: 6." in said
    assert ask("SELECT DISTINCT code FROM findings") == [("record.unreadable",)]
    assert ask("SELECT count(*) FROM games") == [(24,)]
    assert ask("SELECT DISTINCT status FROM files WHERE id IS NULL") == [("unread",)]
    faulty.behave()
    status, said = run(*words)
    assert status == 0, said
    assert len(faulty.contents_asked()) == 6, "the others are not asked for again"
    assert ask("SELECT count(*), count(DISTINCT id) FROM games WHERE counted") == [(30, 30)]
    assert ask("SELECT count(*) FROM findings") == [(0,)]
    assert run(*words)[0] == 0


class _Refusing(BaseHTTPRequestHandler):
    """A web server that answers every request with the status of its class."""

    status = 503

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_HEAD(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


@needs_fsspec
@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (404, NotReadable, "There is nothing at"),
        (403, NotReadable, r"Cannot read .*/a\.jsonl: PermissionError: the server answered 403 Forbidden\."),
        (503, ReadFailed, r"/a\.jsonl was not read: OSError: the server answered 503 Service Unavailable\."),
        (None, ReadFailed, r"/a\.jsonl was not read: ClientConnectorError: "),
    ],
    ids=str,
)
def test_a_web_server_that_fails_is_not_one_that_has_nothing(
    status: int | None, error: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("aiohttp")
    monkeypatch.setattr("gamelog.archive.sources.remote.FIRST_PAUSE_SECONDS", 0.001)
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), type("Refusing", (_Refusing,), {"status": status or 503})
    ) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/a.jsonl"
        if status is None:
            server.shutdown()
            server.server_close()
        with pytest.raises(error, match=words):
            find_items([url])
        server.shutdown()
        thread.join()

"""Records and packs in a remote store are read like those in a folder: in fsspec's store in memory, and on an S3 server."""

from __future__ import annotations

import http.client
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import pytest
import zstandard
from gamelog_cli.app import app
from typer.testing import CliRunner

from gamelog.archive import Pack, find_items, index, pack, unpack, verdicts
from gamelog.errors import ArchiveError, MissingExtra, NotReadable
from gamelog.play.fold import common

from .conftest import EVEN, Table, numbers
from .test_packs import contents

Ask = Callable[..., list[tuple[Any, ...]]]

needs_fsspec = pytest.mark.skipif(
    importlib.util.find_spec("fsspec") is None, reason="the extra remote is not installed"
)
needs_s3 = pytest.mark.skipif(
    not (importlib.util.find_spec("s3fs") and importlib.util.find_spec("moto")),
    reason="s3fs or moto is not installed",
)


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
    with pytest.raises(NotReadable, match="cannot be reached"):
        index(["gopher://club/records"], archive)


@pytest.fixture(scope="module")
def s3() -> Iterator[Any]:
    """A store on an S3 server of this machine, with the bucket ``club``."""
    import s3fs
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as surroundings:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            surroundings.setenv(name, "anything")
        surroundings.setenv("AWS_DEFAULT_REGION", "us-east-1")
        surroundings.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        s3fs.S3FileSystem.clear_instance_cache()
        store = s3fs.S3FileSystem()
        store.mkdir("club")
        yield store
        s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


def run(*words: str) -> tuple[int, str]:
    """What a command answers, and its status."""
    done = CliRunner().invoke(app([words[0]]), words)
    return done.exit_code, str(done.exception) if done.exception and not done.stdout else done.stdout


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
    assert "is not a whole pack" in verdict.findings[0].message
    with pytest.raises(NotReadable, match="nothing at s3://club/gone"):
        Pack("s3://club/gone.gamelog.parquet")
    with pytest.raises(ArchiveError, match=r"s3://nowhere/x.gamelog.parquet cannot be written: .*bucket"):
        pack([table.folder], "s3://nowhere/x.gamelog.parquet")


@needs_s3
def test_one_record_is_fetched_without_the_rest(
    s3: Any, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from s3fs.core import S3File

    fetched: list[int] = []
    fetch = S3File._fetch_range

    def counted(file: Any, start: int, end: int) -> Any:
        fetched.append(end - start)
        return fetch(file, start, end)

    for at in range(1000):
        noise = "".join(
            sha256(b"%d %d" % (at, block)).hexdigest() for block in range(320)
        )  # what no compression makes small
        table(*EVEN, common.Note(0, 0, "table", noise), id=f"game-{at:04}")
    local = tmp_path / "many.gamelog.parquet"
    pack([table.folder], local)
    s3.put_file(str(local), "club/many.gamelog.parquet")
    monkeypatch.setattr(S3File, "_fetch_range", counted)
    with Pack("s3://club/many.gamelog.parquet") as records:
        assert records.read("game-0700.jsonl").bodies
    assert 0 < sum(fetched) < local.stat().st_size / 3  # the table of contents, and one part of five


class Moody(ThreadingHTTPServer):
    """Stands before a store and hands on what it is asked, but answers 403 to every fifth GET of an object while it `refuses`."""

    refuses = True
    asked = refused = 0

    def __init__(self, store: str) -> None:
        super().__init__(("127.0.0.1", 0), Handed)
        self.store = store
        self.lock = Lock()

    def lets_pass(self, key: str) -> bool:
        with self.lock:
            self.asked += key.endswith(".jsonl")
            refused = key.endswith(".jsonl") and self.refuses and self.asked % 5 == 0
            self.refused += refused
            return not refused


class Handed(BaseHTTPRequestHandler):
    server: Moody
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.command == "GET" and not self.server.lets_pass(self.path):
            status, kind, data = 403, "application/xml", b"<Error><Code>AccessDenied</Code></Error>"
        else:
            there = http.client.HTTPConnection(self.server.store)
            there.request(
                self.command,
                self.path,
                headers={name: text for name, text in self.headers.items() if name != "Host"},
            )
            answer = there.getresponse()
            status, kind, data = answer.status, answer.headers.get("Content-Type", ""), answer.read()
            size, tag, changed = (
                answer.headers.get(name, "") for name in ("Content-Length", "ETag", "Last-Modified")
            )
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if self.command == "HEAD":
            self.send_header("Content-Length", size)
        else:
            self.send_header("Content-Length", str(len(data)))
        if status == 200:
            self.send_header("ETag", tag)
            self.send_header("Last-Modified", changed)
        self.end_headers()
        self.wfile.write(data)

    do_HEAD = do_GET  # noqa: N815 # the name is the server's

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody is told."""


@pytest.fixture
def moody(s3: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Moody]:
    """A proxy through which the store is reached from now on."""
    import s3fs

    assert s3.exists("club")
    with Moody(os.environ["AWS_ENDPOINT_URL"].removeprefix("http://")) as proxy:
        thread = Thread(target=proxy.serve_forever, daemon=True)
        thread.start()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{proxy.server_address[1]}")
        s3fs.S3FileSystem.clear_instance_cache()
        yield proxy
        proxy.shutdown()
        thread.join()
    s3fs.S3FileSystem.clear_instance_cache()


@needs_s3
def test_what_a_store_refused_is_asked_for_again_by_the_next_run(
    s3: Any, moody: Moody, table: Table, archive: Path, ask: Ask
) -> None:
    for at in range(30):
        s3.pipe(f"club/moody/game-{at:02}.jsonl", table(*EVEN, id=f"game-{at:02}").read_bytes())
    words = ("index", "s3://club/moody", "--archive", str(archive))
    status, said = run(*words)
    assert status == 1, said
    refused = moody.refused
    assert 1 <= refused <= 6
    assert f"Could not be taken: {refused}." in said
    assert ask("SELECT DISTINCT code FROM findings") == [("record.unreadable",)]
    assert ask("SELECT count(*) FROM games") == [(30 - refused,)]
    moody.refuses = False
    asked = moody.asked
    status, said = run(*words)
    assert status == 0, said
    assert moody.asked - asked == refused, "the others are not asked for again"
    assert ask("SELECT count(*), count(DISTINCT id) FROM games WHERE counted") == [(30, 30)]
    assert ask("SELECT count(*) FROM findings") == [(0,)]
    assert run(*words)[0] == 0

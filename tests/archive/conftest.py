"""Fixtures: records of the small game Tug, which can be worked out by hand, and archives of them."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import pytest
from msgspec import structs

from gamelog.archive import TABLES, Answer, Reader, Update, index
from gamelog.archive.indexing.store import Store
from gamelog.archive.sources import remote
from gamelog.archive.workers import judge_versions
from gamelog.play.contract import registry
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold import common_events
from gamelog.play.recording.header import new_header
from gamelog.record import chain
from gamelog.record.envelope import Event, Header, Parent, Seat, encode_body

from .faulty_store import FaultyStore

PLUGIN = Path(__file__).parent / "plugin"


@contextmanager
def installed() -> Iterator[None]:
    """Install the game Tug as a distribution of its own, like any other game."""
    caches = (
        registry._entry_points,
        registry._foreign_packages,
        registry._load,
        judge_versions.judge_versions,
        judge_versions.judge_version_of,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PLUGIN)
        for cache in caches:
            cache.cache_clear()
        yield
    for cache in caches:
        cache.cache_clear()
    sys.modules.pop("tug", None)


@pytest.fixture(autouse=True)
def _tug() -> Iterator[None]:
    """Make the game Tug available."""
    with installed():
        yield


def write(path: Path, header: Header, events: Sequence[Event]) -> Path:
    """Write a record of `events`, numbered and chained in order."""
    head, text = chain.GENESIS, b""
    for thing in (header, *events):
        line, head = chain.chained_line(head, encode_body(thing))
        text += line
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    return path


class Table:
    """A writer of Tug records, with turns given as (rope, attacker's die, defender's die)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0

    def header(
        self, id: str, *, seats: int = 2, names: Sequence[str] = ("Ana", "Rui", "Eva"), **more: Any
    ) -> Header:
        game = registry.find("tug")
        people = [Seat(seat, name) for seat, name in zip(game.seats[seats], names, strict=False)]
        options = more.pop("options", None)
        parents = more.pop("parents", ())
        made = new_header(
            game, people, id=id, started=more.pop("started", "2026-03-01T20:00:00Z"), options=options, **more
        )
        return structs.replace(made, parents=tuple(parents))

    def __call__(
        self,
        *turns: tuple[str, int, int] | Event,
        id: str | None = None,
        file: str | None = None,
        pace: int = 1000,
        **more: Any,
    ) -> Path:
        self.count += 1
        id = id or f"game-{self.count}"
        header = self.header(id, **more)
        return write(self.folder / (file or f"{id}.jsonl"), header, events_of(header, turns, pace))


def events_of(header: Header, turns: Sequence[tuple[str, int, int] | Event], pace: int = 1000) -> list[Event]:
    """Return the events of `turns`, `pace` ms apart. Events among the turns get a number and a time."""
    game = registry.find("tug")
    pull, dice = game.events
    seats, actor, t = header.seat_ids, 0, 0
    events: list[Event] = []
    for turn in turns:
        if isinstance(turn, Event):
            t += pace
            events.append(structs.replace(turn, n=len(events) + 1, t=t))
            if isinstance(turn, common_events.Takeback):
                actor = 0 if turn.to == 0 else actor
            continue
        rope, attack, defence = turn
        by = seats[actor % len(seats)]
        events.append(pull(len(events) + 1, t + pace, by, rope))
        events.append(dice(len(events) + 1, t + 2 * pace, by, attack, defence))
        t += 2 * pace
        actor += 1
    return events


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "records"
    folder.mkdir()
    return folder


@pytest.fixture
def table(shelf: Path) -> Table:
    return Table(shelf)


def three_games(shelf: Path) -> None:
    table = Table(shelf)
    table(("left", 6, 1), ("right", 2, 2), ("right", 5, 4), id="a", tags={"event": "Club, night"})
    table(("left", 1, 1), id="b")
    table(("middle", 1, 1), id="c")


@pytest.fixture(scope="session")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an archive of three games that no test changes."""
    folder = tmp_path_factory.mktemp("three")
    with installed():
        three_games(folder / "records")
        index([folder / "records"], folder / "games.archive")
    return folder / "games.archive"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "games.archive"


@cache
def _empty() -> bytes:
    """Return the bytes of an empty archive, because creating one takes longer than filling it."""
    with TemporaryDirectory() as folder:
        with Store(Path(folder, "empty")):
            pass
        return Path(folder, "empty").read_bytes()


def begun(archive: Path) -> Path:
    """Return the archive, created if it does not exist."""
    if not archive.exists():
        archive.write_bytes(_empty())
    return archive


@pytest.fixture
def indexed(shelf: Path, archive: Path) -> Callable[..., Update]:
    """Return a function that indexes the shelf, from which any records may be missing."""

    def run(**more: Any) -> Update:
        return index([shelf], begun(archive), **{"prune": True, "allow_empty": True, **more})

    return run


@pytest.fixture
def ask(archive: Path) -> Callable[..., list[tuple[Any, ...]]]:
    """Return a function that asks the archive and returns rows."""

    def run(question: str, **values: Any) -> list[tuple[Any, ...]]:
        with Reader(archive) as reader:
            return reader.ask(question, values).rows

    return run


@pytest.fixture(scope="module")
def s3() -> Iterator[Any]:
    """Start an S3 server on this machine, and return a store with the bucket ``club``."""
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
        store.rm("club", recursive=True)  # the server's buckets outlive it in this process
        s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


@pytest.fixture
def faulty(s3: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyStore]:
    """Start a proxy between the store of `s3` and its clients, which do not wait before they try again."""
    import s3fs

    pause = asyncio.sleep

    async def at_once(_seconds: float, *result: Any) -> Any:
        return await pause(0, *result)  # how long a client waits is not ours

    monkeypatch.setattr("aiobotocore.httpsession.asyncio.sleep", at_once)
    monkeypatch.setattr(remote, "FIRST_PAUSE_SECONDS", 0.0)

    assert s3.exists("club")
    with FaultyStore(os.environ["AWS_ENDPOINT_URL"].removeprefix("http://")) as proxy:
        thread = Thread(target=proxy.serve_forever, daemon=True)
        thread.start()
        monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.url)
        s3fs.S3FileSystem.clear_instance_cache()
        yield proxy
        proxy.released.set()
        proxy.shutdown()
        thread.join()
    s3fs.S3FileSystem.clear_instance_cache()


EVEN = [("left", 1, 1)] * 2
"""A game that is too short to count as a copy of another one."""


def dump(archive: Path) -> dict[str, list[str]]:
    """Return all rows of an archive, in an order that does not depend on the commits, without times of files."""
    with Reader(archive) as reader:
        columns = {table: "* EXCLUDE (mtime_ns)" if table == "files" else "*" for table in TABLES}
        return {
            table: sorted(str(row) for row in reader.ask(f"SELECT {those} FROM {table}").rows)
            for table, those in columns.items()
        }


def rebuilt(shelf: Path, tmp_path: Path) -> dict[str, list[str]]:
    """Return all rows of a new archive of the same records."""
    fresh = tmp_path / "fresh.archive"
    fresh.unlink(missing_ok=True)
    index([shelf], fresh)
    return dump(fresh)


__all__ = [
    "EVEN",
    "Answer",
    "Outcome",
    "Parent",
    "Table",
    "begun",
    "dump",
    "events_of",
    "installed",
    "numbers",
    "rebuilt",
    "write",
]


def numbers(update: Update) -> tuple[int, int, int, int, int, int]:
    """Return the main numbers of an update: new, changed, same, gone, records, counted."""
    return update.new, update.changed, update.same, update.gone, update.records, update.counted

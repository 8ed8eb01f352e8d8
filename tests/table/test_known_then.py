"""Tests that a viewer who knows the first events gets the answers of a record that ends there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gamelog_table.access.links import Grant
from gamelog_table.api import Api
from gamelog_table.live.followers import NO_DELAY, Delay
from gamelog_table.pages.folder_downloads import FolderDownloads
from gamelog_table.pages.lobby import Lobby
from gamelog_table.pages.new_records import NewRecords
from gamelog_table.pages.previews import Previews
from gamelog_table.pages.sheets import Sheets
from gamelog_table.pages.table_page import TablePage
from gamelog_table.record.served_folder import ServedFolder

from gamelog.play.contract.registry import find, names
from gamelog.play.fold import common_events
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose
from tests.play.view.eventful import eventful
from tests.samples.__main__ import DIRECTORY
from tests.shares import examples
from tests.table.client import Answer, Client, Serving, serve_in_thread

TURNS = (
    common_events.Agree,
    common_events.Amend,
    common_events.Claim,
    common_events.Clock,
    common_events.Gap,
    common_events.Ruling,
    common_events.Substitute,
    common_events.Takeback,
)
"""Events that change sentences about earlier events."""


def _running(path: Path) -> list[bytes]:
    """Return the header and the events of the record at `path` before the end of its game."""
    lines = path.read_bytes().splitlines(keepends=True)
    while len(lines) > 1:
        folded = fold_record(parse_record(b"".join(lines), "running"))
        if folded.fold and folded.fold.n == len(lines) - 1 and folded.fold.outcome is None:
            break
        lines.pop()
    return lines


def _moments(lines: list[bytes]) -> list[int]:
    """Return the events to test: before and after each event that changes earlier sentences, and a few more."""
    events = fold_record(parse_record(b"".join(lines), "moments")).events
    turns = [event.n for event in events if isinstance(event, TURNS)]
    share = examples(30) // 5
    near = {n for turn in turns[:share] + turns[-share:] for n in (turn - 1, turn, turn + 1)}
    return sorted(n for n in near | {0, 1, len(events) // 3, len(events) - 1} if 0 <= n < len(events))


ASKED = (
    "",
    "/table",
    "/choices",
    "/rules",
    "/links",
    "/record",
    "/sheet?at=1",
    '/walked?cells=["C3","C4"]',
    "//api/records",
    "//api/games",
    "//api/games/slicewars/boards/hex36",
    "//api/codes?record=evening",
    "//api/evening/site",
    "//table/evening",
    "//",
)
"""Addresses other than positions, sheets and the stream."""

SENT: dict[str, dict[str, Any]] = {
    "/events": {"do": "@note", "text": "x"},
    "/would": {"do": "@takeback", "to": 0},
    "/fix": {"at": 1},
    "/rematch": {},
    "//api/records": {"name": "x"},
}
"""Requests that a spectator cannot make, with their addresses."""

FRAMES = 12
"""The number of last events of the stream that are compared."""

OWN = re.compile(rb'"now":\d+|"delayed":(?:null|\{[^}]*\})')
"""Members of an answer that contain the time or the delay."""


def _answers(spectator: Client, m: int) -> Iterator[tuple[str, Any]]:
    """Yield the answers of all addresses to a spectator, about several of the first `m` events."""
    at = sorted({0, max(m - 1, 0), m, m + 1})
    for path in (*ASKED, *(f"?at={n}" for n in at), *(f"/sheet?at={n}" for n in at)):
        yield path, _content(spectator.get(path))
    for path, event in SENT.items():
        yield path, _content(spectator.ask("POST", path, event | {"expect": m}))
    yield from _frames(spectator, m, ("", "steps"))


def _frames(client: Client, m: int, forms: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Yield the last `FRAMES` of the first `m` events of the stream."""
    first = max(1, m - FRAMES + 1)
    for form in forms if m else ():
        with client.live(first, form) as events:
            for n in range(first, m + 1):
                yield f"live {n} {form}", next(events)


def _content(answer: Answer) -> tuple[int, bytes]:
    """Return status and bytes of an answer without times."""
    return answer.status, OWN.sub(b"", answer.body)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Serving, Path, Serving]]:
    """Yield two servers of one record: one has the whole record, the other has the part that a delay shows."""
    whole, short = (tmp_path_factory.mktemp(name) / "evening.jsonl" for name in ("whole", "short"))
    for path in (whole, short):
        path.write_bytes((DIRECTORY / "slicewars/short.jsonl").read_bytes())
    with serve_in_thread(whole) as knowing, serve_in_thread(short) as ignorant:
        yield whole, knowing, short, ignorant


GAMES = sorted(name for name in names() if "@" not in name)

SAMPLES = sorted(
    path
    for path in DIRECTORY.glob("*/*.jsonl")
    if fold_record(read_record(path)).fold and path.stat().st_size < 100_000
)


@pytest.mark.grid(keeps=("slicewars/takeback", "slicewars/ruled", "zone_s/takeback"))
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_delayed_spectator_gets_the_answers_of_a_shorter_record(
    pair: tuple[Path, Serving, Path, Serving], path: Path
) -> None:
    _check_behind(pair, path)


def _check_behind(pair: tuple[Path, Serving, Path, Serving], path: Path) -> None:
    """Assert that a delayed spectator gets the answers that spectators of a shorter record get."""
    whole, knowing, short, ignorant = pair
    lines = _running(path)
    whole.write_bytes(b"".join(lines))
    assert knowing.folder is not None
    for m in _moments(lines):
        short.write_bytes(b"".join(lines[: m + 1]))
        knowing.folder.delay = Delay(events=len(lines) - 1 - m)
        expected = dict(_answers(ignorant.spectator, m))
        assert dict(_answers(knowing.spectator, m)) == expected, m


@pytest.mark.grid(keeps=("slicewars-3", "zone_s-4"))
@pytest.mark.parametrize("seed", range(3, 9))
@pytest.mark.parametrize("name", GAMES)
def test_a_delayed_spectator_of_a_generated_record_gets_the_answers_of_a_shorter_record(
    pair: tuple[Path, Serving, Path, Serving], name: str, seed: int, tmp_path: Path
) -> None:
    _check_behind(pair, _generate(tmp_path, name, seed))


@pytest.mark.grid(keeps=("slicewars/ruled", "zone_s/takeback"))
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_role_gets_an_earlier_position_as_in_a_shorter_record(
    pair: tuple[Path, Serving, Path, Serving], path: Path
) -> None:
    _check_positions(pair, path)


@pytest.mark.grid(keeps=("zone_s-4", "dice_flags-6"))
@pytest.mark.parametrize("seed", range(3, 9))
@pytest.mark.parametrize("name", GAMES)
def test_every_role_gets_an_earlier_position_of_a_generated_record_as_in_a_shorter_one(
    pair: tuple[Path, Serving, Path, Serving], name: str, seed: int, tmp_path: Path
) -> None:
    _check_positions(pair, _generate(tmp_path, name, seed))


def _generate(folder: Path, name: str, seed: int) -> Path:
    """Return a record with all events that change sentences about earlier events."""
    fold = eventful(find(name), seed, 60)
    path = folder / "eventful.jsonl"
    path.write_bytes(compose(fold.header, [*fold.events])[0])
    return path


def _clients(serving: Serving, path: Path) -> dict[str, Client]:
    """Return the clients of all roles of the record at `path`, which `serving` serves."""
    assert serving.folder is not None
    found = {role: serving.client(role) for role in ("scorer", "arbiter", "spectator")}
    header = read_record(path).header
    assert header is not None
    for seat in header.seat_ids:
        token = serving.folder.links.token(Grant("seat", seat, header.id))
        found[seat] = Client({"role": "seat", "seat": seat, "api": serving.scorer.api, "token": token})
    return found


def _check_positions(pair: tuple[Path, Serving, Path, Serving], path: Path) -> None:
    """Assert that each role gets the position after event `m` as the last position of a record of `m` events.

    The steps of the stream are compared too, up to an illegal event that counts only by a later ruling.
    """
    whole, knowing, short, ignorant = pair
    lines = _running(path)
    whole.write_bytes(b"".join(lines))
    assert knowing.folder is not None
    knowing.folder.delay = NO_DELAY
    clients, twins = _clients(knowing, whole), _clients(ignorant, whole)
    for m in _moments(lines):
        short.write_bytes(b"".join(lines[: m + 1]))
        known = fold_record(read_record(short)).fold
        for role, client in clients.items():
            told, expected = client.get(f"?at={m}"), twins[role].get()
            assert told.status == 200
            assert (told.status, told.body) == (expected.status, expected.body), (role, m)
            if known and known.n == m:
                steps = [dict(_frames(one, m, ("steps",))) for one in (client, twins[role])]
                assert steps[0] == steps[1], (role, m)


def test_all_addresses_are_tested(record: Path) -> None:
    asked = {*ASKED, *SENT, "?at=1", "/live"}
    api = Api(ServedFolder(record))
    lobby = Lobby(api, lambda _holder, _name, _path: [], is_reachable=True)
    begun = NewRecords(api, lambda _holder, _name, _path: [])
    routes = [
        route
        for part in (api, TablePage(api), Previews(api), Sheets(api), lobby, begun, FolderDownloads(api, ()))
        for route in part.routes()
    ]
    paths = {path.partition("?")[0].replace("//", "/") for path in asked}
    paths |= {"/table/{name:path}", "/api/games/{game}/boards/{board}", "/api/evening/{file}"}
    paths -= {path for path in paths if path.startswith(("/table/e", "/api/games/s", "/api/evening/s"))}
    assert {route.path.replace("/api/records/{name:path}", "") for route in routes} == paths


def test_a_delayed_spectator_gets_no_open_offer_and_no_present_time(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_bytes(b"".join(_running(DIRECTORY / "slicewars/takeback.jsonl")))
    recorder = EventRecorder(path)
    recorder.append([{"do": "@agree", "by": "red", "result": {"winners": ["red"], "reason": "secret deal"}}])
    with serve_in_thread(path) as serving:
        assert serving.folder is not None
        serving.folder.delay = Delay(events=20)
        told = serving.spectator.get("/choices")
        assert (told.status, told.code) == (403, "table.role")
        with serving.spectator.live(recorder.n - 20, "steps") as events:
            assert "offers" not in next(events)["data"].get("table", {})
        assert b"secret deal" in serving.scorer.get("/choices").body

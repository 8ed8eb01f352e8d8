"""Tests that a shorter game and pushed steps give the same page as the longer game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from gamelog_reports import bundle
from gamelog_reports.replay_page.page_data import page_data
from gamelog_reports.replay_page.shown_record import ShownRecord
from gamelog_reports.templates import texts
from gamelog_table.access.links import Grant
from gamelog_table.live.followers import NO_DELAY, Delay, StreamPosition
from gamelog_table.live.sse_events import step_frame
from gamelog_table.pages.packed_game import packed_game
from gamelog_table.record.served_record import ServedRecord
from playwright.sync_api import Browser, Page

from gamelog.play.contract.registry import find, names
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.judging.prefixes import Prefix
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.status_history import StatusHistory
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose
from tests.play.view.eventful import eventful
from tests.samples.__main__ import DIRECTORY
from tests.table.client import run_async

SAMPLES = (
    "slicewars/takeback", "slicewars/ruled", "slicewars/short", "slicewars/as_played", "zone_s/ruled",
    "zone_s/takeback", "zone_control/short", "dice_flags/takeback", "gp02a_territory/ruled",
)  # fmt: skip

View = tuple[str, ...]

STATUS = """(game) => {
  const notes = (findings) => findings.map((finding) => findingNote(game, finding).outerHTML);
  return [generalFindings(game).map((node) => node.outerHTML), ...game.events.map((_, n) => [game.disposition(n), ...notes(game.findingsAt(n)), ...notes(game.faults(n))])];
}"""

LOOK = """([stage, data, steps]) => {
  const game = new LiveGame(JSON.parse(stage), JSON.parse(data));
  game.views.choose("all");
  for (const step of steps) game.push(JSON.parse(step));
  const cells = game.cells.map((_, at) => at), clock = new Clock(game);
  const captions = (n) => game.slots.map(([name, seat], key) => [name, seat, game.captions.at(key, n) ?? ""]).filter(([, , value]) => value !== "").map(String).sort();
  return JSON.stringify(game.events.map((event, n) => ({
    said: game.text(n), by: event?.by, t: event?.t, fate: game.disposition(n), undone: Boolean(game.undone[n]),
    pieces: cells.map((at) => (game.pieces.at(at, n) ?? []).map(([kind, seat, text, hidden, id]) => [kind, seat, text, Boolean(hidden), id])),
    fills: cells.map((at) => game.fills.at(at, n) ?? null), marks: cells.map((at) => game.marks.at(at, n) ?? []),
    score: game.seats.map((_, at) => game.score.at(at, n) ?? null), names: game.seats.map(({ seat }) => game.name(seat, n)),
    captions: captions(n), turn: turn(game, n), played: clock.shown[n], used: clock.used.map((line) => line[n]),
    ways: JSON.stringify(n ? game.eventPaths(n) : []), contest: Boolean(game.contests[n]), ends: game.turnEnds.has(n),
  })), null, 1);
}"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """Yield a page that has only the game."""
    shown = browser.new_page()
    shown.set_content('<html lang="en"><body><svg id="shapes"></svg></body></html>')
    code, found, _ = bundle.script("table", "gamelog_table").rpartition("start();")  # all but its start
    assert found
    shown.add_script_tag(content=code)
    shown.evaluate("setTexts", texts("en"))
    yield shown
    shown.close()


def packed(folded: FoldedRecord, view: View) -> list[str]:
    """Return the stage and the data of a page as JSON."""
    return [msgspec.json.encode(part).decode() for part in page_data(ShownRecord(folded, Viewer.of(view)))]


def pushed(folded: FoldedRecord, view: View) -> list[str]:
    """Return the steps that a device gets after each event of the record."""
    assert folded.fold
    past, shown = StatusHistory(Prefix(folded.fold)), RecordView(folded.fold, Viewer(view))
    frames = (step_frame(shown, n, past, "en").decode() for n in range(1, folded.fold.n + 1))
    return [frame.partition("data: ")[2] for frame in frames]


def beginning(path: Path, n: int) -> FoldedRecord:
    """Return the replay of a record with only the first `n` events."""
    lines = path.read_bytes().splitlines(keepends=True)
    return fold_record(parse_record(b"".join(lines[: n + 1])))


@pytest.mark.grid(keeps=("slicewars/takeback", "zone_s/ruled"))
@pytest.mark.parametrize("name", SAMPLES)
def test_pushed_steps_give_the_page_of_the_longer_record(page: Page, name: str) -> None:
    path = DIRECTORY / f"{name}.jsonl"
    whole = fold_record(read_record(path))
    fold = whole.fold
    assert fold is not None
    seats = fold.header.seat_ids
    viewers: list[View] = [(), seats, *((seat,) for seat in seats)]
    for view in viewers:
        steps = pushed(whole, view)
        expected: Any = page.evaluate(LOOK, [*packed(beginning(path, fold.n), view), []])
        for m in (0, fold.n // 3, fold.n - 1):
            begun = beginning(path, m)
            if begun.fold is None or begun.fold.n < m:
                continue  # an illegal event that counts only by a later ruling
            assert page.evaluate(LOOK, [*packed(begun, view), steps[m : fold.n]]) == expected, (view, m)


@pytest.mark.grid(keeps=("zone_s",))
@pytest.mark.parametrize("name", sorted(name for name in names() if "@" not in name))
def test_pushed_steps_change_findings_as_the_longer_record_does(page: Page, name: str) -> None:
    fold = eventful(find(name), 3, 70)
    lines = compose(fold.header, [*fold.events])[0].splitlines(keepends=True)
    whole = fold_record(parse_record(b"".join(lines)))
    assert whole.fold
    seats = whole.fold.header.seat_ids
    for view in ((), seats[:1], seats):
        steps, known = pushed(whole, view), 0
        for n in range(whole.fold.n + 1):
            changed = json.loads(steps[n - 1]) if n else 0
            if isinstance(changed, dict) and not {"findings", "corrected"} & {*changed} and n < whole.fold.n:
                continue
            shown = packed(fold_record(parse_record(b"".join(lines[: n + 1]))), view)
            if isinstance(changed, dict):
                given = page.evaluate(
                    f"(steps) => {{ steps.forEach((step) => live.push(JSON.parse(step))); return ({STATUS})(live); }}",
                    steps[known:n],
                )
                assert given == page.evaluate(
                    f"([stage, data]) => ({STATUS})(new LiveGame(JSON.parse(stage), JSON.parse(data)))", shown
                ), (view, n)
            else:  # the start, or a ruling after which the page loads the record again
                page.evaluate(
                    "([stage, data]) => { window.live = new LiveGame(JSON.parse(stage), JSON.parse(data)); }",
                    shown,
                )
            known = n


def test_a_step_is_one_small_frame(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_bytes((DIRECTORY / "slicewars/full-4.jsonl").read_bytes())

    async def frames() -> bytes:
        served = ServedRecord(path, "evening")
        await served.open()
        last = served.last_shown(NO_DELAY)
        place = StreamPosition(("red", "blue", "white", "black"), NO_DELAY, last - 399, "en")
        return await served.frames(place, last, Grant("spectator"))

    made = run_async(frames)
    assert made.count(b"\n\n") == made.count(b"\nevent: step\n") == 400
    assert len(made) / 400 <= 600


def test_the_packed_game_of_a_spectator_ends_at_the_last_visible_event(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    lines = (DIRECTORY / "slicewars/takeback.jsonl").read_bytes().splitlines(keepends=True)

    async def packed(count: int, delay: Delay) -> Any:
        path.write_bytes(b"".join(lines[: count + 1]))
        record = ServedRecord(path, "evening")
        await record.open()
        return await record.ask_without_lock(
            lambda known: packed_game(known.view(), known.replay(path), "en"), Grant("spectator"), delay
        )

    async def both() -> tuple[Any, Any]:
        return await packed(120, Delay(events=100)), await packed(20, NO_DELAY)

    behind, alone = run_async(both)
    assert behind == alone

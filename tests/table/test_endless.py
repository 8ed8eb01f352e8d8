"""Tests of games whose code never returns: other records still work, and no event is lost."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import anyio
import pytest
from gamelog_table.access.links import Grant
from gamelog_table.events.appending import append_events
from gamelog_table.live.followers import NO_DELAY, StreamPosition
from gamelog_table.net.denied import Denied
from gamelog_table.net.responses import status_of_error
from gamelog_table.record import worker_thread
from gamelog_table.record.served_record import ServedRecord
from gamelog_table.record.worker_thread import run_with_limit

import gamelog
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.reading import read_record
from tests.table.client import begin, end, run_async
from tests.table.conftest import FIRST
from tests.table.test_followers import Listener

SCORER = Grant("scorer")


def loop(*_given: Any) -> NoReturn:
    """Loop for ever, and catch attempts to stop the loop."""
    while True:
        with suppress(Exception):
            sum(range(100))


def raising(*_given: Any) -> NoReturn:
    """Raise an error, like a rule with a bug."""
    raise ValueError("no such thing")


def stubborn() -> NoReturn:
    """Loop, and catch the first attempts to stop the loop."""
    left = 3
    while True:
        try:
            loop()
        except BaseException:
            left -= 1
            if not left:
                raise


def ends(endless: Callable[[], NoReturn], limit: float) -> list[str]:
    """Return the order in which endless work with this `limit` and work beside it end."""
    ended: list[str] = []

    async def work() -> None:
        async def stuck() -> None:
            with pytest.raises(Denied, match="Nothing was recorded") as told:
                await run_with_limit(endless, limit)
            assert (status_of_error(told.value), told.value.code) == (503, "table.endless")
            ended.append("stuck")

        async with anyio.create_task_group() as group:
            group.start_soon(stuck)
            for n in range(10):
                assert await run_with_limit(partial(int, n)) == n
            ended.append("others")
        for n in range(50):
            assert await run_with_limit(partial(int, n)) == n, "the thread works for the next task"

    run_async(work)
    return ended


@pytest.mark.parametrize("endless", [loop, stubborn])
def test_endless_work_is_stopped_and_other_work_continues_meanwhile(endless: Callable[[], NoReturn]) -> None:
    limits = (0.2, 2.0, 20.0)  # on a busy machine, the other work takes longer than a short limit
    assert any(ends(endless, limit) == ["others", "stuck"] for limit in limits)


def test_work_that_ends_in_time_is_not_stopped() -> None:
    def work() -> int:
        time.sleep(0.15)
        return 7

    async def asked() -> int:
        return await run_with_limit(work, 5)

    assert run_async(asked) == 7


@pytest.mark.parametrize("member", ["check", "apply", "pending"])
def test_a_record_whose_game_loops_is_read_again_and_has_lost_nothing(
    record: Path, monkeypatch: pytest.MonkeyPatch, member: str
) -> None:
    monkeypatch.setattr(worker_thread, "WORK_SECONDS", 1.5)

    def looping(recorder: EventRecorder) -> Fold:
        fold, changed = recorder.fold, dict[str, Any]({member: loop})
        fold.game = replace(fold.game, **changed)
        return fold

    async def work() -> None:
        served = ServedRecord(record, "evening")
        await served.open()
        ack, _ = await append_events(served, [FIRST], 0, SCORER)
        assert ack.n == 1
        await served.change(looping, SCORER)
        with pytest.raises(Denied, match="Nothing was recorded"):
            await append_events(served, [{"do": "claim", "at": "C3"}], 1, SCORER)
        await served.open()
        assert await served.ask(lambda view: view.last_number, SCORER, NO_DELAY) == 1
        ack, _ = await append_events(served, [{"do": "claim", "at": "C3"}], 1, SCORER)
        assert ack.n == 2

    run_async(work)
    assert gamelog.validate(record).valid


@pytest.mark.parametrize("effects", [loop, raising])
def test_an_event_is_confirmed_even_if_the_game_fails_to_describe_it(
    record: Path, monkeypatch: pytest.MonkeyPatch, effects: Callable[..., NoReturn]
) -> None:
    monkeypatch.setattr(worker_thread, "WORK_SECONDS", 1.5)

    def spoilt(recorder: EventRecorder) -> Fold:
        recorder.fold.game = replace(recorder.fold.game, effects=effects)
        return recorder.fold

    async def work() -> None:
        served = ServedRecord(record, "evening")
        await served.open()
        await served.change(spoilt, SCORER)
        served.followers.add_waiting(Listener(StreamPosition((), NO_DELAY, 1)))
        ack, text = await append_events(served, [{**FIRST, "id": "once"}], 0, SCORER)
        assert (ack.n, text.startswith("The event is recorded, but ")) == (1, True)
        assert len(read_record(record).bodies) == 1
        again, _ = await append_events(served, [{**FIRST, "id": "once"}], 0, SCORER)
        assert again == ack

    run_async(work)
    assert gamelog.validate(record).valid


def test_work_that_is_stopped_after_writing_does_not_report_that_nothing_was_recorded(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_thread, "WORK_SECONDS", 1.5)

    def written(recorder: EventRecorder) -> None:
        recorder.append([FIRST])
        loop()

    async def work() -> None:
        served = ServedRecord(record, "evening")
        await served.open()
        with pytest.raises(Denied, match="the record has changed") as told:
            await served.change(written, SCORER)
        assert (status_of_error(told.value), told.value.code) == (503, "table.endless")
        assert "Nothing was recorded" not in str(told.value)
        assert await served.ask(lambda view: view.last_number, SCORER, NO_DELAY) == 1

    run_async(work)


ENDLESS = """
import sys
from gamelog_table.pages import new_records
from gamelog_table.record import new_record, worker_thread
from tests.table.test_endless import loop
worker_thread.WORK_SECONDS = 1.2
new_record.create_record = new_records.installed_games = lambda *given, **named: loop()
from gamelog_cli.app import main
main()
"""


def test_a_game_that_loops_at_its_start_leaves_no_record(record: Path) -> None:
    serving = begin(record.parent, program=(sys.executable, "-c", ENDLESS))
    try:
        scorer = serving.scorer
        assert scorer.ask("GET", "/evening").status == 200
        asked = {"name": "new", "game": "slicewars", "seats": {"red": "Ana", "blue": "Rui"}}
        with ThreadPoolExecutor(2) as devices:
            stuck = [
                devices.submit(scorer.ask, "POST", "", asked),
                devices.submit(scorer.ask, "GET", "//api/games"),
            ]
            assert scorer.ask("POST", "/evening/events", FIRST).status == 201
            assert not all(one.done() for one in stuck), "others go on meanwhile"
            for answer in (one.result() for one in stuck):
                assert (answer.status, answer.code) == (503, "table.endless")
        assert not record.with_name("new.jsonl").exists()
    finally:
        end(serving)

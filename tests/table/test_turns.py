"""Requests of one link take turns, so that many of them delay other links only by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event

import anyio
from gamelog_table.access.links import Grant
from gamelog_table.events.appending import append_events
from gamelog_table.live.followers import NO_DELAY
from gamelog_table.record.served_record import ServedRecord

from gamelog.play.view.record_view import RecordView
from tests.table.client import run_async
from tests.table.conftest import FIRST

SCORER, SPECTATOR = Grant("scorer"), Grant("spectator")


async def opened(record: Path) -> ServedRecord:
    served = ServedRecord(record, "evening")
    await served.open()
    await append_events(served, [FIRST], 0, SCORER)
    return served


def blocking(begun: Event, go_on: Event) -> Callable[[RecordView], int]:
    """Return a question that waits for `go_on`."""

    def question(view: RecordView) -> int:
        begun.set()
        assert go_on.wait(30)
        return view.last_number

    return question


def test_the_scorer_records_while_an_earlier_position_is_computed(record: Path) -> None:
    begun, go_on = Event(), Event()
    answers: list[int] = []

    async def work() -> None:
        served = await opened(record)

        async def look_back() -> None:
            answers.append(await served.ask(blocking(begun, go_on), SPECTATOR, NO_DELAY, 0))

        async with anyio.create_task_group() as group:
            group.start_soon(look_back)
            await anyio.to_thread.run_sync(begun.wait)
            ack, _ = await append_events(served, [{"do": "claim", "at": "C3"}], 1, SCORER)
            assert (ack.n, answers) == (2, [])
            go_on.set()

    run_async(work)
    assert answers == [0]


def test_a_link_with_many_requests_delays_another_link_only_by_one(record: Path) -> None:
    begun, go_on = Event(), Event()
    done: list[str] = []

    async def work() -> None:
        served = await opened(record)

        async def look() -> None:
            await served.ask(blocking(begun, go_on), SPECTATOR, NO_DELAY)
            done.append("spectator")

        async def write() -> None:
            await append_events(served, [{"do": "claim", "at": "C3"}], 1, SCORER)
            done.append("scorer")

        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(look)
            await anyio.to_thread.run_sync(begun.wait)
            group.start_soon(write)
            await anyio.wait_all_tasks_blocked()
            go_on.set()

    run_async(work)
    assert done.index("scorer") <= 1
    assert len(done) == 21


def test_earlier_positions_in_any_order_are_as_they_were(record: Path) -> None:
    async def work() -> list[tuple[int, int]]:
        served = await opened(record)
        await append_events(served, [{"do": "claim", "at": "C3"}], 1, SCORER)
        return [
            (await served.ask(lambda view: view.last_number, who, NO_DELAY, n), n)
            for n in (2, 0, 1, 1, 2, 0)
            for who in (SCORER, SPECTATOR)
        ]

    assert all(last == n for last, n in run_async(work))

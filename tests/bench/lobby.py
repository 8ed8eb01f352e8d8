"""The lobby of a folder: the time until its cards are painted, and the cost of devices that show it.

    python -m tests.bench.lobby [--records 200] [--devices 20] [--seconds 20] [--rounds 9]

The folder has records of all games. The time goes from the address being opened to the frame after the first cards
have their statuses, in a new tab of Chromium for each round. The aim is 150 ms. Then devices ask for the records every five
seconds, as the page does, while one record gets an event a second. The aim is less than 20 ms of processor time a second.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

from msgspec import structs
from playwright.sync_api import sync_playwright

from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from tests.bench.table import head, process_cost, quantile
from tests.browser.chromium import MISSING, QUIET, chromium
from tests.table.client import Client, Process, begin, end

SAMPLES = Path(__file__).parents[2] / "sample_games"
NAMES = ("short", "full-2", "full-3", "full-4", "takeback", "resigned", "ended-guard", "ended-rounds")
EVERY_SECONDS = 5.0
PAINTED = """() => new Promise((done) => {
    const isFilled = () => document.querySelectorAll('#records .chip:not(.state-asked)').length >= 12;
    const look = () => isFilled() ? requestAnimationFrame(() => setTimeout(() => done(performance.now()))) : setTimeout(look, 1);
    look();
})"""


def fill(folder: Path, count: int) -> None:
    """Write `count` records of different ids into `folder`, copied in turn from the samples of all games."""
    found = [path for name in NAMES for path in sorted(SAMPLES.glob(f"*/{name}.jsonl"))]
    folds = [fold for path in found if (fold := fold_record(parse_record(path.read_bytes())).fold)]
    for at, fold in enumerate(islice(cycle(folds), count)):
        header = structs.replace(fold.header, id=f"bench-{at}")
        played = fold.events if at else ()  # the first game is running
        (folder / f"table {at:03}.jsonl").write_bytes(compose(header, played)[0])


def paint_times(address: str, rounds: int) -> list[tuple[float, float]]:
    """Return for each round the ms until the lobby at `address` is painted, and of processor time of the page.

    The processor time is of the main thread: its script, layout and paint.
    """
    times: list[tuple[float, float]] = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=list(QUIET))
        for _ in range(rounds):
            context = browser.new_context(viewport={"width": 390, "height": 844})
            page = context.new_page()
            page.goto("about:blank")
            metrics = context.new_cdp_session(page)
            metrics.send("Performance.enable", {"timeDomain": "threadTicks"})
            page.goto(address, wait_until="commit")
            painted = float(page.evaluate(PAINTED))
            found = {one["name"]: one["value"] for one in metrics.send("Performance.getMetrics")["metrics"]}
            times.append((painted, found["TaskDuration"] * 1000))
            context.close()
        browser.close()
    return times


async def _show(client: Client, until: float) -> None:
    """Ask for the records every five seconds, as a page does. The server closes connections that wait so long."""
    while time.perf_counter() < until:
        reader, writer = await asyncio.open_connection(client.host, client.port)
        writer.write(head(client, "GET /api/records") + b"Connection: close\r\n\r\n")
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 200"), answer[:100]
        writer.close()
        await asyncio.sleep(EVERY_SECONDS)


async def _record(client: Client, until: float) -> None:
    """Record a note each second."""
    event = {"do": "@note", "by": "table", "text": "The evening goes on."}
    while time.perf_counter() < until:
        answer = await asyncio.to_thread(client.ask, "POST", "/table%20000/events", event)
        assert answer.status == 201, answer.body
        await asyncio.sleep(1)


async def cost(serving: Process, devices: int, seconds: float) -> float:
    """Return the ms of the server's processor time each second while `devices` show the lobby."""
    until, pid = time.perf_counter() + seconds, serving.process.pid
    before, began = process_cost(pid)[0], time.perf_counter()
    waits = [asyncio.create_task(_record(serving.scorer, until))]
    for _ in range(devices):
        waits.append(asyncio.create_task(_show(serving.spectator, until)))
        await asyncio.sleep(EVERY_SECONDS / devices)
    await asyncio.gather(*waits)
    return (process_cost(pid)[0] - before) / (time.perf_counter() - began) * 1000


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.lobby", description=__doc__.split("\n")[0])
    parser.add_argument("--records", type=int, default=200)
    parser.add_argument("--devices", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        fill(Path(scratch), given.records)
        serving = begin(Path(scratch))
        try:
            print(f"lobby: {given.records} records, load {os.getloadavg()[0]:.1f}")
            if chromium() is None:
                print(MISSING)
            else:
                first, *others = paint_times(serving.client_link("spectator"), given.rounds)
                walls, own = (sorted(one[at] for one in others) for at in (0, 1))
                print(
                    f"       painted: {walls[0]:.0f} ms at best, half {quantile(walls, 0.5):.0f} ms; the first time, "
                    f"{first[0]:.0f} ms"
                )
                print(
                    f"       the page: {own[0]:.0f} ms of processor time at best, half {quantile(own, 0.5):.0f} ms"
                )
            spent = asyncio.run(cost(serving, given.devices, given.seconds))
            print(f"       {given.devices} devices: {spent:.1f} ms of processor time a second")
        finally:
            end(serving)


if __name__ == "__main__":
    main()

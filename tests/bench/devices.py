"""Bytes and processor time of the server for each event that many devices follow, as the table's page does.

    python -m tests.bench.devices [--devices 50] [--events 150] [--asks PATH ...]

A recorded game is played again: one writer sends its events, and the devices are spectators. With ``--asks``
every device also requests these addresses after each event, on a connection that stays open. Pages of
releases before steps requested ``/picture /choices /list``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from pathlib import Path

from gamelog.record.reading import read_record
from tests.bench.table import head, process_cost
from tests.table.client import Client, Process, begin, end

SAMPLE = Path(__file__).parents[2] / "sample_games/slicewars/full-4.jsonl"


class Device:
    """A spectator that counts the bytes that it gets, including the heads of answers."""

    def __init__(self, client: Client, asks: list[str]) -> None:
        self.client, self.asks = client, asks
        self.bytes = self.last = 0

    async def follow(self, ready: asyncio.Semaphore) -> None:
        """Follow the record for ever."""
        reader, writer = await asyncio.open_connection(self.client.host, self.client.port)
        writer.write(head(self.client, f"GET {self.client.path}/live?as=steps") + b"\r\n")
        await reader.readuntil(b"retry: 1000\n")
        other = await asyncio.open_connection(self.client.host, self.client.port)
        ready.release()
        while line := await reader.readline():
            self.bytes += len(line)
            if line.startswith(b"id: "):
                for path in self.asks:
                    self.bytes += await self._ask(*other, path)
                self.last = int(line[4:])

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> int:
        writer.write(head(self.client, f"GET {self.client.path}{path}") + b"\r\n")
        answer = await reader.readuntil(b"\r\n\r\n")
        lines = answer.lower().split(b"\r\n")
        length = next(int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length"))
        return len(answer) + len(await reader.readexactly(length))


async def play(serving: Process, events: list[dict[str, object]], devices: int, asks: list[str]) -> None:
    """Send the events and print their cost."""
    ready = asyncio.Semaphore(0)
    followers = [Device(serving.spectator, asks) for _ in range(devices)]
    tasks = [asyncio.create_task(one.follow(ready)) for one in followers]
    for _ in followers:
        await ready.acquire()
    begun, before = (
        await asyncio.to_thread(lambda: serving.spectator.get().json["n"]),
        process_cost(serving.process.pid)[0],
    )
    for at, event in enumerate(events, begun + 1):
        answer = await asyncio.to_thread(serving.scorer.write, event)
        assert answer.status == 201, answer.body
        while any(one.last < at for one in followers):
            await asyncio.sleep(0.002)
    spent = process_cost(serving.process.pid)[0] - before
    got = sum(one.bytes for one in followers) / len(events) / devices
    print(
        f"{devices} devices, {len(events)} events: {got:,.0f} bytes an event and device, "
        f"{spent / len(events) * 1000:.1f} ms of processor time an event"
    )
    for task in tasks:
        task.cancel()


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.devices")
    parser.add_argument("--devices", type=int, default=50)
    parser.add_argument("--events", type=int, default=150)
    parser.add_argument("--asks", nargs="*", default=[])
    given = parser.parse_args()
    lines = SAMPLE.read_bytes().splitlines(keepends=True)
    record = read_record(SAMPLE)
    middle = len(record.bodies) // 2
    bodies = (json.loads(b"{" + body) for body in record.bodies[middle : middle + given.events])
    events = [{name: value for name, value in one.items() if name not in ("n", "t")} for one in bodies]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.jsonl"
        path.write_bytes(b"".join(lines[: middle + 1]))
        serving = begin(path)
        try:
            asyncio.run(play(serving, events, given.devices, given.asks))
        finally:
            end(serving)


if __name__ == "__main__":
    main()

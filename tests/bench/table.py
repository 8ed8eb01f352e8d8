"""The delay until spectators of a table see an event, and the cost of the server.

    python -m tests.bench.table [--spectators 300] [--events 2000] [--pause 0.02]

Everything runs on this machine: the server in its own process, all spectators and one writer in this process.
So the time from a confirmation to a spectator includes the time in which this process reads for all of them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import tempfile
import time
from pathlib import Path

import gamelog
from tests.table.client import Client, Process, begin, end

Seen = dict[int, list[float]]


def head(client: Client, asked: str) -> bytes:
    """Return the head of a request, without its end."""
    return f"{asked} HTTP/1.1\r\nHost: {client.host}:{client.port}\r\nAuthorization: Bearer {client.token}\r\n".encode()


async def follow(client: Client, seen: Seen, ready: asyncio.Semaphore) -> None:
    """Follow as a spectator, and note when each event arrives."""
    reader, writer = await asyncio.open_connection(client.host, client.port)
    writer.write(head(client, f"GET {client.path}/live?from=1") + b"\r\n")
    await reader.readuntil(b"retry: 1000\n")
    ready.release()
    while line := await reader.readline():
        if line.startswith(b"id: "):
            seen.setdefault(int(line[4:]), []).append(time.perf_counter())


async def write(client: Client, events: int, pause: float) -> dict[int, tuple[float, float]]:
    """Write on one connection, and note when each event was sent and confirmed."""
    reader, writer = await asyncio.open_connection(client.host, client.port)
    acknowledged: dict[int, tuple[float, float]] = {}
    for n in range(1, events + 1):
        body = json.dumps({"do": "@note", "by": "table", "text": f"Event {n} of the evening."}).encode()
        writer.write(
            head(client, f"POST {client.path}/events")
            + f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        sent = time.perf_counter()
        answer = await reader.readuntil(b"\r\n\r\n")
        acknowledged[n] = sent, time.perf_counter()
        assert answer.startswith(b"HTTP/1.1 201"), answer
        length = next(line for line in answer.split(b"\r\n") if line.lower().startswith(b"content-length"))
        await reader.readexactly(int(length.split(b":")[1]))
        await asyncio.sleep(pause)
    writer.close()
    return acknowledged


def quantile(values: list[float], share: float) -> float:
    """Return the value that the given share of the sorted `values` does not exceed."""
    return values[min(len(values) - 1, int(share * len(values)))]


def process_cost(pid: int) -> tuple[float, float]:
    """Return the seconds of processor time of a process, and its memory in MB; Linux only."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), pages * os.sysconf(
        "SC_PAGE_SIZE"
    ) / 1e6


async def measure(serving: Process, spectators: int, events: int, pause: float) -> None:
    """Run the measurement and print it."""
    seen: Seen = {}
    ready = asyncio.Semaphore(0)
    following = [asyncio.create_task(follow(serving.spectator, seen, ready)) for _ in range(spectators)]
    for _ in range(spectators):
        await ready.acquire()
    pid, memory = serving.process.pid, []
    cpu = process_cost(pid)[0]
    acknowledged: dict[int, tuple[float, float]] = {}
    began = time.perf_counter()
    for part in range(4):
        written = await write(serving.scorer, events // 4, pause)
        acknowledged |= {n + part * (events // 4): at for n, at in written.items()}
        memory.append(process_cost(pid)[1])
    took, cpu = time.perf_counter() - began, process_cost(pid)[0] - cpu
    while len(seen.get(len(acknowledged), ())) < spectators:
        await asyncio.sleep(0.05)
    for task in following:
        task.cancel()
    print(f"table: {spectators} spectators, {len(acknowledged)} events in {took:.0f} s")
    for at, since in enumerate(("sent", "acknowledged")):
        late = sorted(
            max(0.0, when - acknowledged[n][at]) * 1000 for n, times in seen.items() for when in times
        )
        told = ", ".join(
            f"{name} {quantile(late, share):.1f} ms"
            for name, share in (("half", 0.5), ("99 %", 0.99), ("all", 1.0))
        )
        print(f"       seen after it was {since}: {told}")
    print(
        f"       server: {cpu:.1f} s of processor time; {' -> '.join(f'{mb:.0f}' for mb in memory)} MB after each quarter"
    )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.table", description=__doc__.split("\n")[0])
    parser.add_argument("--spectators", type=int, default=300)
    parser.add_argument("--events", type=int, default=400)
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between two events")
    given = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.jsonl"
        gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"})
        serving = begin(path)
        try:
            asyncio.run(measure(serving, given.spectators, given.events, given.pause))
        finally:
            end(serving)


if __name__ == "__main__":
    main()

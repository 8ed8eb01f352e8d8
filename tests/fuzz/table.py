"""A table that is killed at random moments while four devices write loses no confirmed event.

    python -m tests.fuzz.table --kills 200 --seed 1

Two scorers and two seats play one game of bots. Each device sends the next event with the number that it
expects and a key of its own. The server is killed (SIGKILL) and started again on the same port. A device
without an answer sends the same event again. In the end each confirmation is compared with the record by its
head, and each event with the game.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import threading
import time
from collections.abc import Sequence
from http.client import HTTPException
from pathlib import Path
from typing import Any

from gamelog.play.contract.registry import find
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import Event, as_proposal, encode_body
from gamelog.record.reading import read_record
from gamelog.record.record_file import create_record
from tests.table.client import Client, Process, begin, beginning_now

Acks = dict[str, tuple[int, str]]


class Device(threading.Thread):
    """One of several devices, which sends the next event until the game is over."""

    def __init__(self, client: Client, events: Sequence[Event], name: str, acks: Acks, wait: float) -> None:
        super().__init__(daemon=True)
        self.client, self.events, self.device, self.acks, self.wait = client, events, name, acks, wait
        self.error: BaseException | None = None

    def run(self) -> None:
        """Play; keep a failed assertion for the main thread."""
        try:
            self._play()
        except BaseException as error:
            self.error = error

    def _play(self) -> None:
        n = 0
        while n < len(self.events):
            event = self.events[n]
            if self.client.seat not in (None, event.by) or (self.client.seat and type(event) in self.chances):
                n = self._known(n)
                continue
            sent = {**as_proposal(event), "expect": n, "id": f"{self.device}-{n}"}
            answer = self._sent(sent)
            if answer["status"] == 201:
                self.acks[sent["id"]] = (answer["n"], answer["h"])
                n = max(n + 1, answer["n"])
            else:
                assert answer["status"] == 409, answer
                n = answer["n"]
            time.sleep(self.wait)

    @property
    def chances(self) -> frozenset[type[Event]]:
        return frozenset(find("slicewars").chance_events)

    def _known(self, n: int) -> int:
        time.sleep(0.01)
        answer = self._tried(self.client.get)
        return max(n, answer["n"]) if answer["status"] == 200 else n

    def _sent(self, event: dict[str, Any]) -> dict[str, Any]:
        return self._tried(lambda: self.client.write(event))

    @staticmethod
    def _tried(ask: Any) -> dict[str, Any]:
        """Return the answer, after as many attempts as necessary."""
        while True:
            try:
                got = ask()
                return {**got.json, "status": got.status}
            except (OSError, HTTPException, json.JSONDecodeError):
                time.sleep(0.02)


def kill_at_random(kills: int, seed: int, folder: Path) -> tuple[int, int]:
    """Play one game under `kills` kills; return the numbers of events and of confirmations."""
    rng = random.Random(seed)
    header, events = simulate_game(find("slicewars"), str(seed), 0, players=2, bots=("greedy",), dice="table")
    events = events[: max(60, kills * 12)]
    path = folder / "killed.jsonl"
    create_record(path, beginning_now(header))
    serving = begin(path)
    port, acks = serving.scorer.port, Acks()
    seats = [seat.seat for seat in header.seats]
    clients = [serving.scorer, serving.scorer, *(serving.client("seat", seat) for seat in seats)]
    devices = [
        Device(client, events, f"device{at}", acks, rng.uniform(0, 0.02)) for at, client in enumerate(clients)
    ]
    for device in devices:
        device.start()
    for _ in range(kills):
        time.sleep(rng.uniform(0, 0.25))
        serving = _again(serving, path, port)
    for device in devices:
        device.join(120)
        assert not device.is_alive(), "a device never finished"
        if device.error:
            raise device.error
    serving.process.kill()
    serving.process.communicate()
    _compare(path, events, acks)
    return len(events), len(acks)


def _again(serving: Process, path: Path, port: int) -> Process:
    serving.process.kill()
    serving.process.communicate()
    return begin(path, port=port)


def _compare(path: Path, events: Sequence[Event], acks: Acks) -> None:
    record = read_record(path)
    assert record.problem is None, record.problem
    assert len(record.bodies) == len(events)
    for event, line in zip(events, record.bodies, strict=True):
        there = json.loads(b"{" + line)
        for name in ("t", "id"):
            there.pop(name, None)
        wanted = json.loads(b"{" + encode_body(event))
        wanted.pop("t")
        assert there == wanted, "an event is doubled, or another"
    for key, (n, head) in acks.items():
        assert record.heads[n - 1].decode() == head, f"{key} was acknowledged and is missing"


def main(arguments: list[str] | None = None) -> None:
    """Run many kills, in games of 20."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    done = 0
    while done < asked.kills:
        kills = min(20, asked.kills - done)
        with tempfile.TemporaryDirectory() as folder:
            events, acks = kill_at_random(kills, asked.seed + done, Path(folder))
        done += kills
        print(f"{done} kills: {events} events, {acks} acknowledgements, none missing", flush=True)


if __name__ == "__main__":
    main()

"""Tests of secrets on the server: their links and the rolls that follow are recorded when they are due."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import msgspec
import pytest

import gamelog
from gamelog.chance.commit_reveal import Chain
from tests.table.client import GAMELOG, begin, end, serve_in_process


@pytest.fixture
def committed(tmp_path: Path) -> Path:
    """Return a game with committed dice. The secrets are in the files `red` and `blue`."""
    path = tmp_path / "committed.jsonl"
    chains = {seat: Chain.new("9", seat, 20) for seat in ("red", "blue")}
    for seat, chain in chains.items():
        (tmp_path / seat).write_bytes(msgspec.json.encode(chain))
    gamelog.create(
        path,
        "slicewars",
        seats={"red": "Ana", "blue": "Rui"},
        dice="commit-reveal",
        id="9",
        commitments={seat: chain.commitment for seat, chain in chains.items()},
    )
    return path


def until(path: Path, n: int) -> None:
    """Wait for event `n`. After a tie all seats roll again, so more events can follow automatically."""
    for _ in range(600):
        if len(path.read_bytes().splitlines()) > n:
            return
        time.sleep(0.05)
    raise AssertionError(path.read_text())


def test_links_and_rolls_of_secrets_on_the_server_are_recorded_automatically(committed: Path) -> None:
    with serve_in_process(
        committed, "--secret", committed.with_name("red"), "--secret", committed.with_name("blue")
    ) as table:
        until(committed, 3)
        first = map(msgspec.json.decode, committed.read_bytes().splitlines()[1:4])
        assert [line["do"] for line in first] == ["@reveal", "@reveal", "start_roll"]
        assert table.scorer.get().json["n"] >= 3
    assert committed.with_name("red.seen").exists(), "the revealed link is noted, as by dice reveal"


def test_a_link_that_another_device_reveals_is_followed_by_the_servers_links(committed: Path) -> None:
    with serve_in_process(committed, "--secret", committed.with_name("red")) as table:
        until(committed, 1)
        blue = msgspec.json.decode(committed.with_name("blue").read_bytes(), type=Chain)
        link = {"do": "@reveal", "seat": "blue", "link": blue.earlier_link(blue.commitment)}
        assert table.client("seat", "blue").write(link).status == 201
        until(committed, 3)
        assert table.spectator.get().json["n"] >= 3


def test_a_secret_of_another_record_is_refused_before_the_server_starts(
    committed: Path, record: Path
) -> None:
    other = Chain.new("another", "red", 20)
    committed.with_name("other").write_bytes(msgspec.json.encode(other))
    for path, secret in ((committed, "other"), (record, "red")):
        words = [str(GAMELOG), "serve", str(path), "--port", "0", "--json"]
        words += ["--secret", str(committed.with_name(secret))]
        done = subprocess.run(words, capture_output=True, text=True, timeout=30)
        assert (done.stdout, "not for a seat of this record" in " ".join(done.stderr.split())) == ("", True)


def test_a_changed_record_gets_no_other_link_and_the_table_continues(committed: Path) -> None:
    with serve_in_process(committed, "--secret", committed.with_name("red")):
        until(committed, 1)
    lines = committed.read_bytes().splitlines(keepends=True)
    committed.write_bytes(lines[0])
    serving = begin(committed.parent, "--secret", committed.with_name("red"))
    scorer = serving.scorer
    try:
        assert scorer.get("/committed").json["n"] == 0
        blue = msgspec.json.decode(committed.with_name("blue").read_bytes(), type=Chain)
        link = {"do": "@reveal", "by": "blue", "seat": "blue", "link": blue.earlier_link(blue.commitment)}
        assert scorer.ask("POST", "/committed/events", link).status == 201
    finally:
        said = end(serving)
    assert said.count("Reveal nothing more") == 1, "the server reports it once"
    assert len(committed.read_bytes().splitlines()) == 2

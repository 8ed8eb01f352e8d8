"""A deal that differs from the seed is refused, and no player is shown the hands that the seed gives."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from gamelog.play.contract.registry import find
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.proposals import event_from
from gamelog.record.envelope import Header
from gamelog.record.reading import read_record
from gamelog.record.record_file import compose
from tests.examples.conftest import Gamelog
from tests.table.client import serve_in_thread

WRONG = {"do": "deal", "by": "table", "hands": {"red": [1, 2, 3], "blue": [4, 5, 6]}}


@pytest.fixture
def seeded(gamelog: Gamelog) -> Header:
    """The header of a Duel record with seeded dice, `duel.jsonl`, and nothing after it."""
    words = ("new", "duel", "duel.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui", "--dice", "seeded")
    assert gamelog(*words).status == 0
    header = read_record("duel.jsonl").header
    assert header
    return header


def shows_hands(text: str) -> bool:
    """Return whether `text` has the reason why the wrong deal is refused, which is the deal that the seed gives."""
    return "the seed gives" in " ".join(text.split())


def test_a_recorded_deal_that_differs_from_the_seed_shows_no_hands(gamelog: Gamelog, seeded: Header) -> None:
    fold = Fold(seeded, find("duel"))
    Path("duel.jsonl").write_bytes(compose(seeded, [event_from(fold, WRONG, 1, 1000)])[0])
    assert shows_hands(gamelog("validate", "duel.jsonl").out)
    for viewer in (["--seat", "red"], []):
        for words in ([], ["--at", "1"], ["--at", "9"], ["--list"]):
            for form in ([], ["--json"]):
                done = gamelog("replay", "duel.jsonl", *viewer, *words, *form)
                assert not shows_hands(done.out + done.err)
        done = gamelog("record", "duel.jsonl", *viewer, stdin="note tea\nquit\n")
        assert not shows_hands(done.out + done.err)
    gamelog("index", ".", "--archive", "games.duckdb")
    findings = gamelog("query", "--archive", "games.duckdb", "SELECT * FROM findings", "--json").out
    assert "chance.seed" in findings and not shows_hands(findings)
    with serve_in_thread(Path("duel.jsonl")) as serving:
        client = serving.client("seat", "red")
        note = {"do": "@note", "text": "tea"}
        for answer, status in ((client.write(note), 422), (client.ask("POST", "/would", note), 200)):
            assert (answer.status, "error" in answer.json) == (status, True)
            assert not shows_hands(answer.body.decode())


def test_a_proposed_deal_that_differs_from_the_seed_shows_no_hands(gamelog: Gamelog, seeded: Header) -> None:
    typed = msgspec.json.encode(WRONG).decode()
    for viewer in (["--seat", "red"], []):
        Path("duel.jsonl").write_bytes(compose(seeded, [])[0])
        done = gamelog("record", "duel.jsonl", *viewer, stdin=f"{typed}\nquit\n")
        assert not shows_hands(done.out + done.err)
    Path("duel.jsonl").write_bytes(compose(seeded, [])[0])
    with serve_in_thread(Path("duel.jsonl")) as serving:
        client = serving.client("seat", "red")
        for path in ("/would", "/events"):
            answer = client.ask("POST", path, WRONG)
            assert (
                answer.status in (403, 422, 200 if path == "/would" else 422),
                "error" in answer.json,
            ) == (True, True)
            assert not shows_hands(answer.body.decode())

"""Rock, paper, scissors: only the player who made a commitment can open it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from gamelog.play.contract.registry import find
from gamelog.play.contract.seats import MemoryBot, sit_down
from gamelog.testing.plays import play

from .conftest import Gamelog

SALT = "0123456789abcdef"


def commits(*hands: str) -> list[str]:
    from rps import digest

    return [
        json.dumps({"do": "commit", "by": seat, "digest": digest(seat, 1, hand, SALT)})
        for seat, hand in zip(("red", "blue"), hands, strict=True)
    ]


@pytest.fixture
def committed(gamelog: Gamelog) -> Path:
    """Return a record with two commitments: Ana's to rock, Rui's to scissors."""
    assert gamelog("new", "rps", "rps.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui").status == 0
    assert gamelog("append", "rps.jsonl", *commits("rock", "scissors")).status == 0
    return Path("rps.jsonl")


def test_only_the_committed_hand_can_be_opened(gamelog: Gamelog, committed: Path) -> None:
    refused = gamelog("append", committed, f"red: open paper {SALT}")
    assert (
        refused.status == 1
        and "Ana committed to something else" in refused.err
        and "legal:" not in refused.err
    )
    assert gamelog("append", committed, f"blue: open scissors {SALT}", f"red: open rock {SALT}").status == 0
    assert gamelog("validate", committed).status == 0
    assert "A point for Ana: rock wins." in gamelog("replay", committed).out


def test_the_recorder_shows_the_form_of_events_that_it_cannot_list(gamelog: Gamelog, committed: Path) -> None:
    typed = gamelog(
        "record", committed, stdin=f"legal\nAna: open rock {SALT}\nRui: open scissors {SALT}\nquit\n"
    )
    assert typed.status == 0
    assert "cannot be listed" in typed.out and "open" in typed.out
    assert committed.read_text().count('"do":"open"') == 2


def test_a_correction_keeps_the_player(gamelog: Gamelog, committed: Path) -> None:
    other = json.loads(commits("paper", "rock")[0])["digest"]
    assert gamelog("fix", committed, "--at", 1, f"commit {other}").status == 0, (
        "it is Ana's, though Rui may commit there, too"
    )
    typed = gamelog("record", committed, stdin=f"fix 5 commit {'0' * 64}\nquit\n").out
    assert "say who" not in typed and "becomes" not in typed
    events = [json.loads(line) for line in committed.read_text().splitlines()[1:]]
    assert [(event["by"], event["digest"]) for event in events if event["do"] == "commit"][-1] == (
        "blue",
        "0" * 64,
    )
    before = committed.read_bytes()
    typed = gamelog("record", committed, stdin=f"fix 4 Rui: commit {other}\ncancel\nquit\n").out
    assert "Event 4 was by Ana; the new event is by Rui." in typed
    assert committed.read_bytes() == before
    assert (
        "Event 4 was by Ana; the new event is by Rui."
        in gamelog("fix", committed, "--at", 4, "--dry-run", f"Rui: commit {other}").out
    )


def test_another_order_of_commitments_is_the_same_game(gamelog: Gamelog, committed: Path) -> None:
    gamelog("new", "rps", "other.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")
    gamelog(
        "append",
        "other.jsonl",
        *reversed(commits("rock", "scissors")),
        f"red: open rock {SALT}",
        f"blue: open scissors {SALT}",
    )
    gamelog("append", committed, f"blue: open scissors {SALT}", f"red: open rock {SALT}")
    assert gamelog("compare", committed, "other.jsonl", "--json").json[0]["same"]
    plays = {gamelog("validate", file, "--json").json[0]["play"] for file in (committed, "other.jsonl")}
    assert len(plays) == 1


def test_bots_open_their_commitments(gamelog: Gamelog) -> None:
    assert (
        gamelog("simulate", "rps", "--games", "4", "--bot", "greedy", "--bot", "random", "-o", "out").status
        == 0
    )
    verdicts = gamelog("validate", "out", "--json").json
    assert [(one["status"], one["finished"]) for one in verdicts] == [("ok", True)] * 4
    assert gamelog("export", "out", "-o", "site").status == 0
    assert gamelog("index", "out", "--archive", "a.duckdb").status == 0
    assert gamelog("report", "--archive", "a.duckdb", "-o", "report.html").status == 0
    again = gamelog("simulate", "rps", "--games", "4", "--bot", "greedy", "--bot", "random", "-o", "again")
    assert again.status == 0
    for path in Path("out").glob("*.jsonl"):
        assert path.read_bytes() == (Path("again") / path.name).read_bytes()


def test_every_salt_is_different_and_long_enough() -> None:
    played = [event for index in range(5) for event in play(find("rps"), index).events]
    salts = [getattr(event, "salt") for event in played if hasattr(event, "salt")]  # noqa: B009 - the game is found at run time
    assert len(set(salts)) == len(salts) > 20
    assert all(len(salt) == 32 for salt in salts)


def test_a_bot_without_the_commitment_cannot_open() -> None:
    game = find("rps")
    played = play(game, 0)
    bot = game.bots["random"]
    assert isinstance(bot, MemoryBot)
    state = next(state for state in played.states if all(state.digests))
    seat = game.pending(state).by[0]
    assert (
        game.check(state, bot(state, seat, Random(1))) is not None
    )  # called like a plain bot, it has no memory
    player = sit_down(bot, seat, Random(1))
    begun = played.states[0]
    committed = game.apply(begun, player(begun))
    other = next(one for one in state.setup.seats if one != seat)
    both = game.apply(committed, sit_down(bot, other, Random(2))(committed))
    assert game.check(both, player(both)) is None

"""Commit-reveal dice on the command line: commitments, links, secrets, and interrupted commands."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamelog.chance.commit_reveal import Chain
from gamelog.play.judging.verdict import validate
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog, forge


@pytest.fixture
def committed(gamelog: Gamelog) -> Path:
    """Return a record with commitments and a roll that is due. The secrets are fixed, so that the start is no tie."""
    commits: list[str] = []
    for seat in ("red", "blue"):
        assert (
            gamelog(
                "dice", "commit", "--seat", seat, "-o", f"{seat}.secret", "--id", "club 7", "--links", 50
            ).status
            == 0
        )
        chain = Chain("club 7", seat, sha256(seat.encode()).hexdigest(), 50)
        Path(f"{seat}.secret").write_bytes(msgspec.json.encode(chain))
        commits += ["--commit", f"{seat}={chain.commitment}"]
    seats = [
        "--seat",
        "red=Ana",
        "--seat",
        "blue=Rui",
        "--dice",
        "commit-reveal",
        "--started",
        "2026-01-01T00:00:00Z",
    ]
    done = gamelog("new", "slicewars", "game.jsonl", *seats, "--id", "club 7", *commits)
    assert done.status == 0, done.err
    return Path("game.jsonl")


def noted(path: Path, n: int, *seats: str, before: bool = False) -> dict[str, Any]:
    """Return the note in SECRET.seen after event `n`, if `seats` have revealed links for the first roll."""
    record = read_record(path)
    intent = {"n": 0, "head": record.head_at(0), "seats": list(seats)}
    return {"n": n, "head": record.head_at(n)} | ({"was": "before"} if before else {}) | {"intent": intent}


def test_new_takes_the_line_that_commit_prints(gamelog: Gamelog) -> None:
    (red,) = gamelog("dice", "commit", "--seat", "red", "-o", "red.secret", "--links", 50, "--json").json
    told = gamelog(
        "dice", "commit", "--seat", "blue", "-o", "blue.secret", "--id", red["id"], "--links", 50
    ).out
    words = told.splitlines()[0].split()
    start = [
        "new",
        "slicewars",
        "game.jsonl",
        "--seat",
        "red=Ana",
        "--seat",
        "blue=Rui",
        "--dice",
        "commit-reveal",
    ]
    done = gamelog(*start, *words, "--commit", f"red={red['commitment']}")
    assert done.status == 0, done.err
    acks = gamelog(
        "dice", "reveal", "game.jsonl", "--secret", "red.secret", "--secret", "blue.secret", "--json"
    ).json
    assert [ack["n"] for ack in acks] == [1, 2, 3]
    assert validate("game.jsonl").status == "ok"


def test_a_roll_is_revealed_link_by_link(gamelog: Gamelog, committed: Path) -> None:
    header = read_record(committed).header
    assert header is not None
    assert (header.takebacks, header.dice.forfeit) == ("agreed", "loses")
    assert Path("red.secret").stat().st_mode & 0o077 == 0
    done = gamelog("dice", "reveal", committed, "--secret", "red.secret")
    assert (done.status, "The roll is waiting for the link of Rui (blue)" in done.out) == (0, True)
    assert "Ana reveals a secret." in done.out
    again = gamelog("dice", "reveal", committed, "--secret", "red.secret")
    assert (again.status, again.out) == (
        0,
        "Pass the record on. The roll is waiting for the link of Rui (blue).\n",
    ), "no link is revealed twice"
    refused = gamelog("append", committed, '{"do":"start_roll","rolls":{"red":6,"blue":1}}')
    assert (refused.status, "links of Rui" in refused.err) == (1, True)
    acks = gamelog("dice", "reveal", committed, "--secret", "blue.secret", "--json").json
    assert [ack["n"] for ack in acks] == [2, 3]
    verdict = validate(committed)
    assert (verdict.status, verdict.events, verdict.findings) == ("ok", 3, ())
    late = gamelog("dice", "reveal", committed, "--secret", "blue.secret")
    assert (late.status, "No roll is due" in late.err) == (1, True)
    seen = [json.loads(line) for line in Path("red.secret.seen").read_text().splitlines()]
    assert seen == [
        noted(committed, 0, before=True),
        noted(committed, 1, "red"),
    ]


def test_a_decision_and_its_links_are_recorded_together(gamelog: Gamelog, committed: Path) -> None:
    secrets = ["--secret", "red.secret", "--secret", "blue.secret"]
    done = gamelog("dice", "reveal", committed, *secrets)
    assert "To move: Ana." in done.out or "To move: Rui." in done.out
    assert "rolled highest and begins" in done.out
    done = gamelog("append", committed, '{"do":"claim","at":"A1"}', "--secret", "red.secret")
    assert (done.status, "To move: " in done.out) == (0, True)
    gamelog("append", committed, '{"do":"@takeback","by":"arbiter","to":0}', "--secret", "red.secret")
    assert [json.loads(b"{" + body)["do"] for body in read_record(committed).bodies[4:]] == [
        "@takeback",
        "@reveal",
    ]
    before = committed.read_bytes()
    gamelog("dice", "commit", "--seat", "red", "-o", "other.secret", "--links", 5)
    refused = gamelog("append", committed, '{"do":"@note","by":"red","text":"x"}', "--secret", "other.secret")
    assert (refused.status, committed.read_bytes()) == (2, before), (
        "a wrong secret is refused before anything is recorded"
    )


def test_no_link_is_revealed_in_a_changed_record(gamelog: Gamelog, committed: Path) -> None:
    gamelog("dice", "reveal", committed, "--secret", "red.secret", "--secret", "blue.secret")
    gamelog("append", committed, '{"do":"@takeback","by":"arbiter","to":0}', "--secret", "red.secret")
    forge(committed, '"t":', '"t":1')
    before = committed.read_bytes()
    assert validate(committed).status == "ok"
    done = gamelog("dice", "reveal", committed, "--secret", "red.secret")
    assert (done.status, "no longer the record in which you revealed event 5" in done.err) == (1, True)
    assert committed.read_bytes() == before
    Path("red.secret.seen").write_text("rubbish\n")
    assert gamelog("dice", "reveal", committed, "--secret", "red.secret").status == 2


@pytest.mark.parametrize("written", [False, True])
def test_a_killed_reveal_is_noticed(
    gamelog: Gamelog, committed: Path, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    """The head is on the disk before the link is anywhere else: killed behind it, `dice reveal` knows what it may not forget."""
    append = EventRecorder.append

    def killed(self: EventRecorder, *args: Any, **named: Any) -> Any:
        if written:
            append(self, *args, **named)
        raise KeyboardInterrupt

    before = committed.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(EventRecorder, "append", killed)
        assert gamelog("dice", "reveal", committed, "--secret", "red.secret").status != 0
    (line,) = map(json.loads, Path("red.secret.seen").read_text().splitlines())
    assert line == noted(committed, 0, before=True)
    kept = committed.read_bytes()
    committed.write_bytes(before)
    forge(committed, '"tags":{', '"tags":{"x":"y"')
    done = gamelog("dice", "reveal", committed, "--secret", "red.secret")
    assert (
        done.status,
        "no longer the record in which you began to reveal a link after event 0" in done.err,
    ) == (1, True)
    committed.write_bytes(kept)
    assert (
        gamelog("dice", "reveal", committed, "--secret", "red.secret", "--secret", "blue.secret").status == 0
    )
    assert validate(committed).status == "ok"


def test_a_torn_note_is_skipped(gamelog: Gamelog, committed: Path) -> None:
    seen = Path("red.secret.seen")
    seen.write_text('{"n":0,"he')
    gamelog("dice", "reveal", committed, "--secret", "red.secret", "--secret", "blue.secret")
    assert [json.loads(line)["n"] for line in seen.read_text().splitlines()[1:]] == [0, 1]
    gamelog("append", committed, '{"do":"@takeback","by":"arbiter","to":0}', "--secret", "red.secret")
    forge(committed, '"t":', '"t":1')
    assert (
        "no longer the record in which you revealed event 5"
        in gamelog("dice", "reveal", committed, "--secret", "red.secret").err
    )


def test_thousands_of_notes_are_read_quickly(gamelog: Gamelog, committed: Path) -> None:
    line = json.dumps({"n": 0, "head": read_record(committed).head_at(0)}) + "\n"
    Path("red.secret.seen").write_text(line * 20_000)
    assert gamelog("dice", "reveal", committed, "--secret", "red.secret").status == 0


def test_no_link_is_revealed_without_a_note(gamelog: Gamelog, committed: Path) -> None:
    Path("red.secret.seen").mkdir()
    done = gamelog("dice", "reveal", committed, "--secret", "red.secret")
    assert (done.status == 0, len(read_record(committed).bodies)) == (False, 0)
    assert (done.err.count("\n"), "red.secret.seen" in done.err) == (1, True)


def test_secrets_of_other_seats_and_records_are_refused(gamelog: Gamelog, committed: Path) -> None:
    gamelog("dice", "commit", "--seat", "red", "-o", "other.secret", "--links", 5)
    done = gamelog("dice", "reveal", committed, "--secret", "other.secret")
    assert (done.status, "not for a seat of this record" in done.err) == (2, True)
    id_ = json.loads(Path("red.secret").read_text())["id"]
    gamelog("dice", "commit", "--seat", "red", "-o", "false.secret", "--id", id_, "--links", 5)
    done = gamelog("dice", "reveal", committed, "--secret", "false.secret")
    assert (done.status, "another secret" in done.err) == (2, True)
    gamelog("dice", "commit", "--seat", "green", "-o", "green.secret", "--id", id_, "--links", 5)
    assert gamelog("dice", "reveal", committed, "--secret", "green.secret").status == 2
    Path("no.secret").write_text("{}")
    done = gamelog("dice", "reveal", committed, "--secret", "no.secret")
    assert (done.status, "dice commit" in done.err) == (2, True)
    assert gamelog("dice", "commit", "--seat", "red", "-o", "red.secret").status == 2, (
        "a secret is never overwritten"
    )
    assert len(read_record(committed).bodies) == 0


def test_dice_reveal_needs_commit_reveal_dice(gamelog: Gamelog, game: Path) -> None:
    gamelog("dice", "commit", "--seat", "red", "-o", "red.secret", "--links", 5)
    done = gamelog("dice", "reveal", game, "--secret", "red.secret")
    assert (done.status, "no commit-reveal dice" in done.err) == (2, True)


def test_new_requires_every_commitment(gamelog: Gamelog) -> None:
    start = ["new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui"]
    zeros = "0" * 64
    wrong = [
        ["--dice", "commit-reveal"],
        ["--dice", "commit-reveal", "--id", "x"],
        ["--dice", "commit-reveal", "--id", "x", "--commit", f"red={zeros}"],
        ["--dice", "commit-reveal", "--id", "x", "--commit", f"red={zeros}", "--commit", "blue=1234"],
        ["--id", "x"],
        ["--commit", f"red={zeros}"],
    ]
    for args in wrong:
        done = gamelog(*start, *args)
        assert (done.status, done.err.count("\n")) == (2, 1), args
        assert not Path("game.jsonl").exists()


def test_one_person_records_with_all_secrets(gamelog: Gamelog, committed: Path) -> None:
    secrets = ["--secret", "red.secret", "--secret", "blue.secret"]
    done = gamelog("record", committed, *secrets, stdin="claim A1\n\nquit\n")
    assert done.status == 0, done.err
    assert "claims A1" in done.out
    assert [json.loads(b"{" + body)["do"] for body in read_record(committed).bodies] == [
        "@reveal",
        "@reveal",
        "start_roll",
        "claim",
    ]
    assert validate(committed).status == "ok"


def test_recording_waits_for_the_links_of_others(gamelog: Gamelog, committed: Path) -> None:
    done = gamelog("record", committed, "--secret", "red.secret", stdin="\nquit\n")
    assert "links of Rui" in done.out
    assert len(read_record(committed).bodies) == 1


def test_simulated_games_can_have_commit_reveal_dice(gamelog: Gamelog) -> None:
    done = gamelog("simulate", "slicewars", "--games", 2, "--dice", "commit-reveal", "-o", "out")
    assert done.status == 0, done.err
    assert gamelog("validate", "out").status == 0
    branched = gamelog("branch", next(Path("out").iterdir()), "--at", 20, "-o", "b.jsonl")
    assert branched.status == 0, branched.err
    assert validate("b.jsonl").status == "ok"


def test_a_forfeit_needs_no_event_number_when_links_are_due(gamelog: Gamelog, committed: Path) -> None:
    """Rule on a forfeit when no player, or one player, has revealed a link."""
    began = Path("began.jsonl")
    began.write_bytes(committed.read_bytes())
    assert gamelog("dice", "reveal", began, "--secret", "red.secret").status == 0
    for file in (committed, began):
        done = gamelog("ruling", file, "--forfeit", "Ana", "--by", "Mei", "--reason", "Rui has not come")
        assert done.status == 0, done.err
        found = validate(file)
        assert (found.status, found.outcome and found.outcome.winners) == ("ruled", ("red",))

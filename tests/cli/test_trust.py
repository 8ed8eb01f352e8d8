"""Keys, seals and committed dice, as typed."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamelog.chance.commit import Chain
from gamelog.play.judging.verdict import validate
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record import chain
from gamelog.record.chain import GENESIS, link
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog


@pytest.fixture
def keyed(gamelog: Gamelog) -> Path:
    """A game whose header names the keys of Ana and Rui, and its first moves."""
    for name in ("ana", "rui"):
        assert gamelog("keygen", "-o", name).status == 0
    seats = ["--seat", "red=Ana", "--seat", "blue=Rui", "--key", "red=ana.pub", "--key", "blue=rui.pub"]
    assert gamelog("new", "slicewars", "game.jsonl", *seats).status == 0
    moves = [
        '{"do":"start_roll","rolls":{"red":5,"blue":2}}',
        '{"do":"claim","at":"C3"}',
        '{"do":"claim","at":"A1"}',
    ]
    assert gamelog("append", "game.jsonl", *moves).status == 0
    return Path("game.jsonl")


def forge(path: Path, old: str, new: str) -> None:
    """Change a record and recompute its chain."""
    head, lines = GENESIS, []
    for line in path.read_text().replace(old, new).splitlines(keepends=True):
        text = line[51:].encode()
        head = link(head, text)
        lines.append(b'{"h":"' + head + b'",' + text)
    path.write_bytes(b"".join(lines))


def code(found: dict[str, Any]) -> str | None:
    return found["objection"]["code"] if found["objection"] else None


def test_a_key_is_made_once(gamelog: Gamelog) -> None:
    (made,) = gamelog("keygen", "-o", "ana.key", "--name", "Ana", "--json").json
    assert (made["private"], made["public"]) == ("ana.key", "ana.key.pub")
    assert made["key"].startswith("Ana+")
    assert Path("ana.key.pub").read_text() == made["key"] + "\n"
    assert Path("ana.key").stat().st_mode & 0o077 == 0
    before = Path("ana.key").read_bytes()
    again = gamelog("keygen", "-o", "ana.key")
    assert (again.status, "exists" in again.err) == (2, True)
    assert Path("ana.key").read_bytes() == before
    assert gamelog("keygen", "-o", "x", "--name", "a b").status == 2


def test_sign_go_on_and_verify(gamelog: Gamelog, keyed: Path) -> None:
    before = keyed.read_bytes()
    (told,) = gamelog("sign", keyed, "--key", "ana", "-o", "one.seal", "--json").json
    assert (told["seat"], told["events"], told["head"]) == ("red", 3, read_record(keyed).head)
    assert keyed.read_bytes() == before, "signing alone changes nothing"
    assert gamelog("append", keyed, '{"do":"claim","at":"A2"}').status == 0
    assert gamelog("sign", keyed, "--key", "rui", "-o", "two.seal", "--append").status == 0
    done = gamelog("verify", keyed, "--against", "one.seal", "--against", "two.seal")
    assert done.status == 0, done.err
    assert done.out.count("the record extends it") == 2
    assert "blue has signed all before it" in done.out
    (answer,) = gamelog("verify", keyed, "--against", "one.seal", "--json").json
    assert (answer["holds"], answer["problem"], [code(seal) for seal in answer["seals"]]) == (
        True,
        None,
        [None],
    )
    assert [(found["n"], found["seat"]) for found in answer["signatures"]] == [(5, "blue")]
    assert validate(keyed).status == "ok"


def test_a_forged_record_extends_no_later_seal(gamelog: Gamelog, keyed: Path) -> None:
    gamelog("sign", keyed, "--key", "ana", "-o", "one.seal")
    gamelog("append", keyed, '{"do":"claim","at":"A2"}')
    gamelog("sign", keyed, "--key", "rui", "-o", "two.seal")
    forge(keyed, '"at":"A2"', '"at":"A3"')
    assert gamelog("validate", keyed).status == 0, "a legal game it is"
    done = gamelog("verify", keyed, "--against", "one.seal", "--against", "two.seal")
    assert done.status == 1
    assert "What differs lies behind event 3, up to event 4;" in done.out
    (answer,) = gamelog("verify", keyed, "--against", "one.seal", "--against", "two.seal", "--json").json
    assert (answer["holds"], [code(seal) for seal in answer["seals"]]) == (False, [None, "seal.differs"])
    forge(keyed, '"name":"Ana"', '"name":"Eva"')
    done = gamelog("verify", keyed, "--against", "one.seal")
    assert "anywhere from the header on, up to event 3" in done.out


def test_cut_damaged_and_torn(gamelog: Gamelog, keyed: Path) -> None:
    gamelog("sign", keyed, "--key", "ana", "-o", "one.seal")
    rows = keyed.read_bytes().splitlines(keepends=True)
    keyed.write_bytes(b"".join(rows[:-1]))
    done = gamelog("verify", keyed, "--against", "one.seal")
    assert (done.status, "seal.cut" in done.out) == (1, True)
    keyed.write_bytes(b"".join(rows) + b'{"h":')
    done = gamelog("verify", keyed, "--against", "one.seal")
    assert (done.status, "no line end" in done.out, "the record extends it" in done.out) == (1, True, True)
    assert gamelog("sign", keyed, "--key", "ana", "-o", "two.seal").status == 1, "nothing torn is signed"
    keyed.write_bytes(b"rubbish\n")
    (answer,) = gamelog("verify", keyed, "--against", "one.seal", "--json").json
    assert (answer["holds"], answer["id"], code(answer["seals"][0])) == (False, None, "seal.differs")


def test_whose_key_it_is(gamelog: Gamelog, keyed: Path) -> None:
    gamelog("keygen", "-o", "old", "--name", "ana")
    refused = gamelog("sign", keyed, "--key", "old", "-o", "x.seal")
    assert (refused.status, "--seat" in refused.err) == (2, True)
    refused = gamelog("sign", keyed, "--key", "old", "--seat", "red", "-o", "x.seal")
    assert (refused.status, "the record names" in refused.err) == (2, True)
    refused = gamelog("sign", keyed, "--key", "old", "--seat", "red", "--append")
    assert (refused.status, "the record names" in refused.err) == (1, True)
    assert gamelog("sign", keyed, "--key", "old", "--seat", "green", "-o", "x.seal").status == 2
    assert not Path("x.seal").exists()
    assert gamelog("sign", keyed, "--key", "old", "--seat", "arbiter", "-o", "arbiter.seal").status == 0
    named = gamelog("sign", keyed, "--key", "ana", "--seat", "ana", "-o", "named.seal")
    assert "red has signed" in named.out, "a player is named as everywhere else"
    done = gamelog("verify", keyed, "--against", "arbiter.seal")
    assert (done.status, "nothing here says whose key" in done.out) == (0, True)
    done = gamelog("verify", keyed, "--against", "arbiter.seal", "--key", "old.pub")
    assert (done.status, "you trust its key" in done.out) == (0, True)
    done = gamelog("verify", keyed, "--against", "arbiter.seal", "--key", "ana.pub")
    assert (done.status, "seal.key" in done.out) == (1, True)


def test_sign_is_told_where_to(gamelog: Gamelog, keyed: Path) -> None:
    assert gamelog("sign", keyed, "--key", "ana").status == 2
    gamelog("sign", keyed, "--key", "ana", "-o", "one.seal")
    before = keyed.read_bytes()
    assert gamelog("sign", keyed, "--key", "ana", "-o", "one.seal", "--append").status == 2
    assert keyed.read_bytes() == before, "nothing is appended when the seal has no place"
    done = gamelog("sign", keyed, "--key", "ana.pub", "-o", "x.seal")
    assert (done.status, "not a private key" in done.err) == (2, True)
    assert gamelog("sign", keyed, "--key", "none", "-o", "x.seal").status == 2


def test_bad_seals_and_keys_are_told_in_a_sentence(gamelog: Gamelog, keyed: Path) -> None:
    Path("bad.seal").write_text("gamelog/1 x\n")
    for args in (["--against", "bad.seal"], ["--against", "none"], ["--against", "."], ["--key", "bad.seal"]):
        done = gamelog("verify", keyed, *args)
        assert (done.status, done.err.count("\n")) == (2, 1), args
    assert "bad.seal: This is not a seal" in gamelog("verify", keyed, "--against", "bad.seal").err
    assert gamelog("verify", "none.jsonl").status == 2
    done = gamelog(
        "new", "slicewars", "b.jsonl", "--seat", "red=A", "--seat", "blue=B", "--key", "green=ana.pub"
    )
    assert (done.status, "nobody sits" in done.err) == (2, True)
    done = gamelog(
        "new", "slicewars", "b.jsonl", "--seat", "red=A", "--seat", "blue=B", "--key", "red=bad.seal"
    )
    assert done.status == 2
    assert not Path("b.jsonl").exists()


def test_a_broken_signature_inside_is_told_and_one_behind_an_illegal_event_too(
    gamelog: Gamelog, keyed: Path
) -> None:
    gamelog("sign", keyed, "--key", "ana", "--append")
    forge(keyed, '"at":"A1"', '"at":"A3"')
    done = gamelog("verify", keyed)
    assert (done.status, "sign.forged" in done.out) == (1, True)
    assert validate(keyed).status == "damaged"
    forge(keyed, '"at":"A3"', '"at":"C3"')
    (answer,) = gamelog("verify", keyed, "--json").json
    assert [code(found) for found in answer["signatures"]] == ["sign.unchecked"]
    assert not answer["holds"]


# --- dice ---


@pytest.fixture
def committed(gamelog: Gamelog) -> Path:
    """A record whose seats have committed, its first roll due. Everything is fixed, so that nobody ties for the start."""
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


def test_what_commit_prints_is_what_new_takes(gamelog: Gamelog) -> None:
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
    assert (done.status, "it waits for the link of Rui (blue)" in done.out) == (0, True)
    assert "Ana reveals a secret." in done.out
    again = gamelog("dice", "reveal", committed, "--secret", "red.secret")
    assert (again.status, again.out) == (
        0,
        "Pass the record on: for this roll it waits for the link of Rui (blue).\n",
    ), "nothing is revealed twice"
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
        {"n": 0, "head": read_record(committed).head_at(0), "was": "before"},
        {"n": 1, "head": read_record(committed).head_at(1)},
    ]


def test_a_decision_and_its_links_are_written_in_one_go(gamelog: Gamelog, committed: Path) -> None:
    secrets = ["--secret", "red.secret", "--secret", "blue.secret"]
    done = gamelog("dice", "reveal", committed, *secrets)
    assert "To act: Ana." in done.out or "To act: Rui." in done.out
    assert "rolled highest and begins" in done.out
    done = gamelog("append", committed, '{"do":"claim","at":"A1"}', "--secret", "red.secret")
    assert (done.status, "To act: " in done.out) == (0, True)
    gamelog("append", committed, '{"do":"@takeback","by":"arbiter","to":0}', "--secret", "red.secret")
    assert [json.loads(b"{" + body)["do"] for body in read_record(committed).bodies[4:]] == [
        "@takeback",
        "@reveal",
    ]
    before = committed.read_bytes()
    gamelog("dice", "commit", "--seat", "red", "-o", "other.secret", "--links", 5)
    refused = gamelog("append", committed, '{"do":"@note","by":"red","text":"x"}', "--secret", "other.secret")
    assert (refused.status, committed.read_bytes()) == (2, before), (
        "a wrong secret is told of before anything is written"
    )


def test_no_link_is_revealed_to_a_record_that_was_changed(gamelog: Gamelog, committed: Path) -> None:
    gamelog("dice", "reveal", committed, "--secret", "red.secret", "--secret", "blue.secret")
    gamelog("append", committed, '{"do":"@takeback","by":"arbiter","to":0}')
    forge(committed, '"t":', '"t":1')
    before = committed.read_bytes()
    assert validate(committed).status == "ok"
    done = gamelog("dice", "reveal", committed, "--secret", "red.secret")
    assert (done.status, "no longer the record in which you revealed event 1" in done.err) == (1, True)
    assert committed.read_bytes() == before
    Path("red.secret.seen").write_text("rubbish\n")
    assert gamelog("dice", "reveal", committed, "--secret", "red.secret").status == 2


@pytest.mark.parametrize("written", [False, True])
def test_a_reveal_that_was_killed_is_recognised(
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
    (noted,) = map(json.loads, Path("red.secret.seen").read_text().splitlines())
    assert noted == {"n": 0, "head": read_record(committed).head_at(0), "was": "before"}
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


def test_a_note_that_was_torn_is_no_hindrance(gamelog: Gamelog, committed: Path) -> None:
    seen = Path("red.secret.seen")
    seen.write_text('{"n":0,"he')
    gamelog("dice", "reveal", committed, "--secret", "red.secret", "--secret", "blue.secret")
    assert [json.loads(line)["n"] for line in seen.read_text().splitlines()[1:]] == [0, 1]
    gamelog("append", committed, '{"do":"@takeback","by":"arbiter","to":0}')
    forge(committed, '"t":', '"t":1')
    assert (
        "no longer the record in which you revealed event 1"
        in gamelog("dice", "reveal", committed, "--secret", "red.secret").err
    )


def test_thousands_of_notes_are_no_hindrance(gamelog: Gamelog, committed: Path) -> None:
    line = json.dumps({"n": 0, "head": read_record(committed).head_at(0)}) + "\n"
    Path("red.secret.seen").write_text(line * 20_000)
    assert gamelog("dice", "reveal", committed, "--secret", "red.secret").status == 0


def test_nothing_is_revealed_when_it_cannot_be_noted(gamelog: Gamelog, committed: Path) -> None:
    Path("red.secret.seen").mkdir()
    done = gamelog("dice", "reveal", committed, "--secret", "red.secret")
    assert (done.status == 0, len(read_record(committed).bodies)) == (False, 0)
    assert (done.err.count("\n"), "red.secret.seen" in done.err) == (1, True)


def test_secrets_of_others(gamelog: Gamelog, committed: Path) -> None:
    gamelog("dice", "commit", "--seat", "red", "-o", "other.secret", "--links", 5)
    done = gamelog("dice", "reveal", committed, "--secret", "other.secret")
    assert (done.status, "not for a seat of this one" in done.err) == (2, True)
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


def test_dice_reveal_is_for_committed_dice(gamelog: Gamelog, game: Path) -> None:
    gamelog("dice", "commit", "--seat", "red", "-o", "red.secret", "--links", 5)
    done = gamelog("dice", "reveal", game, "--secret", "red.secret")
    assert (done.status, "no commit-reveal dice" in done.err) == (2, True)


def test_new_wants_every_commitment(gamelog: Gamelog) -> None:
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


def test_recording_at_one_table_with_all_secrets(gamelog: Gamelog, committed: Path) -> None:
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


def test_seeded_dice_are_written_by_themselves(gamelog: Gamelog) -> None:
    gamelog(
        "new",
        "slicewars",
        "s.jsonl",
        "--seat",
        "red=Ana",
        "--seat",
        "blue=Rui",
        "--dice",
        "seeded",
        "--seed",
        "x",
    )
    assert gamelog("record", "s.jsonl", stdin="claim A1\n").status == 0
    *rolls, last = [json.loads(b"{" + body)["do"] for body in read_record("s.jsonl").bodies]
    assert (set(rolls), last) == ({"start_roll"}, "claim"), "as many rolls as it takes until one seat begins"
    assert validate("s.jsonl").status == "ok"


def test_simulated_games_with_committed_dice(gamelog: Gamelog) -> None:
    done = gamelog("simulate", "slicewars", "--games", 2, "--dice", "commit-reveal", "-o", "out")
    assert done.status == 0, done.err
    assert gamelog("validate", "out").status == 0
    branched = gamelog("branch", next(Path("out").iterdir()), "--at", 20, "-o", "b.jsonl")
    assert branched.status == 0, branched.err
    assert validate("b.jsonl").status == "ok"


def test_a_seal_by_another_key_that_the_record_does_not_extend_is_told_both(
    gamelog: Gamelog, game: Path
) -> None:
    for key in ("mine", "other"):
        gamelog("keygen", "-o", key)
    gamelog("sign", game, "--key", "other", "--seat", "red", "-o", "seal")
    done = gamelog("verify", game, "--against", "seal", "--key", "mine.pub")
    assert (done.status, "the record extends it, but it was signed with other+" in done.out) == (1, True)
    game.write_bytes(forged(game.read_bytes(), b"C3", b"D3"))
    done = gamelog("verify", game, "--against", "seal", "--key", "mine.pub")
    assert "(seal.key); and something up to event 2 is not what was sealed" in done.out
    assert "(seal.differs)" in done.out
    (found,) = gamelog("verify", game, "--against", "seal", "--key", "mine.pub", "--json").json
    assert [one["code"] for one in found["seals"][0]["objections"]] == ["seal.key", "seal.differs"]


def test_a_forged_record_is_not_called_good_and_the_advice_can_be_followed(
    gamelog: Gamelog, game: Path
) -> None:
    gamelog("keygen", "-o", "mine")
    gamelog("sign", game, "--key", "mine", "--seat", "red", "--append")
    game.write_bytes(forged(game.read_bytes(), b"C3", b"D3"))
    done = gamelog("verify", game)
    assert "the lines fit together, but the signature in event 3 is false; 3 events, head" in done.out
    assert "good" not in done.out
    assert "no ruling mends it; go on from event 2" in gamelog("replay", game, "--at", 3).out
    done = gamelog("note", game, "so it was")
    assert (done.status, f"gamelog branch {game} --at 2 -o NEW" in done.err) == (1, True)
    assert gamelog("branch", game, "--at", 2, "-o", "new.jsonl").status == 0
    assert gamelog("append", "new.jsonl", '{"do":"claim","at":"A1"}').status == 0


def forged(data: bytes, old: bytes, new: bytes) -> bytes:
    """The record with something else in it, and a chain that fits."""
    head, out = chain.GENESIS, b""
    for line in data.splitlines(keepends=True):
        body = line[chain.PREFIX :].replace(old, new)
        head = chain.link(head, body)
        out += chain.OPEN + head + b'",' + body
    return out

"""Keys, seals, signatures and seeded dice on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gamelog.play.judging.verdict import validate
from gamelog.record import chain
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog, forge


@pytest.fixture
def keyed(gamelog: Gamelog) -> Path:
    """Return a record whose header names the keys of Ana and Rui, with its first moves."""
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


def code(found: dict[str, Any]) -> str | None:
    return found["objection"]["code"] if found["objection"] else None


def test_verify_names_sealed_events_that_were_taken_back_or_corrected_later(
    gamelog: Gamelog, keyed: Path
) -> None:
    assert gamelog("sign", keyed, "--key", "ana", "-o", "ana.seal", "--append").status == 0
    done = gamelog("verify", keyed, "--against", "ana.seal")
    assert done.status == 0 and "later" not in done.out
    assert gamelog("fix", keyed, "--at", 3, "B2").status == 0
    done = gamelog("verify", keyed, "--against", "ana.seal")
    assert done.status == 0
    assert done.out.count("; of these events, event 3 was taken back or corrected later") == 2, done.out
    (found,) = gamelog("verify", keyed, "--against", "ana.seal", "--json").json
    assert [one["undone"] for one in (*found["seals"], *found["signatures"])] == [[3], [3]]
    assert gamelog("takeback", keyed, "--to", 1).status == 0
    done = gamelog("verify", keyed, "--against", "ana.seal")
    assert done.out.count("; of these events, events 2, 3 were taken back or corrected later") == 2, done.out


def test_keygen_never_overwrites_a_key(gamelog: Gamelog) -> None:
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


def test_a_record_that_continues_after_a_seal_is_verified(gamelog: Gamelog, keyed: Path) -> None:
    before = keyed.read_bytes()
    (told,) = gamelog("sign", keyed, "--key", "ana", "-o", "one.seal", "--json").json
    assert (told["seat"], told["events"], told["head"]) == ("red", 3, read_record(keyed).head)
    assert keyed.read_bytes() == before, "a seal does not change the record"
    assert gamelog("append", keyed, '{"do":"claim","at":"A2"}').status == 0
    assert gamelog("sign", keyed, "--key", "rui", "-o", "two.seal", "--append").status == 0
    done = gamelog("verify", keyed, "--against", "one.seal", "--against", "two.seal")
    assert done.status == 0, done.err
    assert done.out.count("the record extends the seal") == 2
    assert "blue has signed all earlier events" in done.out
    (answer,) = gamelog("verify", keyed, "--against", "one.seal", "--json").json
    assert (answer["holds"], answer["problem"], [code(seal) for seal in answer["seals"]]) == (
        True,
        None,
        [None],
    )
    assert [(found["n"], found["seat"]) for found in answer["signatures"]] == [(5, "blue")]
    assert validate(keyed).status == "ok"


def test_a_forged_record_extends_no_seal_after_the_change(gamelog: Gamelog, keyed: Path) -> None:
    gamelog("sign", keyed, "--key", "ana", "-o", "one.seal")
    gamelog("append", keyed, '{"do":"claim","at":"A2"}')
    gamelog("sign", keyed, "--key", "rui", "-o", "two.seal")
    forge(keyed, '"at":"A2"', '"at":"A3"')
    assert gamelog("validate", keyed).status == 0, "the forged game is legal"
    done = gamelog("verify", keyed, "--against", "one.seal", "--against", "two.seal")
    assert done.status == 1
    assert "The first difference is after event 3, up to event 4." in done.out
    (answer,) = gamelog("verify", keyed, "--against", "one.seal", "--against", "two.seal", "--json").json
    assert (answer["holds"], [code(seal) for seal in answer["seals"]]) == (False, [None, "seal.differs"])
    forge(keyed, '"name":"Ana"', '"name":"Eva"')
    done = gamelog("verify", keyed, "--against", "one.seal")
    assert "The first difference is in the header or later, up to event 3." in done.out


def test_seals_of_two_copies_are_distinguished(gamelog: Gamelog, keyed: Path) -> None:
    gamelog("sign", keyed, "--key", "ana", "-o", "ana.seal")
    forge(keyed, '"at":"A1"', '"at":"A3"')
    gamelog("sign", keyed, "--key", "rui", "-o", "rui.seal")
    done = gamelog("verify", keyed, "--against", "ana.seal", "--against", "rui.seal")
    assert done.status == 1
    assert "extends rui.seal, which covers event 3, too, so ana.seal is of another copy." in done.out
    assert "up to event" not in done.out.splitlines()[-1]


def test_cut_damaged_and_torn_records_are_not_verified(gamelog: Gamelog, keyed: Path) -> None:
    gamelog("sign", keyed, "--key", "ana", "-o", "one.seal")
    rows = keyed.read_bytes().splitlines(keepends=True)
    keyed.write_bytes(b"".join(rows[:-1]))
    done = gamelog("verify", keyed, "--against", "one.seal")
    assert (done.status, "seal.cut" in done.out) == (1, True)
    keyed.write_bytes(b"".join(rows) + b'{"h":')
    done = gamelog("verify", keyed, "--against", "one.seal")
    assert (
        done.status,
        "the last line is incomplete" in done.out,
        "the record extends the seal" in done.out,
    ) == (
        1,
        True,
        True,
    )
    assert gamelog("sign", keyed, "--key", "ana", "-o", "two.seal").status == 1, "a torn record is not signed"
    keyed.write_bytes(b"rubbish\n")
    (answer,) = gamelog("verify", keyed, "--against", "one.seal", "--json").json
    assert (answer["holds"], answer["id"], code(answer["seals"][0])) == (False, None, "seal.differs")


def test_the_signer_is_found_by_the_key(gamelog: Gamelog, keyed: Path) -> None:
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
    assert "red has signed" in named.out, "a player can be named by name"
    done = gamelog("verify", keyed, "--against", "arbiter.seal")
    assert (done.status, "the owner of the key " in done.out) == (1, True)
    done = gamelog("verify", keyed, "--against", "arbiter.seal", "--key", "old.pub")
    assert (done.status, "you trust its key" in done.out) == (0, True)
    done = gamelog("verify", keyed, "--against", "arbiter.seal", "--key", "ana.pub")
    assert (done.status, "seal.key" in done.out) == (1, True)


def test_sign_needs_a_place_for_the_seal(gamelog: Gamelog, keyed: Path) -> None:
    assert gamelog("sign", keyed, "--key", "ana").status == 2
    gamelog("sign", keyed, "--key", "ana", "-o", "one.seal")
    before = keyed.read_bytes()
    assert gamelog("sign", keyed, "--key", "ana", "-o", "one.seal", "--append").status == 2
    assert keyed.read_bytes() == before, "nothing is recorded if the seal cannot be saved"
    done = gamelog("sign", keyed, "--key", "ana.pub", "-o", "x.seal")
    assert (done.status, "not a private key" in done.err) == (2, True)
    assert gamelog("sign", keyed, "--key", "none", "-o", "x.seal").status == 2


def test_bad_seals_and_keys_are_reported_in_a_sentence(gamelog: Gamelog, keyed: Path) -> None:
    Path("bad.seal").write_text("gamelog/1 x\n")
    for args in (["--against", "bad.seal"], ["--against", "none"], ["--against", "."], ["--key", "bad.seal"]):
        done = gamelog("verify", keyed, *args)
        assert (done.status, done.err.count("\n")) == (2, 1), args
    assert "bad.seal: This is not a seal" in gamelog("verify", keyed, "--against", "bad.seal").err
    assert gamelog("verify", "none.jsonl").status == 2
    done = gamelog(
        "new", "slicewars", "b.jsonl", "--seat", "red=A", "--seat", "blue=B", "--key", "green=ana.pub"
    )
    assert (done.status, "but no player sits" in done.err) == (2, True)
    done = gamelog(
        "new", "slicewars", "b.jsonl", "--seat", "red=A", "--seat", "blue=B", "--key", "red=bad.seal"
    )
    assert done.status == 2
    assert not Path("b.jsonl").exists()


def test_broken_signatures_are_reported_even_after_an_illegal_event(gamelog: Gamelog, keyed: Path) -> None:
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


def test_seeded_dice_are_recorded_automatically(gamelog: Gamelog) -> None:
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
    assert (set(rolls), last) == ({"start_roll"}, "claim"), "rolls until one seat begins"
    assert validate("s.jsonl").status == "ok"


def test_a_seal_with_two_problems_is_reported_with_both(gamelog: Gamelog, game: Path) -> None:
    for key in ("mine", "other"):
        gamelog("keygen", "-o", key)
    gamelog("sign", game, "--key", "other", "--seat", "red", "-o", "seal")
    done = gamelog("verify", game, "--against", "seal", "--key", "mine.pub")
    assert (done.status, "the record extends the seal, but the seal was signed with other+" in done.out) == (
        1,
        True,
    )
    game.write_bytes(forged(game.read_bytes(), b"C3", b"D3"))
    done = gamelog("verify", game, "--against", "seal", "--key", "mine.pub")
    assert "(seal.key); one of the lines up to event 2 has changed since the seal was made" in done.out
    assert "(seal.differs)" in done.out
    (found,) = gamelog("verify", game, "--against", "seal", "--key", "mine.pub", "--json").json
    assert [one["code"] for one in found["seals"][0]["objections"]] == ["seal.key", "seal.differs"]


def test_a_forged_record_is_not_called_good_and_the_advice_works(gamelog: Gamelog, game: Path) -> None:
    gamelog("keygen", "-o", "mine")
    gamelog("sign", game, "--key", "mine", "--seat", "red", "--append")
    game.write_bytes(forged(game.read_bytes(), b"C3", b"D3"))
    done = gamelog("verify", game)
    assert "the chain is whole, but the signature in event 3 is false; 3 events, head" in done.out
    assert "good" not in done.out
    assert (
        "no ruling can repair it; to continue after event 2 in a new record, run gamelog branch"
        in gamelog("replay", game, "--at", 3).out
    )
    done = gamelog("note", game, "so it was")
    assert (done.status, f"gamelog branch {game} --at 2 -o NEW" in done.err) == (1, True)
    assert gamelog("branch", game, "--at", 2, "-o", "new.jsonl").status == 0
    assert gamelog("append", "new.jsonl", '{"do":"claim","at":"A1"}').status == 0


def forged(data: bytes, old: bytes, new: bytes) -> bytes:
    """Return the record with a change and a valid chain."""
    head, out = chain.GENESIS, b""
    for line in data.splitlines(keepends=True):
        body = line[chain.PREFIX_BYTES :].replace(old, new)
        head = chain.chained_digest(head, body)
        out += chain.OPEN + head + b'",' + body
    return out

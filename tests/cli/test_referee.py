"""A referee at the command line: rulings of every kind, in every game."""

from __future__ import annotations

import json
from pathlib import Path

from gamelog.play.judging.verdict import validate
from gamelog.record.reading import read_record
from tests.cli.conftest import Done, Gamelog, sample_copy


def test_impossible_rulings_are_refused(gamelog: Gamelog, game: Path) -> None:
    base = ["ruling", game, "--by", "Mei", "--reason", "so"]
    for args, said in (
        (["--about", 9, "--stands"], "event 9 is not in the record yet"),
        (["--about", 3, "--stands"], "event 3 is not in the record yet"),
        (["--about", 0, "--stands"], "--about"),
        (["--about", 2, "--takeback", "--to", 7], "event 7 is not in the record yet"),
        (["--about", 2, "--refused"], "must be about a claim or a ruling"),
        (
            ["--about", 2, "--penalty", "green=1"],
            '"green" has no seat in this game; the seats are Ana (red), Rui (blue)',
        ),
        (["--about", 2, "--result", "{}"], "is not a result"),
        (["--about", 2], "Choose one"),
        (["--about", 2, "--stands", "--refused"], "Choose one"),
    ):
        done = gamelog(*base, *args)
        assert done.status in (1, 2), args
        assert said in done.err, (args, done.err)
    assert gamelog("ruling", game, "--about", 2, "--stands", "--by", " ", "--reason", "so").status == 1
    assert len(game.read_text().splitlines()) == 3, "nothing was recorded"


def test_a_position_is_declared_in_the_words_of_replay(gamelog: Gamelog, game: Path) -> None:
    (shown,) = gamelog("replay", game, "--json").json
    state = shown["state"]
    state["territories"]["A1"] = ["blue", 1]
    state["on_turn"] = "red"
    gap = {"do": "@gap", "by": "arbiter", "state": state, "reason": "nobody wrote down Rui's claim"}
    done = gamelog("append", game, json.dumps(gap))
    assert done.status == 0, done.err
    assert validate(game).status == "disputed"
    assert "A1:b1" in gamelog("replay", game).out
    assert (
        gamelog("ruling", game, "--about", 3, "--stands", "--by", "Mei", "--reason", "both say so").status
        == 0
    )
    assert validate(game).status == "ruled"
    state["territories"]["A1"] = ["blue", 9]
    refused = gamelog("append", game, json.dumps(gap))
    assert (refused.status, "A1 cannot hold 9 dice" in refused.err) == (1, True)


def test_points_are_those_at_the_shown_event(gamelog: Gamelog, game: Path) -> None:
    gamelog(
        "ruling", game, "--about", 2, "--penalty", "red=-1", "--by", "Mei", "--reason", "touched the dice"
    )
    assert "Score: Ana 1, Rui 0." in gamelog("replay", game, "--at", 2).out
    assert "Score: Ana 0, Rui 0." in gamelog("replay", game, "--at", 3).out
    assert "Score: Ana 0, Rui 0." in gamelog("replay", game, "--at", 2, "--ruled").out
    assert "Score: Ana 0, Rui 0." in gamelog("replay", game).out


def test_unknown_seats_and_events_are_refused(gamelog: Gamelog, game: Path) -> None:
    done = gamelog("replay", game, "--seat", "green")
    assert (done.status, "the seats are" in done.err) == (2, True)
    for at in (-1, 3, 10**20):
        done = gamelog("replay", game, "--at", at)
        assert (done.status, done.out, done.err.count("\n") >= 1) == (2, "", True)


def numbered(done: Done) -> int:
    """Return the number of the event that a command has recorded."""
    assert done.status == 0, done.err
    return int(done.out.split()[0])


def test_a_takeback_that_upholds_a_claim_goes_back_to_before_its_event(
    gamelog: Gamelog,
) -> None:
    path = sample_copy("slicewars/full-3.jsonl")
    rows = gamelog("replay", path, "--every", "--ruled", "--json").json[41:]
    undone = sum(not row["event"]["do"].startswith("@") for row in rows)
    claim = numbered(gamelog("claim", path, "--by", "blue", "--about", 41, "That was not his turn"))
    done = gamelog("ruling", path, "--about", claim, "--takeback", "--by", "Mei", "--reason", "claim upheld")
    assert done.out.splitlines()[1:] == [
        f"The claim of event {claim} is upheld.",
        f"Back to event 40; {undone} events undone.",
        "The game continues.",
        f"The claim of event {claim} is closed.",
    ]
    written = json.loads(path.read_text().splitlines()[-1])
    assert written["to"] == 40, "the record shows it"
    assert [row["n"] for row in gamelog("replay", path, "--ruled", "--json").json] == [40]
    done = gamelog("ruling", path, "--about", claim + 1, "--refused", "--by", "Lena", "--reason", "appeal")
    assert done.out.splitlines()[1:] == [
        f"The ruling of event {claim + 1} is withdrawn.",
        f"The game continues after event {claim}; {undone} events count again.",
        done.out.splitlines()[3],
        f"The claim of event {claim} is open again.",
    ]
    assert done.out.splitlines()[3].startswith("The game is over. Winner: ")


def test_the_same_proposal_with_a_key_is_confirmed_although_the_event_was_taken_back(
    gamelog: Gamelog, game: Path
) -> None:
    claim = numbered(gamelog("claim", game, "--by", "blue", "--about", 2, "no"))
    event = {
        "do": "@ruling",
        "id": "once",
        "about": claim,
        "kind": "takeback",
        "reason": "so",
        "name": "Mei",
        "t": 10**12,
    }
    first = gamelog("append", game, json.dumps(event))
    assert numbered(first) == numbered(gamelog("append", game, json.dumps(event)))


def test_a_takeback_ruling_needs_its_target(gamelog: Gamelog, game: Path) -> None:
    base = ["ruling", game, "--by", "Mei", "--reason", "so", "--takeback"]
    claim = numbered(gamelog("claim", game, "--by", "blue", "I am cold"))
    done = gamelog(*base, "--about", claim)
    asked = 'use --to N (in JSON, "to") to say after which event the game continues'
    assert (done.status, done.err) == (
        1,
        f"gamelog: The claim in event {claim} does not name an event, so {asked}.\n",
    )
    again = numbered(gamelog("claim", game, "--by", "blue", "--about", 2, "no"))
    ruling = numbered(gamelog(*base, "--about", again))
    assert "is itself a takeback" in gamelog(*base, "--about", ruling).err
    third = numbered(gamelog("claim", game, "--by", "red", "--about", 2, "but it was mine"))
    assert "Event 2 has already been taken back" in gamelog(*base, "--about", third).err
    assert gamelog(*base, "--about", third, "--to", 2).status == 0


def test_a_claim_that_was_already_corrected_is_upheld(gamelog: Gamelog, game: Path) -> None:
    ruled = ("--by", "Mei", "--reason", "he is right")
    claim = numbered(gamelog("claim", game, "--by", "blue", "--about", 2, "It was D3"))
    assert gamelog("fix", game, "--at", 2, "claim D3").status == 0
    for kind, event in (("--takeback", "Event 2"), ("--stands", "event 2")):
        done = gamelog("ruling", game, "--about", claim, kind, *ruled)
        assert (done.status, event in done.err, "upheld" in done.err) == (1, True, True), done.err
    done = gamelog("ruling", game, "--about", claim, "--upheld", *ruled)
    assert done.out.splitlines()[1:] == [
        f"The claim of event {claim} is upheld.",
        f"The claim of event {claim} is closed.",
    ]
    assert "Mei upholds the claim of event 3. he is right" in gamelog("replay", game).out
    assert json_state(gamelog, game, claim) == ("ruled on", False)
    assert (
        'a ruling "upheld" must be about a claim, but event 2 is not a claim'
        in gamelog("ruling", game, "--about", 2, "--upheld", *ruled).err
    )


def test_a_takeback_does_not_undo_claims(gamelog: Gamelog, game: Path) -> None:
    claim = numbered(gamelog("claim", game, "--by", "blue", "She was rude"))
    assert gamelog("takeback", game, "--to", 1, "--by", "table").status == 0
    done = gamelog("ruling", game, "--about", claim, "--stands", "--by", "Mei", "--reason", "so")
    assert (done.status, f"The claim of event {claim} is closed." in done.out) == (0, True)


def test_a_ruling_that_an_event_counts_settles_its_claim_too(gamelog: Gamelog, game: Path) -> None:
    ruled = ("--by", "Mei", "--reason", "it was seen late")
    illegal = numbered(gamelog("append", game, '{"do":"claim","by":"red","at":"I6"}', "--as-played"))
    claim = numbered(gamelog("claim", game, "--by", "blue", "--about", illegal, "Not her turn"))
    done = gamelog("ruling", game, "--about", claim, "--refused", *ruled)
    missing = f"rules on that event too: gamelog ruling game.jsonl --about {illegal}"
    assert done.out.splitlines()[-1] == f"Event {illegal} is disputed until the arbiter {missing}"
    (told,) = gamelog("ruling", game, "--about", claim + 1, "--refused", *ruled, "--json").json
    assert told["did"]["reopened"] == [claim]
    raw = {"do": "@ruling", "about": claim, "kind": "refused", "reason": "so", "name": "Mei"}
    assert missing in gamelog("append", game, json.dumps(raw)).err
    assert gamelog("ruling", game, "--about", claim + 3, "--refused", *ruled).status == 0
    done = gamelog("ruling", game, "--about", claim, "--stands", *ruled)
    assert done.out.splitlines()[1:] == [
        f"Event {illegal}: stands.",
        f"The claim of event {claim} is closed.",
    ]
    assert validate(game).status == "ruled"
    assert f"in event {claim + 5}: stands" in gamelog("replay", game, "--at", claim).out


def test_the_same_ruling_on_a_claim_is_confirmed_twice(gamelog: Gamelog, game: Path) -> None:
    illegal = numbered(gamelog("append", game, '{"do":"claim","by":"red","at":"I6"}', "--as-played"))
    claim = numbered(gamelog("claim", game, "--by", "blue", "--about", illegal, "no"))
    event = {
        "do": "@ruling",
        "id": "k",
        "about": claim,
        "kind": "stands",
        "reason": "so",
        "name": "Mei",
        "t": 10**12,
    }
    assert numbered(gamelog("append", game, json.dumps(event))) == numbered(
        gamelog("append", game, json.dumps(event))
    )


def test_an_upheld_claim_about_a_declined_takeback_goes_to_its_target(gamelog: Gamelog) -> None:
    seats = ("--seat", "red=Ana", "--seat", "blue=Rui")
    assert gamelog("new", "slicewars", "g.jsonl", *seats, "--takebacks", "agreed").status == 0
    moves = ('{"do":"claim","at":"C3"}', '{"do":"claim","at":"A1"}', '{"do":"claim","at":"D3"}')
    assert gamelog("append", "g.jsonl", '{"do":"start_roll","rolls":{"red":5,"blue":2}}', *moves).status == 0
    offer = numbered(gamelog("takeback", "g.jsonl", "--to", 2, "--by", "red"))
    assert gamelog("decline", "g.jsonl", "--by", "blue", "--about", offer).status == 0
    claim = numbered(gamelog("claim", "g.jsonl", "--by", "red", "--about", offer, "He had nodded"))
    done = gamelog("ruling", "g.jsonl", "--about", claim, "--takeback", "--by", "Mei", "--reason", "he had")
    assert "Back to event 2; 2 events undone." in done.out


def json_state(gamelog: Gamelog, path: Path, n: int) -> tuple[str, bool]:
    """Return the state of event `n` in the list of incidents."""
    return next(
        (row["state"], row["open"]) for row in gamelog("incidents", path, "--json").json if row["n"] == n
    )


def test_a_ruling_prints_its_effects_as_json_too(gamelog: Gamelog, game: Path) -> None:
    (done,) = gamelog(
        "ruling", game, "--about", 2, "--penalty", "red=-1", "--by", "Mei", "--reason", "so", "--json"
    ).json
    assert (done["n"], len(done["head"])) == (3, 43)
    assert done["did"] == {
        "n": 3, "to": None, "undone": 0, "again": 0, "points": {"red": -1}, "outcome": None, "goes_on": False,
        "closed": [], "reopened": [], "disputed": None, "unanswered": None,
        "remaining": [],
    }  # fmt: skip
    done = gamelog("ruling", game, "--about", 3, "--penalty", "blue=2", "--by", "Mei", "--reason", "so")
    assert done.out.splitlines()[1:] == [
        "The ruling of event 3 is replaced: penalty.",
        "Ana: +1 point.",
        "Rui: +2 points.",
    ]


def test_a_substitute_takes_the_seat_of_its_player(gamelog: Gamelog, game: Path) -> None:
    gamelog("substitute", game, "--seat", "blue", "--name", "Omar")
    gamelog("substitute", game, "--seat", "blue", "--name", "Zé")
    assert "Omar takes the seat of Rui." in gamelog("replay", game, "--at", 3).out
    assert "Zé takes the seat of Omar." in gamelog("replay", game, "--at", 4).out
    assert "Zé takes the seat of Omar." in gamelog("replay", game).out
    every = gamelog("replay", game, "--every", "--ruled", "--json").json
    assert [row["text"] for row in every[-2:]] == [
        "Omar takes the seat of Rui.",
        "Zé takes the seat of Omar.",
    ]


def test_a_takeback_that_waits_is_an_offer_in_every_command(gamelog: Gamelog) -> None:
    seats = ("--seat", "red=Ana", "--seat", "blue=Mei")
    assert gamelog("new", "slicewars", "game.jsonl", *seats, "--takebacks", "agreed").status == 0
    gamelog(
        "append", "game.jsonl", '{"do":"start_roll","rolls":{"red":5,"blue":2}}', '{"do":"claim","at":"C3"}'
    )
    offer = gamelog("takeback", "game.jsonl", "--to", 1, "--by", "Ana")
    asked = "Ana asks to take the game back to event 1. Waiting for Mei to agree."
    assert asked in offer.out
    assert asked in gamelog("replay", "game.jsonl").out
    assert asked in gamelog("replay", "game.jsonl", "--at", 3).out
    found = "event 3, byte "
    assert found in gamelog("validate", "game.jsonl").out
    assert "is waiting for Mei to agree (play.offer)" in gamelog("validate", "game.jsonl").out
    done = gamelog("append", "game.jsonl", '{"do":"claim","by":"blue","at":"A1"}')
    assert (done.status, "the offer of event 3 has expired" in done.err) == (0, True)
    gamelog("takeback", "game.jsonl", "--to", 1, "--by", "Mei")
    done = gamelog("accept", "game.jsonl", "--about", 5, "--by", "Ana")
    assert "The game goes back to event 1. 2 events are undone." in done.out
    gamelog("export", "game.jsonl", "-o", "page.html")


def test_a_ruling_is_in_force_wherever_the_game_continues(gamelog: Gamelog, game: Path) -> None:
    person = ("--by", "Mei", "--reason", "seen")
    gamelog("ruling", game, "--about", 2, "--penalty", "blue=-3", *person)
    gamelog("claim", game, "--by", "blue", "--about", 3, "why?")
    gamelog("takeback", game, "--to", 2)
    at = [gamelog("replay", game, "--at", n).out for n in (3, 4)]
    assert "The ruling is in force." in at[0]
    assert "taken back" not in at[0] + at[1]
    gamelog("ruling", game, "--about", 3, "--forfeit", '{"winners":["red"],"reason":"late"}', *person)
    assert "The ruling is not in force: event 6 has replaced it." in gamelog("replay", game, "--at", 3).out
    gamelog("ruling", game, "--about", 6, "--refused", *person)
    assert "The ruling is not in force: event 7 has withdrawn it." in gamelog("replay", game, "--at", 6).out
    assert "Mei withdraws the ruling of event 6." in gamelog("replay", game, "--at", 7).out


def test_rulings_take_names_and_times(gamelog: Gamelog, game: Path) -> None:
    base = ["ruling", game, "--about", 2, "--by", "Mei", "--reason", "so"]
    gamelog("substitute", game, "--seat", "blue", "--name", "José")
    done = gamelog(*base, "--penalty", "jose\u0301=-3", "--t", 9_000_000)
    assert (done.status, "José: -3 points." in done.out) == (0, True)
    done = gamelog(*base, "--penalty", "Rui=-3")
    assert (done.status, "Rui has left the seat blue, where José sits now" in done.err) == (2, True)
    done = gamelog(*base, "--result", "ana late hour")
    assert "The game is over. Winner: Ana (late hour)." in done.out
    done = gamelog(*base, "--forfeit", '{"winners":["José"],"reason":"late"}', "--t", 9_000_001)
    assert "The game is over. Winner: José (late)." in done.out
    done = gamelog("claim", game, "no", "--by", "Rui")
    assert (
        done.status,
        "Rui has left the seat blue, where José sits now; the seats are Ana (red), José (blue)" in done.err,
    ) == (1, True)
    done = gamelog("claim", game, "no", "--by", "Ana", "--t", 9_100_000)
    assert (done.status, [json.loads(line)["t"] for line in game.read_text().splitlines()[4:]]) == (
        0, [9_000_000, 9_000_000, 9_000_001, 9_100_000],
    )  # fmt: skip
    done = gamelog("claim", game, "no", "--by", "Ana", "--t", 1)
    assert done.status == 1
    assert '"winners"' not in gamelog(*base, "--result", "Omar").err


def test_a_walkover_before_the_first_event_is_ruled_on_a_note(gamelog: Gamelog) -> None:
    gamelog("new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")
    base = [
        "ruling",
        "game.jsonl",
        "--about",
        1,
        "--by",
        "Mei",
        "--reason",
        "he did not come",
        "--forfeit",
        "Ana walkover",
    ]
    done = gamelog(*base)
    assert (done.status, "record what happened with gamelog note" in done.err) == (1, True)
    gamelog("note", "game.jsonl", "Rui has not come")
    assert "The game is over. Winner: Ana (walkover)." in gamelog(*base).out
    assert gamelog("validate", "game.jsonl").status == 0


def test_a_walkover_needs_no_event(gamelog: Gamelog) -> None:
    """The command records a note with the reason, and the ruling is about this note."""
    gamelog("new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")
    base = ("ruling", "game.jsonl", "--by", "Mei")
    assert "--about N" in gamelog(*base, "--reason", "he did not come", "--stands").err
    assert gamelog(*base, "--reason", " ", "--forfeit", "Ana").status == 2
    assert gamelog(*base, "--reason", "he did not come", "--forfeit", "Omar").status == 2
    assert len(read_record("game.jsonl").bodies) == 0
    done = gamelog(*base, "--reason", "he did not come", "--forfeit", "Ana walkover")
    assert (done.status, "The game is over. Winner: Ana (walkover)." in done.out) == (0, True)
    note, ruling = (json.loads(b"{" + body) for body in read_record("game.jsonl").bodies)
    assert (note["do"], note["by"], note["text"], ruling["about"]) == (
        "@note",
        "arbiter",
        "he did not come",
        1,
    )
    assert gamelog("validate", "game.jsonl").status == 0


def test_a_ruling_about_no_event_is_refused_with_the_command(gamelog: Gamelog) -> None:
    gamelog("new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")
    out = gamelog("record", "game.jsonl", stdin="ruling 0 forfeit Ana by Mei: he did not come\nquit\n").out
    assert "Record a note first, then type: ruling 2 forfeit Ana by Mei: he did not come" not in out
    assert "Record a note first, then type: ruling 1 forfeit Ana by Mei: he did not come" in out


def test_counts_and_empty_files_are_reported_in_plain_words(gamelog: Gamelog, game: Path) -> None:
    Path("ends.jsonl").write_bytes(b"\n\r\n\n")
    for command in (("validate", "ends.jsonl"), ("export", "ends.jsonl", "-o", "page.html")):
        done = gamelog(*command)
        assert (done.status, "contains only line endings" in done.out + done.err) == (1, True)
    Path("one.jsonl").write_bytes(b"".join(game.read_bytes().splitlines(keepends=True)[:2]) + b"x\n")
    assert (
        "1 good event copied. 2 bytes were not copied"
        in gamelog("recover", "one.jsonl", "--salvage", "-o", "good.jsonl").out
    )
    assert "the same game, 1 decision or roll." in gamelog("compare", "good.jsonl", "good.jsonl").out
    Path("ends.jsonl").write_bytes(game.read_bytes().replace(b"\n", b"\r\n"))
    assert (
        "To make a repaired copy, run: gamelog recover FILE --salvage -o NEW"
        in gamelog("validate", "ends.jsonl").out
    )


def test_a_ruling_of_several_parts_is_recorded_whole_or_not_at_all(gamelog: Gamelog) -> None:
    path = sample_copy("zone_s/as_played.jsonl")
    before, ruled = path.read_bytes(), ("ruling", path, "--about", 91, "--by", "Mei", "--reason", "again")
    parts = ("--takeback", "--penalty", "Ana=-2", "--warning", "Rui", "--clock", "Rui=1:00")
    for refused in (
        ("--stands", "--takeback"),
        (),
        ("--takeback", "--warning", "Zed"),
        ("--clock", "Rui=soon"),
        ("--clock", "Rui=60"),
        ("--clock", "Zed=1:00"),
    ):
        assert gamelog(*ruled, *refused).status in (1, 2), refused
    assert gamelog(*ruled, "--warning", "Rui", "--takeback", "--to", 500).status == 1
    assert path.read_bytes() == before, "not even the good part"
    out = gamelog(*ruled, *parts).out
    for said in (
        "Warned: Rui.",
        "Ana: -2 points.",
        "The clock of Rui shows 1:00.",
        "The game's clock shows ",
        "Back to event 90; 24 events undone.",
    ):
        assert said in out, said
    told = [one["text"] for one in gamelog("incidents", path, "--json").json if one["kind"] == "ruling"]
    assert [text.rpartition("again. ")[2] for text in told[:3]] == [
        "Warned: Rui.",
        "Points: Ana -2.",
        told[2].rpartition("again. ")[2],
    ]
    assert "Clocks: Rui 1:00, the table " in told[2]
    assert validate(path).status == "ruled"


def test_warnings_change_nothing_in_the_game(gamelog: Gamelog) -> None:
    path = sample_copy("slicewars/full-2.jsonl")
    play = validate(path).play
    ruled = ("ruling", path, "--about", 5, "--by", "Mei", "--reason", "so")
    assert gamelog(*ruled, "--warning", "Ana", "--warning", "blue").status == 0
    assert (validate(path).play, validate(path).status) == (play, "ok")
    assert (
        gamelog(
            "record",
            path,
            stdin="ruling 5 clock Omar -0:10 by Mei: late\nruling 5 warning Omar by Mei: late\n",
        ).status
        == 0
    )
    kinds = [one["text"] for one in gamelog("incidents", path, "--json").json]
    assert kinds[-2:] == [
        kinds[-2],
        "Mei rules on event 5: warning. late. Warned: Omar.",
    ]

"""Each command in ordinary use."""

import json
import re
from pathlib import Path

import pytest
import typer
from gamelog_cli.app import app

from gamelog import simulate
from gamelog.errors import BadSetup
from gamelog.play.contract.registry import names
from gamelog.play.judging.verdict import validate
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog


def test_games_lists_the_installed_games(gamelog: Gamelog) -> None:
    rows = gamelog("games", "--json").json
    assert {row["id"] for row in rows} >= set(names())
    assert all(row["error"] is None for row in rows)
    assert "SliceWars" in gamelog("games").out
    assert next(row for row in rows if row["id"] == "zone_s")["names"] == ["dominion", "separatists"]
    assert "dominion, separatists" in gamelog("games").out


def test_rules_prints_all_rules_or_one(gamelog: Gamelog) -> None:
    whole = gamelog("rules", "slicewars").out
    assert "SW-20" in whole
    assert "max_rounds = 200" in whole
    assert 'removed = "ownerless" ("ownerless" or "void")' in whole
    assert "max_rounds = 200 (1 to 1000)" in whole
    (one,) = gamelog("rules", "slicewars", "sw-a13", "--json").json
    assert (one["id"], one["ruling"]) == ("SW-A13", True)
    assert gamelog("rules", "slicewars", "SW-99").status == 2


def test_new_writes_a_complete_header_and_never_overwrites(gamelog: Gamelog, game: Path) -> None:
    head = json.loads(game.read_text().splitlines()[0])
    assert head["options"]["max_rounds"] == 200
    assert head["board"].startswith("hex50@")
    assert head["seats"] == [
        {"seat": "red", "name": "Ana"},
        {"seat": "blue", "name": "Rui", "id": "rui@club"},
    ]
    before = game.read_bytes()
    again = gamelog("new", "slicewars", game, "--seat", "red=X", "--seat", "blue=Y")
    assert again.status == 2
    assert "exists" in again.err
    assert game.read_bytes() == before


def test_new_takes_options_tags_boards_and_seeds(gamelog: Gamelog) -> None:
    from gamelog.play.contract.registry import find

    board = find("slicewars").boards["hex36"]() | {"name": "club"}
    Path("club.json").write_text(json.dumps(board))
    args = ["new", "slicewars", "g.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui", "--board", "club.json"]
    args += [
        "--option",
        "max_rounds=40",
        "--option",
        "check=actor",
        "--tag",
        "round=3",
        "--dice",
        "seeded",
        "--seed",
        "s",
    ]
    (made,) = gamelog(*args, "--json").json
    header = read_record("g.jsonl").header
    assert header is not None
    assert (header.options["max_rounds"], header.options["check"], header.tags) == (
        40,
        "actor",
        {"round": "3"},
    )
    assert isinstance(header.board, dict)
    assert header.dice.seed == "s"
    assert (made["path"], made["id"]) == ("g.jsonl", header.id)


def test_append_confirms_each_event_with_its_head(gamelog: Gamelog, game: Path) -> None:
    done = gamelog("append", game, '{"do":"claim","at":"A1"}')
    assert done.out.split() == ["3", read_record(game).head]
    lines = '{"do":"claim","at":"A2"}\n\n{"do":"claim","at":"A3"}\n'
    acks = gamelog("append", game, "-", "--json", stdin=lines).json
    assert [ack["n"] for ack in acks] == [4, 5]
    assert validate(game).status == "ok"


def test_append_refuses_with_the_rule_and_legal_events(gamelog: Gamelog, game: Path) -> None:
    before = game.read_bytes()
    done = gamelog("append", game, '{"do":"claim","at":"C3"}')
    assert done.status == 1
    assert "SW-3" in done.err
    assert '"at":"A1"' in done.err
    assert done.err.count("\n") == 1
    told = gamelog("append", game, '{"do":"claim","at":"C3"}', "--json")
    assert told.json[0]["refused"]["rule"] == "SW-3"
    assert game.read_bytes() == before


def test_append_knows_conflicts_keys_and_dry_runs(gamelog: Gamelog, game: Path) -> None:
    moved = gamelog("append", game, '{"do":"claim","at":"A1"}', "--expect", 1)
    assert moved.status == 1
    assert "New events were recorded" in moved.err
    keyed = '{"do":"claim","at":"A1","id":"k1"}'
    first = gamelog("append", game, keyed, "--expect", 2)
    assert first.out == gamelog("append", game, keyed, "--expect", 2).out, (
        "a repeated event is confirmed again"
    )
    other = gamelog("append", game, '{"do":"claim","at":"A2","id":"k1"}')
    assert other.status == 1
    before = game.read_bytes()
    assert gamelog("append", game, '{"do":"claim","at":"A2"}', "--dry-run").out.startswith("Legal")
    assert gamelog("append", game, '{"do":"claim","at":"C3"}', "--dry-run").status == 1
    (judged,) = gamelog("append", game, '{"do":"claim","at":"C3"}', "--dry-run", "--json").json
    assert judged["legal"] is False
    assert game.read_bytes() == before


def test_an_illegal_event_that_was_played_anyway_is_disputed(gamelog: Gamelog, game: Path) -> None:
    done = gamelog("append", game, '{"do":"claim","by":"red","at":"D4"}', "--as-played")
    assert done.status == 0, done.err
    judged = gamelog("validate", game, "--json")
    assert judged.status == 1
    assert judged.json[0]["status"] == "disputed"


def test_validate_prints_sentences_or_json(gamelog: Gamelog, game: Path) -> None:
    (verdict,) = gamelog("validate", game, "--json").json
    keys = [
        "path",
        "id",
        "game",
        "status",
        "valid",
        "finished",
        "events",
        "head",
        "play",
        "outcome",
        "findings",
        "people",
    ]
    assert list(verdict) == keys
    assert (verdict["status"], verdict["valid"], verdict["finished"], verdict["events"]) == (
        "ok",
        True,
        False,
        2,
    )
    assert "ok, 2 events, not finished" in gamelog("validate", game).out


def test_validate_names_the_winner_by_name(gamelog: Gamelog, game: Path) -> None:
    gamelog("agree", game, "Ana", "--by", "blue")
    gamelog("accept", game, "--by", "red", "--about", 3)
    (line, *_) = gamelog("validate", game).out.splitlines()
    assert line == "game.jsonl: ok, 4 events, won by Ana (agreed)"
    gamelog("substitute", game, "--seat", "red", "--name", "Mei")
    assert "won by Mei" in gamelog("validate", game).out
    (verdict,) = gamelog("validate", game, "--json").json
    assert verdict["outcome"]["winners"] == ["red"]
    assert verdict["people"] == {"red": "Mei", "blue": "Rui"}


def test_simulate_refuses_with_the_same_sentences_as_the_library(gamelog: Gamelog) -> None:
    for args, wrong in ((["--bot", "clever"], {"bots": ["clever"]}), (["--seats", "9"], {"players": 9})):
        done = gamelog("simulate", "slicewars", "-o", "club", *args)
        with pytest.raises(BadSetup) as raised:
            simulate("slicewars", **wrong)
        assert (done.status, done.err) == (2, f"gamelog: {raised.value}\n")
    assert not Path("club").exists()


def test_validate_judges_folders_on_several_processes(gamelog: Gamelog, game: Path) -> None:
    Path("club").mkdir()
    for name in "abc":
        Path(f"club/{name}.jsonl").write_bytes(game.read_bytes())
    Path("club/torn.jsonl").write_bytes(game.read_bytes()[:-3])
    done = gamelog("validate", "club", "--jobs", 2)
    assert done.status == 1
    assert "4 records: 3 ok, 1 torn." in done.out
    assert [row["status"] for row in gamelog("validate", "club", "--json").json] == ["ok", "ok", "ok", "torn"]


def test_replay_shows_any_position(gamelog: Gamelog, game: Path) -> None:
    last = gamelog("replay", game).out
    assert "C3:r1" in last
    assert "Ana claims C3." in last
    assert "To move: Rui." in last
    assert "C3:r1" not in gamelog("replay", game, "--at", 1).out
    (shown,) = gamelog("replay", game, "--at", 2, "--json").json
    assert list(shown) == ["n", "event", "text", "state", "pending", "score", "incident"]
    assert shown["event"]["at"] == "C3"
    assert "setup" not in shown["state"]
    assert [row["n"] for row in gamelog("replay", game, "--every", "--json").json] == [0, 1, 2]
    assert gamelog("replay", game, "--at", 3).status == 2


def test_export_writes_one_position_in_every_format(gamelog: Gamelog, game: Path) -> None:
    assert gamelog("export", game, "-o", "g.txt", "--format", "txt").status == 0
    assert "C3:r1" in Path("g.txt").read_text()
    assert gamelog("export", game, "-o", "g.json", "--format", "json", "--at", 1).status == 0
    assert json.loads(Path("g.json").read_text())["n"] == 1
    assert gamelog("export", game, "-o", "g.svg", "--format", "svg").status == 0
    assert Path("g.svg").read_text().startswith("<svg")
    assert gamelog("export", game, "-o", "deep/g.html").status == 0
    assert "<!doctype html>" in Path("deep/g.html").read_text().lower()


def test_export_of_a_folder_is_a_site(gamelog: Gamelog) -> None:
    gamelog("simulate", "slicewars", "--games", 3, "-o", "club", "--option", "max_rounds=2")
    assert gamelog("export", "club", "-o", "site").status == 0
    assert Path("site/index.html").exists()
    assert len(list(Path("site").rglob("*.html"))) == 4


def test_simulated_games_are_the_same_for_the_same_seed(gamelog: Gamelog) -> None:
    args = [
        "simulate",
        "slicewars",
        "--games",
        2,
        "--seats",
        3,
        "--bot",
        "random",
        "--bot",
        "greedy",
        "--option",
        "max_rounds=3",
    ]
    assert gamelog(*args, "--seed", "x", "-o", "a").status == 0
    assert gamelog(*args, "--seed", "x", "-o", "b").status == 0
    files = sorted(Path("a").iterdir())
    assert len(files) == 2
    for path in files:
        assert path.read_bytes() == (Path("b") / path.name).read_bytes()
        assert validate(path).status == "ok"
    gamelog(*args, "--seed", "y", "-o", "c")
    assert sorted(Path("c").iterdir())[0].read_bytes() != files[0].read_bytes()


def test_index_and_query(gamelog: Gamelog) -> None:
    gamelog("simulate", "slicewars", "--games", 4, "-o", "club", "--option", "max_rounds=2")
    (done,) = gamelog("index", "club", "--archive", "a.db", "--json").json
    assert (done["new"], done["records"], done["counted"]) == (4, 4, 4)
    assert "0 new, 0 changed, 4 unchanged" in gamelog("index", "club", "--archive", "a.db").out
    asked = gamelog("query", "SELECT count(*) AS games FROM games", "--archive", "a.db", "--json")
    assert asked.json == [{"games": 4}]
    assert (
        gamelog("query", "SELECT game, players FROM games LIMIT 1", "--archive", "a.db").out
        == "game\tplayers\nslicewars\t2\n"
    )
    bare = gamelog(
        "query", "SELECT game, players FROM games LIMIT 1", "--archive", "a.db", "--no-headings"
    ).out
    assert bare == "slicewars\t2\n"
    assert gamelog("query", "SELECT 1", "--archive", "a.db", "--format", "csv", "--json").status == 2
    csv = gamelog("query", "SELECT 1 AS one", "--archive", "a.db", "--format", "csv").out
    assert csv == "one\n1\n"
    listed = gamelog("query", "--list", "--archive", "a.db").out
    assert "contests" in listed
    assert "seats:" in listed
    assert (
        gamelog(
            "query", "SELECT 1 AS one", "--archive", "a.db", "--format", "parquet", "-o", "one.parquet"
        ).status
        == 0
    )
    assert Path("one.parquet").read_bytes()[:4] == b"PAR1"


def test_recover_and_salvage(gamelog: Gamelog, game: Path) -> None:
    whole = game.read_bytes()
    game.write_bytes(whole[:-5])
    assert gamelog("append", game, '{"do":"claim","at":"A1"}').status == 1, "only recover repairs a record"
    done = gamelog("recover", game)
    assert done.status == 0, done.err
    assert Path("game.jsonl.torn").read_bytes() == whole.splitlines(keepends=True)[-1][:-5]
    assert validate(game).status == "ok"
    damaged = bytearray(whole)
    damaged[-20] ^= 1
    game.write_bytes(damaged)
    refused = gamelog("recover", game)
    assert refused.status == 1
    assert "--salvage" in refused.err
    assert gamelog("recover", game, "--salvage", "-o", "saved.jsonl").status == 0
    assert len(read_record("saved.jsonl").bodies) == 1
    assert gamelog("recover", game, "--salvage").status == 2


def test_schema_prints_the_schema_in_the_repository(gamelog: Gamelog) -> None:
    assert json.loads(gamelog("schema", "slicewars").out)["$id"] == "urn:gamelog:1:slicewars"
    assert "Header" in json.loads(gamelog("schema").out)["$defs"]


def test_commands_record_the_common_events(gamelog: Gamelog, game: Path) -> None:
    assert gamelog("note", game, "nice one", "--about", 2).status == 0
    assert (
        gamelog(
            "claim", game, "he touched it", "--by", "blue", "--intended", '{"do":"claim","at":"A1"}'
        ).status
        == 0
    )
    assert gamelog("substitute", game, "--seat", "red", "--name", "Mei", "--person", "mei@club").status == 0
    assert gamelog("amend", game, "--tag", "round=4", "--seat", "blue=Rui C.").status == 0
    assert gamelog("takeback", game, "--to", 1, "--reason", "wrong land").status == 0
    shown = gamelog("replay", game).out
    assert "To move: Mei." in shown
    assert validate(game).status == "ok"
    assert gamelog("accept", game, "--about", 3, "--by", "red").status == 1
    assert gamelog("amend", game).status == 2


def test_amend_shows_what_it_changed(gamelog: Gamelog, game: Path) -> None:
    done = gamelog("amend", game, "--tag", "round=4", "--seat", "blue=Rui C. <rui@home>")
    assert done.out.splitlines()[1:] == [
        'Name of blue: "Rui" -> "Rui C."',
        'Id of blue: "rui@club" -> "rui@home"',
        'Tag round: (none) -> "4"',
    ]
    (told,) = gamelog("amend", game, "--tag", "round=5", "--seat", "blue=Rui C.", "--json").json
    assert told["changed"] == [{"what": "Tag round", "was": "4", "now": "5"}]
    assert "Nothing has changed" in gamelog("amend", game, "--tag", "round=5").out
    escaped = gamelog("amend", game, "--tag", "round=\x1b[31m\nTag x: forged").out.splitlines()
    assert (len(escaped), "\x1b" in "".join(escaped)) == (2, False)


def test_offers_are_accepted_and_declined(gamelog: Gamelog) -> None:
    gamelog("new", "slicewars", "g.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui", "--takebacks", "agreed")
    gamelog("append", "g.jsonl", '{"do":"start_roll","rolls":{"red":5,"blue":2}}', '{"do":"claim","at":"C3"}')
    gamelog("takeback", "g.jsonl", "--to", 1, "--by", "red")
    assert gamelog("decline", "g.jsonl", "--about", 3, "--by", "blue").status == 0
    gamelog("takeback", "g.jsonl", "--to", 1, "--by", "red")
    assert gamelog("accept", "g.jsonl", "--about", 5, "--by", "blue").status == 0
    assert "C3:r1" not in gamelog("replay", "g.jsonl").out


def test_version_and_help(gamelog: Gamelog) -> None:
    assert gamelog("--version").out.startswith("gamelog ")
    assert gamelog("--help").status == 0
    assert gamelog("nonsense").status == 2


def test_rulings_settle_an_illegal_event_that_was_played_anyway(gamelog: Gamelog, game: Path) -> None:
    gamelog("append", game, '{"do":"claim","by":"red","at":"D4"}', "--as-played")
    words = ["--by", "Lena", "--reason", "both agreed"]
    assert gamelog("ruling", game, "--about", 3, "--stands", *words).status == 0
    judged = gamelog("validate", game, "--json")
    assert judged.status == 0
    assert judged.json[0]["status"] == "ruled"
    assert gamelog("ruling", game, "--about", 3, "--penalty", "red=-2", *words).status == 0
    assert gamelog("ruling", game, "--about", 5, "--takeback", "--to", 2, *words).status == 0
    assert (
        gamelog(
            "ruling", game, "--about", 2, "--result", '{"winners":["blue"],"reason":"late"}', *words
        ).status
        == 0
    )
    assert gamelog("validate", game, "--json").json[0]["outcome"] == {"winners": ["blue"], "reason": "late"}
    for wrong in (
        ["--stands", "--takeback"],
        [],
        ["--to", 2, "--stands"],
        ["--penalty", "red=x"],
        ["--result", "Omar"],
    ):
        assert gamelog("ruling", game, "--about", 2, *wrong, *words).status == 2


def test_a_failed_record_continues_after_a_ruling(gamelog: Gamelog, game: Path) -> None:
    from gamelog.play.fold.parts.event_list import decoder
    from gamelog.record.record_file import RecordFile
    from tests.play.tables import GAME

    log = RecordFile.open(game)
    with log.lock() as locked:
        line = {"do": "claim", "n": 3, "t": log.t, "by": "red", "at": "D4"}
        locked.append([decoder(GAME).decode(json.dumps(line).encode())])
    assert gamelog("validate", game, "--json").json[0]["status"] == "illegal"
    assert gamelog("append", game, '{"do":"claim","at":"A1"}').status == 1
    assert (
        gamelog("ruling", game, "--about", 3, "--stands", "--by", "Lena", "--reason", "it was late").status
        == 0
    )
    assert gamelog("validate", game, "--json").json[0]["status"] == "ruled"
    assert gamelog("append", game, '{"do":"claim","at":"A1"}').status == 0


def test_two_score_sheets_are_compared(gamelog: Gamelog, game: Path) -> None:
    Path("other.jsonl").write_bytes(game.read_bytes())
    assert "the same game" in gamelog("compare", game, "other.jsonl").out
    gamelog("append", game, '{"do":"claim","at":"A1"}')
    gamelog("append", "other.jsonl", '{"do":"claim","at":"A2"}')
    told = gamelog("compare", game, "other.jsonl", "--merge", "agreed.jsonl")
    assert told.status == 1
    assert "agree on 2" in told.out
    assert "Rui claims A1." in told.out
    assert validate("agreed.jsonl").status == "ok"
    (found,) = gamelog("compare", game, "other.jsonl", "--json").json
    assert {"same", "first_difference", "a", "b", "prefix_head"} <= set(found)
    assert (found["same"], found["first_difference"], found["a"]["says"]["at"]) == (False, 3, "A1")
    for folder, files in (("a", ("x", "y")), ("b", ("x", "z"))):
        Path(folder).mkdir()
        for name in files:
            Path(f"{folder}/{name}.jsonl").write_bytes(game.read_bytes())
    assert [row["same"] for row in gamelog("compare", "a", "b", "--json").json] == [True, True], (
        "by name and by id"
    )


def test_a_branch_continues_after_an_earlier_event(gamelog: Gamelog, game: Path) -> None:
    assert gamelog("branch", game, "--at", 1, "-o", "what-if.jsonl").status == 0
    assert gamelog("append", "what-if.jsonl", '{"do":"claim","at":"I6"}').status == 0
    assert validate("what-if.jsonl").status == "ok"
    assert gamelog("branch", game, "--at", 9, "-o", "no.jsonl").status == 2
    assert gamelog("branch", game, "--at", 1, "-o", "what-if.jsonl").status == 2


def test_replay_distinguishes_what_was_known_then_from_the_final_rulings(
    gamelog: Gamelog, game: Path
) -> None:
    gamelog("append", game, '{"do":"claim","at":"A1"}')
    gamelog("takeback", game, "--to", 2)
    gamelog("append", game, '{"do":"claim","at":"A2"}')
    assert "A1:b1" in gamelog("replay", game, "--at", 3).out
    ruled = gamelog("replay", game, "--at", 3, "--ruled", "--json").json[0]
    assert (ruled["n"], ruled["event"]["at"]) == (2, "C3")
    assert [row["n"] for row in gamelog("replay", game, "--every", "--ruled", "--json").json] == [0, 1, 2, 5]


def test_records_are_packed_and_unpacked_byte_for_byte(gamelog: Gamelog, game: Path) -> None:
    gamelog("simulate", "slicewars", "--games", 3, "-o", "club", "--option", "max_rounds=2")
    Path("club/torn.jsonl").write_bytes(game.read_bytes()[:-4])
    (done,) = gamelog("pack", "club", "-o", "club.parquet", "--json").json
    assert done["records"] == 4
    assert gamelog("unpack", "club.parquet", "-o", "back").status == 0
    for path in Path("club").iterdir():
        assert (Path("back") / path.name).read_bytes() == path.read_bytes()
    assert gamelog("index", "club.parquet", "--archive", "a.db").status == 0
    assert gamelog("pack", "club", "-o", "club.parquet").status == 2, "no file is overwritten"
    Path("half.parquet").write_bytes(Path("club.parquet").read_bytes()[:900])
    cut = gamelog("unpack", "half.parquet", "-o", "elsewhere")
    assert cut.status in (1, 2)
    assert cut.err.count("\n") == 1


def test_help_texts_contain_no_markup() -> None:
    """Rich would remove text in square brackets from help in panels."""
    commands = getattr(typer.main.get_command(app()), "commands")  # noqa: B009 - a member of groups alone
    texts = [
        text.help or "" for one in commands.values() for text in (one, *one.params) if hasattr(text, "help")
    ]
    assert len(texts) > 100
    assert [text for text in texts if re.search(r"\[/?[a-z#@]", text)] == []

"""Comparisons of two score sheets, of two folders of a league, and of a branch with its parent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Gamelog

ROLL = '{"do":"start_roll","rolls":{"red":5,"blue":2}}'


def claims(*places: str) -> list[str]:
    return [json.dumps({"do": "claim", "at": at}) for at in places]


def sheet(gamelog: Gamelog, name: str, *places: str) -> Path:
    """Write a score sheet with these claims of Ana and Rui."""
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    assert gamelog("new", "slicewars", path, "--seat", f"red=Ana ({name})", "--seat", "blue=Rui").status == 0
    assert gamelog("append", path, ROLL, *claims(*places)).status == 0
    return path


def test_the_first_difference_of_two_sheets_is_named(gamelog: Gamelog) -> None:
    a, b = sheet(gamelog, "a.jsonl", "A1", "A2", "A3"), sheet(gamelog, "b.jsonl", "A1", "A2", "B1")
    done = gamelog("compare", a, b)
    assert done.status == 1
    assert "agree on 3 decisions and dice. Then they differ: they have different events." in done.out
    assert "event 4: Ana (a.jsonl) claims A3. Its events are legal." in done.out
    (told,) = gamelog("compare", a, b, "--json").json
    assert {"same", "first_difference", "a", "b", "prefix_head"} <= set(told)
    assert (told["same"], told["first_difference"], told["kind"], told["a"]["says"]["at"]) == (
        False,
        4,
        "another",
        "A3",
    )
    assert gamelog("note", b, "my pen broke", "--about", 2).status == 0
    assert gamelog("takeback", b, "--to", 3, "--by", "table").status == 0
    assert gamelog("append", b, *claims("A3")).status == 0
    done = gamelog("compare", a, b)
    assert (done.status, "the same game, 4 decisions and dice" in done.out) == (0, True)


def test_long_paths_are_named_once(gamelog: Gamelog) -> None:
    a = sheet(gamelog, "score sheets of the club/of the scorer.jsonl", "A1", "A2", "A3")
    b = sheet(gamelog, "score sheets of the club/of Rui.jsonl", "A1", "A2", "B1")
    out = gamelog("compare", a, b).out
    assert out.startswith(f"A: {a}\nB: {b}\nA and B agree on 3 decisions and dice.")
    assert f"{a}, event" not in out and "A, event 4: " in out
    assert gamelog("compare", a, b, "--json").json[0]["a"]["path"] == str(a)


def test_records_that_differ_from_the_start_are_called_unrelated(gamelog: Gamelog) -> None:
    samples = Path(__file__).parents[2] / "sample_games/slicewars"
    out = gamelog("compare", samples / "short.jsonl", samples / "takeback.jsonl").out
    assert "They are probably records of unrelated games." in out
    assert out.splitlines()[-1] == "  and 21 more; --json lists them."


def test_missing_duplicate_and_exchanged_lines_are_named(gamelog: Gamelog) -> None:
    a = sheet(gamelog, "a.jsonl", "A1", "A2", "A3", "A4")
    lines = a.read_text().splitlines(keepends=True)
    for name, order, said in (
        ("gone", (0, 1, 2, 4, 5), "the next event of a.jsonl is missing in gone.jsonl"),
        ("twice", (0, 1, 2, 3, 3, 4, 5), "twice.jsonl has the last event twice"),
        ("swapped", (0, 1, 3, 2, 4, 5), "two events are in another order"),
    ):
        write(Path(f"{name}.jsonl"), [lines[at] for at in order])
        done = gamelog("compare", a, f"{name}.jsonl")
        assert (done.status, said in done.out) == (1, True), done.out


def test_a_single_difference_has_its_length_and_whether_the_sheets_agree_after_it(
    gamelog: Gamelog,
) -> None:
    a = sheet(gamelog, "a.jsonl", "A1", "A2", "A3", "A4", "A5", "B1", "B2", "B3")
    lines = a.read_text().splitlines(keepends=True)
    write(Path("cut.jsonl"), lines[:5])
    shorter = gamelog("compare", a, "cut.jsonl").out
    assert "a.jsonl, 5 events from 5 on" in shorter
    assert "agree to the end" not in shorter
    write(Path("gone.jsonl"), [*lines[:3], *lines[5:]])
    gone = gamelog("compare", a, "gone.jsonl").out
    assert "2 events from 3 on" in gone and "After this difference they agree to the end." in gone
    write(Path("one.jsonl"), [*lines[:3], *lines[4:]])
    assert "After this difference they agree to the end." in gamelog("compare", a, "one.jsonl").out


def test_all_differences_are_listed_and_the_first_is_marked(gamelog: Gamelog) -> None:
    a = sheet(gamelog, "a.jsonl", "A1", "A2", "A3", "A4", "A5", "B1", "B2", "B3", "B4", "B5")
    lines = a.read_text().splitlines(keepends=True)
    order = (0, 1, 2, 4, 5, 5, 6, 8, 7, 9, 11)
    write(Path("b.jsonl"), [lines[at] for at in order])
    done = gamelog("compare", a, "b.jsonl")
    assert (done.status, done.out.splitlines()[3:]) == (
        1,
        [
            "4 differences; between them the records agree. The first one (>) is described above:",
            "> 1. a.jsonl, event 3: Rui claims A2. It is missing in b.jsonl after event 2.",
            "  2. b.jsonl, event 5: Rui claims A4. The record has it a second time; a.jsonl has it once, up to event 5.",
            "  3. In another order: event 7 in a.jsonl is event 8 in b.jsonl: Rui claims B1.",
            "  4. a.jsonl, event 10: Ana (a.jsonl) claims B4. It is missing in b.jsonl after event 9.",
            "The events of a.jsonl from event 4 on cannot follow the events of b.jsonl up to difference 1, because event "
            '4, "Ana (a.jsonl) claims A3.", is not possible there: it is Rui\'s turn, not Ana '
            "(a.jsonl)'s (SW-3). So one of the sheets has an error before that event.",
        ],
    )
    other = gamelog("compare", "b.jsonl", a)
    assert [line.split(". ")[-1] for line in other.out.splitlines()[4:6]] == [
        "It is missing in b.jsonl after event 2.",
        "The record has it a second time; a.jsonl has it once, up to event 5.",
    ]
    (told,) = gamelog("compare", a, "b.jsonl", "--json").json
    assert [one["kind"] for one in told["differences"]] == [
        "missing in b",
        "twice in b",
        "in another order",
        "missing in b",
    ]
    assert told["differences"][0]["a"] == {
        "n": 3,
        "says": {"do": "claim", "by": "blue", "at": "A2"},
        "text": "Rui claims A2.",
    }
    assert told["differences"][0]["b"] == {"n": 2, "says": None, "text": ""}


def write(path: Path, lines: list[str]) -> None:
    """Write the lines as a record, with new numbers and a new chain."""
    from gamelog.dispute.branch import rechain

    bodies = []
    for n, line in enumerate(lines):
        members = {name: value for name, value in json.loads(line).items() if name != "h"}
        bodies.append(
            json.dumps(members | ({"n": n} if n else {}), separators=(",", ":"), ensure_ascii=False).encode()[
                1:
            ]
            + b"\n"
        )
    path.write_bytes(rechain(bodies))


def test_the_sheet_with_the_later_seal_is_named(gamelog: Gamelog) -> None:
    assert gamelog("keygen", "-o", "rui").status == 0
    a, b = sheet(gamelog, "a.jsonl", "A1", "A2", "A3"), sheet(gamelog, "b.jsonl", "A1", "A2", "B1")
    assert gamelog("sign", a, "--key", "rui", "--seat", "blue", "-o", "rui.seal").status == 0
    done = gamelog("compare", a, b, "--against", "rui.seal")
    assert "blue signed all events up to event 4, this event included, on " in done.out
    assert "a.jsonl has the later seal." in done.out
    assert gamelog("compare", b, a, "--against", "rui.seal", "--json").json[0]["later"] == "b"
    assert gamelog("sign", b, "--key", "rui", "--seat", "blue", "--append").status == 0
    done = gamelog("compare", a, b)
    assert "b.jsonl has the later seal." in done.out
    assert gamelog("compare", a, b, "--against", "none").status == 2


def test_a_merged_record_names_both_parents(gamelog: Gamelog) -> None:
    a, b = sheet(gamelog, "a.jsonl", "A1", "A2", "A3"), sheet(gamelog, "b.jsonl", "A1", "A2", "B1")
    done = gamelog("compare", a, b, "--merge", "m.jsonl")
    assert (done.status, "the events on which both records agree" in done.out) == (1, True)
    done = gamelog("verify", "m.jsonl", "--parent", a, "--parent", b)
    assert (done.status, done.out.count("the 3 decisions and dice of the first 3 events")) == (0, 2)
    assert gamelog("compare", a, b, "--merge", "m.jsonl").status == 2, "no file is overwritten"
    assert gamelog("append", "m.jsonl", *claims("C1")).status == 0
    done = gamelog("verify", "m.jsonl", "--parent", a)
    assert (done.status, done.out.count("parent.unchecked")) == (1, 1), "the other sheet is not given"
    assert gamelog("verify", "m.jsonl", "--parent", b, "--parent", a).status == 0
    gamelog("takeback", "m.jsonl", "--to", 1, "--by", "table")
    gamelog("append", "m.jsonl", *claims("C2"))
    done = gamelog("verify", "m.jsonl", "--parent", a)
    assert (done.status, "decision or roll 2 is not the same as in a.jsonl" in done.out) == (1, True)


def test_the_two_folders_of_a_league_are_compared(gamelog: Gamelog) -> None:
    sheet(gamelog, "ana/round 1.jsonl", "A1", "A2")
    sheet(gamelog, "rui/round 1.jsonl", "A1", "A2")
    sheet(gamelog, "ana/round 2.jsonl", "A1", "A2")
    sheet(gamelog, "rui/round 2.jsonl", "A1")
    sheet(gamelog, "ana/only ana.jsonl", "A1")
    sheet(gamelog, "rui/only rui.jsonl", "A1")
    named = sheet(gamelog, "ana/mine.jsonl", "B1")
    Path("rui/game of tuesday.jsonl").write_bytes(named.read_bytes())
    Path("ana/bad.jsonl").write_text("rubbish\n")
    Path("rui/bad.jsonl").write_text("rubbish\n")
    done = gamelog("compare", "ana", "rui")
    assert done.status == 1
    rows = [line.split("\t") for line in done.out.splitlines()[1:-1]]
    assert done.out.splitlines()[0] == "record\tresult\ta / b"
    assert [row[:2] for row in rows] == [
        ["ana/bad.jsonl", "cannot be compared"],
        ["ana/round 1.jsonl", "the same"],
        [
            "ana/round 2.jsonl",
            "differs after 2, the next event of ana/round 2.jsonl is missing in rui/round 2.jsonl",
        ],
        ["ana/mine.jsonl", "the same"],
        ["ana/only ana.jsonl", "only in this folder"],
        ["rui/only rui.jsonl", "only in this folder"],
    ]
    assert done.out.splitlines()[-1] == "2 of 6 records are the same in ana and rui."
    told = gamelog("compare", "ana", "rui", "--json").json
    assert [row["same"] for row in told] == [False, True, False, True, False, False]
    assert "error" in told[0] and told[4]["only"] == "ana/only ana.jsonl"
    same = gamelog("compare", "ana/round 1.jsonl", "ana/round 1.jsonl")
    assert same.status == 0
    Path("none").mkdir()
    assert gamelog("compare", "none", "none").status == 0


@pytest.mark.parametrize("args", [("a.jsonl", "."), ("a.jsonl", "none"), (".", ".", "--merge", "x.jsonl")])
def test_records_of_different_games_are_not_compared(gamelog: Gamelog, args: tuple[str, ...]) -> None:
    sheet(gamelog, "a.jsonl", "A1")
    done = gamelog("compare", *args)
    assert (done.status, done.err.count("\n")) == (2, 1)


def test_a_compressed_record_is_only_read(gamelog: Gamelog, game: Path) -> None:
    for words in (
        ("branch", game, "--at", 1, "-o", "b.jsonl.zst"),
        ("compare", game, game, "--merge", "b.jsonl.zst"),
    ):
        done = gamelog(*words)
        assert (done.status, "Gamelog only reads those: use b.jsonl." in done.err) == (2, True)
        assert not Path("b.jsonl.zst").exists()


def test_a_branch_is_checked_against_its_parent(gamelog: Gamelog, game: Path) -> None:
    assert gamelog("append", game, *claims("A1", "A2")).status == 0
    assert gamelog("branch", game, "--at", 3, "-o", "b.jsonl").status == 0
    told = gamelog("verify", "b.jsonl")
    assert (told.status, "to check it, add --parent RECORD" in told.out) == (1, True)
    told = gamelog("verify", "b.jsonl", "--parent", game)
    assert (told.status, "the first 3 events, byte for byte" in told.out) == (0, True)
    game.write_text("".join(game.read_text().splitlines(keepends=True)[:3]))
    told = gamelog("verify", "b.jsonl", "--parent", game)
    assert (told.status, "ends with event 2" in told.out) == (1, True)
    (answer,) = gamelog("verify", "b.jsonl", "--parent", game, "--json").json
    assert (answer["holds"], answer["parents"][0]["n"], answer["parents"][0]["shared"]) == (False, 3, None)
    game.write_text("rubbish\n")
    assert gamelog("verify", "b.jsonl", "--parent", game).status == 1
    assert gamelog("verify", "b.jsonl", "--parent", "none").status == 2

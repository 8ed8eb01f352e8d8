"""Disputed events for a referee, on the terminal and as a sheet: play, claims, rulings."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamelog.dispute.score_sheet import ScoreSheet
from gamelog.play.judging.verdict import validate
from gamelog.record import chain
from gamelog.record.reading import read_record
from tests.cli.conftest import SAMPLES, Gamelog, sample_copy

GAMES = ("dice_flags", "gp02a_territory", "slicewars", "zone_control", "zone_s")


def json_line(gamelog: Gamelog, path: Path) -> list[int]:
    """Return the numbers of the events that count."""
    return [row["n"] for row in gamelog("replay", path, "--every", "--ruled", "--json").json]


@pytest.mark.parametrize("game", GAMES)
def test_replay_explains_an_illegal_event(gamelog: Gamelog, game: str) -> None:
    path = sample_copy(f"{game}/as_played.jsonl")
    at = validate(path).findings[0].n
    rule = validate(path).findings[0].rule
    done = gamelog("replay", path, "--at", at)
    assert done.status == 1
    for said in (
        f"Before event {at}.",
        f"Event {at}, ",
        f"\n{rule}",
        "At that time: the record was disputed.",
        "it counts",
        "Legal (",
    ):
        assert said in done.out, said
    words = gamelog("rules", game, rule).out.strip()
    assert words in done.out, "the text of the rule is the same as in `rules`"
    assert (
        gamelog("ruling", path, "--about", at, "--stands", "--by", "Mei", "--reason", "both agreed").status
        == 0
    )
    done = gamelog("replay", path, "--at", at)
    assert done.status == 0
    assert "As finally ruled: it counts; Mei in event" in done.out
    assert validate(path).status == "ruled"


@pytest.mark.parametrize("game", GAMES)
def test_an_unmarked_illegal_event_is_shown_and_ruled_on(gamelog: Gamelog, game: str) -> None:
    path = sample_copy(sorted(SAMPLES.glob(f"{game}/illegal-*.jsonl"))[0].relative_to(SAMPLES).as_posix())
    verdict = validate(path)
    at = verdict.findings[0].n or 0
    done = gamelog("replay", path, "--at", at)
    assert (done.status, "no event can follow it until the arbiter rules" in done.out) == (1, True)
    assert gamelog("replay", path, "--at", at + 1).status == 2
    (told,) = gamelog("replay", path, "--at", at, "--json").json
    assert told["event"]["n"] == at
    assert told["incident"]["rule"]["id"] == verdict.findings[0].rule
    refused = gamelog("ruling", path, "--about", at, "--refused", "--by", "Mei", "--reason", "no")
    assert (refused.status, refused.err.count("\n")) == (1, 1)
    assert (
        gamelog("ruling", path, "--about", at, "--takeback", "--by", "Mei", "--reason", "not allowed").status
        == 0
    )
    assert (validate(path).status, validate(path).findings[0].code) == ("ruled", "play.ruled")
    assert f"{at}" not in [str(n) for n in json_line(gamelog, path)]


def test_an_event_that_cannot_be_carried_out_is_explained(gamelog: Gamelog) -> None:
    assert gamelog("new", "dice_flags", "d.jsonl", "--seat", "north=Ana", "--seat", "south=Rui").status == 0
    gamelog(
        "append", "d.jsonl", '{"do":"start_roll","rolls":{"north":6,"south":1}}', '{"do":"roll","dice":[6,5]}'
    )
    rescue = '{"do":"rescue","rescuer":"P1","seat":"south","prisoner":"P1","at":"N.c1"}'
    assert gamelog("append", "d.jsonl", rescue, "--as-played").status == 0
    for args in (["--at", 3], ["--at", 3, "--json"], [], ["--every"]):
        done = gamelog("replay", "d.jsonl", *args)
        assert (done.status, done.err) == (1, ""), args
    assert "it counts, but its effects are unknown" in gamelog("replay", "d.jsonl", "--at", 3).out


@pytest.mark.parametrize(
    ("intended", "told"),
    [
        ('{"do":"claim","at":"D1"}', "Intended event: Rui claims D1."),
        ('{"do":"claim"}', 'Intended event: {"do":"claim"}.'),
        ('{"do":"fly","to":"\u202eD1"}', 'Intended event: {"do":"fly","to":"'),
    ],
)
def test_the_intended_event_of_a_claim_is_a_sentence(
    gamelog: Gamelog, game: Path, intended: str, told: str
) -> None:
    gamelog("claim", game, "--by", "blue", "--about", 2, "I said D1", "--intended", intended)
    shown = gamelog("replay", game, "--at", 2).out
    assert f"Claim in event 3 about event 2, Rui: I said D1. {told}" in shown
    assert "\u202e" not in shown
    (found,) = gamelog("replay", game, "--at", 2, "--json").json
    assert str(found["incident"]["claims"][0]["meant"]).startswith(told.removeprefix("Intended event: ")[:12])
    page = game.with_name("sheet.html")
    gamelog("sheet", game, "--at", 2, "--language", "pt", "-o", page)
    assert "Evento pretendido: " in page.read_text()


def test_all_claims_and_rulings_about_an_event_are_listed(gamelog: Gamelog, game: Path) -> None:
    def at(n: int) -> str:
        return gamelog("replay", game, "--at", n).out

    assert "No one has ruled on the event: it counts." in at(2)
    gamelog("claim", game, "--by", "blue", "--about", 2, "That was my land")
    assert "No one has ruled on the event: it counts." in at(2)
    assert "Claim in event 3 about event 2, Rui: That was my land. No one has ruled on this claim." in at(2)
    assert "no one has ruled on this claim about event 2" in gamelog("validate", game).out
    gamelog("ruling", game, "--about", 3, "--refused", "--by", "Lena", "--reason", "it was not")
    assert validate(game).status == "ok", "the position is as it was played"
    gamelog("ruling", game, "--about", 4, "--takeback", "--by", "Mei", "--reason", "on appeal")
    gamelog("ruling", game, "--about", 5, "--stands", "--by", "Omar", "--reason", "seen by all")
    told = at(2)
    assert (
        "As finally ruled: it was taken back; "
        "Mei in event 5: takeback to the position after event 1, reason: on appeal; "
        "Omar in event 6: stands, reason: seen by all." in told
    )
    assert "Claim in event 3 about event 2, Rui: That was my land.\n" in told
    assert (
        "Ruling in event 4 about event 3, Lena: refused. Reason: it was not. Event 5 has replaced it.\n"
        in told
    )
    (found,) = gamelog("replay", game, "--at", 2, "--json").json
    assert found["incident"]["claims"] == [
        {
            "n": 3,
            "by": "blue",
            "text": "That was my land",
            "about": 2,
            "open": False,
            "meant": None,
            "withdrawn": None,
        }
    ]
    assert [(one["n"], one["about"], one["in_force"], one["gone"]) for one in found["incident"]["rulings"]] == [
        (4, 3, False, 5), (5, 4, True, None), (6, 5, True, None),
    ]  # fmt: skip
    judged = validate(game)
    assert (judged.status, [found.n for found in judged.findings]) == ("ruled", [3])
    assert judged.findings[0].text == (
        "a claim about event 2; ruled on in event 4 (event 5 has replaced it) by Lena: refused, it was not; "
        "in event 5 (in force) by Mei: takeback to the position after event 1, on appeal"
    )
    gamelog("ruling", game, "--about", 5, "--refused", "--by", "Lena", "--reason", "no")
    assert "No ruling on the event is in force any more: it counts." in at(2)
    assert validate(game).status == "ok"


def test_sheets_name_a_substitute_after_an_illegal_event(gamelog: Gamelog, game: Path) -> None:
    gamelog("append", game, '{"do":"claim","by":"blue","at":"A1"}')
    data, last = game.read_bytes(), read_record(game).head
    assert last is not None
    head = last.encode()
    for one in (
        '"do":"claim","n":4,"t":9000000,"by":"red","at":"Z9"}',
        '"do":"@substitute","n":5,"t":9000000,"by":"table","seat":"blue","name":"Omar"}',
        '"do":"claim","n":6,"t":9000000,"by":"blue","at":"C1"}',
    ):
        head = chain.chained_digest(head, f"{one}\n".encode())
        data += chain.OPEN + head + b'",' + f"{one}\n".encode()
    Path("other.jsonl").write_bytes(data)
    sheet = ScoreSheet(read_record("other.jsonl"))
    assert [sheet.entry(at, True).text for at in (3, 4)] == ["Ana claims Z9.", "Omar claims C1."]


@pytest.mark.parametrize("game", GAMES)
def test_disputed_events_are_listed_and_printed(gamelog: Gamelog, game: str) -> None:
    path = sample_copy(f"{game}/as_played.jsonl")
    done = gamelog("incidents", path)
    (one,) = (row for row in done.out.splitlines()[1:] if "\tagainst the rules\t" in row)
    assert done.status == 1
    assert (
        done.err
        == f"1 of these is open. To print a page about event N, run: gamelog sheet {path} --at N -o PAGE.html\n"
    )
    at, rule = one.split("\t")[0], validate(path).findings[0].rule
    assert gamelog("sheet", path, "--at", at, "-o", "sheet.html").out == "sheet.html\n"
    page = Path("sheet.html").read_text()
    for said in (
        f"event {at}</h1>",
        f"{rule}: ",
        "Legal events at this point (",
        f"Before event {at}",
        f"After event {at}",
        "Arbiter",
        ">Ana (",
    ):
        assert said in page, said
    assert read_record(path).head_at(int(at)) in page
    assert "<script" not in page
    assert gamelog("sheet", path, "--at", at, "-o", "folha.html", "--language", "pt").status == 0
    assert f"evento {at}</h1>" in Path("folha.html").read_text()
    assert (
        gamelog("ruling", path, "--about", at, "--stands", "--by", "Mei", "--reason", "both <b>agreed").status
        == 0
    )
    found = gamelog("incidents", path, "--json").json
    assert (found[0]["n"], found[0]["open"], found[-1]["kind"]) == (int(at), False, "ruling")
    assert gamelog("sheet", path, "--at", at, "-o", "sheet.html").status == 0
    assert "both &lt;b&gt;agreed" in Path("sheet.html").read_text()


def test_a_sheet_needs_an_existing_event(gamelog: Gamelog) -> None:
    path = sample_copy("slicewars/illegal-reach.jsonl")
    at = validate(path).findings[0].n or 0
    assert gamelog("sheet", path, "--at", at, "-o", "sheet.html").status == 0
    assert "no event can follow it until the arbiter rules" in Path("sheet.html").read_text()
    assert f"After event {at}" not in Path("sheet.html").read_text(), "the event was refused"
    for wrong in (0, at + 1):
        done = gamelog("sheet", path, "--at", wrong, "-o", "sheet.html")
        assert (done.status, done.err) == (
            2,
            f"gamelog: There is no event {wrong}. The last event is event {at}.\n",
        )
    assert gamelog("sheet", path, "--at", at, "-o", path).status == 2, "a record is not overwritten"
    assert gamelog("incidents", sample_copy("slicewars/full-2.jsonl")).out == (
        "No incidents: the record has no illegal events, takebacks, corrections, claims or rulings.\n"
    )


def test_a_comparison_is_written_as_a_page(gamelog: Gamelog) -> None:
    a, b = sample_copy("slicewars/full-2.jsonl"), Path("other.jsonl")
    assert gamelog("branch", a, "--at", 40, "-o", b).status == 0
    done = gamelog("compare", a, b, "-o", "both.html")
    assert (done.status, done.out.splitlines()[-1]) == (1, "both.html")
    page = Path("both.html").read_text()
    assert "missing in other.jsonl" in page
    assert "37 events on which both sheets agree" in page
    assert gamelog("compare", a, sample_copy("zone_s/full-2.jsonl"), "-o", "both.html").status == 1
    assert "are records of different games" in Path("both.html").read_text()
    assert gamelog("compare", ".", ".", "-o", "both.html").status == 2


def test_a_duplicate_line_is_listed_by_its_number(gamelog: Gamelog) -> None:
    lines = (SAMPLES / "slicewars/full-2.jsonl").read_bytes().splitlines(keepends=True)
    head, out = chain.GENESIS, []
    for line in [*lines[:31], *lines[30:]]:
        head = chain.chained_digest(head, line[chain.PREFIX_BYTES :])
        out.append(chain.OPEN + head + b'",' + line[chain.PREFIX_BYTES :])
    Path("doubled.jsonl").write_bytes(b"".join(out))
    listed = gamelog("incidents", "doubled.jsonl", "--json")
    assert listed.status == 1
    assert [(one["n"], one["kind"], one["open"]) for one in listed.json] == [(31, "refused", True)]


def test_a_corrected_event_names_its_replacement_in_every_list(gamelog: Gamelog) -> None:
    seats = ("--seat", "red=Ana", "--seat", "blue=Rui")
    assert gamelog("new", "slicewars", "game.jsonl", *seats).status == 0
    assert gamelog("append", "game.jsonl", '{"do":"start_roll","rolls":{"red":5,"blue":2}}').status == 0
    assert (
        gamelog("append", "game.jsonl", '{"do":"claim","at":"C3","by":"blue","as_played":true}').status == 0
    )
    assert gamelog("claim", "game.jsonl", "it was D3", "--by", "Ana", "--about", 2).status == 0
    done = gamelog("fix", "game.jsonl", "--at", 2, "Ana: D3")
    assert done.status == 0, done.err
    now = 5
    assert (
        f"2. Rui claims C3. (corrected: event {now} replaces it)"
        in gamelog("replay", "game.jsonl", "--list").out
    )
    assert f"corrected: event {now} replaces it" in gamelog("incidents", "game.jsonl").out
    assert f"it was a slip and not played; event {now} replaces it" in " ".join(
        gamelog("replay", "game.jsonl", "--at", 2).out.split()
    )
    assert gamelog("sheet", "game.jsonl", "--at", 2, "-o", "sheet.html").status == 0
    assert f"event {now} replaces it" in Path("sheet.html").read_text()
    typed = "list\nnote about 2: seen by all\n"
    out = gamelog("record", "game.jsonl", stdin=typed).out
    assert f"(corrected: event {now} replaces it)" in out
    assert f"Event 2 was corrected. Event {now} replaces it." in out


def test_an_event_that_was_recorded_days_later_says_so(gamelog: Gamelog) -> None:
    path = sample_copy("slicewars/full-2.jsonl")
    day = 24 * 60 * 60 * 1000
    words = ("--about", 3, "--stands", "--by", "Mei", "--reason", "seen", "--t", day + 3_723_000)
    assert gamelog("claim", path, "it was not so", "--by", "Ana", "--about", 3, "--t", day).status == 0
    assert gamelog("ruling", path, *words).status == 0
    n = len(read_record(path).bodies)
    assert "\t1 day and 1:02:03\t" in gamelog("incidents", path).out
    assert f"Event {n}, recorded 1 day and 1:02:03 after the start." in gamelog("replay", path, "--at", n).out

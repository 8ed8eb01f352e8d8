"""Tests of the lobby: states of the games, links for one table, codes, the files of the evening, addresses."""

from __future__ import annotations

import asyncio
import io
import shutil
import zipfile
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest
from gamelog_table.live.followers import Delay
from gamelog_table.pages import summaries as module
from gamelog_table.pages.summaries import REFRESH_SECONDS, Summaries, Summary

import gamelog
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.samples.__main__ import DIRECTORY
from tests.table.client import Client, Serving, serve_in_thread
from tests.table.conftest import FIRST, PEOPLE, link_of


def summaries(client: Client) -> dict[str, Any]:
    """Return the summaries by name, once all records have one."""
    while True:
        records = client.get("//api/records").json["records"]
        if all("summary" in one for one in records):
            return {one["name"]: one["summary"] for one in records}


def test_each_record_has_its_state_players_to_move_points_and_last_activity(club: Serving) -> None:
    club.scorer.ask("POST", "/new/events", FIRST)
    found = summaries(club.scorer)
    assert found["damaged"] == {"status": "unknown"}
    over = fold_record(read_record(DIRECTORY / "slicewars/full-2.jsonl"))
    assert over.fold is not None
    assert over.fold.outcome is not None
    assert found["over"]["status"] == "over"
    assert found["over"]["winners"] == list(over.fold.outcome.winners)
    assert found["over"]["last"] == len(over.events)
    new = found["new"]
    assert (new["status"], new["last"], len(new["by"])) == ("running", 1, 1)
    assert new["score"].keys() == PEOPLE.keys()


def test_a_summary_follows_the_record(club: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog_table.pages.summaries.REFRESH_SECONDS", 0.0)
    assert REFRESH_SECONDS > 0
    assert summaries(club.scorer)["new"]["status"] == "waiting"
    club.scorer.ask("POST", "/new/events", FIRST)
    while summaries(club.scorer)["new"].get("last") != 1:
        pass
    club.scorer.ask("POST", "/new/events", {"do": "@clock", "by": "table", "running": False})
    while summaries(club.scorer)["new"]["status"] != "paused":
        pass


def test_a_summary_says_what_waits_for_the_arbiter(club: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog_table.pages.summaries.REFRESH_SECONDS", 0.0)
    club.scorer.ask("POST", "/new/events", FIRST)
    claim = {"do": "@claim", "by": "blue", "text": "It was a 3.", "about": 1}
    assert club.scorer.ask("POST", "/new/events", claim).status == 201
    while summaries(club.scorer)["new"].get("for_arbiter") != {"claim": 2}:
        pass
    found = summaries(club.scorer)
    assert found["new"]["asked_by"] == {"claim": "blue"}
    assert "for_arbiter" not in found["over"]
    illegal = {"do": "claim", "by": "blue", "at": "D1", "as_played": True}
    answer = club.scorer.ask("POST", "/new/events", illegal)
    assert answer.status == 201, answer.json
    while summaries(club.scorer)["new"]["for_arbiter"] != {"claim": 2, "illegal": 3}:
        pass
    arbiter = club.client("arbiter")
    ruling = {
        "do": "@ruling",
        "by": "arbiter",
        "about": 3,
        "kind": "stands",
        "reason": "It counts.",
        "name": "Lena",
    }
    assert arbiter.ask("POST", "/new/events", ruling).status == 201
    position = {
        "do": "@gap",
        "by": "arbiter",
        "reason": "seen",
        "state": arbiter.get("/new?at=4").json["state"],
    }
    assert arbiter.ask("POST", "/new/events", position).status == 201
    while summaries(club.scorer)["new"]["last"] != 5:
        pass
    assert summaries(club.scorer)["new"]["for_arbiter"] == {"claim": 2}, (
        "the arbiter has declared the position"
    )


def test_a_game_with_corrected_names_has_not_started(club: Serving) -> None:
    amend = {"do": "@amend", "by": "table", "seats": {"blue": {"name": "Rui Sá"}}}
    assert club.scorer.ask("POST", "/new/events", amend).status == 201
    found = summaries(club.scorer)["new"]
    assert (found["status"], found["last"]) == ("waiting", 1)


def test_the_lobby_of_a_delayed_spectator_does_not_wait_for_a_changed_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = gamelog.create(tmp_path / "evening.jsonl", "slicewars", seats=PEOPLE)

    async def never(*_args: Any, **_named: Any) -> Summary:
        await asyncio.Event().wait()
        return Summary("unknown")

    with serve_in_thread(tmp_path, delay=Delay(events=5)) as serving:
        monkeypatch.setattr(module, "REFRESH_SECONDS", 0)
        before = summaries(serving.spectator)
        recorder.append(FIRST)
        monkeypatch.setattr(module, "WAIT_SECONDS", 60)  # longer than the client waits
        monkeypatch.setattr(Summaries, "_make", never)
        assert [summaries(serving.spectator) for _ in range(2)] == [before] * 2


def test_a_delayed_spectator_sees_the_lobby_as_it_was(tmp_path: Path) -> None:
    shutil.copy(DIRECTORY / "slicewars/takeback.jsonl", tmp_path / "game.jsonl")
    with serve_in_thread(tmp_path, delay=Delay(events=5)) as serving:
        whole, seen = summaries(serving.scorer)["game"], summaries(serving.spectator)["game"]
        is_over = whole["status"] == "over"
        assert whole["last"] - seen["last"] == (0 if is_over else 5)
        assert serving.spectator.get("//api/records").json["delayed"] == {"events": 5, "minutes": 0}


def test_a_link_for_one_table_opens_this_table_alone(club: Serving) -> None:
    links = club.client("arbiter").get("/new/links").json["links"]
    roles = [link["role"] for link in links]
    assert sorted(roles) == ["arbiter", "scorer", "seat", "seat", "spectator"]
    for role in roles:
        client = club.scorer.with_token(link_of(links, role))
        listed = client.get("//api/records").json
        assert [one["name"] for one in listed["records"]] == ["new"]
        assert listed["folder"] is False
        assert client.get("/new").status == 200
        assert client.get("/over").code == "table.other_record"
        assert client.get("/over/live?from=1").code == "table.other_record"
        assert client.ask("POST", "", {"game": "slicewars", "seats": PEOPLE}).status == 403
        assert client.get("//api/codes?record=over").status == 403
        assert client.get("//api/evening/records").status == 403
    scorer = club.scorer.with_token(link_of(links, "scorer"))
    assert scorer.ask("POST", "/new/events", FIRST).status == 201
    assert scorer.ask("POST", "/over/events", FIRST).code == "table.other_record"
    assert scorer.get("/new/links").json["links"] == [one for one in links if one["role"] != "arbiter"]
    arbiter = club.scorer.with_token(link_of(links, "arbiter"))
    assert arbiter.get("/new/links").json["links"] == links
    spectator = club.scorer.with_token(link_of(links, "spectator"))
    assert spectator.ask("POST", "/new/events", FIRST).status == 403
    assert spectator.get("/new/links").status == 403


def test_codes_are_shown_only_if_other_devices_can_open_the_links(
    club: Serving, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    local = club.scorer.get("/new/links").json
    assert local["reachable"] is False
    assert all("qr" not in link for link in local["links"])
    monkeypatch.setattr("gamelog_table.server.TableHost.is_reachable", True)
    with serve_in_thread(tmp_path) as serving:
        sheets = serving.scorer.get("//api/codes?record=new&record=over&record=none").json["records"]
        assert [sheet["name"] for sheet in sheets] == ["new", "over"]
        assert all(link["qr"].startswith("data:image/svg") for sheet in sheets for link in sheet["links"])
        assert serving.spectator.get("//api/codes?record=new").status == 403
        whole = serving.client("arbiter").get("//api/codes?record=new").json["records"]
        assert [link["role"] for link in whole[0]["links"]] == [
            "seat",
            "seat",
            "scorer",
            "arbiter",
            "spectator",
        ]


def test_shared_links_have_the_corrected_names(club: Serving) -> None:
    amend = {"do": "@amend", "by": "table", "seats": {"blue": {"name": "Rui Sá"}}}
    assert club.scorer.ask("POST", "/new/events", amend).status == 201
    shown = (
        club.scorer.get("/new/links").json["links"],
        club.scorer.get("//api/codes?record=new").json["records"][0]["links"],
    )
    for links in shown:
        assert [link["name"] for link in links if link["role"] == "seat"] == ["Ana", "Rui Sá"]


def test_a_link_shares_no_link_with_more_authority(club: Serving) -> None:
    new = {"game": "slicewars", "seats": PEOPLE, "name": "more"}
    shared = [
        club.scorer.get("/new/links").json["links"],
        club.scorer.get("//api/codes?record=new").json["records"][0]["links"],
        club.scorer.ask("POST", "", new).json["links"],
        club.scorer.ask("POST", "/over/rematch").json["links"],
    ]
    for links in shared:
        assert [link["role"] for link in links] == ["seat", "seat", "scorer", "spectator"]
    own = club.scorer.with_token(link_of(shared[0], "scorer"))
    assert "arbiter" not in {link["role"] for link in own.get("/new/links").json["links"]}
    for role in ("seat", "spectator"):
        client = club.scorer.with_token(link_of(shared[0], role))
        assert client.get("/new/links").code == "table.role"


@pytest.mark.parametrize("role", ["scorer", "arbiter"])
def test_the_links_of_a_single_record_follow_the_same_rule(begun: Serving, role: str) -> None:
    links = begun.client(role).get("/links").json["links"]
    allowed = [link for link in begun.links if role == "arbiter" or link["role"] != "arbiter"]
    places = [link.pop("place") for link in links if link["role"] == "seat"]
    assert places == ["red", "blue"]
    assert links == allowed
    for other in (begun.spectator, begun.client("seat", "red")):
        assert other.get("/links").code == "table.role"


def test_the_files_of_an_evening_are_made_for_the_scorer(club: Serving) -> None:
    assert club.folder is not None
    title = f"{club.folder.path.name}, 20".encode()
    records = club.scorer.get("//api/evening/records")
    with zipfile.ZipFile(io.BytesIO(records.body)) as packed:
        assert sorted(packed.namelist()) == ["damaged.jsonl", "new.jsonl", "over.jsonl"]
        assert packed.read("over.jsonl") == (DIRECTORY / "slicewars/full-2.jsonl").read_bytes()
    with zipfile.ZipFile(io.BytesIO(club.scorer.get("//api/evening/site").body)) as packed:
        assert {"index.html", "games/over.html"} <= set(packed.namelist())
        assert title in packed.read("index.html")
    assert title in club.scorer.get("//api/evening/report").body
    assert club.scorer.get("//api/evening/pack").body[:4] == b"PAR1"
    assert club.scorer.get("//api/evening/other").status == 404
    for client in (club.spectator, club.scorer.with_token("x" * 22)):
        assert client.get("//api/evening/records").status in (401, 403)


def test_a_full_disk_does_not_keep_later_files_from_the_scorer(
    club: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: str) -> str:
        raise OSError(ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("tempfile.mkdtemp", fail)
        refused = club.scorer.get("//api/evening/records")
    assert (refused.status, refused.code) == (500, "table.failed")
    assert b"No space left on device" in refused.body
    assert club.scorer.get("//api/evening/records").status == 200


def test_a_new_record_has_a_name_by_itself_and_the_takebacks_that_were_chosen(club: Serving) -> None:
    asked = {"game": "slicewars", "seats": PEOPLE, "takebacks": "agreed", "board": "hex36"}
    names = [club.scorer.ask("POST", "", asked).json["name"] for _ in range(2)]
    assert [name[10:] for name in names] == [" SliceWars 1", " SliceWars 2"]
    assert club.folder is not None
    header = gamelog.read(club.folder.path / f"{names[0]}.jsonl").header
    assert header.takebacks == "agreed"
    assert str(header.board).startswith("hex36@")
    assert club.scorer.ask("POST", "", asked | {"takebacks": "nobody"}).status == 400
    assert club.scorer.ask("POST", "", asked | {"name": ""}).status == 422


def test_games_have_words_in_the_language_of_the_device_and_pictures_of_their_boards(club: Serving) -> None:
    games = {game["id"]: game for game in club.scorer.get("//api/games?lang=pt").json["games"]}
    dice = games["dice_flags"]
    assert dice["board_names"]["df181"] == "Tabuleiro pequeno, 181 espaços"
    assert dice["controls"][0]["title"] == "Colocação livre"
    for name in dice["boards"]:
        picture = club.scorer.get(f"//api/games/dice_flags/boards/{name}")
        assert (picture.status, picture.body[:4]) == (200, b"<svg")
    assert club.scorer.get("//api/games/dice_flags/boards/none").status == 404
    assert club.scorer.get("//api/games/none/boards/df181").status == 404

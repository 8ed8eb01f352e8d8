"""Tests of the HTTP API for programs, with the server in its own process."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
from pathlib import Path

import pytest
from gamelog_table.events.request_events import roll_from
from gamelog_table.server import open_socket

import gamelog
from gamelog.chance.draws import Bag
from gamelog.play.contract.registry import find
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.series import simulate_game
from gamelog.play.view.record_view import RecordView
from tests.table.client import GAMELOG, Serving, run_async, serve_in_thread
from tests.table.conftest import FIRST


def command(*words: object) -> str:
    return subprocess.run([GAMELOG, *map(str, words)], capture_output=True, text=True, check=True).stdout


def test_a_link_for_each_role_is_printed_as_one_json_object_a_line(table: Serving) -> None:
    roles = [(link["role"], link.get("seat"), link.get("name")) for link in table.links]
    assert roles == [
        ("scorer", None, None),
        ("seat", "red", "Ana"),
        ("seat", "blue", "Rui"),
        ("arbiter", None, None),
        ("spectator", None, None),
    ]
    port = table.scorer.port
    for link in table.links:
        assert link["url"] == f"http://127.0.0.1:{port}/#{link['token']}"
        assert link["api"] == f"http://127.0.0.1:{port}/api/records/evening"
        assert len(link["token"]) == 22, "128 bits in base64url"
    assert len({link["token"] for link in table.links}) == 5


def test_the_position_is_what_replay_prints(begun: Serving, record: Path) -> None:
    assert begun.scorer.get().json == json.loads(command("replay", record, "--json"))
    every = [json.loads(line) for line in command("replay", record, "--every", "--json").splitlines()]
    assert [begun.spectator.get(f"?at={n}").json for n in range(3)] == every
    assert begun.scorer.get("?at=3").status == 404
    assert begun.scorer.get("?at=-1").code == "table.number"


def test_an_event_is_confirmed_with_its_number_and_head(table: Serving, record: Path) -> None:
    done = table.scorer.write(FIRST, expect=0, id="first")
    assert (done.status, done.json["n"]) == (201, 1)
    assert gamelog.open(record).head == done.json["h"]
    again = table.scorer.write(FIRST, expect=0, id="first")
    assert (again.status, again.json) == (201, done.json), "its own first attempt moved the record on"
    beside = table.scorer.write({"event": {"do": "claim", "at": "C3"}, "expect": 1, "id": "second"})
    assert (beside.status, beside.json["n"]) == (201, 2)
    assert [step.event.id for step in gamelog.read(record)] == ["first", "second"]
    other = table.scorer.write({"do": "claim", "at": "D1"}, id="second")
    assert (other.status, other.code) == (409, "append.conflict")


def test_a_conflict_lists_the_events_that_the_client_does_not_know(begun: Serving) -> None:
    late = begun.scorer.write({"do": "claim", "at": "D1"}, expect=1)
    assert (late.status, late.code, late.json["n"]) == (409, "append.conflict", 2)
    (written,) = late.json["written"]
    assert (written["n"], written["event"]["at"], written["text"]) == (2, "C3", "Ana claims C3.")


def test_an_illegal_event_is_refused_with_the_finding(begun: Serving) -> None:
    refused = begun.scorer.write({"do": "claim", "at": "C3"}, expect=2)
    assert refused.status == 422
    assert refused.json["finding"]["rule"] == "SW-3"
    assert refused.json["finding"]["legal"]
    assert "SW-3" in refused.json["error"]["message"]
    played = begun.scorer.write({"do": "claim", "at": "C3", "as_played": True})
    assert played.status == 201


def test_a_roll_that_is_due_is_given_by_its_results(table: Serving) -> None:
    assert table.scorer.write({"results": [[5]]}).code == "chance.results"
    assert table.scorer.write({"results": "known"}).code == "chance.missing"
    assert table.scorer.write({"results": [["six"], [2]]}).code == "chance.results"
    assert table.scorer.write({"results": [["5"], [2]], "id": "r"}).status == 201, (
        "a die has numbers, however they are written"
    )
    assert table.scorer.get().json["text"].startswith("Ana rolls 5. Rui rolls 2.")


def test_drawn_things_have_names_even_if_these_look_like_numbers() -> None:
    game = find("gp02a_territory")
    header, events = simulate_game(game, "cards", 1, players=3)
    fold = Fold(header, game)
    rest = iter(events)
    while not (
        (due := fold.pending.chance)
        and isinstance(due.draws[0], Bag)
        and due.draws[0].things[0][0].isdecimal()
    ):
        assert fold.push(next(rest)) is None
    bag = due.draws[0]
    assert isinstance(bag, Bag)
    cards = [name for name, _ in bag.things][: bag.count]
    view = RecordView(fold)
    assert roll_from([[int(card) for card in cards]], view) == roll_from([cards], view)


def test_every_player_can_record_a_roll_of_the_table_that_follows_from_the_seed(tmp_path: Path) -> None:
    path = tmp_path / "seeded.jsonl"
    gamelog.create(
        path, "slicewars", seats={"red": "Ana", "blue": "Rui"}, dice="seeded", seed="7", id="seeded"
    )
    with serve_in_thread(path) as serving:
        due = serving.client("seat", "red").get("/choices").json["chance"]
        assert (due["do"], due["by"]) == ("start_roll", "table")
        forged = {"do": "start_roll", "by": "table", "rolls": {"red": 6, "blue": 1}}
        assert serving.client("seat", "red").write(forged).status == 422, "only the seed decides"
        assert serving.client("spectator").write({"results": "known"}).status == 403
        assert serving.client("seat", "red").write({"results": "known"}).status == 201
    assert gamelog.validate(path).valid


def test_the_stream_has_sentences_and_continues_after_the_last_received_event(
    begun: Serving, record: Path
) -> None:
    with begun.spectator.live(1) as events:
        first, second = next(events), next(events)
        assert (first["id"], second["id"]) == ("1", "2")
        assert second["data"] == {
            "n": 2,
            "event": {"do": "claim", "n": 2, "t": second["data"]["event"]["t"], "by": "red", "at": "C3"},
            "text": "Ana claims C3.",
        }
        begun.scorer.write({"do": "claim", "at": "D1"})
        assert next(events)["data"]["text"] == "Rui claims D1."
        with gamelog.open(record) as other:
            other.append({"do": "claim", "at": "D2"})
        assert next(events)["data"]["text"] == "Ana claims D2.", (
            "the stream has the events of other programs too"
        )
    with begun.spectator.live(1, **{"Last-Event-ID": "3"}) as events:
        assert next(events)["id"] == "4"
    with begun.spectator.live() as events:
        begun.scorer.write({"do": "claim", "at": "D3"})
        assert next(events)["id"] == "5"


@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_a_slow_follower_misses_no_events(table: Serving, version: str) -> None:
    spectator, last = table.spectator, 40
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect((spectator.host, spectator.port))
        asked = f"GET {spectator.path}/live HTTP/{version}\r\nHost: {spectator.host}:{spectator.port}\r\n"
        slow.sendall(f"{asked}Authorization: Bearer {spectator.token}\r\n\r\n".encode())
        slow.settimeout(20)
        got = slow.recv(4096)
        for n in range(1, last + 1):
            table.scorer.write({"do": "@note", "by": "table", "text": f"{n:_>60000}"})
        while b"id: %d\n" % last not in got[-80_000:]:
            got += slow.recv(1 << 20)
        head, _, body = got.partition(b"\r\n\r\n")
        chunks = re.split(rb"[0-9a-f]+\r\n", body) if b"chunked" in head else [body]
    assert (b"chunked" in head) == (version == "1.1")
    assert re.findall(rb"^id: (\d+)$", b"".join(chunks), re.MULTILINE) == [
        b"%d" % n for n in range(1, last + 1)
    ]


def test_small_pieces_are_sent_at_once() -> None:
    """Test that Nagle's algorithm is off. With it, the body of an answer on a used connection comes 40 ms late."""

    async def accepted() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def told(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            found.set_result(
                writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            )
            writer.close()

        sock = open_socket(0, lan=False)
        async with await asyncio.start_server(told, sock=sock):
            _, writer = await asyncio.open_connection(*sock.getsockname())
            writer.close()
            return await found

    assert run_async(accepted)


def test_all_records_of_a_folder_are_served(tmp_path: Path) -> None:
    for name in ("one", "two"):
        gamelog.create(tmp_path / f"{name}.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"})
    (tmp_path / "notes.txt").write_text("not a record")
    (tmp_path / "nonsense.jsonl").write_text("nor this\n")
    with serve_in_thread(tmp_path) as serving:
        assert [link["role"] for link in serving.links] == ["scorer", "arbiter", "spectator"]
        listed = serving.scorer.get().json
        assert [one["name"] for one in listed["records"]] == ["one", "two"]
        assert listed["records"][0]["seats"] == [
            {"seat": "red", "name": "Ana"},
            {"seat": "blue", "name": "Rui"},
        ]
        assert serving.scorer.ask("POST", "/two/events", FIRST).status == 201
        assert (serving.scorer.get("/one").json["n"], serving.scorer.get("/two").json["n"]) == (0, 1)
        bad = serving.scorer.get("/nonsense")
        assert (bad.status, bad.code) == (503, "record.damaged")
        assert serving.spectator.get("/two/live?from=x").code == "table.number"


def test_new_games_are_started_in_a_folder(tmp_path: Path) -> None:
    with serve_in_thread(tmp_path) as serving:
        games = serving.scorer.get("//api/games").json["games"]
        assert {"slicewars", "zone_s"} <= {game["id"] for game in games}
        asked = {
            "name": "Club night 1",
            "game": "slicewars",
            "seats": {"red": "Ana", "blue": "Rui"},
            "options": {"max_rounds": 3},
        }
        made = serving.scorer.ask("POST", "", asked)
        assert (made.status, made.json["name"]) == (201, "Club night 1")
        assert [link["role"] for link in made.json["links"]] == [
            "seat",
            "seat",
            "scorer",
            "spectator",
        ]
        assert gamelog.read(tmp_path / "Club night 1.jsonl").header.options["max_rounds"] == 3
        assert serving.scorer.get("/Club%20night%201").json["n"] == 0
        red = serving.scorer.get("/Club%20night%201/links").json["links"][0]["token"]
        assert red == made.json["links"][0]["token"]
        assert serving.scorer.ask("POST", "", asked).status == 409
        for name in ("../out", "a/b", "", ".hidden", "x" * 200, "con\n", "con", "Aux", "COM1", "nul.night"):
            assert serving.scorer.ask("POST", "", asked | {"name": name}).status == 422, name
        assert (
            serving.scorer.ask("POST", "", asked | {"name": "b", "seats": {"red": "Ana"}}).code
            == "play.setup"
        )
        assert serving.spectator.ask("POST", "", asked | {"name": "c"}).status == 403
    assert sorted(path.name for path in tmp_path.iterdir()) == [".gamelog.links", "Club night 1.jsonl"]

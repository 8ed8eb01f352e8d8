"""Tests of links: the rights of each role, renewal, withdrawal, and secrecy."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any

import pytest
from gamelog_table import api
from gamelog_table.access.links import Grant, LinkBook
from gamelog_table.events.appending import append_events
from gamelog_table.live.followers import NO_DELAY
from gamelog_table.net.denied import Denied
from gamelog_table.pages import previews, sheets, table_page
from gamelog_table.pages.folder_downloads import FolderDownloads
from gamelog_table.pages.lobby import Lobby
from gamelog_table.record.earlier_positions import EarlierEvents
from gamelog_table.record.served_folder import ServedFolder
from gamelog_table.record.served_record import ServedRecord
from msgspec import structs

import gamelog
from gamelog.record.reading import read_record
from tests.table.client import (
    GAMELOG,
    Client,
    Serving,
    begin,
    end,
    run_async,
    serve_in_process,
    serve_in_thread,
)
from tests.table.conftest import FIRST


def test_a_seat_records_only_its_own_decisions(begun: Serving) -> None:
    red, blue = begun.client("seat", "red"), begun.client("seat", "blue")
    assert blue.write({"do": "claim", "at": "D1", "by": "red"}).status == 403
    assert red.write({"do": "claim", "at": "D1", "by": "blue"}).status == 403
    assert red.write({"do": "claim", "at": "D1"}).status == 422, (
        "it is not red's turn, and what nobody is named for is red's"
    )
    assert blue.write({"do": "claim", "at": "D1", "as_played": True}).status == 403
    assert blue.write({"do": "claim", "at": "D1"}).json["text"] == "Rui claims D1."
    assert red.write({"do": "@claim", "text": "It was D2."}).status == 201
    assert red.write({"do": "@claim", "by": "blue", "text": "It was D2."}).status == 403
    assert blue.write({"do": "@withdraw", "about": 4}).status == 422, "the claim of another seat"
    assert blue.write({"do": "@withdraw", "by": "red", "about": 4}).status == 403
    for tag in ("@takeback", "@ruling", "@gap", "@amend", "@substitute", "@result", "@clock"):
        refused = red.write({"do": tag, "by": "red", "to": 0})
        assert refused.status == 403, tag
    assert red.write({"do": "@reveal", "seat": "blue", "link": "0" * 64}).status == 403
    assert red.write({"do": "@resign", "by": "blue"}).status == 403
    assert red.write({"do": "@resign"}).status == 422, (
        "by the rules, not for the link: the rounds have not begun"
    )


def test_only_the_scorer_records_dice_from_the_table(table: Serving) -> None:
    for client in (table.client("seat", "red"), table.client("arbiter"), table.spectator):
        assert client.write(FIRST).status == 403
    assert table.scorer.write(FIRST).status == 201


def test_the_arbiter_rules_and_does_not_play(begun: Serving) -> None:
    arbiter = begun.client("arbiter")
    ruling = {"do": "@ruling", "about": 2, "kind": "takeback", "to": 1, "reason": "It was D1.", "name": "Mei"}
    assert begun.scorer.write(ruling).status == 403
    assert arbiter.write({"do": "claim", "at": "D1"}).status == 403
    assert arbiter.write({**ruling, "by": "red"}).status == 403
    assert arbiter.write(ruling).status == 201
    assert begun.scorer.get().json["state"]["territories"]["C3"] == ["free", 0]


def test_the_scorer_cannot_record_for_the_arbiter(begun: Serving, record: Path) -> None:
    scorer = begun.scorer
    for event in (
        {"do": "@note", "text": "The clock was wrong."},
        {"do": "@amend", "seats": {"red": {"name": "Eva"}}},
        {"do": "@clock", "running": False},
        {"do": "@substitute", "seat": "red", "name": "Eva"},
        {"do": "@takeback", "to": 1},
        {"do": "@gap", "state": {}, "reason": "The board fell."},
    ):
        assert scorer.write({**event, "by": "arbiter"}).status == 403, event
        slip = {"at": 2, "expect": 2, "steps": [{"put": {**event, "by": "arbiter"}}], "write": True}
        assert scorer.ask("POST", "/fix", slip).status == 403, event
    ruling = {"do": "@ruling", "about": 2, "kind": "stands", "reason": "So.", "name": "Mei"}
    slip = {"at": 2, "expect": 2, "steps": [{"put": ruling}], "write": True}
    assert scorer.ask("POST", "/fix", slip).status == 403
    assert len(read_record(record).bodies) == 2
    amend = {"do": "@amend", "seats": {"red": {"name": "Eva"}}}
    for unnamed in (amend, {**amend, "by": None}):
        slip = {"at": 2, "expect": 2, "steps": [{"put": unnamed}]}
        put = scorer.ask("POST", "/fix", slip).json["put"]
        assert [one["event"]["by"] for one in put] == ["table"], unnamed
    assert scorer.write(amend).status == 201
    assert scorer.get().json["event"]["by"] == "table", "nobody is named: it is the table's"


def test_a_takeback_is_offered_on_one_device_and_accepted_on_another(tmp_path: Path) -> None:
    path = tmp_path / "agreed.jsonl"
    words = [
        "new",
        "slicewars",
        "agreed.jsonl",
        "--seat",
        "red=Ana",
        "--seat",
        "blue=Rui",
        "--takebacks",
        "agreed",
    ]
    subprocess.run([GAMELOG, *words], cwd=tmp_path, check=True, capture_output=True)
    with serve_in_thread(path) as serving:
        red, blue = serving.client("seat", "red"), serving.client("seat", "blue")
        serving.scorer.write(FIRST)
        assert red.write({"do": "claim", "at": "C3"}).status == 201
        assert red.write({"do": "@takeback", "to": 1}).status == 201
        assert red.get().json["state"]["territories"]["C3"] == ["red", 1], "nobody has agreed yet"
        assert red.write({"do": "@accept", "about": 3, "by": "blue"}).status == 403
        assert blue.write({"do": "@accept", "about": 3}).status == 201
        assert red.get().json["state"]["territories"]["C3"] == ["free", 0]


def test_hidden_information_is_visible_only_to_links_that_can_see_it(tmp_path: Path) -> None:
    path = tmp_path / "screen.jsonl"
    with gamelog.create(path, "zone_s", seats={"dominion": "Ana", "separatists": "Rui"}) as record:
        record.append({"do": "place_base", "at": "b2"})
    base = "b2"
    with serve_in_thread(path) as serving:
        own, other = serving.client("seat", "dominion"), serving.client("seat", "separatists")
        whole = serving.scorer.get().json["state"]
        assert serving.client("arbiter").get().json["state"] == whole
        mine, theirs, public = (
            own.get().json["state"],
            other.get().json["state"],
            serving.spectator.get().json["state"],
        )
        assert mine["bases"] == {"dominion": base}
        assert "dominion" not in theirs["bases"]
        assert public["bases"] == {}
        assert all(ground == "hidden" for ground in public["terrain"].values())
        with own.live(1) as events:
            assert next(events)["data"]["event"]["do"] != "@unseen"
        for client in (other, serving.spectator):
            with client.live(1) as events:
                unseen = next(events)["data"]
            assert set(unseen["event"]) == {"do", "n", "t", "by"}
            assert base not in str(unseen)
            assert base not in str(client.get("?at=1").json["event"])


def test_links_survive_a_restart_and_new_links_withdraw_them(record: Path) -> None:
    secret = record.with_name("evening.jsonl.links")
    with serve_in_thread(record) as first:
        tokens = [link["token"] for link in first.links]
    assert os.name == "nt" or secret.stat().st_mode & 0o777 == 0o600
    with serve_in_thread(record) as second:
        assert [link["token"] for link in second.links] == tokens
        running = second.scorer
        assert running.get().status == 200
        with serve_in_process(record, "--new-links") as third:
            assert not set(tokens) & {link["token"] for link in third.links}
            assert Client(third.links[0], tokens[0]).get().status == 401
            assert third.scorer.get().status == 200
        gone = running.get()
        assert (gone.status, gone.code) == (401, "table.bad_link"), "the server that was running knows, too"


def test_a_request_without_a_link_reads_no_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(20):
        gamelog.create(tmp_path / f"{n}.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"})
    os.utime(tmp_path, (0, 0))
    folder = ServedFolder(tmp_path)
    (seat, *_) = folder.record_grants(tmp_path / "7.jsonl")
    shown = structs.replace(seat, secret_number=folder.links.secret_number)
    assert folder.grant(folder.links.token(seat)) == (shown, "7")
    looked: set[str] = set()

    def note_stat(path: Path) -> os.stat_result:
        looked.add(str(path))
        return os.stat(path)

    def note_open(path: Path, mode: str) -> IO[Any]:
        looked.add(str(path))
        return open(path, mode)

    monkeypatch.setattr(Path, "stat", note_stat)
    monkeypatch.setattr(Path, "open", note_open)
    for n in range(5):
        assert folder.grant(f"{n:022}") is None
        assert folder.grant(f"{n:022}", "3") is None
    assert looked <= {str(tmp_path), f"{tmp_path}/.gamelog.links", f"{tmp_path}/3.jsonl"}


def test_a_seats_link_opens_its_record_while_the_record_exists(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    with serve_in_thread(tmp_path) as serving:
        game = {"name": "evening", "game": "slicewars", "seats": {"red": "Ana", "blue": "Rui"}}
        began = serving.scorer.ask("POST", "", game).json
        api = serving.links[0]["api"]
        red = Client({**began["links"][0], "api": api})
        assert [one["name"] for one in red.get().json["records"]] == ["evening"]
        path.unlink()
        gamelog.create(path, "slicewars", seats={"red": "Eva", "blue": "Rui"})
        serving_again = serving.scorer.get("/evening/links").json["links"][0]
        other = Client({**serving_again, "api": api})
        assert [one["seats"][0]["name"] for one in other.get().json["records"]] == ["Eva"]
        assert red.get().status == 401, "it was for another record of that name"
        path.unlink()
        while (answer := other.get()).status == 200:
            pass
        assert answer.status == 401


def test_a_secret_file_that_others_can_read_is_not_used(record: Path) -> None:
    record = record.rename(record.with_name("last evening.jsonl"))
    secret = record.with_name("last evening.jsonl.links")
    with serve_in_thread(record):
        pass
    secret.chmod(0o644)
    done = subprocess.run([GAMELOG, "serve", record, "--port", "0"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"chmod 600 '{secret}'" in done.stderr


@pytest.mark.parametrize("role", ["scorer", "spectator"])
def test_no_answer_contains_a_link(record: Path, role: str) -> None:
    serving = begin(record)
    client = serving.client(role)
    for path in ("", "/live?from=x", "/nothing"):
        answer = client.get(path)
        assert client.token not in answer.body.decode() + str(answer.headers)
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
    in_address = Client(serving.links[0], "").ask("GET", f"?token={client.token}")
    assert in_address.status == 401, "an address is remembered and logged, so a link in it opens nothing"
    said = end(serving)
    assert client.token not in said
    files = {path.name: path.read_bytes() for path in record.parent.iterdir()}
    assert not [name for name, data in files.items() if client.token.encode() in data]


def test_people_get_a_line_for_each_role(record: Path) -> None:
    process = subprocess.Popen([GAMELOG, "serve", record, "--port", "0"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(6)]
    process.terminate()
    process.communicate(timeout=20)
    assert [line.partition(":")[0] for line in lines[:5]] == [
        "scorer",
        "seat red (Ana)",
        "seat blue (Rui)",
        "arbiter",
        "spectator",
    ]
    assert all(re.search(r"http://127\.0\.0\.1:\d+/#[\w-]{22}$", line) for line in lines[:5])
    assert "Only this machine can reach the server" in lines[5]


def test_links_begin_with_the_public_address(record: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    serving = begin(record, "--public-url", "https://table.example.org/", port=port)
    try:
        for link in serving.links:
            assert link["url"] == f"https://table.example.org/#{link['token']}"
            assert link["api"] == "https://table.example.org/api/records/evening"
        scorer = Client({**serving.links[0], "api": f"http://127.0.0.1:{port}/api/records/evening"})
        urls = [link["url"] for link in scorer.get("/links").json["links"]]
        assert urls
        assert all(url.startswith("https://table.example.org/#") for url in urls)
        assert scorer.get(Host="table.example.org").status == 421, "a proxy sends the server's own name"
        assert scorer.get(Origin="https://table.example.org").status == 403
    finally:
        assert end(serving) == ""


def test_spectators_can_be_some_events_behind(record: Path) -> None:
    with serve_in_process(record, "--delay-events", "2") as serving:
        serving.scorer.write(FIRST)
        for at in ("C3", "D1", "D2"):
            assert serving.scorer.write({"do": "claim", "at": at}).status == 201
        assert (serving.scorer.get().json["n"], serving.spectator.get().json["n"]) == (4, 2)
        assert serving.spectator.get("?at=3").status == 404
        with serving.spectator.live(1) as events:
            assert [next(events)["id"], next(events)["id"]] == ["1", "2"]
            serving.scorer.write({"do": "claim", "at": "D3"})
            assert next(events)["id"] == "3"


def test_spectators_can_be_some_minutes_behind(record: Path) -> None:
    with serve_in_process(record, "--delay-minutes", "0.05") as serving:
        serving.scorer.write(FIRST)
        assert serving.spectator.get().json["n"] == 0
        with serving.spectator.live(1) as events:
            assert next(events)["id"] == "1"
        assert serving.spectator.get().json["n"] == 1


def test_on_a_network_the_links_have_this_machines_address(record: Path) -> None:
    with serve_in_process(record, "--lan") as serving:
        scorer = serving.scorer
        assert scorer.get().status == 200
        assert scorer.get(Host=f"127.0.0.1:{scorer.port}").status == 200
        assert scorer.get(Host=f"evil.example:{scorer.port}").status == 421


@pytest.mark.skipif(shutil.which("openssl") is None, reason="a certificate for the test is made by openssl")
def test_with_a_certificate_the_table_uses_tls(record: Path, tmp_path: Path) -> None:
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    made += ["-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(["openssl", *made], cwd=tmp_path, check=True, capture_output=True)
    with serve_in_process(
        record, "--tls-cert", str(tmp_path / "cert.pem"), "--tls-key", str(tmp_path / "key.pem")
    ) as serving:
        assert serving.links[0]["url"].startswith("https://127.0.0.1:")
        trusted = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
        trusted.check_hostname = False
        request = urllib.request.Request(
            serving.links[0]["api"], headers={"Authorization": f"Bearer {serving.links[0]['token']}"}
        )
        with urllib.request.urlopen(request, context=trusted) as answer:
            assert json.load(answer)["n"] == 0
        plain = serving.links[0]["api"].replace("https:", "http:")
        with pytest.raises((OSError, HTTPException)):
            Client({**serving.links[0], "api": plain}).get()
        assert serving.scorer.get().json["n"] == 0


def test_an_unknown_address_is_not_found_with_a_valid_link(table: Serving) -> None:
    for client in (table.scorer, table.spectator, table.client("seat", "red")):
        for path in ("/nonsense", "//api/records/other"):
            answer = client.get(path)
            assert (answer.status, answer.code) == (404, "table.no_record")
    strange = Client(table.links[0], "x" * 22)
    assert {strange.get(path).status for path in ("", "/nonsense", "//api/records/other")} == {401}


def test_a_withdrawn_link_gets_no_event_of_its_open_stream(record: Path) -> None:
    with serve_in_thread(record) as serving, ExitStack() as opened:
        clients = (serving.client("seat", "red"), serving.spectator, serving.client("arbiter"))
        streams = [opened.enter_context(client.live(1)) for client in clients]
        assert serving.scorer.write(FIRST).status == 201
        assert [next(stream)["id"] for stream in streams] == ["1"] * 3
        assert serving.folder is not None
        renewed = LinkBook(record.with_name("evening.jsonl.links"), renew=True)
        scorer = serving.scorer.with_token(renewed.token(Grant("scorer")))
        assert scorer.write({"do": "claim", "at": "C3"}).status == 201
        assert [list(stream) for stream in streams] == [[], [], []]
        with scorer.live(2) as own:
            assert next(own)["id"] == "2"


NEW = {"name": "more", "game": "slicewars", "seats": {"red": "Ana", "blue": "Rui"}}


@pytest.mark.parametrize(("path", "body"), [("/evening/events", FIRST), ("", NEW)])
def test_a_link_withdrawn_before_the_end_of_its_request_records_nothing(
    tmp_path: Path, path: str, body: dict[str, Any]
) -> None:
    gamelog.create(tmp_path / "evening.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"})
    with serve_in_thread(tmp_path) as serving:
        scorer, sent = serving.scorer, json.dumps(body).encode()
        connection = scorer.connect()
        connection.putrequest("POST", f"{scorer.path}{path}")
        connection.putheader("Authorization", f"Bearer {scorer.token}")
        connection.putheader("Content-Length", str(len(sent)))
        connection.endheaders()
        assert scorer.get().status == 200  # by now the server has read the head of the earlier request
        LinkBook(tmp_path / ".gamelog.links", renew=True)
        connection.send(sent)
        assert connection.getresponse().status == 401
        connection.close()
        assert [one.name for one in tmp_path.glob("*.jsonl")] == ["evening.jsonl"]
        assert not read_record(tmp_path / "evening.jsonl").bodies


READING: dict[str, tuple[object, str]] = {
    "/evening": (api, "position_data"),
    "/evening/record": (previews, "parse_record"),
    "/evening/sheet?at=1": (sheets, "incident_sheet"),
    "/evening/table": (table_page, "packed_game"),
    "/evening/links": (Lobby, "_with_codes"),
    "//api/codes?record=evening": (Lobby, "_with_codes"),
    "//api/evening/records": (FolderDownloads, "_make"),
}
"""The function that runs while the answer to a request is made."""


def before_call(patch: pytest.MonkeyPatch, owner: object, name: str, action: Callable[[], object]) -> None:
    """Change the function `name` of `owner`, so that `action` comes first."""
    real = getattr(owner, name)

    def run(*args: Any, **named: Any) -> Any:
        action()
        return real(*args, **named)

    patch.setattr(owner, name, run)


@pytest.mark.parametrize("path", READING)
def test_a_link_withdrawn_while_its_answer_is_made_gets_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    gamelog.create(tmp_path / "evening.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"}).append(FIRST)
    with serve_in_thread(tmp_path) as serving:
        assert serving.scorer.get(path).status == 200
        serving.scorer.ask("POST", "/evening/events", {"do": "@note", "by": "table", "text": "Tea."})
        before_call(monkeypatch, *READING[path], lambda: LinkBook(tmp_path / ".gamelog.links", renew=True))
        answer = serving.scorer.get(path)
        assert (answer.status, answer.code) == (401, "table.bad_link")


@pytest.mark.parametrize("path", ["/evening/record", "/evening/sheet?at=1", "/evening/table"])
def test_a_file_replaced_while_an_answer_is_made_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    record, other = tmp_path / "evening.jsonl", tmp_path / "other"
    gamelog.create(record, "slicewars", seats={"red": "Ana", "blue": "Rui"}).append(FIRST)
    gamelog.create(other, "slicewars", seats={"red": "Zoe", "blue": "Max"}).append(FIRST)
    with serve_in_thread(tmp_path) as serving:

        def replace() -> None:
            if other.exists():
                os.replace(other, record)

        before_call(monkeypatch, EarlierEvents, "view", replace)
        before_call(monkeypatch, sheets, "read_under_lock", replace)
        answer = serving.scorer.get(path)
        assert answer.code == "table.replaced"
        assert b"Zoe" not in answer.body


@pytest.mark.parametrize("game", ["slicewars", "zone_s"])
def test_a_stream_ends_if_its_file_gets_another_record(tmp_path: Path, game: str) -> None:
    path, people = tmp_path / "table-1.jsonl", {"dominion": "Zoe", "separatists": "Max"}
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"})
    with serve_in_thread(tmp_path) as serving, ExitStack() as opened:
        own = {
            link.get("seat") or link["role"]: Client(link)
            for link in serving.client("arbiter").get("/table-1/links").json["links"]
        }
        table = Client({**serving.links[-1], "api": own["red"].api})
        streams = [opened.enter_context(one.live(1)) for one in (*own.values(), table)]
        gamelog.open(path).append(FIRST)
        assert [next(stream)["id"] for stream in streams] == ["1"] * len(streams)
        other = gamelog.create(
            tmp_path / "other", game, seats=people if game == "zone_s" else {"red": "Zoe", "blue": "Max"}
        )
        other.append({"do": "place_base", "at": "b2"} if game == "zone_s" else FIRST)
        os.replace(tmp_path / "other", path)
        ended = [{"event": "replaced", "data": 0}]
        assert [list(stream) for stream in streams] == [ended] * len(streams)
        assert {one.get().status for one in own.values()} == {401}
        assert table.get().json["n"] == 1
        with table.live(1) as again:
            assert next(again)["id"] == "1"


def test_a_request_about_a_replaced_record_gets_nothing_of_the_new_one(record: Path) -> None:
    async def asked() -> list[str]:
        served, refused = ServedRecord(record, "evening"), []
        await served.open()
        header = read_record(record).header
        assert header is not None
        record.unlink()
        gamelog.create(record, "slicewars", seats={"red": "Zoe", "blue": "Max"})
        for grant in (Grant("seat", "red", header.id), Grant("scorer")):
            for work in (
                lambda one: served.ask(lambda view: view.last_number, one, NO_DELAY),
                lambda one: append_events(served, [FIRST], 0, one),
            ):
                with pytest.raises(Denied) as denied:
                    await work(grant)
                refused.append(denied.value.code)
        return refused

    assert run_async(asked) == ["table.replaced"] * 4
    assert not read_record(record).bodies

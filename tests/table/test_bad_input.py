"""Tests of bad input: each gets a clear answer, the record stays valid, and other requests work."""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from gamelog_table import api
from gamelog_table.net.denied import UNREADABLE

import gamelog
from gamelog.record.reading import read_record
from tests.table.client import GAMELOG, Client, Process, Serving, begin, end, serve_in_thread
from tests.table.conftest import FIRST


@pytest.fixture
def goes_on(table: Serving, record: Path) -> Iterator[None]:
    """Check after the test that the table still records events and the record is valid."""
    yield
    assert table.scorer.write({"do": "@note", "by": "table", "text": "All is well."}).status == 201
    assert gamelog.validate(record).valid


def raw(client: Client, sent: bytes) -> bytes:
    """Return the answer to these bytes."""
    with socket.create_connection((client.host, client.port), timeout=20) as connection:
        connection.sendall(sent)
        return connection.recv(65536)


@pytest.mark.usefixtures("goes_on")
def test_requests_for_another_host_or_from_another_page_are_refused(table: Serving) -> None:
    scorer = table.scorer
    for host in (
        "evil.example",
        f"evil.example:{scorer.port}",
        "127.0.0.1",
        "127.0.0.1:1",
        f"127.0.0.1.evil.example:{scorer.port}",
    ):
        assert scorer.get(Host=host).status == 421, host
    assert scorer.get(Host=f"localhost:{scorer.port}").status == 200
    port = scorer.port
    for origin in (
        "http://evil.example",
        "null",
        f"https://127.0.0.1:{port}",
        f"http://127.0.0.1:{port + 1}",
    ):
        assert scorer.ask("POST", "/events", FIRST, {"Origin": origin}).status == 403, origin
    assert scorer.get().json["n"] == 0
    assert scorer.ask("POST", "/events", FIRST, {"Origin": f"http://127.0.0.1:{port}"}).status == 201
    request = f"GET {scorer.path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil\r\nAuthorization: Bearer {scorer.token}\r\n\r\n"
    assert raw(scorer, request.encode()).split()[1] in (b"400", b"421")


@pytest.mark.usefixtures("goes_on")
def test_wrong_links_are_refused(table: Serving) -> None:
    good = table.scorer
    for token in ("", "x" * 22, good.token[:-1], good.token + "A", "ü" * 22, "x" * 8000):
        client = Client(table.links[0], "")
        answer = client.get(
            **({"Authorization": f"Bearer {token}"} if token.isascii() else {"Authorization": "Bearer \xff"})
        )
        assert answer.status == 401, token
        assert answer.headers["www-authenticate"] == "Bearer"
    guesses = [Client(table.links[0], f"{n:022}").get().status for n in range(60)]
    assert guesses[-1] == 429
    assert good.get().status == 200, "guesses do not block a client with a link"


@pytest.mark.usefixtures("goes_on")
def test_bodies_without_an_event_are_refused_with_a_code_for_each_mistake(table: Serving) -> None:
    scorer = table.scorer
    bodies: dict[bytes, int] = {
        b"": 400,
        b"{": 400,
        b"[]": 400,
        b"null": 400,
        b"\xff\xfe": 400,
        b"[" * 50_000: 400,
        b'{"event": 1}': 400,
        b'{"do": "claim", "expect": "1"}': 400,
        b'{"do": "claim", "expect": true}': 400,
        b'{"do": "claim", "n": 1}': 400,
        b'{"do": "claim", "h": "x"}': 400,
        b'{"do": 1}': 400,
        b'{"do": ["claim"]}': 400,
        b'{"do": {}}': 400,
        b'{"events": [{}]}': 422,
        b'{"do": "shout"}': 422,
        b'{"do": "start_roll", "rolls": {"red": 5}, "more": 1}': 422,
        b'{"do": "start_roll", "rolls": {"red": 5, "blue": 2}, "id": 7}': 422,
        b'{"do": "start_roll", "rolls": {"red": 99999999999999999999, "blue": 2}}': 422,
        b'{"do": "@note", "by": "table", "text": "\\ud800"}': 400,
        b'{"results": [[7], [1]]}': 422,
        b'{"results": {"a": 1}}': 422,
    }
    for body, status in bodies.items():
        answer = scorer.write(body)
        assert answer.status == status, (body[:60], answer.body)
        assert answer.json["error"]["message"]
    assert scorer.get().json["n"] == 0


@pytest.mark.usefixtures("goes_on")
def test_a_body_that_is_too_long_is_not_read(table: Serving) -> None:
    scorer = table.scorer
    note = {"do": "@note", "by": "table", "text": "x" * 65_000}
    assert scorer.write(note).status == 201
    assert scorer.write({**note, "text": "x" * 66_000}).status == 413
    head = f"POST {scorer.path}/events HTTP/1.1\r\nHost: 127.0.0.1:{scorer.port}\r\nAuthorization: Bearer {scorer.token}\r\n"
    huge = raw(scorer, f"{head}Content-Length: 99999999999\r\n\r\n".encode())
    assert huge.startswith(b"HTTP/1.1 413")
    pieces = b"4000\r\n" + b"x" * 0x4000 + b"\r\n"
    chunked = raw(scorer, f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + pieces * 5)
    assert chunked.startswith(b"HTTP/1.1 413")
    assert raw(scorer, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000).startswith(b"HTTP/1.1 4")
    assert raw(scorer, b"\x16\x03\x01\x02\x00\x01").startswith(b"HTTP/1.1 4")


@pytest.mark.usefixtures("goes_on")
def test_a_seats_link_cannot_fill_a_record(
    table: Serving, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    red, blue = table.client("seat", "red"), table.client("seat", "blue")
    note = {"do": "@note", "text": "x" * 65_000}
    taken = 0
    while (answer := red.write(note)).status == 201:
        taken += 1
    assert 0 < taken < 50
    assert (answer.status, answer.code) == (429, "table.too_much")
    assert 0 < int(answer.headers["retry-after"]) <= 60
    assert "ask the scorer" in answer.json["error"]["message"]
    assert blue.write({"do": "@note", "text": "Tea."}).status == 201, "each link has its own share"
    monkeypatch.setattr(api, "MAX_BYTES_FOR_OTHERS", record.stat().st_size)
    for client in (blue, table.client("arbiter")):
        answer = client.write({"do": "@note", "text": "Tea.", "by": client.seat or "arbiter"})
        assert (answer.status, answer.code) == (403, "table.room")
    assert table.scorer.write(FIRST).status == 201


@pytest.mark.usefixtures("goes_on")
@pytest.mark.parametrize(
    "name",
    [
        "..",
        "../evening",
        "%2e%2e/evening",
        "evening%00",
        "..%2f..%2fetc%2fpasswd",
        "evening.jsonl.links",
        "x" * 3000,
    ],
)
def test_no_path_leads_out_of_the_served_folder(table: Serving, name: str) -> None:
    for path in (f"//api/records/{name}", f"//api/records/{name}/live", f"//{name}"):
        assert table.scorer.get(path).status == 404, path


def test_symbolic_links_in_a_folder_are_not_served(tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    gamelog.create(tmp_path / "outside.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"})
    (tmp_path / "club" / "inside.jsonl").symlink_to(tmp_path / "outside.jsonl")
    with serve_in_thread(tmp_path / "club") as serving:
        assert serving.scorer.get().json["records"] == []
        assert serving.scorer.get("/inside").status == 404


def test_a_seats_link_is_for_one_record(tmp_path: Path) -> None:
    for name in ("one", "two"):
        gamelog.create(tmp_path / f"{name}.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"})
    with serve_in_thread(tmp_path) as serving:
        (red, *_) = serving.scorer.get("/one/links").json["links"]
        seat = Client({**red, "api": serving.links[0]["api"]})
        assert [one["name"] for one in seat.get().json["records"]] == ["one"]
        assert seat.get("/one").status == 200
        for path in ("/two", "/two/live"):
            assert (seat.get(path).status, seat.get(path).code) == (403, "table.other_record")
        assert seat.get("/one/links").status == 403
        assert seat.ask("POST", "", {}).status == 403


def _limits() -> tuple[int, int]:
    return resource.getrlimit(resource.RLIMIT_NOFILE)


@pytest.mark.usefixtures("goes_on")
def test_connections_without_a_request_block_no_client(table: Serving) -> None:
    """There are more connections than the server lets wait. Half of them have sent a part of a request."""
    soft, hard = _limits()
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 2048), hard), hard))
    scorer = table.scorer
    with ExitStack() as stack, scorer.live(1) as events:
        for n in range(700):
            connection = stack.enter_context(socket.create_connection((scorer.host, scorer.port), timeout=20))
            if n % 2:
                connection.sendall(b"POST /api/records/evening/events HTTP/1.1\r\nHost: 127")
        assert scorer.write(FIRST).status == 201
        assert next(events)["id"] == "1", "who follows goes on"


CROWDED = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60))
from gamelog_cli.app import main
main()
"""


def test_connections_without_a_link_get_only_a_part_of_few_connections(record: Path) -> None:
    serving = begin(record, program=(sys.executable, "-c", CROWDED))
    address = (serving.scorer.host, serving.scorer.port)
    with ExitStack() as stack:
        for _ in range(100):
            stack.enter_context(socket.create_connection(address, timeout=5))
        assert serving.scorer.write(FIRST).status == 201
    assert end(serving) == ""


SLOW = """
import sys
from gamelog_table.net import http_protocol, rate_limits
http_protocol.HEAD_SECONDS = rate_limits.BODY_SECONDS = 0.3
from gamelog_cli.app import main
main()
"""


def test_slow_connections_are_closed(record: Path) -> None:
    words = [sys.executable, "-c", SLOW, "serve", str(record), "--port", "0", "--json"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    serving = Process(process, [json.loads(process.stdout.readline()) for _ in range(5)])
    scorer = serving.scorer
    head = f"POST {scorer.path}/events HTTP/1.1\r\nHost: 127.0.0.1:{scorer.port}\r\nAuthorization: Bearer {scorer.token}\r\n"
    for begun in (b"", b"POST /api", head.encode()):
        with socket.create_connection((scorer.host, scorer.port), timeout=20) as slow:
            slow.sendall(begun)
            with suppress(ConnectionResetError):
                assert slow.recv(100) == b""
    assert raw(scorer, f"{head}Content-Length: 9\r\n\r\n{{".encode()).startswith(b"HTTP/1.1 408")
    assert scorer.write(FIRST).status == 201
    assert end(serving) == ""


def test_an_edited_record_is_reported_and_served_again_once_it_is_valid(begun: Serving, record: Path) -> None:
    good = record.read_bytes()
    with begun.spectator.live() as events, begun.scorer.live() as detailed:
        record.write_bytes(good.replace(b'"C3"', b'"C4"'))
        said, reason = next(events), next(detailed)
        assert said == {"event": "problem", "data": UNREADABLE}
        assert reason["event"] == "problem"
        assert reason["data"].startswith("evening.jsonl, byte "), "no path of this machine"
        for answer in (begun.scorer.get(), begun.scorer.write({"do": "claim", "at": "D1"})):
            assert (answer.status, answer.code) == (503, "record.damaged")
        record.write_bytes(good)
        assert begun.scorer.write({"do": "claim", "at": "D1"}).json["n"] == 3
        assert next(events) == {"event": "problem", "data": ""}
        assert [next(events).get("id", "rewritten") for _ in range(2)][-1] == "3"
        lines = good.splitlines(keepends=True)
        record.write_bytes(b"".join(lines[:-1]))
        assert next(events) == {"event": "rewritten", "data": 1}
    assert begun.scorer.write({"do": "claim", "at": "E1"}).json["n"] == 2


def test_a_deleted_record_is_reported(begun: Serving, record: Path) -> None:
    record.unlink()
    assert (begun.scorer.get().status, begun.scorer.get().code) == (503, "record.unreadable")


def test_wrong_usage_is_one_sentence(record: Path, tmp_path: Path) -> None:
    with serve_in_thread(record) as serving:
        taken = str(serving.scorer.port)
        (tmp_path / "cert.pem").write_text("nonsense")
        cases: dict[tuple[str, ...], str] = {
            ("missing.jsonl",): "does not exist",
            (str(record), "--port", taken): "--port 0",
            (str(record), "--port", "0", "--tls-cert", "x.pem"): "need each other",
            (str(record), "--port", "0", "--tls-cert", "cert.pem", "--tls-key", "cert.pem"): "certificate",
        }
        for words, said in cases.items():
            done = subprocess.run(
                [GAMELOG, "serve", *words], cwd=tmp_path, capture_output=True, text=True, timeout=30
            )
            assert (done.returncode, done.stdout) == (2, ""), words
            assert said in done.stderr
            assert len(done.stderr.splitlines()) == 1 or said == "need each other"
    if os.name != "nt":
        assert not list(tmp_path.glob("missing*"))


@pytest.mark.usefixtures("goes_on")
def test_only_the_scorer_can_set_times(table: Serving, record: Path) -> None:
    late = 9_007_199_254_740_991
    assert table.scorer.write(FIRST).status == 201
    for client, event in (
        (table.client("seat", "red"), {"do": "claim", "at": "C3", "t": late}),
        (table.client("seat", "red"), {"do": "@note", "text": "At once.", "t": 0}),
        (table.client("seat", "red"), {"do": "@sign", "seat": "red", "key": "x", "sig": "y", "t": late}),
        (table.client("arbiter"), {"do": "@note", "text": "Later.", "t": late}),
    ):
        answer = client.write(event)
        assert (answer.status, answer.code) == (403, "table.time"), event
    assert len(read_record(record).bodies) == 1
    assert table.scorer.write({"do": "claim", "at": "C3", "t": 3_600_000}).status == 201


@pytest.mark.usefixtures("goes_on")
def test_a_head_request_does_not_follow(table: Serving) -> None:
    scorer = table.scorer
    request = f"HEAD {scorer.path}/live HTTP/1.1\r\nHost: 127.0.0.1:{scorer.port}\r\nConnection: close\r\n"
    with socket.create_connection((scorer.host, scorer.port), timeout=5) as connection:
        connection.sendall(f"{request}Authorization: Bearer {scorer.token}\r\n\r\n".encode())
        with connection.makefile("rb") as answer:
            assert answer.read().startswith(b"HTTP/1.1 200")


def test_record_names_can_have_any_alphabet(record: Path) -> None:
    game = {"game": "slicewars", "seats": {"red": "Ana", "blue": "Rui"}}
    with serve_in_thread(record.parent) as serving:
        for name, called in (
            ("शतरंज 1", "शतरंज 1"),
            ("soire\u0301e", "soir\u00e9e"),
            ("漢" * 80, "漢" * 80),
            ("漢" * 81, None),
            ("\u0301e", None),
        ):
            answer = serving.scorer.ask("POST", "", {"name": name, **game})
            assert (answer.json.get("name"), answer.status) == (called, 201 if called else 422), name


def test_a_file_whose_name_is_not_utf8_is_left_out_of_a_folder(record: Path) -> None:
    os.link(record, os.fsencode(record.parent) + b"/caf\xe9.jsonl")
    with serve_in_thread(record.parent) as serving:
        assert [one["name"] for one in serving.scorer.get().json["records"]] == ["evening"]

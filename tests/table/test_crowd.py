"""A share of the long run `python -m tests.fuzz.crowd`: connections without a link keep nobody out."""

from __future__ import annotations

import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from gamelog_table.strangers import MOST_STRANGERS

from tests.fuzz import crowd
from tests.table.client import Serving, commanded

MOST_MEGABYTES = 250

OVER_TLS = ("tls-silent", "tls-half", "tls-hello", "tls-done", "tls-guess")


@pytest.mark.skipif(sys.platform != "linux", reason="the crowd counts who is sent away as Linux tells it")
@pytest.mark.grid(keeps=("unread", "tls-half", "tls-guess"))
@pytest.mark.parametrize("kind", ["silent", "unread", "head", "body", "guess", *OVER_TLS])
def test_a_crowd_keeps_nobody_out(kind: str) -> None:
    found = crowd.siege(kind, 600, 1.5, settling=0)  # a connection of the owner that stays open is not closed
    assert found.came >= 600
    assert 0 < found.most < MOST_MEGABYTES


def test_more_come_with_a_link_at_once_than_strangers_may(table: Serving) -> None:
    client = table.spectator
    asked = f"GET {client.path} HTTP/1.1\r\nHost: {client.host}:{client.port}\r\nAuthorization: Bearer {client.token}\r\n\r\n"
    with ExitStack() as stack:
        connections = [
            stack.enter_context(socket.create_connection((client.host, client.port), timeout=30))
            for _ in range(MOST_STRANGERS + 100)
        ]
        for one in connections:
            one.sendall(asked.encode())
        assert {one.recv(12) for one in connections} == {b"HTTP/1.1 200"}


@pytest.mark.skipif(sys.platform == "win32", reason="no socket is looked at there before it is read")
def test_tls_begins_when_its_first_message_is_whole(record: Path, tmp_path: Path) -> None:
    cert, key = crowd.certificate(tmp_path)
    first = crowd.hello(crowd.unverified())
    with commanded(record, "--tls-cert", cert, "--tls-key", key) as serving, ExitStack() as stack:
        owner = serving.scorer
        connections = [
            stack.enter_context(socket.create_connection((owner.host, owner.port), timeout=30))
            for _ in range(MOST_STRANGERS + 50)
        ]
        for one in connections:
            one.sendall(first[:3])
        assert owner.get().status == 200
        earliest = connections[0]
        for piece in (first[3:5], first[5:-1], first[-1:]):
            earliest.sendall(piece)
        assert earliest.recv(1) == first[:1]

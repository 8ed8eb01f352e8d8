"""A part of the long run `python -m tests.fuzz.crowd`: connections without a link do not block other clients."""

from __future__ import annotations

import asyncio
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from gamelog_table.net.listener import Acceptor, PendingConnection
from gamelog_table.net.unlinked_connections import MAX_UNLINKED, FamiliarAddresses, UnlinkedConnections
from gamelog_table.server import open_socket

from tests.fuzz import crowd
from tests.table.client import Serving, serve_in_process

MAX_MEGABYTES = 250

HELLO_RETRY = bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")
"""The random number of the TLS message that asks for another first message (RFC 8446, 4.1.3)."""

OVER_TLS = ("tls-silent", "tls-half", "tls-hello", "tls-done", "tls-guess")


@pytest.mark.skipif(sys.platform != "linux", reason="the crowd counts who is sent away as Linux tells it")
@pytest.mark.grid(keeps=("unread", "tls-half", "tls-guess"))
@pytest.mark.parametrize("kind", ["silent", "unread", "head", "body", "guess", *OVER_TLS])
def test_a_crowd_does_not_block_other_clients(kind: str) -> None:
    found = crowd.run_siege(
        kind, 600, 1.5, settling=0
    )  # a connection of the owner that stays open is not closed
    assert found.came >= 600
    assert 0 < found.most < MAX_MEGABYTES


def test_more_connections_with_a_link_are_accepted_at_once_than_without(table: Serving) -> None:
    client = table.spectator
    asked = f"GET {client.path} HTTP/1.1\r\nHost: {client.host}:{client.port}\r\nAuthorization: Bearer {client.token}\r\n\r\n"
    with ExitStack() as stack:
        connections = [
            stack.enter_context(socket.create_connection((client.host, client.port), timeout=30))
            for _ in range(MAX_UNLINKED + 100)
        ]
        for one in connections:
            one.sendall(asked.encode())
        assert {one.recv(12) for one in connections} == {b"HTTP/1.1 200"}


@pytest.mark.skipif(sys.platform == "win32", reason="no socket is looked at there before it is read")
def test_tls_begins_when_its_first_message_is_complete(record: Path, tmp_path: Path) -> None:
    cert, key = crowd.certificate(tmp_path)
    first = crowd.hello(crowd.unverified())
    with serve_in_process(record, "--tls-cert", cert, "--tls-key", key) as serving, ExitStack() as stack:
        owner = serving.scorer
        connections = [
            stack.enter_context(socket.create_connection((owner.host, owner.port), timeout=30))
            for _ in range(MAX_UNLINKED + 50)
        ]
        for one in connections:
            one.sendall(first[:3])
        assert owner.get().status == 200
        earliest = connections[0]
        for piece in (first[3:5], first[5:-1], first[-1:]):
            earliest.sendall(piece)
        answer = earliest.recv(100)
        assert answer[:1] == first[:1]
        assert HELLO_RETRY in answer, "no signature for a stranger who sends only one message"


@pytest.mark.skipif(sys.platform == "win32", reason="no socket is looked at there before it is read")
def test_connections_from_addresses_with_a_valid_link_are_opened_first() -> None:
    stranger, owner = "127.0.0.2", "127.0.0.1"
    familiar = FamiliarAddresses()
    familiar.add(owner)
    listener = open_socket(0, lan=False)
    opened: list[str] = []

    async def open_all(connections: list[socket.socket]) -> None:
        everyone = asyncio.Event()

        class Opened(asyncio.Protocol):
            def __init__(self, *, known: bool) -> None:
                assert not known

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                opened.append(transport.get_extra_info("peername")[0])
                transport.close()
                if len(opened) == len(connections):
                    everyone.set()

        silent, waiting = UnlinkedConnections[PendingConnection](), UnlinkedConnections[PendingConnection]()
        acceptor = Acceptor(listener, Opened, lambda _begun: False, silent, waiting, familiar, tls=False)
        await asyncio.wait_for(everyone.wait(), 30)
        acceptor.close()

    with ExitStack() as stack, listener:
        listener.listen()
        connections = []
        for host in (*([stranger] * 20), *([owner] * 4), *([stranger] * 20)):
            one = stack.enter_context(socket.socket())
            one.bind((host, 0))
            one.connect(listener.getsockname())
            one.sendall(b"GET")
            connections.append(one)
        with ThreadPoolExecutor(1) as own_loop:  # this thread can have the event loop of a browser test
            own_loop.submit(asyncio.run, open_all(connections)).result()
    assert opened[1:5] == [owner] * 4  # the first connection is opened before the others have sent data


class Waiting:
    """A connection without a link that notes its end."""

    def __init__(self, closed: list[int], number: int) -> None:
        self._closed, self.number = closed, number

    def close_unlinked(self) -> None:
        self._closed.append(self.number)


def test_connections_that_the_server_owes_an_answer_are_closed_last() -> None:
    closed: list[int] = []
    some = UnlinkedConnections[Waiting](3, is_spared=lambda one: one.number in (0, 2))
    for number in range(6):
        some.add(Waiting(closed, number))
    assert closed == [1, 3, 4]
    some = UnlinkedConnections[Waiting](2, is_spared=lambda _one: True)
    for number in range(3):
        some.add(Waiting(closed, number))
    assert closed[3:] == [0]


def test_only_the_latest_addresses_are_familiar() -> None:
    familiar = FamiliarAddresses(2)
    for host in ("192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.3"):
        familiar.add(host)
    assert [host in familiar for host in ("192.0.2.1", "192.0.2.2", "192.0.2.3")] == [True, False, True]

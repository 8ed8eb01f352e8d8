"""Clients of a server: one that writes and many that follow, as small as possible.

The kernel gives the time of arrival (``SO_TIMESTAMPNS``, Linux), so that the time when these clients read
does not matter. They search the bytes for the marker of the next event, and decode nothing else.
"""

from __future__ import annotations

import json
import re
import select
import socket
import struct
import time
import urllib.request
from abc import ABC, abstractmethod
from typing import Any

from tests.table.client import Client

SO_TIMESTAMPNS = 35
PATIENCE = 30.0
"""Seconds after which a follower counts as having missed an event."""

PING, PONG = b"\x81\x012", b"\x81\x81\0\0\0\x003"
"""Engine.IO's request for a sign of life, and the answer."""


class Line:
    """A connection, and the end of the bytes that it received."""

    def __init__(self, host: str, port: int) -> None:
        self.sock = socket.create_connection((host, port))
        self.sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.seen = b""

    def read(self) -> float:
        """Read the bytes that are there; return when the last of them arrived, by the system's clock."""
        data, stamps, _, _ = self.sock.recvmsg(1 << 16, 64)
        if not data:
            raise ConnectionError("the server has hung up")
        if PING in data:
            self.sock.sendall(PONG)
        self.seen = self.seen[-1024:] + data
        seconds, nanoseconds = struct.unpack("ll", stamps[0][2])
        return float(seconds + nanoseconds / 1e9)

    def until(self, marker: bytes) -> float:
        """Return when `marker`, which is a pattern, arrived."""
        while True:
            at = self.read()
            if re.search(marker, self.seen):
                return at


class Evening(ABC):
    """A server with `count` followers and one writer; Linux only."""

    def __init__(self, count: int) -> None:
        self._following = {line.sock.fileno(): line for line in (self.follower() for _ in range(count))}
        self._poll = select.epoll()
        for number in self._following:
            self._poll.register(number, select.EPOLLIN)

    @abstractmethod
    def follower(self) -> Line:
        """Add a follower."""

    @abstractmethod
    def write(self, n: int, at: int) -> float:
        """Send event `n`, a mark in the cell `at`; return when it was confirmed."""

    @abstractmethod
    def marker(self, n: int) -> bytes:
        """Return the pattern that event `n` has and earlier events do not have."""

    def event(self, n: int) -> tuple[float, float, list[float]]:
        """Send event `n`; return when it was sent and confirmed, and when it arrived at each follower."""
        sent = time.time()
        acknowledged = self.write(n, n * 37 % 100)
        marker, arrived, ends = re.compile(self.marker(n)), dict[int, float](), time.monotonic() + PATIENCE
        while len(arrived) < len(self._following):
            for number, _ in self._poll.poll(1):
                line = self._following[number]
                at = line.read()
                if number not in arrived and marker.search(line.seen):
                    arrived[number] = at
            if time.monotonic() > ends:
                raise TimeoutError(
                    f"{len(self._following) - len(arrived)} followers have not seen event {n}."
                )
        return sent, acknowledged, list(arrived.values())

    def close(self) -> None:
        """Close the connections."""
        self._poll.close()
        for line in self._following.values():
            line.sock.close()


class Table(Evening):
    """`gamelog serve`: server-sent events, written by POST on one connection."""

    def __init__(self, scorer: Client, spectator: Client, count: int) -> None:
        self._scorer, self._spectator = scorer, spectator
        super().__init__(count)
        self._line = Line(scorer.host, scorer.port)

    def _head(self, who: Client, asked: str) -> bytes:
        return f"{asked} HTTP/1.1\r\nHost: {who.host}:{who.port}\r\nAuthorization: Bearer {who.token}\r\n".encode()

    def follower(self) -> Line:
        line = Line(self._spectator.host, self._spectator.port)
        line.sock.sendall(self._head(self._spectator, f"GET {self._spectator.path}/live?from=1") + b"\r\n")
        line.until(rb"retry: 1000\n")
        return line

    def write(self, n: int, at: int) -> float:
        body = json.dumps({"do": "mark", "at": at, "expect": n - 1}).encode()
        head = self._head(self._scorer, f"POST {self._scorer.path}/events")
        self._line.seen = b""
        self._line.sock.sendall(b"%bContent-Length: %d\r\n\r\n%b" % (head, len(body), body))
        acknowledged = self._line.until(rb'"n":%d,' % n)
        assert self._line.seen.startswith(b"HTTP/1.1 201"), self._line.seen
        return acknowledged

    def marker(self, n: int) -> bytes:
        return rb"id: %d\n" % n


class Room(Evening):
    """boardgame.io: a room of Socket.IO.

    The writer gets the new state like all others, and first. This is its confirmation.
    """

    def __init__(self, port: int, count: int) -> None:
        self._port = port
        self._match = self._ask("create", {"numPlayers": 2})["matchID"]
        joined = [
            self._ask(f"{self._match}/join", {"playerID": str(at), "playerName": name})
            for at, name in enumerate(("Ana", "Rui"))
        ]
        self._keys = [one["playerCredentials"] for one in joined]
        self._line = self._synced("0", self._keys[0])
        super().__init__(count)

    def _ask(self, what: str, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}/games/marking/{what}", json.dumps(body).encode()
        )
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def _synced(self, player: str | None, key: str | None) -> Line:
        line = Line("127.0.0.1", self._port)
        line.sock.sendall(
            f"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: Z2FtZWxvZyBtZWFzdXJlcw==\r\n\r\n".encode()
        )
        line.until(rb'"sid"')
        _say(line, "40/marking,")
        line.until(rb"40/marking,\{")
        line.seen = b""
        _say(line, "42/marking," + json.dumps(["sync", self._match, player, key, 2]))
        line.until(rb'"sync"')
        return line

    def follower(self) -> Line:
        return self._synced(None, None)

    def write(self, n: int, at: int) -> float:
        player = (n - 1) % 2
        action = {
            "type": "MAKE_MOVE",
            "payload": {
                "type": "mark",
                "args": [at],
                "playerID": str(player),
                "credentials": self._keys[player],
            },
        }
        _say(self._line, "42/marking," + json.dumps(["update", action, n - 1, self._match, str(player)]))
        return self._line.until(self.marker(n))

    def marker(self, n: int) -> bytes:
        return rb'"_stateID":%d[,}]' % n

    def close(self) -> None:
        self._line.sock.close()
        super().close()


def _say(line: Line, text: str) -> None:
    """Return a message for a WebSocket, masked with zeros."""
    data = text.encode()
    length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    line.sock.sendall(b"\x81" + length + bytes(4) + data)

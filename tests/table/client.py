"""A client of the table in plain Python, and servers for the tests."""

from __future__ import annotations

import asyncio
import http.client
import json
import signal
import ssl
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

import anyio
from gamelog_cli.program import PROGRAM
from gamelog_table.live.followers import NO_DELAY, Delay
from gamelog_table.record.served_folder import ServedFolder
from gamelog_table.server import TableHost, open_socket
from msgspec import structs, to_builtins

from gamelog.record.envelope import Header

T = TypeVar("T")

GAMELOG = Path(sys.executable).parent / "gamelog"


def beginning_now(header: Header) -> Header:
    """Return `header` with the present as its start, so that no time to set up is a pause."""
    return structs.replace(header, started=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")


class Answer(NamedTuple):
    """An answer of the server."""

    status: int
    body: bytes
    headers: dict[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """Code of the error."""
        return str(self.json["error"]["code"])


class Client:
    """A program with a link."""

    def __init__(self, link: dict[str, str], token: str | None = None) -> None:
        self._link = link
        self.role, self.api, self.seat = link["role"], link["api"], link.get("seat")
        self.token = link["token"] if token is None else token
        parts = urlsplit(self.api)
        self.host, self.port, self.path = str(parts.hostname), int(parts.port or 80), parts.path
        self.over_tls = parts.scheme == "https"

    def with_token(self, token: str) -> Client:
        """Return a client with another link of the same server."""
        return Client(self._link, token)

    def connect(self) -> http.client.HTTPConnection:
        """Return a new connection. Over TLS it accepts any certificate."""
        if not self.over_tls:
            return http.client.HTTPConnection(self.host, self.port, timeout=120)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return http.client.HTTPSConnection(self.host, self.port, timeout=120, context=context)

    def ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """Return the answer to a request on a new connection. A `path` with two slashes begins at the server's root."""
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection = self.connect()
        try:
            target = path[1:] if path.startswith("//") else self.path + path
            own = {"Authorization": f"Bearer {self.token}"} if self.token else {}
            connection.request(method, target, sent, own | (headers or {}))
            got = connection.getresponse()
            return Answer(got.status, got.read(), {name.lower(): value for name, value in got.getheaders()})
        finally:
            connection.close()

    def status(self, method: str, target: str, body: bytes | None = None) -> int:
        """Return the status of a request to `target` at the server's root, without reading the body."""
        connection = self.connect()
        try:
            connection.request(method, target, body, {"Authorization": f"Bearer {self.token}"})
            return connection.getresponse().status
        finally:
            connection.close()

    def get(self, path: str = "", **headers: str) -> Answer:
        return self.ask("GET", path, headers=headers)

    def write(self, event: object, **beside: Any) -> Answer:
        """Send one event by POST, as a JSON object or as bytes."""
        return self.ask("POST", "/events", {**event, **beside} if isinstance(event, dict) else event)

    @contextmanager
    def live(
        self, first: int | None = None, form: str = "", **headers: str
    ) -> Iterator[Iterator[dict[str, Any]]]:
        """Yield the events of the stream with their fields. JSON in ``data`` is decoded."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=20)
        asked = [*([] if first is None else [f"from={first}"]), *([f"as={form}"] if form else [])]
        path = f"{self.path}/live?{'&'.join(asked)}"
        connection.request("GET", path, headers={"Authorization": f"Bearer {self.token}"} | headers)
        got = connection.getresponse()
        assert got.status == 200, got.read()
        assert got.headers["content-type"] == "text/event-stream; charset=utf-8"
        try:
            yield self._events(got)
        finally:
            connection.close()
            got.close()

    @staticmethod
    def _events(got: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
        fields: dict[str, Any] = {}
        while line := got.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == ":":  # a heartbeat
                continue
            if name and name != "retry":
                fields[name] = (
                    json.loads(value) if name == "data" and value[:1] in [*"{0123456789"] else value
                )
            elif not name and fields:
                yield fields
                fields = {}


class Serving:
    """A running server with its links."""

    def __init__(self, links: list[dict[str, str]], folder: ServedFolder | None = None) -> None:
        """Keep the links, and the `folder` of a server in this process."""
        self.links, self.folder = links, folder

    def client(self, role: str, seat: str | None = None) -> Client:
        return Client(next(link for link in self.links if link["role"] == role and link.get("seat") == seat))

    def client_link(self, role: str, seat: str | None = None) -> str:
        """Return the address of a role's link."""
        return next(link["url"] for link in self.links if link["role"] == role and link.get("seat") == seat)

    @property
    def scorer(self) -> Client:
        return self.client("scorer")

    @property
    def spectator(self) -> Client:
        return self.client("spectator")


class Process(Serving):
    """A running server in its own process."""

    def __init__(self, process: subprocess.Popen[str], links: list[dict[str, str]]) -> None:
        super().__init__(links)
        self.process = process


def begin(path: Path, *options: object, port: int = 0, program: Sequence[object] = (GAMELOG,)) -> Process:
    """Start a server, and return it when it listens."""
    command = [*program, "serve", path, "--port", str(port), "--json", *options]
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    links: list[dict[str, str]] = []
    while not links or links[-1]["role"] != "spectator":
        line = process.stdout.readline()
        assert line, process.stderr.read()
        links.append(json.loads(line))
    return Process(process, links)


def end(serving: Process) -> str:
    """Stop the server as Ctrl-C does, and return its standard error."""
    serving.process.terminate()
    _, said = serving.process.communicate(timeout=20)
    return said


@contextmanager
def serve_in_process(path: Path, *options: object) -> Iterator[Process]:
    """Serve in another process during a ``with`` block, and check that its standard error is empty."""
    serving = begin(path, *options)
    try:
        yield serving
    finally:
        said = end(serving)
    assert said == ""
    assert serving.process.returncode == 0


@contextmanager
def serve_in_thread(path: Path, delay: Delay = NO_DELAY) -> Iterator[Serving]:
    """Serve in a thread of this process, which starts and stops faster."""
    sock = open_socket(0, lan=False)
    folder = ServedFolder(path, delay=delay)
    table = TableHost(folder, sock, lan=False, certificate=None, program=PROGRAM)
    loops: Queue[asyncio.AbstractEventLoop] = Queue()
    server = table.server(lambda: loops.put(asyncio.get_running_loop()))
    thread = Thread(target=server.run, args=([sock],))
    thread.start()
    loop = loops.get(timeout=30)
    try:
        yield Serving([to_builtins(link) for link in table.links()], folder)
    finally:
        loop.call_soon_threadsafe(server.handle_exit, signal.SIGTERM, None)
        thread.join(30)
    assert not thread.is_alive()


def run_async(work: Callable[[], Awaitable[T]]) -> T:
    """Return the result of `work` from a new thread, because this thread can have a browser's event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, work).result()

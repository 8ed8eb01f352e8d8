"""A proxy for a store, with the faults of real networks and stores."""

from __future__ import annotations

import http.client
import importlib.util
import random
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock
from typing import Any

import pytest
from gamelog_cli.app import app
from typer.testing import CliRunner

needs_fsspec = pytest.mark.skipif(
    importlib.util.find_spec("fsspec") is None, reason="the extra remote is not installed"
)
needs_s3 = pytest.mark.skipif(
    not (importlib.util.find_spec("s3fs") and importlib.util.find_spec("moto")),
    reason="s3fs or moto is not installed",
)


def run(*words: str) -> tuple[int, str]:
    """Run a command, and return its output and status."""
    done = CliRunner().invoke(app([words[0]]), words)
    return done.exit_code, str(done.exception) if done.exception and not done.stdout else done.stdout


Fault = str | int | None
"""The fault of an answer, or None:

- ``cut``: the connection ends in the middle of the body.
- ``short``: half of the body comes as if it were the whole body.
- ``flip``: one bit is changed, a different one each time.
- ``hang``: the answer never comes.
- ``gone``: the connection is closed without an answer.
- a number: the status of a refusal.
"""

SENT_ON = ("Content-Type", "ETag", "Last-Modified", "Content-Range", "Accept-Ranges", "x-amz-bucket-region")


class FaultyStore(ThreadingHTTPServer):
    """A proxy for the store at `host`. ``fault`` chooses the fault of each request, by method and path."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, host: str) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.host = host
        self.fault: Callable[[str, str], Fault] = lambda _method, _path: None
        self.asked: list[tuple[str, str]] = []
        self.failed = self.sent = 0
        self.hung = Event()
        self.lock = Lock()
        self.released = Event()

    @property
    def url(self) -> str:
        """Address of the proxy."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def behave(self) -> None:
        """Stop all faults, and clear the list of requests."""
        self.fault = lambda _method, _path: None
        self.asked, self.failed, self.sent = [], 0, 0

    def contents_asked(self) -> list[str]:
        """Return the paths of the requested contents, in order."""
        return [path for method, path in self.asked if method == "GET" and "list-type" not in path]

    def decide(self, method: str, path: str) -> Fault:
        """Return the fault for this request."""
        with self.lock:
            self.asked.append((method, path))
            fault = self.fault(method, path)
            self.failed += fault is not None
        return fault

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing when a client disconnects."""


def contents_of(key: str, faults: Sequence[Fault]) -> Callable[[str, str], Fault]:
    """Return a fault function with one fault after another for each GET of a path with `key`."""
    left = list(faults)
    return lambda method, path: left.pop(0) if left and method == "GET" and key in path else None


def refusals(share: float, seed: int, status: int = 503) -> Callable[[str, str], Fault]:
    """Return a fault function that refuses a share of all requests, chosen by a seed."""
    drawn = random.Random(seed)
    return lambda _method, _path: status if drawn.random() < share else None


class _Answer(BaseHTTPRequestHandler):
    server: FaultyStore
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        """Pass on the request and its answer, or produce a fault."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fault = self.server.decide(self.command, self.path)
        if fault == "hang":
            self.server.hung.set()
            self.server.released.wait()
        if fault in ("gone", "hang"):
            self.close_connection = True
            return
        if isinstance(fault, int):
            self.send_response(fault)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        there = http.client.HTTPConnection(self.server.host)
        there.request(
            self.command,
            self.path,
            body or None,
            {name: text for name, text in self.headers.items() if name not in ("Host", "Content-Length")},
        )
        answer = there.getresponse()
        data = answer.read()
        there.close()
        self._send(answer, data, fault)

    def _send(self, answer: http.client.HTTPResponse, data: bytes, fault: Fault) -> None:
        length = answer.headers.get("Content-Length", "0") if self.command == "HEAD" else str(len(data))
        if fault == "flip" and data:
            at = len(data) // 2 + self.server.failed % (len(data) // 2 or 1)
            data = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        if fault in ("cut", "short"):
            data = data[: len(data) // 2]
        self.send_response(answer.status)
        for name in SENT_ON:
            if name in answer.headers:
                self.send_header(name, answer.headers[name])
        self.send_header("Content-Length", str(len(data)) if fault == "short" else length)
        self.end_headers()
        if self.command != "HEAD":
            self.server.sent += len(data)
            self.wfile.write(data)
        if fault == "cut":
            self.close_connection = True

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = answer  # noqa: N815 - the names are the server's

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""

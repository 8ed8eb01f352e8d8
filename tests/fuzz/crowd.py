"""Thousands of connections without a link, of every kind: the owner gets answers, and memory stays small.

    python -m tests.fuzz.crowd [--connections 5200] [--seconds 15] [--kind NAME ...] [--host 127.0.0.2] [--key rsa]

All connections come from this machine, by default from the owner's address. Each one comes again when the
server closes it. Meanwhile the owner sends requests, on new connections and on one that stays open. The run
prints the slowest request of both kinds, the server's memory before, at most and after, and the processor
time of the server and of the crowd. Linux only.
"""

from __future__ import annotations

import argparse
import http.client
import os
import resource
import select
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from msgspec import Struct

import gamelog
from tests.table.client import Client, Process, begin, end

SETTLING_SECONDS = 15.0
"""Seconds after the end of the crowd in which the server releases its memory."""

COMES_AGAIN_SECONDS = 0.05
"""Seconds between two checks for closed connections. It limits how often each connection comes again."""

AT_A_TIME = 256
"""Number of new connections between two checks of the open connections."""

OWNER_SECONDS = 60.0
"""Seconds after which the owner gives up. A connection that fails before is tried again."""

OWNER_HOST = "127.0.0.1"
"""Address from which the owner's requests come."""

KEYS = {"ec": "ec -pkeyopt ec_paramgen_curve:prime256v1", "rsa": "rsa:2048"}
"""The kinds of key of the server's certificate, as openssl makes them."""

HEAD = "{method} {path} HTTP/1.1\r\nHost: {host}\r\n"


class Kind(Struct, frozen=True):
    """The bytes that each connection of a crowd sends: before TLS, `over` TLS, or only its `hello`."""

    sends: str = ""
    times: int = 1
    tls: bool = False
    over: bool = False
    hello: bool = False


PAGE = HEAD.format(method="GET", path="/", host="HOST") + "\r\n"
BODY = HEAD.format(method="POST", path="/api/records/evening/events", host="HOST")
GUESS = "Authorization: Bearer aaaaaaaaaaaaaaaaaaaaaa\r\n"

KINDS = {
    "silent": Kind(),
    "unread": Kind(PAGE, times=16),
    "head": Kind(BODY[:60]),
    "body": Kind(f"{BODY}{GUESS}Content-Length: 60000\r\n\r\n{{"),
    "guess": Kind(f"{BODY}{GUESS}Content-Length: 2\r\n\r\n{{}}", times=16),
    "tls-silent": Kind(tls=True),
    "tls-half": Kind("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", tls=True),
    "tls-hello": Kind(tls=True, hello=True),
    "tls-done": Kind(tls=True, over=True),
    "tls-guess": Kind(f"{BODY}{GUESS}Content-Length: 2\r\n\r\n{{}}", tls=True, over=True),
    "tls-unread": Kind(PAGE, times=16, tls=True, over=True),
}


class Measured(Struct):
    """The owner's slowest requests in seconds, the server's memory in MB, processor seconds, and connections."""

    before: float
    slowest: float = 0.0
    kept: float = 0.0
    most: float = 0.0
    after: float = 0.0
    served: float = 0.0
    spent: float = 0.0
    came: int = 0


class Crowd:
    """Connections of a `kind` to `address`. Each comes again when the server closes it."""

    def __init__(self, kind: Kind, address: tuple[str, int], size: int, host: str) -> None:
        self._kind, self._address, self._size, self._host = kind, address, size, host
        self._sent = (kind.sends * kind.times).replace("HOST", f"{address[0]}:{address[1]}").encode("latin-1")
        self._events = select.epoll()
        self._there: dict[int, socket.socket] = {}
        self._context = unverified()
        if kind.hello:
            self._sent = hello(self._context)
        self.came = 0

    def stay(self, seconds: float) -> None:
        """Keep the crowd for the given seconds, and until each connection has come once."""
        until = time.monotonic() + seconds
        while (now := time.monotonic()) < until or self.came < self._size:
            for _ in range(min(AT_A_TIME, self._size - len(self._there))):
                self._come()
            full = len(self._there) == self._size
            for number, event in self._events.poll(COMES_AGAIN_SECONDS if full else 0):
                self._go_on(self._there[number], closed=bool(event & ~select.EPOLLIN))
            time.sleep(max(0.0, COMES_AGAIN_SECONDS - (time.monotonic() - now)) if full else 0)
        for one in self._there.values():
            one.close()

    def _come(self) -> None:
        one = socket.socket()
        one.settimeout(5)
        self.came += 1
        try:
            one.bind((self._host, 0))
            one.connect(self._address)
            one.settimeout(0)
            if self._kind.over:
                one = self._context.wrap_socket(one, do_handshake_on_connect=False)
        except OSError:
            one.close()
            return
        self._there[one.fileno()] = one
        self._events.register(one, select.EPOLLRDHUP | (select.EPOLLIN if self._kind.over else 0))
        self._go_on(one, closed=False)

    def _go_on(self, one: socket.socket, *, closed: bool) -> None:
        """Continue a connection: shake hands with the server, then send. Forget it if it is `closed`."""
        number = one.fileno()
        try:
            if closed:
                raise ConnectionResetError
            if isinstance(one, ssl.SSLSocket):
                one.do_handshake()
                self._events.modify(number, select.EPOLLRDHUP)
            with suppress(BlockingIOError, ssl.SSLWantWriteError):
                one.send(self._sent)
        except ssl.SSLWantReadError:
            pass
        except OSError:
            self._events.unregister(number)
            self._there.pop(number).close()


def unverified() -> ssl.SSLContext:
    """Return a TLS context that accepts any certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def hello(context: ssl.SSLContext) -> bytes:
    """Return the whole first message of TLS, after which a server has to answer."""
    taken, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        context.wrap_bio(taken, sent).do_handshake()
    return sent.read()


class Owner(Thread):
    """A client that sends requests on one connection that stays open, until `gone` is set."""

    def __init__(self, client: Client) -> None:
        super().__init__()
        self._client, self._connection = client, client.connect()
        self._words = (client.path, None, {"Authorization": f"Bearer {client.token}"})
        self._connection.request("GET", *self._words)
        self._connection.getresponse().read()
        self.gone, self.slowest, self.failed = Event(), 0.0, False

    def run(self) -> None:
        try:
            while not self.gone.wait(0.1):
                began, line = time.monotonic(), self._connection.sock
                self._connection.request("GET", *self._words)
                answer = self._connection.getresponse()
                answer.read()
                self.failed = self.failed or answer.status != 200 or self._connection.sock is not line
                self.slowest = max(self.slowest, time.monotonic() - began)
        except (OSError, http.client.HTTPException):
            self.failed = True
        finally:
            self._connection.close()


def memory(pid: int, name: str) -> float:
    """Return a figure of a process's memory in MB: ``VmRSS`` (now) or ``VmHWM`` (maximum)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0]) / 1000


def processor(pid: int) -> float:
    """Return the processor time of a process in seconds."""
    numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def time_requests(owner: Client) -> float:
    """Return the seconds until the owner has read the position or recorded an event, the longer of both."""
    note = {"do": "@note", "by": "table", "text": "Tea."}
    return max(
        time_until_answered(lambda: owner.get().status == 200),
        time_until_answered(lambda: owner.write(note).status == 201),
    )


def time_until_answered(ask: Callable[[], bool]) -> float:
    """Return the seconds until `ask` reports an answer. A connection that fails is tried again."""
    began = time.monotonic()
    while True:
        try:
            assert ask()
        except OSError:
            if time.monotonic() - began > OWNER_SECONDS:
                raise
        else:
            return time.monotonic() - began


def measure_crowd(
    serving: Process, name: str, size: int, seconds: float, settling: float, host: str
) -> Measured:
    """Measure the owner's requests during a crowd of the kind called `name`."""
    owner, pid = serving.scorer, serving.process.pid
    time_requests(owner)
    found = Measured(memory(pid, "VmRSS"))
    stays = Owner(owner)
    stays.start()
    used, children = processor(pid), resource.getrusage(resource.RUSAGE_CHILDREN)
    crowd_words = (name, owner.host, owner.port, size, seconds, host)
    words = [sys.executable, "-m", "tests.fuzz.crowd", "--crowd", *crowd_words]
    with subprocess.Popen([*map(str, words)], stdout=subprocess.PIPE, text=True) as crowd:
        while crowd.poll() is None:
            found.slowest = max(found.slowest, time_requests(owner))
            found.most = max(found.most, memory(pid, "VmRSS"))
            time.sleep(0.1)
        assert crowd.stdout is not None
        found.came = int(crowd.stdout.read())
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    found.served = processor(pid) - used
    found.spent = now.ru_utime + now.ru_stime - children.ru_utime - children.ru_stime
    stays.gone.set()
    stays.join()
    assert not stays.failed, "The connection that stays open was closed."
    found.kept = stays.slowest
    until = time.monotonic() + settling
    while time.monotonic() < until and memory(pid, "VmRSS") > found.before * 1.2:
        time.sleep(0.2)
    found.after = memory(pid, "VmRSS")
    return found


def certificate(folder: Path, key_kind: str = "ec") -> tuple[Path, Path]:
    """Return a certificate for this machine and its key, a kind of `KEYS`."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    words = "openssl req -x509 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -newkey"
    subprocess.run(
        [*words.split(), *KEYS[key_kind].split(), "-keyout", key, "-out", cert],
        check=True,
        capture_output=True,
    )
    return cert, key


def run_siege(
    name: str,
    size: int,
    seconds: float,
    settling: float = SETTLING_SECONDS,
    host: str = OWNER_HOST,
    key_kind: str = "ec",
) -> Measured:
    """Return the measurements of a new table during a crowd of the kind called `name` from `host`."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        path = folder / "evening.jsonl"
        gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"})
        options: list[object] = []
        if KINDS[name].tls:
            cert, key = certificate(folder, key_kind)
            options = ["--tls-cert", cert, "--tls-key", key]
        serving = begin(path, *options)
        try:
            return measure_crowd(serving, name, size, seconds, settling, host)
        finally:
            end(serving)


def main(arguments: list[str] | None = None) -> None:
    """Run each kind, one after the other."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--connections", type=int, default=5_200)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument(
        "--kind", action="append", choices=list(KINDS), help="this one alone; may be repeated"
    )
    parser.add_argument("--host", default=OWNER_HOST, help="the address that the crowd comes from")
    parser.add_argument("--key", choices=list(KEYS), default="ec", help="the kind of the certificate's key")
    parser.add_argument("--crowd", nargs=6, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if given.crowd:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        name, server, port, size, seconds, host = given.crowd
        crowd = Crowd(KINDS[name], (server, int(port)), int(size), host)
        crowd.stay(float(seconds))
        print(crowd.came)
        return
    for name in given.kind or KINDS:
        told = run_siege(name, given.connections, given.seconds, host=given.host, key_kind=given.key)
        print(
            f"{name:>10}: the owner waited {told.slowest:.2f} s at most, {told.kept:.2f} s on a connection that "
            f"stays open; {told.before:.0f} MB before, {told.most:.0f} at most, {told.after:.0f} after; "
            f"{told.came:,} connections came; processor time {told.served:.1f} s of the server, "
            f"{told.spent:.1f} s of the crowd",
            flush=True,
        )


if __name__ == "__main__":
    main()

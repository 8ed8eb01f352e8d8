"""Thousands of connections without a link, of every kind: the owner is answered, and the server's memory stays small.

    python -m tests.fuzz.crowd [--connections 5200] [--seconds 15] [--kind NAME ...]

All of them come from this machine, and whoever is sent away comes again. Meanwhile the owner asks again and
again on new connections, of which the slowest is printed, with the server's memory before, at most, and after.
Linux only.
"""

from __future__ import annotations

import argparse
import resource
import select
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

import gamelog
from tests.table.client import Client, Process, begin, end

SETTLING_SECONDS = 15.0
"""Seconds after the crowd has gone in which the server gets its memory back."""

COMES_AGAIN_SECONDS = 0.05
"""Seconds between two looks at who has been sent away, which bounds how often each comes again."""

HEAD = "{method} {path} HTTP/1.1\r\nHost: {host}\r\n"


class Kind(Struct, frozen=True):
    """What each connection of a crowd sends: before TLS, if the server has it, or `over` TLS."""

    sends: str = ""
    times: int = 1
    tls: bool = False
    over: bool = False


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
    "tls-done": Kind(tls=True, over=True),
    "tls-unread": Kind(PAGE, times=16, tls=True, over=True),
}


class Measured(Struct, frozen=True):
    """How long the owner waited at most, in seconds, and the server's memory in MB; how many connections came."""

    slowest: float
    before: float
    most: float
    after: float
    came: int


class Crowd:
    """So many connections of a `kind` to `address`, each of which comes again when it is sent away."""

    def __init__(self, kind: Kind, address: tuple[str, int], size: int) -> None:
        self._kind, self._address, self._size = kind, address, size
        self._sent = (kind.sends * kind.times).replace("HOST", f"{address[0]}:{address[1]}").encode("latin-1")
        self._gone = select.epoll()
        self._there: dict[int, socket.socket] = {}
        self._context = ssl.create_default_context()
        self._context.check_hostname, self._context.verify_mode = False, ssl.CERT_NONE
        self.came = 0

    def stay(self, seconds: float) -> None:
        """Be there so long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            while len(self._there) < self._size and time.monotonic() < until:
                self._come()
            for number, _ in self._gone.poll(COMES_AGAIN_SECONDS):
                self._there.pop(number).close()
        for one in self._there.values():
            one.close()

    def _come(self) -> None:
        one = socket.socket()
        one.settimeout(5)
        try:
            one.connect(self._address)
            if self._kind.over:
                one = self._context.wrap_socket(one)
            one.settimeout(0)
            with suppress(BlockingIOError, ssl.SSLWantWriteError):
                one.send(self._sent)
        except OSError:
            one.close()
        else:
            self._there[one.fileno()] = one
            self._gone.register(one, select.EPOLLRDHUP)
        self.came += 1


def memory(pid: int, name: str) -> float:
    """A figure of a process's memory in MB: ``VmRSS`` now, ``VmHWM`` at most."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0]) / 1000


def asked(owner: Client) -> float:
    """Seconds until the owner has read the position and written an event, the longer of both."""
    began = time.monotonic()
    assert owner.get().status == 200
    read = time.monotonic()
    assert owner.write({"do": "@note", "by": "table", "text": "Tea."}).status == 201
    return max(read - began, time.monotonic() - read)


def besieged(serving: Process, name: str, size: int, seconds: float, settling: float) -> Measured:
    """Let a crowd of the kind called `name` come, and measure what the owner notices."""
    owner, pid = serving.scorer, serving.process.pid
    asked(owner)
    before, most, slowest = memory(pid, "VmRSS"), 0.0, 0.0
    words = [sys.executable, "-m", "tests.fuzz.crowd", "--crowd", name, owner.host, owner.port, size, seconds]
    with subprocess.Popen([*map(str, words)], stdout=subprocess.PIPE, text=True) as crowd:
        while crowd.poll() is None:
            slowest = max(slowest, asked(owner))
            most = max(most, memory(pid, "VmRSS"))
            time.sleep(0.1)
        assert crowd.stdout is not None
        came = int(crowd.stdout.read())
    until = time.monotonic() + settling
    while time.monotonic() < until and memory(pid, "VmRSS") > before * 1.2:
        time.sleep(0.2)
    return Measured(slowest, before, most, memory(pid, "VmRSS"), came)


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for this machine and its key."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    words = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    subprocess.run([*words.split(), "-keyout", key, "-out", cert], check=True, capture_output=True)
    return cert, key


def siege(name: str, size: int, seconds: float, settling: float = SETTLING_SECONDS) -> Measured:
    """A table of its own besieged by a crowd of the kind called `name`."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        path = folder / "evening.jsonl"
        gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"})
        options: list[object] = []
        if KINDS[name].tls:
            cert, key = certificate(folder)
            options = ["--tls-cert", cert, "--tls-key", key]
        serving = begin(path, *options)
        try:
            return besieged(serving, name, size, seconds, settling)
        finally:
            end(serving)


def main(arguments: list[str] | None = None) -> None:
    """Each kind, one after the other."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--connections", type=int, default=5_200)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument(
        "--kind", action="append", choices=list(KINDS), help="this one alone; may be repeated"
    )
    parser.add_argument("--crowd", nargs=5, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if given.crowd:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        name, host, port, size, seconds = given.crowd
        crowd = Crowd(KINDS[name], (host, int(port)), int(size))
        crowd.stay(float(seconds))
        print(crowd.came)
        return
    for name in given.kind or KINDS:
        told = siege(name, given.connections, given.seconds)
        print(
            f"{name:>10}: the owner waited {told.slowest:.2f} s at most; {told.before:.0f} MB before, "
            f"{told.most:.0f} at most, {told.after:.0f} after; {told.came:,} connections came",
            flush=True,
        )


if __name__ == "__main__":
    main()

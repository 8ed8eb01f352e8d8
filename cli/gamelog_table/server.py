"""The server: its socket, names, links and protocol."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import anyio.to_thread
import starlette.types as asgi
import uvicorn
from msgspec import Struct
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection

from gamelog.errors import BrokenGame, GamelogError, NotReadable
from gamelog.message import Message
from gamelog.play.fold.game_errors import describe_failure
from gamelog_table.access.links import OPEN_ROLES, Grant
from gamelog_table.api import MAX_STREAMS, Api
from gamelog_table.live.followers import Delay
from gamelog_table.net.denied import Denied
from gamelog_table.net.http_protocol import TimeoutProtocol, protocol_of
from gamelog_table.net.listener import MAX_SILENT, Acceptor, PendingConnection
from gamelog_table.net.origin_check import OriginCheck
from gamelog_table.net.responses import error_response, language_of
from gamelog_table.net.unlinked_connections import MAX_UNLINKED, FamiliarAddresses, UnlinkedConnections
from gamelog_table.pages.folder_downloads import FolderDownloads
from gamelog_table.pages.lobby import Lobby
from gamelog_table.pages.new_records import NewRecords
from gamelog_table.pages.previews import Previews
from gamelog_table.pages.sheets import Sheets
from gamelog_table.pages.table_page import TablePage
from gamelog_table.record.record_source import RecordDue
from gamelog_table.record.served_folder import ServedFolder
from gamelog_table.streams import watch

_LOCAL_ADDRESS = "127.0.0.1"
"""Address of this machine for itself."""

_UNSENT_BYTES = 64 * 1024
"""Maximum number of unsent bytes that the system keeps for a connection."""

_MAX_TLS_STARTS = 512
"""Maximum number of connections that begin TLS. Each needs about 125 KB."""


_BEARER_TOKEN = re.compile(rb"\r\nauthorization: *bearer +([A-Za-z0-9_-]+)\r\n", re.IGNORECASE)
"""The token of a link in the head of a request."""


class TableLink(Struct, frozen=True, omit_defaults=True):
    """A link to the table, as `gamelog serve` prints it.

    Attributes:
        role: What the link allows, for example ``scorer``.
        url: Address of the page, with the token.
        token: Secret that programs send to `api` as a bearer token.
        api: Address for programs.
        seat: Seat of the link, if it is a player's.
        name: Name of the person in this seat.
        record: Name of the record, if the link is for one record of a folder.
    """

    role: str
    url: str
    token: str
    api: str
    seat: str = ""
    name: str = ""
    record: str = ""


class TableServer(uvicorn.Server):
    """The web server. It calls `ready` once it listens, and releases followers when it stops."""

    def __init__(
        self,
        config: uvicorn.Config,
        ready: Callable[[], None],
        stop: Callable[[], None],
        acceptor: Callable[[socket.socket, Callable[..., asyncio.Protocol]], Acceptor],
    ) -> None:
        """Prepare the server.

        Args:
            config: The configuration of uvicorn.
            ready: Called when the server accepts connections.
            stop: Called when a signal of the system stops the server.
            acceptor: Accepts the connections of a socket, each with its protocol.
        """
        super().__init__(config)
        self._ready, self._stop, self._acceptor = ready, stop, acceptor

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        if sys.platform == "win32":  # its loop cannot look at a socket without reading it
            await super().startup(sockets)
        else:
            await super().startup([])
            protocol_class: Any = self.config.http_protocol_class
            state = {"server_state": self.server_state, "app_state": self.lifespan.state}
            protocol = partial(protocol_class, config=self.config, **state)
            acceptors: list[Any] = [self._acceptor(sock, protocol) for sock in sockets or ()]
            self.servers += acceptors
        self._ready()

    def handle_exit(self, sig: int, frame: Any) -> None:  # noqa: ARG002 - uvicorn's names
        """Stop on a signal of the system."""
        self.should_exit = True
        self._stop()


def open_socket(port: int, lan: bool) -> socket.socket:
    """Return a socket on this machine only, or with `lan` on its network.

    Raises:
        NotReadable: The address cannot be used.
    """
    # with the default protocol asyncio would not switch off Nagle's algorithm, which delays small pieces
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _UNSENT_BYTES)
    try:
        listening.bind(("0.0.0.0" if lan else _LOCAL_ADDRESS, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise NotReadable(
            Message.of(
                "Port {=port} cannot be used: {=error}. Choose another port; --port 0 takes any free port.",
                port=port,
                error=str(error),
            )
        ) from None
    return listening


def open_table(
    path: Path,
    *,
    port: int,
    lan: bool,
    renew_links: bool,
    delay_events: int,
    delay_minutes: float,
    record_due: RecordDue | None,
    certificate: tuple[Path, Path] | None,
    program: Sequence[str],
    public_url: str | None,
) -> TableHost:
    """Return a server of the records at `path` on a new socket.

    Args:
        path: The record, or a folder with records.
        port: The port, or 0 for any free port.
        lan: Whether other devices of the network may connect.
        renew_links: Whether to replace all links by new ones.
        delay_events: The delay of spectators in events.
        delay_minutes: The delay of spectators in minutes.
        record_due: Records what follows from secrets that the server keeps; None if it keeps none.
        certificate: The files of the certificate and its private key, or None for HTTP.
        program: The program with its first arguments, for processes that run game code.
        public_url: The address under which a proxy makes the table public, or None.

    Raises:
        NotReadable: The path does not exist, or the address cannot be used.
    """
    delay = Delay(delay_events, delay_minutes)
    folder = ServedFolder(path, renew=renew_links, delay=delay, record_due=record_due)
    return TableHost(
        folder,
        open_socket(port, lan),
        lan=lan,
        certificate=certificate,
        program=program,
        public_url=public_url,
    )


def lan_address() -> str:
    """Return this machine's address on its network, or the local address. This sends no data."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return _LOCAL_ADDRESS


class TableHost:
    """A server of the records of a folder on a socket."""

    def __init__(
        self,
        folder: ServedFolder,
        sock: socket.socket,
        *,
        lan: bool,
        certificate: tuple[Path, Path] | None,
        program: Sequence[str],
        public_url: str | None = None,
    ) -> None:
        """Work out the address and the host names under which the table can be reached.

        Args:
            folder: The file or folder to serve.
            sock: A bound socket; its port is in all addresses.
            lan: Whether other devices of the network may connect.
            certificate: The files of the certificate and its private key, or None for HTTP.
            program: The program with its first arguments, for processes that run game code.
            public_url: The address under which a proxy makes the table public, or None.
        """
        self.folder, self.public_url = folder, public_url
        self._sock, self._certificate, self._program = sock, certificate, program
        self.scheme = "https" if certificate else "http"
        self.host, self.port = lan_address() if lan else _LOCAL_ADDRESS, sock.getsockname()[1]
        names = {self.host, _LOCAL_ADDRESS, "localhost", *([socket.gethostname().lower()] if lan else [])}
        default_port = {"http": 80, "https": 443}[self.scheme]
        self.hosts = {f"{name}:{self.port}" for name in names} | (
            names if self.port == default_port else set()
        )

    @property
    def base(self) -> str:
        """The address of the first page, as links have it."""
        return self.public_url or f"{self.scheme}://{self.host}:{self.port}"

    @property
    def is_reachable(self) -> bool:
        """Whether other devices can open the links."""
        return self.public_url is not None or self.host != _LOCAL_ADDRESS

    def shared_links(self, holder: Grant, name: str, path: Path) -> list[TableLink]:
        """Return the links for the record `name` at `path` alone that the link of `holder` can share."""
        grants = self.folder.record_grants(path) if self.folder.is_folder else self._grants()
        return self._record_links([grant for grant in grants if holder.can_share(grant)], name, path)

    def links(self) -> list[TableLink]:
        """Return a link for each role, and for each seat of a single record."""
        if self.folder.is_folder:
            return [self._link(Grant(role), f"{self.base}/api/records") for role in OPEN_ROLES]
        return self._record_links(self._grants(), *next(iter(self.folder.names().items())))

    def _grants(self) -> list[Grant]:
        """Return the grants for a single record: each role, and after the first role each seat."""
        first, *others = map(Grant, OPEN_ROLES)
        return [first, *self.folder.record_grants(next(iter(self.folder.names().values()))), *others]

    def _record_links(self, grants: Sequence[Grant], name: str, path: Path) -> list[TableLink]:
        """Return the links of `grants`, which open the record `name` at `path`."""
        people = {
            seat["seat"]: seat["name"] for seat in (self.folder.header_data(path) or {"seats": []})["seats"]
        }
        api = f"{self.base}/api/records/{quote(name)}"
        return [self._link(grant, api, people.get(grant.seat, "")) for grant in grants]

    def _link(self, grant: Grant, api: str, name: str = "") -> TableLink:
        token = self.folder.links.token(grant)
        return TableLink(grant.role, f"{self.base}/#{token}", token, api, grant.seat, name)

    def app(self, connections: int) -> Starlette:
        """Return the application of a server with at most this many `connections`."""

        @asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            await anyio.to_thread.run_sync(self.folder.names_by_grant)
            if not self.folder.is_folder:
                await self.folder.record(next(iter(self.folder.names())))
            async with anyio.create_task_group() as group:
                polling = partial(watch, lambda: self.folder.open_records, self.folder.state)
                group.start_soon(polling)
                yield
                group.cancel_scope.cancel()

        api = Api(self.folder, min(MAX_STREAMS, connections // 4))
        lobby = Lobby(api, self.shared_links, is_reachable=self.is_reachable)
        new_records = NewRecords(api, self.shared_links)
        downloads = FolderDownloads(api, self._program)
        handlers = (new_records, lobby, downloads, TablePage(api), Previews(api), Sheets(api), api)
        return Starlette(
            routes=[route for handler in handlers for route in handler.routes()],
            middleware=[
                Middleware(OriginCheck, hosts=self.hosts, scheme=self.scheme),
                Middleware(_ErrorHandler),
            ],
            exception_handlers={
                GamelogError: api.answer_error,
                404: _answer_unknown_address,
                405: _answer_unknown_address,
            },
            lifespan=lifespan,
        )

    def run(self, ready: Callable[[], None]) -> None:
        """Serve until the process stops. `ready` is called once the server listens.

        Raises:
            NotReadable: The address, the certificate or the records cannot be used.
        """
        self.server(ready).run([self._sock])

    def server(self, ready: Callable[[], None]) -> TableServer:
        """Return the web server, not yet started.

        Raises:
            NotReadable: The certificate or the records cannot be read.
        """
        connections = _allowed_connections()
        unlinked = UnlinkedConnections[TimeoutProtocol](min(MAX_UNLINKED, connections // 16))
        starting = UnlinkedConnections[TimeoutProtocol](
            min(_MAX_TLS_STARTS, connections // 16), is_spared=lambda connection: connection.has_unread_data
        )
        context, familiar = self._tls(), FamiliarAddresses()

        max_pending = min(MAX_SILENT, connections * 3 // 10)
        silent, waiting = (
            UnlinkedConnections[PendingConnection](max_pending),
            UnlinkedConnections[PendingConnection](max_pending),
        )

        def keep_socket(sock: socket.socket) -> None:
            silent.add(PendingConnection(sock))

        protocol_members: dict[str, Any] = {
            "unlinked": unlinked,
            "starting": starting,
            "familiar": familiar,
            "keep_socket": keep_socket if context else None,
        }

        def protocol(**members: Any) -> asyncio.Protocol:
            return protocol_of(TimeoutProtocol(**members, **protocol_members), context)

        config = uvicorn.Config(
            self.app(connections),
            http=protocol,  # type: ignore[arg-type]  # uvicorn only calls it
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        acceptor = partial(
            Acceptor,
            is_known=self._is_known,
            silent=silent,
            waiting=waiting,
            familiar=familiar,
            tls=context is not None,
        )
        return TableServer(config, ready, self._close_records, acceptor)

    def _is_known(self, first_bytes: bytes) -> bool:
        """Return whether the `first_bytes` of a request show a valid link. TLS hides the link."""
        shown = _BEARER_TOKEN.search(first_bytes)
        return shown is not None and self.folder.links.find_grant(shown[1].decode()) is not None

    def _tls(self) -> ssl.SSLContext | None:
        """Return the TLS context, or None without a certificate.

        Raises:
            NotReadable: The certificate cannot be read.
        """
        if self._certificate is None:
            return None
        certificate, key = self._certificate
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        # Clients offer other curves first. So with TLS 1.3 the server asks them for another first message,
        # and signs nothing for strangers who send only one.
        context.set_ecdh_curve("prime256v1")
        try:
            context.load_cert_chain(certificate, key)
        except (OSError, ssl.SSLError) as error:
            raise NotReadable(
                Message.of(
                    "The certificate {=certificate} with the key {=key} cannot be used: {=error}.",
                    certificate=str(certificate),
                    key=str(key),
                    error=str(error),
                )
            ) from None
        return context

    def _close_records(self) -> None:
        for record in self.folder.open_records:
            record.close()
            record.wake()


def _allowed_connections() -> int:
    """Raise the process's limit of open files, and return the number of connections that it allows."""
    wanted = 2 * (MAX_STREAMS + MAX_UNLINKED + _MAX_TLS_STARTS + 2 * MAX_SILENT)
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft == resource.RLIM_INFINITY or soft >= allowed:
        return allowed
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return allowed


class _ErrorHandler:
    """Middleware that answers an unexpected error without its details, so that other requests continue."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: asgi.Scope, receive: asgi.Receive, send: asgi.Send) -> None:
        """Answer a request. If an error occurs before the answer has begun, answer with that error."""
        has_answered = False

        async def note_and_send(message: asgi.Message) -> None:
            nonlocal has_answered
            has_answered = has_answered or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, note_and_send)
        except Exception as error:
            if scope["type"] != "http" or has_answered:
                raise
            language = language_of(HTTPConnection(scope))
            await error_response(_failure(error), language=language, status=500)(scope, receive, send)


def _failure(error: Exception) -> GamelogError:
    """Return the answer to an unexpected `error`: the failure of a game's code, or of the server."""
    failure = describe_failure(error)
    if failure is not None:
        text = Message.of(
            "Your last request was not confirmed: {failure}. Look at the list of events before you send the "
            "request again.",
            failure=failure,
        )
        return BrokenGame(text)
    text = Message.of(
        "The server failed ({=error}). Your last request was not confirmed. Look at "
        "the list of events before you send the request again.",
        error=type(error).__name__,
    )
    return Denied("table.failed", text)


async def _answer_unknown_address(request: Any, error: Any) -> Any:
    text = {404: "There is nothing at this address.", 405: "This address does not support this method."}[
        error.status_code
    ]
    return error_response(
        Denied("table.no_page", text), language=language_of(request), status=error.status_code
    )

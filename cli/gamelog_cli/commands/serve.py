"""`gamelog serve`: a server for recording on several devices and for programs."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamelog.errors import Conflict, GamelogError, MissingExtra
from gamelog.play.recording.recorder import EventRecorder
from gamelog_cli.arguments import Json, Secrets
from gamelog_cli.exits import usage
from gamelog_cli.printing.output import emit, print_line, warn
from gamelog_cli.program import PROGRAM
from gamelog_cli.secrets.dice_secrets import check_secrets, read_secret, record_due_events

if TYPE_CHECKING:
    from gamelog_table.server import TableHost, TableLink

PORT = 8417
"""Default port."""

_STOP_HINT = "To stop it, press Ctrl-C. No confirmed event is lost."

_PUBLIC_URL = re.compile(
    r"(https?://(?:[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?)/?", re.ASCII | re.IGNORECASE
)
"""Pattern of an address without a path."""


def _public_url(text: str | None) -> str | None:
    """Return a public address without a slash at its end.

    Raises:
        typer.BadParameter: The address is not valid.
    """
    match = _PUBLIC_URL.fullmatch(text or "")
    if text is not None and not match:
        raise typer.BadParameter(
            "type https:// and the name of the site, without a path, for example https://table.example.org"
        )
    return match and match[1]


def serve(
    path: Annotated[
        Path,
        typer.Argument(metavar="FILE|FOLDER", help="A record, or a folder of records.", show_default=False),
    ],
    lan: Annotated[
        bool,
        typer.Option("--lan", help="Let all devices on the network reach the server, not only this machine."),
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="Port of the server. 0 means any free port.")
    ] = PORT,
    new_links: Annotated[
        bool, typer.Option("--new-links", help="Withdraw all earlier links, and make new ones.")
    ] = False,
    delay_events: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help=("Number of events by which the game is delayed for spectators.")
        ),
    ] = 0,
    delay_minutes: Annotated[
        float,
        typer.Option(
            min=0, metavar="N", help=("Number of minutes by which the game is delayed for spectators.")
        ),
    ] = 0,
    tls_cert: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="TLS certificate of the server. Also give --tls-key.", show_default=False
        ),
    ] = None,
    tls_key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Private key of the TLS certificate. Also give --tls-cert.",
            show_default=False,
        ),
    ] = None,
    public_url: Annotated[
        str | None,
        typer.Option(
            help=(
                "Public address of a reverse proxy in front of the server, which the links "
                "then contain, for example https://table.example.org."
            ),
            metavar="URL",
            callback=_public_url,
            show_default=False,
        ),
    ] = None,
    secret: Secrets = [],
    json: Json = False,
) -> None:
    """Serve records to several devices, for recording and for following live. Prints a link for each role.

    Anyone who opens a link gets its role: scorer, a seat, arbiter or spectator. Without TLS, anyone on the
    same network can read everything.

    With --secret, the links of the secret and the rolls that follow are recorded when they are due, as
    gamelog record does.
    """
    if (tls_cert is None) != (tls_key is None):
        usage("--tls-cert and --tls-key need each other.")
    try:
        from gamelog_table.server import open_table
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "anyio", "segno", "h11"):
            raise
        raise MissingExtra("gamelog serve", "serve") from None
    table = open_table(
        path,
        port=port,
        lan=lan,
        renew_links=new_links,
        delay_events=delay_events,
        delay_minutes=delay_minutes,
        record_due=_due_recorder(path, secret) if secret else None,
        certificate=(tls_cert, tls_key) if tls_cert and tls_key else None,
        program=PROGRAM,
        public_url=public_url,
    )
    table.run(lambda: _print_links(table, json))


def _due_recorder(path: Path, secret: list[Path]) -> Callable[[EventRecorder], None]:
    """Return a function that records what is due and follows from the secrets.

    The function prints each problem once, and the server continues.
    """
    secrets, printed = {secret_path: read_secret(secret_path) for secret_path in secret}, set[str]()
    if path.is_file():
        check_secrets(EventRecorder(path), secrets)

    def record(recorder: EventRecorder) -> None:
        """Record the links and rolls that are due from the secrets of this record."""
        own = {path: chain for path, chain in secrets.items() if chain.id == recorder.record_view.header.id}
        try:
            recorded = bool(own)
            while recorded:
                recorded = len([*record_due_events(recorder, own)]) > 0
        except Conflict:
            pass  # someone else recorded first; the server calls this function again
        except GamelogError as error:
            if str(error) not in printed:
                warn(error.message)
            printed.add(str(error))

    return record


def _print_links(table: TableHost, json: bool) -> None:
    """Print the links, after the server has begun to listen."""
    links = table.links()
    for link in links:
        if json:
            emit(link)
        else:
            _print_link(link)
    sys.stdout.flush()
    if json:
        return
    on_network = table.host != "127.0.0.1"
    if table.public_url:
        print_line(f"Browsers open the links at {table.public_url}, the reverse proxy. {_STOP_HINT}")
    elif on_network:
        print_line(f"All devices on this network can reach the server. {_STOP_HINT}")
    else:
        print_line(
            "Only this machine can reach the server. To let other devices reach the server, start "
            f"it with --lan. {_STOP_HINT}"
        )
    if (on_network and table.scheme == "http") or (table.public_url or "").startswith("http:"):
        warn(
            "Without TLS, anyone on the same network can read everything, including the links. To set up "
            "TLS, see docs/serve.md."
        )


def _print_link(link: TableLink) -> None:
    """Print a link, on a terminal with its QR code."""
    who = f"{link.role} {link.seat} ({link.name})" if link.seat else link.role
    print_line(f"{who}: {link.url}")
    if sys.stdout.isatty():
        import segno

        segno.make(link.url, error="m", micro=False).terminal(compact=True)

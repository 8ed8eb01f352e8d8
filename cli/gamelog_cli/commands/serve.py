"""`gamelog serve`: the table, for devices and programs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamelog.errors import Conflict, GamelogError, MissingExtra
from gamelog.play.recording.recorder import EventRecorder
from gamelog_cli.arguments import Json, Secrets
from gamelog_cli.commands.dice import answers, chain_in, check_hands
from gamelog_cli.exits import usage
from gamelog_cli.output import emit, print_line, warn

if TYPE_CHECKING:
    from gamelog_table.server import LiveTable, TableLink

PORT = 8417
"""The port unless another is given."""


def serve(
    path: Annotated[
        Path, typer.Argument(metavar="FILE|FOLDER", help="A record, or a folder of them.", show_default=False)
    ],
    lan: Annotated[
        bool,
        typer.Option("--lan", help="Open to everybody on this machine's network, not on this machine alone."),
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")] = PORT,
    new_links: Annotated[
        bool, typer.Option("--new-links", help="Withdraw all links given out before, and make new ones.")
    ] = False,
    delay_events: Annotated[
        int, typer.Option(min=0, help="Show spectators what happened so many events ago.")
    ] = 0,
    delay_minutes: Annotated[
        float, typer.Option(min=0, help="Show spectators what happened so many minutes ago.")
    ] = 0,
    tls_cert: Annotated[
        Path | None, typer.Option(help="A certificate, for TLS; with --tls-key.", show_default=False)
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(help="The certificate's key.", show_default=False)] = None,
    secret: Secrets = [],
    json: Json = False,
) -> None:
    """Open the table: record on several devices at once, and follow live. Prints a link for each role.

    With --secret, the links of that secret and the rolls that follow are written by themselves when they are
    due, as gamelog record does.

    Who has a link has its role: scorer, a seat, arbiter, spectator. Without TLS, whoever is on the same
    network can read along.
    """
    if (tls_cert is None) != (tls_key is None):
        usage("--tls-cert and --tls-key go together.")
    try:
        from gamelog_table.followers import Delay
        from gamelog_table.served_folder import ServedFolder
        from gamelog_table.server import LiveTable, open_socket
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "anyio", "segno", "h11"):
            raise
        raise MissingExtra("Serving a table", "serve") from None
    folder = ServedFolder(
        path,
        renew=new_links,
        delay=Delay(delay_events, delay_minutes),
        unasked=_unasked(path, secret) if secret else None,
    )
    certificate = (tls_cert, tls_key) if tls_cert and tls_key else None
    table = LiveTable(folder, open_socket(port, lan), lan=lan, certificate=certificate)
    table.run(lambda: _tell(table, json))


def _unasked(path: Path, secret: list[Path]) -> Callable[[EventRecorder], None]:
    """Writes what is due and follows from the secrets; what is wrong is said once, here, and ends nothing."""
    hands, said = {one: chain_in(one) for one in secret}, set[str]()
    if path.is_file():
        check_hands(EventRecorder(path), hands)

    def write(recorder: EventRecorder) -> None:
        own = {one: chain for one, chain in hands.items() if chain.id == recorder.fold.header.id}
        try:
            wrote = bool(own)
            while wrote:
                wrote = len([*answers(recorder, own)]) > 0
        except Conflict:
            pass  # somebody else wrote first: it is looked at again
        except GamelogError as error:
            if str(error) not in said:
                warn(f"{error}")
            said.add(str(error))

    return write


def _tell(table: LiveTable, json: bool) -> None:
    """Print the links, now that somebody answers there."""
    links = table.links()
    for link in links:
        if json:
            emit(link)
        else:
            _show(link)
    sys.stdout.flush()
    if json:
        return
    where = (
        "everybody on this network who has a link"
        if table.host != "127.0.0.1"
        else "this machine alone (--lan opens it)"
    )
    print_line(f"Open to {where}. Ctrl-C ends it; the record is safe at any time.")
    if table.scheme == "http" and table.host != "127.0.0.1":
        warn("Without TLS whoever is on the same network can read along, links included: see docs/serve.md.")


def _show(link: TableLink) -> None:
    who = f"{link.role} {link.seat} ({link.name})" if link.seat else link.role
    print_line(f"{who}: {link.url}")
    if sys.stdout.isatty():
        import segno

        segno.make(link.url, error="m", micro=False).terminal(compact=True)

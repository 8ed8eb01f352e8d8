"""`gamelog keygen`: a key pair for signatures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gamelog_cli.arguments import Json
from gamelog_cli.printing.output import emit, print_line


def keygen(
    out: Annotated[
        Path,
        typer.Option(
            "-o",
            "--out",
            help="Output file for the private key. The public key goes to KEY.pub.",
            metavar="KEY",
        ),
    ],
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=("Name of the key's owner, in one word. By default, the name of the key file."),
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Make an Ed25519 key pair: KEY for yourself, and KEY.pub for all other people."""
    from gamelog.record.seal import Signer, write_keys

    signer = Signer.new(name or out.stem)
    public = write_keys(out, signer)
    if json:
        emit({"private": str(out), "public": str(public), "key": str(signer.key)})
    else:
        print_line(f"Keep {out} secret. {public}: {signer.key}")

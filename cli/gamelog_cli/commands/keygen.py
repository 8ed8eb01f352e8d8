"""`gamelog keygen`: a key to sign with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gamelog_cli.arguments import Json
from gamelog_cli.output import emit, print_line


def keygen(
    out: Annotated[
        Path,
        typer.Option("-o", "--out", help="The private key; the public one goes to KEY.pub.", metavar="KEY"),
    ],
    name: Annotated[
        str | None, typer.Option(help="Whose key it is, in one word; the file's name if left out.")
    ] = None,
    json: Json = False,
) -> None:
    """Make an Ed25519 key pair: KEY, for its owner alone, and KEY.pub, for everybody."""
    from gamelog.record.seal import Signer, write_keys

    signer = Signer.new(name or out.stem)
    public = write_keys(out, signer)
    if json:
        emit({"private": str(out), "public": str(public), "key": str(signer.key)})
    else:
        print_line(f"{out}: keep it to yourself. {public}: {signer.key}")

"""`gamelog compare`: two score sheets side by side."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamelog.record.reading import read
from gamelog.record.shelf import records
from gamelog_cli.arguments import Json
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.output import emit, say

if TYPE_CHECKING:
    from gamelog.dispute.compare import Comparison, Side


def compare(
    a: Annotated[Path, typer.Argument(help="A record, or a folder of them.", show_default=False)],
    b: Annotated[Path, typer.Argument(help="Another one; of two folders, files of the same name.", show_default=False)],
    merge: Annotated[Path | None, typer.Option(help="Write the agreed line as a new record.")] = None,
    json: Json = False,
) -> None:
    """Show where two records of one game part, and what each says there."""
    from gamelog.dispute.compare import compare as lay_side_by_side

    if a.is_dir() != b.is_dir() or (a.is_dir() and merge):
        usage("Compare two records, or two folders; --merge is for two records.")
    differ = False
    for one, other in _pairs(a, b) if a.is_dir() else [(a, b)]:
        if one is None or other is None:
            differ = True
            if json:
                emit({"same": False, "only": str(one or other)})
            else:
                say(f"{one or other}: only there.")
            continue
        compared = lay_side_by_side(read(one), read(other))
        differ |= not compared.same
        if json:
            emit(compared)
        else:
            say(_told(compared))
    if merge:
        _merge(a, b, merge, json)
    if differ:
        raise typer.Exit(NOT_VALID)


def _pairs(a: Path, b: Path) -> list[tuple[Path | None, Path | None]]:
    """The files of two folders by their names, those that only one of them has included."""
    found = [{path.relative_to(folder): path for path in records([folder])} for folder in (a, b)]
    return [(found[0].get(name), found[1].get(name)) for name in sorted(found[0] | found[1])]


def _told(compared: Comparison) -> str:
    a, b = compared.a, compared.b
    if compared.same:
        return f"{a.path} and {b.path}: the same game, {compared.agreed} decisions and dice."
    if compared.why:
        return f"{a.path} and {b.path} are not of one game: {compared.why}."
    lines = [f"{a.path} and {b.path} agree on {compared.agreed} decisions and dice, and then part:"]
    lines += [_says(side) for side in (a, b)]
    return "\n".join(lines)


def _says(side: Side) -> str:
    what = f"event {side.n}: {side.text}" if side.says else "has no more events"
    judged = f" It is {side.status}: event {side.illegal.n}, {side.illegal.message}." if side.illegal else " Its line is legal."
    signed = f" Signed up to event {side.signed}." if side.signed else ""
    return f"  {side.path} {what}{judged}{signed}"


def _merge(a: Path, b: Path, out: Path, json: bool) -> None:
    from gamelog.dispute.compare import merge
    from gamelog.record.disk import write_new

    data = merge(read(a), read(b), str(uuid.uuid4()))
    write_new(out, data)
    if not json:
        say(f"{out}: the line on which both agree.")

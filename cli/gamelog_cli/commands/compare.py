"""`gamelog compare`: two score sheets side by side."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from gamelog.errors import PlayError, RecordError
from gamelog.record.counting import many
from gamelog.record.discovery import find_records
from gamelog.record.reading import Record, compressed, read_record
from gamelog.record.seal import Seal
from gamelog_cli.arguments import Headings, Json
from gamelog_cli.commands.verify import read_seal
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.named_record import named
from gamelog_cli.output import emit, print_table, say, say_all

if TYPE_CHECKING:
    from gamelog.dispute.compare import Comparison, Difference
    from gamelog.dispute.sheet import Said, Side

_SHOWN = 20
"""Differences that people are shown; --json lists them all."""


def compare(
    a: Annotated[Path, typer.Argument(help="A record, - for standard input, or a folder of records.", show_default=False)],
    b: Annotated[
        Path, typer.Argument(help="Another one; of two folders, files of the same name or of one id.", show_default=False)
    ],
    against: Annotated[list[Path], typer.Option("--against", help="A seal that somebody holds.", metavar="SEAL")] = [],
    merge: Annotated[Path | None, typer.Option(help="Write the agreed line as a new record.")] = None,
    headings: Headings = True,
    json: Json = False,
) -> None:
    """Show where two records of one game part, what each says there, and who has the later seal."""
    if merge and compressed(merge):
        usage(f"{merge} is named as a compressed record, and those are only read; name it {merge.with_suffix('')}.")
    if a.is_dir() != b.is_dir() or (a.is_dir() and merge):
        usage("Compare two records, or two folders; --merge is for two records.")
    seals = [read_seal(path) for path in against]
    if a.is_dir():
        alike = _folders(a, b, seals, json, headings)
    else:
        from gamelog.dispute.compare import compare as lay_side_by_side

        one, other = named(a), named(b)
        compared = lay_side_by_side(one, other, seals)
        alike = compared.same
        if json:
            emit(compared)
        else:
            say_all(_told(compared))
        if merge:
            _merge(one, other, merge, json)
    if not alike:
        raise typer.Exit(NOT_VALID)


def _folders(a: Path, b: Path, seals: Sequence[Seal], json: bool, headings: bool) -> bool:
    """Compare what two people have of a league; whether all of it is the same."""
    from gamelog.dispute.compare import compare as lay_side_by_side

    rows: list[tuple[str, str, str]] = []
    alike = 0
    for one, other in _pairs(a, b):
        if one is None or other is None:
            rows.append((str(one or other), "only there", ""))
            if json:
                emit({"same": False, "only": str(one or other)})
            continue
        try:
            compared = lay_side_by_side(read_record(one), read_record(other), seals)
        except (PlayError, RecordError) as error:
            rows.append((str(one), "cannot be compared", str(error)))
            if json:
                emit({"same": False, "a": str(one), "b": str(other), "error": str(error)})
            continue
        alike += compared.same
        rows.append((str(one), *_row(compared)))
        if json:
            emit(compared)
    if not json:
        print_table(("record", "result", "what they say"), rows, headings=headings)
        say(f"{alike} of {len(rows)} are the same in {a} and {b}.")
    return alike == len(rows)


def _pairs(a: Path, b: Path) -> Iterator[tuple[Path | None, Path | None]]:
    """The files of two folders by their names, the others by the ids of their records; then those that only one has."""
    found = [{path.relative_to(folder): path for path in find_records([folder])} for folder in (a, b)]
    yield from ((found[0][name], found[1][name]) for name in sorted(found[0].keys() & found[1].keys()))
    rest = [{name: path for name, path in mine.items() if name not in other} for mine, other in (found, found[::-1])]
    ids = [{_id(path): path for path in paths.values()} for paths in rest]
    matched = sorted(id for id in ids[0].keys() & ids[1].keys() if id)
    yield from ((ids[0][id], ids[1][id]) for id in matched)
    done = {ids[side][id] for side in (0, 1) for id in matched}
    yield from ((path, None) for path in sorted(rest[0].values()) if path not in done)
    yield from ((None, path) for path in sorted(rest[1].values()) if path not in done)


def _id(path: Path) -> str:
    try:
        header = read_record(path).header
    except RecordError:
        return ""
    return header.id if header else ""


def _row(compared: Comparison) -> tuple[str, str]:
    if compared.same:
        return "the same", many(compared.agreed, "decision or roll", "decisions and dice")
    if compared.why:
        return "not of one game", compared.why
    says = " / ".join(f"{side.n}. {side.text}" if side.says else "no more" for side in (compared.a, compared.b))
    later = f"; the later seal is {getattr(compared, compared.later).path}'s" if compared.later else ""
    return f"parts after {compared.agreed}, {_how(compared)}", f"{says}{later}"


def _told(compared: Comparison) -> list[str]:
    a, b, shared = compared.a, compared.b, many(compared.agreed, "decision or roll", "decisions and dice")
    if compared.why:
        return [f"{a.path} and {b.path} are not of one game: {compared.why}."]
    if compared.same:
        lines = [f"{a.path} and {b.path}: the same game, {shared}."]
        lines += [f"  {side.path}:{_sealed(side)}" for side in (a, b) if side.sealed]
    else:
        lines = [f"{a.path} and {b.path} agree on {shared}, and then part: {_how(compared)}."]
        lines += [_says(side) for side in (a, b)]
        lines += _listed(compared)
    others = [one for one in compared.headers if one.member != "id"]  # two sheets are two records
    if others:
        lines.append("What their headers say differently:")
        lines += [f"  {one.member}: {_brief(one.a)} in {a.path}, {_brief(one.b)} in {b.path}" for one in others]
    if compared.later:
        lines.append(f"The later seal is that of {getattr(compared, compared.later).path}.")
    return lines


def _brief(value: object) -> str:
    """A header's member, cut where it is long."""
    if value is None:
        return "nothing"
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 80 else text[:79] + "…"


def _listed(compared: Comparison) -> list[str]:
    """All differences, the first one marked; of a single one how long it is, and whether they agree after it."""
    found, more = compared.differences, compared.unlisted
    total = len(found) + more
    if total == 1:
        (one,) = found
        ended = compared.a.says is None or compared.b.says is None
        if ended or one.length > 1:
            told = _difference(one, compared.a.path, compared.b.path)
            return [told] if ended else [told, "After that they agree to the end."]
        return ["After it they agree to the end."]
    lines = [f"{total} differences, between which they are in step; the first (>) is the one above:"]
    a, b = compared.a.path, compared.b.path
    lines += [f"{'>' if at == 1 else ' '} {at}. {_difference(one, a, b)}" for at, one in enumerate(found[:_SHOWN], 1)]
    if total > _SHOWN:
        lines.append(f"  and {total - _SHOWN} more; --json lists {'them' if not more else f'the first {len(found)}'}.")
    return lines


def _difference(one: Difference, a: str, b: str) -> str:
    match one.kind:
        case "missing in a":
            return f"{_events(one.b, one.length, b)} missing in {a} after event {one.a.n}."
        case "missing in b":
            return f"{_events(one.a, one.length, a)} missing in {b} after event {one.b.n}."
        case "twice in a":
            return f"{_events(one.a, one.length, a)} there a second time; {b} has this once, up to event {one.b.n}."
        case "twice in b":
            return f"{_events(one.b, one.length, b)} there a second time; {a} has this once, up to event {one.a.n}."
        case "in another order":
            return f"In another order: event {one.a.n} in {a} is event {one.b.n} in {b}: {one.a.text}"
        case "another":
            return f"{a}, event {one.a.n}: {one.a.text} {b}, event {one.b.n}: {one.b.text}"


def _events(said: Said, length: int, path: str) -> str:
    if length == 1:
        return f"{path}, event {said.n}: {said.text} It is"
    return f"{path}, {length} events from {said.n} on, the first: {said.text} They are"


def _how(compared: Comparison) -> str:
    a, b = compared.a.path, compared.b.path
    return {
        "missing in a": f"what {b} has next is missing in {a}",
        "missing in b": f"what {a} has next is missing in {b}",
        "twice in a": f"{a} has the last of them twice",
        "twice in b": f"{b} has the last of them twice",
        "in another order": "two events stand in another order",
        "another": "they say different things",
    }[compared.kind or "another"]


def _says(side: Side) -> str:
    what = f", event {side.n}: {side.text}" if side.says else " has no more events."
    judged = f" It is {side.status}: event {side.illegal.n}, {side.illegal.message}." if side.illegal else " Its line is legal."
    return f"  {side.path}{what}{judged}{_sealed(side)}"


def _sealed(side: Side) -> str:
    covers = {True: ", this event included", False: ""}
    return "".join(f" {one.seat} has signed up to event {one.n} on {one.time}{covers[one.covers]}." for one in side.sealed)


def _merge(a: Record, b: Record, out: Path, json: bool) -> None:
    from gamelog.dispute.compare import merge
    from gamelog.record.disk import write_new

    data = merge(a, b, str(uuid.uuid4()))
    write_new(out, data)
    if not json:
        say(f"{out}: the line on which both agree.")

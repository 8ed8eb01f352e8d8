"""`gamelog compare`: two score sheets side by side."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamelog.errors import PlayError, RecordError
from gamelog.record.counting import many
from gamelog.record.discovery import find_records
from gamelog.record.reading import Record, compressed, parse_record, read_record
from gamelog.record.seal import Seal
from gamelog_cli.arguments import Headings, Json
from gamelog_cli.commands.verify import read_seal
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.named_record import named
from gamelog_cli.output import emit, print_table, say, say_all
from gamelog_cli.saving import save_page

if TYPE_CHECKING:
    from gamelog.dispute.compare import Comparison


def compare(
    a: Annotated[
        Path,
        typer.Argument(help="A record, - for standard input, or a folder of records.", show_default=False),
    ],
    b: Annotated[
        Path,
        typer.Argument(
            help="Another one; of two folders, files of the same name or of one id.", show_default=False
        ),
    ],
    against: Annotated[
        list[Path], typer.Option("--against", help="A seal that somebody holds.", metavar="SEAL")
    ] = [],
    merge: Annotated[Path | None, typer.Option(help="Write the agreed line as a new record.")] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Write both, line by line, as a page (HTML).")
    ] = None,
    headings: Headings = True,
    json: Json = False,
) -> None:
    """Show where two records of one game part, what each says there, and who has the later seal."""
    if merge and compressed(merge):
        usage(
            f"{merge} is named as a compressed record, and those are only read; name it "
            f"{merge.with_suffix('')}."
        )
    if a.is_dir() != b.is_dir() or (a.is_dir() and (merge or out)):
        usage("Compare two records, or two folders; --merge and --out are for two records.")
    seals = [read_seal(path) for path in against]
    if a.is_dir():
        alike = _folders(a, b, seals, json, headings)
    else:
        from gamelog.dispute.compare import compare as lay_side_by_side
        from gamelog.dispute.comparison_words import comparison_words

        one, other = named(a), named(b)
        compared = lay_side_by_side(one, other, seals)
        alike = compared.same
        if json:
            emit(compared)
        else:
            say_all(comparison_words(compared))
        if merge:
            alike = _merge(one, other, merge, json) or alike
        if out:
            _page(one, other, compared, out, json)
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
    """The files of two folders by their names, others by their records' ids; then those that one has."""
    found = [{path.relative_to(folder): path for path in find_records([folder])} for folder in (a, b)]
    yield from ((found[0][name], found[1][name]) for name in sorted(found[0].keys() & found[1].keys()))
    rest = [
        {name: path for name, path in mine.items() if name not in other}
        for mine, other in (found, found[::-1])
    ]
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
    from gamelog.dispute.comparison_words import parting

    if compared.same:
        return "the same", many(compared.agreed, "decision or roll", "decisions and dice")
    if compared.why:
        return "not of one game", compared.why
    says = " / ".join(
        f"{side.n}. {side.text}" if side.says else "no more" for side in (compared.a, compared.b)
    )
    later = f"; the later seal is {getattr(compared, compared.later).path}'s" if compared.later else ""
    return f"parts after {compared.agreed}, {parting(compared)}", f"{says}{later}"


def _merge(a: Record, b: Record, out: Path, json: bool) -> bool:
    """Write both as one record; whether it has all that both say."""
    from gamelog.dispute.compare import merge
    from gamelog.record.disk import write_new

    data = merge(a, b, str(uuid.uuid4()))
    write_new(out, data)
    united = parse_record(data).first == a.first
    if not json:
        say(f"{out}: {'both copies of the record in one' if united else 'the line on which both agree'}.")
    return united


def _page(a: Record, b: Record, compared: Comparison, out: Path, json: bool) -> None:
    from gamelog_reports.comparison_page import comparison_page

    save_page(out, comparison_page(a, b, compared))
    if not json:
        say(out)

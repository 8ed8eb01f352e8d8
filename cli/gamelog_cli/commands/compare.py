"""`gamelog compare`: compare two score sheets of one game."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from msgspec import structs

from gamelog.errors import PlayError, RecordError
from gamelog.message import Message, verbatim
from gamelog.record.discovery import find_records
from gamelog.record.reading import Record, parse_record, read_record
from gamelog.record.seal import Seal
from gamelog_cli.arguments import ChosenLanguage, Headings, Json, refuse_compressed_output
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.input.chosen_sides import chosen_sides, numbers_text
from gamelog_cli.named_record import read_named, warn_of_damage
from gamelog_cli.printing.language import (
    clause_of,
    counted_events,
    current_language,
    current_renderer,
    text_of,
)
from gamelog_cli.printing.output import (
    emit,
    print_line,
    print_lines,
    print_table,
    print_warnings,
    save_page,
)
from gamelog_cli.secrets.seal_files import read_seal

if TYPE_CHECKING:
    from gamelog.dispute.alignment import Side
    from gamelog.dispute.compare import Comparison

_LONG_PATH = 24
"""Maximum length of a path that each sentence about two records repeats. Longer paths get a letter."""


def compare(
    a: Annotated[
        Path,
        typer.Argument(
            metavar="A", help="A record, - for standard input, or a folder of records.", show_default=False
        ),
    ],
    b: Annotated[
        Path,
        typer.Argument(
            metavar="B",
            help="Another record, or another folder. In folders, records with the same name or id are "
            "compared.",
            show_default=False,
        ),
    ],
    against: Annotated[
        list[Path], typer.Option("--against", help="A seal of one of the records.", metavar="SEAL")
    ] = [],
    merge: Annotated[
        Path | None, typer.Option(help="Merge both records into a new record.", metavar="NEW")
    ] = None,
    choose: Annotated[
        Path | None,
        typer.Option(
            help=(
                'A file that chooses a side for each difference, with a line "NUMBER a" or '
                '"NUMBER b" for each; - for standard input.'
            ),
            metavar="FILE",
        ),
    ] = None,
    prefer: Annotated[
        Literal["a", "b"] | None,
        typer.Option(help="The side to choose for all other differences."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="PAGE",
            help=("Output file for an HTML page that shows both records side by side."),
        ),
    ] = None,
    language: ChosenLanguage = None,
    reveal: Annotated[
        bool,
        typer.Option(
            "--reveal",
            help="Compare and show all hidden information and the seed of a game that is not over.",
        ),
    ] = False,
    headings: Headings = True,
    json: Json = False,
) -> None:
    """Show the differences of two records of one game, and which record has the later seal.

    Until the game is over, the command compares and shows only what all players know.

    With --merge, a new record gets the events on which both agree. With --choose or --prefer, the new record
    continues after the first difference with the side that you choose.
    """
    if (choose or prefer) and not merge:
        usage(Message.of("--choose and --prefer need --merge NEW, the file of the new record."))
    if merge:
        refuse_compressed_output(merge)
    if a.is_dir() != b.is_dir() or (a.is_dir() and (merge or out)):
        usage(Message.of("Compare two records or two folders. --merge and --out are for two records."))
    seals = [read_seal(path) for path in against]
    if a.is_dir():
        alike = _folders(a, b, seals, reveal, json, headings)
    else:
        from gamelog.dispute.compare import compare as compare_records
        from gamelog.dispute.comparison_words import comparison_words

        one, other = read_named(a), read_named(b)
        compared = compare_records(one, other, seals, current_language(), reveal=reveal)
        if json:
            emit(compared.plain())
        else:
            lettered = _shorten_paths(compared)
            if lettered is not compared:
                print_lines(verbatim(f"{side}: {path}") for side, path in (("A", a), ("B", b)))
            print_lines(comparison_words(lettered))
        damaged = [warn_of_damage(record, reveal=not compared.withheld) for record in (one, other)]
        alike = compared.same and not any(damaged)
        sides: list[Side] = []
        if choose or prefer:
            if "hidden information" in compared.withheld:
                usage(
                    Message.of(
                        "The game is not over, and its records can differ in hidden information. To choose "
                        "sides, add --reveal."
                    )
                )
            sides = chosen_sides(choose, prefer, len(compared.differences) + compared.unlisted)
        if merge:
            alike = _merge(one, other, merge, compared, sides, reveal, json) or alike
        if out:
            of_page = language or "en"
            if of_page != current_language():
                compared = compare_records(one, other, seals, of_page, reveal=reveal)
            _page(one, other, compared, out, sides, merge, json, of_page)
    if not alike:
        raise typer.Exit(NOT_VALID)


def _shorten_paths(compared: Comparison) -> Comparison:
    """Return a comparison that names the records A and B instead of their paths, if a path is long."""
    a, b = compared.a, compared.b
    if max(len(a.path), len(b.path)) <= _LONG_PATH:
        return compared
    return structs.replace(compared, a=structs.replace(a, path="A"), b=structs.replace(b, path="B"))


def _folders(a: Path, b: Path, seals: Sequence[Seal], reveal: bool, json: bool, headings: bool) -> bool:
    """Compare the records of two folders and print the result. Return whether all records are the same."""
    from gamelog.dispute.compare import compare as compare_records

    rows: list[tuple[str, str, str]] = []
    alike = withheld = 0
    for one, other in _pairs(a, b):
        if one is None or other is None:
            rows.append((str(one or other), text_of(Message.of("only in this folder")), ""))
            if json:
                emit({"same": False, "only": str(one or other)})
            continue
        try:
            compared = compare_records(
                read_record(one), read_record(other), seals, current_language(), reveal=reveal
            )
        except (PlayError, RecordError) as error:
            rows.append((str(one), text_of(Message.of("cannot be compared")), text_of(error.message)))
            if json:
                emit({"same": False, "a": str(one), "b": str(other), "error": str(error)})
            continue
        alike += compared.same
        withheld += bool(compared.withheld)
        rows.append((str(one), *_row(compared)))
        if json:
            emit(compared.plain())
    if not json:
        columns = (Message.of("record"), Message.of("result"), Message.of("a / b"))
        print_table(tuple(map(text_of, columns)), rows, headings=headings)
        text = "{alike} of {n} {n:record|records} are the same in {=a} and {=b}."
        print_line(Message.of(text, alike=alike, n=len(rows), a=str(a), b=str(b)))
        if withheld:
            text = (
                "{n} {n:game is|games are} not over, so hidden information and seeds of dice are left out. "
                "To include them, add --reveal."
            )
            print_line(Message.of(text, n=withheld))
    return alike == len(rows)


def _pairs(a: Path, b: Path) -> Iterator[tuple[Path | None, Path | None]]:
    """Yield pairs of files with the same name, then with the same record id, then files without a partner."""
    paths_by_name = [{path.relative_to(folder): path for path in find_records([folder])} for folder in (a, b)]
    yield from (
        (paths_by_name[0][name], paths_by_name[1][name])
        for name in sorted(paths_by_name[0].keys() & paths_by_name[1].keys())
    )
    rest = [
        {name: path for name, path in mine.items() if name not in other}
        for mine, other in (paths_by_name, paths_by_name[::-1])
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
    """Return the result of a comparison and its details, for one row of a table."""
    from gamelog.dispute.comparison_words import parting_clause

    agreed = Message.of("{n} {n:decision or roll|decisions and dice}", n=compared.agreed)
    if compared.same:
        return text_of(Message.of("the same")), text_of(agreed)
    if compared.why:
        return text_of(Message.of("not of one game")), text_of(compared.why)
    none = text_of(Message.of("no more events"))
    says = " / ".join(f"{side.n}. {side.text}" if side.says else none for side in (compared.a, compared.b))
    if compared.later:
        later = Message.of("{=path} has the later seal.", path=getattr(compared, compared.later).path)
        says += f"; {clause_of(later)}"
    text = "differs after {n}, {parting}"
    return text_of(Message.of(text, n=compared.agreed, parting=parting_clause(compared))), says


def _merge(
    a: Record,
    b: Record,
    out: Path,
    compared: Comparison,
    sides: Sequence[Side],
    reveal: bool,
    json: bool,
) -> bool:
    """Merge both records into a new record.

    Return whether the new record has all events of both, or the chosen side for each difference.
    """
    from gamelog.dispute.merging import merge, substitutions_left_out
    from gamelog.record.disk import write_new

    data = merge(a, b, str(uuid.uuid4()), sides, reveal=reveal)
    write_new(out, data)
    merged = parse_record(data, str(out))
    united = merged.header_head == a.header_head
    if sides and json:
        emit(
            {
                "merged": str(out),
                "events": len(merged.bodies),
                "sides": sides,
                "parents": merged.members["parents"],
            }
        )
    elif not json:
        print_line(_merge_sentence(merged, compared, sides, united))
    if not united and (left_out := substitutions_left_out(a, b)):
        text = "Record who played: gamelog substitute {$file} --seat SEAT --name NAME"
        print_warnings([*left_out, Message.of(text, file=str(out))])
    return united or bool(sides)


def _merge_sentence(merged: Record, compared: Comparison, sides: Sequence[Side], united: bool) -> Message:
    """Return a sentence about the source of the events of the new record."""
    if united:
        return Message.of("{=path} unites both copies of the record.", path=merged.path)
    if not sides:
        text = "{=path} has the events on which both records agree."
        if not compared.same:
            text = (
                "{=path} has the events on which both records agree, up to the first difference. To continue "
                "after it, decide the differences with --choose FILE or --prefer a|b."
            )
        return Message.of(text, path=merged.path)
    decided = [
        text_of(
            Message.of(
                "{n} {n:difference|differences} decided for {=path} ({=numbers})",
                n=len(numbers),
                path=path,
                numbers=numbers_text(numbers),
            )
        )
        for side, path in (("a", compared.a.path), ("b", compared.b.path))
        if (numbers := [number for number, chosen in enumerate(sides, 1) if chosen == side])
    ]
    return Message.of(
        "{=path}: {events}, {=decided}.",
        path=merged.path,
        events=counted_events(len(merged.bodies)),
        decided=current_renderer().locale.join(decided),
    )


def _page(
    a: Record,
    b: Record,
    compared: Comparison,
    out: Path,
    sides: Sequence[Side],
    merge: Path | None,
    json: bool,
    language: str,
) -> None:
    """Write the page of a comparison to `out`, and print its path unless the output is JSON."""
    from gamelog_reports.comparison_page import comparison_page

    save_page(out, comparison_page(a, b, compared, str(merge or ""), sides, language))
    if not json:
        print_line(out)

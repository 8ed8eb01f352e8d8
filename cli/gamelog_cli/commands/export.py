"""`gamelog export`: a replay page, one position as a picture or text, or a site of many replays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

import msgspec
import typer
from gamelog_reports.replay.position import position_data, text_of
from gamelog_reports.replay.privacy import Privacy

from gamelog.errors import RecordError
from gamelog.message import many
from gamelog.play.fold.game_errors import BROKEN
from gamelog.play.judging.replay import FoldedRecord
from gamelog.play.judging.replay import replay as fold_record
from gamelog.play.recording.anonymity import anonymous_replay
from gamelog.play.telling.ascii_board import ascii_board, initials, plain_lines
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.viewer import Viewer
from gamelog.record.discovery import ENDINGS, find_records
from gamelog_cli import completion
from gamelog_cli.arguments import Jobs
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.named_record import is_whole_pack, named, warn_of_damage
from gamelog_cli.output import (
    counted,
    print_first_warnings,
    print_line,
    print_warnings,
    safe_json_text,
    save_page,
)
from gamelog_cli.people import seat_named

_Format = Literal["html", "svg", "txt", "json"]

FORMATS: dict[str, _Format] = {".html": "html", ".htm": "html", ".svg": "svg", ".txt": "txt", ".json": "json"}
"""What a file's name says about its format."""

FOREIGN = (".pdf", ".png", ".jpg", ".jpeg", ".gif", ".webp")
"""What is not written: browsers print a page as PDF."""


def export(
    path: Annotated[
        Path, typer.Argument(help="A record, - for standard input, or a folder or pack of records.")
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", help="The file to write; for many records, the site's folder.")
    ],
    format: Annotated[
        _Format | None,
        typer.Option(help="A page (html), or one position; by default as OUT is named.", show_default=False),
    ] = None,
    at: Annotated[
        int | None, typer.Option(help="The event after which the position is taken; the last by default.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            help="Only what this player may see, by name or seat.", autocompletion=completion.complete_seats
        ),
    ] = None,
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Replace people by their seats.")] = False,
    language: Annotated[Literal["en", "pt"], typer.Option(help="The page's language.")] = "en",
    title: Annotated[str, typer.Option(help="What the page or the site is called.", show_default=False)] = "",
    single: Annotated[
        bool, typer.Option("--single", help="Make each page of a site one file that needs nothing beside it.")
    ] = False,
    reveal: Annotated[
        bool,
        typer.Option(
            "--reveal",
            help="Of a game that goes on, include what players hide from each other, and the dice's seed.",
        ),
    ] = False,
    jobs: Jobs = None,
    people: Annotated[
        Path | None,
        typer.Option("--people", help="For a site: a file that says who is who.", show_default=False),
    ] = None,
) -> None:
    """Write the self-contained replay page of a record, one picture of it,
    or a site of all records in a folder or pack.
    """
    if path.is_dir() or is_whole_pack(path):
        if format not in (None, "html") or at is not None:
            usage("Many records are exported as a site; --format and --at are for one record.")
        if seat is not None:
            usage("--seat is for one record.")
        pages = site(path, out, anonymous, language, title, jobs, single, reveal, people)
        print_line(f"{many(pages, 'page')}; open {out / 'index.html'}")
        return
    if people is not None:
        usage("--people is for a folder or pack of records.")
    format = _format(out, format)
    replayed = fold_record(named(path))
    header = replayed.record.header
    if seat is not None and replayed.fold is not None:
        seat = seat_named(replayed.fold, seat)
    elif seat is not None and header is not None and seat not in header.seat_ids:
        usage(f'There is no seat "{seat}"; the seats are {", ".join(header.seat_ids)}.')
    shown = anonymous_replay(replayed) if anonymous else replayed
    if format == "html":
        if at is not None:
            usage("--at is for svg, txt and json; a page opens at an event by its address: page.html#n=57.")
        from gamelog_reports.replay.page import make_page, missing_parts

        done = make_page(shown, seat=seat, language=language, heading=title, reveal=reveal)
        save_page(out, done.html)
        _print_withheld(done.withheld, replayed)
        incomplete = missing_parts(replayed) or done.incomplete
        print_warnings([incomplete] if incomplete else [])
    else:
        privacy = Privacy.of(shown, seat, reveal)
        save_page(out, _position(shown, format, at, privacy))
        _print_withheld(
            "what players hide from each other" if isinstance(privacy.seat, tuple) else "", replayed
        )
        print_warnings([f"{found.message}." for found in replayed.findings if found.code == BROKEN])
    print_line(out)
    if header is not None:
        warn_of_damage(replayed.record)
    else:
        print_warnings(
            [f"{path} is {replayed.status}, so the page has no game to show: {replayed.findings[0].message}."]
        )
    if replayed.fold is None:
        raise typer.Exit(NOT_VALID)


def _format(out: Path, asked: _Format | None) -> _Format:
    """The format of a file: what was asked for, else what its name says, else a page."""
    called = FORMATS.get(out.suffix.lower())
    if asked and called and asked != called:
        other = out.with_suffix(f".{asked}")
        usage(
            f"{out} is named as {called}, and --format says {asked}; leave --format out, or name the file "
            f"{other}."
        )
    if not asked and out.suffix.lower() in FOREIGN:
        page, picture = out.with_suffix(".html"), out.with_suffix(".svg")
        usage(f"A page is HTML and a picture SVG: name it {page} or {picture}.")
    return asked or called or "html"


def _print_withheld(withheld: str, replayed: FoldedRecord) -> None:
    """Print what is left out of a game that goes on, or whose code failed."""
    if not withheld:
        return
    why = "The game goes on, so this is left out"
    if any(found.code == BROKEN for found in replayed.findings):
        why = "The game's code failed, so its end is unknown and this is left out until the game is repaired"
    print_warnings([f"{why}: {withheld}. --reveal includes it."])


def _position(replayed: FoldedRecord, format: str, at: int | None, privacy: Privacy) -> str:
    """Return one position in one of the forms, as far as `privacy` lets it be seen."""
    fold = replayed.fold
    if fold is None:
        usage(f"{replayed.record.path} has no position to show: {replayed.findings[0].message}.")
    n = fold.n if at is None else at
    if not 0 <= n <= fold.n:
        usage(f"There is no position after event {n}; the last good event is {fold.n}.")
    view = RecordView(fold, Viewer.of(privacy.seat))
    scene = view.position(n).scene
    match format:
        case "svg":
            from gamelog_reports.board_svg import scene_svg

            return scene_svg(
                scene,
                seats=fold.header.seat_ids,
                title=text_of(view, n),
            )
        case "txt":
            return plain_lines(ascii_board(scene, initials(fold.header.seat_ids))) + "\n"
        case _:
            return safe_json_text(
                msgspec.json.encode(position_data(view, n, anonymous=privacy.anonymous)).decode() + "\n"
            )


def site(
    place: Path,
    out: Path,
    anonymous: bool = False,
    language: str = "en",
    title: str = "",
    jobs: int | None = None,
    single: bool = False,
    reveal: bool = True,
    people: Path | None = None,
) -> int:
    """Write the site of all records in a folder or pack to `out`, by `jobs` processes, and say how many pages
    it has.

    Each page is a `single` file, or they share what they have in common. The file `people` joins names and
    ids.
    """
    from gamelog_reports.players import read_players
    from gamelog_reports.publishing import publish_all
    from gamelog_reports.site import page_links, page_names, write_index

    with TemporaryDirectory(prefix="gamelog-") as room:
        found = [(file, name) for file, name in _records(place, Path(room)) if not file.is_relative_to(out)]
        if not found:
            usage(f"There are no records in {place}.")
        files = [file for file, _ in found]
        players = read_players(files, Path(room), jobs=jobs, people=people, anonymous=anonymous)
        names = page_names((name for _, name in found), anonymous)
        around = page_links(files, names, anonymous)
        pages = publish_all(
            files,
            names,
            around,
            out,
            jobs,
            anonymous=anonymous,
            language=language,
            single=single,
            reveal=reveal,
        )
        written = counted("writing pages", pages, len(files))
        entries = [players.complete(entry, file) for entry, file in zip(written, files, strict=True)]
    write_index(
        entries,
        out,
        heading=title or _heading(place, anonymous),
        language=language,
    )
    print_warnings(players.notes)
    print_first_warnings([*dict.fromkeys(entry.incomplete for entry in entries if entry.incomplete)])
    kept = sum(bool(entry.withheld) and not entry.incomplete for entry in entries)
    if kept:
        print_warnings(
            [
                f"{many(kept, 'game')} {'goes' if kept == 1 else 'go'} on, so what players hide from each "
                "other and seeds of dice are left out there. --reveal includes them."
            ]
        )
    return sum(bool(entry.href) for entry in entries)


def _heading(place: Path, anonymous: bool) -> str:
    """Return the title of a site, empty for the usual one: a folder may be called after a person."""
    if anonymous:
        return ""
    return place.name if place.is_dir() else place.name.partition(".")[0]


def _records(place: Path, room: Path) -> Iterator[tuple[Path, str]]:
    """The records in a folder or pack, and their names below it; packs are laid out in the folder `room`."""
    from gamelog.archive.sources.packs import ENDING

    for at, file in enumerate(find_records([place], (*ENDINGS, ENDING))):
        name = file.relative_to(place).as_posix() if file != place else ""
        if not is_whole_pack(file):
            yield file, name
            continue
        for laid in _unpacked(file, room / str(at), alone=file == place):
            yield (
                laid,
                f"{name.removesuffix(ENDING)}/{laid.relative_to(room / str(at)).as_posix()}".removeprefix(
                    "/"
                ),
            )


def _unpacked(pack: Path, folder: Path, alone: bool) -> list[Path]:
    """The records of a pack, as files in `folder`. If `alone`, raises `RecordError` for another file."""
    from gamelog.archive import unpack

    try:
        print_warnings(unpack(pack, folder).unreadable)
    except RecordError as error:
        if alone:
            raise
        print_warnings([str(error)])
    return sorted(path for path in folder.rglob("*") if path.is_file())

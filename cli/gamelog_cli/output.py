"""Output for people on a terminal, data in a pipe.

Rich is imported when somebody is there to look at it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from gamelog.errors import NotReadable, WriteFailed
from gamelog.message import Message
from gamelog.play.telling.ascii_board import Run, display_width
from gamelog.record.atomic_files import looks_like_record, write_atomically
from gamelog.record.escaping import INVISIBLE, escape_keeping_isolates
from gamelog_cli.language import text_of
from gamelog_cli.layout import blocks, room, widths, wrapped

if TYPE_CHECKING:
    from rich.console import Console

_T = TypeVar("_T")

SEAT_STYLES = ("red", "blue", "green", "yellow", "magenta", "cyan")
LONG_WORK = 50
"""From how many items on a progress bar is worth its line."""

_DRAWN = 0.1
"""Seconds after which it is drawn again."""


BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def shown(text: object) -> str:
    """Return `text`, a message or any other object, as one line that is safe to print.

    Control characters are escaped (``\\x1b``), because anyone may have written the names, notes and reasons
    in a record.
    """
    return escape_keeping_isolates(text_of(text))


def print_line(text: object = "") -> None:
    """A line for people on standard output; line ends at its beginning are empty lines before it."""
    line = text_of(text)
    rest = line.lstrip("\n")
    print("\n" * (len(line) - len(rest)) + shown(rest), flush=True)


def print_lines(lines: Iterable[object]) -> None:
    """Lines for people on standard output."""
    for line in lines:
        print_line(line)


def warn(text: object) -> None:
    """A line for people on standard error, beside an answer that a program may read."""
    print(shown(text), file=sys.stderr, flush=True)


def print_wrapped(text: str | Message, indent: str = "") -> None:
    """Print sentences, wrapped at words on a terminal; all lines but the first begin with `indent`."""
    if sys.stdout.isatty():
        print_lines(wrapped(shown(text), indent))
    else:
        print_line(text)


def print_warnings(what: Iterable[str | Message]) -> None:
    """One line each on standard error: what was left out while the rest was done."""
    for text in what:
        print(f"gamelog: {shown(text)}", file=sys.stderr)


def print_first_warnings(what: Sequence[str | Message], most: int = 10) -> None:
    """The first of them on standard error, and how many more there are."""
    print_warnings(
        [*what[:most], *([f"And {len(what) - most:,} more like these."] if len(what) > most else [])]
    )


def print_warning(text: str | Message) -> None:
    """One line on standard error, at once."""
    print_warnings([text])


def showable(text: str | Message) -> str:
    """Return `text` with characters escaped that standard output cannot show, for other writers to it."""
    encoding = sys.stdout.encoding or "utf-8"
    return shown(text).encode(encoding, "backslashreplace").decode(encoding)


def save(path: Path, text: str) -> None:
    """Make `path` a file of this text, with its folder; a link is replaced. Raises `NotReadable`."""
    try:
        write_atomically(path, text.encode())
    except WriteFailed as error:
        raise NotReadable(str(error)) from None


def safe_json_text(json: str) -> str:
    """JSON in which everything that would steer a terminal is escaped, so that it is the same data."""
    return INVISIBLE.sub(lambda match: match[0] if match[0] in "\t\n" else f"\\u{ord(match[0]):04x}", json)


def emit(value: Any) -> None:
    """One JSON object on a line of standard output."""
    write_json(msgspec.json.encode(value).decode() + "\n")


def write_json(text: str) -> None:
    """`harmless` JSON on standard output, with characters escaped that it cannot show."""
    text = safe_json_text(text)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = BEYOND_ASCII.sub(lambda match: json.dumps(match[0])[1:-1], text)
    sys.stdout.write(text)


def console() -> Console:
    """Standard output as Rich sees it: colours on a terminal, plain text in a pipe."""
    from rich.console import Console

    return Console(highlight=False, markup=False, soft_wrap=True)


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, data: bool = True, headings: bool = True
) -> None:
    """A table on a terminal, tab-separated lines in a pipe; what is not data is a table everywhere.

    The first line names the columns, but without `headings`.
    """
    if data and not sys.stdout.isatty():
        for row in (columns, *rows) if headings else rows:
            print("\t".join("" if cell is None else shown(cell) for cell in row), flush=True)
        return
    texts = [["" if cell is None else shown(cell) for cell in row] for row in rows]
    needed = widths(columns, texts)
    if needed is None and sys.stdout.isatty():
        print_lines(blocks(columns, texts, headings))
        return
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, header_style="bold", show_header=headings)
    for at, column in enumerate(columns):
        drawn.add_column(column, min_width=needed[at] if needed else None, overflow="fold")
    for row in texts:
        drawn.add_row(*map(Text, row))
    console().print(drawn)


def drawing_width() -> int | None:
    """How many columns a drawing may take; None where the output is not a terminal."""
    return room() if sys.stdout.isatty() else None


def drawing(lines: list[list[Run]], seats: Sequence[str]) -> None:
    """A sketched scene, each seat in its colour where there are colours."""
    if not sys.stdout.isatty():
        for line in lines:
            print_line("".join(run for run, _ in line).rstrip())
        return
    from rich.text import Text

    styles = {seat: SEAT_STYLES[at % len(SEAT_STYLES)] for at, seat in enumerate(seats)}
    out = console()
    for line in chain.from_iterable(map(_fitted, lines)):
        out.print(
            Text.assemble(
                *((shown(run), f"bold {styles[seat]}" if seat in styles else "") for run, seat in line)
            )
        )


def _fitted(line: list[Run]) -> list[list[Run]]:
    """A line of a sketch; what is told of a seat or a tray in more words than a line holds, in several."""
    told = len(line) == 1 or line[0][0].endswith(": ")
    if not told or sum(display_width(run) for run, _ in line) <= room():
        return [line]
    if len(line) == 1:
        return [[(part, line[0][1])] for part in wrapped(line[0][0], "  ")]
    lines: list[list[Run]] = [[line[0]]]
    for run in line[1:]:
        if sum(display_width(text) for text, _ in [*lines[-1], run]) > room():
            lines.append([("  ", None)])
        lines[-1].append(run)
    return lines


Progress = Callable[[int, int], None]
"""Is told how many items are done, and of how many."""


@contextmanager
def watched(what: str) -> Iterator[Progress]:
    """A progress bar with count, rate and time left, on standard error, when there is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]:,.0f} a second")
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    # A thread that draws by itself would keep processes from being forked beside it.
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task(what, total=None, rate=0.0)
        begin = drawn = monotonic()

        def watch(done: int, total: int) -> None:
            nonlocal drawn
            now = monotonic()
            bar.update(task, completed=done, total=total, rate=done / (now - begin or 1))
            if now - drawn >= _DRAWN or done == total:
                bar.refresh()
                drawn = now

        yield watch


def counted(what: str, items: Iterable[_T], total: int | None = None) -> Iterator[_T]:
    """`items`, `total` of them or a sequence, with a progress bar where they are enough for one."""
    if total is None:
        items = list(items)
        total = len(items)
    if total < LONG_WORK:
        yield from items
        return
    with watched(what) as watch:
        for done, item in enumerate(items):
            yield item
            watch(done + 1, total)


def save_page(out: Path, content: str) -> None:
    """Save a page or picture of a record. Raises `NotReadable` if `out` holds records: they are kept."""
    try:
        if looks_like_record(out):
            raise NotReadable(f"{out} holds records, and nothing is written over them; name another file.")
    except OSError as error:
        raise NotReadable(f"{out} cannot be written: {error.strerror}.") from None
    save(out, content)

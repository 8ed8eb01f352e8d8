"""Output: text for people on a terminal, data in a pipe.

Rich is imported only if its output is shown on a terminal.
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
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import msgspec

from gamelog.errors import NotReadable, WriteFailed
from gamelog.message import Message
from gamelog.play.rendering.board_lines import Run, display_width
from gamelog.record.atomic_files import looks_like_record, write_atomically
from gamelog.record.escaping import INVISIBLE, escape_keeping_isolates
from gamelog_cli.printing.language import text_of
from gamelog_cli.printing.layout import terminal_height, terminal_width, wrap
from gamelog_cli.printing.text_table import RangeCell, is_number, table_lines

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar

_T = TypeVar("_T")

_SEAT_STYLES = ("red", "blue", "green", "yellow", "magenta", "cyan")
"""Colours of seats on a terminal, in the order of the seats."""

_MIN_PROGRESS_ITEMS = 50
"""Minimum number of items for a progress bar."""

_PROMPT_LINES = 5
"""Number of lines for an event and the prompt, which are visible together with a drawing."""

_REFRESH_SECONDS = 0.1
"""Minimum seconds between two drawings of a progress bar."""

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
"""Pattern of a character that is not ASCII."""


def safe_line(text: object) -> str:
    """Return `text`, a message or any other object, as one line that is safe to print.

    Control characters are escaped (``\\x1b``), because anyone may have written the names, notes and reasons
    in a record.
    """
    return escape_keeping_isolates(text_of(text))


def print_line(text: object = "", indent: str | None = None) -> None:
    """Print a line for people on standard output, wrapped at words on a terminal.

    Args:
        text: The text. Line ends at its beginning give empty lines before it.
        indent: The start of all lines but the first; by default two spaces more than the first line has.
    """
    line = text_of(text)
    rest = line.lstrip("\n")
    with _without_bar():
        print("\n" * (len(line) - len(rest)), end="")
        _print_wrapped(safe_line(rest), sys.stdout, indent)


def print_lines(lines: Iterable[object]) -> None:
    """Print lines for people on standard output."""
    for line in lines:
        print_line(line)


def warn(text: object) -> None:
    """Print a line for people on standard error, so that programs can read standard output."""
    _print_wrapped(safe_line(text), sys.stderr)


def _print_wrapped(line: str, stream: TextIO, indent: str | None = None) -> None:
    """Print a line, wrapped at words if `stream` is a terminal."""
    with _without_bar():
        print("\n".join(_fit_lines(line, indent) if stream.isatty() else [line]), file=stream, flush=True)


def _fit_lines(line: str, indent: str | None = None) -> list[str]:
    """Return a line as lines that fit. All but the first begin with `indent`, by default two more spaces."""
    start = line[: len(line) - len(line.lstrip(" "))]
    return wrap(line, f"{start}  " if indent is None else indent)


def print_coloured(text: str, word: str, colour: str, start: int = 0) -> None:
    """Print a line, on a terminal with one word in colour.

    Args:
        text: The line.
        word: The word.
        colour: The style of the word, as Rich names it.
        start: The number of characters before which the word is not looked for.
    """
    if not sys.stdout.isatty():
        print_line(text)
        return
    from rich.text import Text

    shown = Text("\n".join(_fit_lines(safe_line(text))))
    begin = shown.plain.find(word, start)
    if begin >= 0:  # a word of two words can be on two lines
        shown.stylize(colour, begin, begin + len(word))
    with _without_bar():
        console().print(shown)


def print_warnings(what: Iterable[str | Message]) -> None:
    """Print warnings on standard error, one on each line, after ``gamelog:``."""
    for text in what:
        warn(f"gamelog: {safe_line(text)}")


def print_first_warnings(what: Sequence[str | Message], most: int = 10, *, command: str = "") -> None:
    """Print the first warnings on standard error.

    If there are more, print their number, and the `command` that lists all.
    """
    how = f" To list all, run: {command}" if command else ""
    more = [f"… and {len(what) - most:,} more.{how}"] if len(what) > most else []
    print_warnings([*what[:most], *more])


def print_warning(text: str | Message) -> None:
    """Print one warning on standard error."""
    print_warnings([text])


def escape_unshowable(text: str | Message) -> str:
    """Return `text` with the characters escaped that standard output cannot show."""
    encoding = sys.stdout.encoding or "utf-8"
    return safe_line(text).encode(encoding, "backslashreplace").decode(encoding)


def save(path: Path, text: str) -> None:
    """Write `text` to the file `path`, and make its folder if needed. A link is replaced.

    Raises:
        NotReadable: The file cannot be written.
    """
    try:
        write_atomically(path, text.encode())
    except WriteFailed as error:
        raise NotReadable(str(error)) from None


def safe_json_text(json: str) -> str:
    """Return `json` with control characters escaped, so that a terminal is safe and the data are the same."""
    return INVISIBLE.sub(lambda match: match[0] if match[0] in "\t\n" else f"\\u{ord(match[0]):04x}", json)


def emit(value: Any) -> None:
    """Print `value` as one line of JSON on standard output."""
    write_json(msgspec.json.encode(value).decode() + "\n")


def write_json(text: str) -> None:
    """Print JSON on standard output, with the characters escaped that are unsafe or that it cannot show."""
    text = safe_json_text(text)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = _BEYOND_ASCII.sub(lambda match: json.dumps(match[0])[1:-1], text)
    with _without_bar():
        sys.stdout.write(text)


def console() -> Console:
    """Return Rich's console for standard output: colours on a terminal, plain text in a pipe."""
    from rich.console import Console

    return Console(highlight=False, markup=False, soft_wrap=True)


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, data: bool = True, headings: bool = True
) -> None:
    """Print a table: drawn on a terminal, as tab-separated lines in a pipe.

    Args:
        columns: The names of the columns.
        rows: The rows.
        data: Whether programs may read the table. Otherwise it is drawn in a pipe, too.
        headings: Whether the first line has the names of the columns.
    """
    if data and not sys.stdout.isatty():
        for row in (columns, *rows) if headings else rows:
            print("\t".join("" if cell is None else safe_line(cell) for cell in row), flush=True)
        return
    safe = [
        [
            cell
            if is_number(cell) or isinstance(cell, RangeCell)
            else ""
            if cell is None
            else safe_line(cell)
            for cell in row
        ]
        for row in rows
    ]
    names = [safe_line(name) for name in columns]
    for line in table_lines(names, safe, drawing_width(), headings=headings):
        if line.is_heading and sys.stdout.isatty():
            console().print(line.text, style="bold")
        else:
            print(line.text)


def print_csv(rows: Iterable[Iterable[object]]) -> None:
    """Print `rows` as CSV. Programs get the text unchanged; a terminal gets no control characters."""
    import csv

    cell = safe_line if sys.stdout.isatty() else str
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerows([cell(value) if isinstance(value, str) else value for value in row] for row in rows)


def drawing_width() -> int | None:
    """Return the maximum width of a drawing, or None if the output is not a terminal."""
    return terminal_width() if sys.stdout.isatty() else None


def drawing_height() -> int | None:
    """Return the maximum height of a drawing above a prompt, or None if the output is not a terminal."""
    return terminal_height() - _PROMPT_LINES if sys.stdout.isatty() else None


def print_drawing(lines: list[list[Run]], seats: Sequence[str]) -> None:
    """Print a drawn scene, with the colours of the seats on a terminal."""
    if not sys.stdout.isatty():
        for line in lines:
            print_line("".join(run for run, _ in line).rstrip())
        return
    from rich.text import Text

    styles = {seat: _SEAT_STYLES[number % len(_SEAT_STYLES)] for number, seat in enumerate(seats)}
    out = console()
    for line in chain.from_iterable(map(_fitting_lines, lines)):
        out.print(
            Text.assemble(
                *((safe_line(run), f"bold {styles[seat]}" if seat in styles else "") for run, seat in line)
            )
        )


def _fitting_lines(line: list[Run]) -> list[list[Run]]:
    """Return a line of a drawing as lines that fit. Long text about a seat or tray becomes several lines."""
    is_text = len(line) == 1 or bool(line and line[0][0].endswith(": "))
    if not is_text or sum(display_width(run) for run, _ in line) <= terminal_width():
        return [line]
    if len(line) == 1:
        return [[(part, line[0][1])] for part in wrap(line[0][0], "  ")]
    lines: list[list[Run]] = [[line[0]]]
    for run in line[1:]:
        if sum(display_width(text) for text, _ in [*lines[-1], run]) > terminal_width():
            lines.append([("  ", None)])
        lines[-1].append(run)
    return lines


Progress = Callable[[int, int], None]
"""Function that shows the number of finished items and the number of all items."""

_bars: list[Bar] = []
"""The progress bar that is drawn now, if any."""


@contextmanager
def _without_bar() -> Iterator[None]:
    """Remove the progress bar while a line is printed, and then draw the bar below the line."""
    if not _bars:
        yield
        return
    bar = _bars.pop()
    bar.stop()
    try:
        yield
    finally:
        sys.stdout.flush()
        bar.start()
        _bars.append(bar)


@contextmanager
def progress_bar(what: str) -> Iterator[Progress]:
    """Show a progress bar with count, rate and remaining time on standard error, if it is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]:,.0f} a second")
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    # A thread that draws the bar would make it unsafe to fork processes.
    # Redirected output would go to standard error.
    with Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as bar:
        task = bar.add_task(what, total=None, rate=0.0)
        begin = drawn_at = monotonic()

        def show(done: int, total: int) -> None:
            nonlocal drawn_at
            now = monotonic()
            bar.update(task, completed=done, total=total, rate=done / (now - begin or 1))
            if now - drawn_at >= _REFRESH_SECONDS or done == total:
                bar.refresh()
                drawn_at = now

        _bars.append(bar)
        try:
            yield show
        finally:
            _bars.remove(bar)


FITTING_TEXT = "fitting the search, then playing"
"""The text of a progress bar while a search fits its evaluator, which takes seconds."""


def with_progress(
    what: str, items: Iterable[_T], total: int | None = None, *, is_slow: bool = False
) -> Iterator[_T]:
    """Yield `items`, and show a progress bar if there are many or if they are slow.

    Args:
        what: What the command does with the items.
        items: The items.
        total: The number of items, if it is known.
        is_slow: Whether the first item takes seconds, so that a few items have a bar too.
    """
    if total is None:
        items = list(items)
        total = len(items)
    if total < _MIN_PROGRESS_ITEMS and not is_slow:
        yield from items
        return
    with progress_bar(what) as show:
        for done, item in enumerate(items):
            yield item
            show(done + 1, total)


def save_page(out: Path, content: str) -> None:
    """Write a page or picture of a record.

    Raises:
        NotReadable: `out` contains records.
    """
    try:
        if looks_like_record(out):
            raise NotReadable(
                Message.of(
                    "{=path} contains records. Gamelog does not overwrite records; name another file.",
                    path=str(out),
                )
            )
    except OSError as error:
        raise NotReadable(
            Message.of(
                "Cannot write {=path}: {=error}. Check the folder and your access to it, then try again.",
                path=str(out),
                error=error.strerror or "",
            )
        ) from None
    save(out, content)

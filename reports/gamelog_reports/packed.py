"""Data packed into pages: JSON lines as columns, and bytes as characters that HTML does not change.

*Columns.* Many lines share their form: the shared part is written once, and the different parts column by
column. A line is divided into its *shape* (the text with holes in it) and the values of the holes. Values are
integers, lists of small integers (dice), and other tokens. Tokens keep their exact text, so that the lines
are restored byte for byte. ``"n"`` that counts the lines and ``"t"`` that never decreases take almost no
room. The page's `columns.js` is the counterpart.

*Embedded text.* Bytes are deflated and written in base64, which HTML does not change. A text of the page
can be a dictionary. Browsers take no dictionary when they inflate, so the page's `embedded_text.js`
puts the dictionary before the stream, as a stored block.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Any
from zlib import compress

from msgspec import Struct

_TOKEN = re.compile(
    r'"n":(?P<n>0|[1-9]\d{0,14})(?=[,}])|"t":(?P<t>0|[1-9]\d{0,14})(?=[,}])'
    r'|(?P<key>"(?:do|effect)":"[^"\\]*"|"(?:[^"\\]|\\.)*"\s*:)'
    r"|(?P<dice>\[\d{1,3}(?:,\d{1,3})*\])"
    r'|(?P<text>"(?:[^"\\]|\\.)*"|-?\d[0-9.eE+-]*)'
)
INTEGER = re.compile(r"(?:0|[1-9]\d{0,14})\Z")
"""Text of a whole number, 0 or more, of at most 15 digits."""

_HOLE, _COUNTED, _TIMED = "\x81", "\x82", "\x83"
"""The holes of a shape: any value, the number of the line, or milliseconds after the previous line."""

END, _UNQUOTED = "\x7f", "\x80"
"""The mark after every token, and the mark before a token that is not a string."""

_RESERVED = re.compile("[\x7f-\x83]")
"""The characters above. In JSON they occur only in strings, so they can be written as escapes there."""

_DIGITS = "".join(chr(code) for code in range(35, 127) if code != 92)
_LAST, _MORE = 46, 45
"""91 printable characters: 46 that end a number, and 45 that more follow."""


def _number(value: int) -> str:
    out = ""
    while value >= _LAST:
        value, digit = divmod(value - _LAST, _MORE)
        out += _DIGITS[_LAST + digit]
    return out + _DIGITS[value]


_SHORT_NUMBERS = _LAST + _LAST * _MORE
_SHORT = [_number(value) for value in range(_SHORT_NUMBERS)]
"""The most frequent numbers, of one and two characters."""


def compact_integers(values: Iterable[int]) -> str:
    """Return integers from 0 as text without quotes and backslashes, one character for each below 46."""
    return "".join([_SHORT[value] if value < _SHORT_NUMBERS else _number(value) for value in values])


def zigzag(value: int) -> int:
    """Return any integer as an integer from 0: twice itself, or twice its distance below 0 minus one."""
    return 2 * value if value >= 0 else -2 * value - 1


def _steps(values: Iterable[int]) -> Iterable[int]:
    """Yield the differences between neighbours, the first from 0, as `zigzag` gives them."""
    before = 0
    for value in values:
        difference, before = value - before, value
        yield zigzag(difference)


class LineColumns(Struct):
    """Lines as columns.

    Attributes:
        shapes: Texts of the different lines without their values. A hole is in the place of each value.
        order: Index of the shape of each line.
        columns: Values: ``columns[s][h]`` has the values of hole ``h`` in the lines of shape ``s``, in order.
        times: Time of each line in ms.
    """

    shapes: list[str]
    order: list[int]
    columns: list[list[list[str]]]
    times: list[int]


def _has_reserved(lines: Sequence[str]) -> bool:
    return _RESERVED.search("".join(lines)) is not None


def _escape_reserved(line: str) -> str:
    """Return the JSON `line` with the reserved characters as escapes."""
    return _RESERVED.sub(lambda match: f"\\u{ord(match[0]):04x}", line)


def to_columns(lines: Iterable[str]) -> LineColumns:
    """Return the columns of `lines`, which are without reserved characters."""
    shapes: dict[str, int] = {}
    rows: list[list[list[str]]] = []
    order, times = list[int](), list[int]()
    before: dict[str, tuple[int, list[str]]] = {}  # effects repeat often
    clock = 0
    holes: list[str] = []

    def replace(match: re.Match[str]) -> str:
        """Return the text that replaces one token in the shape of a line, and keep the token's value."""
        nonlocal clock
        kind = match.lastgroup
        if kind == "key":
            return match[0]
        if kind == "n":
            if int(match["n"]) == len(order) + 1:
                return f'"n":{_COUNTED}'
            holes.append(match["n"])
            return f'"n":{_HOLE}'
        if kind == "t":
            time = int(match["t"])
            if time >= clock:
                times.append(time - clock)
                clock = time
                return f'"t":{_TIMED}'
            holes.append(match["t"])
            return f'"t":{_HOLE}'
        holes.append(match[0])
        return _HOLE

    for line in lines:
        repeated = before.get(line)
        if repeated is None:
            holes = []
            shape = _TOKEN.sub(replace, line)
            at = shapes.setdefault(shape, len(rows))
            if at == len(rows):
                rows.append([])
            if _COUNTED not in shape and _TIMED not in shape:
                before[line] = at, holes
        else:
            at, holes = repeated
        order.append(at)
        rows[at].append(holes)
    columns = [[[*column] for column in zip(*alike, strict=True)] for alike in rows]
    return LineColumns([*shapes], order, columns, times)


def event_shape(tag: str, members: Sequence[str]) -> str:
    """Return the shape of an event that has exactly these members."""
    marks = {"n": _COUNTED, "t": _TIMED}
    return f'"do":"{tag}",' + ",".join(f'"{name}":{marks.get(name, _HOLE)}' for name in members) + "}"


class TableWriter:
    """A writer of tables that share one list of tokens. The tokens of the writer `before` come first."""

    def __init__(self, before: TableWriter | None = None) -> None:
        self._tables: dict[str, LineColumns] = {}
        self._kinds: dict[str, list[list[str]]] = {}
        self._index: dict[str, int] = {**before._index} if before else {}
        self._first = len(self._index)

    def add(self, name: str, lines: Sequence[str]) -> None:
        """Add `lines` of JSON as table `name`, with reserved characters as escapes."""
        self._add(name, to_columns(map(_escape_reserved, lines) if _has_reserved(lines) else lines))

    def add_unchanged(self, name: str, lines: Sequence[str]) -> bool:
        """Add `lines` as table `name`, byte for byte. Return False if a reserved character prevents this."""
        if _has_reserved(lines):
            return False
        self._add(name, to_columns(lines))
        return True

    def _add(self, name: str, table: LineColumns) -> None:
        self._tables[name] = table
        self._kinds[name] = [[_kind(column) for column in columns] for columns in table.columns]
        for columns, kinds in zip(table.columns, self._kinds[name], strict=True):
            for column, kind in zip(columns, kinds, strict=True):
                if kind == _TOKENS:
                    for token in column:
                        self._index.setdefault(token, len(self._index))

    def plain(self) -> dict[str, Any]:
        """Return all tables as plain data: ``tokens`` as one text; shapes, order, times and columns."""
        tokens = list(self._index)[self._first :]
        # strings have no quotes, which JSON would have to escape; all other tokens are marked
        marked = [(token[1:-1] if token.startswith('"') else _UNQUOTED + token) + END for token in tokens]
        return {"tokens": "".join(marked), "tables": {name: self._plain(name) for name in self._tables}}

    def _plain(self, name: str) -> dict[str, Any]:
        """Return one table as plain data: its shapes, order, times and columns."""
        table = self._tables[name]
        return {
            "shapes": table.shapes,
            "order": compact_integers(table.order),
            "times": compact_integers(table.times),
            "columns": [
                [
                    _encode_column(column, kind, self._index)
                    for column, kind in zip(columns, kinds, strict=True)
                ]
                for columns, kinds in zip(table.columns, self._kinds[name], strict=True)
            ],
        }


_INTEGERS, _DICE, _TOKENS = "integers", "dice", "tokens"
"""The kinds of columns."""


def _kind(column: list[str]) -> str:
    """Return the kind of `column`."""
    if all(map(INTEGER.match, column)):
        return _INTEGERS
    if all(token.startswith("[") and all(map(INTEGER.match, token[1:-1].split(","))) for token in column):
        return _DICE
    return _TOKENS


def _encode_column(column: list[str], kind: str, index: dict[str, int]) -> str:
    """Return a letter for the encoding (integers, steps, dice or tokens), then the encoded `column`."""
    if kind == _INTEGERS:
        values = [int(token) for token in column]
        return _shorter("i" + compact_integers(values), "j" + compact_integers(_steps(values)))
    if kind == _DICE:
        flat: list[int] = []
        for token in column:
            faces = [int(face) for face in token[1:-1].split(",")]
            flat.append(len(faces))
            flat += faces
        return "d" + compact_integers(flat)
    places = [index[token] for token in column]
    return _shorter("s" + compact_integers(places), "r" + compact_integers(_steps(places)))


def _shorter(first: str, second: str) -> str:
    """Return the text that deflates better."""
    return min(first, second, key=lambda text: len(compress(text.encode(), 1)))


_WINDOW = 1 << 15
"""The bytes before a deflate stream to which it can refer."""


def deflate(data: bytes, known: bytes = b"") -> bytes:
    """Return `data` as a raw deflate stream, with the dictionary `known`."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15, 7, zdict=known[-_WINDOW:])  # more blocks are shorter
    return squeeze.compress(data) + squeeze.flush()


def embedded_text(data: bytes, known: bytes = b"") -> str:
    """Return `data`, deflated with the dictionary `known`, as text for a script element."""
    return b64encode(deflate(data, known)).decode("ascii")

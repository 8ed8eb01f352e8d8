"""The parts of a report: sections with sentences, charts and tables."""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup
from msgspec import Struct


class Hyperlink(Struct, frozen=True):
    """Text that leads to a page."""

    text: str
    href: str


class Quotation(Struct, frozen=True):
    """English text that is quoted on a page in another language, after a ``label`` such as a code."""

    label: str
    text: str


TableCell = str | int | float | None | Hyperlink | Quotation

_NUMBER = re.compile(r"[-+]?[\d.,\u00a0]+([ \u00a0]?%)?|p [=<] [\d.,]+|")
"""Text that is aligned to the right of its column."""

_MAX_UNBROKEN = 16
"""Maximum number of characters in a cell that is not broken into lines."""

MAX_ROWS = 1_000
"""Maximum number of rows of a table in a page."""


class ReportTable(Struct, frozen=True):
    """The numbers behind a chart, or a list with a name.

    Attributes:
        classes: Layout of each column.
        name: Name of the list.
        shown: Number of rows that are always visible. The reader unfolds the rest.
        left_out: Number of rows that the page does not have.
        question: Stock question that lists all rows.
    """

    heads: tuple[str, ...]
    rows: list[tuple[TableCell, ...]]
    classes: tuple[str, ...]
    name: str
    folded: bool = True
    shown: int = MAX_ROWS
    left_out: int = 0
    question: str = ""


def _class(cells: list[TableCell]) -> str:
    """Return the layout of a column with these cells."""
    texts = [
        cell.text if isinstance(cell, Hyperlink | Quotation) else str(cell)
        for cell in cells
        if cell is not None
    ]
    if all(_NUMBER.fullmatch(text) for text in texts):
        return "number"
    return "short" if all(len(text) <= _MAX_UNBROKEN for text in texts) else ""


class Test(Struct, frozen=True):
    """A comparison with chance: its result in words, and the probability of such a result by chance."""

    found: str
    p: float


class Figure(Struct, frozen=True):
    """A chart that is ready for the page, and its caption."""

    picture: Markup
    caption: str


class Section(Struct, frozen=True):
    """One question about a game, answered.

    Attributes:
        says: Sentences.
        tests: Comparisons with chance.
    """

    title: str
    says: tuple[str, ...]
    figures: tuple[Figure, ...] = ()
    tables: tuple[ReportTable, ...] = ()
    tests: tuple[Test, ...] = ()

    @property
    def bare(self) -> bool:
        """Whether the section has only sentences."""
        return not (self.figures or self.tables)


def table(rows: list[dict[str, Any]], columns: dict[str, str], name: str, **more: Any) -> ReportTable:
    """Return a table of `rows`.

    Args:
        rows: The data.
        columns: The heading of each member to show. Each row must have these members.
        name: The name of the table, in the language of the page.
        more: Further members of `ReportTable`.
    """
    cells = [tuple(row[member] for member in columns) for row in rows]
    classes = tuple(_class([row[at] for row in cells]) for at in range(len(columns)))
    return ReportTable(tuple(columns.values()), cells, classes, name, **more)

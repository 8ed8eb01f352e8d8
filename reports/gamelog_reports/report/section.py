"""The parts of a report: sections with a finding, charts and tables."""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from gamelog_reports.report.charts import Chart


class Hyperlink(Struct, frozen=True):
    """Text that leads to a page."""

    text: str
    href: str


class Quotation(Struct, frozen=True):
    """English text that is quoted on a page in another language, after a ``label`` such as a code."""

    label: str
    text: str


class QuestionLink(Struct, frozen=True):
    """A stock question that lists all rows, about one game or, if ``game`` is empty, about all."""

    question: str
    game: str = ""


TableCell = str | int | float | None | Hyperlink | Quotation | QuestionLink

_NUMBER = re.compile(r"[-−+<>]?[\d.,\u00a0]+([ \u00a0]?%)?|p [=<] [\d.,]+|")
"""Text that is aligned to the right of its column."""

_MAX_UNBROKEN = 16
"""Maximum number of characters in a cell that is not broken into lines."""

MAX_ROWS = 1_000
"""Maximum number of rows of a table in a page."""


class ReportTable(Struct, frozen=True):
    """A list with a name.

    Attributes:
        heads: Headings of the columns.
        rows: Cells of each row.
        classes: Layout of each column.
        name: Name of the list.
        folded: Whether the whole list is folded.
        shown: Number of rows that are always visible. The reader unfolds the rest.
        left_out: Number of rows that the page does not have.
        question: Stock question that lists all rows.
    """

    heads: tuple[str, ...]
    rows: list[tuple[TableCell, ...]]
    classes: tuple[str, ...]
    name: str
    folded: bool = False
    shown: int = MAX_ROWS
    left_out: int = 0
    question: str = ""

    @property
    def attributes(self) -> list[Markup]:
        """The HTML attributes of the cells of each column."""
        return [Markup(' class="{}"').format(name) if name else Markup() for name in self.classes]


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
    """A comparison with chance.

    Attributes:
        statement: What stands out if the comparison differs from chance.
        p: Probability of such a result by chance, without correction for other comparisons.
        interval: Size of the uncertainty in words.
        basis: Sample in words.
    """

    statement: str
    p: float
    interval: str
    basis: str


class Figure(Struct, frozen=True):
    """A picture that is ready for the page, and its caption."""

    picture: Markup
    caption: str


class Section(Struct, frozen=True):
    """One question about a game, answered.

    Attributes:
        slug: Name of the section in addresses.
        topic: Subject in one or two words.
        title: Answer in one sentence, if no test of the section stands out.
        basis: Sentence on the games and the uncertainty behind the answer.
        notes: Sentences on the limits of the answer.
        tests: Comparisons with chance.
        is_weak: Whether there are too few games for an answer.
        is_summary: Whether the answer is a part of the summary on the first page.
        is_wide: Whether its lists need the width of the page.
    """

    slug: str
    topic: str
    title: str
    basis: str = ""
    notes: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[ReportTable, ...] = ()
    tests: tuple[Test, ...] = ()
    is_weak: bool = False
    is_summary: bool = False
    is_wide: bool = False

    @property
    def is_bare(self) -> bool:
        """Whether the section has only sentences."""
        return not (self.charts or self.figures or self.tables)

    @property
    def needs_width(self) -> bool:
        """Whether the section needs the width of the page."""
        return self.is_wide or len(self.figures) > 1


def table(rows: list[dict[str, Any]], columns: dict[str, str], name: str, **more: Any) -> ReportTable:
    """Return a table of `rows`.

    Args:
        rows: The data.
        columns: The heading of each member to show. Each row must have these members.
        name: The name of the table, in the language of the page.
        more: Further members of `ReportTable`.
    """
    cells = [tuple(row[member] for member in columns) for row in rows]
    classes = tuple(_class([row[index] for row in cells]) for index in range(len(columns)))
    return ReportTable(tuple(columns.values()), cells, classes, name, **more)

"""What a report is made of: sections with sentences, pictures and a table."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup
from msgspec import Struct


class Link(Struct, frozen=True):
    """Text that leads to a page."""

    text: str
    href: str


Cell = str | int | float | None | Link


class Table(Struct, frozen=True):
    """Numbers behind a picture, or a list. ``left_out`` says how many rows more there are; ``name`` what they are."""

    heads: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    left_out: int = 0
    name: str = "The numbers"
    folded: bool = True


class Figure(Struct, frozen=True):
    """A picture that is ready to stand in a page, and what it shows."""

    picture: Markup
    caption: str


class Section(Struct, frozen=True):
    """One question about a game, answered. ``says`` are sentences for people."""

    title: str
    says: tuple[str, ...]
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()

    @property
    def bare(self) -> bool:
        """It has nothing but sentences."""
        return not (self.figures or self.tables)


def table(rows: list[dict[str, Any]], columns: dict[str, str], **more: Any) -> Table:
    """A table of `rows`; `columns` maps the members to show to their headings."""
    return Table(tuple(columns.values()), [tuple(row[name] for name in columns) for row in rows], **more)

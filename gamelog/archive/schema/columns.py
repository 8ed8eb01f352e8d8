"""Tables as data: names, types and meanings of columns, read from the annotations of a struct."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_type_hints

from msgspec import Raw, Struct


def text_constant(text: str) -> str:
    """Return `text` as a string constant in SQL."""
    return "'" + text.replace("'", "''") + "'"


class Column(Struct, frozen=True):
    """A column: its name, its SQL type, and its meaning, with the unit if it has one."""

    name: str
    sql: str
    meaning: str


class Table(Struct, frozen=True):
    """A table: its name, the meaning of a row, and its columns in the order of the table."""

    name: str
    meaning: str
    columns: tuple[Column, ...]

    @property
    def create(self) -> str:
        """Statement that creates the table."""
        columns = ", ".join(f"{column.name} {column.sql}" for column in self.columns)
        return f"CREATE TABLE {self.name} ({columns})"

    def comments(self, kind: Literal["TABLE", "VIEW"]) -> Iterator[str]:
        """Yield the statements that store the meanings of the table and its columns as comments."""
        yield f"COMMENT ON {kind} {self.name} IS {text_constant(self.meaning)}"
        for column in self.columns:
            yield f"COMMENT ON COLUMN {self.name}.{column.name} IS {text_constant(column.meaning)}"

    @property
    def values(self) -> str:
        """List of a SELECT that reads the table's rows from Arrow. DuckDB refuses invalid JSON."""
        return ", ".join(
            f"decode({column.name})" if column.sql == "JSON" else column.name for column in self.columns
        )


_SQL_TYPES = {
    bool: "BOOLEAN",
    int: "BIGINT",
    float: "DOUBLE",
    str: "VARCHAR",
    Raw: "JSON",
    dict[str, str]: "JSON",
    tuple[int, ...]: "BIGINT[]",
    tuple[float, ...]: "DOUBLE[]",
    tuple[str, ...]: "VARCHAR[]",
}


def _column(name: str, hint: Any) -> Column:
    meaning, *sql = (text for text in hint.__metadata__ if isinstance(text, str))
    value_type = hint.__origin__
    if type(None) in get_args(value_type):
        value_type = next(part for part in get_args(value_type) if part is not type(None))
    return Column(name, sql[0] if sql else _SQL_TYPES[value_type], meaning)


def declared_table(name: str, row: type[Struct]) -> Table:
    """Return the table that `row`, a struct with annotated members, declares."""
    hints = get_type_hints(row, include_extras=True)
    meaning = " ".join((row.__doc__ or "").split())
    return Table(name, meaning, tuple(_column(member, hints[member]) for member in row.__struct_fields__))

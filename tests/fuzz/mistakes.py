"""Small mistakes, as people make them, in Python and in SQL: their places, and the text with each mistake."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}

SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.LShift: ast.RShift,
    ast.BitAnd: ast.BitOr,
}

OTHER = {"any": "all", "all": "any", "min": "max", "max": "min"}
"""Pairs of functions that are easily confused."""

SQL: tuple[tuple[str, str], ...] = (
    (r"<=", "<"),
    (r">=", ">"),
    (r"(?<![<>=!])<(?![=>])", "<="),
    (r"(?<![<>=!])>(?!=)", ">="),
    (r"(?<![<>!])=(?!=)", "<>"),
    (r"<>", "="),
    (r"\bAND\b", "OR"),
    (r"\bOR\b(?! REPLACE)", "AND"),
    (r"\bNOT\b", ""),
    (r"\bIS NOT NULL\b", "IS NULL"),
    (r"\bDISTINCT\b", ""),
    (r"\bDESC\b", ""),
    (r"\bLEFT JOIN\b", "JOIN"),
    (r"\bUNION ALL\b", "UNION"),
    (r"\bPARTITION BY [a-z_.]+(?:, [a-z_.]+)*", ""),
    (r"\bmin\(", "max("),
    (r"\bmax\(", "min("),
    (r"(?<=\bORDER BY )[^,()\n;]+, ", ""),
    (r"(?<=[a-z0-9_.]), [a-z_]+(?=\s*;?\s*$)", ""),
    (r"(?<= )\+(?= )", "-"),
    (r"(?<= )-(?= )", "+"),
    (r"\b\d+\b(?!\.)", "+1"),
)
"""Parts of SQL, each with its replacement by mistake; ``+1`` is the number one too high."""

Node = TypeVar("Node", bound=ast.AST)
Mistake = tuple[str, int, Callable[[], None]]
"""A mistake: its description, its line, and a function that makes it in the tree in which it was found."""


class Mutant(Struct, frozen=True):
    """The `number`-th mistake in a file."""

    path: Path
    number: int
    line: int
    what: str


def mutants(path: Path) -> list[Mutant]:
    """Return all mutants of a file."""
    if path.suffix == ".sql":
        found = [(what, line) for what, line, _ in _in_sql(path.read_text())]
    else:
        found = [(what, line) for what, line, _ in mistakes(parsed(path))]
    return [Mutant(path, number, line, what) for number, (what, line) in enumerate(found)]


def source(mutant: Mutant) -> str:
    """Return the text of the file with the mistake in it."""
    if mutant.path.suffix == ".sql":
        return list(_in_sql(mutant.path.read_text()))[mutant.number][2]
    tree = parsed(mutant.path)
    _, _, make = list(mistakes(tree))[mutant.number]
    make()
    return ast.unparse(ast.fix_missing_locations(tree))


def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of the module, without the code that only type checkers read."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for argument in (*node.args.args, *node.args.kwonlyargs):
                argument.annotation = None
    tree.body = [
        one for one in tree.body if not (isinstance(one, ast.If) and ast.unparse(one.test) == "TYPE_CHECKING")
    ]
    return tree


def mistakes(tree: ast.Module) -> Iterator[Mistake]:
    """Yield every mistake that can be made in `tree`, always in the same order."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and name in ("body", "orelse", "finalbody"):
                yield from _left_out(value)
        if isinstance(node, ast.Compare | ast.BoolOp | ast.BinOp):
            yield from _operators(node)
        elif isinstance(node, ast.Constant):
            yield from _constants(node)
        elif isinstance(node, ast.Call):
            yield from _calls(node)
        else:
            yield from _conditions(node)


def _operators(node: ast.Compare | ast.BoolOp | ast.BinOp) -> Iterator[Mistake]:
    line = node.lineno
    match node:
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                other = TURNED[type(op)]
                yield f"{type(op).__name__} becomes {other.__name__}", line, _set(ops, at, other())
        case ast.BoolOp(op=ast.And()):
            yield "and becomes or", line, _put(node, "op", ast.Or())
        case ast.BoolOp():
            yield "or becomes and", line, _put(node, "op", ast.And())
        case ast.BinOp(op=op) if type(op) in SWAPPED:
            swapped = SWAPPED[type(op)]
            yield f"{type(op).__name__} becomes {swapped.__name__}", line, _put(node, "op", swapped())
        case _:
            pass


def _constants(node: ast.Constant) -> Iterator[Mistake]:
    line, value = node.lineno, node.value
    match value:
        case bool():
            yield f"{value} becomes {not value}", line, _put(node, "value", not value)
        case int():
            yield f"{value} becomes {value + 1}", line, _put(node, "value", value + 1)
            if value > 0:
                yield f"{value} becomes {value - 1}", line, _put(node, "value", value - 1)
        case bytes() if value:
            yield f"{value!r} gets longer", line, _put(node, "value", value + b"!")
        case _:
            pass


def _calls(node: ast.Call) -> Iterator[Mistake]:
    line, called = node.lineno, ast.unparse(node.func)
    one, two = [*node.args, None, None][:2]
    if (
        one
        and two
        and called not in ("isinstance", "getattr", "cast")
        and not isinstance(one, ast.Starred)
        and not isinstance(two, ast.Starred)
    ):
        yield f"the first two arguments of {called} change places", line, _both(node.args)
    for keyword in node.keywords:
        if keyword.arg:
            kept = [other for other in node.keywords if other is not keyword]
            yield f"{called} is called without {keyword.arg}", line, _put(node, "keywords", kept)
    if isinstance(node.func, ast.Name) and called in OTHER:
        yield f"{called} becomes {OTHER[called]}", line, _put(node.func, "id", OTHER[called])


def _conditions(node: ast.AST) -> Iterator[Mistake]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield "the condition is negated", test.lineno, _put(node, "test", ast.UnaryOp(ast.Not(), test))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not is left out", node.lineno, _put(node, "operand", ast.UnaryOp(ast.Not(), operand))
        case ast.comprehension(ifs=ifs):
            for at in range(len(ifs)):
                yield "the filter is forgotten", ifs[at].lineno, _set(ifs, at, ast.Constant(True))
        case ast.Return(value=value) if value is not None and not (
            isinstance(value, ast.Constant) and value.value is None
        ):
            yield "the result is forgotten", node.lineno, _put(node, "value", ast.Constant(None))
        case _:
            pass


def _left_out(body: list[ast.stmt]) -> Iterator[Mistake]:
    """Yield mistakes that leave out a statement, if the rest stays valid."""
    for at, statement in enumerate(body):
        match statement:
            case ast.Expr(value=ast.Constant()):
                pass  # a docstring
            case ast.Expr() | ast.Raise() | ast.AugAssign() | ast.Continue() | ast.Break() | ast.Assert():
                yield f"{type(statement).__name__} is left out", statement.lineno, _set(body, at, ast.Pass())
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                yield "an assignment is left out", statement.lineno, _set(body, at, ast.Pass())
            case _:
                pass


def _in_sql(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield the description and the line of each mistake in SQL, and the text with it."""
    for at, line in enumerate(text.split("\n")):
        code = line.partition("--")[0]
        for pattern, instead in SQL:
            for found in re.finditer(pattern, code):
                said = str(int(found[0]) + 1) if instead == "+1" else instead
                lines = text.split("\n")
                lines[at] = line[: found.start()] + said + line[found.end() :]
                yield f"{found[0].strip()} becomes {said or 'nothing'}", at + 1, "\n".join(lines)


def _set(items: list[Node], at: int, value: Node) -> Callable[[], None]:
    return lambda: items.__setitem__(at, value)


def _put(node: ast.AST, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, name, value)


def _both(items: list[ast.expr]) -> Callable[[], None]:
    return lambda: items.__setitem__(slice(0, 2), [items[1], items[0]])

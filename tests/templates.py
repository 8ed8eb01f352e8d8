"""The templates of messages in code, found in the syntax trees of the packages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from gamelog.errors import CannotApply, GamelogError
from tests.sources import parse

MAKERS = {"Message": 0, "of": 0, "say": 0, "forbids": 1, "Violation": 1, "Finding": 1, "Denied": 1}
"""The index of the argument that is a template, by the name of the function or class that is called."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def trees(package: str) -> tuple[ast.Module, ...]:
    """Return the syntax trees of all modules of `package`, which can also be a single module."""
    return tuple(tree for _, tree in _paths_and_trees(package))


@cache
def _paths_and_trees(package: str) -> tuple[tuple[str, ast.Module], ...]:
    """Return the path and the syntax tree of all modules of `package`."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    origin = Path(spec.origin)
    paths = sorted(origin.parent.rglob("*.py")) if spec.submodule_search_locations else [origin]
    return tuple((str(path), parse(path)) for path in paths)


def texts(package: str) -> set[str]:
    """Return all string constants in the code of `package`."""
    return {
        node.value
        for tree in trees(package)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def code_texts(package: str) -> Iterator[tuple[str, str]]:
    """Yield the path of a module of `package` and a string constant in it that is not a docstring."""
    for path, tree in _paths_and_trees(package):
        notes = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
                yield path, node.value


def templates(package: str) -> Iterator[str]:
    """Yield the templates that `package` makes messages, violations, findings and errors of."""
    for tree in trees(package):
        tables = {name: value for name, value in _assigned(tree.body) if isinstance(value, ast.Dict)}
        for function in ast.walk(tree):
            if isinstance(function, ast.Module | Function):
                local = [*_assigned(ast.walk(function))] if isinstance(function, Function) else []
                for call in _calls(function):
                    yield from _texts(call, local, tables)


@cache
def _makers() -> dict[str, int]:
    """Return `MAKERS` and the errors of Gamelog, whose first argument is a sentence.

    `CannotApply` is not among them: the fold catches it and shows a message of its own.
    """
    kinds, found = [GamelogError], dict(MAKERS)
    for kind in kinds:
        kinds += [other for other in kind.__subclasses__() if other is not CannotApply]
        found.setdefault(kind.__name__, 0)
    return found


def _calls(scope: ast.AST) -> Iterator[ast.expr]:
    """Yield the argument that is a template of each call in `scope`, functions inside it left out."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            owner = getattr(getattr(node.func, "value", None), "id", "Message")
            at = 1 if name == "of" and owner == "Finding" else _makers().get(name, -1)
            if 0 <= at < len(node.args):
                yield node.args[at]
        if not isinstance(node, Function):
            yield from _calls(node)


def _assigned(nodes: Iterator[ast.AST] | list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """Yield each name that is assigned to, with what it is assigned."""
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value
                elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    for one, value in zip(target.elts, node.value.elts, strict=True):
                        if isinstance(one, ast.Name):
                            yield one.id, value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield node.target.id, node.value


def _texts(node: ast.expr, local: list[tuple[str, ast.expr]], tables: dict[str, ast.Dict]) -> Iterator[str]:
    """Yield the strings that `node` can be; `local` are the assignments around it, `tables` dicts by name."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one, local, tables)
            yield from _texts(other, local, tables)
        case ast.BinOp(left=one, op=ast.Add(), right=other):
            for first in _texts(one, local, tables):
                for second in _texts(other, local, tables):
                    yield first + second
        case ast.Name(id=name):
            for target, value in local:
                if target == name and not (isinstance(value, ast.BinOp) and name in ast.unparse(value)):
                    yield from _texts(value, [], tables)
        case ast.Subscript(value=ast.Name(id=name)) if name in tables:
            for value in tables[name].values:
                yield from _texts(value, [], tables)

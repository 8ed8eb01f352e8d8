"""The texts in code: every template of a message is one of them, and every key of a locale has to be one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

MAKERS = {"Message": 0, "of": 0, "forbids": 1}
"""Which argument of a call is a template, by the name of what is called."""


@cache
def trees(package: str) -> tuple[ast.Module, ...]:
    """The modules of `package`, parsed."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return tuple(
        ast.parse(path.read_text("utf-8")) for path in sorted(Path(spec.origin).parent.rglob("*.py"))
    )


def texts(package: str) -> set[str]:
    """All texts in the code of `package`."""
    return {
        node.value
        for tree in trees(package)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def templates(package: str) -> Iterator[str]:
    """Yield the templates that `package` makes messages and violations of, as far as they stand in the call."""
    for tree in trees(package):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                owner = getattr(getattr(node.func, "value", None), "id", "Message")
                at = 1 if name == "of" and owner == "Finding" else MAKERS.get(name, -1)
                if 0 <= at < len(node.args):
                    yield from _texts(node.args[at])


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one)
            yield from _texts(other)

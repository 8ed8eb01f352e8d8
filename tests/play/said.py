"""What the code can say of a record, read from its source: every remark as a template with its places."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import product
from types import FunctionType, ModuleType
from typing import Any

from gamelog.play.contract.violation import Violation

PLACE = "\0"
"""Stands for whatever is put into a sentence."""

Function = ast.FunctionDef | None
Told = frozenset[str]

UNKNOWN: Told = frozenset({PLACE})
SINKS = {
    "Violation": (1, "text"),
    "Finding": (1, "message"),
    "_warning": (1, "text"),
    "Problem": (2, "text"),
    "Links": (5, "why"),
    "Signature": (3, "doubt"),
    **dict.fromkeys(
        ("_Unsound", "BadSetup", "UnknownGame", "BadSeal", "RecordError", "MissingExtra", "ValueError"),
        (0, ""),
    ),
}
"""Whose argument, by its number and its name, people read as a finding or in one, but for the full stop of an error."""

CHECK = re.compile("_?check|_objection")
"""Functions that are called so say why not, where they give words."""

DEEPEST = 16
"""How many names and calls are followed from a remark to its words."""


class Source:
    """A module: its tree, the functions in it, and what its names stand for."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        with open(str(module.__file__), encoding="utf-8") as file:
            self.tree = ast.parse(file.read())
        self.functions = {
            node.name: node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)
        }
        self.inside: dict[ast.AST, Function] = {}
        self._enter(self.tree, None)

    def _enter(self, node: ast.AST, function: Function) -> None:
        for child in ast.iter_child_nodes(node):
            self.inside[child] = function
            self._enter(child, child if isinstance(child, ast.FunctionDef) else function)

    def named(self, node: ast.expr) -> object:
        """What `node`, a name of the module or one in a module that it names, stands for; None for anything else."""
        match node:
            case ast.Name(id=name):
                return getattr(self.module, name, None)
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                return getattr(getattr(self.module, module, None), name, None)
        return None

    def returned(self, function: ast.FunctionDef) -> list[ast.expr | None]:
        """What `function` gives back."""
        return [
            one.value
            for one in ast.walk(function)
            if isinstance(one, ast.Return) and self.inside[one] is function
        ]

    @cached_property
    def calls(self) -> list[tuple[ast.Call, str]]:
        """Every call, with the last name of what is called."""
        return [*self._calls()]

    def _calls(self) -> Iterator[tuple[ast.Call, str]]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                called = node.func
                yield node, called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")


@cache
def source(name: str) -> Source:
    """The module `name`, read."""
    return Source(importlib.import_module(name))


def modules(package: str) -> tuple[str, ...]:
    """The names of all modules in `package`."""
    found = importlib.import_module(package)
    return (package, *(name for _, name, _ in pkgutil.walk_packages(found.__path__, f"{package}.")))


class Reader:
    """Reads what is said in some modules."""

    def __init__(self, names: Iterable[str]) -> None:
        self.sources = [source(name) for name in names]

    def said(self) -> dict[str, str]:
        """Every template, and where it is said."""
        found: dict[str, str] = {}
        for here in self.sources:
            for call, called in here.calls:
                at, name = SINKS.get(called, (0, ""))
                text, function = _argument(call, at, name), here.inside[call]
                if called not in SINKS or text is None:
                    continue
                if isinstance(text, ast.Starred):
                    table = text.value.value if isinstance(text.value, ast.Subscript) else text.value
                    told = self._values(table, here, function, at)
                else:
                    told = self.told(text, here, function)
                found |= {one.rstrip("."): f"{here.module.__name__}:{text.lineno}" for one in told}
            for name, function in here.functions.items():
                if CHECK.match(name) and _speaks(function):
                    said = (self.told(one, here, function) for one in here.returned(function))
                    found |= dict.fromkeys(
                        frozenset().union(*said), f"{here.module.__name__}:{function.lineno}"
                    )
        return found

    def told(self, node: ast.expr | None, here: Source, function: Function, deep: int = 0) -> Told:
        """What `node` may say."""
        if deep > DEEPEST:
            return UNKNOWN

        def again(one: ast.expr | None) -> Told:
            return self.told(one, here, function, deep + 1)

        match node:
            case ast.Constant(value=None):
                return frozenset()
            case ast.Constant(value=value):
                return frozenset({str(value)})
            case ast.JoinedStr(values=parts):
                return _joined([again(part) for part in parts])
            case ast.FormattedValue(value=value, format_spec=None):
                return again(value)
            case ast.IfExp(body=one, orelse=other):
                return again(one) | again(other)
            case ast.BoolOp(op=op, values=values):
                return frozenset().union(*map(again, values if isinstance(op, ast.Or) else values[-1:]))
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return _joined([again(left), again(right)])
            case ast.NamedExpr(value=value):
                return again(value)
            case ast.Call(func=ast.Name(id="many"), args=[_, ast.Constant(value=one), *more]):
                several = str(more[0].value) if more and isinstance(more[0], ast.Constant) else f"{one!s}s"
                return frozenset({f"{PLACE} {one!s}", f"{PLACE} {several}"})
            case ast.Call(func=ast.Attribute(value=value, attr="rstrip" | "strip" | "get")) if not isinstance(
                value, ast.Name
            ):
                return again(value)
            case ast.Call(func=ast.Attribute(attr="get", value=value), args=[_, *default]):
                return self._values(value, here, function, None) | frozenset().union(*map(again, default))
            case ast.Call(func=ast.Name(id="who")):
                return UNKNOWN
            case ast.Call(func=ast.Name(id="tag_of")):  # of a common event
                return frozenset({f"@{PLACE}"})
            case ast.Call(func=called):
                return self._returned(here.named(called), deep)
            case ast.Subscript(value=ast.Call(func=called), slice=ast.Constant(value=int(at))):
                return self._returned(here.named(called), deep, at)
            case ast.Subscript(value=ast.Dict(values=values)):
                return frozenset().union(*map(again, values))
            case ast.Subscript(value=value):
                return self._values(value, here, function, None)
            case ast.Name(id=name):
                return self._named(name, here, function, deep)
        return UNKNOWN

    def _values(self, node: ast.expr, here: Source, function: Function, at: int | None) -> Told:
        """The values of a table: those at place `at`, where they are several each."""
        values = [value for table in self._tables(node, here, function) for value in table.values()]
        return (
            frozenset(
                str(value if at is None else value[at])
                for value in values
                if isinstance(value, str) == (at is None)
            )
            or UNKNOWN
        )

    def _returned(self, function: object, deep: int, at: int | None = None) -> Told:
        """What `function`, if it is one of ours that gives words, gives back, or part number `at` of it."""
        home = getattr(function, "__module__", None) or ""
        if not isinstance(function, FunctionType) or not home.startswith("gamelog"):
            return UNKNOWN
        there = source(home)
        node = there.functions.get(function.__name__)
        if node is None or not _speaks(node):
            return UNKNOWN
        parts = (self._part(one, at, there, node, deep) for one in there.returned(node))
        return frozenset().union(*parts) or UNKNOWN

    def _named(self, name: str, here: Source, function: Function, deep: int) -> Told:
        """What stands under `name`: what was assigned to it, what callers give for it, or what the module calls so."""
        if isinstance(function, ast.FunctionDef):
            assigned = [*_assigned(function, name)]
            if assigned:
                found = frozenset[str]()
                for value, at in assigned:
                    found |= self._part(value, at, here, function, deep)
                for more in _added(function, name):
                    found |= _joined([found, self.told(more, here, function, deep + 1)])
                return found
            parameters = [one.arg for one in function.args.posonlyargs + function.args.args]
            if name in parameters:
                return self._given(function.name, parameters.index(name), name, here, deep)
        value = getattr(here.module, name, None)
        if isinstance(value, Violation):
            return frozenset({value.text})
        return frozenset({str(value)}) if isinstance(value, str | int) else UNKNOWN

    def _part(
        self, value: ast.expr | None, at: int | None, here: Source, function: Function, deep: int
    ) -> Told:
        """What `value`, or its part number `at`, may say."""
        match value:
            case None:
                return UNKNOWN
            case ast.Tuple(elts=parts) if at is not None:
                return self.told(parts[at], here, function, deep + 1)
            case ast.IfExp(body=one, orelse=other) if at is not None:
                return self._part(one, at, here, function, deep) | self._part(other, at, here, function, deep)
            case ast.Subscript(value=table) if at is not None:
                return self._values(table, here, function, at)
            case ast.expr() if at is None:
                return self.told(value, here, function, deep + 1)
        return UNKNOWN

    def _given(self, called: str, at: int, name: str, here: Source, deep: int) -> Told:
        """What callers give for a parameter, where all that they give is words."""
        found = frozenset[str]()
        for given, there, function in self._arguments(called, at, name, here):
            if not isinstance(given, ast.Constant | ast.JoinedStr | ast.IfExp):
                return UNKNOWN
            found |= self.told(given, there, function, deep + 1)
        return found or UNKNOWN

    def _arguments(
        self, called: str, at: int, name: str, here: Source
    ) -> Iterator[tuple[ast.expr | None, Source, Function]]:
        """What is given for parameter `name`, number `at`, wherever the function `called` of `here` is called."""
        function = getattr(here.module, called, None)
        for there in self.sources:
            for call, what in there.calls:
                if what == called and (there.named(call.func) is function if function else there is here):
                    yield _argument(call, at, name), there, there.inside[call]

    def _tables(self, node: ast.expr | None, here: Source, function: Function) -> Iterator[Any]:
        """The tables that `node` may be: of a module, or what callers give."""
        match node:
            case ast.IfExp(body=one, orelse=other):
                yield from self._tables(one, here, function)
                yield from self._tables(other, here, function)
            case ast.Name(id=name):
                parameters = [one.arg for one in function.args.args] if function else []
                if function and name in parameters:
                    for given in self._arguments(function.name, parameters.index(name), name, here):
                        yield from self._tables(*given)
                elif isinstance(getattr(here.module, name, None), dict):
                    yield getattr(here.module, name)


def _speaks(node: ast.FunctionDef) -> bool:
    return node.returns is not None and "str" in ast.unparse(node.returns)


def _argument(call: ast.Call, at: int, name: str) -> ast.expr | None:
    if call.args and isinstance(call.args[0], ast.Starred):
        return call.args[0]
    if at < len(call.args):
        return call.args[at]
    return next((one.value for one in call.keywords if one.arg == name), None)


def _assigned(function: ast.FunctionDef, name: str) -> Iterator[tuple[ast.expr | None, int | None]]:
    """What is assigned to `name` in `function`, with the number of the part of it that is; None where that is not known."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=value):
                if isinstance(target, ast.Name) and target.id == name:
                    yield value, None
                elif isinstance(target, ast.Tuple):
                    for at, one in enumerate(target.elts):
                        if isinstance(one, ast.Name) and one.id == name:
                            yield value, at
            case ast.NamedExpr(target=target, value=value) if target.id == name:
                yield value, None
            case ast.For(target=target) | ast.comprehension(target=target):
                if any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(target)):
                    yield None, None
            case ast.MatchAs(name=captured) | ast.MatchStar(name=captured) if captured == name:
                yield None, None
            case ast.ExceptHandler(name=captured) if captured == name:
                yield None, None


def _added(function: ast.FunctionDef, name: str) -> Iterator[ast.expr]:
    """What is put behind `name` in `function`."""
    for node in ast.walk(function):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            yield node.value


def _joined(parts: list[Told]) -> Told:
    return frozenset("".join(some) for some in product(*parts))

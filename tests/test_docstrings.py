"""Docstrings: many arguments are described, the errors that a function raises, and the fields of a class."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from tests.sources import FOLDERS, ROOT, own_modules, parse

MANY = 4
"""Number of arguments from which a docstring describes them."""

HELP = "commands"
"""Folder of the command line in which docstrings are the help of commands."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules() -> Iterator[tuple[Path, ast.Module]]:
    """Yield the modules of the packages with their syntax trees."""
    for path in own_modules():
        if HELP not in path.parts:
            yield path, parse(path)


def public_functions(node: ast.Module | ast.ClassDef) -> Iterator[tuple[Function, str]]:
    """Yield the public functions and methods in `node`, each with its docstring and that of its class."""
    of_class = (ast.get_docstring(node) or "") if isinstance(node, ast.ClassDef) else ""
    for one in node.body:
        if isinstance(one, ast.ClassDef) and not one.name.startswith("_"):
            yield from public_functions(one)
        if not isinstance(one, Function) or (one.name.startswith("_") and one.name != "__init__"):
            continue
        if not any("overload" in ast.unparse(decorator) for decorator in one.decorator_list):
            own = of_class if one.name == "__init__" else ""
            yield one, f"{ast.get_docstring(one) or ''}\n{own}"


def argument_names(function: Function) -> list[str]:
    """Return the names of the arguments of `function`, except that of the object or class."""
    args = function.args
    extra = [one for one in (args.vararg, args.kwarg) if one]
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, *extra]
    return [one.arg for one in every if one.arg not in ("self", "cls")]


def raises(node: ast.AST) -> bool:
    """Return whether `node` raises a new error that it does not catch itself; functions inside it left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(child, ast.Try) and child.handlers:
            rest = [*child.handlers, *child.orelse, *child.finalbody]
            if any(map(raises, rest)) or any(isinstance(one, ast.Raise) and one.exc for one in rest):
                return True
            continue
        if (
            isinstance(child, ast.Raise)
            and child.exc
            and not ast.unparse(child.exc).startswith("AssertionError")
        ):
            return True
        if raises(child):
            return True
    return False


def test_the_docstring_of_a_function_with_many_arguments_describes_them() -> None:
    met = [
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}"
        for path, tree in modules()
        for function, text in public_functions(tree)
        if len(argument_names(function)) >= MANY and "Args:" not in text
    ]
    assert not met, "\n".join(met)


def all_functions() -> Iterator[tuple[Path, ast.Module, Function]]:
    """Yield all functions of the packages, the private and the nested too, each with its module."""
    for path, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, Function):
                yield path, tree, node


def test_the_described_arguments_are_the_arguments() -> None:
    met = []
    for path, _, function in all_functions():
        described = (ast.get_docstring(function) or "").partition("Args:\n")[2].partition("\n\n")[0]
        names = [
            name
            for listed in re.findall(r"^    (\w+(?:, \w+)*):", described, re.MULTILINE)
            for name in listed.split(", ")
        ]
        if described and sorted(names) != sorted(argument_names(function)):
            met.append(f"{path.relative_to(ROOT)}:{function.lineno} {function.name}: {names}")
    assert not met, "\n".join(met)


def test_the_docstring_of_a_function_names_the_errors_that_it_raises() -> None:
    met = [
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}"
        for path, tree in modules()
        for function, text in public_functions(tree)
        if raises(function) and "Raise" not in text and not function.name.startswith("test_")
    ]
    met += [
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}"
        for path, tree, function in all_functions()
        if (text := ast.get_docstring(function)) and "raise" not in text.lower() and raises(function)
        if "Each function raises" not in " ".join((ast.get_docstring(tree) or "").split())
    ]
    assert not met, "\n".join(dict.fromkeys(met))


QUOTED = re.compile(r"(?<!`)`([A-Za-z_][\w.]*)(?:\(\))?`(?!`)")
"""An identifier in single backticks."""


def bound_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module defines or imports, and the members of its classes."""
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((one.asname or one.name).partition(".")[0] for one in node.names)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        for one in node.body if isinstance(node, ast.Module | ast.ClassDef) else ():
            targets = one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]
            for target in filter(None, targets):
                yield from (name.id for name in ast.walk(target) if isinstance(name, ast.Name))


def texts_with_arguments(
    node: ast.AST, names: frozenset[str] = frozenset()
) -> Iterator[tuple[ast.Expr, frozenset[str]]]:
    """Yield the docstrings in `node`, each with the names of the arguments around it."""
    if isinstance(node, Function):
        names |= {*argument_names(node)}
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            first = [one for one in getattr(node, "body", ()) if getattr(one, "name", "") == "__init__"]
            yield child, names.union(*map(argument_names, first))
        else:
            yield from texts_with_arguments(child, names)


def test_an_identifier_in_a_docstring_exists() -> None:
    """Check the first part of each name: an argument, a built-in, or a name of the packages. Files end in ``.js``."""
    known = {name for path in own_modules() for name in bound_names(parse(path))} | {*dir(builtins)}
    known |= {part for path in own_modules() for part in path.relative_to(ROOT).with_suffix("").parts}
    scripts = {path.name for folder in FOLDERS for path in (ROOT / folder).rglob("*.js")}
    met = []
    for path in own_modules():
        for expression, names in texts_with_arguments(parse(path)):
            for name in QUOTED.findall(str(ast.literal_eval(expression.value))):
                own = name.startswith("gamelog")  # each part of the name of a module exists
                parts = [name] if name.endswith(".js") else name.split(".")[: None if own else 1]
                if not {*parts} <= known | names | scripts:
                    met.append(f"{path.relative_to(ROOT)}:{expression.lineno} {name}")
    assert not met, "\n".join(met)


def fields_of(node: ast.ClassDef) -> set[str]:
    """Return the names of the annotated members of a class."""
    return {
        one.target.id
        for one in node.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    }


KNOWN_NAMES = frozenset(
    [
        "id",
        "n",
        "t",
        "by",
        "seat",
        "seats",
        "name",
        "names",
        "title",
        "text",
        "path",
        "head",
        "game",
        "rule",
        "code",
        "reason",
        "severity",
        "event",
        "events",
        "state",
        "phase",
        "setup",
        "options",
        "outcome",
        "finding",
        "findings",
        "problem",
        "key",
        "locale",
        "view",
    ]
)
"""Names of fields that mean the same in all classes."""

NO_LIST = 3
"""Maximum number of fields that the summary of a class can describe without ``Attributes:``."""


def explains_itself(field: ast.AnnAssign) -> bool:
    """Return whether the name and the type of a field say what it is.

    The name is known, or the last words of a type, or the type has a text of its own (`Annotated`).
    """
    name, annotation = ast.unparse(field.target), ast.unparse(field.annotation)
    types = {
        re.sub(r"(?<!^)(?=[A-Z])", "_", word).lower() for word in re.findall("[A-Z][A-Za-z]+", annotation)
    }
    ends = {name, name.removesuffix("s")}
    return (
        name in KNOWN_NAMES
        or annotation.startswith(("Annotated", "ClassVar"))
        or any(kind.endswith(tuple(f"_{end}" for end in ends)) or kind in ends for kind in types)
    )


def undescribed_fields(node: ast.ClassDef) -> list[str]:
    """Return the public fields of a class that need a description and have none."""
    text = ast.get_docstring(node) or ""
    fields = [one for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]
    of_one_type = len({ast.unparse(one.annotation) for one in fields}) == 1
    if "The members of `" in text or ("Attributes:" not in text and (len(fields) <= NO_LIST or of_one_type)):
        return []
    below = {
        field.target
        for field, after in pairwise(node.body)
        if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr)
    }
    described = {
        name
        for names in re.findall(r"^    (\w+(?:, \w+)*):", text.partition("Attributes:\n")[2], re.MULTILINE)
        for name in names.split(", ")
    }
    if has_list(text):
        described |= {*re.findall(r"``(\w+)``", text)}
    return [
        name
        for one in fields
        if not (name := ast.unparse(one.target)).startswith("_")
        if name not in described and one.target not in below and not explains_itself(one)
    ]


def test_the_fields_of_a_public_struct_or_dataclass_are_described() -> None:
    met = []
    for path, tree in modules():
        for node in ast.walk(tree):
            if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
                continue
            bases = {ast.unparse(one).rpartition(".")[2] for one in node.bases}
            of_data = any("dataclass" in ast.unparse(one) for one in node.decorator_list)
            if (of_data or bases & {"Struct", "NamedTuple", "Event"}) and (wrong := undescribed_fields(node)):
                met.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {wrong}")
    assert not met, "\n".join(met)


def has_list(text: str) -> bool:
    """Return whether a docstring describes members in a list or definition list of its own."""
    return "\n- ``" in text or re.search(r"^(``[^`]+``(, |$))+\n    ", text, re.MULTILINE) is not None


def test_the_docstring_of_a_class_describes_its_fields_line_by_line() -> None:
    met = []
    for path, tree in modules():
        for node in ast.walk(tree):
            text = (ast.get_docstring(node) or "") if isinstance(node, ast.ClassDef) else ""
            if isinstance(node, ast.ClassDef) and "Attributes:" not in text and not has_list(text):
                named = fields_of(node) & {*re.findall(r"``(\w+)``", text)}
                if len(named) > 1:
                    met.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {sorted(named)}")
    assert not met, "\n".join(met)


def test_a_described_attribute_of_a_struct_exists() -> None:
    met = []
    for path, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any(
                ast.unparse(base) in ("Struct", "NamedTuple") for base in node.bases
            ):
                text = (ast.get_docstring(node) or "").partition("Attributes:\n")[2].partition("\n\n")[0]
                wrong = {*re.findall(r"^    (\w+):", text, re.MULTILINE)} - fields_of(node)
                if wrong:
                    met.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {sorted(wrong)}")
    assert not met, "\n".join(met)

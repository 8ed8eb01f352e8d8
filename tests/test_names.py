"""Tests that public names are unique where a reader needs them to be: in one folder, and at the front door."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module

from tests.sources import ROOT, own_modules, parse

FRONT_DOOR = ("gamelog", "gamelog.game", "gamelog.archive")


def _public_names(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the public names that these statements define. Imports are left out."""
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names = [name]
            case ast.Assign() | ast.AnnAssign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = [
                    part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)
                ]
            case ast.If() | ast.Try():
                names = list(_public_names([*node.body, *node.orelse]))
            case _:
                names = []
        yield from (name for name in names if not name.startswith("_"))


def test_no_folder_has_a_public_name_twice() -> None:
    modules: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path in own_modules():
        for name in _public_names(parse(path).body):
            modules[str(path.parent.relative_to(ROOT)), name].add(path.name)
    assert len(modules) > 1000
    assert {place: sorted(found) for place, found in modules.items() if len(found) > 1} == {}


def test_a_name_means_one_thing_at_the_front_door() -> None:
    meanings: dict[str, dict[int, str]] = defaultdict(dict)
    for module in map(import_module, FRONT_DOOR):
        for name in module.__all__:
            meanings[name].setdefault(id(getattr(module, name)), module.__name__)
    assert {name: sorted(found.values()) for name, found in meanings.items() if len(found) > 1} == {}


def test_a_function_named_check_raises_and_returns_nothing() -> None:
    met = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in own_modules()
        for node in ast.walk(parse(path))
        if isinstance(node, ast.FunctionDef) and node.name.lstrip("_").startswith("check_")
        if ast.unparse(node.returns or ast.Constant(...)) != "None"
    ]
    assert not met, "\n".join(met)

"""One name, one thing: a public name outside the games stands for one thing, and a search finds one definition."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from gamelog_cli.app import COMMANDS

ROOT = Path(__file__).parent.parent


def _defined(body: list[ast.stmt]) -> Iterator[str]:
    """The names that these statements bind, but for what they import."""
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign() | ast.AnnAssign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                yield from (
                    part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)
                )
            case ast.If() | ast.Try():
                yield from _defined([*node.body, *node.orelse])


def _excused(path: Path, name: str) -> bool:
    """Names that are not free: of a command, by which the application finds its function, often called like what it calls; and
    `main` of a module that is run.
    """
    return (path.parent.name == "commands" and COMMANDS.get(name, ("",))[0] == path.stem) or name == "main"


def test_no_two_public_names_are_the_same() -> None:
    homes: dict[str, set[str]] = defaultdict(set)
    for top in ("gamelog", "cli", "reports"):
        for path in (ROOT / top).rglob("*.py"):
            where = path.relative_to(ROOT)
            if where.is_relative_to("gamelog/games"):
                continue
            for name in _defined(ast.parse(path.read_text()).body):
                if not name.startswith("_") and not _excused(path, name):
                    homes[name].add(str(where))
    assert len(homes) > 1000, "most of the house is looked at"
    assert not {name: sorted(places) for name, places in homes.items() if len(places) > 1}

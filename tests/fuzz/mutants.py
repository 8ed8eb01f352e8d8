"""Mutation testing: small mistakes are put into the code one at a time, and the tests have to notice each.

    python -m tests.fuzz.mutants --jobs 2 [gamelog/record/chain.py ...]

Without file names: all of ``gamelog/record`` and ``gamelog/play/verify.py``. A mistake is a turned
comparison, a negated condition, a constant one off, a changed byte string, a swapped operator, a
statement left out, a result forgotten, a filter forgotten. Each runs in a copy of the project against
the tests of its layer, its module's own first. What survives is listed with its line: a missing
test, or a change that changes nothing.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

from msgspec import Struct

ROOT = Path(__file__).parents[2]

RECORD = sorted(path for path in (ROOT / "gamelog/record").glob("*.py") if path.name != "__init__.py")
MODULES = (*RECORD, ROOT / "gamelog/play/verify.py")

COPIED = (
    *("gamelog", "cli", "reports", "tests", "sample_games", "schemas", "docs"),
    *("pyproject.toml", "README.md", "CONTRIBUTING.md"),
)

TESTS = {
    "record": [
        *(
            f"tests/record/test_{name}.py"
            for name in ("chain", "envelope", "reading", "log", "disk", "seal", "shelf", "short_writes", "recovery")
        ),
        "tests/play/test_machine.py",
        "tests/cli/test_bad_input.py",
        "tests/cli/test_trust.py",
    ],
    "play": [
        *(f"tests/play/test_{name}.py" for name in ("verify", "fold", "rulings", "signatures", "reveals")),
        "tests/cli/test_commands.py",
        "tests/test_samples.py",
    ],
}

SECONDS = 120
"""A mutant that makes the tests run longer is noticed, too."""

LEFT_OUT = "not interrupted_twice and not interrupting_long_work"
"""One takes long; the other needs interrupts, which a job in the background does not get."""

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
    ast.BitOr: ast.BitAnd,
}

Mistake = tuple[str, int, Callable[[], None]]
"""What it is, the line, and how it is made in the tree it was found in."""


class Mutant(Struct, frozen=True):
    """The `number`-th mistake in a module."""

    path: str
    number: int
    line: int
    what: str


def mistakes(tree: ast.Module) -> Iterator[Mistake]:
    """Every mistake that can be made in `tree`, always in the same order."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and name in ("body", "orelse", "finalbody"):
                yield from _left_out(value)
        match node:
            case ast.Compare(ops=ops):
                for at, op in enumerate(ops):
                    other = TURNED[type(op)]
                    yield f"{type(op).__name__} becomes {other.__name__}", line, _set(ops, at, other())
            case ast.BoolOp(op=ast.And()):
                yield "and becomes or", line, _put(node, "op", ast.Or())
            case ast.BoolOp():
                yield "or becomes and", line, _put(node, "op", ast.And())
            case ast.BinOp(op=op) if type(op) in SWAPPED and not _type_union(node):
                other_op = SWAPPED[type(op)]
                yield f"{type(op).__name__} becomes {other_op.__name__}", line, _put(node, "op", other_op())
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                yield "the condition is negated", line, _put(node, "test", ast.UnaryOp(ast.Not(), test))
            case ast.comprehension(ifs=ifs):
                for at in range(len(ifs)):
                    yield "the filter is forgotten", ifs[at].lineno, _set(ifs, at, ast.Constant(True))
            case ast.Constant(value=bool(value)):
                yield f"{value} becomes {not value}", line, _put(node, "value", not value)
            case ast.Constant(value=int(value)):
                yield f"{value} becomes {value + 1}", line, _put(node, "value", value + 1)
            case ast.Constant(value=bytes(value)) if value:
                yield f"{value!r} gets longer", line, _put(node, "value", value + b"!")
            case ast.Return(value=value) if value is not None and not (isinstance(value, ast.Constant) and value.value is None):
                yield "the result is forgotten", line, _put(node, "value", ast.Constant(None))
            case _:
                pass


def _left_out(body: list[ast.stmt]) -> Iterator[Mistake]:
    """Statements that can be left out without making the rest nonsense."""
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


def _set(items: list[ast.cmpop] | list[ast.stmt] | list[ast.expr], at: int, value: object) -> Callable[[], None]:
    return lambda: items.__setitem__(at, value)  # type: ignore[arg-type,call-overload]


def _put(node: ast.AST, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, name, value)


def _type_union(node: ast.BinOp) -> bool:
    """Whether this is ``A | B`` between types."""
    return isinstance(node.op, ast.BitOr)


def parsed(path: Path) -> ast.Module:
    """The module, without what is only said to type checkers."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for argument in (*node.args.args, *node.args.kwonlyargs):
                argument.annotation = None
    return tree


def layer(path: str) -> str:
    """The folder of a module, whose tests are asked."""
    return Path(path).parent.name


def mutants(path: Path) -> list[Mutant]:
    """All mutants of a module."""
    name = str(path.relative_to(ROOT))
    return [Mutant(name, number, line, what) for number, (what, line, _) in enumerate(mistakes(parsed(path)))]


def source(mutant: Mutant) -> str:
    """The module with the mistake in it."""
    tree = parsed(ROOT / mutant.path)
    _, _, make = list(mistakes(tree))[mutant.number]
    make()
    return ast.unparse(ast.fix_missing_locations(tree))


class Copy:
    """A copy of the project in which mistakes are tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            place = folder / name
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, place)

    def notices(self, path: str, text: str | None = None) -> str:
        """What the tests say when the module is `text` (as it is, if left out); nothing when they notice nothing."""
        place = self.folder / path
        before = place.read_text()
        place.write_text(before if text is None else text)
        tests = TESTS[layer(path)]
        own = [test for test in tests if test.endswith(f"/test_{place.name}")]
        try:
            return self._said_by(own) or self._said_by([test for test in tests if test not in own])
        except subprocess.TimeoutExpired:
            return f"more than {SECONDS} seconds"
        finally:
            place.write_text(before)

    def _said_by(self, tests: list[str]) -> str:
        """What these tests say; nothing when there are none, or none fails."""
        if not tests:
            return ""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-k", LEFT_OUT, *tests]
        here = {"PYTHONPATH": ":".join(str(self.folder / name) for name in ("", "cli", "reports"))}
        done = subprocess.run(
            command, cwd=self.folder, env=os.environ | here, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        return done.stdout + done.stderr if done.returncode else ""


def survivors(paths: Sequence[Path], jobs: int, every: int = 1) -> Iterator[Mutant | None]:
    """For each mutant: the mutant if no test notices it, else None."""
    chosen = [mutant for path in paths for mutant in mutants(path)][::every]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copies: Queue[Copy] = Queue()
        for number in range(jobs):
            copies.put(Copy(Path(folder) / str(number)))
        first = copies.get()
        for path in {layer(mutant.path): mutant.path for mutant in chosen}.values():
            noticed = first.notices(path)
            assert not noticed, f"the tests of {path} fail without a mistake: {noticed[-2000:]}"
        copies.put(first)

        def attempt(mutant: Mutant) -> Mutant | None:
            copy = copies.get()
            try:
                return None if copy.notices(mutant.path, source(mutant)) else mutant
            finally:
                copies.put(copy)

        yield from pool.map(attempt, chosen)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", type=Path, default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, help="try only each so many-th mutant")
    given = parser.parse_args(arguments)
    begin, tried, survived = time.monotonic(), 0, 0
    for mutant in survivors([path.resolve() for path in given.paths] or MODULES, given.jobs, given.every):
        tried += 1
        if mutant:
            survived += 1
            print(f"survived: {mutant.path}:{mutant.line}: {mutant.what}", flush=True)
    print(f"{tried} mutants, {tried - survived} noticed, {survived} survived, {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()

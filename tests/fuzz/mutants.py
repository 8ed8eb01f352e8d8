"""Mutation testing: small mistakes are put into the code one at a time, and the tests have to notice each.

    python -m tests.fuzz.mutants --area dispute --count 60 --seed 1
    python -m tests.fuzz.mutants gamelog/record/chain.py

Of an area, `count` mistakes are drawn by the seed, at most one a line; of modules that are named, all are
tried, and so are all of an area without a count. A mistake is a turned comparison, a negated condition, a
constant one off, a changed byte string, a swapped operator, arguments that change places or are left out, a
statement left out, a result forgotten, a filter forgotten, and what corresponds to these in SQL. Each runs in a copy
of the project, first against the tests that run its line, then against all tests of its area. What survives is listed
with its line: a missing test, or a change that changes nothing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import Queue
from random import Random

from msgspec import Struct

from tests.fuzz import covering
from tests.fuzz.mistakes import Mutant, mutants, source

ROOT = Path(__file__).parents[2]

COPIED = (
    *("gamelog", "cli", "reports", "tests", "sample_games", "schemas", "docs"),
    *("pyproject.toml", "README.md", "CONTRIBUTING.md"),
)

SECONDS = 600
"""A mutant that makes the tests run longer is noticed, too; it is named, since a busy machine may be the reason."""

HOURS = 7200
"""Seconds for all tests of an area, when they say which lines they run."""

TOO_LONG = f"more than {SECONDS} seconds"

LEFT_OUT = "not interrupted_twice and not interrupting_long_work"
"""One takes long; the other needs interrupts, which a job in the background does not get."""

OWN_WORLD = ("bots", "strong", "plans", "scene", "screen", "charts")
"""Modules of a game that choose or show, and decide nothing: what they do well or badly is nobody's mistake."""


class Area(Struct, frozen=True):
    """Files in which mistakes are made, and the tests that have to notice: the quick and near ones first."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


def _game(name: str) -> Area:
    near = (f"tests/games/{name}/test_scenarios.py", f"tests/games/{name}", "tests/golden")
    others = ("tests/games/test_canonical.py", "tests/games/test_options.py", "tests/games/test_resigning.py")
    return Area((f"gamelog/games/{name}/*.py",), (*near, *others))


RECORD = tuple(
    f"tests/record/test_{name}.py"
    for name in ("chain", "envelope", "reading", "log", "disk", "seal", "shelf", "short_writes", "recovery")
)

AREAS: dict[str, Area] = {
    "record": Area(
        ("gamelog/record/*.py",),
        (*RECORD, "tests/play/test_machine.py", "tests/cli/test_bad_input.py", "tests/cli/test_trust.py"),
    ),
    "play": Area(
        ("gamelog/play/*.py",),
        ("tests/play", "tests/games/gp02a_territory/test_agreement.py", "tests/cli/test_commands.py", "tests/test_samples.py"),
    ),
    "dispute": Area(("gamelog/dispute/*.py",), ("tests/dispute", "tests/cli/test_referee.py")),
    "archive": Area(("gamelog/archive/*.py",), ("tests/archive",)),
    "sql": Area(
        ("gamelog/archive/macros.sql", "gamelog/archive/questions/*.sql"),
        ("tests/archive/test_courses.py", "tests/archive/test_advantage.py", "tests/archive/test_strata.py", "tests/archive"),
    ),
    **{name: _game(name) for name in ("slicewars", "gp02a_territory", "zone_control", "zone_s", "dice_flags")},
}

USUAL = (*AREAS["record"].files, "gamelog/play/verify.py")
"""What is tried when nothing is asked for: what must never go wrong."""


def files(patterns: Iterable[str]) -> list[Path]:
    """The files that these patterns name, but for what is in no area."""
    found = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    return [path for path in found if path.name != "__init__.py" and path.stem not in OWN_WORLD]


def area_of(path: Path) -> Area:
    """The area of a file."""
    for area in AREAS.values():
        if any(path.relative_to(ROOT).match(pattern) for pattern in area.files):
            return area
    raise SystemExit(f"{path.relative_to(ROOT)} is in no area; the areas are {', '.join(AREAS)}.")


def drawn(found: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """`count` mutants, at most one a line, the same for the same seed."""
    rng, lines = Random(seed), defaultdict(list)
    for mutant in found:
        lines[mutant.path, mutant.line].append(mutant)
    chosen = rng.sample([*lines], min(count, len(lines)))
    return [rng.choice(lines[line]) for line in chosen]


class Copy:
    """A copy of the project in which mistakes are tried."""

    def __init__(self, folder: Path, covered: dict[Area, covering.Tests]) -> None:
        self.folder, self.covering = folder, covered
        for name in COPIED:
            place = folder / name
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, place)

    def begin(self, area: Area) -> None:
        """Run the tests of an area without any mistake. Raises AssertionError when they fail."""
        if area not in self.covering:
            with tempfile.TemporaryDirectory() as folder:
                noticed = self._said_by(area.tests, covering.command(Path(folder)), HOURS)
                assert not noticed, f"the tests fail without a mistake: {noticed[-2000:]}"
                self.covering[area] = covering.tests(Path(folder), self.folder)

    def notices(self, path: Path, line: int, text: str) -> str:
        """What the tests say when the file is `text`, which differs in this line; nothing when they notice nothing."""
        name, area = path.relative_to(ROOT), area_of(path)
        place = self.folder / name
        before = place.read_text()
        place.write_text(text)
        near = self.covering[area].get((str(name), line), ())
        try:
            return (self._said_by(near) if near else "") or self._said_by(area.tests)
        except subprocess.TimeoutExpired:
            return TOO_LONG
        finally:
            place.write_text(before)

    def _said_by(self, tests: Sequence[str], how: Sequence[str] = ("-m", "pytest"), seconds: int = SECONDS) -> str:
        """What these tests say; nothing when none fails."""
        command = [sys.executable, *how, "-x", "-q", "-p", "no:cacheprovider", "-k", LEFT_OUT, *tests]
        here = {
            "PYTHONPATH": ":".join(str(self.folder / name) for name in ("", "cli", "reports")),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        running = subprocess.Popen(
            command,
            cwd=self.folder,
            env=os.environ | here,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            said, _ = running.communicate(timeout=seconds)
        finally:
            with suppress(ProcessLookupError):  # the tests may have started others
                os.killpg(running.pid, signal.SIGKILL)
            running.wait()
        return said if running.returncode else ""


def survivors(chosen: Sequence[Mutant], jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Each mutant, and what the tests say: nothing where it survived.

    The project may be worked on meanwhile: what is tried is what it was at the start.
    """
    texts = [source(mutant) for mutant in chosen]
    covered: dict[Area, covering.Tests] = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copies: Queue[Copy] = Queue()
        for number in range(jobs):
            copies.put(Copy(Path(folder) / str(number), covered))
        first = copies.get()
        for mutant in chosen:
            first.begin(area_of(mutant.path))
        copies.put(first)

        def attempt(mutant: Mutant, text: str) -> tuple[Mutant, str]:
            copy = copies.get()
            try:
                return mutant, copy.notices(mutant.path, mutant.line, text)
            finally:
                copies.put(copy)

        yield from pool.map(attempt, chosen, texts)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", type=Path, default=[])
    parser.add_argument("--area", choices=list(AREAS), action="append", default=[], help="draw from this area; may be repeated")
    parser.add_argument("--count", type=int, help="draw so many, at most one a line; without it, all are tried")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(arguments)
    patterns = [pattern for name in given.area for pattern in AREAS[name].files]
    places = [path.resolve() for path in given.paths] + files(patterns) or files(USUAL)
    found = [mutant for path in places for mutant in mutants(path)]
    chosen = found if given.count is None else drawn(found, given.count, given.seed)
    begin, tried, survived = time.monotonic(), 0, 0
    for mutant, said in survivors(chosen, given.jobs):
        tried, survived = tried + 1, survived + (not said)
        if said in ("", TOO_LONG):
            fate = said or "survived"
            print(f"{fate}: {mutant.path.relative_to(ROOT)}:{mutant.line}: {mutant.what}", flush=True)
        if tried % 10 == 0:
            print(f"{tried} of {len(chosen)} tried", file=sys.stderr, flush=True)
    share = f"{100 * (tried - survived) / tried:.0f} %" if tried else "none"
    drawn_by = f"seed {given.seed}: " if given.count is not None else ""
    print(
        f"{drawn_by}{tried} mutants, {tried - survived} noticed ({share}), {survived} survived, {time.monotonic() - begin:.0f} s"
    )


if __name__ == "__main__":
    main()

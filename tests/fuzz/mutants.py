"""Mutation testing: small mistakes are put into the code one at a time, and the tests have to notice each.

    python -m tests.fuzz.mutants --area dispute --count 60 --seed 1
    python -m tests.fuzz.mutants gamelog/record/chain.py

In an area, the seed draws `count` mistakes, at most one a line. Without a count, and in modules that are
named, all mistakes are tried. A mistake is a reversed comparison, a negated condition, a constant one off, a
changed byte string, a swapped operator, swapped or missing arguments, a missing statement, a result or a
filter that is forgotten, and the like in SQL.

Each mistake runs in a copy of the project, first against the tests that run its line, then against all tests
of its area. The run lists each survivor with its line: a test is missing, or the change changes nothing.
"""

from __future__ import annotations

import argparse
import os
import resource
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
from itertools import accumulate
from pathlib import Path
from queue import Queue
from random import Random

from msgspec import Struct

from tests.fuzz import covering
from tests.fuzz.mistakes import Mutant, mutants, source

ROOT = Path(__file__).parents[2]

COPIED = (
    *("gamelog", "gamelog_front", "cli", "reports", "tests", "sample_games", "schemas", "docs"),
    *("pyproject.toml", "README.md", "CONTRIBUTING.md"),
)

SECONDS = 60
"""Seconds of processor time, beyond five times what the tests need, after which they have noticed."""

HOURS = 7200
"""Seconds of real time, for tests that wait for ever without processor time."""

TOO_LONG = "the tests do not end"

LEFT_OUT = "not interrupted_twice and not interrupting_long_work"
"""Tests to leave out: one takes long, and a job in the background gets no interrupts for the other."""

PYTEST = ("-m", "pytest")

OWN_WORLD = ("bots", "strong", "plans", "scene", "screen", "distances")
"""Modules of a game that choose or show, but decide nothing. No rule is broken by what they do."""


class Area(Struct, frozen=True):
    """Files in which mistakes are made, and the tests that have to notice: the quick and near ones first."""

    files: tuple[str, ...]
    tests: tuple[str, ...]

    def place(self, test: str) -> int:
        """Return the position of `test` among the tests of the area; other tests come last."""
        return next((at for at, path in enumerate(self.tests) if test.startswith(path)), len(self.tests))


def _game(name: str) -> Area:
    near = (f"tests/games/{name}/test_scenarios.py", f"tests/games/{name}", "tests/golden")
    others = (f"tests/games/test_{what}.py" for what in ("canonical", "options", "resigning", "declared"))
    return Area((f"gamelog/games/{name}/*.py",), (*near, *others, "tests/play/test_declare.py"))


RECORD = tuple(
    f"tests/record/test_{name}.py"
    for name in (
        "chain",
        "envelope",
        "reading",
        "record_file",
        "disk",
        "seal",
        "discovery",
        "short_writes",
        "recovery",
    )
)

ASKING = tuple(
    f"tests/archive/test_{name}.py"
    for name in (
        "courses",
        "advantage",
        "ratings",
        "seat_effects",
        "substitutes",
        "dice_and_luck",
        "people",
        "copies",
        "faults",
        "questions",
        "order",
        "walkovers",
    )
)

AREAS: dict[str, Area] = {
    "record": Area(
        ("gamelog/record/*.py",),
        (
            *RECORD,
            "tests/test_values.py",
            "tests/play/test_machine.py",
            "tests/cli/test_bad_input.py",
            "tests/cli/test_bad_records.py",
            "tests/cli/test_trust.py",
            "tests/cli/test_committed_dice.py",
        ),
    ),
    "play": Area(
        ("gamelog/play/**/*.py",),
        (
            "tests/play",
            "tests/games/gp02a_territory/test_agreement.py",
            "tests/cli/test_commands.py",
            "tests/test_samples.py",
            "tests/test_values.py",
            "tests/cli/test_record.py",
            "tests/record/test_cost.py",
        ),
    ),
    "dispute": Area(
        ("gamelog/dispute/*.py",),
        ("tests/dispute", "tests/test_values.py", "tests/cli/test_referee.py", "tests/cli/test_incidents.py"),
    ),
    "archive": Area(("gamelog/archive/**/*.py",), ("tests/archive", "tests/test_values.py")),
    "sql": Area(
        (
            "gamelog/archive/schema/*.sql",
            "gamelog/archive/indexing/*.sql",
            "gamelog/archive/querying/sql/*.sql",
        ),
        (
            *ASKING,
            "tests/archive/test_several_archives.py",
            "tests/archive/test_reader.py",
            "tests/archive/test_read_only_connection.py",
            "tests/archive/test_every_game.py",
        ),
    ),
    **{
        name: _game(name) for name in ("slicewars", "gp02a_territory", "zone_control", "zone_s", "dice_flags")
    },
}

USUAL = (*AREAS["record"].files, "gamelog/play/judging/fold_record.py")
"""The areas that are tried by default: code that must never go wrong."""


def files(patterns: Iterable[str]) -> list[Path]:
    """Return the files that match these patterns, without files that are in no area."""
    found = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    return [path for path in found if path.name != "__init__.py" and path.stem not in OWN_WORLD]


def area_of(path: Path) -> Area:
    """Return the area of a file."""
    for area in AREAS.values():
        if any(path.relative_to(ROOT).match(pattern) for pattern in area.files):
            return area
    raise SystemExit(f"{path.relative_to(ROOT)} is in no area; the areas are {', '.join(AREAS)}.")


def draw_mutants(found: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """Return `count` of the mutants, at most one a line, the same for the same seed."""
    rng, lines = Random(seed), defaultdict(list)
    for mutant in found:
        lines[mutant.path, mutant.line].append(mutant)
    chosen = rng.sample([*lines], min(count, len(lines)))
    return [rng.choice(lines[line]) for line in chosen]


class Copy:
    """A copy of the project in which mistakes are tried."""

    def __init__(self, folder: Path, project: Path, near: bool, budget: float | None) -> None:
        self.folder, self.tests_near, self._budget = folder, near, budget
        for name in COPIED:
            if (project / name).is_dir():
                shutil.copytree(project / name, folder / name)
            else:
                shutil.copy(project / name, folder / name)

    def run_unchanged(self, areas: Iterable[Area]) -> covering.Covered:
        """Return the report of the tests of these areas without any mistake.

        Raises:
            AssertionError: The tests fail.
        """
        tests = list(dict.fromkeys(test for area in areas for test in area.tests))
        with tempfile.TemporaryDirectory() as folder:
            noticed = self._run_limited(tests, covering.command(Path(folder)), HOURS, {})
            assert not noticed, f"the tests fail without a mistake: {noticed[-2000:]}"
            covered = covering.read_report(Path(folder), self.folder)
        strange = self._run_limited([*covered.seconds], (*PYTEST, "--collect-only"), HOURS, {})
        assert not strange, f"not all tests are found by their names: {strange[-2000:]}"
        return covered

    def run_with(self, path: Path, line: int, text: str, covered: covering.Covered) -> str:
        """Return the failure of the tests if the file is `text`, which differs in this line; empty if none.

        First the tests that run the line are tried, in the ordinary way and with all the examples of a full
        run. Then the others of the area are tried, the near and quick ones first. A copy that tries the
        `tests_near` ones tries only those, if there are any. With a budget, only the quickest of them are tried,
        or of all if none runs the line. For SQL all tests are tried, because its lines cannot be traced.
        """
        name, area = path.relative_to(ROOT), area_of(path)
        place = self.folder / name
        before, times = place.read_text(), place.stat()
        near = covered.tests_near(str(name), line, before)
        others = sorted(covered.by_time(covered.seconds.keys() - {*near}), key=area.place)
        alone = self.tests_near and near and path.suffix == ".py"
        others = [test for test in others if area.place(test) < len(area.tests) and not alone]
        place.write_text(text)
        try:
            if self._budget is not None and path.suffix == ".py":
                return self._run_unlimited(self._affordable(near or others, covered), covered)
            return (
                self._run_unlimited(near, covered)
                or self._run_unlimited(near, covered, "--grids")
                or self._run_unlimited(others, covered)
            )
        except subprocess.TimeoutExpired:
            return TOO_LONG
        finally:
            place.write_text(before)
            os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))  # the compiled code is valid again

    def _affordable(self, tests: Sequence[str], covered: covering.Covered) -> list[str]:
        """Return the first of the tests, which are sorted by time: those that fit in the budget, and at least one."""
        assert self._budget is not None
        sums = accumulate(covered.seconds[test] for test in tests)
        return [
            test
            for at, (test, sum) in enumerate(zip(tests, sums, strict=True))
            if not at or sum <= self._budget
        ]

    def _run_unlimited(self, tests: Sequence[str], covered: covering.Covered, *full: str) -> str:
        """Return the failure of these tests, which may run for ever; an empty string if all pass."""
        seconds = SECONDS + 5 * sum(covered.seconds[test] for test in tests)
        return (
            self._run_limited(tests, (*PYTEST, *full), int(seconds), {"PYTHONDONTWRITEBYTECODE": "1"})
            if tests
            else ""
        )

    def _run_limited(
        self, tests: Sequence[str], how: Sequence[str], seconds: int, more: dict[str, str]
    ) -> str:
        """Return the failure of these tests; an empty string if all pass.

        Each of their processes has the given seconds of processor time.
        """
        command = [sys.executable, *how, "-x", "-q", "-p", "no:cacheprovider", "-k", LEFT_OUT, *tests]
        places = {"PYTHONPATH": ":".join(str(self.folder / name) for name in ("", "cli", "reports"))}
        running = subprocess.Popen(
            command,
            cwd=self.folder,
            env=os.environ | places | more,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        resource.prlimit(running.pid, resource.RLIMIT_CPU, (seconds, seconds))
        try:
            said, _ = running.communicate(timeout=HOURS)
        finally:
            with suppress(ProcessLookupError):  # the tests may have started others
                os.killpg(running.pid, signal.SIGKILL)
            running.wait()
        return TOO_LONG if running.returncode < 0 else said if running.returncode else ""


def survivors(
    chosen: Sequence[Mutant], jobs: int, near: bool, budget: float | None
) -> Iterator[tuple[Mutant, str]]:
    """Yield each mutant with the failure of the tests, which is empty if the mutant survived.

    You may work on the project meanwhile, because the run uses a copy from its start.
    """
    if not chosen:
        return
    texts = [source(mutant) for mutant in chosen]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        first = Copy(Path(folder) / "0", ROOT, near, budget)
        covered = first.run_unchanged(dict.fromkeys(area_of(mutant.path) for mutant in chosen))
        copies: Queue[Copy] = Queue()
        copies.put(first)
        for number in range(1, jobs):  # with the compiled code of now
            copies.put(Copy(Path(folder) / str(number), first.folder, near, budget))

        def attempt(mutant: Mutant, text: str) -> tuple[Mutant, str]:
            copy = copies.get()
            try:
                return mutant, copy.run_with(mutant.path, mutant.line, text, covered)
            finally:
                copies.put(copy)

        yield from pool.map(attempt, chosen, texts)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", type=Path, default=[])
    parser.add_argument(
        "--area",
        choices=list(AREAS),
        action="append",
        default=[],
        help="draw from this area; may be repeated",
    )
    parser.add_argument(
        "--count", type=int, help="draw so many, at most one a line; without it, all are tried"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--near",
        action="store_true",
        help="ask only the tests that run a line, where any do: quicker, and stricter",
    )
    parser.add_argument(
        "--budget",
        type=float,
        metavar="SECONDS",
        help="ask only the quickest of those tests, of so many seconds in total: to find the likely survivors first",
    )
    given = parser.parse_args(arguments)
    patterns = [pattern for name in given.area for pattern in AREAS[name].files]
    places = [path.resolve() for path in given.paths] + files(patterns) or files(USUAL)
    found = [mutant for path in places for mutant in mutants(path)]
    chosen = found if given.count is None else draw_mutants(found, given.count, given.seed)
    begin, tried, survived = time.monotonic(), 0, 0
    for mutant, said in survivors(chosen, given.jobs, given.near or given.budget is not None, given.budget):
        tried, survived = tried + 1, survived + (not said)
        if said in ("", TOO_LONG):
            outcome = said or "survived"
            print(f"{outcome}: {mutant.path.relative_to(ROOT)}:{mutant.line}: {mutant.what}", flush=True)
        if tried % 10 == 0:
            print(f"{tried} of {len(chosen)} tried", file=sys.stderr, flush=True)
    share = f"{100 * (tried - survived) / tried:.0f} %" if tried else "none"
    drawn_by = f"seed {given.seed}: " if given.count is not None else ""
    print(
        f"{drawn_by}{tried} mutants, {tried - survived} noticed ({share}), {survived} survived, {time.monotonic() - begin:.0f} s"
    )


if __name__ == "__main__":
    main()

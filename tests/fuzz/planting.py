"""Mistakes planted in a game one at a time, each of which the kit (`gamelog.testing.conformance`) must find.

    python -m tests.fuzz.planting [WORDS ...] [--jobs 2]

The run plants the mistakes whose name contains one of the words, by default all. It prints by which check
each was found, or that it was missed. The game is `tests.fuzz.ferry`, copied as a package of its own and not
installed.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

from gamelog.testing.conformance import Conformance
from tests.fuzz.plants import PLANTS

GAME = Path(__file__).with_name("ferry")

COVERED = ("row",)
"""Tags of events that show everyone more than the state shows later.

A played card is nowhere, and a seat on the other side moves no further.
"""

PATIENCE = 600.0
"""Seconds for the kit's run on one mistake, on a busy machine."""

OUT_OF_REACH = {
    "a seat that is out wins": "only scenarios say which seat wins",
    "TurnOver in the middle of a turn": "a seat may have two turns one after the other",
    "no effect for a seat that is out": "a seat that does not act may have nothing to do for a while",
    "retire hands the turn on always": "a rule may say that a resignation ends another seat's turn",
    "retire while dice are owed": "the rules say when a seat may resign",
}
"""Mistakes that no kit can distinguish from a rule."""


def plant(name: str, folder: Path) -> Path:
    """Return the game with this mistake, as a package in `folder`.

    Raises:
        ValueError: The text to replace is not in exactly one file.
    """
    old, new = PLANTS[name]
    package = folder / "ferry"
    shutil.copytree(GAME, package, ignore=shutil.ignore_patterns("__pycache__"))
    spoiled = 0
    for file in sorted(package.glob("*.py")):
        text = file.read_text("utf-8")
        if old in text and old != new:
            file.write_text(text.replace(old, new, 1), "utf-8")
            spoiled += 1
    if spoiled != 1:
        raise ValueError(f"{name}: to be spoiled once, and found in {spoiled} files")
    return package


def first_finding(folder: Path) -> str | None:
    """Return the first check of the kit that fails for the package in `folder`, with its text, or None."""
    sys.path.insert(0, str(folder))
    try:
        kit = type("Kit", (Conformance,), {"game": import_module("ferry").GAME, "covered": COVERED})()
    except Exception as error:
        return f"import: {error}"
    for name in [
        name for part in reversed(Conformance.__mro__) for name in vars(part) if name.startswith("test_")
    ]:
        try:
            getattr(kit, name)()
        except Exception as error:
            words = " ".join(str(error).split())
            return f"{name}: {type(error).__name__}: {words[:200]}"
    return None


def try_plant(name: str) -> str | None:
    """Return the kit's report of the mistake `name`, tried in its own process; None if the kit missed it."""
    with tempfile.TemporaryDirectory() as scratch:
        plant(name, Path(scratch))
        command = [sys.executable, "-m", "tests.fuzz.planting", "--folder", scratch]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return "the kit does not come to an end"
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.strip() or None


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant mistakes and print which were found; return 1 if one was missed that the kit can find."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz.planting", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("words", nargs="*", help="parts of the names of mistakes; all by default")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.folder:
        said = first_finding(given.folder)
        print(said or "")
        return 0
    names = [name for name in PLANTS if not given.words or any(word in name for word in given.words)]
    missed = []
    with ThreadPoolExecutor(given.jobs) as pool:
        for name, said in zip(names, pool.map(try_plant, names), strict=True):
            if said is None:
                missed.append(name)
            print(f"{name}: {said or '*** MISSED ' + OUT_OF_REACH.get(name, '')}", flush=True)
    print(f"{len(names) - len(missed)} of {len(names)} mistakes found")
    return 1 if set(missed) - set(OUT_OF_REACH) else 0


if __name__ == "__main__":
    sys.exit(main())

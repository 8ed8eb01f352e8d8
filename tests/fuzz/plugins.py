"""A foreign game whose functions fail, end the program, loop or fill memory, one at a time, in each command.

    python -m tests.fuzz.plugins [--member check ...] [--command validate ...] [--kind raises ...] [--done FILE]

The game is a distribution of its own, `strange-games`, as a user would install it. The commands are whole
processes. A case fails by a traceback, by a status that no command has, or by a failure that does not name
the distribution. The commands that promise bounds (`validate`, `index`, `pack` and `simulate`) also fail by
not ending.

Each case is printed when it ends. With `--done FILE`, the cases that went well are written there and left out
the next time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from tests.reports.payload import PAGE_DATA, page_data

ORIGIN = "strange-games"

PROGRAM = str(Path(sys.executable).parent / "gamelog")

PLUGIN = """
import os, sys
from dataclasses import replace
from pathlib import Path
from gamelog.games.slicewars import GAME as BASE
from gamelog.games.slicewars.events import ClaimLand

MEMBER, KIND = os.environ.get("STRANGE_MEMBER"), os.environ.get("STRANGE_KIND")

def fault():
    Path(os.environ["STRANGE_MARK"]).touch()
    if KIND == "raises":
        raise KeyError("a bug\\nand a line \\x1b[2J of its own")
    if KIND == "quits":
        sys.exit(0)
    if KIND == "escapes":
        raise type("Escape", (BaseException,), {})("no Exception")
    if KIND == "interrupts":
        raise KeyboardInterrupt
    if KIND == "leaves":
        os._exit(0)
    if KIND in ("prints", "forgets"):
        print("noise")
        return
    held = []
    while True:
        if KIND == "eats":
            held.append(bytearray(1 << 26))

def wrapped(name, function):
    def run(*args, **named):
        if name == MEMBER:
            fault()
            if KIND == "forgets":
                return None
        return function(*args, **named)
    return run

class Phrases(dict):
    def __getitem__(self, key):
        if MEMBER == "messages":
            fault()
        return super().__getitem__(key)
    def get(self, key, default=None):
        if MEMBER == "messages":
            fault()
        return super().get(key, default)

FUNCTIONS = ("read_board", "start", "pending", "check", "apply", "legal", "sample", "chance", "effects", "score", "scene",
             "rules", "resolve", "canonical", "retire", "describe", "translation", "declare")
BASE = replace(BASE, observe=lambda state, seat: state, agreed={ClaimLand: lambda event: ("blue",)})

class Options(BASE.Options, frozen=True, kw_only=True):
    def __post_init__(self):
        if MEMBER == "options":
            fault()

if MEMBER == "import":
    fault()

GAME = replace(
    BASE,
    id="strange",
    title="Strange",
    Options=Options,
    messages=Phrases(BASE.messages),
    boards={name: wrapped("boards", board) for name, board in BASE.boards.items()},
    bots={name: wrapped("bots", bot) for name, bot in BASE.bots.items()},
    agreed={kind: wrapped("agreed", named) for kind, named in BASE.agreed.items()},
    observe=wrapped("observe", BASE.observe),
    **{name: wrapped(name, getattr(BASE, name)) for name in FUNCTIONS},
)
"""

MEMBERS = (
    "import", "options", "boards", "read_board", "start", "pending", "check", "apply", "legal", "sample", "chance", "canonical", "agreed",
    "effects", "score", "scene", "observe", "messages", "translation", "bots", "rules", "resolve", "retire", "describe",
    "declare",
)  # fmt: skip

ENDINGS = ("quits", "escapes", "interrupts", "leaves")
KINDS = ("raises", "forgets", *ENDINGS, "loops", "eats")
"""The ways in which a function fails.

It raises an error, returns None, ends the program (`sys.exit`, an error that is no `Exception`, the error of
a Ctrl-C, `os._exit`), never ends, or fills memory.
"""

COMMANDS: dict[str, str] = {
    "games": "games",
    "rules": "rules strange SW-1",
    "schema": "schema strange",
    "new": "new strange NEW --seat red=Ana --seat blue=Rui",
    "append": "append SHORT {EVENT}",
    "append a roll": "append OWED {DICE}",
    "append --dry-run": "append SHORT {WRONG} --dry-run",
    "accept": "accept SHORT --about 2 --by blue",
    "note": "note SHORT so",
    "resign": "resign THREE --by red",
    "gap": "gap SHORT 1 --reason so",
    "takeback": "takeback SHORT --to 1",
    "record": "record SHORT",
    "fix": "fix SHORT --at 2 {OTHERWISE}",
    "branch": "branch SHORT --at 1 -o NEW",
    "ruling": "ruling SHORT --about 1 --stands --by Lena --reason so",
    "validate": "validate SHORT --record-seconds 3 --record-memory 1GB",
    "validate a folder": "validate RECORDS --record-seconds 3 --record-memory 1GB",
    "validate -": "validate - --record-seconds 3 --record-memory 1GB",
    "replay": "replay SHORT",
    "replay --json": "replay SHORT --at 2 --seat red --json",
    "export html": "export SHORT -o OUT.html",
    "export html of a seat": "export SHORT -o OUT.html --seat red --anonymous",
    "export svg": "export SHORT -o OUT.svg --format svg",
    "export txt": "export SHORT -o OUT.txt --format txt",
    "export json": "export SHORT -o OUT.json --format json",
    "export a folder": "export RECORDS -o SITE",
    "compare": "compare SHORT OTHER",
    "compare --merge": "compare SHORT OTHER --merge NEW",
    "simulate": "simulate strange --games 1 -o GAMES --record-seconds 3 --record-memory 1GB --max-events 2000",
    "analyse": "analyse SHORT -o OUT --luck --fit-games 10 --record-seconds 3 --record-memory 1GB",
    "index": "index RECORDS --archive NEW --record-seconds 3 --record-memory 1GB",
    "query": "query --archive ARCHIVE games",
    "people": "people ARCHIVE",
    "report": "report --archive ARCHIVE -o OUT.html",
    "pack": "pack RECORDS -o OUT.gamelog.parquet --record-seconds 3 --record-memory 1GB",
    "sign": "sign SHORT --key KEY -o SEAL",
    "verify": "verify SHORT",
}
"""The words of each command. Words in capitals are files and events."""

BOUNDED = ("validate", "index", "pack", "simulate", "analyse")
"""The commands that end whatever a game does."""

PATIENCE = 120.0
"""Seconds within which every command has to end, on a busy machine."""

START = '{"do":"start_roll","by":"table","rolls":{"red":6,"blue":5}}'
FIRST = '{"do":"claim","by":"red","at":"A1"}'

EVENTS = {
    "{DICE}": START,
    "{EVENT}": '{"do":"claim","by":"blue","at":"C1"}',
    "{OTHERWISE}": '{"do":"claim","by":"red","at":"B2"}',
    "{WRONG}": '{"do":"claim","by":"blue","at":"A1"}',
}


BESIDE_PLAY = ("pack", "verify")
"""The commands whose answer does not depend on the play, for example because they only check chains."""

BY_CONTRACT = {("declare", "gap")}
"""Functions for which a KeyError is a valid answer: the position has no such thing."""


class Case(NamedTuple):
    """A function that fails, the way in which it fails, and the command."""

    member: str
    kind: str
    command: str


def cases(members: Sequence[str], kinds: Sequence[str], commands: Sequence[str]) -> Iterator[Case]:
    """Return the chosen cases. Endless and memory cases run only in commands that promise bounds."""
    for command in commands:
        for member in members:
            for kind in kinds:
                if kind in ("raises", "forgets", *ENDINGS) or (
                    command.split()[0] in BOUNDED and member != "import"
                ):
                    yield Case(member, kind, command)


def prepare_folder(folder: Path) -> Path:
    """Return a folder with the distribution, and with records, an archive and a key from the intact game."""
    site = folder / "site"
    info = site / "strange_games-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {ORIGIN}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[gamelog.games]\nstrange = strange_rules:GAME\n")
    (site / "strange_rules.py").write_text(PLUGIN)
    made = folder / "made"
    made.mkdir()
    for words in (
        "new strange SHORT --seat red=Ana --seat blue=Rui",
        "new strange OWED --seat red=Ana --seat blue=Rui",
        "new strange THREE --seat red=Ana --seat blue=Rui --seat yellow=Mei",
        f"append SHORT {{DICE}} {FIRST}",
        "simulate strange --games 2 --dice table -o RECORDS",
        "index RECORDS --archive ARCHIVE",
        "keygen -o KEY",
    ):
        done = run(folder, made, words, {})
        assert done.returncode == 0, done.stdout + done.stderr
    shutil.copy(made / "SHORT.jsonl", made / "OTHER.jsonl")
    assert run(folder, made, "append OTHER {EVENT}", {}).returncode == 0
    return folder


def run(
    folder: Path, where: Path, words: str, surroundings: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder `where`, with the distribution installed."""
    data = (
        (where / "SHORT.jsonl").read_text()
        if "validate -" in words
        else "claim C1\nundo\nscore\nlegal\nhelp\n"
    )
    with start(folder, where, words, surroundings) as running:
        try:
            said = running.communicate(data, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            running.kill()
            raise
    return subprocess.CompletedProcess(running.args, running.returncode, *said)


def start(folder: Path, where: Path, words: str, surroundings: dict[str, str]) -> subprocess.Popen[str]:
    """Start a command in the folder `where`, with the distribution installed, and return its process."""
    typed = [EVENTS.get(word, word) for word in words.split()]
    typed = [
        f"{word}.jsonl" if word in ("SHORT", "OWED", "THREE", "OTHER", "NEW") else word for word in typed
    ]
    path = os.pathsep.join((str(folder / "site"), *sys.path))
    return subprocess.Popen(
        [PROGRAM, *typed],
        cwd=where,
        env=os.environ | {"PYTHONPATH": path} | surroundings,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )


def find_fault(folder: Path, case: Case) -> str | None:
    """Return the fault of a case with all the output of the command, or None."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        where, mark = Path(scratch, "made"), Path(scratch, "mark")
        shutil.copytree(folder / "made", where)
        surroundings = {"STRANGE_MEMBER": case.member, "STRANGE_KIND": case.kind, "STRANGE_MARK": str(mark)}
        try:
            done = run(folder, where, COMMANDS[case.command], surroundings)
        except subprocess.TimeoutExpired:
            return "it did not come to an end"
        written = "".join(map(read_output, where.rglob("OUT.*")))
        fired = mark.exists()
    said = done.stdout + done.stderr
    if "Traceback" in said:
        return f"a traceback:\n{said}"
    if done.returncode not in (0, 1, 2):
        return f"the status {done.returncode}:\n{said}"
    if "\x1b" in said or "\nand a line" in said:
        return f"the game's own words as they are:\n{said}"
    if case.kind == "forgets" and done.returncode == 0:  # None may be a valid answer, for example of check
        return None
    if case.command in BESIDE_PLAY:
        return None if done.returncode == 0 else f"the status {done.returncode}:\n{said}"
    if fired and ORIGIN not in said + written and (case.member, case.command) not in BY_CONTRACT:
        return f"status {done.returncode}, and nobody names {ORIGIN}:\n{said}"
    return None


def read_output(path: Path) -> str:
    """Return the output of a command; of a page, only the text about its record."""
    text = path.read_text(errors="replace")
    return str(page_data(text)["findings"]) if path.suffix == ".html" and PAGE_DATA.search(text) else text


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the cases. Raises AssertionError if one went wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz.plugins", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--member", choices=MEMBERS, action="append")
    parser.add_argument("--command", choices=COMMANDS, action="append")
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument(
        "--done", type=Path, help="a file of the cases that went well, which are left out and added to"
    )
    given = parser.parse_args(arguments)
    well = set(given.done.read_text().splitlines()) if given.done and given.done.exists() else set()
    asked = [*cases(given.member or MEMBERS, given.kind or KINDS, given.command or [*COMMANDS])]
    due = [case for case in asked if "\t".join(case) not in well]
    failed = 0
    with tempfile.TemporaryDirectory() as made:
        folder = prepare_folder(Path(made))
        for command, of_command in groupby(due, attrgetter("command")):
            tried = 0
            for case in of_command:
                tried += 1
                why = find_fault(folder, case)
                failed += why is not None
                if why is not None:
                    print(f"{case.command}: {case.member} {case.kind}: {why}", flush=True)
                elif given.done:
                    with given.done.open("a") as file:
                        file.write("\t".join(case) + "\n")
            print(f"{command}: {tried} cases", flush=True)
    print(f"{len(due)} cases, {failed} of them wrong; {len(asked) - len(due)} went well before")
    assert not failed


if __name__ == "__main__":
    main()

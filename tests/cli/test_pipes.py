"""Standard input and output in pipes: records, tables, and readers that close the pipe early."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import Gamelog

PROGRAM = Path(sys.executable).parent / "gamelog"
ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample_games/slicewars/short.jsonl"


def run(*args: object, data: bytes = b"", shell: str = "") -> subprocess.CompletedProcess[bytes]:
    command = f"set -o pipefail; {PROGRAM} {' '.join(map(str, args))} {shell}"
    return subprocess.run(["bash", "-c", command], input=data, capture_output=True, timeout=120, check=False)


def test_records_are_read_from_standard_input(tmp_path: Path) -> None:
    data = SAMPLE.read_bytes()
    done = run("validate - --json", data=data)
    kept = json.loads(SAMPLE.with_suffix(".verdict.json").read_text())
    assert (done.returncode, json.loads(done.stdout)) == (0, kept | {"path": "-"})
    done = run("validate", SAMPLE, "-", data=data[:-5])
    assert (done.returncode, b"2 records: 1 ok, 1 torn." in done.stdout) == (1, True)
    assert run("replay - --at 3", data=data).stdout == run("replay", SAMPLE, "--at 3").stdout
    done = run("compare -", SAMPLE, data=data)
    assert (done.returncode, b"the same game" in done.stdout) == (0, True)
    done = run("export - -o", tmp_path / "x.txt", "--format txt", data=data)
    assert (done.returncode, (tmp_path / "x.txt").exists()) == (0, True), done.stderr
    done = run("validate -", data=b"")
    assert (done.returncode, done.stdout.split()[1]) == (1, b"torn")


def test_an_unreadable_file_is_not_called_damaged(gamelog: Gamelog) -> None:
    Path("club").mkdir()
    Path("club/a.jsonl").write_bytes(SAMPLE.read_bytes())
    Path("club/gone.jsonl").symlink_to("nowhere.jsonl")
    done = gamelog("validate", "club")
    assert done.status == 2
    assert "2 records: 1 ok, 1 unreadable." in done.out
    assert "club/gone.jsonl: unreadable\n  error: club/gone.jsonl does not exist (" in done.out
    read, gone = gamelog("validate", "club", "--json").json
    assert (read["status"], gone["status"], gone["valid"]) == ("ok", None, False)
    assert gone["findings"][0]["code"] == "record.unreadable"
    assert gamelog("validate", "nowhere.jsonl").status == 2


def test_closing_the_pipe_early_is_not_an_error(gamelog: Gamelog) -> None:
    gamelog("simulate", "slicewars", "--games", 20, "-o", "club", "--option", "max_rounds=2")
    gamelog("index", "club", "--archive", "a.db")
    for command in (
        'query "SELECT * FROM events" --archive a.db',
        'query "SELECT * FROM events" --archive a.db --format json',
        'query "SELECT * FROM events" --archive a.db --format csv',
        f"replay {ROOT}/sample_games/slicewars/full-2.jsonl --every",
        "validate club --json",
        "rules slicewars",
    ):
        done = run(command, shell="| head -n 1")
        assert (done.returncode, done.stdout.count(b"\n"), done.stderr) == (0, 1, b""), command


def test_a_closed_output_is_not_an_error() -> None:
    """Run ``gamelog validate FILE >&-``, as another program may start it."""
    for command, status in (("validate", 0), ("replay", 0), ("append", 1)):
        done = run(command, SAMPLE, *(["{}"] if command == "append" else []), shell=">&- <&-")
        assert (done.returncode, b"Traceback" in done.stderr) == (status, False), done.stderr
        assert run(command, SAMPLE, shell=">&- 2>&- <&-").returncode in (0, 1, 2)


def test_tables_have_headings_in_a_pipe_by_default(gamelog: Gamelog) -> None:
    lines = gamelog("games").out.splitlines()
    assert lines[0] == "id\ttitle\tseats\tnames\trules\tboards\tfrom"
    assert gamelog("games", "--no-headings").out.splitlines() == lines[1:]
    assert any(line.startswith("slicewars\tSliceWars\t2, 3, 4, 5, 6\tred, ") for line in lines)


def test_games_as_json_have_lists(gamelog: Gamelog) -> None:
    (game,) = (row for row in gamelog("games", "--json").json if row["id"] == "slicewars")
    assert (game["seats"], game["boards"]) == ([2, 3, 4, 5, 6], ["hex50", "hex36"])


def test_append_reports_errors_as_json(gamelog: Gamelog, game: Path) -> None:
    for event, more, status, code in (
        ("rubbish", (), 2, "usage"),
        ('{"do":"claim","at":"A1","h":"x"}', (), 2, "usage"),
        ('{"do":"claim","at":"A1"}', ("--expect", 1), 1, "append.conflict"),
    ):
        done = gamelog("append", game, event, "--json", *more)
        (said,) = done.json
        assert (done.status, said["error"]["code"]) == (status, code)
        assert said["error"]["message"] in done.err
    (said,) = gamelog("append", "none.jsonl", "{}", "--json").json
    assert said["error"]["code"] == "record.unreadable"
    (said,) = gamelog("append", game, '{"do":"claim","at":"C3"}', "--json").json
    assert said["refused"]["rule"] == "SW-3"

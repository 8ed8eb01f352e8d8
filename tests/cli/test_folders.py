"""Whole folders: all cores work from 200 records on, and the result is the same for any number of processes."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from gamelog_cli.commands import simulate

from gamelog.archive.workers import batch_workers, process_pool
from gamelog.record import atomic_files
from gamelog.record.reading import read_record
from tests.archive.conftest import dump
from tests.cli.conftest import Gamelog

FEW = ("slicewars", "--option", "max_rounds=1")
"""Games of about fifteen events."""

MORE = 3
"""A number of processes whose results are compared with the results of one process."""


@pytest.fixture
def club(gamelog: Gamelog) -> Path:
    """Return a folder of games: one is torn, one altered, one no record and one missing."""
    assert gamelog("simulate", *FEW, "--games", 21, "-o", "club").status == 0
    some = sorted(Path("club").iterdir())
    some[3].write_bytes(some[3].read_bytes()[:-3])
    some[11].write_bytes(some[11].read_bytes().replace(b'"do":"claim"', b'"do":"clasp"', 1))
    some[12].write_text("rubbish")
    Path("club/gone.jsonl").symlink_to("nowhere.jsonl")
    return Path("club")


def files(folder: str | Path) -> dict[Path, bytes]:
    """Return the content of all files in `folder`, by name."""
    return {path.relative_to(folder): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


@pytest.mark.parametrize("json", [[], ["--json"]])
def test_verdicts_are_the_same_on_any_number_of_processes(
    gamelog: Gamelog, club: Path, json: list[str]
) -> None:
    told = [gamelog("validate", club, *json, "--jobs", jobs) for jobs in (1, MORE)]
    assert told[0].out.count("\n") > 5
    assert told[0] == told[1]


def test_archives_are_the_same_on_any_number_of_processes(gamelog: Gamelog, club: Path) -> None:
    for path in club.rglob("*"):  # the time of a file without a size is in the archive once it is settled
        os.utime(path, (1, 1), follow_symlinks=False)
    one, more = [gamelog("index", club, "--archive", f"{jobs}.duckdb", "--jobs", jobs) for jobs in (1, MORE)]
    assert one.out == more.out.replace(f"{MORE}.duckdb", "1.duckdb")
    assert dump(Path(f"{MORE}.duckdb")) == dump(Path("1.duckdb"))


def test_sites_are_the_same_on_any_number_of_processes(gamelog: Gamelog, club: Path) -> None:
    one, more = [gamelog("export", club, "-o", f"site{jobs}", "--jobs", jobs) for jobs in (1, MORE)]
    assert one.err == more.err
    assert files("site1") == files(f"site{MORE}")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_site_opens_only_files(club: Path) -> None:
    os.mkfifo(club / "pipe.jsonl")
    command = [
        str(Path(sys.executable).with_name("gamelog")),
        "export",
        str(club),
        "-o",
        "site",
        "--jobs",
        "1",
    ]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60).stderr
    assert "pipe.jsonl is a pipe or a device" in told


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the number of processes of each new pool."""
    sizes: list[int] = []
    pool = process_pool.start_pool

    def counted(jobs: int, memory: int) -> object:
        sizes.append(jobs)
        return pool(jobs, memory)

    monkeypatch.setattr(batch_workers, "start_pool", counted)
    monkeypatch.setattr(batch_workers, "count_cores", lambda: 2)
    return sizes


def test_all_cores_judge_from_two_hundred_records_on(gamelog: Gamelog, pools: list[int]) -> None:
    gamelog("simulate", *FEW, "-o", "club")
    (game,) = Path("club").iterdir()
    for copy in range(198):
        Path(f"club/{copy}.jsonl").symlink_to(game.name)
    assert (gamelog("validate", "club").out, pools) == ("199 records: 199 ok.\n", [])
    Path("club/last.jsonl").symlink_to(game.name)
    assert (gamelog("validate", "club", "--jobs", 1).out, pools) == ("200 records: 200 ok.\n", [])
    assert (gamelog("validate", "club").out, pools) == ("200 records: 200 ok.\n", [2])


@pytest.mark.parametrize("words", ["index club --archive a.duckdb", "export club -o site"])
def test_all_cores_do_other_work_from_two_hundred_records_on(
    gamelog: Gamelog, pools: list[int], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gamelog("simulate", *FEW, "--games", 4, "-o", "club")
    rest = [2] if words.startswith("index") else [2, 2]  # a site reads the people from an archive
    for bound, used in ((5, []), (4, rest)):
        monkeypatch.setattr(batch_workers, "MIN_PARALLEL_RECORDS", bound)
        assert gamelog(*words.split(), *(["--again"] if words.startswith("index") else [])).status == 0
        assert pools == used


@pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="the system does not let a process have some of the cores"
)
def test_only_cores_that_the_process_may_use_count() -> None:
    code = "import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\n"
    code += "from gamelog.archive.workers.batch_workers import count_cores; print(count_cores())"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "1\n"
    )


@pytest.mark.parametrize("json", [[], ["--json"]])
def test_simulated_games_are_the_same_on_any_number_of_processes(gamelog: Gamelog, json: list[str]) -> None:
    told = []
    for jobs in (1, MORE):
        done = gamelog("simulate", *FEW, "--games", 23, "--jobs", jobs, "-o", f"club{jobs}", *json)
        told.append((done.status, done.err, done.out.replace(f"club{jobs}", "club")))
    assert told == [(0, "", told[0][2])] * 2
    assert files("club1") == files(f"club{MORE}")
    assert len(files("club1")) == 23


def test_a_series_continues_with_the_missing_games(gamelog: Gamelog) -> None:
    series = ("simulate", *FEW, "--games", 6, "--json", "-o", "club")
    told = gamelog(*series).out
    made = files("club")
    times = {path: path.stat().st_mtime_ns for path in Path("club").iterdir()}
    for name in list(made)[::2]:
        Path("club", name).unlink()
        del times[Path("club", name)]
    assert gamelog(*series).out == told
    assert files("club") == made
    assert {path: path.stat().st_mtime_ns for path in times} == times


def test_of_two_runs_with_one_folder_the_games_of_the_faster_are_kept(
    gamelog: Gamelog, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = ("simulate", *FEW, "--games", 3, "--jobs", 1, "-o")
    told = gamelog(*series, "alone")

    def overtaken(path: str, data: bytes, *, replace: bool, within: Path) -> None:
        for _ in range(2):  # the other run and this one
            atomic_files.write_atomically(path, data, replace=replace, within=within)

    monkeypatch.setattr(simulate, "write_atomically", overtaken)
    assert gamelog(*series, "club") == told._replace(out=told.out.replace("alone", "club"))
    assert files("club") == files("alone")


@pytest.mark.parametrize(
    "other",
    [b"", b"mine", "torn", "begun", "went on", "altered", "link"],
    ids=lambda other: str(other or "empty"),
)
def test_another_file_is_not_overwritten(gamelog: Gamelog, other: bytes | str) -> None:
    gamelog("simulate", *FEW, "--games", 3, "-o", "club")
    path = Path("club/slicewars-1-00001.jsonl")
    data = path.read_bytes()
    path.unlink()
    match other:
        case "link":
            path.symlink_to("nowhere")
        case "begun":
            path.write_bytes(b"".join(data.splitlines(keepends=True)[:-1]))
        case "torn":
            path.write_bytes(data[:-5])
        case "went on":
            path.write_bytes(Path("club/slicewars-1-00002.jsonl").read_bytes())
        case "altered":
            path.write_bytes(data.replace(b'"do":"claim"', b'"do":"clasp"', 1))
        case bytes():
            path.write_bytes(other)
    before = None if other == "link" else path.read_bytes()
    done = gamelog("simulate", *FEW, "--games", 3, "-o", "club")
    assert (done.status, done.err.count("\n"), "club/slicewars-1-00001.jsonl" in done.err) == (2, 1, True)
    assert path.is_symlink() if before is None else path.read_bytes() == before


VARIANTS: list[list[str]] = [
    [], ["--option", "max_rounds=2"], ["--option", "max_rounds=3"], ["--seats", "3"], ["--dice", "table"],
    ["--bot", "greedy", "--bot", "random"],
]  # fmt: skip


def test_variants_with_the_same_seed_have_different_names(gamelog: Gamelog) -> None:
    heads: set[str] = set()
    for words in VARIANTS * 2:
        done = gamelog("simulate", "slicewars", *words, "--games", 2, "-o", "club", "--json")
        assert (done.status, len(done.json)) == (0, 2), done.err
        heads |= {one["head"] for one in done.json}
    names = sorted(path.name for path in Path("club").iterdir())
    assert (len(names), len(heads)) == (12, 12)
    assert {"slicewars-1-00000.jsonl", "slicewars-1-00001.jsonl"} <= {*names}
    ids = {read_record(Path("club", name)).header.id[:8] for name in names}  # type: ignore[union-attr] # all have one
    assert all(name.split("-")[2] in ids for name in names if name.count("-") == 3)


@pytest.mark.parametrize("seed", ["../up", "a/b", "x" * 300, "con ", "\u00e9" * 80])
def test_a_seed_that_is_not_a_file_name_stays_in_the_folder(seed: str, gamelog: Gamelog) -> None:
    assert gamelog("simulate", *FEW, "--seed", seed, "--games", 2, "-o", "deep/club").status == 0
    assert len([path for path in Path("deep/club").iterdir() if path.suffix == ".jsonl"]) == 2
    assert [path.name for path in Path("deep").iterdir()] == ["club"]


@pytest.mark.parametrize("name", ["con.jsonl", "AUX", "com1.jsonl", "game.jsonl."])
def test_a_new_record_has_a_name_that_every_system_accepts(name: str, gamelog: Gamelog) -> None:
    done = gamelog("new", "slicewars", name, "--seat", "red=Ana", "--seat", "blue=Rui")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert f"A record cannot have the name {name}" in done.err
    assert not Path(name).exists()


PROGRAM = str(Path(sys.executable).parent / "gamelog")


def taken(*words: object) -> float:
    """Return the seconds that ``gamelog WORDS`` takes if nothing stops it."""
    begin = time.monotonic()
    subprocess.run([PROGRAM, *map(str, words)], check=True, capture_output=True)
    return time.monotonic() - begin


def stopped(way: signal.Signals, seconds: float, *words: object) -> int:
    """Return the status of ``gamelog WORDS`` after the signal `way` came at a certain moment."""
    command = [PROGRAM, *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        time.sleep(seconds)
        run.send_signal(way)
        try:
            _, said = run.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            run.kill()
            raise
    begun = (
        "import main" not in said and "spawn_main" not in said
    )  # the message of Python when it starts a process
    assert "Traceback" not in said or not begun, said
    return run.returncode


WAYS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]


@pytest.mark.grid
@pytest.mark.usefixtures("unmeasured")  # a signal inside of coverage leaves its lock closed
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("way", WAYS)
def test_a_series_that_was_stopped_at_any_moment_continues(
    gamelog: Gamelog, way: signal.Signals, jobs: int
) -> None:
    series = ("simulate", "slicewars", "--option", "max_rounds=4", "--games", 60, "--jobs", jobs)
    seconds = taken(*series, "-o", "whole")
    whole, moments = files("whole"), Random(f"{way} {jobs}")
    counts = []
    for _ in range(3):
        stopped(way, moments.uniform(0.4, 1) * seconds, *series, "-o", "club")
        made = {name: data for name, data in files("club").items() if name.parent == Path()}
        assert made.items() <= whole.items(), "every file is complete"
        assert way == signal.SIGKILL or files("club") == made, "there are no other files"
        counts.append(len(made))
    assert counts == sorted(counts)
    assert gamelog(*series, "-o", "club").status == 0
    assert files("club") == whole, "the next run removes the files of a killed run"


@pytest.mark.parametrize("anonymous", [[], ["--anonymous"]])
def test_packs_are_the_same_on_any_number_of_processes(
    gamelog: Gamelog, club: Path, anonymous: list[str]
) -> None:
    told = [
        gamelog("pack", club, "-o", f"{jobs}.gamelog.parquet", "--jobs", jobs, *anonymous)
        for jobs in (1, MORE)
    ]
    assert told[0].err == told[1].err
    assert told[0].out.startswith("1.gamelog.parquet: " + ("18 records" if anonymous else "21 records"))
    if not anonymous:  # ids and pseudonyms are drawn for each anonymous pack
        pack = Path(f"{MORE}.gamelog.parquet")
        assert pack.read_bytes() == Path("1.gamelog.parquet").read_bytes()
        gamelog("unpack", pack, "-o", "back")
        assert files("back") == {
            name: data for name, data in files(club).items() if name.name != "gone.jsonl"
        }


@pytest.mark.grid
@pytest.mark.parametrize("way", WAYS)
def test_a_stopped_pack_is_missing_or_complete(gamelog: Gamelog, way: signal.Signals) -> None:
    gamelog("simulate", "slicewars", "--option", "max_rounds=8", "--games", 60, "-o", "club", "--jobs", 2)
    moments = Random(f"{way}")
    seconds = taken("pack", "club", "-o", "whole.gamelog.parquet", "--jobs", 2)
    for attempt in range(2):
        moment = moments.uniform(0.4, 1) * seconds
        status = stopped(way, moment, "pack", "club", "-o", "club.gamelog.parquet", "--jobs", 2)
        if Path("club.gamelog.parquet").exists():  # also if it was stopped after its last step
            assert gamelog("unpack", "club.gamelog.parquet", "-o", f"back-{attempt}").status == 0
            assert files(f"back-{attempt}") == files("club")
            Path("club.gamelog.parquet").unlink()
        else:
            assert status != 0
    assert gamelog("pack", "club", "-o", "club.gamelog.parquet").status == 0


@pytest.mark.grid
@pytest.mark.usefixtures("unmeasured")  # a signal inside of coverage leaves its lock closed
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("way", WAYS)
def test_a_site_that_was_stopped_at_any_moment_continues(
    gamelog: Gamelog, way: signal.Signals, jobs: int
) -> None:
    gamelog("simulate", *FEW, "--games", 40, "-o", "club")
    words = ("export", "club", "--title", "club", "--jobs", jobs)
    seconds = taken(*words, "-o", "whole")
    whole, moments = files("whole"), Random(f"{way} {jobs}")
    stopped(way, moments.uniform(0.4, 1) * seconds, *words, "-o", "site")
    there = files("site") if Path("site").exists() else {}
    assert {
        name: data for name, data in there.items() if not name.parts[0].startswith(".gamelog-")
    }.items() <= whole.items()
    assert way == signal.SIGKILL or not [
        name for name in there if name.parts[0].startswith(".gamelog-") and len(name.parts) > 1
    ]
    assert gamelog(*words, "-o", "site").status == 0
    assert files("site") == whole


def test_unchanged_pages_are_kept(gamelog: Gamelog, monkeypatch: pytest.MonkeyPatch) -> None:
    gamelog("simulate", *FEW, "--games", 8, "-o", "club")
    words = ("export", "club", "-o", "site")
    with monkeypatch.context() as stopped_at_its_end:
        stopped_at_its_end.setattr(Path, "unlink", lambda *_, **__: None)  # the journal stays
        assert gamelog(*words).status == 0
    (journal,) = (Path("site", name) for name in files("site") if name.name.startswith("."))
    noted = journal.read_bytes()
    before, pages = files("site"), sorted(Path("site/games").iterdir())
    pages[2].write_text("something else")
    records = sorted(Path("club").iterdir())
    assert gamelog("note", records[4], "Ana was late").status == 0
    times = [page.stat().st_mtime_ns for page in pages]
    journal.write_bytes(noted + gzip.compress(b'{"source":"torn')[:-9])
    assert gamelog(*words).status == 0
    assert [at for at, page in enumerate(pages) if page.stat().st_mtime_ns != times[at]] == [2, 4]
    after = files("site")
    assert gamelog("export", "club", "-o", "anew", "--title", "club").status == 0
    assert after == files("anew")
    assert set(before) - set(after) == {journal.relative_to("site")}
    journal.write_bytes(noted)
    times = [page.stat().st_mtime_ns for page in pages]
    assert gamelog(*words, "--language", "pt").status == 0
    assert all(page.stat().st_mtime_ns != time for page, time in zip(pages, times, strict=True))

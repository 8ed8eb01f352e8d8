"""Tests that a real Dask cluster makes the same archive, even if its scheduler or workers die."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from gamelog_cli.app import app
from typer.testing import CliRunner

from gamelog.archive import RecordLimits, find_items, index, verdicts
from gamelog.archive.indexing import commits
from gamelog.archive.workers import batch_workers, judge_versions
from gamelog.archive.workers.cluster import cluster
from gamelog.errors import ArchiveError, MissingExtra

from .conftest import EVEN, PLUGIN, Table, dump, numbers

Ask = Callable[..., list[tuple[Any, ...]]]

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="the extra cluster is not installed"
)
module = sys.modules[cluster.__module__]
"""The module of `cluster`. The package's own member of that name is the function."""


def start(what: str, file: Path, *options: str, **others: str) -> subprocess.Popen[bytes]:
    """Start a Dask scheduler or worker that finds the others by `file`, with Tug installed."""
    surroundings = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(PLUGIN), os.environ.get("PYTHONPATH", ""))),
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",  # else each killer kills four workers before it is believed
        **others,
    }
    step = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        f"distributed.cli.dask_{what}",
        "--scheduler-file",
        str(file),
        "--no-dashboard",
    ]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        [*step, *options], env=surroundings, stdout=quiet, stderr=quiet, start_new_session=True
    )


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process and its child processes."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def address(file: Path) -> str:
    """Return the address of the scheduler that writes `file`."""
    for _ in range(600):
        if file.exists() and file.read_text().strip().endswith("}"):
            return str(json.loads(file.read_text())["address"])
        time.sleep(0.05)
    raise TimeoutError("the scheduler has not started")


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a scheduler with two workers, which are restarted when they die."""
    import distributed

    file = tmp_path_factory.mktemp("dask") / "scheduler.json"
    options = ("--nthreads", "1", "--local-directory", str(file.parent))
    started = [
        start("scheduler", file, "--host", "127.0.0.1", "--port", "0"),
        *(start("worker", file, "--host", "127.0.0.1", *options) for _ in range(2)),
    ]
    with distributed.Client(address(file), timeout=30) as client:
        client.wait_for_workers(2, timeout=60)
    yield address(file)
    for process in started:
        stop(process)


pytestmark = pytest.mark.filterwarnings("default")  # Dask's own


@needs_dask
def test_here_in_a_pool_and_on_a_cluster_it_is_the_same_archive(
    scheduler: str, table: Table, tmp_path: Path
) -> None:
    for at in range(130):
        day = date(2026, 1, 1) + timedelta(days=2 * at)  # on neighbouring days they would be copies
        started = f"{day.isoformat()}T20:00:00Z"
        table(*EVEN, ("right", at % 6 + 1, 3), id=f"game-{at:03}", started=started)
    table(("middle", 6, 1), id="illegal")
    table(*EVEN, id="crash", options={"fault": "crash"})
    one, two, many = (tmp_path / name for name in ("one", "two", "many"))
    index([table.folder], one)
    index([table.folder], two, jobs=2)
    done = CliRunner().invoke(
        app(["index"]),
        ["index", str(table.folder), "--archive", str(many), "--scheduler", scheduler, "--json"],
    )
    assert done.exit_code == 1  # for one game's code fails
    told = json.loads(done.stdout)
    assert [told[name] for name in ("new", "changed", "same", "gone", "records", "counted")] == [
        132,
        0,
        0,
        0,
        132,
        130,
    ]
    assert (told["findings"], told["not_taken"], told["not_valid"]) == (
        {"play.broken_game": 1, "play.illegal": 1},
        1,
        2,
    )
    assert dump(one) == dump(two) == dump(many)


@needs_dask
def test_verdicts_are_the_same_on_a_cluster(
    scheduler: str, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(5):
        table(*EVEN, id=f"game-{at}")
    table(("middle", 6, 1), id="illegal")
    monkeypatch.chdir(table.folder.parent)
    here = CliRunner().invoke(app(["validate"]), ["validate", str(table.folder), "--json"])
    there = CliRunner().invoke(
        app(["validate"]), ["validate", table.folder.name, "--json", "--scheduler", scheduler]
    )
    assert (here.exit_code, there.exit_code) == (1, 1)
    assert here.stdout.count("\n") == 6
    assert there.stdout == here.stdout


@needs_dask
def test_a_worker_that_is_killed_loses_nothing(
    scheduler: str, table: Table, archive: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    import distributed

    for at in range(200):
        table(*EVEN, id=f"game-{at:03}")
    monkeypatch.setattr(batch_workers, "RECORDS", 10)
    with distributed.Client(scheduler, timeout=30) as client:
        client.wait_for_workers(2, timeout=60)
        victims = list(client.run(os.getpid).values())
    killed: list[int] = []

    def kill(done: int, _: int) -> None:
        if done >= 20 and not killed:
            killed.append(victims[0])
            os.kill(victims[0], signal.SIGKILL)

    with cluster(scheduler) as (executor, jobs):
        assert numbers(index([table.folder], archive, executor=executor, jobs=jobs, progress=kill)) == (
            200,
            0,
            0,
            0,
            200,
            200,
        )
    assert len(killed) == 1
    assert ask("SELECT count(*) FROM events") == [(800,)]
    assert ask("SELECT * FROM findings") == []


@needs_dask
def test_a_record_that_kills_its_worker_is_a_finding_and_the_others_go_on(
    scheduler: str, table: Table, archive: Path, ask: Ask
) -> None:
    import distributed

    for at in range(120):
        table(*EVEN, id=f"game-{at:03}")
    table(*EVEN, id="game-050b", options={"fault": "kill"})
    with distributed.Client(scheduler, timeout=30) as client:
        client.wait_for_workers(2, timeout=60)
    with cluster(scheduler) as (executor, jobs):
        assert numbers(index([table.folder], archive, executor=executor, jobs=jobs)) == (
            121,
            0,
            0,
            0,
            120,
            120,
        )
    assert ask("SELECT count(*) FROM events") == [(480,)]
    assert ask("SELECT parse_filename(path), code FROM findings") == [("game-050b.jsonl", "archive.killed")]


@needs_dask
def test_when_the_whole_cluster_is_gone_the_work_is_done_here(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(40):
        table(*EVEN, id=f"game-{at:02}")
    monkeypatch.setattr(batch_workers, "RECORDS", 10)
    monkeypatch.setattr(module, "NO_WORKERS_SECONDS", 0.0)
    monkeypatch.setattr(module, "CHECK_SECONDS", 0.2)
    file = tmp_path / "scheduler.json"
    boss = start("scheduler", file, "--host", "127.0.0.1", "--port", "0")
    worker = start("worker", file, "--no-nanny", "--nthreads", "1", "--local-directory", str(tmp_path))
    import distributed

    try:
        with distributed.Client(address(file), timeout=30) as client:
            client.wait_for_workers(1, timeout=60)
        said: list[str] = []
        with cluster(address(file), say=said.append) as (executor, jobs):
            stop(worker)
            judged = list(verdicts(find_items([table.folder]), jobs, executor))
    finally:
        stop(boss)
    assert [verdict.status for verdict in judged] == ["ok"] * 40
    assert said == [
        "All workers of the cluster are gone. If none comes back within 0 s, this machine continues the work."
    ]


@needs_dask
def test_without_a_fallback_a_cluster_without_workers_ends_the_run(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import distributed

    for at in range(8):
        table(*EVEN, id=f"game-{at}")
    monkeypatch.setattr(batch_workers, "RECORDS", 1)
    monkeypatch.setattr(module, "NO_WORKERS_SECONDS", 0.0)
    monkeypatch.setattr(module, "CHECK_SECONDS", 0.2)
    file = tmp_path / "scheduler.json"
    boss = start("scheduler", file, "--host", "127.0.0.1", "--port", "0")
    worker = start("worker", file, "--no-nanny", "--nthreads", "1", "--local-directory", str(tmp_path))
    try:
        with distributed.Client(address(file), timeout=30) as client:
            client.wait_for_workers(1, timeout=60)
        with cluster(address(file), fallback=False) as (executor, jobs):
            stop(worker)
            with pytest.raises(ArchiveError, match=r"All workers of the cluster are gone\. Start workers"):
                list(verdicts(find_items([table.folder]), jobs, executor))
    finally:
        stop(boss)


class Lonely:
    """A scheduler and workers of a test's own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.file = folder / "scheduler.json"
        self.boss = start("scheduler", self.file, "--host", "127.0.0.1", "--port", "0")
        self.workers: list[subprocess.Popen[bytes]] = []
        self.address = address(self.file)
        self.join()

    def join(self, **surroundings: str) -> None:
        """Start another worker, and wait until it has joined."""
        import distributed

        options = (
            "--no-nanny",
            "--nthreads",
            "1",
            "--local-directory",
            str(self.file.parent),
            "--name",
            str(len(self.workers)),
        )
        self.workers.append(start("worker", self.file, *options, **surroundings))
        with distributed.Client(self.address, timeout=30) as client:
            client.wait_for_workers(len(self.workers), timeout=60)

    def kill(self) -> None:
        """End all workers."""
        while self.workers:
            stop(self.workers.pop())

    def executed(self) -> list[int]:
        """Return the number of tasks that each worker has executed."""
        import distributed

        with distributed.Client(self.address, timeout=30) as client:
            told = client.run(lambda dask_worker: (int(dask_worker.name), dask_worker.state.executed_count))
        return [count for _, count in sorted(told.values())]

    def __enter__(self) -> Lonely:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        stop(self.boss)


@pytest.fixture
def lonely(tmp_path: Path) -> Iterator[Lonely]:
    """Start a scheduler with one worker, which is not restarted. More workers can join."""
    with Lonely(tmp_path / "dask") as own:
        yield own


@needs_dask
def test_a_late_worker_is_checked_before_it_gets_work(
    lonely: Lonely, table: Table, archive: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(150):
        table(*EVEN, id=f"game-{at:03}")
    monkeypatch.setattr(batch_workers, "RECORDS", 5)
    said: list[str] = []

    def join(done: int, _: int) -> None:
        if done >= 20 and len(lonely.workers) == 1:
            lonely.join(PYTHONPATH="")  # where nobody has installed Tug
            lonely.join()

    with cluster(lonely.address, say=said.append) as (executor, jobs):
        assert numbers(index([table.folder], archive, executor=executor, jobs=jobs, progress=join)) == (
            150,
            0,
            0,
            0,
            150,
            150,
        )
    first, stranger, late = lonely.executed()
    assert stranger == 0
    assert first >= 4
    assert late >= 4
    (sentence,) = said
    assert sentence.endswith(
        " has another version of Gamelog, or other games, than this machine. It gets no work."
    )
    assert ask("SELECT count(*) FROM findings") == [(0,)]


@needs_dask
@pytest.mark.grid(keeps=("more1",))
@pytest.mark.parametrize("more", [[], ["--no-fallback"]])
def test_workers_that_are_all_killed_in_the_middle(
    more: list[str], lonely: Lonely, table: Table, archive: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(150):
        table(*EVEN, id=f"game-{at:03}")
    monkeypatch.setattr(batch_workers, "RECORDS", 5)
    monkeypatch.setattr(module, "NO_WORKERS_SECONDS", 0.5)
    monkeypatch.setattr(module, "CHECK_SECONDS", 0.2)
    monkeypatch.setattr(commits, "COMMIT_SECONDS", 0.0)
    lonely.join()

    def kill(done: int, _: int) -> None:
        if done >= 20:
            lonely.kill()

    monkeypatch.setattr("gamelog_cli.commands.index.progress_bar", lambda _: nullcontext(kill))
    words = ["index", str(table.folder), "--archive", str(archive), "--scheduler", lonely.address]
    done = CliRunner().invoke(app(["index"]), [*words, *more])
    ((held,),) = ask("SELECT count(*) FROM games")
    if more:
        assert isinstance(done.exception, ArchiveError)
        assert "All workers of the cluster are gone. Start workers and run this command again" in str(
            done.exception
        )
        assert 20 <= held < 150
    else:
        assert done.exit_code == 0
        assert (
            "All workers of the cluster are gone. If none comes back within 0.5 s, this machine continues the work."
            in done.stderr
        )
        assert held == 150
    assert ask("SELECT count(*) FROM findings") == [(0,)]


DOCS = Path(__file__).parents[2] / "docs" / "operators.md"


@needs_dask
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")
def test_the_commands_for_tls_do_as_they_are_printed(table: Table, tmp_path: Path) -> None:
    for at in range(5):
        table(*EVEN, id=f"game-{at}")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    printed = re.findall(
        r"```sh\n(.*?)```", DOCS.read_text().partition("On several machines, use TLS.")[2], re.DOTALL
    )
    certificates, commands = printed[0], printed[1].replace("10.0.0.1:8786", f"127.0.0.1:{port}")
    boss, worker, *exports, run = commands.splitlines()
    assert boss.startswith("dask scheduler ")
    assert worker.startswith("dask worker ")
    tools = Path(sys.executable).parent
    surroundings = {
        **os.environ,
        "PATH": os.pathsep.join((str(tools), os.environ["PATH"])),
        "PYTHONPATH": os.pathsep.join((str(PLUGIN), os.environ.get("PYTHONPATH", ""))),
    }
    subprocess.run(["sh", "-ec", certificates], cwd=tmp_path, check=True, capture_output=True)
    quiet: Any = {
        "cwd": tmp_path,
        "env": surroundings,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }
    more = " --no-dashboard --host 127.0.0.1"
    started = [
        subprocess.Popen(["sh", "-ec", f"exec {command}{more}"], start_new_session=True, **quiet)
        for command in (f"{boss} --port {port}", f"{worker} --no-nanny")
    ]
    try:
        run = run.replace("/srv/records", str(table.folder)).replace(
            "/srv/club.duckdb", str(tmp_path / "club.duckdb")
        )
        for _ in range(60):
            done = subprocess.run(
                ["sh", "-ec", "\n".join([*exports, run])],
                cwd=tmp_path,
                env=surroundings,
                capture_output=True,
                text=True,
            )
            if done.returncode == 0:
                break
            time.sleep(0.5)
        assert done.returncode == 0, done.stderr
        assert "5 new" in done.stdout
        with (
            pytest.raises(ArchiveError, match="No scheduler answers"),
            cluster(f"tcp://127.0.0.1:{port}", timeout=3),
        ):
            pass
    finally:
        for process in started:
            stop(process)


@needs_dask
def test_a_batch_that_never_ends_leaves_its_worker_free(
    scheduler: str, table: Table, archive: Path, ask: Ask
) -> None:
    for at in range(4):
        table(*EVEN, id=f"game-{at}")
    table(*EVEN, id="loop", options={"fault": "loop"})
    limits = RecordLimits(timeout=3)
    with cluster(scheduler, limits=limits) as (executor, jobs):
        assert index([table.folder], archive, executor=executor, jobs=jobs, limits=limits).not_taken == 1
        assert executor.submit(len, table.folder.parts).result(timeout=30) > 0
    assert ask("SELECT parse_filename(path), code FROM findings") == [("loop.jsonl", "archive.timeout")]


def test_the_limit_of_a_batch_ends_with_the_batch_and_keeps_no_worker_open() -> None:
    before = {*threading.enumerate()}

    def batch() -> list[bool]:
        return [thread.daemon for thread in threading.enumerate() if thread not in before]

    assert module._run_with_limit(3600, batch) == [True], "a worker can end during a batch"
    for timer in {*threading.enumerate()} - before:
        timer.join(60)
        assert not timer.is_alive(), "the next batch of this worker is not interrupted"


@needs_dask
def test_a_port_that_is_silent_is_no_scheduler() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        begin = time.monotonic()
        with (
            pytest.raises(ArchiveError, match="No scheduler answers at"),
            cluster(f"tcp://127.0.0.1:{server.getsockname()[1]}", timeout=1.0),
        ):
            pass
    assert time.monotonic() - begin < 10


@needs_dask
def test_workers_with_other_software_are_refused(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    judge_versions.judge_versions.cache_clear()
    monkeypatch.setattr(judge_versions, "registered_names", lambda: ())  # nothing is installed here
    with (
        pytest.raises(ArchiveError, match=r"has another version of Gamelog, or other games"),
        cluster(scheduler),
    ):
        pass


@needs_dask
def test_a_scheduler_that_is_not_there_is_named() -> None:
    with (
        pytest.raises(ArchiveError, match=r"No scheduler answers at tcp://127"),
        cluster("tcp://127.0.0.1:1", timeout=0.5),
    ):
        pass
    with (
        pytest.raises(ArchiveError, match="No scheduler answers at nonsense"),
        cluster("nonsense://x", timeout=0.5),
    ):
        pass


@needs_dask
def test_a_scheduler_without_workers_is_named(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    boss = start("scheduler", file, "--host", "127.0.0.1", "--port", "0")
    try:
        with (
            pytest.raises(ArchiveError, match=r"has no workers\. To start one, run: dask worker tcp://127"),
            cluster(address(file)),
        ):
            pass
    finally:
        stop(boss)


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)  # what an import finds that is not installed
    with pytest.raises(MissingExtra, match=r"pip install 'gamelog\[cluster\]'"), cluster("tcp://127.0.0.1:1"):
        pass

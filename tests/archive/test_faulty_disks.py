"""Tests that a failing disk, or files that change while they are read, make no record or pack damaged."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gamelog.archive import Pack, find_items, index, pack, verdicts
from gamelog.archive.sources import items as sources
from gamelog.errors import Damaged, ReadFailed

from .conftest import EVEN, Table, dump

Ask = Callable[..., list[tuple[Any, ...]]]

BROKEN_DISK = Path("/proc/self/mem")
"""A file that can be opened, but every read fails as on a broken disk."""

needs_proc = pytest.mark.skipif(not BROKEN_DISK.exists(), reason="Linux has such a file")


@needs_proc
@pytest.mark.parametrize("name", ["bad.jsonl", "bad.jsonl.zst", "bad.gamelog.parquet"])
def test_a_failing_disk_makes_a_record_unread_and_known_rows_stay(
    name: str, table: Table, archive: Path, ask: Ask, tmp_path: Path
) -> None:
    good = table(*EVEN, id="good")
    pack([table.folder], tmp_path / "bad.gamelog.parquet")
    (table.folder / "bad.gamelog.parquet").write_bytes((tmp_path / "bad.gamelog.parquet").read_bytes())
    (table.folder / "bad.jsonl").write_bytes(good.read_bytes().replace(b"good", b"gone"))
    index([table.folder], archive)
    before = dump(archive)
    (table.folder / name).unlink(missing_ok=True)
    (table.folder / name).symlink_to(BROKEN_DISK)
    told = {verdict.path: verdict for verdict in verdicts(find_items([table.folder]))}
    verdict = told[str(table.folder / name)]
    assert (verdict.status, verdict.findings[0].code) == (None, "record.read_failed")
    assert "Input/output error" in verdict.findings[0].text
    done = index([table.folder], archive)
    assert done.not_taken
    after = dump(archive)
    lost = {table: set(before[table]) - set(after[table]) for table in before if table != "findings"}
    assert lost == {key: set() for key in lost}, "nothing that was known is gone"
    assert ask("SELECT count(*) FROM findings WHERE code = 'record.read_failed'") == [(1,)]


def test_a_pack_that_changes_while_it_is_read_is_not_damaged(table: Table, tmp_path: Path) -> None:
    for at in range(4):
        table(*EVEN, id=f"game-{at}")
    out = tmp_path / "club.gamelog.parquet"
    pack([table.folder], out)
    with Pack(out) as records:
        assert len(records.sizes()) == 4
        out.write_bytes(out.read_bytes()[:-40])
        with pytest.raises(ReadFailed, match="changed while it was read"):
            list(records.items())
    with pytest.raises(Damaged, match=r"^The pack .* is damaged: "):
        Pack(out)


def test_a_record_that_is_being_written_is_read_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = table(*EVEN).read_bytes()
    path = table.folder / "game-1.jsonl"
    reads = iter([whole[:-50], whole[:-20], whole])
    monkeypatch.setattr(sources, "read_bytes", lambda _path: next(reads, whole))
    assert [verdict.status for verdict in verdicts(find_items([path]))] == ["ok"]
    torn = whole[:-20]
    monkeypatch.setattr(sources, "read_bytes", lambda _path: torn)
    assert [verdict.status for verdict in verdicts(find_items([path]))] == ["torn"]


@pytest.mark.skipif(
    not shutil.which("unshare")
    or subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0,
    reason="a file system of its own needs user name spaces, which this system does not grant",
)
def test_a_file_system_that_is_read_only_is_named_as_such(table: Table, tmp_path: Path) -> None:
    table(*EVEN)
    disk = tmp_path / "disk"
    disk.mkdir()
    program = "from gamelog_cli.app import main; main()"
    index = f'"{sys.executable}" -c "{program}" index "{table.folder}" --archive "{disk}'
    steps = f"""mount -t tmpfs tmpfs "{disk}" && {index}/known" > /dev/null && mount -o remount,ro "{disk}"
{index}/known"; {index}/new"; exit 0"""
    done = subprocess.run(["unshare", "-rm", "sh", "-c", steps], capture_output=True, text=True)
    advice = "its file system is read-only. Name another file with --archive."
    assert done.stderr.splitlines() == [
        f"gamelog: Cannot write the archive {disk}/known: {advice}",
        f"gamelog: Cannot create the archive {disk}/new: {advice}",
    ]

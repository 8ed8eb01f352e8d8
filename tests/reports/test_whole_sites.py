"""Tests of `gamelog_reports.record_site.write_site`, which programs call without a command."""

from __future__ import annotations

from pathlib import Path
from shutil import copy

import pytest
from gamelog_reports.record_site import write_site

from gamelog.archive import pack
from gamelog.errors import Damaged, NotReadable
from tests.sources import ROOT

RECORDS = sorted((ROOT / "sample_games" / "zone_s").glob("*.jsonl"))[:3]


def files_of(site: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in site.rglob("*") if path.is_file()}


def test_a_folder_and_a_pack_of_it_have_the_same_pages(tmp_path: Path) -> None:
    club, calls = tmp_path / "club", list[tuple[int, int]]()
    club.mkdir()
    for record in RECORDS:
        copy(record, club)
    site = write_site(club, tmp_path / "site", title="Club", progress=lambda *call: calls.append(call))
    count = len(list(club.iterdir()))
    assert site.pages == len(site.entries) == count == 3
    assert calls == [(n, count) for n in range(1, count + 1)]
    pack([club], tmp_path / "club.parquet")
    packed = write_site(tmp_path / "club.parquet", tmp_path / "packed", title="Club")
    assert packed.pages == count
    assert files_of(tmp_path / "packed") == files_of(tmp_path / "site")
    assert packed.unreadable == {}


def test_packs_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    club = tmp_path / "club"
    club.mkdir()
    copy(RECORDS[0], club)
    broken = club / "broken.gamelog.parquet"
    broken.write_bytes(b"PAR1")
    site = write_site(club, tmp_path / "site")
    assert (site.pages, [*site.unreadable]) == (1, [broken])
    with pytest.raises(Damaged, match="broken"):
        write_site(broken, tmp_path / "other")


def test_a_folder_without_records_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotReadable, match="There are no records in"):
        write_site(tmp_path, tmp_path / "site")

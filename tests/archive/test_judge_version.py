"""A test that reminds of a new judge version when verdicts or rows change."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from gamelog.archive import TABLES, Reader, index
from gamelog.archive.schema.analysis_tables import ANALYSIS_ROW_TYPES
from gamelog.archive.schema.tables import ROW_TYPES
from gamelog.archive.workers.judge_versions import JUDGE

SAMPLES = Path(__file__).parents[2] / "sample_games"

LEFT_OUT = {"path", "size", "mtime_ns", "judge", "message"}
"""Paths of files and texts for people. If these change, archives stay valid."""

TOLD = (1, "4769fb404f111ad6")
"""Version of the judge, and digest of all rows that it makes of the samples."""


def test_a_changed_judge_has_a_new_version(tmp_path: Path) -> None:
    index([SAMPLES], tmp_path / "archive")
    digest = sha256()
    with Reader(tmp_path / "archive") as reader:
        for name in (name for name in ROW_TYPES if name not in ANALYSIS_ROW_TYPES):
            table = TABLES[name]
            columns = ", ".join(column.name for column in table.columns if column.name not in LEFT_OUT)
            digest.update(f"{name}: {columns}\n".encode())
            for row in sorted(map(str, reader.ask(f"SELECT {columns} FROM {name}").rows)):
                digest.update(row.encode() + b"\n")
    told = (JUDGE, digest.hexdigest()[:16])
    assert told == TOLD, (
        f"raise JUDGE in gamelog/archive/workers/judge_versions.py, if it has not been since the release, and write here: {told}"
    )

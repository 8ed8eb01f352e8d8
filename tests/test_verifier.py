"""docs/verify.mjs, the verifier in JavaScript, agrees with `gamelog validate` about every sample record."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import gamelog
from gamelog.record import chain

ROOT = Path(__file__).parents[1]
VERIFIER = ROOT / "docs" / "verify.mjs"
SAMPLES = sorted((ROOT / "sample_games").glob("*/*.jsonl"))
SHORT = ROOT / "sample_games" / "slicewars" / "short.jsonl"

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def in_javascript(files: list[Path]) -> list[dict[str, Any]]:
    """Return what the verifier prints about each file."""
    done = subprocess.run(["node", VERIFIER, *files], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def in_python(file: Path) -> dict[str, Any]:
    """Return what Gamelog finds in the bytes, as the verifier reports it."""
    verdict = gamelog.validate(file)
    if verdict.status in ("torn", "damaged"):
        first = next(finding for finding in verdict.findings if finding.severity == "error")
        return {"file": str(file), "status": verdict.status, "n": first.n or 0}
    return {"file": str(file), "status": "whole", "n": verdict.events, "head": verdict.head}


def test_it_is_short() -> None:
    assert len(VERIFIER.read_text().splitlines()) <= 80


def test_it_agrees_about_every_sample_record() -> None:
    found = in_javascript(SAMPLES)
    assert found == [in_python(file) for file in SAMPLES]
    assert {one["status"] for one in found} == {"whole", "torn", "damaged"}


def test_it_agrees_about_records_that_are_cut_or_changed(tmp_path: Path) -> None:
    data = SHORT.read_bytes()
    files = []
    for at in range(0, len(data), 97):
        files += [tmp_path / f"cut-{at}.jsonl", tmp_path / f"flipped-{at}.jsonl"]
        files[-2].write_bytes(data[:at])
        files[-1].write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    assert in_javascript(files) == [in_python(file) for file in files]


BAD_NOTES = [
    b'"text":"a","text":"b"',
    b'"text":1e999',
    b'"text":9007199254740993',
    b'"text":"\\ud800"',
    b'"text":"a\rb"',
    b'"text":"\xff"',
    b'"text":' + b"[" * 64 + b"]" * 64,
    b'"text":NaN',
]


@pytest.mark.parametrize("note", BAD_NOTES)
def test_it_refuses_json_that_two_readers_could_read_differently(note: bytes, tmp_path: Path) -> None:
    lines = SHORT.read_bytes().splitlines(keepends=True)[:2]
    head = lines[-1][6:49]
    line, _ = chain.chained_line(head, b'"do":"@note","n":2,"t":99999999,"by":"table",%b}\n' % note)
    file = tmp_path / "bad.jsonl"
    file.write_bytes(b"".join(lines) + line)
    assert in_javascript([file]) == [in_python(file)] == [{"file": str(file), "status": "damaged", "n": 2}]

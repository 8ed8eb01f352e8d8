"""Tests that ``schemas/`` agrees with the types. ``make schemas`` writes the files again."""

import msgspec
from jsonschema import Draft202012Validator

from gamelog.play.contract.registry import find
from gamelog.play.recording.schema import schema_text
from tests.schemas import DIRECTORY, expected


def test_schemas_have_not_drifted() -> None:
    kept = {path.name: path.read_text() for path in DIRECTORY.glob("*.json")}
    assert kept == expected(), "make schemas, and review the diff"


def test_a_schema_that_is_printed_is_whole() -> None:
    """One file is enough for a validator, because it has all its definitions."""
    line = msgspec.json.decode(
        (DIRECTORY.parent / "sample_games/slicewars/ruled.jsonl").read_bytes().splitlines()[1]
    )
    note = {"h": "A" * 43, "do": "@note", "n": 1, "t": 0, "by": "table", "text": "late"}
    whole = Draft202012Validator(msgspec.json.decode(schema_text(find("slicewars"), with_shared=True)))
    assert whole.is_valid(line)
    assert whole.is_valid(note)
    assert not whole.is_valid({**note, "text": 5})

"""Tests of the sample games: they stay readable, keep their verdicts and fit the schemas."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from gamelog.play.contract.registry import find, names
from gamelog.play.judging.verdict import validate
from gamelog.record.reading import read_record
from tests.samples.__main__ import DIRECTORY, records

RECORDS = sorted(DIRECTORY.glob("*/*.jsonl"))
WITH_MODULE = [name for name in names() if (Path(__file__).parent / "samples" / f"{name}.py").exists()]


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def test_every_game_has_samples() -> None:
    assert {path.parent.name for path in RECORDS} == set(names()) == set(WITH_MODULE)


@pytest.mark.parametrize("path", RECORDS, ids=named)
def test_each_sample_has_the_stored_verdict(path: Path) -> None:
    kept = msgspec.json.decode(path.with_suffix(".verdict.json").read_bytes())
    assert msgspec.json.decode(msgspec.json.encode(validate(path))) == kept | {"path": str(path)}


@pytest.mark.parametrize("game", WITH_MODULE)
def test_samples_can_be_rebuilt_byte_for_byte(game: str) -> None:
    made = records(game)
    assert {path.stem for path in RECORDS if path.parent.name == game} == set(made)
    for name, data in made.items():
        assert (DIRECTORY / game / f"{name}.jsonl").read_bytes() == data, name


@cache
def schemas() -> dict[str, Any]:
    """Return the checked-in schemas by game; the schema of all records is ``record``."""
    return {
        path.name.partition(".")[0]: msgspec.json.decode(path.read_bytes())
        for path in (DIRECTORY.parent / "schemas").glob("*.json")
    }


@cache
def validator(reference: str) -> Any:
    registry: Registry[Any] = Registry().with_resources(
        (one["$id"], DRAFT202012.create_resource(one)) for one in schemas().values()
    )
    return Draft202012Validator({"$ref": reference}, registry=registry)


@cache
def definitions(game: str) -> dict[str, str]:
    """Return the path of each tag's definition in the schema of a game or of all records."""
    found = {}
    for whole in (schemas()["record"], schemas()[game]):
        for name, item in whole["$defs"].items():
            if tags := item.get("properties", {}).get("do", {}).get("enum"):
                found[tags[0]] = f"{whole['$id']}#/$defs/{name}"
    return found


@pytest.mark.parametrize("path", RECORDS, ids=named)
def test_every_good_line_fits_the_checked_in_schema(path: Path) -> None:
    game, good = path.parent.name, path.read_bytes()[: read_record(path).valid_size]
    for number, line in enumerate(good.splitlines()):
        members = msgspec.json.decode(line)
        definition = definitions(game)[members["do"]] if number else "urn:gamelog:1:record#/$defs/Header"
        validator(definition).validate(members)


def test_the_whole_schema_takes_a_record_and_refuses_a_spoiled_line() -> None:
    for game in names():
        whole = validator(schemas()[game]["$id"])
        lines = (DIRECTORY / game / "short.jsonl").read_bytes().splitlines()
        for line in lines[:10]:
            assert whole.is_valid(msgspec.json.decode(line))
        spoiled = msgspec.json.decode(lines[1])
        assert not whole.is_valid({**spoiled, "extra": 1})
        assert not whole.is_valid({**spoiled, "h": "short"})
        assert not whole.is_valid({**spoiled, "n": 0})
        assert find(game).id == game

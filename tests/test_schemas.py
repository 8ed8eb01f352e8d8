"""``schemas/`` says what the types say; ``make schemas`` writes it anew."""

from tests.schemas import DIRECTORY, expected


def test_schemas_have_not_drifted() -> None:
    kept = {path.name: path.read_text() for path in DIRECTORY.glob("*.json")}
    assert kept == expected(), "make schemas, and review the diff"

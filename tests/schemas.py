"""A program that writes ``schemas/`` again from the types: ``python -m tests.schemas``."""

from pathlib import Path

from gamelog.play.contract.registry import find, names
from gamelog.play.recording.schema import schema_text

DIRECTORY = Path(__file__).parent.parent / "schemas"


def expected() -> dict[str, str]:
    """Return the files of ``schemas/`` with their content."""
    return {"record.schema.json": schema_text()} | {
        f"{name}.schema.json": schema_text(find(name)) for name in names()
    }


if __name__ == "__main__":
    for name, content in expected().items():
        (DIRECTORY / name).write_text(content)
        print(DIRECTORY / name)

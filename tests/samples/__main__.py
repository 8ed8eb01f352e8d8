"""``python -m tests.samples [GAME ...]``: write ``sample_games/`` again."""

import sys
from importlib import import_module
from pathlib import Path

import msgspec

from gamelog.play.contract.registry import names
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.record.reading import parse_record
from tests.samples.disputes import ruled

DIRECTORY = Path(__file__).parent.parent.parent / "sample_games"


def records(game: str) -> dict[str, bytes]:
    """Return all samples of a game by name."""
    made: dict[str, bytes] = import_module(f"tests.samples.{game}").records()
    return made | {"ruled": ruled(game, made["as_played"])}


def expected(name: str, data: bytes) -> bytes:
    """Return the verdict of a record as its file stores it: everything except the path."""
    judged = msgspec.to_builtins(verdict(fold_record(parse_record(data, name))))
    del judged["path"]
    return msgspec.json.format(msgspec.json.encode(judged), indent=1) + b"\n"


def main() -> None:
    for game in sys.argv[1:] or names():
        folder = DIRECTORY / game
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in records(game).items():
            (folder / f"{name}.jsonl").write_bytes(data)
            (folder / f"{name}.verdict.json").write_bytes(expected(name, data))
            print(folder / f"{name}.jsonl")


if __name__ == "__main__":
    main()

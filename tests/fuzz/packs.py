"""Spoiled packs: each is read to its end and gives the original records, or a sentence with the reason.

    python -m tests.fuzz.packs --packs 20000 --seed 1

Bytes are flipped, cut, doubled and overwritten. A case fails by any exception other than Gamelog's own, and
by a changed record that is not refused.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from gamelog.archive import Pack, pack
from gamelog.archive.sources.packs import ENDING
from gamelog.errors import RecordError
from gamelog.play.contract.registry import find
from gamelog.play.recording.series import simulate_game
from gamelog.record.record_file import compose

GAMES = 12


def make_pack(folder: Path) -> tuple[bytes, dict[str, bytes]]:
    """Return a pack of a few short games, and its records. One record is damaged, so it is stored whole."""
    records = {}
    for at in range(GAMES):
        header, events = simulate_game(find("zone_s"), "packs", at, players=2)
        records[f"{at:02}.jsonl"] = compose(header, events[:30])[0]
    records["damaged.jsonl"] = records["00.jsonl"].replace(b'"n":3', b'"n":9')
    for name, data in records.items():
        (folder / name).write_bytes(data)
    out = folder / f"sound{ENDING}"
    pack([folder], out)
    return out.read_bytes(), records


def spoil(rng: random.Random, data: bytes) -> bytes:
    """Return `data` with one to four faults."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randrange(len(out))
        match rng.randrange(5):
            case 0:
                out[at] ^= 1 << rng.randrange(8)
            case 1:
                del out[at : at + rng.randint(1, 40)]
            case 2:
                out[at:at] = out[at : at + rng.randint(1, 40)]
            case 3:
                out[at : at + 8] = rng.randbytes(8)
            case _:  # the table of contents, with lengths and types, is at the end
                at = rng.randrange(len(out) * 3 // 4, len(out))
                out[at] = rng.randrange(256)
    return bytes(out)


def run(count: int, seed: int) -> Counter[str]:
    """Return the numbers of packs and records that were whole, were refused, or were not packs."""
    done = Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, records = make_pack(folder)
        path = folder / f"spoiled{ENDING}"
        for number in range(count):
            path.write_bytes(spoil(random.Random(f"{seed} {number}"), data))
            try:
                with Pack(path) as opened:
                    for called, content in opened.items():
                        if isinstance(content, RecordError):
                            done["records refused"] += 1
                        else:
                            # The pack has no digest of a record that is stored whole. The record's own chain judges it.
                            assert content == records.get(called, content) or b'"n":9' in records[called], (
                                number,
                                called,
                            )
                            done["records whole"] += 1
            except RecordError as error:
                done["lines"] += str(error).count("\n")
                done["packs refused"] += 1
    assert not done.pop("lines", 0), "an error is one sentence"
    return done


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--packs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    print(dict(run(given.packs, given.seed)))


if __name__ == "__main__":
    main()

"""Replay pages: bytes for an event, of a game and of the page itself, and pages a second on one core.

    python -m tests.bench.pagesize [--games N]

The run measures the recorded sample games and N games of every kind played by bots. Data are the part that
depends on the record, as embedded, including the record itself. The board, the seats and the words of a game
are the same in all its pages. The rest is the page. Kilobytes are thousands.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
from pathlib import Path
from time import process_time

from gamelog_reports.replay_page.page import replay_page

from gamelog.play.contract.registry import find, names
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.recording.series import simulate_game
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose
from tests.reports.payload import PAGE_DATA, STAGE

SAMPLES = Path(__file__).parents[2] / "sample_games"
LIMIT = 27
"""Maximum number of bytes for an event."""


def measure(name: str, replays: list[FoldedRecord]) -> str:
    """Return one line about the pages of `replays`."""
    begin = process_time()
    pages = [replay_page(folded) for folded in replays]
    seconds = process_time() - begin
    events = [len(folded.events) for folded in replays]
    data, stage = (
        [len(found[2]) for html in pages if (found := part.search(html))] for part in (PAGE_DATA, STAGE)
    )
    each = [size / max(count, 1) for size, count in zip(data, events, strict=True)]
    bare = [PAGE_DATA.sub(r"\1\3", html).encode() for html in pages]
    zipped = max(len(gzip.compress(html, 9)) for html in bare)
    return (
        f"{name:24} {len(pages):5} pages of {statistics.median(events):5.0f} events: {sum(data) / sum(events):5.1f} B an event, "
        f"median page {statistics.median(each):5.1f}, {sum(size <= LIMIT for size in each) / len(each):4.0%} within {LIMIT}; "
        f"game {max(stage) / 1000:3.1f} kB; page with it {max(map(len, bare)) / 1000:5.1f} kB, gzip {zipped / 1000:4.1f} kB; "
        f"{len(pages) / seconds:4.0f} pages/s, {sum(events) / seconds:6.0f} events/s"
    )


def simulate_games(name: str, games: int, players: int) -> list[FoldedRecord]:
    """Return games played by bots, judged."""
    game = find(name)
    return [
        fold_record(parse_record(compose(*simulate_game(game, "pages", index, players=players))[0]))
        for index in range(games)
    ]


def main(games: int = 40) -> None:
    """Measure and print."""
    for name in names():
        for players in sorted({min(find(name).seats), max(find(name).seats)}):
            print(
                measure(
                    f"{name}, {players} players",
                    simulate_games(name, games if players < 5 else games // 4, players),
                )
            )
    for name in names():
        played = [
            judged
            for path in sorted((SAMPLES / name).glob("*.jsonl"))
            if (judged := fold_record(read_record(path))).fold
        ]
        print(measure(f"{name}, samples", played))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=40)
    main(parser.parse_args().games)

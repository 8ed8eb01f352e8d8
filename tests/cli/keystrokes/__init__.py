"""The shortest lines for events of sample games: three parts of one record of each game.

To find the shortest lines that people would try, and to write them to the files again, run:

    python -m tests.cli.keystrokes [GAME ...]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from gamelog_cli.errors import Misread
from gamelog_cli.events import reading
from gamelog_cli.events.choices import Choices
from gamelog_cli.input.typed_members import event_words

from gamelog.errors import GamelogError
from gamelog.play.fold.common_events import COMMON
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import Event, as_proposal
from gamelog.record.reading import read_record

SAMPLES = Path(__file__).parents[3] / "sample_games"

STRETCH = 32
"""Number of events from the beginning, from a third and from two thirds of a game."""

GAMES = {
    "slicewars": "full-2",
    "zone_control": "full-4",
    "gp02a_territory": "full-3",
    "zone_s": "full-2",
    "dice_flags": "full-2",
}


def lines_of(game: str) -> list[str]:
    """Return the shortest lines of a game, one for each event."""
    return Path(__file__).with_name(f"{game}.txt").read_text("utf-8").splitlines()


def stretches(game: str, folder: Path) -> Iterator[tuple[EventRecorder, Event]]:
    """Yield each event of the parts, with a recorder at the position before it.

    Append the event to the recorder before you ask for the next one.
    """
    path = SAMPLES / game / f"{GAMES[game]}.jsonl"
    lines, events = path.read_bytes().splitlines(keepends=True), fold_record(read_record(path)).events
    for begin in (0, len(events) // 3, len(events) * 2 // 3):
        part = folder / f"{begin}.jsonl"
        part.write_bytes(b"".join(lines[: begin + 1]))
        recorder = EventRecorder(part)
        for event in events[begin : begin + STRETCH]:
            if type(event) in COMMON:
                break
            yield recorder, event


def means(choices: Choices, line: str, event: Event) -> bool:
    """Return whether `line` means `event` at the position of `choices`, or an event with the same result."""
    fold = choices.recorder.fold
    try:
        said = (
            reading.parse_line(choices, line)
            if line
            else choices.only_legal_event and as_proposal(choices.only_legal_event)
        )  # Enter alone
        typed = choices.recorder.stamp(said or {})
    except (GamelogError, Misread):
        return False
    return type(typed) is type(event) and (
        {**as_proposal(typed), "t": 0} == {**as_proposal(event), "t": 0}
        or (
            fold.judge(typed) is None
            and fold.game.apply(fold.state, typed) == fold.game.apply(fold.state, event)
        )
    )


def shortest(recorder: EventRecorder, event: Event) -> str:
    """Return the shortest line for `event` of those that people would try."""
    choices, fold = Choices(recorder), recorder.fold
    after = fold.game.apply(fold.state, event)
    same = [
        one
        for one in choices.legal.events
        if type(one) is type(event) and fold.game.apply(fold.state, one) == after
    ]
    if means(choices, "", event):
        return ""
    tried = {line for one in (event, *same[:2]) for line in _tried(recorder, one)}
    line = next(
        line for line in sorted(tried, key=lambda line: (len(line), line)) if means(choices, line, event)
    )
    for cut in (slice(None, -1), slice(1, None)):
        words = line.split(" ")
        for at in range(len(words)):
            while len(words[at]) > 1 and means(
                choices, " ".join([*words[:at], words[at][cut], *words[at + 1 :]]), event
            ):
                words[at] = words[at][cut]
        line = " ".join(words)
    return line


def _tried(recorder: EventRecorder, event: Event) -> set[str]:
    tag, *own = event_words(event)
    found = {" ".join([tag, *own])}
    if type(event) in recorder.fold.game.chance_events:
        members = msgspec.to_builtins(event)
        parts = [
            [*_flat(value)] for name, value in members.items() if name not in ("do", "n", "t", "by", "id")
        ]
        every = [thing for part in parts for thing in part]
        counts = [value for value in members.values() if isinstance(value, dict)]
        drawn = [
            name
            for value in counts
            for name, count in value.items()
            if isinstance(count, int)
            for _ in range(count)
        ]
        found |= {"".join(name[0] for name in drawn), " ".join(drawn)}
        found |= {
            "".join(every),
            " ".join("".join(part) for part in parts),
            "".join(thing[0] for thing in every),
            " ".join(every),
        }
    if own and "." in own[-1]:  # a path: the man, spaces on the path, and the target
        *way, end = (space.rpartition(".")[2] for space in own[-1].split(","))
        for who in (*own[:-1], " ".join(own[:-1])):
            found |= {" ".join((who, *over, end)) for size in (0, 1, 2) for over in combinations(way, size)}
    for begun in ("", tag[:1], tag[:2], tag):
        for count in range(len(own) + 1):
            for some in combinations(own, count):
                texts = [" ".join(some)]
                if some and "," in some[-1]:
                    names = [one.partition("=")[2] or one for one in some[-1].split(",")]
                    texts += [
                        some[-1].rpartition(",")[2],
                        " ".join(names),
                        " ".join(one[0] for one in names),
                        "".join(names),
                        "".join(one[0] for one in names),
                    ]
                    texts += [" ".join(part) for size in (1, 2) for part in combinations(names, size)]
                if len(some) > 1:
                    texts += ["".join([*(one[0] for one in some[:-1]), some[-1]]), "".join(some)]
                found |= {f"{begun} {text}".strip() for text in texts}
    return found - {""}


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _flat(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _flat(one)
    else:
        yield str(value)


def main() -> None:
    """Write the shortest lines to the files."""
    for game in sys.argv[1:] or GAMES:
        typed = []
        with TemporaryDirectory() as folder:
            for recorder, event in stretches(game, Path(folder)):
                typed.append(shortest(recorder, event))
                recorder.append([{**as_proposal(event), "t": event.t}])
        Path(__file__).with_name(f"{game}.txt").write_text("".join(f"{line}\n" for line in typed), "utf-8")
        print(game, len(typed), round(sum(len(line) + 1 for line in typed) / len(typed), 2))

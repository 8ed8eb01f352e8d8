"""Copies of one record in which several people have revealed links at the same time."""

from __future__ import annotations

import json
import re
import shutil
from hashlib import sha256
from itertools import permutations
from pathlib import Path

import msgspec
import pytest

from gamelog.chance.commit_reveal import Chain
from gamelog.play.judging.verdict import validate
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog, forge
from tests.play.tables import not_none

NAMES = {"red": "Ana", "blue": "Rui", "yellow": "Eva", "green": "Tom"}


def start(gamelog: Gamelog, *seats: str, salt: str = "") -> Path:
    """Write a record with commitments of `seats` to fixed secrets and a roll that is due."""
    words: list[str] = []
    for seat in seats:
        chain = Chain("club", seat, sha256(f"{seat}{salt}".encode()).hexdigest(), 50)
        Path(f"{seat}.secret").write_bytes(msgspec.json.encode(chain))
        words += ["--seat", f"{seat}={NAMES[seat]}", "--commit", f"{seat}={chain.commitment}"]
    dice = ["--dice", "commit-reveal", "--id", "club", "--started", "2026-01-02T03:04:05Z"]
    done = gamelog("new", "slicewars", "game.jsonl", *dice, *words)
    assert done.status == 0, done.err
    return Path("game.jsonl")


def reveal_apart(gamelog: Gamelog, path: Path, *seats: str) -> list[Path]:
    """Reveal the link of each seat in another copy."""
    copies = [Path(shutil.copy(path, f"{seat}.jsonl")) for seat in seats]
    for seat, copy in zip(seats, copies, strict=True):
        assert reveal(gamelog, copy, seat) == 0
    return copies


def reveal(gamelog: Gamelog, path: Path, seat: str) -> int:
    return gamelog("dice", "reveal", path, "--secret", f"{seat}.secret").status


def merged(gamelog: Gamelog, *paths: Path) -> Path:
    """Merge all copies one after the other, and return the result."""
    out = paths[0]
    for at, path in enumerate(paths[1:]):
        into = Path("-".join(one.stem for one in paths) + f"-{at}.jsonl")
        done = gamelog("compare", out, path, "--merge", into)
        assert (done.status, "unites both copies of the record" in done.out) == (0, True), done.err
        out = into
    return out


def kinds(path: Path) -> list[str]:
    return [json.loads(b"{" + line)["do"] for line in read_record(path).bodies]


def test_copies_with_two_reveals_at_the_same_time_are_united(gamelog: Gamelog) -> None:
    ana, rui = reveal_apart(gamelog, start(gamelog, "red", "blue"), "red", "blue")
    one, other = merged(gamelog, ana, rui), merged(gamelog, rui, ana)
    assert one.read_bytes() == other.read_bytes()
    assert validate(one).status == "ok"
    done = gamelog("dice", "reveal", one, "--secret", "red.secret")
    assert (done.status, "rolls" in done.out or "begins" in done.out) == (0, True), done.err
    assert reveal(gamelog, other, "blue") == 0
    assert kinds(one) == kinds(other) == ["@reveal", "@reveal", "start_roll"]
    assert one.read_bytes() == other.read_bytes(), "both copies have the same roll"
    assert gamelog("append", one, '{"do":"claim","at":"A1"}', "--secret", "red.secret").status == 0
    assert (
        gamelog("append", one, '{"do":"@note","by":"blue","text":"x"}', "--secret", "blue.secret").status == 0
    )


@pytest.mark.parametrize("seats", [("red", "blue", "yellow"), ("red", "blue", "yellow", "green")])
def test_copies_of_more_people_are_united_in_any_order(gamelog: Gamelog, seats: tuple[str, ...]) -> None:
    copies = reveal_apart(gamelog, start(gamelog, *seats), *seats)
    orders = list(permutations(copies))[:: 1 if len(seats) == 3 else 5]
    (data,) = {merged(gamelog, *order).read_bytes() for order in orders}
    rolled: set[bytes] = set()
    for seat in seats:
        mine = Path(f"all-{seat}.jsonl")
        mine.write_bytes(data)
        assert reveal(gamelog, mine, seat) == 0
        assert validate(mine).status == "ok"
        *links, roll = read_record(mine).bodies
        assert len(links) == len(seats)
        rolled.add(re.sub(rb'"t":\d+', b"", roll))
    assert len(rolled) == 1


def test_two_pairs_of_copies_are_united(gamelog: Gamelog) -> None:
    seats = ("red", "blue", "yellow", "green")
    one, two, three, four = reveal_apart(gamelog, start(gamelog, *seats), *seats)
    pairs = merged(gamelog, merged(gamelog, four, one), merged(gamelog, three, two))
    assert pairs.read_bytes() == merged(gamelog, one, two, three, four).read_bytes()


def test_the_same_roll_at_two_times_is_united_and_later_events_stay(gamelog: Gamelog) -> None:
    ana, rui = reveal_apart(gamelog, start(gamelog, "red", "blue"), "red", "blue")
    one, other = merged(gamelog, ana, rui), merged(gamelog, rui, ana)
    assert reveal(gamelog, one, "red") == reveal(gamelog, other, "blue") == 0
    forge(other, '"do":"start_roll","n":3,"t":', '"do":"start_roll","n":3,"t":9')  # with another program
    assert merged(gamelog, other, one).read_bytes() == one.read_bytes(), "the earlier time"
    assert gamelog("append", other, '{"do":"claim","at":"A1"}').status == 0
    for stale in (ana, rui, one):
        assert merged(gamelog, stale, other).read_bytes() == other.read_bytes()
    assert gamelog("append", one, '{"do":"claim","at":"A2"}').status == 0
    refused = gamelog("compare", one, other, "--merge", "two.jsonl")
    assert (refused.status, "event 3" in refused.err, "Continue only one" in refused.err) == (2, True, True)
    assert not Path("two.jsonl").exists()


def test_a_copy_without_my_link_gets_no_other_link(gamelog: Gamelog) -> None:
    """A link in both copies would give the links two orders, and the next roll two intents."""
    ana, rui = reveal_apart(gamelog, start(gamelog, "red", "blue"), "red", "blue")
    refused = gamelog("dice", "reveal", ana, "--secret", "blue.secret")
    assert (refused.status, kinds(ana)) == (1, ["@reveal"])
    assert (
        "To unite the record with your copy, run: gamelog compare red.jsonl COPY --merge NEW" in refused.err
    )
    assert reveal(gamelog, merged(gamelog, ana, rui), "blue") == 0


def tied(gamelog: Gamelog, salt: str) -> tuple[Path, Path] | None:
    """Return two united copies with the first roll if it is a tie, otherwise None."""
    for path in (*Path().glob("*.seen"), *Path().glob("*.jsonl")):
        path.unlink()
    paths = reveal_apart(gamelog, start(gamelog, "red", "blue", salt=salt), "red", "blue")
    one, other = merged(gamelog, *paths), merged(gamelog, *paths[::-1])
    assert reveal(gamelog, one, "red") == reveal(gamelog, other, "blue") == 0
    return (one, other) if not_none(EventRecorder(one).fold.reveals).missing_seats else None


def test_after_a_tie_both_reveal_and_unite_again(gamelog: Gamelog) -> None:
    """The second roll depends on the line of the first, which both have recorded separately."""
    one, other = next(filter(None, (tied(gamelog, str(salt)) for salt in range(100))))
    assert one.read_bytes() == other.read_bytes()
    assert reveal(gamelog, one, "red") == reveal(gamelog, other, "blue") == 0
    both = Path("both.jsonl")
    assert gamelog("compare", one, other, "--merge", both).status == 0
    assert reveal(gamelog, both, "red") == 0
    assert kinds(both)[2:] == ["start_roll", "@reveal", "@reveal", "start_roll"]
    assert validate(both).status == "ok"


def test_a_record_without_a_link_that_i_saw_gets_no_other_link(gamelog: Gamelog) -> None:
    path = start(gamelog, "red", "blue")
    bare = path.read_bytes()
    assert reveal(gamelog, path, "blue") == reveal(gamelog, path, "red") == 0
    path.write_bytes(bare)
    refused = gamelog("dice", "reveal", path, "--secret", "red.secret")
    assert (refused.status, "no longer the record in which you revealed event 2" in refused.err) == (1, True)
    assert path.read_bytes() == bare


def test_a_record_that_continued_without_my_link_gets_no_other_link(gamelog: Gamelog) -> None:
    """Otherwise the next roll would be another roll with the same link."""
    path = start(gamelog, "red", "blue")
    bare = path.read_bytes()
    assert reveal(gamelog, path, "red") == 0
    path.write_bytes(bare)
    tie = '{"do":"start_roll","rolls":{"red":5,"blue":5}}'
    assert gamelog("append", path, tie, "--as-played").status == 0
    assert not_none(EventRecorder(path).fold.reveals).missing_seats == ("red", "blue")
    refused = gamelog("dice", "reveal", path, "--secret", "red.secret")
    assert (refused.status, len(read_record(path).bodies)) == (1, 1)


def test_long_notes_of_many_seats_are_read(gamelog: Gamelog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog_cli.secrets.revealed_links.TAIL_BYTES", 16)
    path = start(gamelog, "red", "blue")
    assert reveal(gamelog, path, "blue") == reveal(gamelog, path, "red") == 0
    gamelog("append", path, '{"do":"@takeback","by":"arbiter","to":0}', "--secret", "red.secret")
    forge(path, '"t":', '"t":1')
    assert "you revealed event 5" in gamelog("dice", "reveal", path, "--secret", "red.secret").err


def test_copies_that_are_not_good_are_not_united(gamelog: Gamelog) -> None:
    ana, rui = reveal_apart(gamelog, start(gamelog, "red", "blue"), "red", "blue")
    forge(rui, '"link":"', '"link":"0000')
    refused = gamelog("compare", ana, rui, "--merge", "new.jsonl")
    assert (refused.status, "Cannot unite blue.jsonl" in refused.err) == (2, True)
    assert not Path("new.jsonl").exists()


def test_copies_of_a_seeded_record_are_united_to_the_longer_one(gamelog: Gamelog) -> None:
    people = ["--seat", "red=Ana", "--seat", "blue=Rui"]
    assert gamelog("new", "slicewars", "one.jsonl", *people, "--dice", "seeded", "--seed", "x").status == 0
    assert gamelog("record", "one.jsonl", stdin="claim A1\nquit\n").status == 0
    shorter = Path("two.jsonl")
    shorter.write_bytes(b"".join(Path("one.jsonl").read_bytes().splitlines(keepends=True)[:-1]))
    done = gamelog("compare", "one.jsonl", shorter, "--merge", "new.jsonl")
    assert "unites both copies of the record" in done.out
    assert Path("new.jsonl").read_bytes() == Path("one.jsonl").read_bytes()

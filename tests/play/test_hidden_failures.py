"""Tests that the words of an error of a game with hidden information reach only people who see everything."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gamelog_reports.replay_page.page import make_page

from gamelog.archive import Reader, index
from gamelog.archive.workers import judge_versions
from gamelog.errors import GamelogError, Refused
from gamelog.play.contract.registry import find
from gamelog.play.fold.game_errors import Audience, describe_failure
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import validate
from gamelog.play.recording.header import new_header
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import Seat
from gamelog.record.reading import read_record
from gamelog.record.record_file import compose
from gamelog.testing.plays import play
from tests.cli.conftest import Gamelog, gamelog
from tests.play.test_registry import plug
from tests.reports.payload import page_data
from tests.table.client import serve_in_thread
from tests.testing.deals import SEATS, Deal, Show

assert plug, gamelog

PLUGIN = """
from dataclasses import replace
from msgspec import structs
from gamelog.game import Pending
from tests.testing.deals import TOP, Show, State, game_with

DEALS = game_with(TOP)

def pending(state):
    return Pending(by=("blue",)) if state.shown else DEALS.pending(state)

BASE = replace(DEALS, pending=pending, effects=lambda *args: ())

def start(*args):
    return State()

def observe(state, seat):
    own = ("red", "blue").index(seat)
    return structs.replace(state, hands=tuple(hand if at == own else () for at, hand in enumerate(state.hands)))

def fails(*args):
    if any(isinstance(given, Show) or getattr(given, "shown", "") for given in args):
        raise KeyError("the hidden queen")
    return BASE.{member}(*args)

def random(state, seat, rng):
    return Show(0, 0, seat, state.hands[0][0])

GAME = replace(
    BASE, id="secret", title="Secret", start=start, observe=observe, bots={{"random": random}}, {member}=fails
)
"""

WORDS = "hidden queen"
DEAL = Deal(1, 0, "table", {"red": ("ace", "king"), "blue": ("queen", "jack")})
SHOW = Show(2, 0, "red", "ace")
MEMBERS = ("check", "apply", "effects", "pending", "scene", "score")

for_each_member = pytest.mark.parametrize("broken", MEMBERS, indirect=True)


@pytest.fixture
def broken(
    plug: Callable[[str, str], None],
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """Return a record of a game with hidden information whose member, the parameter, fails at event 2."""
    member = request.param
    judge_versions.judge_versions.cache_clear()
    judge_versions.judge_version_of.cache_clear()
    plug(f"secret=secret_{member}:GAME", PLUGIN.format(member=member))
    root = Path(__file__).parents[2]
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{root}:{os.environ.get('PYTHONPATH', '')}")
    return save(tmp_path / "games" / "a.jsonl", DEAL, SHOW)


def save(path: Path, *events: Deal | Show) -> Path:
    header = new_header(
        find("secret"), [Seat(seat) for seat in SEATS], id="x", started="2026-03-01T20:00:00Z"
    )
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(compose(header, events)[0])
    return path


@for_each_member
def test_verdicts_and_archives_do_not_quote_the_error(broken: Path, tmp_path: Path) -> None:
    found = [one.text for one in validate(broken).findings]
    index([broken.parent], tmp_path / "a.duckdb", jobs=1)
    with Reader(tmp_path / "a.duckdb") as reader:
        rows = str(reader.ask("SELECT * FROM findings").rows)
    assert WORDS not in f"{found} {rows}"
    assert all("failed: KeyError" in message for message in found)


@pytest.mark.parametrize("broken", [one for one in MEMBERS if one != "pending"], indirect=True)
def test_pages_do_not_quote_the_error(broken: Path) -> None:
    page = make_page(fold_record(read_record(broken)), reveal=False)
    assert WORDS not in f"{page_data(page.html)} {page.incompleteness}"


@for_each_member
def test_recorders_do_not_quote_the_error(broken: Path) -> None:
    save(broken, DEAL)
    try:
        recorder = EventRecorder(broken)
        (done,) = recorder.append([{"do": "show", "by": "red", "card": "ace"}])
        said = recorder.text(done.n)
    except Refused as refused:
        said = f"{refused} {refused.finding}"
    assert WORDS not in said


@for_each_member
def test_commands_do_not_quote_the_error(broken: Path, gamelog: Gamelog) -> None:
    for words in (
        ("replay", broken),
        ("replay", broken, "--list"),
        ("replay", broken, "--at", 2, "--seat", "blue"),
        ("export", broken, "-o", "a.svg"),
        ("export", broken, "-o", "a.html"),
        ("export", broken.parent, "-o", "site"),
        ("compare", broken, broken),
        ("record", broken),
    ):
        done = gamelog(*words, stdin="legal\nlist\nquit\n")
        assert WORDS not in done.out + done.err, words
    for page in Path("site").rglob("*.html"):
        assert WORDS not in page.read_text()


@pytest.mark.parametrize("broken", ["apply"], indirect=True)
def test_a_whole_archive_and_its_report_do_not_quote_the_error(broken: Path, gamelog: Gamelog) -> None:
    for words in (
        ("validate", broken),
        ("index", broken.parent, "--archive", "a.duckdb"),
        ("report", "--archive", "a.duckdb", "-o", "a.html"),
    ):
        done = gamelog(*words)
        assert WORDS not in done.out + done.err, words
    assert WORDS not in Path("a.html").read_text()


@for_each_member
def test_a_server_does_not_quote_the_error_to_seats(broken: Path) -> None:
    save(broken, DEAL)
    with serve_in_thread(broken) as table:
        clients = [table.client("seat", "red"), table.client("seat", "blue"), table.spectator]
        said = [client.ask("POST", "/would", {"do": "show", "card": "ace"}).body for client in clients]
        said += [client.write({"do": "show", "card": "ace"}).body for client in clients]
        said += [client.get(path).body for client in clients for path in ("", "/table", "/choices")]
    assert WORDS.encode() not in b" ".join(said)


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("broken", ["check", "apply"], indirect=True)
def test_the_author_of_the_game_gets_the_words_of_the_error(gamelog: Gamelog) -> None:
    done = gamelog("simulate", "secret", "-o", "simulated")
    assert WORDS in done.out + done.err
    with pytest.raises((AssertionError, GamelogError), match=WORDS):
        play(find("secret"), 0)


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("broken", ["apply"], indirect=True)
def test_the_innermost_game_decides_who_gets_the_words() -> None:
    game: Any = find("secret")
    with pytest.raises(KeyError) as failed:
        game.apply(game.start(), SHOW)
    assert WORDS not in str(describe_failure(failed.value))
    assert WORDS in str(describe_failure(failed.value, audience=Audience.ALL_SEEING))
    with pytest.raises(AttributeError) as other:
        find("slicewars").effects(None, None, None)
    assert "AttributeError: " in str(describe_failure(other.value))

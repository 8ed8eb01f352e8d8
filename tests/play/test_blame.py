"""Tests that a failure of a game's code is a finding with the name of the game, never a traceback."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from gamelog_cli import app
from gamelog_reports.replay_page.page import replay_page
from msgspec import structs

from gamelog.archive import Reader, index
from gamelog.archive.workers import judge_versions
from gamelog.dispute.compare import compare
from gamelog.errors import BrokenGame, Refused
from gamelog.finding import Finding
from gamelog.play.contract.game import AnyGame, Game
from gamelog.play.contract.registry import find
from gamelog.play.fold.game_errors import BROKEN, describe_failure, failure_finding
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import validate
from gamelog.play.recording.header import new_header
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record import chain
from gamelog.record.envelope import Event, Seat, encode_body
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose
from tests.play.tables import whole
from tests.play.test_registry import plug
from tests.reports.payload import page_data
from tests.testing.deals import SEATS, TOP, game_with

assert plug, "a fixture"

PLUGIN = """
from dataclasses import replace
from gamelog.games.slicewars import GAME as BASE

def fails(*args):
    raise KeyError("a bug")

def start(*args):
    return BASE.start(*args)

GAME = replace(BASE, id="strange", title="Strange", start=start, {member}=fails)
"""

FAILS = (
    "the code of the game Strange, from the package dist-of-{module}, failed in {module}.fails, line 6: "
    "KeyError: 'a bug'"
)
Plug = Callable[[str, str], None]
MEMBERS = ("check", "apply", "pending", "effects", "score", "legal", "scene", "canonical")


@pytest.fixture
def broken(plug: Plug, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return a record of a game whose member, the test's parameter, fails."""
    member = request.getfixturevalue("member")
    judge_versions.judge_versions.cache_clear()
    judge_versions.judge_version_of.cache_clear()
    plug(f"strange=broken_{member}:GAME", PLUGIN.format(member=member))
    header, events = whole()
    path = tmp_path / "games" / "a.jsonl"
    path.parent.mkdir()
    path.write_bytes(compose(structs.replace(header, game="strange"), events[:40])[0])
    return path


def of(member: str, findings: list[Finding] | tuple[Finding, ...]) -> list[Finding]:
    return [found for found in findings if FAILS.format(module=f"broken_{member}") in found.text]


@pytest.mark.parametrize("member", ["check", "apply", "pending", "canonical"])
def test_a_failure_of_a_function_that_judging_needs_is_a_finding(member: str, broken: Path) -> None:
    found = validate(broken)
    assert (found.status, found.valid) == ("unknown", False)
    (failed,) = of(member, found.findings)
    assert failed.code == BROKEN
    if member in ("check", "apply"):
        assert (failed.n, failed.offset) == (1, read_record(broken).offsets[0])


@pytest.mark.parametrize("member", ["effects", "score", "scene", "legal"])
def test_a_failure_of_a_function_that_judging_does_not_need_changes_nothing(
    member: str, broken: Path
) -> None:
    assert validate(broken).status == "ok", member


@pytest.mark.parametrize("member", ["effects", "score", "scene", "check", "pending"])
def test_a_page_tells_of_the_record_and_the_failure(member: str, broken: Path) -> None:
    told = page_data(replay_page(fold_record(read_record(broken))))
    (failed,) = told["findings"]
    assert FAILS.format(module=f"broken_{member}") in failed["message"]
    assert "first" in told, "the record itself"


@pytest.mark.parametrize("member", ["check", "apply", "pending", "effects", "score"])
def test_an_archive_holds_the_finding_and_the_other_records(
    member: str, broken: Path, tmp_path: Path
) -> None:
    header, events = whole()
    (broken.parent / "good.jsonl").write_bytes(compose(structs.replace(header, id="good"), events)[0])
    index([broken.parent], tmp_path / "a.duckdb", jobs=1)
    with Reader(tmp_path / "a.duckdb") as reader:
        ((code, message),) = reader.ask("SELECT code, message FROM findings").rows
        assert (code, FAILS.format(module=f"broken_{member}") in message) == (BROKEN, True)
        assert reader.ask("SELECT count(*) FROM events WHERE id = 'good'").rows == [(len(events),)]


@pytest.mark.parametrize("member", ["check", "apply", "pending", "canonical", "score", "scene", "effects"])
def test_appending_refuses_in_a_sentence_or_writes(member: str, broken: Path) -> None:
    if member in ("check", "apply"):
        with pytest.raises(Refused, match=f"dist-of-broken_{member}"):
            EventRecorder(broken)
        return
    recorder = EventRecorder(broken)
    (done,) = recorder.append([{"do": "@note", "by": "table", "text": "so"}])
    assert "so" in recorder.text(done.n)
    assert (FAILS.format(module=f"broken_{member}") in recorder.text(5)) == (member == "effects")


@pytest.mark.parametrize("member", ["legal"])
def test_a_refusal_says_that_the_legal_events_are_unknown(member: str, broken: Path) -> None:
    with pytest.raises(Refused, match=f"the legal events are unknown because .* dist-of-broken_{member}"):
        EventRecorder(broken).append([{"do": "claim", "by": "red", "at": "A1"}])


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("command", ["validate", "replay", "export", "compare", "append"])
def test_no_command_ends_in_a_traceback(
    command: str,
    member: str,
    broken: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    more = {
        "compare": [str(broken)],
        "append": ['{"do":"claim","by":"red","at":"A1"}'],
        "export": ["-o", str(broken.with_suffix(".html"))],
    }
    monkeypatch.setattr("sys.argv", ["gamelog", command, str(broken), *more.get(command, [])])
    with pytest.raises(SystemExit) as left:
        app.main()
    said = "".join(capsys.readouterr())
    assert "Traceback" not in said
    assert left.value.code in (0, 1, 2)
    if left.value.code == 2:
        assert f"dist-of-broken_{member}" in said


def test_a_failure_of_our_own_code_blames_no_game() -> None:
    with pytest.raises(AttributeError) as failed:
        compare(None, None)  # type: ignore[arg-type]  # wrong on purpose
    assert describe_failure(failed.value) is None


class Leaving(Event, frozen=True, tag="leaving"):
    """An event whose own code ends the program."""

    def __post_init__(self) -> None:
        raise SystemExit(0)


def test_an_event_that_ends_the_program_while_it_is_read_is_a_fault_of_its_game() -> None:
    game: AnyGame = game_with(TOP)
    strange = replace(game, events=(*game.events, Leaving))
    header = new_header(strange, [Seat(seat) for seat in SEATS], id="x", started="2026-03-01T20:00:00Z")
    line, head = chain.chained_line(chain.GENESIS, encode_body(header))
    last, _ = chain.chained_line(head, b'"do":"leaving","n":1,"t":0,"by":"red"}\n')
    [found] = fold_record(parse_record(line + last), strange).findings
    assert (found.code, found.severity) == ("play.broken_game", "error")
    assert "SystemExit" in found.text


FUNCTIONS = [
    one.name
    for one in fields(Game)
    if callable(getattr(find("slicewars"), one.name)) and one.name != "Options"
]


@pytest.mark.parametrize("member", FUNCTIONS)
def test_no_function_of_a_game_can_end_the_program(member: str) -> None:
    def leave(*_: object) -> None:
        raise SystemExit(0)

    changes: dict[str, Any] = {member: leave}
    with pytest.raises(RuntimeError, match="a game must not raise this exception"):
        getattr(replace(find("slicewars"), **changes), member)(None, None, None)


@pytest.mark.parametrize("n", [12, 40], ids=["within the record", "at its end"])
def test_an_apply_without_a_state_is_reported_at_its_event(plug: Plug, tmp_path: Path, n: int) -> None:
    plug(
        f"strange=nothing_{n}:GAME",
        PLUGIN.format(member="score") + f"GAME = replace(BASE, id='strange', title='Strange', start=start, "
        f"apply=lambda state, event: None if event.n == {n} else BASE.apply(state, event))\n",
    )
    header, events = whole()
    (tmp_path / "a.jsonl").write_bytes(compose(structs.replace(header, game="strange"), events[:40])[0])
    verdict = validate(str(tmp_path / "a.jsonl"))
    assert [(one.n, one.text) for one in verdict.findings] == [
        (
            n,
            f"the code of the game Strange, from the package dist-of-nothing_{n}, failed: "
            "TypeError: apply returned None instead of a state",
        )
    ]


def test_a_resolve_without_options_is_reported_with_its_game(plug: Plug) -> None:
    plug(
        "strange=unresolved:GAME",
        PLUGIN.format(member="score")
        + "GAME = replace(GAME, score=BASE.score, resolve=lambda options: None)\n",
    )
    header, _ = whole()
    with pytest.raises(
        BrokenGame, match="from the package dist-of-unresolved, failed: TypeError: resolve gives NoneType"
    ):
        new_header(find("strange"), header.seats, id="1", started=header.started)


def test_a_finding_about_a_game_with_hidden_information_does_not_quote_the_error() -> None:
    hiding, error = find("zone_s"), KeyError("hidden card")
    assert "hidden card" not in failure_finding(error, replace(hiding, start=_fails)).text
    assert "hidden card" in failure_finding(error, replace(find("slicewars"), start=_fails)).text


def _fails(*_: object) -> None:
    raise KeyError

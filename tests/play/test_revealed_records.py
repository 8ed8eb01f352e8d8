"""Tests of records with commit-reveal dice: recomputed rolls, and several recorders of one record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from gamelog.chance.commit_reveal import results
from gamelog.dispute.branch import branch
from gamelog.errors import BadSetup, PlayError, Refused
from gamelog.play.contract.registry import find, names
from gamelog.play.fold import common_events
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.recording.series import simulate_game
from gamelog.record import chain
from gamelog.record.envelope import DiceSpec, Parent, as_proposal, encode_body
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import RecordFile, compose, create_record
from tests.play.reveals import Table, chains, header
from tests.play.tables import GAME, not_none

# --- records ---


def test_a_roll_at_the_table_stands_when_it_is_marked_and_ruled_on() -> None:
    table = Table()
    table.must("start_roll", "table", rolls={"red": 6, "blue": 1}, as_played=True)
    data, _ = compose(table.header, table.events)
    found = verdict(fold_record(parse_record(data)))
    assert (found.status, [finding.code for finding in found.findings]) == ("disputed", ["play.as_played"])
    table.must("@ruling", "arbiter", about=1, kind="stands", reason="the computer was broken", name="Referee")
    assert verdict(fold_record(parse_record(compose(table.header, table.events)[0]))).status == "ruled"


@pytest.mark.parametrize("name", names())
def test_simulated_games_verify_and_repeat(name: str) -> None:
    game = find(name)
    for players in (min(game.seats), max(game.seats)):
        made = [
            compose(*simulate_game(game, "reveal", 1, players=players, dice="commit-reveal"))
            for _ in range(2)
        ]
        assert made[0] == made[1]
        found = verdict(fold_record(parse_record(made[0][0])))
        assert (found.status, found.finished, found.findings) == ("ok", True, ())


@pytest.mark.parametrize("name", names())
def test_every_face_and_every_draw_is_recomputed(name: str) -> None:
    """Each chance line is changed, with a new chain: dice to another face, draws to another thing."""
    game = find(name)
    head, events = simulate_game(game, "faces", 2, players=min(game.seats), dice="commit-reveal")
    heads = [chain.chained_digest(chain.GENESIS, encode_body(head))]
    for event in events:
        heads.append(chain.chained_digest(heads[-1], encode_body(event)))
    states = not_none(fold_record(parse_record(compose(head, events)[0])).fold).states
    spoiled = 0
    fold = Fold(head, game, line_heads=heads)
    for event in events:
        if type(event) in game.chance_events:
            draws = not_none(game.pending(states[event.n - 1]).chance).draws
            links = dict(not_none(fold.reveals).revealed_links)
            other = {seat: link[::-1] for seat, link in links.items()}
            false = structs.replace(game.chance(fold.state, results(other, "x", draws)), n=event.n, t=event.t)
            if false != event:
                failure = fold.judge(false)
                assert failure is not None
                assert failure.code == "chance.reveals"
                spoiled += 1
        assert fold.push(event) is None
    assert spoiled > 10


def test_edits_with_a_recomputed_chain_change_every_later_roll() -> None:
    head, events = simulate_game(GAME, "edit", 0, players=2, dice="commit-reveal")
    for change in ({"t": events[5].t + 1}, {"id": "key"}):
        spoiled = [*events[:5], structs.replace(events[5], **change), *events[6:]]
        done = fold_record(parse_record(compose(head, spoiled)[0]))
        assert [finding.code for finding in done.findings] == ["chance.reveals"]
    other = structs.replace(head, tags={"x": "y"})
    done = fold_record(parse_record(compose(other, events)[0]))
    assert ([finding.code for finding in done.findings], done.findings[0].n) == (["chance.reveals"], 3)


@pytest.mark.parametrize(
    "change",
    [
        {"dice": DiceSpec("commit-reveal")},
        {"dice": DiceSpec("commit-reveal", commitments={"red": "0" * 64, "blue": "0" * 64}, forfeit="other")},
        {"parents": (Parent("other", 0, "A" * 43),)},
        {"id": "a\nb"},
    ],
)
def test_headers_that_cannot_be_played(change: dict[str, Any]) -> None:
    head = structs.replace(header(), **change)
    done = fold_record(parse_record(compose(head, [])[0]))
    assert [finding.code for finding in done.findings] == ["play.setup"]
    if "dice" in change:
        with pytest.raises(BadSetup, match="The commitments to the dice are invalid"):
            header(**change)


def test_without_digests_nothing_is_claimed() -> None:
    table = Table()
    bare = Fold(table.header, table.game)
    table.reveal()
    for event in table.events:
        assert bare.push(event) is None
    failure = bare.push(table.due())
    assert failure is not None
    assert failure.code == "chance.unchecked"


def test_links_have_no_place_in_other_records() -> None:
    head = header(dice=DiceSpec("table"))
    done = fold_record(
        parse_record(compose(head, [common_events.Reveal(1, 0, "red", seat="red", link="0" * 64)])[0])
    )
    assert [finding.code for finding in done.findings] == ["chance.link"]


def test_a_branch_goes_on_with_dice_of_the_table() -> None:
    head, events = simulate_game(GAME, "branch", 0, players=2, dice="commit-reveal")
    parent = parse_record(compose(head, events)[0])
    done = fold_record(parse_record(branch(parent, 40, "branch")))
    assert (done.status, done.fold.n if done.fold else None) == ("ok", 40)
    assert done.record.header is not None
    assert done.record.header.dice == DiceSpec("table")
    assert done.fold is not None
    assert done.fold.push(common_events.Reveal(41, done.fold.t, "red", seat="red", link="0" * 64)) is not None


def test_a_chain_that_is_used_up_ends_a_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog.play.recording.series.LINKS_PER_SEAT", 2)
    with pytest.raises((KeyError, PlayError)):
        simulate_game(GAME, "short", 0, players=2, dice="commit-reveal")


# --- recording ---


def test_two_recorders_reveal_to_one_record(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    create_record(path, header())
    secrets = chains(("red", "blue"))
    ana, rui = EventRecorder(path), EventRecorder(path)

    def reveal(recorder: EventRecorder, seat: str) -> None:
        recorder.append([])
        assert recorder.fold.reveals is not None
        link = secrets.link(seat, recorder.fold.reveals.last_links[seat])
        recorder.append([{"do": "@reveal", "by": seat, "seat": seat, "link": link}])

    reveal(ana, "red")
    reveal(rui, "blue")
    due = rui.fold.due_results()
    assert due is not None
    with pytest.raises(Refused, match="the roll is due"):
        ana.append([{"do": "@note", "by": "table", "text": "grinding"}])
    rui.append([as_proposal(rui.fold.game.chance(rui.fold.state, due))])
    ana.append([{"do": "claim", "at": "A1"}])
    assert verdict(fold_record(read_record(path))).status == "ok"


def test_a_writer_that_dies_between_the_links_changes_nothing_about_the_roll(tmp_path: Path) -> None:
    from gamelog.play.recording.recorder import recover_record

    path = tmp_path / "game.jsonl"
    create_record(path, header())
    secrets = chains(("red", "blue"))
    first = {
        "do": "@reveal",
        "by": "red",
        "seat": "red",
        "link": secrets.link("red", secrets.commitments["red"]),
    }
    EventRecorder(path).append([first])
    with open(path, "ab") as file:
        file.write(b'{"h":"torn')
    recover_record(path)
    recorder = EventRecorder(path)
    second = {
        "do": "@reveal",
        "by": "blue",
        "seat": "blue",
        "link": secrets.link("blue", secrets.commitments["blue"]),
    }
    recorder.append([second])
    due = recorder.fold.due_results()
    assert due is not None
    links = {"red": first["link"], "blue": second["link"]}
    assert due == results(links, read_record(path).head_at(0), not_none(recorder.fold.pending.chance).draws)
    recorder.append([as_proposal(recorder.fold.game.chance(recorder.fold.state, due))])
    assert verdict(fold_record(read_record(path))).status == "ok"
    assert RecordFile.open(path).n == 4


@pytest.mark.parametrize(
    ("lines", "said"),
    [(1, "Ana and Rui reveal their links"), (2, "Rui reveals a link"), (3, None)],
)
def test_a_verdict_names_the_seats_whose_links_are_missing(lines: int, said: str | None) -> None:
    path = Path(__file__).parents[2] / "sample_games/slicewars/committed.jsonl"
    found = verdict(fold_record(parse_record(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]))))
    waiting = [finding.text for finding in found.findings if finding.code == "chance.waiting"]
    assert waiting == ([f"the dice cannot be rolled before {said}"] if said else [])

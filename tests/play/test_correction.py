"""Tests of corrections: the right event, and the later ones as far as they fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from gamelog.errors import Conflict, Refused
from gamelog.games.slicewars.events import Battle, ClaimLand
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.seat_times import used_times
from gamelog.play.judging.digest import play_digest
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import validate
from gamelog.play.recording.correction import Correction, last_play
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import DiceSpec, as_proposal
from gamelog.record.reading import read_record
from gamelog.record.record_file import RecordFile, create_record
from tests.play.tables import GAME, claimed_territory, header, whole


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a whole game as it was played."""
    head, events = whole()
    log = create_record(tmp_path / "game.jsonl", structs.replace(head, dice=DiceSpec("table")))
    with log.lock() as locked:
        locked.append(events)
    assert validate(tmp_path / "game.jsonl").status == "ok"
    return tmp_path / "game.jsonl"


def mistyped(tmp_path: Path, at: int, **members: Any) -> Path:
    """Return the game with another event `at`, and the rest as far as it could be recorded."""
    head, events = whole()
    create_record(tmp_path / "wrong.jsonl", structs.replace(head, dice=DiceSpec("table")))
    recorder = EventRecorder(tmp_path / "wrong.jsonl")
    for event in events:
        given = {**as_proposal(event), "t": event.t, **(members if event.n == at else {})}
        try:
            recorder.append([given])
        except Refused:
            break
    return tmp_path / "wrong.jsonl"


def digest(path: Path) -> str:
    folded = fold_record(read_record(path))
    assert folded.fold
    return play_digest(folded.fold, folded.events)


def line(path: Path) -> list[dict[str, Any]]:
    """Return the events that count, as proposals."""
    recorder = EventRecorder(path)
    return [as_proposal(recorder.events[n - 1]) for n in recorder.fold.main_line_numbers()]


def roll(path: Path) -> tuple[int, dict[str, Any]]:
    """Return the number of the last battle, and the battle."""
    recorder = EventRecorder(path)
    n = last_play(recorder, chance=True)
    event = recorder.events[n - 1]
    assert isinstance(event, Battle)
    return n, {"do": "battle", "attack": list(event.attack), "defence": list(event.defence)}


def test_a_mistyped_roll_is_corrected_and_the_record_is_the_play_that_was(path: Path, tmp_path: Path) -> None:
    n, right = roll(path)
    wrong = mistyped(tmp_path, n, attack=[1 for _ in right["attack"]])
    before = read_record(wrong).bodies
    correction = Correction(wrong, n)
    assert correction.put(right) is None
    while correction.repeat_later_events():
        correction.skip()
    acks = correction.write(EventRecorder(wrong))
    bodies = read_record(wrong).bodies
    assert bodies[: len(before)] == before, "only appended to"
    assert [ack.n for ack in acks] == list(range(len(before) + 1, len(bodies) + 1))
    assert b'"slip":true' in bodies[len(before)]
    assert validate(wrong).status == "ok"
    stands = line(wrong)
    assert stands == line(path)[: len(stands)]
    assert len(stands) >= n


def test_all_that_followed_stands_again(path: Path) -> None:
    """The event is replaced by itself, so the play is the same and nothing is left."""
    before, number = digest(path), len(read_record(path).bodies)
    claim = EventRecorder(path).events[5]
    correction = Correction(path, 6)
    assert correction.put({"do": "claim", "at": claimed_territory(claim)}) is None
    assert correction.repeat_later_events() is None
    assert (correction.remaining_events, correction.repeated_count) == ([], number - 6)
    clocks = EventRecorder(path).fold.play_times()
    correction.write(EventRecorder(path))
    fold = EventRecorder(path).fold
    assert fold.play_times()[number + 1 :] == clocks[5:], (
        "every event comes at the time of play at which it came"
    )
    assert digest(path) == before
    assert validate(path).status == "ok"


def test_events_outside_play_are_not_recorded_twice(path: Path) -> None:
    recorder = EventRecorder(path)
    recorder.append([{"do": "@takeback", "by": "table", "to": 20}])
    at = recorder.events[20]
    again = {"do": "claim", "by": at.by, "at": claimed_territory(at)}
    recorder.append(
        [
            {"do": "@note", "by": "table", "text": "coffee"},
            {"do": "@claim", "by": "red", "text": "he peeked"},
            again,
        ]
    )
    correction = Correction(path, 20)
    wrong = recorder.events[19]
    assert correction.put({"do": "claim", "by": wrong.by, "at": claimed_territory(wrong)}) is None
    assert correction.repeat_later_events() is None
    assert [dict(event)["do"] for event in correction.proposals] == ["@takeback", "claim", "claim"]
    correction.write(EventRecorder(path))
    assert [finding.code for finding in validate(path).findings] == ["play.claim"], "the claim is open, once"


def test_the_first_that_no_longer_fits_is_shown_and_nothing_is_written_by_looking(path: Path) -> None:
    before = path.read_bytes()
    recorder = EventRecorder(path)
    other = claimed_territory(recorder.events[7])
    correction = Correction(path, 6)
    assert correction.put({"do": "claim", "at": other}) is None
    refused = correction.repeat_later_events()
    assert refused is not None
    assert (refused.code, correction.remaining_events[0].n) == ("play.illegal", 8)
    assert path.read_bytes() == before
    assert correction.put({"do": "claim", "at": claimed_territory(recorder.events[5])}) is None
    correction.skip()
    assert correction.repeat_later_events() is None


def test_a_forgotten_event_is_inserted(tmp_path: Path) -> None:
    head, _ = whole()
    create_record(tmp_path / "short.jsonl", structs.replace(head, dice=DiceSpec("table")))
    recorder = EventRecorder(tmp_path / "short.jsonl")
    recorder.append(
        [
            {"do": "start_roll", "rolls": {"red": 6, "blue": 1}},
            {"do": "claim", "at": "B1"},
            {"do": "claim", "at": "B2"},
        ]
    )
    correction = Correction(tmp_path / "short.jsonl", 3, before=True)
    assert correction.put({"do": "claim", "at": "C3"}) is None
    assert correction.repeat_later_events() is not None, (
        "another seat is to move, so the claim of B2 does not fit"
    )
    correction.put({"do": "claim", "at": "B2"})
    correction.skip()
    assert correction.repeat_later_events() is None
    correction.write(EventRecorder(tmp_path / "short.jsonl"))
    assert line(tmp_path / "short.jsonl")[1:] == [
        {"do": "claim", "by": seat, "at": at} for seat, at in (("red", "B1"), ("blue", "C3"), ("red", "B2"))
    ]


def test_some_events_cannot_be_corrected(path: Path) -> None:
    recorder = EventRecorder(path)
    recorder.append(
        [{"do": "@note", "by": "table", "text": "coffee"}, {"do": "@takeback", "by": "table", "to": 20}]
    )
    for at, why in (
        (0, "no event 0"),
        (10_000, "no event"),
        (21, "taken back"),
        (recorder.n, "taken back"),
        (recorder.n - 1, "taken"),
    ):
        with pytest.raises(Refused, match=why):
            Correction(path, at)
    recorder.append([{"do": "@note", "by": "table", "text": "tea"}])
    with pytest.raises(Refused, match="is not part of play"):
        Correction(path, recorder.n)
    assert last_play(recorder, chance=False) == 20


def test_a_record_without_dice_or_decisions_has_nothing_to_correct(tmp_path: Path) -> None:
    create_record(tmp_path / "new.jsonl", header())
    for chance in (True, False):
        with pytest.raises(Refused, match="nothing to correct yet"):
            last_play(EventRecorder(tmp_path / "new.jsonl"), chance=chance)


def test_a_record_that_has_moved_on_is_not_corrected(path: Path) -> None:
    correction = Correction(path, 20)
    EventRecorder(path).append([{"do": "@note", "by": "table", "text": "coffee"}])
    with pytest.raises(Conflict):
        correction.write(EventRecorder(path))


def test_takebacks_that_wait_for_an_answer(tmp_path: Path) -> None:
    create_record(tmp_path / "agreed.jsonl", header(takebacks="agreed"))
    EventRecorder(tmp_path / "agreed.jsonl").append(
        [{"do": "start_roll", "rolls": {"red": 6, "blue": 1}}, {"do": "claim", "at": "A1"}]
    )
    with pytest.raises(Refused, match="Take the game back to event 1"):
        Correction(tmp_path / "agreed.jsonl", 2)


def test_a_correction_that_others_must_accept_is_offered_and_then_recorded(tmp_path: Path) -> None:
    path = tmp_path / "agreed.jsonl"
    create_record(path, header(takebacks="agreed"))
    claims = [{"do": "claim", "at": at} for at in ("A1", "B1", "C1")]
    EventRecorder(path).append([{"do": "start_roll", "rolls": {"red": 6, "blue": 1}}, *claims])
    offered = Correction(path, 2, offers=True)
    assert (offered.awaited_seats, offered.put({"do": "claim", "at": "D1"})) == (("blue", "red"), None)
    assert (offered.repeat_later_events(), offered.repeated_count) == (None, 2)
    (ack,) = offered.write(EventRecorder(path))
    for seat in offered.awaited_seats:
        with pytest.raises(Refused, match="No correction of event 2 was accepted"):
            Correction(path, 2, accepted=ack.n + 1)
        EventRecorder(path).append([{"do": "@accept", "by": seat, "about": ack.n}])
    accepted = EventRecorder(path).n
    for at, answer in ((3, accepted), (2, accepted - 1), (2, accepted + 1), (2, -1)):
        with pytest.raises(Refused, match=f"No correction of event {at} was accepted"):
            Correction(path, at, accepted=answer)
    correction = Correction(path, 2, accepted=accepted)
    assert (correction.put({"do": "claim", "at": "D1"}), correction.repeat_later_events()) == (None, None)
    correction.write(EventRecorder(path))
    assert [one["at"] for one in line(path) if one["do"] == "claim"] == ["D1", "B1", "C1"]
    assert EventRecorder(path).record_view.event_status(3).replaced_by == accepted + 2
    with pytest.raises(Refused, match="play has continued since"):
        Correction(path, 2, accepted=accepted)


def test_dice_that_follow_from_a_seed_are_drawn_anew(tmp_path: Path) -> None:
    from gamelog.testing.plays import play

    game = play(GAME, 3, 2, max_rounds=2)
    create_record(tmp_path / "seeded.jsonl", structs.replace(game.header, dice=DiceSpec("seeded", "a seed")))
    recorder = EventRecorder(tmp_path / "seeded.jsonl")
    for event in game.events:
        results = recorder.fold.due_results()
        if results is not None:
            recorder.append([as_proposal(GAME.chance(recorder.fold.state, results))])
        if (
            not isinstance(event, GAME.chance_events)
            and recorder.fold.game.check(recorder.fold.state, event) is None
        ):
            recorder.append([{**as_proposal(event)}])
    battles = [event.n for event in recorder.events if type(event).__name__ == "Attack"]
    assert battles
    at = battles[0]
    before = digest(tmp_path / "seeded.jsonl")
    correction = Correction(tmp_path / "seeded.jsonl", at)
    assert correction.put(as_proposal(recorder.events[at - 1])) is None
    assert correction.repeat_later_events() is None
    assert correction.redrawn_events == [], "the same throw of the same seed"
    correction.write(recorder)
    assert digest(tmp_path / "seeded.jsonl") == before
    at = recorder.n - correction.repeated_count  # the attack, again
    assert type(recorder.events[at - 1]).__name__ == "Attack"
    attacks = [
        event
        for event in legal_for(GAME, recorder.fold.states[at - 1], None).events
        if type(event).__name__ == "Attack"
    ]
    other = next(event for event in attacks if as_proposal(event) != as_proposal(recorder.events[at - 1]))
    correction = Correction(tmp_path / "seeded.jsonl", at)
    assert correction.put(as_proposal(other)) is None
    assert [event["do"] for event in correction.proposals[-2:]] == ["attack", "battle"], (
        "before anything that followed"
    )
    assert correction.redrawn_events == [correction.rehearsal.n]
    while correction.repeat_later_events():
        correction.skip()
    correction.write(recorder)
    assert validate(tmp_path / "seeded.jsonl").status == "ok"


def test_an_append_from_outside_shows_in_one_write(path: Path) -> None:
    """A correction is one append, so readers see all of it or nothing."""
    log = RecordFile.open(path)
    correction = Correction(path, 30)
    event = correction.rehearsal.events[29]
    assert correction.put({"do": "claim", "by": event.by, "at": claimed_territory(event)}) is None
    assert correction.repeat_later_events() is None
    correction.write(EventRecorder(path))
    with log.lock() as locked:
        assert len(locked.new_bodies) == len(correction.proposals)


def test_the_clock_is_stopped_again_where_it_was(path: Path) -> None:
    number = len(read_record(path).bodies)
    clocks = EventRecorder(path).fold.play_times()
    EventRecorder(path).append(
        [{"do": "@takeback", "by": "table", "to": 40}, {"do": "@clock", "by": "table", "running": False}]
    )
    correction = Correction(path, 30)
    event = correction.rehearsal.events[29]
    assert correction.put({"do": "claim", "by": event.by, "at": claimed_territory(event)}) is None
    assert correction.repeat_later_events() is None
    correction.write(EventRecorder(path))
    recorder = EventRecorder(path)
    assert [as_proposal(event)["do"] for event in recorder.events[number + 2 : number + 4]] == [
        "@takeback",
        "@clock",
    ]
    assert recorder.fold.play_times()[number + 4 : number + 4 + 11] == clocks[29:40]
    assert recorder.fold.session.paused_at is not None


def test_an_end_that_was_agreed_is_not_agreed_again(path: Path) -> None:
    recorder = EventRecorder(path)
    agreed = {"do": "@agree", "by": "red", "result": {"winners": ["red"], "reason": "agreed"}}
    recorder.append([{"do": "@takeback", "by": "table", "to": 40}, agreed])
    recorder.append([{"do": "@accept", "by": "blue", "about": recorder.n}])
    assert recorder.is_over
    correction = Correction(path, 30)
    event = recorder.events[29]
    assert correction.put({"do": "claim", "by": event.by, "at": claimed_territory(event)}) is None
    assert correction.repeat_later_events() is None
    correction.write(recorder)
    assert not recorder.is_over


def test_committed_dice_stop_a_correction_at_the_first_roll(tmp_path: Path) -> None:
    from gamelog.play.recording.series import simulate_game

    head, events = simulate_game(GAME, "links", 0, players=2, options={"max_rounds": 2}, dice="commit-reveal")
    log = create_record(tmp_path / "committed.jsonl", head)
    with log.lock() as locked:
        locked.append(events[:200])
    recorder = EventRecorder(tmp_path / "committed.jsonl")
    at = next(event.n for event in events if type(event).__name__ == "ClaimLand")
    correction = Correction(tmp_path / "committed.jsonl", at)
    assert correction.put(as_proposal(events[at - 1])) is None
    refused = correction.repeat_later_events()
    assert refused is not None
    assert (refused.code, isinstance(correction.remaining_events[0], GAME.chance_events)) == (
        "chance.missing",
        True,
    )
    attack = next(event.n for event in events if type(event).__name__ == "Attack")
    assert correction.repeated_count == attack - at, "up to the attack whose links are due"
    correction.write(recorder)
    assert validate(tmp_path / "committed.jsonl").status == "ok"
    assert recorder.fold.reveals
    assert recorder.fold.reveals.missing_seats == head.seat_ids


def test_events_after_a_forgotten_claim_would_fit_for_the_other_player(path: Path) -> None:
    correction = Correction(path, 3, before=True)
    last = [event.at for event in correction.remaining_events if isinstance(event, ClaimLand)][-1]
    assert correction.put({"do": "claim", "at": last}) is None
    refused = correction.repeat_later_events()
    assert refused is not None and "turn" in refused.text
    assert correction.can_shift()
    first = correction.remaining_events[0]
    assert isinstance(first, ClaimLand)
    correction.put({"do": "claim", "at": next(cell for cell in ("A1", "A2", "A3", "B1") if cell != first.at)})
    assert not correction.can_shift(), "it is that player's turn again"


def test_events_after_an_end_that_was_forgotten_fit_no_player(path: Path) -> None:
    rolled, _ = roll(path)
    correction = Correction(path, rolled - 1, before=True)
    assert correction.put({"do": "@resign", "by": correction.remaining_events[0].by}) is None
    refused = correction.repeat_later_events()
    assert refused is not None and refused.code == "play.illegal"
    assert not correction.can_shift()


def test_events_that_fit_no_player_are_left_over(path: Path) -> None:
    correction = Correction(path, 3, before=True)
    correction.shifts_turns = True
    first = correction.remaining_events[0]
    assert isinstance(first, ClaimLand)
    assert correction.put({"do": "claim", "at": first.at}) is None
    refused = correction.repeat_later_events()
    assert refused is not None and refused.code == "play.illegal"
    assert (correction.remaining_events[0], correction.repeated_count, correction.shifted_count) == (
        first,
        0,
        0,
    )


def test_when_something_was_is_refused_for_it_follows_from_the_record(path: Path) -> None:
    correction = Correction(path, 12, before=True)
    with pytest.raises(Refused, match=r'Leave out the member "t".*record a ruling'):
        correction.put({"do": "@clock", "by": "table", "running": False, "t": 283_000})
    assert len(correction.proposals) == 1, "the way back alone"


def test_events_after_a_corrected_clock_take_as_long_as_before(path: Path) -> None:
    """The clock is set back in the middle of the repeated events."""
    whole_game = EventRecorder(path)
    half = path.with_name("half.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    half.write_bytes(b"".join(lines[:31]))
    recorder = EventRecorder(half, clock=lambda _header: 0)
    recorder.append(
        [
            {
                "do": "@ruling",
                "about": 30,
                "kind": "clock",
                "reason": "r",
                "name": "Mei",
                "clock": {"table": 1000},
            }
        ]
    )
    for event in whole_game.events[30:40]:
        recorder.append([{**as_proposal(event), "t": event.t}])
    took = [recorder.fold.play_time_at(n) - recorder.fold.play_time_at(n - 1) for n in range(33, 42)]
    correction = Correction(half, 25)
    assert correction.put(as_proposal(whole_game.events[24])) is None
    assert correction.repeat_later_events() is None
    correction.write(recorder)
    fold = recorder.fold
    again = [n for n in fold.main_line_numbers() if n > 42][-9:]
    assert [fold.play_time_at(n) - fold.play_time_at(n - 1) for n in again] == took


@pytest.mark.parametrize("at", [30, 25, 12])
def test_a_corrected_slip_keeps_the_clock_of_the_arbiter(path: Path, at: int) -> None:
    half = path.with_name("half.jsonl")
    half.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:31]))
    recorder = EventRecorder(half, clock=lambda _header: 0)
    ruled = recorder.fold.play_time_at(28) + 1
    ruling = {"do": "@ruling", "about": 30, "kind": "clock", "reason": "r", "name": "Mei"}
    recorder.append([ruling | {"clock": {"table": ruled}}])
    assert recorder.fold.play_time == ruled
    before = recorder.fold.play_times()[: at - 1]
    correction = Correction(half, at)
    assert correction.put(as_proposal(recorder.events[at - 1])) is None
    assert correction.repeat_later_events() is None
    correction.write(recorder)
    assert recorder.fold.play_time == ruled
    assert recorder.fold.play_times()[: at - 1] == before
    again = [recorder.fold.play_time_at(n) for n in recorder.fold.main_line_numbers() if n > 31]
    assert len(again) == 31 - at
    assert again == sorted(again)
    assert again[-1] == ruled


class Wall:
    """A clock that a test sets."""

    def __init__(self, t: int) -> None:
        self.t = t

    def __call__(self, _header: object) -> int:
        return self.t


def at_the_table(tmp_path: Path, name: str, *moves: str) -> tuple[EventRecorder, Wall]:
    """Return a game of two in which Ana has thought 60 s about each claim, and Rui 20 s."""
    path = tmp_path / name
    create_record(path, header(dice=DiceSpec("table")))
    wall = Wall(0)
    recorder = EventRecorder(path, wall)
    recorder.append([{"do": "start_roll", "rolls": {"red": 6, "blue": 5}}])
    for move in moves:
        wall.t += 60_000 if recorder.fold.pending.by == ("red",) else 20_000
        recorder.append([{"do": "claim", "at": move}])
    return recorder, wall


def used_after(recorder: EventRecorder, wall: Wall, t: int, move: str) -> dict[str, int]:
    """Return the clocks after `move` at real time `t`."""
    wall.t = t
    recorder.append([{"do": "claim", "at": move}])
    return used_times(recorder.fold)


def test_a_correction_keeps_the_clocks_of_the_game_without_the_mistake(tmp_path: Path) -> None:
    right, wall = at_the_table(tmp_path, "right.jsonl", "A1", "B1", "C1", "D1")
    expected = used_after(right, wall, 200_000, "E1")
    assert expected == {"red": 160_000, "blue": 40_000}
    wrong, wall = at_the_table(tmp_path, "wrong.jsonl", "A2", "B1", "C1", "D1")
    correction = Correction(tmp_path / "wrong.jsonl", 2)
    assert correction.put({"do": "claim", "at": "A1"}) is None
    assert correction.repeat_later_events() is None
    wall.t = 190_000
    correction.write(wrong)
    assert used_times(wrong.fold) == {"red": 120_000, "blue": 40_000}
    assert (wrong.idle, wrong.record_view.idle_time(wrong.n)) == (30_000, 0)
    assert used_after(wrong, wall, 200_000, "E1") == expected
    assert wrong.fold.play_time == right.fold.play_time == 200_000


def test_an_event_that_is_undone_costs_nobody_time(tmp_path: Path) -> None:
    """The time of the undone event and the time since then belong to the player who is to move."""
    recorder, wall = at_the_table(tmp_path, "game.jsonl", "A1", "B1", "C2")
    assert recorder.record_view.catching_up == 0
    wall.t = 143_000
    recorder.append([{"do": "@takeback", "by": "table", "to": 3, "slip": True}])
    view = recorder.record_view
    assert used_times(recorder.fold) == {"red": 60_000, "blue": 20_000}
    assert (view.current.clock, view.idle_time(view.last_number), view.catching_up) == (
        80_000,
        63_000,
        63_000,
    )
    assert view.real_time == 143_000
    wall.t = 150_000
    assert recorder.idle == 7_000
    assert recorder.fold.session.clock(recorder.now()) == 150_000
    assert used_after(recorder, wall, 150_000, "C1") == {"red": 130_000, "blue": 20_000}
    assert used_after(recorder, wall, 170_000, "D1") == {"red": 130_000, "blue": 40_000}
    assert (recorder.fold.play_time, recorder.record_view.real_time) == (170_000, 170_000)


def test_time_after_a_wrong_end_is_not_play(tmp_path: Path) -> None:
    recorder, wall = at_the_table(tmp_path, "game.jsonl", "A1", "B1")
    wall.t = 90_000
    recorder.append([{"do": "@agree", "by": "red", "result": {"winners": ["red"], "reason": "agreed"}}])
    recorder.append([{"do": "@accept", "by": "blue", "about": recorder.n}])
    assert recorder.is_over
    wall.t = 500_000
    recorder.append([{"do": "@takeback", "by": "table", "to": 3, "slip": True}])
    assert used_after(recorder, wall, 520_000, "C1") == {"red": 80_000, "blue": 20_000}


def test_a_pause_for_the_time_since_an_undone_event_keeps_the_time_before(tmp_path: Path) -> None:
    recorder, wall = at_the_table(tmp_path, "game.jsonl", "A1", "B1", "C2")
    recorder.append([{"do": "@takeback", "by": "table", "to": 3, "slip": True}])
    wall.t = 9_000_000
    assert recorder.is_idle_long
    recorder.append([recorder.idle_pause()])
    recorder.append([{"do": "@clock", "by": "table", "running": True}])
    used_after(recorder, wall, 9_005_000, "C1")
    assert recorder.fold.play_time == 145_000

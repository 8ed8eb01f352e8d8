"""Tests of the rows of a record in each table, worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from msgspec import structs

from gamelog.archive import Update
from gamelog.play.contract import registry
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold import common_events
from gamelog.record.envelope import Seat, encode_body

from .conftest import Table

Ask = Callable[..., list[tuple[Any, ...]]]
Run = Callable[..., Update]

RED_WINS = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]
"""Red takes the left rope, blue fails at the right rope, and red takes it: 2 to 0."""


def test_a_game_is_one_row_with_its_end(table: Table, indexed: Run, ask: Ask) -> None:
    path = table(*RED_WINS, tags={"event": "Club night"}, started="2026-03-01T19:00:00.25Z")
    indexed()
    columns = "game, rules, board, players, started::VARCHAR, dice, status, valid, finished, counted, events, turns, duration"
    assert ask(f"SELECT {columns} FROM games") == [
        ("tug", "1", "ropes", 2, "2026-03-01 19:00:00.25", "table", "ok", True, True, True, 6, 3, 6000)
    ]
    assert ask("SELECT winners, reason, path, tags->>'event', options->'goal' FROM games") == [
        (["red"], "points", str(path), "Club night", "2")
    ]


def test_rows_of_seats_have_people_and_results(table: Table, indexed: Run, ask: Ask) -> None:
    table(*RED_WINS)
    indexed()
    columns = "seat, position, turn_order, name, player, won, share, score, decisions, thinking"
    assert ask(f"SELECT {columns} FROM seats ORDER BY position") == [
        ("red", 1, 1, "Ana", "Ana", True, 1.0, 2, 2, 2000),
        ("blue", 2, 2, "Rui", "Rui", False, 0.0, 0, 1, 1000),
    ]


def test_a_seat_that_has_ended_a_turn_comes_before_a_seat_that_has_only_decided(
    table: Table, indexed: Run, ask: Ask
) -> None:
    pull = registry.find("tug").events[0](0, 0, "blue", "right")
    table(("left", 6, 1), pull)
    indexed()
    assert ask("SELECT seat, turn_order FROM seats ORDER BY position") == [("red", 1), ("blue", 2)]


def test_rows_of_seats_have_leads_and_deficits(table: Table, indexed: Run, ask: Ask) -> None:
    throws = [(1, 1), (6, 1), (1, 1), (6, 1), (6, 1), (1, 1), (6, 1), (1, 1), (6, 1)]
    table(*(("left", *throw) for throw in throws), options={"goal": 3})
    table(("left", 6, 1), common_events.Takeback(0, 0, "red", 0), ("left", 1, 1), id="undone")
    indexed()
    columns = "seat, overtakes, half_way, max_deficit, max_deficit_at"
    assert ask(f"SELECT {columns} FROM seats WHERE id <> 'undone' ORDER BY position") == [
        ("red", 1, False, 2, 8),  # 0 to 2 at event 8, before half of 18
        ("blue", 0, True, 1, 18),  # 2 to 3 at the end
    ]
    assert ask(f"SELECT {columns} FROM seats WHERE id = 'undone'") == [
        ("red", 0, False, 0, 0),
        ("blue", 0, False, 0, 0),
    ]


def test_the_lead_may_change_last_before_half_way(table: Table, indexed: Run, ask: Ask) -> None:
    """Red leads from event 2 on, event 6 makes the score level, and blue leads from event 8 of 16 on."""
    throws = [(6, 1), (1, 1), (1, 1), (6, 1), (1, 1), (6, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)]
    table(*(("left", *throw) for throw in throws), options={"goal": 9})
    table(*(("left", *throw) for throw in throws[:11]), options={"goal": 9}, id="before")
    indexed()
    assert ask("SELECT seat, half_way FROM seats WHERE id <> 'before' ORDER BY position") == [
        ("red", False),
        ("blue", True),
    ]
    assert ask("SELECT seat, half_way FROM seats WHERE id = 'before' ORDER BY position") == [
        ("red", False),
        ("blue", False),
    ]


def test_a_player_is_the_persons_id_before_the_bot_before_the_name(
    table: Table, indexed: Run, ask: Ask
) -> None:
    from gamelog.play.contract.registry import find
    from gamelog.play.recording.header import new_header

    from .conftest import write

    seats = [
        Seat("red", "Ana", id="ana@club", bot="random"),
        Seat("blue", "Bot 2", bot="greedy"),
        Seat("green", ""),
    ]
    write(
        table.folder / "x.jsonl", new_header(find("tug"), seats, id="x", started="2026-01-01T00:00:00Z"), []
    )
    indexed()
    assert ask("SELECT player FROM seats ORDER BY position") == [("ana@club",), ("greedy",), (None,)]


def test_events_carry_time_turn_and_their_own_members(table: Table, indexed: Run, ask: Ask) -> None:
    table(*RED_WINS)
    indexed()
    rows = ask(
        "SELECT n, elapsed_ms, seat, kind, chance, stands, turn, decision, data FROM events ORDER BY n"
    )
    assert [row[:-1] for row in rows] == [
        (1, 1000, "red", "pull", False, True, 1, 1),
        (2, 1000, "red", "dice", True, True, 1, None),
        (3, 1000, "blue", "pull", False, True, 2, 1),
        (4, 1000, "blue", "dice", True, True, 2, None),
        (5, 1000, "red", "pull", False, True, 3, 2),
        (6, 1000, "red", "dice", True, True, 3, None),
    ]
    assert [json.loads(row[-1]) for row in rows[:2]] == [{"at": "left"}, {"attack": 6, "defence": 1}]


def test_rows_of_turns_have_seat_and_time(table: Table, indexed: Run, ask: Ask) -> None:
    undo, note = common_events.Takeback(0, 0, "red", 0), common_events.Note(0, 0, "blue", "well")
    table(("left", 6, 1), undo, ("right", 1, 1), note, ("left", 2, 1), note)
    indexed()
    assert ask("SELECT turn, n, seat, elapsed_ms FROM turns ORDER BY turn") == [
        (1, 4, "red", 2000), (2, 6, "blue", 3000), (3, 9, None, 0),
    ]  # fmt: skip


def test_a_pause_is_no_play(table: Table, indexed: Run, ask: Ask) -> None:
    table(
        ("left", 1, 1),
        common_events.Clock(0, 0, "red", False),
        common_events.Clock(0, 0, "red", True),
        ("left", 1, 1),
    )
    indexed()
    assert ask("SELECT sum(elapsed_ms) OVER (ORDER BY n), elapsed_ms FROM events ORDER BY n") == [
        (1000, 1000), (2000, 1000), (3000, 1000), (3000, 0), (4000, 1000), (5000, 1000),
    ]  # fmt: skip
    assert ask("SELECT duration, finished, winners, turns FROM games") == [(5000, False, None, 2)]


def test_rolls_contests_scores_and_facts(table: Table, indexed: Run, ask: Ask) -> None:
    table(*RED_WINS)
    indexed()
    assert ask("SELECT n, seat, sides, faces, stands FROM rolls ORDER BY n, seat = 'blue'")[:4] == [
        (2, "red", 6, [6], True), (2, "blue", 6, [1], True), (4, "red", 6, [2], True), (4, "blue", 6, [2], True),
    ]  # fmt: skip
    columns = "n, seat, against, place, attack, defence, attack_sum, defence_sum, won, round(odds * 36)"
    assert ask(f"SELECT {columns} FROM contests ORDER BY n") == [
        (2, "red", "blue", "left", [6], [1], 6, 1, True, 15.0),
        (4, "blue", "red", "right", [2], [2], 2, 2, False, 15.0),
        (6, "red", "blue", "right", [5], [4], 5, 4, True, 15.0),
    ]
    assert ask("SELECT n, seat, score, leader_score, leader FROM scores ORDER BY n, seat DESC") == [
        (0, "red", 0, 0, None), (0, "blue", 0, 0, None), (2, "red", 1, 1, "red"), (6, "red", 2, 2, "red"),
    ]  # fmt: skip
    assert ask("SELECT n, kind, seat, place, count FROM facts ORDER BY n, kind") == [
        (2, "captured", "red", "left", 1),
        (2, "turn_over", "red", None, None),
        (4, "turn_over", "blue", None, None),
        (6, "captured", "red", "right", 1),
        (6, "over", None, None, None),
        (6, "turn_over", "red", None, None),
    ]
    assert ask("SELECT data->>'reason', data->'winners' FROM facts WHERE kind = 'over'") == [
        ("points", '["red"]')
    ]


def test_undone_events_have_rows_and_do_not_count(table: Table, indexed: Run, ask: Ask) -> None:
    table(("left", 6, 1), common_events.Takeback(0, 0, "red", 0), ("right", 1, 6))
    indexed()
    assert ask("SELECT n, stands, turn, decision FROM events ORDER BY n") == [
        (1, False, None, None), (2, False, None, None), (3, False, None, None), (4, True, 1, 1), (5, True, 1, None),
    ]  # fmt: skip
    assert ask("SELECT n, stands FROM rolls WHERE seat = 'red' ORDER BY n") == [(2, False), (5, True)]
    assert ask("SELECT count(*) FROM scores") == [(2,)]
    assert ask("SELECT score FROM seats ORDER BY position") == [(0,), (0,)]


def test_members_of_an_event_written_in_another_order(table: Table, indexed: Run, ask: Ask) -> None:
    from gamelog.record import chain

    header, head = chain.chained_line(chain.GENESIS, encode_body(table.header("odd")))
    event, head = chain.chained_line(head, b'"at": "left", "do":"pull" , "by":"red","t":0,"n":1}\n')
    usual, _ = chain.chained_line(head, b'"do":"dice","n":2,"t":0,"by":"red","attack":6,"defence":1}\n')
    (table.folder / "odd.jsonl").write_bytes(header + event + usual)
    indexed()
    assert ask("SELECT n, kind, data FROM events ORDER BY n") == [
        (1, "pull", '{"at":"left"}'),
        (2, "dice", '{"attack":6,"defence":1}'),
    ]


def test_names_and_tags_are_those_of_the_end(table: Table, indexed: Run, ask: Ask) -> None:
    amend = common_events.Amend(
        0, 0, "table", {"round": "3"}, {"blue": common_events.SeatNames("Rui M.", "rui@club")}
    )
    table(("left", 1, 1), amend)
    indexed()
    assert ask("SELECT name, player FROM seats ORDER BY position") == [("Ana", "Ana"), ("Rui M.", "rui@club")]
    assert ask("SELECT tags->>'round' FROM games") == [("3",)]


def test_an_unfinished_game_has_no_winners(table: Table, indexed: Run, ask: Ask) -> None:
    table(("left", 6, 1))
    indexed()
    assert ask("SELECT finished, winners, reason, counted FROM games") == [(False, None, None, True)]
    assert ask("SELECT won, share, score FROM seats ORDER BY position") == [(None, None, 1), (None, None, 0)]


def test_a_shared_victory_and_a_draw_are_shared_out(table: Table, indexed: Run, ask: Ask) -> None:
    for id, winners in (("both", ("red", "blue")), ("draw", ())):
        agree = common_events.Agree(0, 0, "red", Outcome(winners, "agreed"))
        table(("left", 1, 1), agree, common_events.Accept(0, 0, "blue", 3), id=id)
    indexed()
    assert ask("SELECT id, seat, won, share FROM seats ORDER BY id, position") == [
        ("both", "red", True, 0.5), ("both", "blue", True, 0.5), ("draw", "red", False, 0.5), ("draw", "blue", False, 0.5),
    ]  # fmt: skip


def test_a_disputed_record_has_rows_and_does_not_count(table: Table, indexed: Run, ask: Ask) -> None:
    from gamelog.play.contract.registry import find

    pull, dice = find("tug").events
    table(pull(0, 0, "blue", "left", as_played=True), dice(0, 0, "red", 6, 1))
    indexed()
    assert ask("SELECT status, valid, counted, events FROM games") == [("disputed", False, False, 2)]
    assert ask("SELECT count(*) FROM events") == [(2,)]
    assert ask("SELECT n, code, severity, rule FROM findings") == [(1, "play.as_played", "warning", "TU-1")]


def test_an_illegal_record_has_its_header_and_findings_alone(table: Table, indexed: Run, ask: Ask) -> None:
    path = table(("middle", 6, 1))
    indexed()
    assert ask("SELECT status, valid, finished, turns, counted FROM games") == [
        ("illegal", False, False, None, False)
    ]
    assert ask("SELECT count(*) FROM seats") == [(2,)]
    for empty in ("events", "rolls", "contests", "scores", "facts"):
        assert ask(f"SELECT * FROM {empty}") == []
    offset = path.read_bytes().index(b"\n") + 1
    assert ask("SELECT path, id, n, byte_offset, code, rule FROM findings") == [
        (str(path), "game-1", 1, offset, "play.illegal", "TU-2")
    ]


def test_a_penalty_changes_the_points_from_its_ruling_on(table: Table, indexed: Run, ask: Ask) -> None:
    ruling = common_events.Ruling(0, 0, "arbiter", 1, "penalty", "a late start", "Ada", points={"red": -3})
    undone = common_events.Ruling(0, 0, "arbiter", 3, "refused", "on second thoughts", "Ada")
    table(("left", 6, 1), ruling, id="kept")
    table(("left", 6, 1), ruling, undone, id="withdrawn")
    indexed()
    assert ask("SELECT n, seat, score FROM scores WHERE id = 'kept' ORDER BY n, seat DESC") == [
        (0, "red", 0), (0, "blue", 0), (2, "red", 1), (3, "red", -2),
    ]  # fmt: skip
    assert ask("SELECT id, score FROM seats WHERE seat = 'red' ORDER BY id") == [
        ("kept", -2),
        ("withdrawn", 1),
    ]
    assert ask("SELECT id, status FROM games ORDER BY id") == [("kept", "ruled"), ("withdrawn", "ok")]


def test_illegal_events_that_count_have_consequences(table: Table, indexed: Run, ask: Ask) -> None:
    stands = common_events.Ruling(0, 0, "arbiter", 1, "stands", "nobody noticed", "Ada")
    table(("middle", 6, 1), stands, id="ruled")
    indexed()
    assert ask("SELECT status, valid, counted FROM games") == [("ruled", True, True)]
    assert ask("SELECT place, won FROM contests") == [("middle", True)]
    assert ask("SELECT code, rule FROM findings") == [("play.ruled", "TU-2")]


def test_a_withdrawn_claim_is_no_finding_and_takes_no_time(table: Table, indexed: Run, ask: Ask) -> None:
    claim, withdrawal = (
        common_events.Claim(0, 0, "blue", "too late", about=1),
        common_events.Withdraw(0, 0, "blue", about=3),
    )
    table(RED_WINS[0], claim, *RED_WINS[1:], id="open")
    table(RED_WINS[0], claim, withdrawal, *RED_WINS[1:], id="withdrawn")
    indexed()
    assert ask("SELECT id, n, code FROM findings ORDER BY id") == [("open", 3, "play.claim")]
    assert ask("SELECT n, kind, seat, elapsed_ms FROM events WHERE kind LIKE '@%' AND id = 'withdrawn'") == [
        (3, "@claim", "blue", 0),
        (4, "@withdraw", "blue", 0),
    ]
    assert ask("SELECT DISTINCT status, valid, winners, turns FROM games") == [("ok", True, ["red"], 3)]


def test_events_outside_play_take_no_time(table: Table, indexed: Run, ask: Ask) -> None:
    """The second move took its own time and the time of the claim before it. The end of the game takes no time."""
    said = (
        common_events.Claim(0, 0, "blue", "too late"),
        common_events.Ruling(0, 0, "arbiter", 3, "refused", "it was not", "Ada"),
    )
    after = (
        common_events.Claim(0, 0, "blue", "no"),
        common_events.Note(0, 0, "red", "hm"),
        common_events.Ruling(0, 0, "arbiter", 9, "refused", "no", "Ada"),
    )
    table(RED_WINS[0], *said, *RED_WINS[1:], *after)
    indexed()
    assert ask("SELECT list(elapsed_ms ORDER BY n) FROM events") == [
        ([1000, 1000, 0, 0, 3000, 1000, 1000, 1000, 0, 0, 0],)
    ]
    assert ask("SELECT duration, finished FROM games") == [(8000, True)]
    assert ask("SELECT seat, thinking FROM seats ORDER BY position") == [("red", 2000), ("blue", 3000)]


def test_a_game_that_goes_on_after_its_end_goes_on_from_the_time_of_its_last_play(
    table: Table, indexed: Run, ask: Ask
) -> None:
    note, back = common_events.Note(0, 0, "red", "wait"), common_events.Takeback(0, 0, "table", 5)
    lost = common_events.Ruling(
        0, 0, "arbiter", 1, "forfeit", "left", "Ada", result=Outcome(("blue",), "forfeit")
    )
    undone = common_events.Ruling(0, 0, "arbiter", 2, "refused", "came back", "Ada")
    table(*RED_WINS, note, back, id="back")
    table(
        ("left", 1, 1),
        structs.replace(lost, about=2),
        structs.replace(undone, about=3),
        ("left", 6, 1),
        id="withdrawn",
    )
    table(("left", 1, 1), note, lost, id="forfeit")
    indexed()
    took: dict[str, list[int]] = dict(ask("SELECT id, list(elapsed_ms ORDER BY n) FROM events GROUP BY id"))
    assert took["back"] == [1000] * 6 + [0, 0]
    assert took["withdrawn"] == [1000, 1000, 0, 0, 1000, 1000]
    assert dict(ask("SELECT id, duration FROM games")) == {"back": 6000, "withdrawn": 4000, "forfeit": 2000}


def test_a_slip_of_the_pen_is_in_no_statistic(table: Table, indexed: Run, ask: Ask) -> None:
    """The game is recorded twice, once with a roll that was recorded wrongly and corrected."""
    _, dice = registry.find("tug").events
    right = dice(0, 0, "red", attack=6, defence=1)
    slip = common_events.Takeback(0, 0, "table", 1, slip=True)
    table(*RED_WINS, id="plain", file="plain.jsonl")
    table(("left", 1, 6), slip, right, *RED_WINS[1:], id="corrected")
    indexed()
    assert ask("SELECT list(slip ORDER BY n) FROM events WHERE id = 'corrected'") == [
        ([False, True, True] + [False] * 5,)
    ]
    assert ask("SELECT bool_or(slip) FROM events WHERE id = 'plain'") == [(False,)]
    columns = {
        "rolls": "seat, faces", "contests": "seat, won, odds, stands", "facts": "kind, seat, stands", "scores": "seat, score",
        "turns": "turn, seat, elapsed_ms", "findings": "code",
        "seats": "seat, won, score, overtakes, half_way, max_deficit, decisions",
    }  # fmt: skip
    for name, wanted in columns.items():
        where = "" if name == "findings" else "WHERE id = '{}'"
        rows = [
            ask(f"SELECT {wanted} FROM {name} {where.format(id)} ORDER BY ALL")
            for id in ("plain", "corrected")
        ]
        assert rows[0] == rows[1], name
    plain, corrected = ask("SELECT duration, turns FROM games ORDER BY id DESC")
    assert plain == corrected

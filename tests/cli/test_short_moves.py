"""Short forms of events: what they mean, and how they are refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from gamelog_cli.errors import Misread
from gamelog_cli.events import reading
from gamelog_cli.events.choices import Choices
from gamelog_cli.input.typed_members import event_words

from gamelog.games.dice_flags.army import SOLDIERS
from gamelog.games.dice_flags.events import Move
from gamelog.play.contract.registry import find
from gamelog.play.recording.header import new_header
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import Event, Seat, tag_of
from gamelog.record.reading import read_record
from gamelog.record.record_file import create_record
from gamelog.testing.plays import play
from tests.cli.conftest import Gamelog
from tests.cli.terminal import Terminal
from tests.cli.test_record import evening
from tests.play.tables import not_none

SAMPLES = Path(__file__).parents[2] / "sample_games"
NAMES = ("Ana", "Rui", "Mei", "Zé")
Asked = Callable[[EventRecorder], bool]


def played(name: str, until: Asked, seed: int = 3, **options: Any) -> EventRecorder:
    """Write game.jsonl: a game between bots up to the position where `until` is true."""
    game = find(name)
    seats = game.seats[min(game.seats)]
    path = Path("game.jsonl")
    path.unlink(missing_ok=True)
    people = [Seat(seat, person) for seat, person in zip(seats, NAMES, strict=False)]
    create_record(
        path,
        new_header(
            game, people, id="x", started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), options=options
        ),
    )
    recorder = EventRecorder(path)
    events: list[Event] = list(play(game, seed, len(seats), **options).events)
    for event in events:
        if until(recorder):
            with recorder.file.lock() as locked:
                locked.append(recorder.events)
            return EventRecorder(path)
        assert recorder.fold.push(event) is None
        recorder.events.append(event)
    raise AssertionError("the game never comes to that")


def kinds(recorder: EventRecorder) -> set[str]:
    return {tag_of(type(event)) for event in Choices(recorder).legal.events}


def asked(*wanted: str, after: int = 0) -> Asked:
    """Return the condition that these kinds of events are legal, after at least `after` events."""
    return lambda recorder: recorder.n >= after and set(wanted) <= kinds(recorder)


@pytest.mark.parametrize(
    ("name", "until", "typed", "told"),
    [
        ("slicewars", asked("attack", "pass"), "A1 I6", "[SW-11:"),
        ("zone_control", asked("step", "end_turn"), "a9 a9", "[ZC-5:"),
        ("zone_s", asked("move", "summon"), "a2 g5", "[ZS-"),
        ("gp02a_territory", asked("place"), "purple a1", "[GP-12:"),
        ("dice_flags", asked("move"), "E3 F3", "no soldier of"),
        (
            "dice_flags",
            asked("move"),
            "Q3 N.r1",
            '"Q3" is neither a soldier (P1, P2, P3, P4, P5, P6, F1, F2, M1, M2, H1, H2) nor a space of the board [DF-3:',
        ),
        ("dice_flags", asked("move"), "P1 Z3", 'the board has no space "Z3" [DF-3:'),
        ("dice_flags", asked("move"), "P1 S.a1", "cannot get from"),
    ],
)
def test_a_short_move_that_is_illegal_is_refused_by_its_rule(
    gamelog: Gamelog, name: str, until: Asked, typed: str, told: str
) -> None:
    recorder = played(name, until)
    out = evening(gamelog, typed, "quit")
    assert "Refused: " in out, out
    assert told in out
    assert "Type: " not in out
    assert len(read_record("game.jsonl").bodies) == recorder.n


def test_a_man_moves_to_the_typed_space(gamelog: Gamelog) -> None:
    recorder = played("dice_flags", asked("move"))
    legal: tuple[Any, ...] = Choices(recorder).legal.events
    ways = Counter((move.soldier, move.die, move.path[-1]) for move in legal)
    pawn = next(
        move
        for move in legal
        if ways[move.soldier, move.die, move.path[-1]] == 1 and len(move.path) == move.die
    )
    soldier, die, end = pawn.soldier, pawn.die, pawn.path[-1]
    board = recorder.fold.state.setup.board
    start = board.names[recorder.fold.state.places[SOLDIERS.index(soldier)]]
    n = recorder.n
    for typed in (f"{soldier} {die} {end}", f"move {start.lower()} {die} {end.partition('.')[2]}"):
        out = evening(gamelog, typed, "undo", "quit")
        event = read_record("game.jsonl").bodies[n]
        assert f'"soldier":"{soldier}","die":{die},'.encode() in event, typed
        assert f'"{end}"]'.encode() in event
        assert "recorded as: move " in out
        n = len(read_record("game.jsonl").bodies)
    far = {event.path[-1]: event for event in legal if event.soldier == soldier}
    both = next(end for end in far if {die for die in (3, 5) if ways[soldier, die, end] == 1} == {3, 5})
    assert f"matches 2 events: move {soldier} 3 {both}; move {soldier} 5 {both}. Type one" in evening(
        gamelog, f"{soldier} {both}", "quit"
    )


def test_if_several_paths_lead_to_a_space_the_recorder_asks_which(gamelog: Gamelog) -> None:
    """The paths lead to different positions, so the recorder must not choose one itself."""
    recorder = played("dice_flags", asked("move"))
    legal: tuple[Any, ...] = Choices(recorder).legal.events
    ways = Counter((move.soldier, move.die, move.path[-1]) for move in legal)
    (soldier, die, end), count = next(found for found in ways.items() if found[1] > 2)
    meant = [move for move in legal if (move.soldier, move.die, move.path[-1]) == (soldier, die, end)]
    line = f"{soldier} {die} {end}"
    assert (
        f'"{line}" matches {len(meant)} events: move {soldier} {die} {",".join(meant[0].path)}; '
        in evening(gamelog, line, "quit")
    )
    assert len(read_record("game.jsonl").bodies) == recorder.n
    with Terminal("record", "game.jsonl") as screen:
        screen.sees("move")
        screen.types(f"{line}\r")
        screen.sees("1. move ", f"{count}. move ", f"Which event, 1 to {count}?")
        screen.types("x\r")
        screen.sees(f'"x" is not a number from 1 to {count}.', "Which")
        screen.types("\r")
        screen.sees("Nothing is recorded.", "move")
        screen.types(f"{line}\r")
        screen.sees("Which")
        screen.types("2\r")
        screen.sees("recorded as: ", "(dice left: ")
        screen.types("quit\r")
        screen.sees("Stop the clock")
        screen.types("n\r")
        assert screen.ends() == 0
    written: Any = EventRecorder("game.jsonl").events[recorder.n]
    assert written.path == meant[1].path


def test_spaces_on_the_path_decide_between_several_paths(gamelog: Gamelog) -> None:
    recorder = played("dice_flags", asked("move"))
    fold, short = recorder.fold, recorder.fold.game.shorthand
    several = 0
    for move in (event for event in Choices(recorder).legal.events if isinstance(event, Move)):
        walks: Any = short(fold.state, (move.soldier, str(move.die), move.path[-1]))
        several += len(walks) > 1
        for passed in (move.path[:-1], move.path[:1], move.path[-2:-1]):
            if passed == move.path[-1:]:
                continue
            found: Any = short(
                fold.state,
                (move.soldier, str(move.die), *(one.partition(".")[2] for one in passed), move.path[-1]),
            )
            over = [walk for walk in walks if runs_over(walk.path[:-1], passed)]
            assert move.path in [one.path for one in found]
            assert found == tuple(over)
    assert several > 5
    move = next(
        event for event in Choices(recorder).legal.events if isinstance(event, Move) and len(event.path) > 2
    )
    out = evening(gamelog, f"{move.soldier} {move.die} {' '.join(move.path)}", "quit")
    assert len(read_record("game.jsonl").bodies) > recorder.n, out
    assert (
        f'"path":{json.dumps(move.path, separators=(",", ":"))}'.encode()
        in read_record("game.jsonl").bodies[recorder.n]
    )
    assert short(fold.state, (move.soldier, "nowhere", move.path[-1])) is None


def runs_over(path: tuple[str, ...], passed: tuple[str, ...]) -> bool:
    """Return whether spaces with names like `passed` are on `path` in this order."""
    left = iter(one.partition(".")[2] for one in path)
    return all(any(name == one for one in left) for name in (one.partition(".")[2] for one in passed))


def test_optional_words_can_be_left_out(gamelog: Gamelog) -> None:
    recorder = played("zone_s", asked("move"))
    move: Any = next(event for event in Choices(recorder).legal.events if tag_of(type(event)) == "move")
    out = evening(gamelog, f"{move.src} {move.dst}", "list 1", "quit")
    assert f'"src":"{move.src}","dst":"{move.dst}"'.encode() in read_record("game.jsonl").bodies[-1]
    assert "slide" not in out


def test_chips_are_typed_by_colour_and_number(gamelog: Gamelog) -> None:
    recorder = played("gp02a_territory", asked("trade", "chronology"), negotiation="fitting")
    trade: Any = next(event for event in Choices(recorder).legal.events if tag_of(type(event)) == "trade")
    before = recorder.n
    main, other = (recorder.fold.session.name_of(seat) for seat in (trade.by, trade.seat))
    chips = [trade.gives, trade.takes]
    gives, takes = (
        ",".join(
            f"{name}={count}"
            for name, count in zip(one.__struct_fields__, one.counts(), strict=True)
            if count
        )
        or "nothing"
        for one in chips
    )
    out = evening(gamelog, f"{main}: trade {other} {gives} {takes}", f"trade {other} {gives}", "quit")
    assert len(read_record("game.jsonl").bodies) == before + 1, out
    assert f'"do":"trade","n":{before + 1}'.encode() in read_record("game.jsonl").bodies[-1]
    recorder = played(
        "gp02a_territory",
        lambda one: one.fold.pending.chance is not None and one.fold.pending.chance.do == "draw",
    )
    left = not_none(recorder.fold.pending.chance).draws[0].count
    evening(gamelog, f"draw blue={left}", "quit")
    assert f'"chips":{{"blue":{left}}}'.encode() in read_record("game.jsonl").bodies[-1]


def test_if_several_players_are_to_move_the_name_decides(gamelog: Gamelog) -> None:
    recorder = played("gp02a_territory", asked("trade", "chronology"), negotiation="fitting")
    colour: Any = next(
        event for event in Choices(recorder).legal.events if tag_of(type(event)) == "chronology"
    )
    name, main = (recorder.fold.session.name_of(seat) for seat in recorder.fold.pending.by)
    out = evening(
        gamelog, f"{main}: {colour.colour}", f"{name}: {colour.colour}", f"{name}: note and so on", "quit"
    )
    assert f"it is {name}'s turn, not {main}'s [GP-7:" in out
    assert b'"do":"chronology"' in read_record("game.jsonl").bodies[recorder.n]
    assert f"Note by {name}: and so on" in out


@pytest.mark.parametrize(
    ("name", "until", "prompt", "options"),
    [
        ("slicewars", asked("add"), "add (25 dice left to place)> ", {}),
        (
            "slicewars",
            lambda one: one.fold.state.phase == "place" and one.fold.state.hand == 1,
            "place (1 die left to place)> ",
            {},
        ),
        ("zone_control", asked("step", "end_turn"), "step, end_turn (8 steps left)> ", {}),
        ("zone_s", asked("place_tile"), "place_base, place_tile, deploy, move, …> ", {}),  # it hides tiles
        ("gp02a_territory", asked("place"), " left to place)> ", {}),
        ("dice_flags", asked("move"), "move (dice left: 5, 3)> ", {}),
        ("dice_flags", asked("deploy"), "deploy (12 soldiers left to place)> ", {"free_deployment": True}),
    ],
)
def test_the_prompt_shows_how_much_of_the_turn_is_left(
    gamelog: Gamelog, name: str, until: Asked, prompt: str, options: dict[str, Any]
) -> None:
    played(name, until, **options)
    out = evening(gamelog, "quit")
    assert prompt in out, out[-300:]


def test_a_line_is_repeated_until_the_turn_ends(gamelog: Gamelog) -> None:
    recorder = played("slicewars", lambda one: one.fold.state.phase == "place" and one.fold.state.hand == 3)
    place: Any = Choices(recorder).legal.events[0]
    n, at = recorder.n, place.at
    out = evening(gamelog, f"{at}x2", "quit")
    assert len(read_record("game.jsonl").bodies) == n + 2
    assert "(1 die left to place)> quit" in out
    out = evening(gamelog, "undo", f"place {at.lower()} x 3", "note tea x2", "Z9x2", "quit")
    assert out.count(f"places a die on {at}.") == 2 + 1, "one more is reported as not recorded"
    assert "Refused: the player has already placed all dice that they received [SW-7:" in out
    assert "Note by the table: tea x2" in out
    add: Any = Choices(played("slicewars", asked("add"))).legal.events[0]
    out = evening(gamelog, f"{add.at}x3", "quit")
    assert "Recorded 1 of 3 times. Then the turn was over." in out


@pytest.fixture
def attacking(gamelog: Gamelog) -> None:
    """Write game.jsonl, in which Rui is to attack or to pass."""
    Path("game.jsonl").write_bytes((SAMPLES / "slicewars" / "as_played.jsonl").read_bytes())
    assert gamelog("takeback", "game.jsonl", "--to", 101).status == 0


@pytest.mark.usefixtures("attacking")
def test_a_target_is_enough_if_only_one_event_has_it(gamelog: Gamelog) -> None:
    out = evening(gamelog, "c3", "c2", "quit")
    assert '"C3" matches 2 events: attack D2 C3; attack D3 C3. Type one of them.' in out
    assert "Rui attacks C2 from D2." in out


@pytest.mark.usefixtures("attacking")
def test_dice_can_follow_their_event_on_one_line(gamelog: Gamelog) -> None:
    n = EventRecorder(Path("game.jsonl")).n
    out = evening(gamelog, "d2 c2 9 9", "d2 c2 4433 62", "d2 a1 4433 62", "quit")
    assert out.count("Type 7 results, not 2. Due now: battle: 6 dice of Rui, then 1 die of Ana.") == 2
    assert EventRecorder(Path("game.jsonl")).n == n, "nothing was recorded, not even the attack"
    out = evening(gamelog, "d2 c2 443321 3", "quit")
    assert f"{n + 1}. Rui attacks C2 from D2." in out
    assert f"{n + 2}. Rui rolls 4 4 3 3 2 1. Ana rolls 3. 17 against 3: Rui takes C2" in out


@pytest.mark.usefixtures("attacking")
def test_odds_rules_why_and_who_record_nothing(gamelog: Gamelog) -> None:
    before = Path("game.jsonl").read_bytes()
    looked = (
        "who",
        "odds",
        "odds d2 c2",
        "odds pass",
        "odds d2 a1",
        "why",
        "d2 a1",
        "why",
        "rules",
        "rules sw-1",
        "rules zz-1",
    )
    out = evening(gamelog, *looked, "quit")
    for said in (
        "Ana (red), territories: 25\nRui (blue), territories: 25, to move",
        "No contest of dice is due. For the odds of a legal event, type: odds EVENT",
        "Rui wins against Ana with a probability of 99.9996% (279935/279936).",
        "No contest of dice is due after this event.",
        "This event has no odds, because it is illegal: D2 does not touch A1.",
        "No event was refused by a rule of the game.",
        "Attack. SW-11: A player attacks from",
        "The end: SW-18, SW-19, SW-20",
        "Setting up. SW-1: All players",
        'SliceWars has no rule "zz-1". The rules are SW-1 to SW-A',
    ):
        assert said in out, said
    assert Path("game.jsonl").read_bytes() == before


def ends_of(recorder: EventRecorder) -> Counter[str]:
    """Return the number of legal steps to each square."""
    return Counter(
        event_words(event)[-1] for event in Choices(recorder).legal.events if tag_of(type(event)) == "step"
    )


@pytest.mark.usefixtures("gamelog")
def test_a_full_name_is_not_the_beginning_of_another() -> None:
    """The square m1 is not m17, although only one step leads to m17 and none to m1."""

    def longer(recorder: EventRecorder) -> list[str]:
        return [
            end for end, n in ends_of(recorder).items() if n == 1 and end[:-1] in Choices(recorder).vocabulary
        ]

    recorder = played("zone_control", lambda recorder: bool(longer(recorder)))
    choices, end = Choices(recorder), longer(recorder)[0]
    assert reading.parse_line(choices, end)["dst"] == reading.parse_line(choices, f"step {end}")["dst"] == end
    with pytest.raises(Misread):
        reading.parse_line(choices, end[:-1])


@pytest.mark.usefixtures("gamelog")
def test_a_tile_is_placed_by_its_cell_alone() -> None:
    recorder = played("zone_s", asked("place_tile"))
    choices = Choices(recorder)
    at = event_words(choices.legal.events[0])[-1]
    assert reading.parse_line(choices, at) == {"do": "place_tile", "by": choices.legal.events[0].by, "at": at}

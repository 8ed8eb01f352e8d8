"""Commit-reveal in the fold: what is due, what may stand between an intent and its roll, and what every roll has to be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from gamelog.chance.commit import Chain, Chains, results
from gamelog.dispute.branch import branch
from gamelog.errors import BadSetup, PlayError, Refused
from gamelog.play.contract.choices import legal_for
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find, names
from gamelog.play.fold import common
from gamelog.play.fold.event_list import decoder
from gamelog.play.fold.findings import Finding
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.replay import replay
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording.driver import simulate_game
from gamelog.play.recording.header import new_header
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record import chain
from gamelog.record.compose import compose
from gamelog.record.envelope import DiceSpec, Event, Header, Parent, Seat, body, proposal
from gamelog.record.log import Log, create_log
from gamelog.record.reading import parse_record, read_record
from tests.play.tables import GAME, known


def chains(seats: tuple[str, ...], record_id: str = "test", links: int = 40) -> Chains:
    return Chains({seat: Chain(record_id, seat, seat.encode().hex().ljust(64, "0"), links) for seat in seats})


def header(players: int = 2, game: AnyGame = GAME, **members: Any) -> Header:
    seats = game.seats[players]
    spec = DiceSpec("commit-reveal", commitments=chains(seats).commitments, forfeit="loses")
    people = [
        Seat(seat, name)
        for seat, name in zip(seats, ("Ana", "Rui", "Lena", "Tom", "Mei", "Omar"), strict=False)
    ]
    return new_header(game, people, id="test", started="2026-01-02T03:04:05Z", **{"dice": spec, **members})


class Table:
    """A fold whose lines are chained as they are taken up, and the secrets of its seats."""

    def __init__(self, head: Header | None = None) -> None:
        self.header = head or header()
        self.game = find(self.header.game)
        self.fold = Fold(self.header, self.game, heads=[chain.link(chain.GENESIS, body(self.header))])
        self.chains = chains(self.header.seat_ids)
        self.events: list[Event] = []
        self.t = 0

    def push(self, do: str, by: str, **members: Any) -> Finding | None:
        """An event three seconds later, or why not."""
        self.t += 3000
        stamped = {"do": do, "n": self.fold.n + 1, "t": self.t, "by": by, **members}
        return self.take(decoder(self.game).decode(msgspec.json.encode(stamped)))

    def take(self, event: Event) -> Finding | None:
        failure = self.fold.push(event)
        if failure is None:
            self.fold.heads.append(chain.link(self.fold.heads[-1], body(event)))
            self.events.append(event)
        return failure

    def must(self, do: str, by: str, **members: Any) -> Table:
        failure = self.push(do, by, **members)
        assert failure is None, failure
        return self

    def missing(self) -> tuple[str, ...]:
        assert self.fold.reveals is not None
        return self.fold.reveals.missing

    def link(self, seat: str) -> str:
        """The link that `seat` has to reveal next."""
        assert self.fold.reveals is not None
        return self.chains.link(seat, self.fold.reveals.shown[seat])

    def reveal(self, *seats: str) -> Table:
        for seat in seats or self.missing():
            self.must("@reveal", seat, seat=seat, link=self.link(seat))
        return self

    def due(self) -> Event:
        """The roll that follows from what was revealed."""
        found = self.fold.due_results()
        assert found is not None
        roll: Event = self.game.chance(self.fold.state, found)
        return structs.replace(roll, n=self.fold.n + 1, t=self.t + 3000)

    def roll(self) -> Table:
        failure = self.take(self.due())
        assert failure is None, failure
        self.t += 3000
        return self

    def battle(self) -> Table:
        """Goes on until the first battle's dice are due."""
        while known(self.go_on().fold.pending.chance).do != "battle":
            self.reveal().roll()
        return self

    def go_on(self) -> Table:
        """Plays until dice are due."""
        while not self.fold.pending.chance:
            self.must(**proposal(legal_for(self.game, self.fold.state, None).events[0]))
        return self

    def refused(self, do: str, by: str, **members: Any) -> str:
        """The code with which an event is refused."""
        n = self.fold.n
        failure = self.push(do, by, **members)
        assert failure is not None, f"{do} was taken"
        assert (failure.n, self.fold.n) == (n + 1, n)
        assert failure.message
        assert not failure.message.endswith(".")
        return failure.code


# --- what is due ---


def test_every_seat_owes_a_link_before_the_first_roll_in_any_order() -> None:
    one, two = Table(), Table()
    assert one.missing() == ("red", "blue")
    assert one.fold.due_results() is None
    one.reveal("red", "blue")
    two.reveal("blue")
    assert two.missing() == ("red",)
    assert two.fold.due_results() is None
    two.reveal("red")
    assert one.missing() == two.missing() == ()
    assert one.fold.due_results() == two.fold.due_results(), "the order of revealing changes nothing"
    draws = known(one.fold.pending.chance).draws
    links = {seat: known(one.fold.reveals).given[seat] for seat in ("red", "blue")}
    assert one.fold.due_results() == results(links, one.fold.heads[0].decode(), draws)
    one.roll()
    assert one.missing() == ()


@pytest.mark.parametrize("players", sorted(GAME.seats))
def test_all_seats_of_larger_tables(players: int) -> None:
    table = Table(header(players))
    for seat in GAME.seats[players]:
        assert seat in table.missing()
        assert table.fold.due_results() is None
        table.reveal(seat)
    table.roll()


def test_links_that_do_not_come_next() -> None:
    table = Table()
    good = table.link("red")
    earlier = table.chains.link("red", good)
    wrong = [
        {"seat": "red", "link": earlier},
        {"seat": "red", "link": known(table.fold.reveals).shown["red"]},
        {"seat": "red", "link": good.upper()},
        {"seat": "red", "link": good[:-1]},
        {"seat": "red", "link": table.link("blue")},
        {"seat": "blue", "link": good},
        {"seat": "green", "link": good},
    ]
    for members in wrong:
        assert table.refused("@reveal", "red", **members) == "chance.link"
    table.reveal("red")
    assert table.refused("@reveal", "red", seat="red", link=earlier) == "chance.link"
    table.reveal("blue").roll()
    assert table.refused("@reveal", "red", seat="red", link=earlier) == "chance.link"


def test_the_roll_waits_for_all_links_and_then_has_to_be_theirs() -> None:
    table = Table()
    assert table.refused("start_roll", "table", rolls={"red": 6, "blue": 1}) == "chance.missing"
    table.reveal("red")
    assert table.refused("start_roll", "table", rolls={"red": 6, "blue": 1}) == "chance.missing"
    table.reveal("blue")
    due = proposal(table.due())
    for red in range(1, 7):
        for blue in range(1, 7):
            rolls = {"red": red, "blue": blue}
            if rolls != due["rolls"]:
                assert table.refused("start_roll", "table", rolls=rolls) == "chance.reveals"
    table.must("start_roll", "table", rolls=due["rolls"])


# --- between an intent and its roll ---


@pytest.mark.parametrize("revealed", [(), ("red",), ("red", "blue")])
def test_nothing_may_stand_between_an_intent_and_its_roll(revealed: tuple[str, ...]) -> None:
    table = Table().battle()
    intent = table.fold.n
    table.reveal(*revealed) if revealed else None
    between: list[tuple[str, str, dict[str, Any]]] = [
        ("@note", "table", {"text": "x"}),
        ("@claim", "red", {"text": "x"}),
        ("@clock", "table", {"running": False}),
        ("@takeback", "arbiter", {"to": intent - 1}),
        ("@agree", "red", {"result": {"winners": ["red"], "reason": "agreed"}}),
        ("@sign", "red", {"seat": "red", "key": "k", "sig": "s"}),
        ("@substitute", "table", {"seat": "red", "name": "Mei"}),
        ("@amend", "arbiter", {"tags": {"a": "b"}}),
        ("@gap", "arbiter", {"state": {}, "reason": "x"}),
        ("@result", "table", {"outcome": {"winners": ["red"], "reason": "x"}}),
    ]
    for do, by, members in between:
        assert table.refused(do, by, **members) == "chance.missing", do
    result = {"winners": ["red"], "reason": "x"}
    ruling = {"about": intent, "reason": "r", "name": "Referee"}
    assert table.refused("@ruling", "arbiter", **ruling, kind="takeback") == "chance.missing"
    assert table.refused("@ruling", "arbiter", **ruling, kind="result", result=result) == "chance.missing"
    table.must("@ruling", "arbiter", **ruling, kind="penalty", points={"red": -1})
    table.must("@recovered", "table", bytes=3, digest="0" * 64)
    assert table.fold.reveals is not None
    assert table.fold.reveals.intent == intent, "the roll still hangs on its intent"
    if table.missing():
        table.reveal()
    table.roll()


def test_what_stands_between_does_not_change_the_roll() -> None:
    plain, mended = Table().battle(), Table().battle()
    plain.reveal()
    mended.reveal("red").must("@recovered", "table", bytes=3, digest="0" * 64).reveal("blue")
    assert plain.fold.due_results() == mended.fold.due_results()


def test_another_intent_is_another_roll() -> None:
    one, two = Table().reveal().roll(), Table().reveal().roll()
    one.must("claim", one.fold.pending.by[0], at="A1")
    two.must("claim", two.fold.pending.by[0], at="A2")
    for table in (one, two):
        table.go_on()
        table.reveal()
    assert one.fold.due_results() != two.fold.due_results()


def test_a_takeback_burns_the_links() -> None:
    table = Table(header(takebacks="scorer")).battle()
    intent = table.fold.n
    table.reveal()
    burned, old = dict(known(table.fold.reveals).given), table.fold.due_results()
    table.roll().must("@takeback", "table", to=intent)
    assert table.fold.reveals is not None
    assert (table.missing(), table.fold.reveals.intent) == (("red", "blue"), intent + 4)
    assert table.refused("@reveal", "red", seat="red", link=burned["red"]) == "chance.link"
    table.reveal()
    assert table.fold.due_results() != old
    table.roll().must("@takeback", "table", to=intent - 1)
    assert table.missing() == (), "no roll is due before the attack"


def test_the_game_s_clock_stands_while_links_are_due() -> None:
    zones = find("zone_control")
    table = Table(header(4, zones))
    table.t = 3_600_000
    table.reveal()
    assert table.fold.session.clock(table.t) == 0
    table.roll()
    spent = table.t
    while table.fold.pending.chance:
        table.reveal().roll()
        spent = table.t
    assert table.fold.session.clock(table.t) == 0
    assert table.fold.session.clock(spent + 1000) == 1000


def test_a_pause_by_people_is_left_alone() -> None:
    table = Table().reveal().roll()
    table.must("@clock", "table", running=False)
    table.go_on()
    at = table.fold.session.paused_at
    table.reveal().roll()
    assert table.fold.session.paused_at == at
    table.must("@clock", "table", running=True)


# --- a link that does not come ---


def forfeit(table: Table, *winners: str) -> dict[str, Any]:
    assert table.fold.reveals is not None
    result = {"winners": list(winners), "reason": "link withheld"}
    about = table.fold.reveals.intent or 1
    return {
        "about": about,
        "kind": "forfeit",
        "result": result,
        "reason": "no link after an hour",
        "name": "Referee",
    }


def test_whoever_withholds_a_link_loses() -> None:
    table = Table().battle().reveal("red")
    assert table.refused("@ruling", "arbiter", **forfeit(table, "blue")) == "chance.missing"
    assert table.refused("@ruling", "arbiter", **forfeit(table, "red", "blue")) == "chance.missing"
    assert table.refused("@ruling", "arbiter", **forfeit(table)) == "chance.missing"
    table.must("@ruling", "arbiter", **forfeit(table, "red"))
    assert table.fold.outcome is not None
    assert table.fold.outcome.winners == ("red",)
    assert table.missing() == ()
    table.must("@note", "table", text="over")


def test_nobody_forfeits_once_all_links_are_there() -> None:
    table = Table().battle().reveal()
    assert table.refused("@ruling", "arbiter", **forfeit(table, "red")) == "chance.missing"
    table.roll()


def test_when_nobody_reveals_the_arbiter_is_free() -> None:
    table = Table().battle()
    table.must("@ruling", "arbiter", **forfeit(table))
    assert table.fold.outcome is not None


def test_a_takeback_to_the_start_begins_a_roll_of_its_own() -> None:
    table = Table().battle()
    table.must("@ruling", "arbiter", **forfeit(table)).must("@takeback", "arbiter", to=0)
    assert (known(table.fold.reveals).intent, table.missing()) == (table.fold.n, ("red", "blue"))


def ruled(about: int, kind: str, **members: Any) -> dict[str, Any]:
    return {
        "do": "@ruling",
        "by": "arbiter",
        "about": about,
        "kind": kind,
        "reason": "late",
        "name": "Referee",
        **members,
    }


@pytest.mark.parametrize(
    "again",
    [
        lambda over, _: [ruled(over, "refused")],
        lambda over, _: [ruled(over, "penalty", points={"blue": -1})],
        lambda _, intent: [{"do": "@takeback", "by": "arbiter", "to": intent}],
        lambda over, _: [{"do": "@takeback", "by": "arbiter", "to": over - 1}],
        lambda over, _: [ruled(over, "takeback", to=over - 1)],
        lambda over, intent: [
            {"do": "@takeback", "by": "arbiter", "to": intent - 1},
            {"do": "@takeback", "by": "arbiter", "to": over},
            ruled(over, "refused"),
        ],
    ],
)
def test_a_forfeit_that_is_taken_back_opens_the_same_roll_again(again: Any) -> None:
    """Whoever withheld his link has seen what the others revealed: he gets this roll and no other."""
    plain, table = Table().battle(), Table().battle()
    intent = table.fold.n
    expected = plain.reveal().fold.due_results()
    table.reveal("red").must("@ruling", "arbiter", **forfeit(table, "red"))
    table.must("@note", "table", text="well played")
    assert (table.missing(), table.fold.pending.chance) == ((), None)
    for step in again(intent + 2, intent):
        table.must(**step)
    assert table.fold.outcome is None
    assert table.fold.reveals is not None
    assert (table.missing(), table.fold.reveals.intent) == (("blue",), intent)
    assert table.refused("@reveal", "red", seat="red", link=table.link("red")) == "chance.link"
    assert table.fold.session.paused_at is not None, "the clock stands again"
    assert table.reveal("blue").fold.due_results() == expected
    table.roll().must("@takeback", "arbiter", to=intent)
    assert table.missing() == ("red", "blue"), "a roll that was made is never made again"


def test_a_forfeit_of_all_that_is_taken_back_waits_for_all() -> None:
    table = Table().battle()
    intent = table.fold.n
    table.must("@ruling", "arbiter", **forfeit(table))
    table.must(**ruled(table.fold.n, "refused"))
    assert table.fold.reveals is not None
    assert (table.missing(), table.fold.reveals.intent) == (("red", "blue"), intent)
    table.must("@ruling", "arbiter", **forfeit(table)).must(**ruled(table.fold.n, "refused"))
    assert (table.missing(), table.fold.reveals.intent) == (("red", "blue"), intent)
    table.reveal().roll()


def test_whoever_resigns_owes_no_links() -> None:
    """In a game that goes on without him the roll is made of the others' links."""
    table = Table(header(3)).battle().reveal().roll()
    assert table.push("@resign", "yellow") is None
    resigned = table.fold.n
    table.go_on()
    assert table.missing() == ("red", "blue")
    assert table.refused("@reveal", "yellow", seat="yellow", link=table.link("yellow")) == "chance.link"
    table.reveal()
    given = dict(known(table.fold.reveals).given)
    assert list(given) == ["red", "blue"]
    intent = known(table.fold.reveals).intent
    draws = known(table.fold.pending.chance).draws
    assert table.fold.due_results() == results(given, table.fold.heads[intent or 0].decode(), draws)
    table.roll().must("@takeback", "arbiter", to=resigned)
    table.go_on()
    assert table.missing() == ("red", "blue"), "the resignation still stands"
    table.reveal().roll().must("@takeback", "arbiter", to=0)
    assert table.missing() == ("red", "blue", "yellow"), "it was taken back, too"


def test_a_seat_cannot_resign_its_way_out_of_a_battle() -> None:
    table = Table(header(3)).battle().reveal("red", "blue")
    assert table.refused("@resign", "yellow") == "play.common", "SW-A26: not between an attack and its dice"


# --- records ---


def test_a_roll_at_the_table_stands_when_it_is_marked_and_ruled_on() -> None:
    table = Table()
    table.must("start_roll", "table", rolls={"red": 6, "blue": 1}, as_played=True)
    data, _ = compose(table.header, table.events)
    found = verdict(replay(parse_record(data)))
    assert (found.status, [finding.code for finding in found.findings]) == ("disputed", ["play.as_played"])
    table.must("@ruling", "arbiter", about=1, kind="stands", reason="the computer was broken", name="Referee")
    assert verdict(replay(parse_record(compose(table.header, table.events)[0]))).status == "ruled"


@pytest.mark.parametrize("name", names())
def test_simulated_games_verify_and_repeat(name: str) -> None:
    game = find(name)
    for players in (min(game.seats), max(game.seats)):
        made = [
            compose(*simulate_game(game, "reveal", 1, players=players, dice="commit-reveal"))
            for _ in range(2)
        ]
        assert made[0] == made[1]
        found = verdict(replay(parse_record(made[0][0])))
        assert (found.status, found.finished, found.findings) == ("ok", True, ())


@pytest.mark.parametrize("name", names())
def test_every_face_and_every_draw_is_recomputed(name: str) -> None:
    """Each chance line is spoiled, with the chain recomputed: dice to another face, draws to another thing."""
    game = find(name)
    head, events = simulate_game(game, "faces", 2, players=min(game.seats), dice="commit-reveal")
    heads = [chain.link(chain.GENESIS, body(head))]
    for event in events:
        heads.append(chain.link(heads[-1], body(event)))
    states = known(replay(parse_record(compose(head, events)[0])).fold).states
    spoiled = 0
    fold = Fold(head, game, heads=heads)
    for event in events:
        if type(event) in game.chance_events:
            draws = known(game.pending(states[event.n - 1]).chance).draws
            links = dict(known(fold.reveals).given)
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
        done = replay(parse_record(compose(head, spoiled)[0]))
        assert [finding.code for finding in done.findings] == ["chance.reveals"]
    other = structs.replace(head, tags={"x": "y"})
    done = replay(parse_record(compose(other, events)[0]))
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
    done = replay(parse_record(compose(head, [])[0]))
    assert [finding.code for finding in done.findings] == ["play.setup"]
    if "dice" in change:
        with pytest.raises(BadSetup, match="committed to"):
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
    done = replay(parse_record(compose(head, [common.Reveal(1, 0, "red", seat="red", link="0" * 64)])[0]))
    assert [finding.code for finding in done.findings] == ["chance.link"]


def test_a_branch_goes_on_with_dice_of_the_table() -> None:
    head, events = simulate_game(GAME, "branch", 0, players=2, dice="commit-reveal")
    parent = parse_record(compose(head, events)[0])
    done = replay(parse_record(branch(parent, 40, "branch")))
    assert (done.status, done.fold.n if done.fold else None) == ("ok", 40)
    assert done.record.header is not None
    assert done.record.header.dice == DiceSpec("table")
    assert done.fold is not None
    assert done.fold.push(common.Reveal(41, done.fold.t, "red", seat="red", link="0" * 64)) is not None


def test_a_chain_that_is_used_up_ends_a_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog.play.recording.driver.ROLLS", 2)
    with pytest.raises((KeyError, PlayError)):
        simulate_game(GAME, "short", 0, players=2, dice="commit-reveal")


# --- recording ---


def test_two_recorders_reveal_to_one_record(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    create_log(path, header())
    secrets = chains(("red", "blue"))
    ana, rui = EventRecorder(path), EventRecorder(path)

    def reveal(recorder: EventRecorder, seat: str) -> None:
        recorder.append([])
        assert recorder.fold.reveals is not None
        link = secrets.link(seat, recorder.fold.reveals.shown[seat])
        recorder.append([{"do": "@reveal", "by": seat, "seat": seat, "link": link}])

    reveal(ana, "red")
    reveal(rui, "blue")
    due = rui.fold.due_results()
    assert due is not None
    with pytest.raises(Refused, match="the roll is due"):
        ana.append([{"do": "@note", "by": "table", "text": "grinding"}])
    rui.append([proposal(rui.fold.game.chance(rui.fold.state, due))])
    ana.append([{"do": "claim", "at": "A1"}])
    assert verdict(replay(read_record(path))).status == "ok"


def test_a_writer_that_dies_between_the_links_changes_nothing_about_the_roll(tmp_path: Path) -> None:
    from gamelog.play.recording.recorder import recover_record

    path = tmp_path / "game.jsonl"
    create_log(path, header())
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
    assert due == results(links, read_record(path).head_at(0), known(recorder.fold.pending.chance).draws)
    recorder.append([proposal(recorder.fold.game.chance(recorder.fold.state, due))])
    assert verdict(replay(read_record(path))).status == "ok"
    assert Log.open(path).n == 4


@pytest.mark.parametrize(
    ("lines", "said"),
    [(1, "the links of Ana and Rui"), (2, "the link of Rui"), (3, None)],
)
def test_a_verdict_says_whose_links_the_dice_wait_for(lines: int, said: str | None) -> None:
    path = Path(__file__).parents[2] / "sample_games/slicewars/committed.jsonl"
    found = verdict(replay(parse_record(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]))))
    waiting = [finding.message for finding in found.findings if finding.code == "chance.waiting"]
    assert waiting == ([f"the dice wait for {said}"] if said else [])

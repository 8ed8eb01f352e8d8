"""Properties of every game of Territory, over random games, options and boards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, permutations, product
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gamelog.chance.rng import Random, generator
from gamelog.chance.stream import draw_results
from gamelog.errors import CannotApply
from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.effects import Back, Drew, Final, MainPlayer
from gamelog.games.gp02a_territory.events import Chips
from gamelog.games.gp02a_territory.scoring import points
from gamelog.games.gp02a_territory.state import CHIPS, COLOURS, EMPTY, SUPPLY, State, start
from gamelog.play.contract.effects import Over, TurnOver
from gamelog.play.contract.seats import legal_for, sample_for
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import TABLE, Event
from gamelog.testing.plays import Play
from tests.games.gp02a_territory.arrange import arrange
from tests.games.gp02a_territory.games import GAME, play
from tests.shares import examples

SMALL: dict[str, Any] = {
    "name": "small",
    "blocks": ["111222333", "111222333", "111222333"],
    "fields": ["..g..g..g", "g..g..g..", ".g..g..g."],
    "chronology": 28,
}
SWITCHES: list[dict[str, Any]] = [
    {},
    {"chronology_fields": 24},
    {"chronology_fields": 36},
    {"groups_cross_blocks": False},
    {"bag_end": "zero"},
    {"purple_counts_in_move": False},
    {"dummy_blocks": False},
    {"negotiation": True},
]
TURN = (ev.Chronology, ev.ChooseBlock, ev.Place, ev.Purple, ev.MoveStart, ev.Lift, ev.Put)


@st.composite
def plays(draw: st.DrawFn) -> Play:
    """Draw a whole game with at most one option changed, on the standard board or on a small one."""
    players, index = draw(st.sampled_from([3, 4])), draw(st.integers(0, 10**6))
    bots, board = (
        draw(st.sampled_from([("random",), ("greedy",), ("random", "greedy")])),
        draw(st.sampled_from([None, SMALL])),
    )
    return play(index, players, bots, board, **draw(st.sampled_from(SWITCHES)))


every = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def check_invariants(state: State) -> None:
    """Raise AssertionError unless all 101 chips are in the position, the purple chip in the bag or in a hand."""
    for chip, supply in enumerate(SUPPLY):
        lying = state.chronology.count(chip) + state.fields.count(chip)
        assert lying + sum(state.hands[chip::5]) + state.bag[chip] == supply
        assert chip < 4 or not lying
    assert len(state.fields) == len(state.setup.board.names) and set(state.fields) <= {0, 1, 2, 3, EMPTY}
    assert len(state.hands) == 5 * len(state.cards) == 5 * len(state.setup.seats)
    assert len(state.chronology) <= state.setup.chronology


def greys(state: State) -> list[int]:
    return [at for _, grey, end in state.setup.board.spans for at in range(grey, end)]


@every
@given(plays())
def test_no_chip_is_ever_lost(game: Play) -> None:
    for state in game.states:
        check_invariants(state)


@every
@given(plays())
def test_the_chronology_only_grows_and_grey_fields_never_lose_a_chip(game: Play) -> None:
    for before, event, after in game.steps():
        grown = isinstance(event, ev.Chronology)
        assert after.chronology[: len(before.chronology)] == before.chronology
        assert len(after.chronology) - len(before.chronology) == grown
        for at in greys(before):
            assert before.fields[at] in (EMPTY, after.fields[at])


@every
@given(plays())
def test_no_hand_and_no_purple_chip_outlives_its_round(game: Play) -> None:
    for before, _, after in game.steps():
        if after.round > before.round:
            assert not any(after.hands) and after.bag[4] == 1
            assert after.main != before.main and before.cards[after.main] == 4
        assert sum(after.hands[4::5]) + after.bag[4] == 1


def turns(game: Play) -> Iterator[tuple[State, list[tuple[State, Event, State]]]]:
    """Yield each finished turn: the state in which it began, and its steps."""
    steps = [step for step in game.steps() if isinstance(step[1], TURN)]
    for _, found in groupby(steps, key=lambda step: (step[0].round, step[0].actor)):
        turn = list(found)
        last = turn[-1][2]
        if last.outcome is None or last.outcome.reason == "chronology":
            yield turn[0][0], turn


@every
@given(plays())
def test_a_turn_uses_up_its_hand_in_one_block(game: Play) -> None:
    for begun, steps in turns(game):
        setup, actor = begun.setup, begun.actor
        events = [event for _, event, _ in steps]
        hand = begun.hands[5 * actor : 5 * actor + 5]
        skipped = len(begun.chronology) == setup.chronology
        assert {event.by for event in events} == {setup.seats[actor]}
        assert sum(isinstance(event, ev.Chronology) for event in events) == (0 if skipped else 1)
        if not setup.options.negotiation:
            assert sum(hand) == begun.rolled
        filled = [event.at for event in events if isinstance(event, ev.Place | ev.Put)]
        assert len({setup.board.block[setup.board.index[at]] for at in filled}) <= 1
        rest = sum(hand[:4]) - (not skipped)
        purple = hand[4]
        if ev.MoveStart in map(type, events):
            assert begun.cards[actor] in (2, 3)
            moved = rest + (purple if setup.options.purple_counts_in_move else 0)
            lifted = [event.at for event in events if isinstance(event, ev.Lift)]
            assert len(lifted) == len(filled) == moved > 0
            assert all(begun.fields[setup.board.index[at]] == setup.colours[actor] for at in lifted)
            assert ev.Purple not in map(type, events)
        else:
            assert len(filled) == rest
            assert sum(isinstance(event, ev.Purple) for event in events) == purple


@every
@given(plays())
def test_turns_follow_the_cards_once_round(game: Play) -> None:
    rounds: dict[int, list[int]] = {}
    for begun, _ in turns(game):
        rounds.setdefault(begun.round, []).append(begun.cards[begun.actor])
    whole = list(game.states[0].setup.deck)
    for cards in rounds.values():
        assert cards == whole[: len(cards)]
    assert all(len(cards) == len(whole) for cards in list(rounds.values())[:-1])


@every
@given(plays())
def test_the_game_ends_when_the_rules_say_and_not_before(game: Play) -> None:
    for before, event, after in game.steps():
        setup, players = after.setup, len(after.setup.seats)
        drawn = isinstance(event, ev.Draw) and (before.actor + 1) % players == before.main
        owed = after.rolled if isinstance(event, ev.Roll) and event.value > 1 else before.rolled
        asked = (
            isinstance(event, ev.Draw | ev.Roll)
            and not drawn
            and (not isinstance(event, ev.Roll) or event.value > 1)
        )
        short = asked and sum(after.bag) < owed
        short = short or (
            isinstance(event, ev.Draw) and setup.options.bag_end == "zero" and not any(after.bag)
        )
        last = (
            isinstance(event, TURN)
            and before.cards[before.actor] == 4
            and not any(after.hands[5 * before.actor : 5 * before.actor + 5])
        )
        full = len(after.chronology) == setup.chronology
        reason = after.outcome.reason if after.outcome else None
        assert (reason == "bag") == short
        if reason == "chronology":
            assert last and full
        if last and full and after.phase != "lift" and not (after.phase == "put" and any(after.hands)):
            assert reason == "chronology"
        if reason == "territory":
            chips = sum(after.hands[5 * after.actor : 5 * after.actor + 4])
            assert chips and all(
                after.fields.count(EMPTY, first, end) < chips for first, _, end in setup.board.spans
            )


@every
@given(plays())
def test_games_are_no_longer_than_the_chronology_allows(game: Play) -> None:
    last, setup = game.states[-1], game.states[-1].setup
    players = len(setup.seats)
    assert last.round <= -(-setup.chronology // players)
    assert sum(1 for _ in turns(game)) <= last.round * players


@every
@given(plays())
def test_winners_have_the_most_points_and_losers_fewer(game: Play) -> None:
    last = game.states[-1]
    assert last.outcome
    scored = points(last)
    rank = {
        seat: (scored[colour].total, scored[colour].chronology, -last.fields.count(colour))
        for seat, colour in zip(last.setup.seats, last.setup.colours, strict=True)
    }
    assert set(last.outcome.winners) == {seat for seat in rank if rank[seat] == max(rank.values())}
    assert GAME.score(last) == {seat: place[0] for seat, place in rank.items()}


@every
@given(plays())
def test_effects_agree_with_the_states(game: Play) -> None:
    for before, event, after in game.steps():
        effects, seats = GAME.effects(before, event, after), after.setup.seats
        over = [effect for effect in effects if isinstance(effect, Over)]
        assert over == ([Over(after.outcome.winners, after.outcome.reason)] if after.outcome else [])
        finals = {effect.colour: effect.total for effect in effects if isinstance(effect, Final)}
        assert finals == (
            {name: one.total for name, one in zip(COLOURS, points(after), strict=True)}
            if after.outcome
            else {}
        )
        taken = [effect for effect in effects if isinstance(effect, Back)]
        gone = sum(chip != EMPTY for chip in before.fields) - sum(chip != EMPTY for chip in after.fields)
        assert len(taken) == (gone if isinstance(event, ev.Remove | ev.Purple) else 0)
        mains = [effect for effect in effects if isinstance(effect, MainPlayer)]
        new = isinstance(event, ev.DealCards) or (after.round > before.round and not after.outcome)
        assert mains == ([MainPlayer(seats[after.main], after.round)] if new else [])
        drew = [effect for effect in effects if isinstance(effect, Drew)]
        assert [one.seat for one in drew] == ([event.by] if isinstance(event, ev.Draw) else [])
        for turn in (effect for effect in effects if isinstance(effect, TurnOver)):
            assert (turn.seat, turn.next) == (seats[before.actor], seats[after.actor])


@pytest.mark.parametrize("players", [3, 4])
def test_all_three_endings_occur_and_games_have_the_expected_length(players: int) -> None:
    games = [play(index, players) for index in range(120)]
    endings = [game.states[-1].outcome.reason for game in games]
    assert all(endings.count(reason) >= 12 for reason in ("bag", "chronology", "territory"))
    assert 160 < sum(len(game.events) for game in games) / len(games) < 220
    filled = sum(_fills_in_mid_round(game) for game in games)
    assert (filled > 20) if players == 3 else (filled == 0)


def _fills_in_mid_round(game: Play) -> bool:
    """Return whether a player had a turn of the last round without a chip for the chronology (GP-A9)."""
    return any(before.actor != after.actor and after.phase == "action" for before, _, after in game.steps())


def turn_fields(state: State) -> dict[str, str]:
    """Return the fields of the standard board after a half turn, by name."""
    board = state.setup.board
    names = dict(zip(board.places, board.names, strict=True))
    return {
        name: names[8 - column, 7 - row]
        for name, (column, row) in zip(board.names, board.places, strict=True)
    }


def rename_event(
    event: Event, fields: dict[str, str], blocks: dict[int, int], colours: dict[str, str]
) -> Event:
    """Return `event` on the turned board, in other colours."""
    data = msgspec.to_builtins(event)
    for member in ("by", "colour", "seat"):
        if member in data:
            data[member] = colours.get(data[member], data[member])
    for member in ("cards", "chips", "gives", "takes"):
        if member in data:
            data[member] = {colours.get(name, name): count for name, count in data[member].items()}
    if data.get("at"):
        data["at"] = fields[data["at"]]
    if "block" in data:
        data["block"] = blocks[data["block"]]
    return msgspec.convert(data, type(event))


def seen(state: State, fields: dict[str, str], blocks: dict[int, int], colours: dict[str, str]) -> Any:
    """Return the words of `describe` for `state`, on the turned board and in other colours."""

    def named(value: Any) -> Any:
        if isinstance(value, dict):
            return {fields.get(key, colours.get(key, key)): named(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [named(item) for item in value]
        return colours.get(value, value) if isinstance(value, str) else value

    words = named(GAME.describe(state)) if GAME.describe else {}
    return words | {"block": blocks[state.block] if state.block else None}


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("turn", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_half_turns_and_colours_make_no_difference(players: int, turn: bool, seed: int) -> None:
    game = play(seed, players)
    begun = game.states[0]
    playing = GAME.seats[players]
    shuffled = list(permutations(playing))[generator("colours", seed).randrange(6 if players == 3 else 24)]
    colours: dict[str, str] = {name: name for name in CHIPS} | dict(zip(playing, shuffled, strict=True))
    fields = turn_fields(begun) if turn else {name: name for name in begun.setup.board.names}
    blocks = {block: 7 - block if turn else block for block in range(1, 7)}
    ours = start(begun.setup.options, begun.setup.board, shuffled)
    for event, theirs in zip(game.events, game.states[1:], strict=True):
        moved = rename_event(event, fields, blocks, colours)
        assert GAME.check(ours, moved) is None
        ours = GAME.apply(ours, moved)
        assert seen(ours, {}, {block: block for block in blocks}, {}) == seen(theirs, fields, blocks, colours)
    assert GAME.score(ours) == {colours[seat]: total for seat, total in GAME.score(game.states[-1]).items()}


@every
@given(plays())
def test_states_convert_to_words_and_back(game: Play) -> None:
    begun = game.states[0]
    for state in game.states[:5] + game.some_states(generator("words"), 30):
        assert arrange(begun, GAME.describe(state) if GAME.describe else {}) == state
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


def candidates(state: State) -> Iterator[Event]:
    """Yield every decision of every seat, without trades."""
    names, deck = state.setup.board.names, state.setup.deck
    for by in state.setup.seats:
        yield ev.MoveStart(0, 0, by)
        yield ev.Purple(0, 0, by)
        yield from (
            ev.Distribute(0, 0, by, dict(zip(state.setup.seats, cards, strict=True)))
            for cards in permutations(deck)
        )
        yield from (ev.ChooseBlock(0, 0, by, block) for block in range(8))
        yield from (ev.Chronology(0, 0, by, chip) for chip in CHIPS)
        for at in names:
            yield from (
                ev.Remove(0, 0, by, at),
                ev.Purple(0, 0, by, at),
                ev.Lift(0, 0, by, at),
                ev.Put(0, 0, by, at),
            )
            yield from (ev.Place(0, 0, by, chip, at) for chip in CHIPS)


def key(event: Event) -> str:
    return msgspec.json.encode(event, order="sorted").decode()


@pytest.mark.parametrize("players", [3, 4])
def test_the_legal_list_has_exactly_the_decisions_that_check_accepts(players: int) -> None:
    rng, phases = generator("legal", players), set[str]()
    for index in range(3):
        game = play(index, players, purple_counts_in_move=bool(index % 2))
        rare = [
            state
            for state in game.states
            if state.phase in ("lift", "put", "remove") or sum(state.hands[4::5])
        ]
        one_each = {state.phase: state for state in game.states}
        for state in [*game.some_states(rng, 12), *rng.sample(rare, min(12, len(rare))), *one_each.values()]:
            legal = legal_for(GAME, state, None)
            assert legal.complete
            listed = list(map(key, legal.events))
            assert sorted(listed) == sorted(
                key(event) for event in candidates(state) if GAME.check(state, event) is None
            )
            phases.add(state.phase)
    assert {"distribute", "remove", "chronology", "action", "place", "lift", "put"} <= phases


@pytest.mark.parametrize("negotiation", [True, "any"])
@pytest.mark.parametrize("players", [3, 4])
def test_every_result_of_a_trade_is_listed_once(players: int, negotiation: bool | str) -> None:
    traded = 0
    for index in range(3):
        for state in play(index, players, negotiation=negotiation).states:
            legal = legal_for(GAME, state, None)
            listed = [event for event in legal.events if isinstance(event, ev.Trade)]
            assert legal.complete == (not listed) and not legal.cut
            for event in legal.events:
                assert GAME.check(state, event) is None
                assert event.by in GAME.pending(state).by
            if listed and traded < 3000:
                reached = {GAME.apply(state, event).hands for event in listed}
                assert len(reached) == len(listed) and state.hands not in reached
                assert reached == {after for after in hands_after_trades(state) if after != state.hands}
            traded += len(listed)
    assert traded > 1000


def hands_after_trades(state: State) -> Iterator[bytes]:
    """Yield all hands that a legal trade can produce, by trying every trade."""
    main = state.setup.seats[state.main]
    for other, name in enumerate(state.setup.seats):
        if other != state.main:
            held = (state.hands[5 * seat : 5 * seat + 5] for seat in (state.main, other))
            ours, theirs = ([range(count + 1) for count in hand] for hand in held)
            for gives, takes in product(product(*ours), product(*theirs)):
                sides = [Chips(**dict(zip(CHIPS, counts, strict=True))) for counts in (gives, takes)]
                trade = ev.Trade(0, 0, main, name, *sides)
                if GAME.check(state, trade) is None:
                    yield GAME.apply(state, trade).hands


def test_a_new_game_with_negotiation_has_fitting_trades_and_an_older_header_any() -> None:
    new = play(0, 3, negotiation=True).header
    assert new.options["negotiation"] == "fitting"
    assert play(0, 3, negotiation="any").header.options["negotiation"] == "any"
    older = replace(new, options=new.options | {"negotiation": True})
    assert Fold(older, GAME).state.setup.options.negotiation is True
    assert play(0, 3).header.options["negotiation"] is False


def test_impossible_hands_are_traded_chip_by_chip() -> None:
    state = next(state for state in play(0, 3, negotiation="any").states if state.phase == "distribute")
    legal = legal_for(GAME, replace(state, hands=bytes([20] * 4 + [1]) + bytes([5, 5, 5, 5, 0]) * 2), None)
    listed = [event for event in legal.events if isinstance(event, ev.Trade)]
    assert legal.cut and listed
    assert all(sum(one.gives.counts()) <= 1 and sum(one.takes.counts()) <= 1 for one in listed)


def nonsense(state: State, rng: Random) -> Event:
    """Return an event with a random type, seat, field and number, which may be legal."""
    seats = state.setup.seats
    names = (*state.setup.board.names, "z9", "")
    by = seats[state.actor] if rng.random() < 0.6 else rng.choice((*seats, TABLE, "nobody"))
    at, chip = rng.choice(names), rng.choice(CHIPS)
    deck = state.setup.deck if rng.random() < 0.5 else (1, 2, 3, 4, 5)
    cards = dict(zip(seats, rng.sample(deck, len(seats)), strict=True))
    few = [
        Chips(**{rng.choice(CHIPS): rng.randint(0, 3), rng.choice(CHIPS): rng.randint(0, 2)})
        for _ in range(2)
    ]
    kinds = (
        ev.DealCards(0, 0, by, cards),
        ev.Roll(0, 0, by, rng.randint(-1, 8)),
        ev.Remove(0, 0, by, at),
        ev.Draw(0, 0, by, few[0]),
        ev.Distribute(0, 0, by, cards),
        ev.Trade(0, 0, by, rng.choice((*seats, "nobody")), few[0], few[1]),
        ev.Chronology(0, 0, by, chip),
        ev.ChooseBlock(0, 0, by, rng.randint(-1, 8)),
        ev.Place(0, 0, by, chip, at),
        ev.Purple(0, 0, by, rng.choice((None, at))),
        ev.MoveStart(0, 0, by),
        ev.Lift(0, 0, by, at),
        ev.Put(0, 0, by, at),
    )
    return rng.choice(kinds)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("switch", range(len(SWITCHES)))
def test_any_event_is_judged_and_leaves_a_playable_position(players: int, switch: int) -> None:
    rng, stood = generator("nonsense", players, switch), 0
    for board in (SMALL, GAME.boards["gp72+28"]()):
        state = start(GAME.Options(**SWITCHES[switch]), GAME.read_board(board), GAME.seats[players])
        while not GAME.pending(state).outcome:
            event, legal = _something(state, rng)
            found = GAME.check(state, event)
            assert not (legal and found), found
            try:
                after = GAME.apply(state, event)
            except CannotApply:
                assert found, "apply is total on what check accepts"
            else:
                GAME.effects(state, event, after)
                check_invariants(after)
                stood += found is not None
                state = after
    assert stood


def _something(state: State, rng: Random) -> tuple[Event, bool]:
    """Return a random event, or a legal one, and whether it comes from the game itself."""
    chance = GAME.pending(state).chance
    if rng.random() < 0.6:
        return nonsense(state, rng), False
    if chance:
        return GAME.chance(state, draw_results(b"nonsense", rng.randbytes(8), chance.draws)), True
    legal = legal_for(GAME, state, None).events
    assert legal, "somebody is to act and nothing is legal"
    return rng.choice((sample_for(GAME, state, GAME.pending(state).by[0], rng), rng.choice(legal))), True


def test_a_state_is_only_bytes_and_numbers() -> None:
    """States share the setup; without it, a state encodes into little more than its fields."""
    game = play(0, 4)
    assert all(state.setup is game.states[0].setup for state in game.states)
    assert max(len(msgspec.json.encode(replace(state, setup=None))) for state in game.states) < 450

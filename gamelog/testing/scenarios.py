"""Scenarios: positions, events and expected results, as data.

A scenario file is TOML that the designer of a game can read and extend without code::

    [[scenario]]
    name = "A tie is the defender's"
    rules = ["SW-15"]               # rules that it shows, in addition to the rules of its refusals
    players = 2                     # or a list of seats
    board = "hex50"                 # default: the first built-in board
    options = { check = "actor" }   # default: the default options
    given = { territories = { C3 = ["red", 2], C4 = ["blue", 1] }, on_turn = "red" }
    steps = [
      { event = { do = "attack", by = "red", src = "C3", dst = "C4" } },
      { event = { do = "battle", by = "red", attack = [3, 3], defence = [6] },
        effects = [{ effect = "repelled", lost = 1 }] },
      { state = { territories = { C3 = ["red", 1] } }, pending = { by = ["blue"] } },
    ]

``given`` is the position in the words of the game's `describe`. The tests of a game can provide a function
that sets it up. If ``given`` is missing, the scenario begins at the start of the game. An event is written as
in a record, without ``n`` and ``h``. It must be legal unless its step says otherwise. `ScenarioStep`
describes the members of a step.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.chance.rng import generator
from gamelog.chance.stream import draw_results
from gamelog.errors import BadSetup, CannotApply
from gamelog.play.contract import boards
from gamelog.play.contract.declare import declared_state
from gamelog.play.contract.effects import Effect
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.contract.seats import legal_for
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.fold.start import read_options
from gamelog.record.envelope import TABLE, Event, tag_of

Arrange = Callable[[Any, dict[str, Any]], Any]
"""A function that returns a state for the start of the game and ``given``, or raises ValueError."""

_MAX_EVENTS_UNTIL = 10_000
"""Maximum number of events for ``until``."""


class ScenarioStep(Struct, frozen=True, forbid_unknown_fields=True):
    """An action and the expected results. Tables in a game may have more members than the expected ones.

    Actions:

    - ``event``: an event, which must be legal. ``refused`` is the id of the rule that must forbid it instead.
      Then the position stays, and ``says`` are words of the reason. ``as_played`` carries the illegal event
      out anyway, and ``impossible`` expects that this fails.
    - ``resign``: a seat resigns.
    - ``until``: random bots play until the state has these facts.

    Results:

    - ``effects``: effects that the event must have, in this order. ``without``: tags of effects that it must
      not have.
    - ``state``: facts of the state, as the game describes it. ``score``: points of seats.
    - ``pending``: the seats that may act, or the chance that is due. ``outcome``: the end of the game.
    - ``legal``: the number of legal decisions.
    - ``lists``: all continuations of a decision among the legal decisions, in any order, by the tag and the
      first members of the decision (``"move d3"``).
    """

    event: dict[str, Any] | None = None
    refused: str | None = None
    says: str = ""
    as_played: bool = False
    impossible: bool = False
    resign: str | None = None
    until: dict[str, Any] | None = None
    effects: list[dict[str, Any]] = []
    without: list[str] = []
    state: dict[str, Any] = {}
    pending: dict[str, Any] = {}
    score: dict[str, int] = {}
    legal: int | None = None
    lists: dict[str, list[str]] = {}
    outcome: dict[str, Any] | None = None


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario.

    Attributes:
        players: Number of players, or their seats.
        rules: Ids of the rules that the scenario shows.
        board: Name of a built-in board, or a whole board; None for the standard board.
        given: Position before the first step in the words of `Game.describe`; None for the start of the game.
        cannot_start: If the game must refuse to start, words of the reason.
    """

    name: str
    players: int | list[str] = 2
    rules: list[str] = []
    board: str | dict[str, Any] | None = None
    options: dict[str, Any] = {}
    given: dict[str, Any] | None = None
    steps: list[ScenarioStep] = []
    cannot_start: str | None = None


class ScenarioFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario file."""

    scenario: list[Scenario]


def load_scenarios(folder: Path) -> list[Scenario]:
    """Return the scenarios of all files in `folder`, ordered by file name.

    Raises:
        ValueError: A file is invalid. The message has its name.
    """
    scenarios: list[Scenario] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            scenarios += msgspec.convert(tomllib.loads(path.read_text("utf-8")), ScenarioFile).scenario
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise ValueError(f"{path.name}: {error}") from None
    return scenarios


def run(game: AnyGame, scenario: Scenario, arrange: Arrange | None = None) -> None:
    """Play `scenario`. `arrange`, by default `Game.declare`, sets up ``given``.

    Raises:
        AssertionError: The result of a step differs from the scenario.
    """
    try:
        state = _start(game, scenario)
    except (BadSetup, ValueError) as error:
        if scenario.cannot_start is None or scenario.cannot_start not in str(error):
            raise AssertionError(f'"{scenario.name}" cannot start: {error}') from None
        return
    assert scenario.cannot_start is None, f'"{scenario.name}" starts'
    if scenario.given is not None:
        if arrange:
            state = arrange(state, scenario.given)
        else:
            state, why = declared_state(game, state, scenario.given)
            assert why is None, f'"{scenario.name}" cannot begin in this position: {why}'
    for number, step in enumerate(scenario.steps, 1):
        try:
            state = _take(game, state, step, number)
        except AssertionError as error:
            raise AssertionError(f'"{scenario.name}", step {number}: {error}') from None


def unshown_rules(game: AnyGame, scenarios: Iterable[Scenario]) -> list[str]:
    """Return a clause for each rule that `scenarios` do not show.

    A rule that events can break needs a step that it refuses. Any other rule needs a scenario that names it.
    """
    scenarios = list(scenarios)
    refused = {step.refused for scenario in scenarios for step in scenario.steps if step.refused}
    shown = {rule for scenario in scenarios for rule in scenario.rules}
    book = rulebook(game)
    missing = [
        f"no step is refused by {id_}"
        for id_, rule in book.items()
        if not rule.unchecked and id_ not in refused
    ]
    missing += [
        f"no scenario shows {id_}" for id_, rule in book.items() if rule.unchecked and id_ not in shown
    ]
    return missing + [f"{rule} is not in RULES.md" for rule in sorted((shown | refused) - set(book))]


def _start(game: AnyGame, scenario: Scenario) -> Any:
    players = scenario.players
    if isinstance(players, list):
        seats = tuple(players)
    else:
        seats = game.seats.get(players, tuple(map(str, range(players))))
    board = boards.resolve(game, scenario.board or boards.board_reference(game))
    return game.start(read_options(game, scenario.options), board, seats)


def _take(game: AnyGame, state: Any, step: ScenarioStep, number: int) -> Any:
    """Return the state after one step of a scenario.

    Raises:
        AssertionError: The result differs from the step.
    """
    effects: tuple[Effect, ...] = ()
    if step.event is not None:
        event = decoder(game).decode(msgspec.json.encode({"n": number, "t": 0, **step.event}))
        _expect_judgement(game.check(state, event), step)
        if step.refused is None or step.as_played:
            before = state
            state = game.apply(before, event)
            effects = game.effects(before, event, state)
        elif step.impossible:
            _expect_impossible(game, state, event)
    elif step.resign is not None:
        assert game.retire is not None, "players cannot resign in this game"
        after = game.retire(state, step.resign)
        _expect_judgement(after if isinstance(after, Violation) else None, step)
        state = state if isinstance(after, Violation) else after
    elif step.until is not None:
        state = _play_until(game, state, step.until)
    _expect(step, game, state, effects)
    return state


def _expect_judgement(violation: Violation | None, step: ScenarioStep) -> None:
    rule = step.refused
    if rule is None:
        assert violation is None, f"refused by {violation.rule}: {violation.message}" if violation else ""
    else:
        assert violation is not None, f"accepted, although {rule} must forbid it"
        assert violation.rule == rule, f"refused by {violation.rule} ({violation.message}), not by {rule}"
        text = str(violation.message)
        assert step.says in text, f"the reason is: {text}"


def _expect_impossible(game: AnyGame, state: Any, event: Event) -> None:
    try:
        game.apply(state, event)
    except CannotApply:
        return
    raise AssertionError("the event can be carried out, although it must be impossible")


def _play_until(game: AnyGame, state: Any, facts: dict[str, Any]) -> Any:
    """Return the first state with these `facts` in a game of random decisions from `state`.

    Raises:
        AssertionError: The game ends first, or the facts are not reached within some events.
    """
    rng = generator("until")
    for _ in range(_MAX_EVENTS_UNTIL):
        if _mismatch(facts, _describe(game, state)) is None:
            return state
        pending = game.pending(state)
        assert not pending.outcome, f"the game ends first: {pending.outcome}"
        seat = pending.by[0] if pending.by else ""
        if pending.chance:
            event = game.chance(state, draw_results(b"until", rng.randbytes(8), pending.chance.draws))
        else:
            event = game.bots[TABLE if seat == TABLE else "random"](
                game.observe(state, None if seat == TABLE else seat), seat, rng
            )
        state = game.apply(state, event)
    raise AssertionError(f"not reached within {_MAX_EVENTS_UNTIL} events: {facts}")


def _expect(step: ScenarioStep, game: AnyGame, state: Any, effects: tuple[Effect, ...]) -> None:
    """Compare the state, its effects and its legal events with the step.

    Raises:
        AssertionError: One of them differs.
    """
    found_effects = [
        {"effect": tag_of(type(effect)), **{name: getattr(effect, name) for name in effect.__struct_fields__}}
        for effect in effects
    ]
    rest = iter(found_effects)
    for wanted in step.effects:
        assert any(_mismatch(wanted, found) is None for found in rest), (
            f"no effect {wanted} (in this order) among {found_effects}"
        )
    for tag in step.without:
        assert not [found for found in found_effects if found["effect"] == tag], (
            f"an effect {tag} among {found_effects}"
        )
    pending = game.pending(state)
    _compare(step.state, _describe(game, state), "state")
    _compare(step.score, game.score(state), "score")
    _compare(step.pending, msgspec.to_builtins(pending), "pending")
    if step.legal is not None:
        count = len(legal_for(game, state, None).events)
        assert count == step.legal, f"{count} decisions are legal"
    if step.lists:
        listed = [_short_form(event) for event in legal_for(game, state, None).events]
        for begun, expected in step.lists.items():
            found = sorted(
                words.removeprefix(begun).strip() for words in listed if f"{words} ".startswith(f"{begun} ")
            )
            assert found == sorted(expected), f"{begun} continues with {found}, not with {sorted(expected)}"
    if step.outcome is not None:
        _compare(step.outcome, msgspec.to_builtins(pending).get("outcome"), "outcome")


def _short_form(event: Event) -> str:
    """Return the tag and the members of an event in their order, without members that have their default."""
    members: dict[str, Any] = msgspec.to_builtins(event)
    values = [value for name, value in members.items() if name not in ("do", "n", "t", "by")]
    words = [",".join(map(str, value)) if isinstance(value, list) else str(value) for value in values]
    return " ".join([tag_of(type(event)), *words])


def _compare(facts: Mapping[str, Any], actual: Any, what: str) -> None:
    difference = _mismatch(dict(facts), actual)
    assert difference is None, f"{what}{difference}"


def _mismatch(wanted: Any, actual: Any) -> str | None:
    """Return the first place where `actual` differs from `wanted`, or None.

    A mapping may have more members than wanted, but a list may not have more items.
    """
    if isinstance(wanted, dict):
        if not isinstance(actual, Mapping):
            return f" is {actual!r}, not {wanted!r}"
        for name, value in wanted.items():
            difference = _mismatch(value, actual[name]) if name in actual else " is missing"
            if difference:
                return f".{name}{difference}"
        return None
    if isinstance(wanted, list) and isinstance(actual, list | tuple) and len(wanted) == len(actual):
        pairs = enumerate(zip(wanted, actual, strict=True))
        mismatches = ((at, _mismatch(*pair)) for at, pair in pairs)
        return next((f"[{at}]{difference}" for at, difference in mismatches if difference is not None), None)
    return None if wanted == actual else f" is {actual!r}, not {wanted!r}"


def _describe(game: AnyGame, state: Any) -> dict[str, Any]:
    """Return the state in the words of the game, or its members without ``setup``."""
    if game.describe is not None:
        return game.describe(state)
    members: dict[str, Any] = msgspec.to_builtins(state)
    return {name: value for name, value in members.items() if name != "setup"}

"""Scenarios: positions, what is played in them, and what must come of it, as data.

A scenario file is TOML that a game's designer can read and add to without touching code::

    [[scenario]]
    name = "A tie is the defender's"
    rules = ["SW-15"]                        # what it shows, besides the rules that its refusals name
    players = 2                              # or a list of seats
    board = "hex50"                          # the first built-in board if left out
    options = { check = "actor" }            # the defaults if left out
    given = { territories = { C3 = ["red", 2], C4 = ["blue", 1] }, on_turn = "red" }
    steps = [
      { event = { do = "attack", by = "red", src = "C3", dst = "C4" } },
      { event = { do = "battle", by = "red", attack = [3, 3], defence = [6] }, effects = [{ effect =
      "repelled", lost = 1 }] }, { state = { territories = { C3 = ["red", 1] } }, pending = { by = ["blue"] }
      },
    ]

``given`` is the position, in the words of the game's `describe`; each game's tests bring the
function that lays it out. Without it the scenario begins at the start of the game. An event is
written as in a record, without ``n`` and ``h``; it must be legal unless its step says otherwise. See
`ScenarioStep` for all that a step can say.
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
from gamelog.play.fold.event_list import decoder
from gamelog.play.fold.start import read_options
from gamelog.record.envelope import TABLE, Event, tag_of

Arrange = Callable[[Any, dict[str, Any]], Any]
"""Makes a state of the game's start and a scenario's ``given``; raises ValueError for words it does not know.
"""

_MAX_EVENTS_UNTIL = 10_000
"""Events after which an ``until`` gives up."""


class ScenarioStep(Struct, frozen=True, forbid_unknown_fields=True):
    """What is done, and what must then be true. Tables may have more members than are expected of them.

    ``event``: is played and must be legal; ``refused``: the id of the rule that must forbid it, and
    the position stays. With ``refused``, ``says`` are words of the reason, ``as_played`` carries the
    event out all the same, and ``impossible`` asks that this fails.
    ``resign``: a seat gives up.
    ``until``: random players go on until the state has these facts.
    ``effects``: consequences that must be among the event's, in this order; ``without``: tags of those that
    must not be. ``state``: facts of the state as the game describes it. ``pending``: who may act, which
    chance is owed. ``score``: points of seats. ``legal``: how many decisions are listed as legal.
    ``outcome``: the end. ``lists``: for the beginning of a decision, its tag and first members (``"move
    d3"``), all the ways in which those listed as legal go on, in any order.
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
    """One of them. ``cannot_start``: words of the reason why the game must not accept players,
    board and options.
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
    """The scenarios of all files in `folder`, by file name. Raises ValueError that names the file."""
    found: list[Scenario] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            found += msgspec.convert(tomllib.loads(path.read_text("utf-8")), ScenarioFile).scenario
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise ValueError(f"{path.name}: {error}") from None
    return found


def run(game: AnyGame, scenario: Scenario, arrange: Arrange | None = None) -> None:
    """Play `scenario`, whose ``given`` is what `arrange` makes of it, or else `Game.declare`.

    Raises AssertionError, naming the step, where it does not come out as written.
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
            assert why is None, f'"{scenario.name}" cannot begin there: {why}'
    for number, step in enumerate(scenario.steps, 1):
        try:
            state = _take(game, state, step, number)
        except AssertionError as error:
            raise AssertionError(f'"{scenario.name}", step {number}: {error}') from None


def unexercised(game: AnyGame, scenarios: Iterable[Scenario]) -> list[str]:
    """What `scenarios` leave out of the rulebook, in words.

    A rule that events can break needs a step that is refused by it; any other a scenario that names it.
    """
    scenarios = list(scenarios)
    refused = {step.refused for scenario in scenarios for step in scenario.steps if step.refused}
    shown = {rule for scenario in scenarios for rule in scenario.rules}
    book = rulebook(game)
    missing = [
        f"{id_} refuses nothing" for id_, rule in book.items() if not rule.unchecked and id_ not in refused
    ]
    missing += [f"{id_} is not shown" for id_, rule in book.items() if rule.unchecked and id_ not in shown]
    return missing + [f"{rule} is not a rule" for rule in sorted((shown | refused) - set(book))]


def _start(game: AnyGame, scenario: Scenario) -> Any:
    players = scenario.players
    if isinstance(players, list):
        seats = tuple(players)
    else:
        seats = game.seats.get(players, tuple(map(str, range(players))))
    board = boards.resolve(game, scenario.board or boards.reference(game))
    return game.start(read_options(game, scenario.options), board, seats)


def _take(game: AnyGame, state: Any, step: ScenarioStep, number: int) -> Any:
    effects: tuple[Effect, ...] = ()
    if step.event is not None:
        event = decoder(game).decode(msgspec.json.encode({"n": number, "t": 0, **step.event}))
        _judged(game.check(state, event), step)
        if step.refused is None or step.as_played:
            before = state
            state = game.apply(before, event)
            effects = game.effects(before, event, state)
        elif step.impossible:
            _cannot(game, state, event)
    elif step.resign is not None:
        assert game.retire is not None, "the game has no resigning"
        after = game.retire(state, step.resign)
        _judged(after if isinstance(after, Violation) else None, step)
        state = state if isinstance(after, Violation) else after
    elif step.until is not None:
        state = _until(game, state, step.until)
    _expect(step, game, state, effects)
    return state


def _judged(found: Violation | None, step: ScenarioStep) -> None:
    rule = step.refused
    if rule is None:
        assert found is None, f"refused by {found.rule}: {found.message}" if found else ""
    else:
        assert found is not None, f"accepted, {rule} should forbid it"
        assert found.rule == rule, f"refused by {found.rule} ({found.message}), not by {rule}"
        text = str(found.message)
        assert step.says in text, f"the reason is: {text}"


def _cannot(game: AnyGame, state: Any, event: Event) -> None:
    try:
        game.apply(state, event)
    except CannotApply:
        return
    raise AssertionError("it can be carried out all the same")


def _until(game: AnyGame, state: Any, facts: dict[str, Any]) -> Any:
    rng = generator("until")
    for _ in range(_MAX_EVENTS_UNTIL):
        if _lacks(facts, _describe(game, state)) is None:
            return state
        pending = game.pending(state)
        assert not pending.outcome, f"the game ends before: {pending.outcome}"
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
    told = [
        {"effect": tag_of(type(one)), **{name: getattr(one, name) for name in one.__struct_fields__}}
        for one in effects
    ]
    rest = iter(told)
    for wanted in step.effects:
        assert any(_lacks(wanted, one) is None for one in rest), (
            f"no effect {wanted} (in this order) among {told}"
        )
    for tag in step.without:
        assert not [one for one in told if one["effect"] == tag], f"an effect {tag} among {told}"
    pending = game.pending(state)
    _compare(step.state, _describe(game, state), "state")
    _compare(step.score, game.score(state), "score")
    _compare(step.pending, msgspec.to_builtins(pending), "pending")
    if step.legal is not None:
        count = len(legal_for(game, state, None).events)
        assert count == step.legal, f"{count} decisions are legal"
    if step.lists:
        listed = [_words(event) for event in legal_for(game, state, None).events]
        for begun, ways in step.lists.items():
            found = sorted(
                words.removeprefix(begun).strip() for words in listed if f"{words} ".startswith(f"{begun} ")
            )
            assert found == sorted(ways), f"{begun} goes on with {found}, not with {sorted(ways)}"
    if step.outcome is not None:
        _compare(step.outcome, msgspec.to_builtins(pending).get("outcome"), "outcome")


def _words(event: Event) -> str:
    """An event as its tag and its members in order, those left out that have their default."""
    members: dict[str, Any] = msgspec.to_builtins(event)
    values = [value for name, value in members.items() if name not in ("do", "n", "t", "by")]
    said = [",".join(map(str, value)) if isinstance(value, list) else str(value) for value in values]
    return " ".join([tag_of(type(event)), *said])


def _compare(facts: Mapping[str, Any], actual: Any, what: str) -> None:
    lacks = _lacks(dict(facts), actual)
    assert lacks is None, f"{what}{lacks}"


def _lacks(wanted: Any, actual: Any) -> str | None:
    """Where `actual` is not what is wanted, or None. Tables may have more members than wanted, lists not."""
    if isinstance(wanted, dict):
        if not isinstance(actual, Mapping):
            return f" is {actual!r}, not {wanted!r}"
        for name, value in wanted.items():
            lacks = _lacks(value, actual[name]) if name in actual else " is missing"
            if lacks:
                return f".{name}{lacks}"
        return None
    if isinstance(wanted, list) and isinstance(actual, list | tuple) and len(wanted) == len(actual):
        pairs = enumerate(zip(wanted, actual, strict=True))
        return next((f"[{at}]{lacks}" for at, pair in pairs if (lacks := _lacks(*pair)) is not None), None)
    return None if wanted == actual else f" is {actual!r}, not {wanted!r}"


def _describe(game: AnyGame, state: Any) -> dict[str, Any]:
    """The state in the game's own words, or its members without ``setup``."""
    if game.describe is not None:
        return game.describe(state)
    members: dict[str, Any] = msgspec.to_builtins(state)
    return {name: value for name, value in members.items() if name != "setup"}

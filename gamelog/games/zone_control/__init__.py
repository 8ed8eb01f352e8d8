"""Zone Control: a game against the clock, in which four sides fight with dice for the zones of a board."""

from __future__ import annotations

from functools import partial

from gamelog.game import Game, translation
from gamelog.games.kit import phases
from gamelog.games.kit.data import board_file, rules_of
from gamelog.games.zone_control import (
    board,
    bots,
    choices,
    declare,
    due,
    effects,
    events,
    features,
    reducer,
    rules,
    scene,
    state,
    strong,
    taps,
    victory,
)

GAME: Game[state.State, events.Event, state.Options, board.Board] = Game(
    id="zone_control",
    title="Zone Control",
    rules_version="1.0",
    seats={len(board.SIDES): board.SIDES},
    Options=state.Options,
    events=events.EVENTS,
    chance_events=events.CHANCE,
    boards={"zc289": partial(board_file, __name__, "zc289")},
    read_board=board.read_board,
    start=state.start,
    pending=due.pending,
    left=due.remaining_text,
    due_rules=partial(phases.due_rules, due.not_due),
    check=rules.check,
    apply=reducer.apply,
    legal=choices.legal,
    sample=choices.sample,
    taps=taps.taps,
    chance=reducer.chance,
    classes=due.classes,
    canonical=events.canonical,
    effects=effects.effects,
    score=victory.score,
    unit="zone points",
    scored=("squares",),
    features=features.features,
    scene=scene.scene,
    messages=effects.MESSAGES,
    translation=partial(translation, __name__),
    bots={"greedy": bots.greedy, "strong": strong.strong},
    rules=rules_of(__name__),
    describe=scene.describe,
    declare=declare.declare,
)
"""The game Zone Control."""

"""Zone S: the Dominion against the Separatists, on terrain that the players place."""

from __future__ import annotations

from functools import partial

from gamelog.game import Game, translation
from gamelog.games.kit import phases
from gamelog.games.kit.data import board_file, rules_of
from gamelog.games.zone_s import (
    board,
    bots,
    choices,
    declare,
    determinise,
    due,
    effects,
    events,
    features,
    reducer,
    rules,
    scene,
    screen,
    state,
    strong,
    victory,
)

GAME: Game[state.State, events.Event, state.Options, board.Board] = Game(
    id="zone_s",
    title="Zone S",
    rules_version="1.0",
    seats={len(board.SIDES): board.SIDES},
    Options=state.Options,
    events=events.EVENTS,
    chance_events=events.CHANCE,
    boards={"zs38": partial(board_file, __name__, "zs38")},
    read_board=board.read_board,
    start=state.start,
    pending=due.pending,
    left=due.remaining_text,
    due_rules=partial(phases.due_rules, due.not_due),
    check=rules.check,
    apply=reducer.apply,
    legal=choices.legal,
    sample=choices.sample,
    chance=reducer.chance,
    effects=effects.effects,
    score=victory.score,
    unit="captured cost",
    scored=("pieces", "reserve"),
    features=features.features,
    scene=scene.scene,
    messages=effects.MESSAGES,
    translation=partial(translation, __name__),
    bots={"greedy": bots.greedy, "strong": strong.strong},
    rules=rules_of(__name__),
    observe=screen.observe,
    determinise=determinise.determinise,
    seen=screen.seen_event,
    describe=scene.describe,
    declare=declare.declare,
)
"""The game Zone S."""

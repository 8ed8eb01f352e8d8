"""SliceWars: conquest with dice on fifty hexagons."""

from __future__ import annotations

from functools import partial

from gamelog.game import Game, translation
from gamelog.games.kit import phases
from gamelog.games.kit.data import board_file, rules_of
from gamelog.games.kit.order import canonical_order
from gamelog.games.slicewars import (
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
    victory,
)

GAME: Game[state.State, events.Event, state.Options, board.Board] = Game(
    id="slicewars",
    title="SliceWars",
    rules_version="1.0",
    seats={players: state.COLOURS[:players] for players in range(2, len(state.COLOURS) + 1)},
    Options=state.Options,
    events=events.EVENTS,
    chance_events=events.CHANCE,
    boards={name: partial(board_file, __name__, name) for name in ("hex50", "hex36")},
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
    classes=due.classes,
    canonical=canonical_order(events.ORDERLESS),
    effects=effects.effects,
    score=victory.score,
    unit="territories",
    scored=("owners",),
    features=features.features,
    progress=features.progress,
    scene=scene.scene,
    messages=effects.MESSAGES,
    translation=partial(translation, __name__),
    bots={"greedy": bots.greedy, "strong": strong.strong},
    rules=rules_of(__name__),
    retire=reducer.retire,
    describe=scene.describe,
    declare=declare.declare,
)
"""The game SliceWars."""

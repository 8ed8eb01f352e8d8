"""Dice: Mission Objective, a game in which two to four armies fight for each other's flags."""

from __future__ import annotations

from functools import partial

from gamelog.game import Game, translation
from gamelog.games.dice_flags import (
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
    shorthand,
    state,
    strong,
    taps,
    victory,
)
from gamelog.games.kit import phases
from gamelog.games.kit.data import board_file, rules_of
from gamelog.games.kit.order import canonical_order

GAME: Game[state.State, events.Event, state.Options, board.Board] = Game(
    id="dice_flags",
    title="Dice: Mission Objective",
    rules_version="1.0",
    seats=state.SEATS,
    Options=state.Options,
    events=events.EVENTS,
    chance_events=events.CHANCE,
    boards={name: partial(board_file, __name__, name) for name in ("df181", "df221")},
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
    canonical=canonical_order(events.ORDERLESS),
    effects=effects.effects,
    score=victory.score,
    unit="flag points",
    scored=("places", "flags"),
    features=features.features,
    scene=scene.scene,
    messages=effects.MESSAGES,
    translation=partial(translation, __name__),
    bots={"greedy": bots.greedy, "strong": strong.strong},
    rules=rules_of(__name__),
    retire=reducer.retire,
    describe=scene.describe,
    declare=declare.declare,
    shorthand=shorthand.shorthand,
)
"""The game Dice: Mission Objective."""
